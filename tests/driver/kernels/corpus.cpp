// SPDX-License-Identifier: MIT
// Runs the corpus of kernels: all cases, or those whose name contains a word; prints failures and a count.
//
//   kernel_corpus [--ptx FOLDER] [--not-yet FILE] [--list] [WORD…]
//
// The PTX is in kernels/ptxcc next to the program unless a folder is named, so that both can be copied to
// another machine. A case that breaks its context runs in a separate process, by calling this program again;
// so do all cases after one that broke it unexpectedly. FILE names the cases that a driver cannot do yet: if
// it can do one of them, that is an error.
#include "corpus.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace corpus {

void wrong(const std::string& what) {
  throw Wrong(what);
}
void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  wrong(std::string(call) + " answered " + std::to_string(result) + " " + (name == nullptr ? "" : name));
}

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}
Register::Register(const char* file, const char* name, std::function<void(Gpu&)> run, CUresult answer) {
  cases().push_back({file, name, std::move(run), answer});
}
Register::Register(const char* file, const char* name, InClusters, std::function<void(Gpu&)> run) {
  cases().push_back({file, name, std::move(run), CUDA_SUCCESS, true});
}

std::uint32_t scattered(std::uint32_t i) {
  i = (i + 0x9e3779b9U) * 0x85ebca6bU;
  i ^= i >> 13;
  i *= 0xc2b2ae35U;
  return i ^ (i >> 16);
}

std::string shown(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}
std::string shown(long long value) {
  return std::to_string(value);
}

namespace {

// One unit in the last place at this size, for a format with so many bits and this smallest exponent.
long double unit(long double at, int bits, int smallest) {
  int exponent = 0;
  std::frexp(at, &exponent);
  return std::ldexp(1.0L, std::max(exponent - bits, smallest));
}
template <class T>
double apart(T got, long double expected, int bits, int smallest) {
  const T rounded = static_cast<T>(expected);
  if (std::isnan(got) && std::isnan(rounded)) return 0;
  if (got == rounded) return 0;
  if (!std::isfinite(got) || !std::isfinite(rounded)) return HUGE_VAL;
  return static_cast<double>(std::fabs(got - expected) / unit(expected, bits, smallest));
}

}  // namespace

double units_apart(float got, long double expected) {
  return apart(got, expected, 24, -149);
}
double units_apart(double got, long double expected) {
  return apart(got, expected, 53, -1074);
}

CUmodule Gpu::module() {
  for (const auto& [file, module] : modules_)
    if (file == file_) return module;
  std::ifstream in(folder_ + "/" + file_ + ".ptx", std::ios::binary);
  if (!in) wrong("cannot read " + folder_ + "/" + file_ + ".ptx");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  char log[2048] = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The driver's interface takes numbers as pointers.
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};  // NOLINT(performance-no-int-to-ptr)
  CUmodule module = nullptr;
  const CUresult result = cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
  if (result != CUDA_SUCCESS) check(result, (std::string("cuModuleLoadDataEx (") + log + ")").c_str());
  modules_.emplace_back(file_, module);
  return module;
}
CUfunction Gpu::function(const std::string& kernel) {
  CUfunction function = nullptr;
  check(cuModuleGetFunction(&function, module(), kernel.c_str()), ("cuModuleGetFunction " + kernel).c_str());
  return function;
}
CUdeviceptr Gpu::global(const std::string& name, std::size_t expected_size) {
  CUdeviceptr address = 0;
  std::size_t size = 0;
  check(cuModuleGetGlobal(&address, &size, module(), name.c_str()), ("cuModuleGetGlobal " + name).c_str());
  if (size != expected_size)
    wrong(name + " has " + std::to_string(size) + " bytes, not " + std::to_string(expected_size));
  return address;
}
void Gpu::run(const std::string& kernel, Shape grid, Shape block, unsigned shared, bool together,
              std::vector<std::vector<std::byte>> arguments) {
  std::vector<void*> pointers;
  pointers.reserve(arguments.size());
  for (auto& argument : arguments) pointers.push_back(argument.data());
  CUfunction f = function(kernel);
  if (together)
    check(cuLaunchCooperativeKernel(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr,
                                    pointers.data()),
          "cuLaunchCooperativeKernel");
  else
    check(cuLaunchKernel(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr,
                         pointers.data(), nullptr),
          "cuLaunchKernel");
  check(cuCtxSynchronize(), ("cuCtxSynchronize after " + kernel).c_str());
}
void Gpu::run_in_clusters(const std::string& kernel, unsigned grid, unsigned block, unsigned cluster,
                          std::vector<std::vector<std::byte>> arguments) {
  std::vector<void*> pointers;
  pointers.reserve(arguments.size());
  for (auto& argument : arguments) pointers.push_back(argument.data());
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = cluster;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  CUlaunchConfig config = {};
  config.gridDimX = grid;
  config.blockDimX = block;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  check(cuLaunchKernelEx(&config, function(kernel), pointers.data(), nullptr), "cuLaunchKernelEx");
  check(cuCtxSynchronize(), ("cuCtxSynchronize after " + kernel).c_str());
}

namespace {

// The case has to end with its error.
bool run_here(const Case& one, Gpu& gpu) {
  std::string problem = "ended well";
  CUresult answer = CUDA_SUCCESS;
  try {
    gpu.use(one.file);
    one.run(gpu);
    if (one.answer == CUDA_SUCCESS) return true;
  } catch (const Wrong& found) {
    problem = found.what();
    answer = cuCtxSynchronize();
    if (one.answer != CUDA_SUCCESS && answer == one.answer) return true;
  }
  std::printf("FAIL %s: %s", one.name.c_str(), problem.c_str());
  if (one.answer != CUDA_SUCCESS) std::printf(" (synchronising answers %d, expected %d)", answer, one.answer);
  std::printf("\n");
  return false;
}
bool run_in_a_process(const Case& one, const std::string& folder) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::string program = self, flag = "--alone", name = one.name, ptx = "--ptx", where = folder;
  char* arguments[] = {program.data(), ptx.data(), where.data(), flag.data(), name.data(), nullptr};
  pid_t child = 0;
  std::fflush(stdout);
  if (posix_spawn(&child, self.c_str(), nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::printf("FAIL %s: signal %d\n", one.name.c_str(), WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct Options {
  std::string folder, alone;
  bool list = false;
  std::vector<std::string> words, not_yet;
};
// One name a line; # begins a comment.
std::vector<std::string> read_words(const char* path) {
  std::ifstream in(path);
  if (!in) wrong(std::string("cannot read ") + path);
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);)
    if (const std::string word = line.substr(0, line.find_first_of(" #")); !word.empty())
      words.push_back(word);
  return words;
}
bool holds(const std::vector<std::string>& words, const std::string& name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}
Options read_options(int count, char** arguments) {
  Options options;
  options.folder =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kernels" / "ptxcc").string();
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--list")
      options.list = true;
    else if (argument == "--ptx" && i + 1 < count)
      options.folder = arguments[++i];
    else if (argument == "--not-yet" && i + 1 < count)
      options.not_yet = read_words(arguments[++i]);
    else if (argument == "--alone" && i + 1 < count)
      options.alone = arguments[++i];
    else
      options.words.push_back(argument);
  }
  return options;
}

void use_the_first_device() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
}
bool wanted(const Case& one, const Options& options) {
  const auto named = [&](const std::string& word) { return one.name.find(word) != std::string::npos; };
  if (!options.alone.empty()) return one.name == options.alone;
  return options.words.empty() || std::any_of(options.words.begin(), options.words.end(), named);
}

bool has_clusters() {
  int has = 0;
  check(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 0), "cuDeviceGetAttribute");
  return has != 0;
}

int run_all(const Options& options) {
  use_the_first_device();
  Gpu gpu(options.folder);
  int right = 0, failed = 0, later = 0, left_out = 0;
  bool broken = false;
  const std::string compiler = std::filesystem::path(options.folder).filename();
  for (const Case& one : cases()) {
    if (!wanted(one, options)) continue;
    if (!std::filesystem::exists(options.folder + "/" + one.file + ".ptx")) {
      std::printf("left out %s: no %s.ptx\n", one.name.c_str(), one.file.c_str());
      ++left_out;
      continue;
    }
    if (one.in_clusters && !has_clusters()) {
      std::printf("left out %s: the device has no clusters\n", one.name.c_str());
      ++left_out;
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    const bool alone = options.alone.empty() && (broken || one.answer != CUDA_SUCCESS);
    const bool ok = alone ? run_in_a_process(one, options.folder) : run_here(one, gpu);
    if (!ok && !alone) broken = cuCtxSynchronize() != CUDA_SUCCESS;
    const bool excused =
        holds(options.not_yet, one.name) || holds(options.not_yet, one.name + "@" + compiler);
    if (ok && excused)
      std::printf("FAIL %s is right now: take it off the list of what cannot be done yet\n",
                  one.name.c_str());
    int& count = ok ? (excused ? failed : right) : (excused ? later : failed);
    ++count;
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (ms > 2000) std::printf("slow %s: %.0f ms\n", one.name.c_str(), ms);
    std::fflush(stdout);
  }
  if (!options.alone.empty()) return right == 1 ? 0 : 1;
  std::printf("%d kernels right, %d wrong, %d not yet, %d left out, PTX of %s\n", right, failed, later,
              left_out, std::filesystem::path(options.folder).filename().c_str());
  return failed == 0 && right > 0 ? 0 : 1;
}

}  // namespace
}  // namespace corpus

int main(int count, char** arguments) {
  // The order of files in the program is the linker's; by name it is the same everywhere.
  std::sort(corpus::cases().begin(), corpus::cases().end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  try {
    const corpus::Options options = corpus::read_options(count, arguments);
    if (!options.list) return corpus::run_all(options);
    for (const corpus::Case& one : corpus::cases()) std::printf("%s\n", one.name.c_str());
    return 0;
  } catch (const corpus::Wrong& problem) {
    std::printf("FAIL %s\n", problem.what());
    return 1;
  }
}
