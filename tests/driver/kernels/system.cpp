// SPDX-License-Identifier: MIT
// Cases of the corpus: what kernels need from the driver (printf, assert, heap, clocks), and faults that it
// has to report.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "corpus.hpp"

namespace {
using namespace corpus;

// What the kernels print, from the standard output into a file and back.
std::string printed(const std::function<void()>& run) {
  char name[] = "/tmp/kernel_corpus_XXXXXX";
  const int file = mkstemp(name);
  std::fflush(stdout);
  const int kept = dup(1);
  dup2(file, 1);
  try {
    run();
  } catch (...) {
    dup2(kept, 1);
    throw;
  }
  std::fflush(stdout);
  dup2(kept, 1);
  close(kept);
  close(file);
  std::ifstream in(name);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  unlink(name);
  return text;
}
const Register print("print", "print", [](Gpu& gpu) {
  const std::string text = printed([&] { gpu.launch("print", {1}, {32}, 0, -42, 3.14159, CUdeviceptr{0}); });
  const std::string first = "-42| 3.14|word|z|ff|1234567890123|%|7   |\n", second = "no arguments\n";
  if (text != first + second && text != second + first) wrong("printed: " + text);
});
const Register check_holds("check", "assert_that_holds", [](Gpu& gpu) {
  const Buffer<int> out(40);
  gpu.launch("check", {1}, {40}, 0, out, 40);
  same(out.read(), std::vector<int>(40, 1), "out");
});
const Register check_fails(
    "check", "assert_that_fails",
    [](Gpu& gpu) {
      const Buffer<int> out(40);
      gpu.launch("check", {1}, {40}, 0, out, 39);
    },
    CUDA_ERROR_ASSERT);
const Register trap(
    "trap", "trap",
    [](Gpu& gpu) {
      gpu.launch("trap", {1}, {32}, 0, 99);
      gpu.launch("trap", {1}, {32}, 0, 3);
    },
    CUDA_ERROR_LAUNCH_FAILED);
const Register store_to_null(
    "wild_store", "store_to_null", [](Gpu& gpu) { gpu.launch("wild_store", {1}, {1}, 0, CUdeviceptr{0}); },
    CUDA_ERROR_ILLEGAL_ADDRESS);
const Register store_to_nowhere(
    "wild_store", "store_to_nowhere",
    [](Gpu& gpu) { gpu.launch("wild_store", {1}, {1}, 0, CUdeviceptr{0x123456789000}); },
    CUDA_ERROR_ILLEGAL_ADDRESS);
const Register store_askew(
    "wild_store", "store_askew",
    [](Gpu& gpu) {
      const Buffer<int> word(2);
      gpu.launch("wild_store", {1}, {1}, 0, word.address() + 1);
    },
    CUDA_ERROR_MISALIGNED_ADDRESS);
const Register heap("heap", "heap", [](Gpu& gpu) {
  for (const auto& [blocks, threads] : {std::pair{1U, 1U}, {3U, 64U}}) {
    const Buffer<int> out(blocks * threads);
    gpu.launch("heap", {blocks}, {threads}, 0, out);
    const auto expected = [n = threads](unsigned i) { return i / n * 1000 + n - 1; };
    same(out.read(), made<int>(blocks * threads, expected), "out");
  }
});
const Register clocks("clocks", "clocks", [](Gpu& gpu) {
  const Buffer<int> out(32);
  gpu.launch("clocks", {1}, {32}, 0, out);
  same(out.read(), std::vector<int>(32, 1), "out");
});

}  // namespace
