// SPDX-License-Identifier: MIT
// The process that runs kernels: nobody sees it, it dies with its host, and its host outlives it.
//
// Each program of these tests is a child of its own: a driver that has failed stays failed.
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>

#include "support.hpp"

namespace {

constexpr const char* kernels = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry store(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; st.u32 [%rd1], %r1; ret;
}
.visible .entry forever() {
LOOP:
  bra LOOP;
}
)";

class Program {
 public:
  Program() {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    good_ = cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS &&
            cuModuleLoadData(&module, kernels) == CUDA_SUCCESS &&
            cuModuleGetFunction(&store_, module, "store") == CUDA_SUCCESS &&
            cuModuleGetFunction(&forever_, module, "forever") == CUDA_SUCCESS &&
            cuMemAlloc(&memory_, 4096) == CUDA_SUCCESS;
  }
  bool good() const { return good_; }

  CUresult store(unsigned value) { return store_at(memory_, value); }
  CUresult store_at(CUdeviceptr address, unsigned value) {
    void* parameters[] = {&address, &value};
    return cuLaunchKernel(store_, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr);
  }
  unsigned stored() {
    unsigned value = 0;
    cuMemcpyDtoH(&value, memory_, sizeof value);
    return value;
  }
  CUresult launch_forever() {
    return cuLaunchKernel(forever_, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  }
  // Launches what never ends and waits for it.
  CUresult run_forever() {
    const CUresult launched = launch_forever();
    return launched != CUDA_SUCCESS ? launched : cuCtxSynchronize();
  }

 private:
  bool good_ = false;
  CUfunction store_ = nullptr, forever_ = nullptr;
  CUdeviceptr memory_ = 0;
};

// The text of a file of /proc, or nothing once the process is gone.
std::string proc_text(pid_t process, const std::string& name) {
  const std::ifstream file("/proc/" + std::to_string(process) + "/" + name);
  std::ostringstream text;  // reading by iterators would throw where the process ends in between
  text << file.rdbuf();
  return text.str();
}

bool is_running(pid_t process) {
  const std::string status = proc_text(process, "stat");
  const std::size_t name_end = status.rfind(')');
  return name_end != std::string::npos && status.size() > name_end + 2 && status[name_end + 2] != 'Z';
}

// The runner whose host this process is: it says so in its command line, which every user may read.
std::optional<pid_t> runner_of(pid_t host) {
  const std::string wanted = std::string("driverlab-runner") + '\0' + "--host=" + std::to_string(host) + '\0';
  DIR* const processes = opendir("/proc");
  std::optional<pid_t> found;
  while (const dirent* const entry = readdir(processes)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process > 0 && proc_text(process, "cmdline") == wanted && is_running(process)) found = process;
  }
  closedir(processes);
  return found;
}

template <typename Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 500; ++i) {
    if (condition()) return true;
    usleep(20'000);
  }
  return false;
}

// Runs a program in a child; what it returns is its exit status.
pid_t start(const std::function<int()>& program) {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(program());
  }
  return child;
}

int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int run(const std::function<int()>& program) {
  return status_of(start(program));
}

pid_t start_endless() {
  return start([] {
    Program program;
    return program.good() ? static_cast<int>(program.run_forever() != CUDA_ERROR_LAUNCH_FAILED) : 2;
  });
}

TEST(Runner, a_kernel_runs_in_another_process) {
  EXPECT_EQ(0, run([] {
              Program program;
              if (!program.good() || program.store(7) != CUDA_SUCCESS || program.stored() != 7) return 1;
              return runner_of(getpid()) ? 0 : 2;
            }));
}

// Handles of destroyed contexts stay known, so there is an end to them. In a process of its own, which is
// full then.
int makes_all_contexts_there_are() {
  Program program;
  CUcontext made = nullptr;
  CUresult result = CUDA_SUCCESS;
  unsigned count = 0;
  if (!program.good()) return 1;
  while ((result = cuCtxCreate(&made, nullptr, 0, 0)) == CUDA_SUCCESS) {
    if (cuCtxDestroy(made) != CUDA_SUCCESS) return 2;
    ++count;
  }
  if (result != CUDA_ERROR_OUT_OF_MEMORY || count < 65000 || count > 65536) return 3;
  if (program.store(7) != CUDA_SUCCESS || program.stored() != 7) return 4;
  if (cuCtxSetCurrent(made) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_ERROR_CONTEXT_IS_DESTROYED)
    return 5;
  if (cuDevicePrimaryCtxRetain(&made, 1) != CUDA_SUCCESS || cuCtxSetCurrent(made) != CUDA_SUCCESS) return 6;
  CUdeviceptr memory = 0;
  return cuMemAlloc(&memory, 100) == CUDA_SUCCESS && cuMemFree(memory) == CUDA_SUCCESS ? 0 : 7;
}

TEST(Contexts, that_can_be_made_no_more_are_out_of_memory_and_the_others_go_on) {
  EXPECT_EQ(0, run(makes_all_contexts_there_are));
}

// As many as there can be.
int uses_eight_devices() {
  setenv("DRIVERLAB_DEVICES", "8", 1);
  int count = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&count) != CUDA_SUCCESS || count != 8) return 1;
  for (CUdevice device = 0; device < count; ++device) {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction store = nullptr;
    CUdeviceptr memory = 0;
    void* host = nullptr;
    unsigned value = 40 + static_cast<unsigned>(device);
    if (cuCtxCreate(&context, nullptr, 0, device) != CUDA_SUCCESS ||
        cuModuleLoadData(&module, kernels) != CUDA_SUCCESS ||
        cuModuleGetFunction(&store, module, "store") != CUDA_SUCCESS ||
        cuMemHostAlloc(&host, 4, 0) != CUDA_SUCCESS || cuMemAlloc(&memory, 4) != CUDA_SUCCESS)
      return 2;
    for (CUdeviceptr address : {memory, reinterpret_cast<CUdeviceptr>(host)}) {
      void* parameters[] = {&address, &value};
      if (cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) != CUDA_SUCCESS) return 3;
    }
    unsigned stored = 0;
    if (cuMemcpyDtoH(&stored, memory, 4) != CUDA_SUCCESS || stored != value) return 4;
    if (*static_cast<unsigned*>(host) != value) return 5;
  }
  return 0;
}

TEST(Runner, a_kernel_sees_the_memory_of_each_of_the_most_devices_that_there_can_be) {
  EXPECT_EQ(0, run(uses_eight_devices));
}

TEST(Runner, without_a_launch_there_is_no_process) {
  EXPECT_EQ(0, run([] {
              const Program program;
              return program.good() && !runner_of(getpid()) ? 0 : 1;
            }));
}

TEST(Runner, ends_when_its_host_ends) {
  const pid_t child = start([] {
    Program program;
    return program.good() && program.store(7) == CUDA_SUCCESS && cuCtxSynchronize() == CUDA_SUCCESS
               ? (usleep(300'000), 0)
               : 1;
  });
  std::optional<pid_t> runner;
  ASSERT_TRUE(comes_true([&] { return (runner = runner_of(child)).has_value(); }));
  EXPECT_EQ(0, status_of(child));
  EXPECT_TRUE(comes_true([&] { return !is_running(*runner); }));
}

TEST(Runner, ends_in_the_middle_of_a_kernel_when_its_host_is_killed) {
  const pid_t child = start_endless();
  std::optional<pid_t> runner;
  ASSERT_TRUE(comes_true([&] { return (runner = runner_of(child)).has_value(); }));
  kill(child, SIGKILL);
  EXPECT_EQ(-SIGKILL, status_of(child));
  EXPECT_TRUE(comes_true([&] { return !is_running(*runner); }));
}

// The process goes on as another program, which has no contexts.
TEST(Runner, ends_in_the_middle_of_a_kernel_when_its_host_execs) {
  const pid_t child = start([] {
    Program program;
    if (!program.good() || program.launch_forever() != CUDA_SUCCESS) return 1;
    usleep(500'000);
    execl("/bin/sleep", "sleep", "60", nullptr);
    return 3;
  });
  std::optional<pid_t> runner;
  ASSERT_TRUE(comes_true([&] { return (runner = runner_of(child)).has_value(); }));
  EXPECT_TRUE(comes_true([&] { return !is_running(*runner); }));
  EXPECT_TRUE(is_running(child));
  kill(child, SIGKILL);
  EXPECT_EQ(-SIGKILL, status_of(child));
}

TEST(Runner, stays_while_children_of_its_host_exec) {
  EXPECT_EQ(
      0, run([] {
        Program program;
        if (!program.good() || program.store(7) != CUDA_SUCCESS || program.stored() != 7) return 1;
        const auto runner = runner_of(getpid());
        if (!runner || std::system("exec sleep 1") != 0) return 2;
        return runner_of(getpid()) == runner && program.store(9) == CUDA_SUCCESS && program.stored() == 9 ? 0
                                                                                                          : 3;
      }));
}

TEST(Runner, that_is_killed_leaves_a_host_that_is_told_launch_failed) {
  const pid_t child = start_endless();
  std::optional<pid_t> runner;
  ASSERT_TRUE(comes_true([&] { return (runner = runner_of(child)).has_value(); }));
  usleep(50'000);
  kill(*runner, SIGKILL);
  EXPECT_EQ(0, status_of(child));
}

TEST(Runner, goes_with_its_context) {
  EXPECT_EQ(
      0, run([] {
        Program program;
        if (!program.good() || program.store(7) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS)
          return 1;
        const std::optional<pid_t> runner = runner_of(getpid());
        CUcontext context = nullptr;
        if (!runner || cuCtxGetCurrent(&context) != CUDA_SUCCESS || cuCtxDestroy(context) != CUDA_SUCCESS)
          return 2;
        return comes_true([&] { return !is_running(*runner); }) ? 0 : 3;
      }));
}

volatile sig_atomic_t children_told = 0;

TEST(Runner, is_no_child_that_a_program_could_wait_for) {
  EXPECT_EQ(0, run([] {
              std::signal(SIGCHLD, [](int) { children_told = 1; });
              Program program;
              if (!program.good() || program.store(7) != CUDA_SUCCESS || program.stored() != 7) return 1;
              if (waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD) return 2;
              return children_told == 0 ? 0 : 3;
            }));
}

TEST(Runner, holds_nothing_that_its_host_has_open) {
  EXPECT_EQ(0, run([] {
              int ends[2];
              if (pipe(ends) != 0)
                return 1;  // inherited by every program that is started, if nobody takes care
              Program program;
              if (!program.good() || program.store(7) != CUDA_SUCCESS || program.stored() != 7) return 2;
              close(ends[1]);
              char byte = 0;
              return read(ends[0], &byte, 1) == 0 ? 0 : 3;
            }));
}

TEST(Runner, a_program_may_close_its_descriptors_after_the_first_launch) {
  EXPECT_EQ(0, run([] {
              Program program;
              if (!program.good() || program.store(7) != CUDA_SUCCESS || program.stored() != 7) return 1;
              closefrom(3);
              CUdeviceptr more = 0;
              if (cuMemAlloc(&more, 8 << 20) != CUDA_SUCCESS || program.store_at(more, 9) != CUDA_SUCCESS)
                return 2;
              unsigned value = 0;
              return cuMemcpyDtoH(&value, more, sizeof value) == CUDA_SUCCESS && value == 9 ? 0 : 3;
            }));
}

// Nothing can be passed to a new process then, and what has these numbers now does not belong to the driver.
TEST(Runner, a_program_that_closed_them_before_is_told_so) {
  EXPECT_EQ(0, run([] {
              Program program;
              if (!program.good()) return 1;
              closefrom(3);
              for (int i = 0; i < 8; ++i) {
                if (open("/dev/null", O_RDWR) < 0) return 2;
              }
              const CUresult launched = program.store(7);
              return launched == CUDA_ERROR_OPERATING_SYSTEM ||
                             cuCtxSynchronize() == CUDA_ERROR_OPERATING_SYSTEM
                         ? 0
                         : 3;
            }));
}

TEST(Runner, a_child_of_fork_leaves_its_parents_kernels_alone) {
  EXPECT_EQ(0, run([] {
              Program program;
              if (!program.good() || program.store(7) != CUDA_SUCCESS || program.stored() != 7) return 1;
              if (run([&] { return program.store(8) == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1; }) != 0) return 2;
              return program.store(9) == CUDA_SUCCESS && program.stored() == 9 ? 0 : 3;
            }));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool shadowed = true;
#else
constexpr bool shadowed = false;
#endif

TEST(Runner, works_under_limits_on_files_and_address_space) {
  if (shadowed) GTEST_SKIP() << "a sanitizer's shadow is larger than any limit on address space";
  EXPECT_EQ(0, run([] {
              const rlimit small_files{1 << 20, RLIM_INFINITY};
              setrlimit(RLIMIT_FSIZE, &small_files);
              const rlimit little_space{std::uint64_t{4} << 30, std::uint64_t{4} << 30};
              setrlimit(RLIMIT_AS, &little_space);
              Program program;
              if (!program.good()) return 1;
              if (program.store(7) != CUDA_SUCCESS) return 2;
              return program.stored() == 7 ? 0 : 3;
            }));
}

std::size_t mappings_of(pid_t process) {
  const std::string maps = proc_text(process, "maps");
  return static_cast<std::size_t>(std::count(maps.begin(), maps.end(), '\n'));
}

// Loads the code, launches a kernel of it, waits, and unloads it.
bool use_a_module() {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr memory = 0;
  unsigned value = 42;
  void* parameters[] = {&memory, &value};
  const bool launched =
      cuModuleLoadData(&module, kernels) == CUDA_SUCCESS &&
      cuModuleGetFunction(&function, module, "store") == CUDA_SUCCESS &&
      cuMemAlloc(&memory, 4) == CUDA_SUCCESS &&
      cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) == CUDA_SUCCESS;
  unsigned stored = 0;
  const bool done = launched && cuMemcpyDtoH(&stored, memory, 4) == CUDA_SUCCESS && stored == 42;
  return done && cuMemFree(memory) == CUDA_SUCCESS && cuModuleUnload(module) == CUDA_SUCCESS;
}

TEST(Runner, gives_the_memory_of_unloaded_modules_back) {
  EXPECT_EQ(0, status_of(start([] {
              Program program;  // its own module stays, and works to the end
              if (!program.good() || program.store(1) != CUDA_SUCCESS || program.stored() != 1) return 1;
              for (int i = 0; i < 40; ++i) {
                if (!use_a_module()) return 2;
              }
              const std::optional<pid_t> runner = runner_of(getpid());
              if (!runner) return 3;
              const std::size_t before = mappings_of(*runner);
              for (int i = 0; i < 200; ++i) {
                if (!use_a_module()) return 4;
              }
              if (mappings_of(*runner) > before + 100) return 5;
              return program.store(7) == CUDA_SUCCESS && program.stored() == 7 ? 0 : 6;
            })));
}

TEST(Runner, a_host_address_is_no_address_to_a_kernel) {
  EXPECT_EQ(0, run([] {
              Program program;
              if (!program.good()) return 1;
              unsigned on_stack = 5;
              const auto heap = std::make_unique<unsigned>(6);
              program.store_at(reinterpret_cast<CUdeviceptr>(&on_stack), 1);
              const CUresult result = cuCtxSynchronize();
              return result == CUDA_ERROR_ILLEGAL_ADDRESS && on_stack == 5 && *heap == 6 ? 0 : 2;
            }));
}

TEST(Runner, more_changes_than_fit_between_two_launches_are_handed_over_in_turns) {
  EXPECT_EQ(0, run([] {
              Program program;
              if (!program.good() || program.store(1) != CUDA_SUCCESS) return 1;
              std::vector<unsigned*> pinned(5000);
              for (unsigned*& each : pinned) {
                if (cuMemAllocHost(reinterpret_cast<void**>(&each), 4096) != CUDA_SUCCESS) return 2;
              }
              for (std::size_t i = 0; i < pinned.size(); i += 499) {
                if (program.store_at(reinterpret_cast<CUdeviceptr>(pinned[i]),
                                     static_cast<unsigned>(i + 1)) != CUDA_SUCCESS ||
                    cuCtxSynchronize() != CUDA_SUCCESS || *pinned[i] != i + 1)
                  return 3;
              }
              return 0;
            }));
}

TEST(Runner, many_allocations_between_two_launches_are_all_seen) {
  EXPECT_EQ(0, run([] {
              Program program;
              if (!program.good() || program.store(1) != CUDA_SUCCESS) return 1;
              std::vector<CUdeviceptr> blocks;
              for (int i = 0; i < 1000; ++i) {
                CUdeviceptr block = 0;
                if (cuMemAlloc(&block, 2 << 20) != CUDA_SUCCESS) return 2;
                blocks.push_back(block);
              }
              // Further than the journal remembers.
              for (int i = 0; i < 4000; ++i) {
                cuMemFree(blocks[static_cast<std::size_t>(i) % 500]);
                if (cuMemAlloc(&blocks[static_cast<std::size_t>(i) % 500], 2 << 20) != CUDA_SUCCESS) return 3;
              }
              for (std::size_t i = 0; i < blocks.size(); i += 37) {
                unsigned value = 0;
                if (program.store_at(blocks[i], static_cast<unsigned>(i)) != CUDA_SUCCESS) return 4;
                if (cuMemcpyDtoH(&value, blocks[i], sizeof value) != CUDA_SUCCESS || value != i) return 5;
              }
              return 0;
            }));
}

}  // namespace
