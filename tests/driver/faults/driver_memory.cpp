// SPDX-License-Identifier: MIT
// The program's operator new, which fails when a test wants it to, and what these tests share.
#include "driver_memory.hpp"

#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

// Which allocation from now on fails, in this thread or in any; 0: none.
constinit std::atomic<bool> failed{false};
constinit thread_local long countdown = 0;
constinit std::atomic<long> countdown_of_all{0};
constinit thread_local bool all_from_it = false;
constinit std::atomic<bool> too_long{false};
constinit std::atomic<without_memory::What> chosen{without_memory::What::Allocation};

bool fails_now(without_memory::What what) {
  if (what != chosen.load(std::memory_order_relaxed)) return false;
  if (countdown == 1) {
    if (!all_from_it) countdown = 0;
    failed = true;
    return true;
  }
  if (countdown > 1) --countdown;
  if (countdown_of_all.load(std::memory_order_relaxed) <= 0 || countdown_of_all.fetch_sub(1) != 1)
    return false;
  failed = true;
  return true;
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (fails_now(without_memory::What::Allocation)) {
    if (too_long) throw std::length_error("too long");
    throw std::bad_alloc();
  }
  void* const got = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (got == nullptr) throw std::bad_alloc();
  return got;
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size == 0 ? 1 : size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size == 0 ? 1 : size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

// The driver's own mappings and waits; those of the C library do not come by here.
extern "C" __attribute__((visibility("default"))) void* mmap(void* where, std::size_t size, int protection,
                                                             int flags, int file, off_t offset) noexcept {
  if (fails_now(without_memory::What::Mapping)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return std::bit_cast<void*>(syscall(SYS_mmap, where, size, protection, flags, file, offset));
}

extern "C" __attribute__((visibility("default"))) long syscall(long number, ...) noexcept {
  va_list list;
  long a[6];
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_futex && (a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT && fails_now(without_memory::What::Wait)) {
    errno = EINTR;
    return -1;
  }
  static const auto through = reinterpret_cast<long (*)(long, ...)>(dlsym(RTLD_NEXT, "syscall"));
  return through(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

namespace without_memory {

const char* name(CUresult result) {
  const char* text = "no result";
  cuGetErrorName(result, &text);
  return text;
}

Usual::Usual() {
  ok(cuModuleLoadData(&module_, code));
  ok(cuModuleGetFunction(&add_, module_, "add"));
}

Usual::~Usual() {
  ok(cuModuleUnload(module_));
}

void Usual::works() {
  const std::uint32_t before = 40;
  std::uint32_t after = 0;
  std::uint32_t what = 2;
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  ok(cuMemAlloc(&memory, sizeof before));
  ok(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  ok(cuEventCreate(&event, CU_EVENT_DEFAULT));
  ok(cuMemcpyHtoDAsync(memory, &before, sizeof before, stream));
  void* arguments[] = {&memory, &what};
  ok(cuLaunchKernel(add_, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  ok(cuEventRecord(event, stream));
  ok(cuEventSynchronize(event));
  ok(cuMemcpyDtoH(&after, memory, sizeof after));
  EXPECT_EQ(42U, after);
  ok(cuEventDestroy(event));
  ok(cuStreamDestroy(stream));
  ok(cuMemFree(memory));
}

bool call_with(const Failure& failure, const std::function<CUresult()>& call, CUresult& result) {
  failed = false;
  all_from_it = failure.all_from_it;
  too_long = failure.too_long;
  chosen = failure.what;
  if (failure.whose == Whose::OwnThread)
    countdown = failure.at;
  else
    countdown_of_all = failure.at;
  bool thrown = false;
  try {
    result = call();
  } catch (...) {
    thrown = true;
  }
  countdown = 0;
  countdown_of_all = 0;
  EXPECT_FALSE(thrown);
  return failed;
}

long step(long apart) {
  const char* const wanted = std::getenv("DRIVERLAB_FAULTS");
  return wanted != nullptr && std::string_view(wanted) == "all" ? 1 : apart;
}

bool is_right(const Failure& failure, CUresult result) {
  return result == CUDA_ERROR_OUT_OF_MEMORY ||
         (failure.what == What::Mapping &&
          (result == CUDA_ERROR_OPERATING_SYSTEM || result == CUDA_ERROR_MAP_FAILED));
}

void WithoutMemory::SetUp() {
  ok(cuInit(0));
  ok(cuCtxCreate(&context_, nullptr, 0, 0));
  usual_.emplace();
  usual_->works();
  ok(cuMemGetInfo(&free_before_, &total_));
}

void WithoutMemory::TearDown() {
  if (!HasFailure()) {
    ok(cuCtxSynchronize());
    std::size_t free = 0;
    ok(cuMemGetInfo(&free, &total_));
    EXPECT_EQ(free_before_, free) << "device memory is lost";
  }
  usual_.reset();
  ok(cuCtxDestroy(context_));
}

void WithoutMemory::fails_once(const Act& act, Whose whose) {
  for (const What what : {What::Allocation, What::Mapping, What::Wait}) {
    if (!HasFailure()) fails_at_each(act, {.whose = whose, .what = what});
    // In all threads for good: what is enqueued already could not be done.
    if (what != What::Wait && whose == Whose::OwnThread && !HasFailure())
      fails_at_each(act, {.all_from_it = true, .what = what});
  }
}

void WithoutMemory::fails_at_each(const Act& act, Failure failure) {
  for (; failure.at < 5000; failure.at += step(act.apart)) {
    constexpr const char* kinds[] = {"allocation ", "mapping ", "wait "};
    SCOPED_TRACE((failure.all_from_it ? "all from " : "") +
                 std::string(kinds[static_cast<int>(failure.what)]) + std::to_string(failure.at));
    act.before();
    CUresult result = CUDA_SUCCESS;
    const bool reached = call_with(failure, act.call, result);
    if (result == CUDA_SUCCESS) {
      act.undo();
    } else {
      EXPECT_TRUE(reached);
      EXPECT_TRUE(is_right(failure, result)) << name(result);
      act.had_failed();
    }
    usual_->works();
    if (HasFailure()) return;
    if (!reached) {
      EXPECT_TRUE(failure.at > 1 || failure.what != What::Allocation || !act.needs_memory)
          << "the call allocates nothing";
      return;
    }
  }
  FAIL() << "the call never needs no more";
}

}  // namespace without_memory
