// SPDX-License-Identifier: MIT
// Cases of the corpus: shuffles, votes, matches and reductions of a warp; cooperative groups.
#include <algorithm>
#include <bit>
#include <numeric>

#include "corpus.hpp"

namespace {
using namespace corpus;
using Ints = std::vector<int>;

const Register shuffle("shuffle", "shuffle", [](Gpu& gpu) {
  for (const unsigned blocks : {1U, 3U}) {
    const Buffer<int> out(blocks * 32 * 7);
    gpu.launch("shuffle", {blocks}, {32}, 0, out);
    Ints expected;
    for (unsigned b = 0; b < blocks; ++b) {
      const auto row = [&](auto source) {
        for (int lane = 0; lane < 32; ++lane) expected.push_back(100 + source(lane));
      };
      row([](int l) { return (l + 5) % 32; });
      row([](int l) { return l >= 3 ? l - 3 : l; });
      row([](int l) { return l + 4 < 32 ? l + 4 : l; });
      row([](int l) { return l ^ 9; });
      row([](int l) { return l / 8 * 8 + 2; });
      row([](int l) { return l % 4 >= 1 ? l - 1 : l; });
      row([](int l) { return l % 16 + 2 < 16 ? l + 2 : l; });
    }
    same(out.read(), expected, "out");
  }
});
const Register shuffle_wide("shuffle", "shuffle_wide", [](Gpu& gpu) {
  const Buffer<double> a(64);
  const Buffer<long long> b(64);
  gpu.launch("shuffle_wide", {1}, {64}, 0, a, b);
  same(a.read(), made<double>(64, [](unsigned i) { return 0.5 + (i ^ 1U); }), "a");
  same(b.read(), made<long long>(64, [](unsigned i) { return 10000000000LL * (i % 32 < 30 ? i + 2 : i); }),
       "b");
});
const Register shuffle_scan("shuffle", "shuffle_scan", [](Gpu& gpu) {
  for (const unsigned n : {32U, 96U}) {
    const Buffer<int> in(made<int>(n, small_number)), out(n);
    gpu.launch("shuffle_scan", {1}, {n}, 0, in, out);
    Ints expected(n);
    for (unsigned i = 0; i < n; ++i) expected[i] = in.host()[i] + (i % 32 != 0 ? expected[i - 1] : 0);
    same(out.read(), expected, "out");
  }
});
const Register warp_synchronous("warp_synchronous", "warp_synchronous", [](Gpu& gpu) {
  for (const unsigned n : {64U, 128U, 256U}) {
    const Buffer<int> in(made<int>(2 * n, small_number)), out(2);
    gpu.launch("warp_synchronous", {2}, {n}, 0, in, out);
    const auto sum = [&](unsigned block) {
      const auto begin = in.host().begin() + block * n;
      return std::accumulate(begin, begin + n, 0);
    };
    same(out.read(), {sum(0), sum(1)}, "out");
  }
});
const Register warp_synchronous_in_branches("warp_synchronous", "warp_synchronous_in_branches", [](Gpu& gpu) {
  const Buffer<int> in(made<int>(32, small_number)), out(32);
  gpu.launch("warp_synchronous_in_branches", {1}, {32}, 0, in, out);
  Ints values = in.host();
  for (unsigned i = 1; i < 32; i += 2) values[i] = values[i] * 10 + 1;
  std::rotate(values.begin(), values.begin() + 1, values.end());
  for (const unsigned half : {16U, 8U})
    for (unsigned i = 0; i < half; ++i) values[i] += values[i + half];
  same(out.read(), values, "out");
});
const Register warp_synchronous_flag("warp_synchronous", "warp_synchronous_flag", [](Gpu& gpu) {
  const Buffer<int> out(1);
  gpu.launch("warp_synchronous_flag", {1}, {32}, 0, out);
  same(out.read(), {42}, "out");
});

// The warp's threads for which something holds, as bits.
template <class F>
unsigned lanes_where(F f) {
  unsigned bits = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (f(lane)) bits |= 1U << lane;
  return bits;
}
const Register vote("vote", "vote", [](Gpu& gpu) {
  for (const int offset : {0, 1, 60}) {
    const Buffer<int> in(made<int>(32, [&](unsigned i) { return small_number(i) % 40 + offset; })), out(96);
    gpu.launch("vote", {1}, {32}, 0, in, out);
    const Ints& v = in.host();
    const int all = std::all_of(v.begin(), v.end(), [](int x) { return x > 0; }) ? 1 : 0;
    const int any = std::any_of(v.begin(), v.end(), [](int x) { return x > 90; }) ? 1 : 0;
    const int ballot = static_cast<int>(lanes_where([&](unsigned l) { return v[l] % 2 != 0; }));
    Ints expected;
    for (int i = 0; i < 32; ++i) expected.insert(expected.end(), {all, any, ballot});
    same(out.read(), expected, "out");
  }
});
const Register pack_passing("vote", "pack_passing", [](Gpu& gpu) {
  const Buffer<int> in(made<int>(32, small_number)), out(32, -1), count(1);
  gpu.launch("pack_passing", {1}, {32}, 0, in, out, count);
  Ints expected;
  std::copy_if(in.host().begin(), in.host().end(), std::back_inserter(expected),
               [](int x) { return x % 3 == 0; });
  same(count.read(), {static_cast<int>(expected.size())}, "count");
  expected.resize(32, -1);
  same(out.read(), expected, "out");
});
const Register match("match", "match", [](Gpu& gpu) {
  for (const int step : {0, 1, 400}) {
    const Buffer<int> in(
        made<int>(32, [&](unsigned i) { return small_number(i) % 5 + (i > 20 ? step : 0) * 3; })),
        same_all(32);
    const Buffer<unsigned> any(32), all(32);
    gpu.launch("match", {1}, {32}, 0, in, any, all, same_all);
    const Ints& v = in.host();
    same(
        any.read(),
        made<unsigned>(32, [&](unsigned i) { return lanes_where([&](unsigned l) { return v[l] == v[i]; }); }),
        "any");
    const bool equal = lanes_where([&](unsigned l) { return v[l] / 1000 == v[0] / 1000; }) == ~0U;
    same(all.read(), std::vector<unsigned>(32, equal ? ~0U : 0U), "all");
    same(same_all.read(), Ints(32, equal ? 1 : 0), "same");
  }
});
const Register match_wide("match", "match_wide", [](Gpu& gpu) {
  const Buffer<long long> in(
      made<long long>(32, [](unsigned i) { return 7 + (static_cast<long long>(i % 3) << 40); }));
  const Buffer<unsigned> any(32);
  gpu.launch("match_wide", {1}, {32}, 0, in, any);
  same(any.read(),
       made<unsigned>(32, [](unsigned i) { return lanes_where([=](unsigned l) { return l % 3 == i % 3; }); }),
       "any");
});
const Register warp_reduce("warp_reduce", "warp_reduce", [](Gpu& gpu) {
  const Buffer<int> in(made<int>(32, [](unsigned i) { return static_cast<int>(scattered(i)) >> 3; })),
      out(32 * 9);
  gpu.launch("warp_reduce", {1}, {32}, 0, in, out);
  const Ints& v = in.host();
  const std::vector<unsigned> u(v.begin(), v.end());
  const auto fold = [&](auto f) { return std::accumulate(u.begin() + 1, u.end(), u[0], f); };
  const unsigned sum = fold([](unsigned a, unsigned b) { return a + b; });
  const Ints row = {static_cast<int>(sum),
                    *std::min_element(v.begin(), v.end()),
                    *std::max_element(v.begin(), v.end()),
                    static_cast<int>(fold([](unsigned a, unsigned b) { return a & b; })),
                    static_cast<int>(fold([](unsigned a, unsigned b) { return a | b; })),
                    static_cast<int>(fold([](unsigned a, unsigned b) { return a ^ b; })),
                    static_cast<int>(sum),
                    static_cast<int>(*std::min_element(u.begin(), u.end())),
                    static_cast<int>(*std::max_element(u.begin(), u.end()))};
  Ints expected;
  for (int i = 0; i < 32; ++i) expected.insert(expected.end(), row.begin(), row.end());
  same(out.read(), expected, "out");
});
const Register partial_warp("partial_warp", "partial_warp", [](Gpu& gpu) {
  const Buffer<int> out(32);
  gpu.launch("partial_warp", {1}, {32}, 0, out);
  const int ballot = static_cast<int>(0xaaaa0000U) + 31;
  same(out.read(), made<int>(32, [&](int i) { return i % 2 == 1 ? ballot : -(i ^ 2); }), "out");
});
const Register active_mask("active_mask", "active_mask", [](Gpu& gpu) {
  for (const unsigned threads : {32U, 40U, 95U}) {
    const Buffer<unsigned> out((threads + 31) / 32);
    gpu.launch("active_mask", {1}, {threads}, 0, out);
    const auto full = [&](unsigned warp) {
      return threads >= 32 * (warp + 1) ? ~0U : (1U << (threads % 32)) - 1;
    };
    same(out.read(), made<unsigned>(out.host().size(), full), "out");
  }
});

const Register group_tiles("groups", "group_tiles", [](Gpu& gpu) {
  for (const Shape block : {Shape{32}, Shape{16, 4}, Shape{8, 2, 6}}) {
    const unsigned n = block.size();
    const Buffer<int> in(made<int>(n, small_number)), out(3 * n);
    gpu.launch("group_tiles", {1}, block, 0, in, out);
    Ints expected;
    for (unsigned i = 0; i < n; ++i) {
      const auto first = in.host().begin() + i / 8 * 8;
      expected.push_back(std::accumulate(first, first + 8, 0));
      expected.push_back(*std::max_element(first, first + 8));
      expected.push_back(static_cast<int>(0x55 * 100 + i / 8));
    }
    same(out.read(), expected, "out");
  }
});
const Register group_coalesced("groups", "group_coalesced", [](Gpu& gpu) {
  const Buffer<int> in(made<int>(128, small_number)), out(128, -1), counter(1);
  gpu.launch("group_coalesced", {1}, {128}, 0, in, out, counter);
  Ints got = out.read(), expected;
  std::copy_if(in.host().begin(), in.host().end(), std::back_inserter(expected),
               [](int x) { return x % 3 == 0; });
  same(counter.read(), {static_cast<int>(expected.size())}, "counter");
  got.resize(expected.size());
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  same(got, expected, "out, sorted");
});
const Register group_of_any_kind("groups", "group_of_any_kind", [](Gpu& gpu) {
  for (const unsigned n : {32U, 128U}) {
    const Buffer<int> in(made<int>(n, small_number)), out(1 + n / 16);
    gpu.launch("group_of_any_kind", {1}, {n}, 0, in, out);
    Ints expected = {std::accumulate(in.host().begin(), in.host().end(), 0)};
    for (auto first = in.host().begin(); first != in.host().end(); first += 16)
      expected.push_back(std::accumulate(first, first + 16, 0));
    same(out.read(), expected, "out");
  }
});
const Register grid_sync("grid_sync", "grid_sync", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : {std::pair{1U, 32U}, {4U, 16U}, {8U, 64U}}) {
    const int n = static_cast<int>(blocks * threads), rounds = 3;
    const Buffer<int> a(made<int>(n, small_number)), b(n);
    gpu.launch_together("grid_sync", {blocks}, {threads}, a, b, rounds);
    const auto expected = [&](int i) { return a.host()[(i + 2 * rounds) % n] + 2 * rounds; };
    same(a.read(), made<int>(n, expected), "a");
  }
});
const Register cluster_histogram("cluster", "cluster_histogram", InClusters(), [](Gpu& gpu) {
  for (const auto& [cluster, threads] : {std::pair{1U, 32U}, {2U, 64U}, {8U, 40U}}) {
    const unsigned count = 3000, bins = 8 * cluster, clusters = 3;
    const Buffer<unsigned> values(made<unsigned>(count, scattered)), out(bins);
    gpu.launch_in_clusters("cluster_histogram", clusters * cluster, threads, cluster, values, count, out);
    std::vector<unsigned> expected(bins);
    for (const unsigned value : values.host()) expected[value % bins] += clusters;
    same(out.read(), expected, "bins");
  }
});
std::vector<unsigned> after_a_round(unsigned blocks, unsigned cluster) {
  return made<unsigned>(blocks, [cluster](std::uint32_t block) {
    const unsigned first = block / cluster * cluster;
    return (cluster * first + cluster * (cluster - 1) / 2) * 100 + 7;
  });
}
const Register cluster_round("cluster", "cluster_round", InClusters(), [](Gpu& gpu) {
  for (const unsigned cluster : {1U, 3U, 8U}) {
    const Buffer<unsigned> out(2 * cluster);
    gpu.launch_in_clusters("cluster_round", 2 * cluster, 64, cluster, out);
    same(out.read(), after_a_round(2 * cluster, cluster), "out");
  }
});
const Register cluster_of_the_code("cluster", "cluster_of_the_code", InClusters(), [](Gpu& gpu) {
  const char* const twice = "_Z14round_of_twiceILi2EEvPj";
  for (const auto& [kernel, cluster] : {std::pair{"cluster_round_of_2", 2U}, {twice, 4U}}) {
    const Buffer<unsigned> out(8), again(8);
    gpu.launch(kernel, {8}, {64}, 0, out);
    same(out.read(), after_a_round(8, cluster), "out");
    gpu.launch_in_clusters(kernel, 8, 64, cluster, again);
    same(again.read(), after_a_round(8, cluster), "again");
  }
});
const Register textbook_mixed("textbook", "textbook_mixed", [](Gpu& gpu) {
  const Buffer<unsigned> out(64 * 4);
  gpu.launch("textbook_mixed", {1}, {64}, 0, out);
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < 64; ++i)
    expected.insert(expected.end(), {2 * (i ^ 1U), i > 31 ? 32U : 0U, i >> 1 & 7, (i & 15) << 8});
  same(out.read(), expected, "out");
});

}  // namespace
