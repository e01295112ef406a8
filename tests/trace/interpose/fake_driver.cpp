// SPDX-License-Identifier: MIT
// A driver small enough to be understood at once, for the tests of the tracer only: no devices, no memory,
// only results that show whether a call arrived unchanged. The tracer forwards to it as to libcuda.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {
thread_local std::uint64_t stack[16];
thread_local int depth = 0;
std::uint64_t next_context = 0xc0de000;
std::uint64_t next_memory = 0x700000000000;

// True once the library is loaded. On request a signal comes in the middle of that.
bool loaded = false;
[[gnu::constructor]] void load() {
  if (std::getenv("FAKE_DRIVER_RAISES") != nullptr) raise(SIGALRM);
  loaded = true;
}

// Found by cuGetProcAddress only, as a function of a newer driver is.
double newer(double factor, int a, int b, int c, int d, int e, int f, long stacked, long last) {
  return a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && stacked == 7 && last == 8 ? 2 * factor
                                                                                               : 0;
}
}  // namespace

#pragma GCC visibility push(default)
namespace {
char device_memory[8192];
}

extern "C" {

int cuInit(unsigned flags) {
  if (!loaded) return 3;
  return flags == 0 ? 0 : 1;
}

int cuDeviceGetName(char* name, int length, int device) {
  if (device != 0) return 101;
  std::strncpy(name, "Fake device", static_cast<std::size_t>(length));
  return 0;
}

int cuCtxGetCurrent(std::uint64_t* context) {
  *context = depth > 0 ? stack[depth - 1] : 0;
  return 0;
}

int cuCtxPushCurrent_v2(std::uint64_t context) {
  if (context == 0) return 201;
  stack[depth++] = context;
  return 0;
}

int cuCtxPopCurrent_v2(std::uint64_t* context) {
  if (depth == 0) return 201;
  *context = stack[--depth];
  return 0;
}

// Calls another entry point by both ways that a driver has: bound to itself, and asked of the process.
int cuCtxCreate_v2(std::uint64_t* context, unsigned, int) {
  *context = next_context += 0x1000;
  cuCtxPushCurrent_v2(*context);
  std::uint64_t popped = 0;
  using Pop = int (*)(std::uint64_t*);
  const auto pop = reinterpret_cast<Pop>(dlsym(RTLD_DEFAULT, "cuCtxPopCurrent_v2"));
  if (pop == nullptr || pop(&popped) != 0) return 999;
  return cuCtxPushCurrent_v2(popped);
}

int cuMemAlloc_v2(std::uint64_t* pointer, std::size_t size) {
  if (size == 0) return 1;
  *pointer = next_memory += 0x100000;
  return 0;
}

// One memory of 8 KiB. A length of 1 fails, one of 2 is taken without a look at the bytes.
int cuMemcpyHtoD_v2(std::uint64_t, const void* from, std::size_t bytes) {
  if (bytes == 1) return 1;
  if (bytes != 2)
    std::memcpy(device_memory, from, bytes < sizeof device_memory ? bytes : sizeof device_memory);
  return 0;
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t, std::size_t bytes) {
  std::memcpy(to, device_memory, bytes < sizeof device_memory ? bytes : sizeof device_memory);
  return 0;
}
int cuMemFree_v2(std::uint64_t pointer) {
  if (pointer == 0xdead) raise(SIGSEGV);
  if (pointer == 0xbad) throw 17;
  if (pointer == 0xe4d) pthread_exit(nullptr);
  return 0;
}

int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total) {
  *free_bytes = 1;
  *total = 2;
  return 0;
}

// Succeeds when all came as the traced program passes them, in registers and on the stack.
int cuLaunchKernel(std::uint64_t function, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e,
                   unsigned f, unsigned shared, std::uint64_t stream, void** parameters, void** extra) {
  const bool whole = function == 0xf00 && a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 &&
                     shared == 7 && stream == 8 && parameters == nullptr && extra == nullptr;
  return whole ? 0 : 1;
}
int cuCtxGetDevice(int* device) {
  *device = -2;
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  *value = -attribute;
  return device == -3 ? 0 : 101;
}

int cuModuleGetFunction(std::uint64_t* function, std::uint64_t module, const char* name) {
  if (module == 0 || name == nullptr) return 400;
  if (module == 0xbad) throw 17;
  if (reinterpret_cast<std::uintptr_t>(name) < 4096) return 1;  // refused unread
  *function = 0xf00;
  return 0;
}

int cuGetProcAddress_v2(const char* symbol, void** function, int, std::uint64_t, int* status) {
  void* self = dlopen(nullptr, RTLD_LAZY);
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&cuInit), &info);
  void* library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  const bool versioned = std::strcmp(symbol, "cuMemAlloc") == 0;
  *function = std::strcmp(symbol, "cuPrivate") == 0 ? reinterpret_cast<void*>(&next_memory)
                                                    : dlsym(library, versioned ? "cuMemAlloc_v2" : symbol);
  if (std::strcmp(symbol, "cuNewerThanThis") == 0) *function = reinterpret_cast<void*>(&newer);
  if (status != nullptr) *status = *function == nullptr ? 1 : 0;
  dlclose(library);
  dlclose(self);
  return 0;
}

#ifdef FORWARDED_NAME
// A name that api/ does not describe: every register must arrive as it was.
int FORWARDED_NAME(int a, int b, int c, int d, int e, int f, double x, double y, int stacked) {
  if (a == 17) throw 17;
  return a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && x == 7.5 && y == 8.5 && stacked == 9
             ? 4711
             : -1;
}
#endif
}
