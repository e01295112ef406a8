// SPDX-License-Identifier: MIT
// Random PTX arithmetic, run through the driver API; every single result is compared with the manual.
//
// It needs only cuda.h and a libcuda.so.1, the embedded one or NVIDIA's, and does not depend on how either
// runs kernels.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "found.hpp"
#include "kernel.hpp"

namespace ptx_random {
namespace {

constexpr unsigned kBlock = 64, kGrid = 8;
constexpr std::size_t kThreads = std::size_t{kBlock} * kGrid;
constexpr std::size_t kSteps = 64;

struct Options {
  u64 seed = 1;
  u64 instructions = 1'000'000;
  std::string only;    // operations whose text has this in it
  int target = 90;     // of what is printed
  bool print = false;  // the kernels, and run none
};

[[noreturn]] void usage() {
  std::fputs(
      "usage: ptx_random [--seed N] [--instructions N] [--only TEXT] [--print [--target 89]]\n"
      "Runs random arithmetic on the first device until so many instructions were judged, each operation at "
      "least\n"
      "once. --only takes the operations with TEXT in them; --print writes the kernels and runs none.\n",
      stderr);
  std::exit(2);
}

Options options_of(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--print") {
      options.print = true;
      continue;
    }
    if (i + 1 == count) usage();
    const char* value = words[++i];
    if (word == "--seed")
      options.seed = std::strtoull(value, nullptr, 0);
    else if (word == "--instructions")
      options.instructions = std::strtoull(value, nullptr, 0);
    else if (word == "--target")
      options.target = std::atoi(value);
    else if (word == "--only")
      options.only = value;
    else
      usage();
  }
  return options;
}

[[noreturn]] void die(const char* what, CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what, name != nullptr ? name : "unknown");
  std::exit(1);
}

void need(CUresult result, const char* what) {
  if (result != CUDA_SUCCESS) die(what, result);
}

CUmodule load(const std::string& text, std::string& log) {
  std::vector<char> words(8192);
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {words.data(), reinterpret_cast<void*>(words.size())};
  CUmodule module = nullptr;
  const CUresult result = cuModuleLoadDataEx(&module, text.c_str(), 2, names, values);
  log = words.data();
  if (result != CUDA_SUCCESS && log.empty()) die("cuModuleLoadDataEx", result);
  return result == CUDA_SUCCESS ? module : nullptr;
}

// What went wrong, one entry per operation with its first example.
class Report {
 public:
  void wrong(const Operation& operation, const u64* operands, u64 bits) {
    Entry& entry = entries_[operation.text];
    if (entry.count++ != 0) return;
    char text[40];
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      std::snprintf(text, sizeof text, "%s%#llx", i == 0 ? "" : ", ",
                    static_cast<unsigned long long>(operands[i]));
      entry.example += text;
    }
    std::snprintf(text, sizeof text, " gives %#llx, not ", static_cast<unsigned long long>(bits));
    entry.example += text + expectation(operation, operands);
  }
  void refused(const Operation& operation, const std::string& log) {
    entries_[operation.text] = {1, "is refused: " + log.substr(0, log.find('\n'))};
  }
  std::size_t print() const {
    for (const auto& [text, entry] : entries_)
      std::printf("%s\n    %s (%zu wrong)\n", text.c_str(), entry.example.c_str(), entry.count);
    return entries_.size();
  }

 private:
  struct Entry {
    std::size_t count = 0;
    std::string example;
  };
  std::map<std::string, Entry> entries_;
};

class Tester {
 public:
  Tester(const Options& options, int target) : only_(options.only), target_(target), dice_(options.seed) {
    for (auto& some : {integer_operations(), bit_operations(), float_operations(), approximate_operations(),
                       conversions(), comparisons()})
      all_.insert(all_.end(), some.begin(), some.end());
    for (const Operation& operation : all_) {
      if (is_wanted(operation)) wanted_.push_back(&operation);
    }
  }

  std::size_t operations() const { return wanted_.size(); }
  std::size_t judged() const { return judged_; }
  std::size_t kernels() const { return kernels_; }
  const Report& report() const { return report_; }

  // The next kernel: no operation comes again before all had their turn.
  Kernel next() {
    std::vector<const Operation*> chosen;
    while (chosen.size() < kSteps) {
      if (turn_.empty()) {
        ++rounds_;
        turn_ = wanted_;
        for (std::size_t i = turn_.size(); i > 1; --i) std::swap(turn_[i - 1], turn_[dice_.below(i)]);
      }
      chosen.push_back(turn_.back());
      turn_.pop_back();
    }
    ++kernels_;
    return make_kernel(chosen, dice_);
  }
  bool all_had_their_turn() const { return rounds_ > 1 || (rounds_ == 1 && turn_.empty()); }

  void test(const Kernel& kernel) {
    std::vector<u64> values(kernel.slots.size() * kThreads);
    for (std::size_t i = 0; i < kernel.inputs * kThreads; ++i)
      values[i] = draw(kernel.slots[i / kThreads].kind, dice_);
    test(kernel, values);
  }

  void test_found() {
    const FoundKernel found =
        make_found_kernel(all_, [this](const Operation& one) { return is_wanted(one); });
    if (found.kernel.steps.empty()) return;
    std::vector<u64> values(found.kernel.slots.size() * kThreads);
    for (std::size_t i = 0; i < found.inputs.size() * kThreads; ++i) values[i] = found.inputs[i / kThreads];
    test(found.kernel, values);
  }

 private:
  bool is_wanted(const Operation& operation) const {
    return operation.text.find(only_) != std::string::npos && target_of(operation) <= target_;
  }

  void test(const Kernel& kernel, std::vector<u64>& values) {
    std::string log;
    CUmodule module = load(text_of(kernel, kThreads, target_), log);
    if (module == nullptr) return blame(kernel, log);
    run(kernel, module, values);
    need(cuModuleUnload(module), "cuModuleUnload");
    judge(kernel, values);
  }

  // Which operations are refused, alone.
  void blame(const Kernel& kernel, const std::string& whole) {
    bool found = false;
    for (const Step& step : kernel.steps) {
      std::string log;
      if (CUmodule module = load(text_of(make_kernel({step.operation}, dice_), kThreads, target_), log)) {
        need(cuModuleUnload(module), "cuModuleUnload");
      } else {
        report_.refused(*step.operation, log);
        found = true;
      }
    }
    if (!found) {
      std::fprintf(stderr, "A kernel is refused: %s\n", whole.c_str());
      std::exit(1);
    }
  }

  static void run(const Kernel& kernel, CUmodule module, std::vector<u64>& values) {
    const std::size_t in_bytes = kernel.inputs * kThreads * sizeof(u64);
    const std::size_t out_bytes = kernel.steps.size() * kThreads * sizeof(u64);
    CUdeviceptr in = 0, out = 0;
    CUfunction function = nullptr;
    need(cuModuleGetFunction(&function, module, "k"), "cuModuleGetFunction");
    need(cuMemAlloc(&in, in_bytes), "cuMemAlloc");
    need(cuMemAlloc(&out, out_bytes), "cuMemAlloc");
    need(cuMemcpyHtoD(in, values.data(), in_bytes), "cuMemcpyHtoD");
    need(cuMemsetD8(out, 0, out_bytes), "cuMemsetD8");
    void* arguments[] = {&in, &out};
    need(cuLaunchKernel(function, kGrid, 1, 1, kBlock, 1, 1, 0, nullptr, arguments, nullptr),
         "cuLaunchKernel");
    need(cuMemcpyDtoH(&values[kernel.inputs * kThreads], out, out_bytes), "running the kernel");
    need(cuMemFree(in), "cuMemFree");
    need(cuMemFree(out), "cuMemFree");
  }

  void judge(const Kernel& kernel, const std::vector<u64>& values) {
    for (const Step& step : kernel.steps) {
      for (std::size_t thread = 0; thread < kThreads; ++thread) {
        u64 operands[5] = {};
        for (std::size_t i = 0; i < step.sources.size(); ++i) {
          const Source& source = step.sources[i];
          operands[i] =
              source.immediate ? source.bits & source.counts : values[source.slot * kThreads + thread];
        }
        const u64 bits = values[step.result * kThreads + thread];
        if (!accepts(*step.operation, operands, bits)) report_.wrong(*step.operation, operands, bits);
      }
      judged_ += step.operation->statements * kThreads;
    }
  }

  std::string only_;
  int target_;
  Dice dice_;
  std::vector<Operation> all_;
  std::vector<const Operation*> wanted_;
  std::vector<const Operation*> turn_;
  std::size_t rounds_ = 0, judged_ = 0, kernels_ = 0;
  Report report_;
};

int test(const Options& options) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  need(cuInit(0), "cuInit");
  need(cuDeviceGet(&device, 0), "cuDeviceGet");
  need(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  need(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  int major = 0, minor = 0;
  need(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
       "cuDeviceGetAttribute");
  need(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
       "cuDeviceGetAttribute");
  // No operation needs more, and a driver may not support more.
  Tester tester(options, std::min(10 * major + minor, 90));
  if (tester.operations() == 0) usage();
  tester.test_found();
  while (tester.judged() < options.instructions || !tester.all_had_their_turn()) {
    tester.test(tester.next());
    if (tester.kernels() > 64 && tester.judged() == 0) break;
  }
  need(cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
  const std::size_t wrong = tester.report().print();
  std::printf("%zu instructions of %zu operations in %zu kernels with seed %llu: %zu operations are wrong\n",
              tester.judged(), tester.operations(), tester.kernels(),
              static_cast<unsigned long long>(options.seed), wrong);
  return wrong == 0 ? 0 : 1;
}

int print(const Options& options) {
  Tester tester(options, options.target);
  if (tester.operations() == 0) usage();
  while (!tester.all_had_their_turn())
    std::fputs((text_of(tester.next(), kThreads, options.target) + "\n").c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace ptx_random

int main(int count, char** words) {
  const ptx_random::Options options = ptx_random::options_of(count, words);
  return options.print ? ptx_random::print(options) : ptx_random::test(options);
}
