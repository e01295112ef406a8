// SPDX-License-Identifier: MIT
// Cases of the corpus: constant, managed, local, dynamic shared memory; parameters, structures, pointers,
// vector types.
#include <algorithm>
#include <cmath>

#include "corpus.hpp"

namespace {
using namespace corpus;
using Ints = std::vector<int>;

const Register constant_memory("constant_memory", "constant_memory", [](Gpu& gpu) {
  const int own[] = {2, 3, 5, 7, 11, 13, 17, 19};
  for (const unsigned n : {1U, 50U, 300U}) {
    const auto table = made<float>(16, [](unsigned i) { return real_number(i, 0, 8); });
    check(cuMemcpyHtoD(gpu.global("host_table", 64), table.data(), 64), "cuMemcpyHtoD");
    const Buffer<int> which(made<int>(n, small_number));
    const Buffer<float> out(n);
    gpu.launch("constant_memory", {(n + 63) / 64}, {64}, 0, which, out, static_cast<int>(n));
    const auto expected = [&](unsigned i) {
      return table[which.host()[i] % 16] + static_cast<float>(own[which.host()[i] % 8]);
    };
    same(out.read(), made<float>(n, expected), "out");
  }
});
const Register globals("globals", "globals", [](Gpu& gpu) {
  const Buffer<float> out(4);
  int start = 5;
  check(cuMemcpyHtoD(gpu.global("counter", 4), &start, 4), "cuMemcpyHtoD");
  gpu.launch("globals", {1}, {32}, 0, out);
  same(out.read(), {5.0F, 2.5F, 0.0F, static_cast<float>('o')}, "out");
  check(cuMemcpyDtoH(&start, gpu.global("counter", 4), 4), "cuMemcpyDtoH");
  same(Ints{start}, {15}, "counter");
});
const Register static_variables("static_variables", "static_variables", [](Gpu& gpu) {
  const Ints factors = {2, 3, 5, 7}, added = {10, 20, 30, 40};
  check(cuMemcpyHtoD(gpu.global("factors", 16), factors.data(), 16), "cuMemcpyHtoD");
  check(cuMemcpyHtoD(gpu.global("added", 16), added.data(), 16), "cuMemcpyHtoD");
  const Buffer<int> out(4);
  gpu.launch("static_variables", {1}, {4}, 0, out);
  same(out.read(), {120, 260, 250, 480}, "out");
  int written = 0;
  check(cuMemcpyDtoH(&written, gpu.global("written", 4), 4), "cuMemcpyDtoH");
  same(Ints{written}, {7}, "written");
  gpu.global("unused", 12);
  gpu.global("never_read", 20);
});
const Register syntax("syntax", "syntax", [](Gpu& gpu) {
  const Buffer<int> out(5);
  gpu.launch("syntax", {1}, {1}, 0, out);
  same(out.read(), {7, 7, 30, 40, 5}, "out");
});
const Register external_shared("syntax", "external_shared", [](Gpu& gpu) {
  const Buffer<int> out(3);
  int bytes = 0;
  check(cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, gpu.function("external_shared")),
        "cuFuncGetAttribute");
  same(Ints{bytes}, {1024}, "static shared memory");
  gpu.launch("external_shared", {1}, {1}, 64, out);
  same(out.read(), {1, 2, 3}, "out");
});
const Register managed("managed", "managed", [](Gpu& gpu) {
  // The host uses the address itself.
  volatile int* both =
      reinterpret_cast<int*>(gpu.global("shared_by_both", 4));  // NOLINT(performance-no-int-to-ptr)
  const volatile double* pair =
      reinterpret_cast<double*>(gpu.global("pair_of_both", 16));  // NOLINT(performance-no-int-to-ptr)
  same(Ints{*both}, {7}, "before");
  gpu.launch("managed", {1}, {64}, 0);
  same(Ints{*both}, {7 + 64 * 63 / 2}, "after one launch");
  *both = 1000;
  gpu.launch("managed", {2}, {10}, 0);
  same(Ints{*both}, {1000 + 2 * 45}, "after the host wrote");
  same(std::vector<double>{pair[0], pair[1]}, {0.5, 1.5}, "pair");
});
const Register dynamic_shared("dynamic_shared", "dynamic_shared", [](Gpu& gpu) {
  for (const unsigned n : {1U, 40U, 256U}) {
    const Buffer<int> in(made<int>(n, small_number));
    const Buffer<double> out(n);
    gpu.launch("dynamic_shared", {1}, {n}, n * 12, in, out, static_cast<int>(n));
    same(out.read(), made<double>(n, [&](unsigned i) { return 0.5 * (n - 1 - i) + in.host()[(i + 1) % n]; }),
         "out");
  }
});
const Register local_array("local_array", "local_array", [](Gpu& gpu) {
  for (const unsigned n : {30U, 200U}) {
    const Buffer<int> in(made<int>(n, [](unsigned i) { return scattered(i) >> 1; })), out(n);
    gpu.launch("local_array", {(n + 31) / 32}, {32}, 0, in, out, static_cast<int>(n));
    const auto most = [&](unsigned i) {
      int digits[10] = {};
      for (const char c : std::to_string(in.host()[i])) ++digits[c - '0'];
      return std::max_element(digits, digits + 10) - digits;
    };
    same(out.read(), made<int>(n, most), "out");
  }
});

struct Point {
  char tag;
  double x;
  short layer[3];
};
struct Box {
  Point from, to;
  unsigned char flags;
};
struct alignas(16) Float4 {
  float x, y, z, w;
};
const Register structs("structs", "structs", [](Gpu& gpu) {
  for (const int tag : {3, -4}) {
    const Box box = {{static_cast<char>(tag), 1.5, {1, 2, -3}}, {9, 101.5, {44, 5, 6}}, 200};
    const Buffer<long long> out(7);
    const Buffer<Box> copy(1);
    gpu.launch("structs", {1}, {1}, 0, box, static_cast<char>(-7), Float4{1, 2, 3, 4},
               static_cast<short>(-300), out, copy);
    same(out.read(), {tag + 9, 100, -300 + 44, 200, -7, 4321, -300}, "out");
    const Box got = copy.read()[0];
    same(std::vector<double>{got.from.x, got.to.x, double(got.to.layer[2]), double(got.flags)},
         {1.5, 101.5, 6, 200}, "copy");
  }
});
struct alignas(8) Int2 {
  int x, y;
};
struct Char3 {
  signed char x, y, z;
};
struct alignas(16) Double2 {
  double x, y;
};
const Register many_parameters("many_parameters", "many_parameters", [](Gpu& gpu) {
  const Buffer<double> out(14);
  gpu.launch("many_parameters", {1}, {1}, 0, static_cast<char>(-1), static_cast<short>(-2), -3, -4LL, 0.5F,
             0.25, static_cast<unsigned char>(250), Int2{6, -7}, Char3{8, 0, -9}, Double2{10.5, -11.5}, true,
             out);
  same(out.read(), {-1, -2, -3, -4, 0.5, 0.25, 250, 6, -7, 8, -9, 10.5, -11.5, 1}, "out");
});
struct Table {
  int of[2000];
};
const Register large_parameters("large_parameters", "large_parameters", [](Gpu& gpu) {
  Table table{};
  for (unsigned i = 0; i < 2000; ++i) table.of[i] = static_cast<int>(i * 2654435761U >> 22);
  for (const unsigned threads : {1U, 64U}) {
    const Buffer<int> out(threads);
    gpu.launch("large_parameters", {1}, {threads}, 0, table, 3, out);
    const auto sum = [&](unsigned thread) {
      int all = 0;
      for (unsigned i = thread; i < 2000; i += threads) all += table.of[i] * static_cast<int>(i % 7 + 3);
      return all;
    };
    same(out.read(), made<int>(threads, sum), "out");
  }
});
struct Uchar4 {
  unsigned char x, y, z, w;
  bool operator==(const Uchar4&) const = default;
};
const Register vector_types("vector_types", "vector_types", [](Gpu& gpu) {
  for (const unsigned n : {1U, 77U}) {
    const auto f = [](unsigned i) {
      return Float4{float(i % 50), float(i % 7), 0.5F * float(i), float(i) + 3};
    };
    const auto w = [](unsigned i) { return Int2{int(i % 100), int(i % 30)}; };
    const Buffer<Float4> a(made<Float4>(n, f));
    const Buffer<Int2> b(made<Int2>(n, w));
    const Buffer<Uchar4> c(n);
    const Buffer<Double2> d(n);
    gpu.launch("vector_types", {2}, {64}, 0, a, b, c, d, static_cast<int>(n));
    const auto bytes = c.read();
    const auto pairs = d.read();
    for (unsigned i = 0; i < n; ++i) {
      const auto v = f(i);
      const auto u = w(i);
      const Uchar4 expected = {static_cast<unsigned char>(v.x), static_cast<unsigned char>(v.y),
                               static_cast<unsigned char>(u.x), static_cast<unsigned char>(u.y)};
      if (!(bytes[i] == expected)) wrong("c[" + std::to_string(i) + "]");
      if (pairs[i].x != double(v.z + float(u.x)) || pairs[i].y != double(v.w - float(u.y)))
        wrong("d[" + std::to_string(i) + "]");
    }
  }
});
const Register small_types("small_types", "small_types", [](Gpu& gpu) {
  const unsigned n = 300;
  const Buffer<signed char> a(made<signed char>(n, [](unsigned i) { return scattered(i) >> 24; })),
      e(n + 1, 55);
  const Buffer<unsigned char> b(made<unsigned char>(n, [](unsigned i) { return scattered(i + 9) >> 24; }));
  const Buffer<short> c(n);
  const Buffer<unsigned short> d(n);
  gpu.launch("small_types", {5}, {64}, 0, a, b, c, d, e, static_cast<int>(n));
  same(c.read(), made<short>(n, [&](unsigned i) { return a.host()[i] * b.host()[i]; }), "c");
  same(d.read(), made<unsigned short>(n, [&](unsigned i) { return a.host()[i] - b.host()[i]; }), "d");
  same(e.read(),
       made<signed char>(n + 1, [&](unsigned i) { return i == n ? 55 : a.host()[i] + b.host()[i]; }), "e");
});
struct Node {
  int value = 0;
  std::uint64_t next = 0;
};
const Register linked_list("linked_list", "linked_list", [](Gpu& gpu) {
  for (const int n : {7, 100}) {
    const Buffer<Node> nodes(n);
    const Buffer<long long> out(7);
    gpu.launch("linked_list_build", {4}, {32}, 0, nodes, n);
    gpu.launch("linked_list_sum", {1}, {7}, 0, nodes, out);
    const auto sum = [&](long long i) {
      long long total = 0;
      for (; i < n; i += 7) total += i * i;
      return total;
    };
    same(out.read(), made<long long>(7, sum), "out");
  }
});
const Register generic_pointer("generic_pointer", "generic_pointer", [](Gpu& gpu) {
  const Buffer<int> in(made<int>(64, small_number)), out(64);
  gpu.launch("generic_pointer", {1}, {64}, 0, in, out);
  const auto expected = [&](int i) {
    return 2 * (i % 3 == 0 ? in.host()[i] : (i % 3 == 1 ? 100 + 63 - i : 1000 + i));
  };
  same(out.read(), made<int>(64, expected), "out");
});
const Register flags("flags", "flags", [](Gpu& gpu) {
  for (const unsigned threads : {1U, 64U}) {
    const Buffer<int> data(threads), flag(1), out(threads);
    gpu.launch("flags", {2}, {threads}, 0, data, flag, out);
    same(out.read(), made<int>(threads, [&](unsigned i) { return 100 + threads - 1 - i; }), "out");
  }
});

}  // namespace
