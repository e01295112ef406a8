// SPDX-License-Identifier: MIT
// The program that the interposer's tests trace. Its first argument says what to do; it prints what it saw.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "wire.hpp"

extern "C" {
int cuInit(unsigned flags);
int cuDeviceGetName(char* name, int length, int device);
int cuCtxCreate_v2(std::uint64_t* context, unsigned flags, int device);
int cuCtxGetCurrent(std::uint64_t* context);
int cuCtxPopCurrent_v2(std::uint64_t* context);
int cuMemAlloc_v2(std::uint64_t* pointer, std::size_t size);
int cuMemFree_v2(std::uint64_t pointer);
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes);
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes);
int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total);
int cuCtxGetDevice(int* device);
int cuDeviceGetAttribute(int* value, int attribute, int device);
int cuLaunchKernel(std::uint64_t function, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e,
                   unsigned f, unsigned shared, std::uint64_t stream, void** parameters, void** extra);
int cuModuleGetFunction(std::uint64_t* function, std::uint64_t module, const char* name);
int cuGetProcAddress_v2(const char* symbol, void** function, int version, std::uint64_t flags, int* status);
int cuMemAllocHost_v2(void** pointer, std::size_t size);
#ifdef FORWARDED_NAME
int FORWARDED_NAME(int a, int b, int c, int d, int e, int f, double x, double y, int stacked);
#endif
}

namespace {
int slow_answers = 0;
}

// The tracer asks this one: as if the thread had to let others run meanwhile.
extern "C" __attribute__((visibility("default"))) int fstat(int file, struct stat* about) {
  if (slow_answers > 0) --slow_answers, usleep(2'500);
  return fstatat(file, "", about, AT_EMPTY_PATH);
}

namespace {

int linked() {
  cuInit(0);
  char name[64] = {};
  cuDeviceGetName(name, sizeof name, 0);
  std::uint64_t context = 0, memory = 0, popped = 0;
  cuCtxCreate_v2(&context, 8, 0);
  cuMemAlloc_v2(&memory, 4096);
  cuMemAlloc_v2(&memory, 0);
  cuCtxPopCurrent_v2(&popped);
  std::printf("%s %d\n", name, popped == context);
  return 0;
}

// More arguments than registers; narrow ones in registers whose upper half holds something else.
int arguments_of_all_kinds() {
  cuInit(0);
  if (cuLaunchKernel(0xf00, 1, 2, 3, 4, 5, 6, 7, 8, nullptr, nullptr) != 0) return 1;
  using Wide = int (*)(int*, std::uint64_t, std::uint64_t);
  const auto attribute = reinterpret_cast<Wide>(reinterpret_cast<void*>(&cuDeviceGetAttribute));
  int value = 0;
  if (attribute(&value, 0xabcdef01'00000010, 0x12345678'fffffffd) != 0 || value != -16) return 2;
  return cuCtxGetDevice(&value) == 0 && value == -2 ? 0 : 3;
}

template <class Call>
bool is_thrown(Call call) {
  try {
    call();
  } catch (int value) {
    return value == 17;
  }
  return false;
}

// Exceptions pass through calls of all kinds of recorder; those behind them are calls like any other.
int throws() {
  std::uint64_t memory = 0, function = 0;
  bool thrown = is_thrown([] { cuMemFree_v2(0xbad); }) &&
                is_thrown([&] { cuModuleGetFunction(&function, 0xbad, "nothing"); });
#ifdef FORWARDED_NAME
  thrown = thrown && is_thrown([] { FORWARDED_NAME(17, 0, 0, 0, 0, 0, 0, 0, 0); });
#endif
  return thrown && cuMemAlloc_v2(&memory, 64) == 0 ? 0 : 1;
}

// A thread ends inside a call, and what its end does calls too.
struct AtTheEnd {
  ~AtTheEnd() {
    std::uint64_t memory = 0;
    cuMemAlloc_v2(&memory, 64);
  }
};
int ends_inside() {
  std::thread([] {
    const AtTheEnd end;
    cuMemFree_v2(0xe4d);
  }).join();
  return 0;
}

// Calls that take no time: 1000 at once, one after it was stopped, 100 once there was a second thread.
int quick() {
  cuInit(0);
  std::uint64_t context = 0;
  for (int i = 0; i < 1000; ++i) cuCtxGetCurrent(&context);
  raise(SIGSTOP);
  cuCtxGetCurrent(&context);
  std::thread([] {
    std::uint64_t there = 0;
    cuCtxGetCurrent(&there);
  }).join();
  for (int i = 0; i < 100; ++i) cuCtxGetCurrent(&context);
  return 0;
}

// Bursts of 300 calls that take no time, each with one behind it that does; it is stopped after each.
int busy(int bursts) {
  std::uint64_t context = 0, memory = 0;
  cuInit(0);
  for (int burst = 0; burst < bursts; ++burst) {
    for (int i = 0; i < 300; ++i) cuCtxGetCurrent(&context);
    cuMemAlloc_v2(&memory, 4096);
    raise(SIGSTOP);
  }
  return 0;
}

// A handler calls while the thread does; prints how many calls there were.
volatile sig_atomic_t in_handler = 0;
int signals() {
  long made = 0;
  std::signal(SIGALRM, [](int) {
    std::uint64_t current = 0;
    cuCtxGetCurrent(&current);
    in_handler = in_handler + 1;
  });
  const itimerval often{{0, 200}, {0, 200}}, never{};
  std::uint64_t context = 0;
  std::size_t memory = 0;
  setitimer(ITIMER_REAL, &often, nullptr);
  for (int i = 0; i < 100'000 || in_handler < 200; ++i) {
    cuCtxGetCurrent(&context);
    cuMemGetInfo_v2(&memory, &memory);
    made += 2;
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  std::printf("%ld\n", made + in_handler);
  return 0;
}

// The driver's library raises a signal while it is loaded, at the first call; the handler calls it too.
volatile sig_atomic_t result_in_handler = -1;
int signal_while_loading() {
  setenv("FAKE_DRIVER_RAISES", "1", 1);
  std::signal(SIGALRM, [](int) { result_in_handler = cuInit(0); });
  cuInit(0);
  return result_in_handler;
}

int copies() {
  cuInit(0);
  std::vector<unsigned char> bytes(6000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
  cuMemcpyHtoD_v2(0x1000, bytes.data(), 4);
  cuMemcpyHtoD_v2(0x1000, bytes.data(), bytes.size());
  std::vector<unsigned char> back(3, 0xee);
  cuMemcpyDtoH_v2(back.data(), 0x1000, back.size());
  cuMemcpyHtoD_v2(0x1000, bytes.data(), 1);                       // fails
  cuMemcpyHtoD_v2(0x1000, reinterpret_cast<const void*>(16), 2);  // nobody can read there
  return back[2] == 2 ? 0 : 1;
}

// Copies until samples of everything would take 40 MiB.
int many_copies() {
  cuInit(0);
  const std::vector<unsigned char> bytes(4096, 7);
  for (int i = 0; i < 10'000; ++i)
    if (cuMemcpyHtoD_v2(0x1000, bytes.data(), bytes.size()) != 0) return 1;
  return 0;
}

int by_dlopen(const char* library) {
  void* opened = dlopen(library, RTLD_NOW);
  if (opened == nullptr) return 1;
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(opened, "cuInit"));
  return init(0) == 0 && init(1) == 1 ? 0 : 2;
}

// So many calls; prints how many.
int many(int count) {
  int device = 0;
  for (int i = 0; i < count; ++i) cuCtxGetDevice(&device);
  std::printf("%d\n", count);
  return 0;
}

// As many libraries as asked for, 0.so, 1.so and so on in a folder, each of which calls the driver twice, by
// turns.
int libraries(const std::string& folder, int count) {
  std::vector<int (*)(int (*)(unsigned))> calls;
  for (int i = 0; i < count; ++i) {
    void* const opened = dlopen((folder + "/" + std::to_string(i) + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) return 1;
    calls.push_back(reinterpret_cast<int (*)(int (*)(unsigned))>(dlsym(opened, "call")));
  }
  for (int round = 0; round < 2; ++round)
    for (const auto call : calls)
      if (call(cuInit) != 0) return 2;
  return 0;
}

int entry_points() {
  cuInit(0);
  void* function = nullptr;
  int status = -1;
  cuGetProcAddress_v2("cuMemAlloc", &function, 13000, 0, &status);
  const bool ours = function == reinterpret_cast<void*>(&cuMemAlloc_v2) && status == 0;
  std::uint64_t memory = 0;
  reinterpret_cast<int (*)(std::uint64_t*, std::size_t)>(function)(&memory, 32);
  void* itself = nullptr;
  cuGetProcAddress_v2("cuGetProcAddress_v2", &itself, 13000, 0, nullptr);
  void* unknown = nullptr;
  cuGetProcAddress_v2("cuPrivate", &unknown, 13000, 0, nullptr);
  void* none = &unknown;
  cuGetProcAddress_v2("cuNothing", &none, 13000, 0, &status);
  std::printf("%d %d %d %d %d\n", ours, itself == reinterpret_cast<void*>(&cuGetProcAddress_v2),
              unknown != nullptr, none == nullptr, status);
  return 0;
}

int forks() {
  cuInit(0);
  for (int i = 0; i < 2; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      std::uint64_t memory = 0;
      cuMemAlloc_v2(&memory, 100 + static_cast<std::size_t>(i));
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  return cuInit(0);
}

// Writes over the count of its processes, and forks. Each child calls from two threads.
int forks_with_a_wrong_count() {
  cuInit(0);
  const char* const memory = std::getenv("DRIVERLAB_TRACE");
  const int file = memory == nullptr ? -1 : open(memory, O_WRONLY | O_CLOEXEC);
  for (const std::uint32_t count : {0xfffffffbU, 0xfffffffdU, 0xfffffffeU, 0xffffffffU, 0U}) {
    if (pwrite(file, &count, sizeof count, offsetof(trace::wire::Header, processes)) != sizeof count)
      return 1;
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // it must not wait for itself
      cuInit(1);
      std::thread([] { cuInit(2); }).join();
      _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) return 2;
  }
  close(file);
  return cuInit(0);
}

int threads() {
  cuInit(0);
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([i] {
      pthread_setname_np(pthread_self(), ("worker " + std::to_string(i)).c_str());
      for (int n = 0; n < 5000; ++n) {
        std::uint64_t memory = 0;
        cuMemAlloc_v2(&memory, static_cast<std::size_t>(n + 1));
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  return 0;
}

// One after the other, more than are traced at one time.
int many_threads() {
  for (int i = 0; i < 600; ++i) std::thread([] { cuInit(0); }).join();
  return 0;
}

// So many live at one time, each with two calls: with the first one, 2 n + 1.
int crowd(int count) {
  cuInit(0);
  std::barrier all_here(count);
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) {
    all.emplace_back([&all_here] {
      cuInit(1);
      all_here.arrive_and_wait();
      cuInit(2);
    });
  }
  for (std::thread& thread : all) thread.join();
  return 0;
}

// Children with a call each, which end without a word; all at one time or one after the other.
int children(int count, bool at_once) {
  cuInit(0);
  int ends[2] = {};
  if (pipe(ends) != 0) return 1;
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      close(ends[1]);
      cuInit(1);
      char none = 0;
      if (at_once && read(ends[0], &none, 1) < 0) _exit(1);
      _exit(0);
    }
    if (!at_once) waitpid(child, nullptr, 0);
  }
  close(ends[1]);
  while (wait(nullptr) > 0) {
  }
  return 0;
}

int prints() {
  std::printf("one\n");
  cuInit(0);
  std::printf("two, longer\n");
  std::fprintf(stderr, "err\n");
  cuInit(1);
  std::printf("three\n");
  return 0;
}

int prints_slowly() {
  slow_answers = 1;
  return prints();
}

int closes_descriptors() {
  for (int i = 0; i < 1024; ++i) close(i);
  cuInit(0);
  std::thread([] { cuInit(1); }).join();
  return 0;
}

int wild_pointers() {
  std::uint64_t function = 0;
  const int refused = cuModuleGetFunction(&function, 5, reinterpret_cast<const char*>(8));
  const int found = cuModuleGetFunction(&function, 5, "saxpy");
  const int null = cuModuleGetFunction(&function, 5, nullptr);
  const std::string longest(10'000, 'x');
  cuModuleGetFunction(&function, 5, longest.c_str());
  return refused == 1 && found == 0 && null == 400 ? 0 : 1;
}

int forwarded() {
#ifdef FORWARDED_NAME
  int good = 0;
  for (int i = 0; i < 3; ++i) good += FORWARDED_NAME(1, 2, 3, 4, 5, 6, 7.5, 8.5, 9) == 4711;
  return good == 3 ? 0 : 1;
#else
  return 0;
#endif
}

// A function without a description, with arguments in every kind of place and another kind of result.
int newer() {
  using Newer = double (*)(double, int, int, int, int, int, int, long, long);
  void *first = nullptr, *second = nullptr;
  cuGetProcAddress_v2("cuNewerThanThis", &first, 13000, 0, nullptr);
  cuGetProcAddress_v2("cuNewerThanThis", &second, 13000, 0, nullptr);
  const auto function = reinterpret_cast<Newer>(first);
  int good = first == second ? 1 : 0;
  for (int i = 0; i < 3; ++i) good += function(2.25, 1, 2, 3, 4, 5, 6, 7, 8) == 4.5 ? 1 : 0;
  return good == 4 ? 0 : 1;
}

// The address of the instruction after a call, for source lines.
int places() {
  cuInit(0);
  std::size_t a = 0, b = 0;
  cuMemGetInfo_v2(&a, &b);
  return a == 1 && b == 2 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "copies") return copies();
  if (what == "signals") return signals();
  if (what == "signal_while_loading") return signal_while_loading();
  if (what == "many_copies") return many_copies();
  if (what == "linked") return linked();
  if (what == "arguments") return arguments_of_all_kinds();
  if (what == "throws") return throws();
  if (what == "ends_inside") return ends_inside();
  if (what == "quick") return quick();
  if (what == "busy") return busy(std::atoi(arguments[2]));
  if (what == "dlopen") return by_dlopen(arguments[2]);
  if (what == "many") return many(std::atoi(arguments[2]));
  if (what == "libraries") return libraries(arguments[2], std::atoi(arguments[3]));
  if (what == "entry_points") return entry_points();
  if (what == "forks") return forks();
  if (what == "forks_with_a_wrong_count") return forks_with_a_wrong_count();
  if (what == "execs") {
    cuInit(0);
    execl("/proc/self/exe", arguments[0], "linked", nullptr);
  }
  if (what == "threads") return threads();
  if (what == "many_threads") return many_threads();
  if (what == "crowd") return crowd(std::atoi(arguments[2]));
  if (what == "children") return children(std::atoi(arguments[2]), true);
  if (what == "short_children") return children(std::atoi(arguments[2]), false);
  if (what == "execs_again") {
    cuInit(0);
    const int left = std::atoi(arguments[2]);
    const std::string rest = std::to_string(left - 1);
    if (left > 0) execl("/proc/self/exe", arguments[0], "execs_again", rest.c_str(), nullptr);
    return 0;
  }
  if (what == "prints") return prints();
  if (what == "prints_slowly") return prints_slowly();
  if (what == "closes") return closes_descriptors();
  if (what == "wild") return wild_pointers();
  if (what == "forwarded") return forwarded();
  if (what == "places") return places();
  if (what == "newer") return newer();
  if (what == "init") return cuInit(0);
  if (what == "missing") {
    void* pointer = nullptr;
    return cuMemAllocHost_v2(&pointer, 1) == 801 ? 0 : 1;
  }
  if (what == "crashes") {
    cuInit(0);
    return cuMemFree_v2(0xdead);
  }
  return 64;
}
