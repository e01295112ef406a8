// SPDX-License-Identifier: MIT
// Cases of the corpus: the language C++: calls by pointer, virtual functions, recursion, templates, lambdas,
// control flow.
#include <algorithm>
#include <cmath>

#include "corpus.hpp"

namespace {
using namespace corpus;

const Register function_pointers("function_pointers", "function_pointers", [](Gpu& gpu) {
  for (const unsigned n : {5U, 100U}) {
    const Buffer<int> out(n);
    gpu.launch("function_pointers", {4}, {32}, 0, out, static_cast<int>(n));
    const auto expected = [](int i) {
      const int f = i % 3 == 0 ? i + 1 : (i % 3 == 1 ? 2 * i : i * i);
      return i % 2 == 0 ? f * f : f + 1;
    };
    same(out.read(), made<int>(n, expected), "out");
  }
});
const Register virtual_functions("virtual_functions", "virtual_functions", [](Gpu& gpu) {
  const Buffer<float> out(50);
  gpu.launch("virtual_functions", {2}, {32}, 0, out, 50);
  same(out.read(), made<float>(50, [](unsigned i) { return i % 2 == 0 ? 10 * i * i + 4 : 20 * i + 3; }),
       "out");
});
const Register recursion("recursion", "recursion", [](Gpu& gpu) {
  const Buffer<int> out(96);
  gpu.launch("recursion", {1}, {32}, 0, out);
  const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i)
    expected.insert(expected.end(), {fibonacci[i % 12], i % 2 == 0 ? 1 : 0, 2 * (i % 4) + 3});
  same(out.read(), expected, "out");
});
const Register templates("templates", "templates", [](Gpu& gpu) {
  const Buffer<int> in(made<int>(36, small_number)), out(32);
  const Buffer<double> real(made<double>(34, [](unsigned i) { return real_number(i, -9, 9); })), out_real(32);
  gpu.launch("templates", {1}, {32}, 0, in, real, out, out_real);
  const auto whole = [&](int i) {
    return *std::max_element(&in.host()[i], &in.host()[i] + 5) + 1 + i + 2 + 'a';
  };
  same(out.read(), made<int>(32, whole), "out");
  same(out_real.read(),
       made<double>(32, [&](int i) { return *std::max_element(&real.host()[i], &real.host()[i] + 3); }),
       "out_real");
});
const Register lambdas("lambdas", "lambdas", [](Gpu& gpu) {
  for (const int factor : {1, -50}) {
    const Buffer<int> out(64);
    gpu.launch("lambdas", {1}, {64}, 0, out, factor);
    same(out.read(), made<int>(64, [&](int i) { return 6 * factor + 3 * i + 3000; }), "out");
  }
});
const Register mandelbrot("operators", "mandelbrot", [](Gpu& gpu) {
  const int width = 24, height = 17;
  const Buffer<int> out(static_cast<std::size_t>(width) * height), leaving(1);
  gpu.launch("mandelbrot", {4, 3}, {8, 8}, 0, out, width, height, leaving);
  same(leaving.read(), {4 * 3 * 64}, "destructors");
  const std::vector<int> got = out.read();
  int different = 0;
  for (int i = 0; i < width * height; ++i) {
    const float re = -2 + 0.125F * static_cast<float>(i % width),
                im = -1 + 0.125F * static_cast<float>(i / width);
    float x = 0, y = 0;
    int steps = 0;
    for (; steps < 50 && x * x + y * y < 4; ++steps) {
      const float next = x * x - y * y + re;
      y = 2 * x * y + im;
      x = next;
    }
    if (steps != got[i]) ++different;
  }
  // Fusing may change when an orbit at the edge leaves, but must not change the picture.
  if (different > width * height / 50) wrong(std::to_string(different) + " points differ");
});
int rounds_of(int value) {
  int steps = 0;
  for (; value > 1 && steps < 60; ++steps) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  return steps;
}
int switched(int value) {
  const int results[] = {5,         value * 3, value - 4, value, value ^ 0x55, -value, value / 3,
                         value % 7, value * 4, ~value,    1};
  return results[value % 11];
}
const Register control_flow("control_flow", "control_flow", [](Gpu& gpu) {
  for (const unsigned n : {20U, 400U}) {
    const Buffer<int> in(made<int>(n, [](unsigned i) { return scattered(i) % 5000; })), out(n);
    gpu.launch("control_flow", {(n + 63) / 64}, {64}, 0, in, out, static_cast<int>(n));
    const auto expected = [&](unsigned i) {
      const int value = in.host()[i], half = value % 20 / 2;
      return (switched(value) + half * (half + 1)) * 100 + rounds_of(value);
    };
    same(out.read(), made<int>(n, expected), "out");
  }
});

}  // namespace
