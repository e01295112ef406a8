// SPDX-License-Identifier: MIT
// Cases of the corpus: atomic functions of all types and scopes.
#include <algorithm>
#include <set>

#include "corpus.hpp"

namespace {
using namespace corpus;
const std::pair<unsigned, unsigned> kShapes[] = {{1, 1}, {1, 33}, {5, 64}, {3, 200}};

const Register atomics_int("atomics_int", "atomics_int", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : kShapes) {
    const Buffer<int> words(std::vector<int>{0, 0, 100, -100, -1, 0, 0, 0, 0});
    gpu.launch("atomics_int", {blocks}, {threads}, 0, words);
    const int n = static_cast<int>(blocks * threads);
    std::vector<int> expected = words.host();
    for (int i = 0; i < n; ++i) {
      expected[0] += i;
      expected[1] -= i;
      expected[2] = std::min(expected[2], 7 - i);
      expected[3] = std::max(expected[3], i - 7);
      expected[4] &= ~(1 << (i % 31));
      expected[5] |= 1 << (i % 31);
      expected[6] ^= i;
      expected[7] = 99;
      expected[8] = 5;
    }
    same(words.read(), expected, "words");
  }
});
const Register atomics_unsigned("atomics_int", "atomics_unsigned", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : kShapes) {
    const Buffer<unsigned> words(std::vector<unsigned>{0, 0, ~0U, 0, 0, 0, 0});
    gpu.launch("atomics_unsigned", {blocks}, {threads}, 0, words);
    std::vector<unsigned> expected = words.host();
    for (unsigned i = 0; i < blocks * threads; ++i) {
      expected[0] += 0x80000001U;
      expected[1] -= i;
      expected[2] = std::min(expected[2], 4000000000U + i);
      expected[3] = std::max(expected[3], 4000000000U + i);
      expected[4] = expected[4] >= 6 ? 0 : expected[4] + 1;
      expected[5] = expected[5] == 0 || expected[5] > 6 ? 6 : expected[5] - 1;
      expected[6] = 1;
    }
    same(words.read(), expected, "words");
  }
});
const Register atomics_long("atomics_long", "atomics_long", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : kShapes) {
    const Buffer<unsigned long long> words(
        std::vector<unsigned long long>{0, ~0ULL, 0, ~0ULL, 0, 0, 0, 0, 5});
    gpu.launch("atomics_long", {blocks}, {threads}, 0, words);
    std::vector<unsigned long long> expected = words.host();
    for (unsigned long long i = 0; i < blocks * threads; ++i) {
      expected[0] += i << 32 | 1;
      expected[1] = std::min(expected[1], ~i);
      expected[2] = std::max(expected[2], i << 40);
      expected[3] &= ~(1ULL << (i % 64));
      expected[4] |= 1ULL << (i % 64);
      expected[5] ^= i << 33;
      expected[6] = 1ULL << 60;
      expected[7] = 1ULL << 50;
      expected[8] = static_cast<unsigned long long>(
          std::min(static_cast<long long>(expected[8]), -static_cast<long long>(i)));
    }
    same(words.read(), expected, "words");
  }
});
const Register atomics_floating("atomics_floating", "atomics_floating", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : kShapes) {
    const Buffer<float> single(1);
    const Buffer<double> twice(1);
    gpu.launch("atomics_floating", {blocks}, {threads}, 0, single, twice);
    // Every partial sum is exact, whatever the order.
    const unsigned n = blocks * threads;
    same(single.read(), {0.25F * static_cast<float>(n * (n - 1) / 2)}, "single");
    same(twice.read(), {0.125 * (n * (n - 1) / 2)}, "twice");
  }
});
const Register atomic_max_by_cas("atomics_floating", "atomic_max_by_cas", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : kShapes) {
    const Buffer<float> in(made<float>(blocks * threads, [](unsigned i) { return real_number(i, -5, 900); })),
        most(1, -10.0F);
    gpu.launch("atomic_max_by_cas", {blocks}, {threads}, 0, in, most, static_cast<int>(blocks * threads));
    same(most.read(), {*std::max_element(in.host().begin(), in.host().end())}, "most");
  }
});
const Register atomics_scopes("atomics_scopes", "atomics_scopes", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : kShapes) {
    const Buffer<int> out(blocks + 1);
    const Buffer<unsigned long long> wide(1, 1ULL << 40);
    gpu.launch("atomics_scopes", {blocks}, {threads}, 0, out, wide);
    std::vector<int> expected(blocks, static_cast<int>(2 * threads));
    expected.push_back(static_cast<int>(blocks * threads));
    same(out.read(), expected, "out");
    same(wide.read(), {(1ULL << 40) + 3ULL * blocks * threads}, "wide");
  }
});
const Register ticket("ticket", "ticket", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : kShapes) {
    const Buffer<int> next(1), taken(blocks * threads, -1);
    gpu.launch("ticket", {blocks}, {threads}, 0, next, taken);
    std::vector<int> all = taken.read();
    std::sort(all.begin(), all.end());
    same(all, made<int>(blocks * threads, [](unsigned i) { return i; }), "taken, sorted");
  }
});

}  // namespace
