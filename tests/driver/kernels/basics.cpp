// SPDX-License-Identifier: MIT
// Cases of the corpus: indices, arrays, shared memory, barriers, reductions, scans, sorting.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "corpus.hpp"

namespace {
using namespace corpus;
using Ints = std::vector<int>;
using Floats = std::vector<float>;

const std::pair<Shape, Shape> kLines[] = {{{1}, {1}},  {{1}, {32}},  {{3}, {37}},
                                          {{7}, {64}}, {{4}, {256}}, {{2}, {1024}}};
Floats floats(std::size_t n, unsigned seed) {
  return made<float>(n, [=](unsigned i) { return real_number(i + seed, -10, 10); });
}
Ints ints(std::size_t n, unsigned seed = 0) {
  return made<int>(n, [=](unsigned i) { return small_number(i + seed); });
}

void add_arrays(Gpu& gpu, const char* kernel) {
  for (const auto& [grid, block] : kLines) {
    const std::size_t n = std::max(1U, grid.x * block.x - block.x / 3);
    const Buffer<float> a(floats(n, 1)), b(floats(n, 5000)), c(n + 4, -1.0F);
    gpu.launch(kernel, grid, block, 0, a, b, c, static_cast<int>(n));
    Floats expected(n + 4, -1.0F);
    for (std::size_t i = 0; i < n; ++i) expected[i] = a.host()[i] + b.host()[i];
    same(c.read(), expected, "c");
  }
}
const Register vector_add("vector_add", "vector_add", [](Gpu& gpu) { add_arrays(gpu, "vector_add"); });
const Register textbook_add("textbook", "textbook_add", [](Gpu& gpu) { add_arrays(gpu, "textbook_add"); });

const Register saxpy("saxpy", "saxpy", [](Gpu& gpu) {
  for (const auto& [grid, block] : kLines) {
    const std::size_t n = grid.x * block.x;
    const Buffer<float> x(floats(n, 1)), y(floats(n, 77));
    gpu.launch("saxpy", grid, block, 0, 2.5F, x, y, static_cast<int>(n));
    const Floats got = y.read();
    for (std::size_t i = 0; i < n; ++i)
      // Fused or not is the compiler's choice.
      if (got[i] != std::fma(2.5F, x.host()[i], y.host()[i]) && got[i] != 2.5F * x.host()[i] + y.host()[i])
        wrong("y[" + std::to_string(i) + "] is " + shown(got[i]));
  }
});

const Register grid_stride("grid_stride", "grid_stride", [](Gpu& gpu) {
  for (const auto& [grid, block] : kLines) {
    const std::size_t n = 5000;
    const Buffer<int> in(ints(n)), out(n);
    gpu.launch("grid_stride", grid, block, 0, in, out, static_cast<int>(n));
    Ints expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = 3 * in.host()[i] + 1;
    same(out.read(), expected, "out");
  }
});

const Register index_2d("index_2d", "index_2d", [](Gpu& gpu) {
  for (const auto& [grid, block] :
       {std::pair{Shape{3, 5}, Shape{8, 4}}, {{2, 2}, {16, 16}}, {{10, 1}, {3, 7}}}) {
    const int width = static_cast<int>(grid.x * block.x) - 2, height = static_cast<int>(grid.y * block.y) - 1;
    const Buffer<int> out(static_cast<std::size_t>(width) * height);
    gpu.launch("index_2d", grid, block, 0, out, width, height);
    same(out.read(), made<int>(out.host().size(), [&](int i) { return 1000 * (i % width) + i / width; }),
         "out");
  }
});

const Register index_3d("index_3d", "index_3d", [](Gpu& gpu) {
  for (const auto& shapes :
       {std::pair{Shape{2, 3, 4}, Shape{4, 2, 3}}, {{1, 1, 6}, {5, 5, 5}}, {{3, 2, 1}, {1, 4, 2}}}) {
    const Shape grid = shapes.first, block = shapes.second;
    const Buffer<unsigned> out(grid.size() * block.size());
    gpu.launch("index_3d", grid, block, 0, out);
    const auto coded = [](unsigned i, const Shape& s) {
      return ((i % s.x) * 7 + i / s.x % s.y) * 7 + i / s.x / s.y;
    };
    const auto expected = [&](unsigned i) {
      return coded(i % block.size(), block) * 1000 + coded(i / block.size(), grid);
    };
    same(out.read(), made<unsigned>(out.host().size(), expected), "out");
  }
});

const Register lane_registers("lane_registers", "lane_registers", [](Gpu& gpu) {
  for (const auto& [grid, block] : kLines) {
    const Buffer<unsigned> lanes(grid.x * block.x), masks(grid.x * block.x);
    gpu.launch("lane_registers", grid, block, 0, lanes, masks);
    const auto lane = [width = block.x](unsigned i) { return i % width % 32; };
    same(lanes.read(), made<unsigned>(lanes.host().size(), lane), "lanes");
    same(masks.read(), made<unsigned>(lanes.host().size(), [&](unsigned i) { return (1U << lane(i)) - 1; }),
         "masks");
  }
});

void transpose(Gpu& gpu, const char* kernel) {
  for (const auto& [width, height] : {std::pair{16, 16}, {50, 33}, {7, 90}}) {
    const Buffer<float> in(floats(static_cast<std::size_t>(width) * height, 3)), out(in.host().size());
    gpu.launch(kernel, {(width + 15U) / 16, (height + 15U) / 16}, {16, 16}, 0, in, out, width, height);
    Floats expected(in.host().size());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) expected[x * height + y] = in.host()[y * width + x];
    same(out.read(), expected, "out");
  }
}
const Register transpose_naive("transpose", "transpose_naive",
                               [](Gpu& gpu) { transpose(gpu, "transpose_naive"); });
const Register transpose_tiled("transpose", "transpose_tiled",
                               [](Gpu& gpu) { transpose(gpu, "transpose_tiled"); });

void matmul(Gpu& gpu, const char* kernel) {
  for (const int n : {8, 20, 32}) {
    // Small whole numbers: every order of summing is exact.
    const auto whole = [](unsigned i) { return small_number(i) - 50; };
    const Buffer<float> a(made<float>(n * n, whole)),
        b(made<float>(n * n, [&](unsigned i) { return whole(i + 999); })), c(n * n);
    gpu.launch(kernel, {(n + 7U) / 8, (n + 7U) / 8}, {8, 8}, 0, a, b, c, n);
    Floats expected(static_cast<std::size_t>(n) * n);
    for (int i = 0; i < n * n; ++i)
      for (int k = 0; k < n; ++k) expected[i] += a.host()[i / n * n + k] * b.host()[k * n + i % n];
    same(c.read(), expected, "c");
  }
}
const Register matmul_naive("matmul", "matmul_naive", [](Gpu& gpu) { matmul(gpu, "matmul_naive"); });
const Register matmul_tiled("matmul", "matmul_tiled", [](Gpu& gpu) { matmul(gpu, "matmul_tiled"); });

const Register stencil("stencil", "stencil", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : {std::pair{1U, 8U}, {5U, 64U}, {3U, 256U}}) {
    const int n = static_cast<int>(blocks * threads) - 5;
    const Buffer<int> in(ints(n)), out(n);
    gpu.launch("stencil", {blocks}, {threads}, 0, in, out, n);
    const auto sum = [&](int i) {
      return std::accumulate(in.host().begin() + std::max(0, i - 3), in.host().begin() + std::min(n, i + 4),
                             0);
    };
    same(out.read(), made<int>(n, sum), "out");
  }
});

void reduce(Gpu& gpu, const char* kernel) {
  for (const auto& [blocks, threads] : {std::pair{1U, 32U}, {3U, 64U}, {4U, 256U}, {2U, 512U}}) {
    const int n = static_cast<int>(blocks * threads) - 7;
    const Buffer<int> in(ints(n, threads)), out(1);
    gpu.launch(kernel, {blocks}, {threads}, threads * 4, in, out, n);
    same(out.read(), {std::accumulate(in.host().begin(), in.host().end(), 0)}, kernel);
  }
}
const Register reduce_atomic("reduce", "reduce_atomic", [](Gpu& gpu) { reduce(gpu, "reduce_atomic"); });
const Register reduce_interleaved("reduce", "reduce_interleaved",
                                  [](Gpu& gpu) { reduce(gpu, "reduce_interleaved"); });
const Register reduce_sequential("reduce", "reduce_sequential",
                                 [](Gpu& gpu) { reduce(gpu, "reduce_sequential"); });
const Register reduce_shuffle("reduce", "reduce_shuffle", [](Gpu& gpu) { reduce(gpu, "reduce_shuffle"); });
const Register reduce_last_block("reduce", "reduce_last_block", [](Gpu& gpu) {
  for (const unsigned blocks : {1U, 2U, 13U}) {
    const int n = static_cast<int>(blocks * 32) - 3;
    const Buffer<int> in(ints(n)), partial(blocks), out(1);
    const Buffer<unsigned> arrived(1);
    gpu.launch("reduce_last_block", {blocks}, {32}, 0, in, partial, arrived, out, n);
    same(out.read(), {std::accumulate(in.host().begin(), in.host().end(), 0)}, "out");
    same(arrived.read(), {0U}, "arrived");
  }
});

const Register scan_steps("scan", "scan_steps", [](Gpu& gpu) {
  for (const unsigned n : {1U, 31U, 100U, 256U}) {
    const Buffer<int> in(ints(n)), out(n);
    gpu.launch("scan_steps", {1}, {n}, 0, in, out);
    Ints expected(n);
    std::partial_sum(in.host().begin(), in.host().end(), expected.begin());
    same(out.read(), expected, "out");
  }
});
const Register scan_tree("scan", "scan_tree", [](Gpu& gpu) {
  for (const unsigned n : {2U, 64U, 512U}) {
    const Buffer<int> in(ints(n)), out(n);
    gpu.launch("scan_tree", {1}, {n / 2}, n * 4, in, out);
    Ints expected(n);
    std::exclusive_scan(in.host().begin(), in.host().end(), expected.begin(), 0);
    same(out.read(), expected, "out");
  }
});

void histogram(Gpu& gpu, const char* kernel) {
  for (const auto& [grid, block] : kLines) {
    const int n = 3000;
    const Buffer<unsigned char> data(made<unsigned char>(n, [](unsigned i) { return scattered(i) >> 24; }));
    const Buffer<unsigned> counts(256);
    gpu.launch(kernel, grid, block, 0, data, counts, n);
    std::vector<unsigned> expected(256);
    for (const unsigned char value : data.host()) ++expected[value];
    same(counts.read(), expected, "counts");
  }
}
const Register histogram_global("histogram", "histogram_global",
                                [](Gpu& gpu) { histogram(gpu, "histogram_global"); });
const Register histogram_shared("histogram", "histogram_shared",
                                [](Gpu& gpu) { histogram(gpu, "histogram_shared"); });

const Register bitonic_sort("bitonic_sort", "bitonic_sort", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : {std::pair{1U, 2U}, {3U, 64U}, {1U, 256U}}) {
    const Buffer<int> data(made<int>(blocks * threads, [](unsigned i) { return scattered(i); }));
    gpu.launch("bitonic_sort", {blocks}, {threads}, threads * 4, data);
    Ints expected = data.host();
    for (unsigned b = 0; b < blocks; ++b)
      std::sort(expected.begin() + b * threads, expected.begin() + (b + 1) * threads);
    same(data.read(), expected, "data");
  }
});

const Register barrier_after_divergence("barrier_after_divergence", "barrier_after_divergence", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : {std::pair{1U, 5U}, {2U, 64U}, {3U, 128U}}) {
    const Buffer<int> out(blocks * threads);
    gpu.launch("barrier_after_divergence", {blocks}, {threads}, 0, out);
    const auto value = [](int t) {
      if (t % 3 == 0) return t + t * (t - 1) / 2;
      if (t % 3 == 1) return -t;
      while (t > 3) t /= 2;
      return t;
    };
    const auto expected = [&, n = threads](unsigned i) {
      return value(static_cast<int>(n - 1 - i % n)) + static_cast<int>(i / n);
    };
    same(out.read(), made<int>(blocks * threads, expected), "out");
  }
});
const Register barrier_between_rounds("barrier_between_rounds", "barrier_between_rounds", [](Gpu& gpu) {
  for (const auto& [threads, rounds] : {std::pair{3U, 1}, {64U, 10}, {100U, 130}}) {
    const Buffer<int> out(2 * threads);
    gpu.launch("barrier_between_rounds", {2}, {threads}, threads * 4, out, rounds);
    same(out.read(),
         made<int>(2 * threads, [&, n = threads, r = rounds](unsigned i) { return (i % n + r) % n + r; }),
         "out");
  }
});
const Register barrier_in_a_branch("barrier_in_a_branch", "barrier_in_a_branch", [](Gpu& gpu) {
  for (const unsigned threads : {64U, 128U, 200U}) {
    const Buffer<int> out(threads);
    gpu.launch("barrier_in_a_branch", {1}, {threads}, 0, out);
    same(out.read(), made<int>(threads, [](int i) { return i < 64 ? (63 - i) * (63 - i) : -1; }), "out");
  }
});
const Register barrier_votes("barrier_votes", "barrier_votes", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : {std::pair{1U, 7U}, {4U, 64U}, {2U, 300U}}) {
    const Buffer<int> in(ints(blocks * threads, 40)), out(3 * blocks * threads);
    gpu.launch("barrier_votes", {blocks}, {threads}, 0, in, out);
    Ints expected;
    for (unsigned i = 0; i < blocks * threads; ++i) {
      const auto first = in.host().begin() + i / threads * threads, last = first + threads;
      expected.push_back(static_cast<int>(std::count_if(first, last, [](int v) { return v > 50; })));
      expected.push_back(1);
      expected.push_back(std::count(first, last, 77) > 0 ? 1 : 0);
    }
    same(out.read(), expected, "out");
  }
});

}  // namespace
