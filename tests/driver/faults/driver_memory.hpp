// SPDX-License-Identifier: MIT
// What the embedded driver does where the program has no memory left: an allocation inside a call fails, the
// first, the second and so on until the call needs no more; once alone, and once all that follow with it. The
// same with its mappings; and each of its waits ends early. No exception may come out, an error has to be
// OUT_OF_MEMORY, what the call worked on has to be usable or gone, and afterwards everything else has to
// work.
//
// The program's own operator new, mmap and syscall are what fails, because the driver uses them too. Uses
// cuda.h only.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace without_memory {

inline const char* const code = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .global .align 4 .u32 counter = 5;
.visible .global .attribute(.managed) .align 4 .u32 shared_counter = 7;
.visible .entry add(.param .u64 p, .param .u32 what) {
  .reg .b64 %rd<2>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [what]; ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r2, %r1;
  st.global.u32 [%rd1], %r3; ret;
}
.visible .entry empty() { ret; }
)";

const char* name(CUresult result);
#define ok(call) EXPECT_STREQ("CUDA_SUCCESS", ::without_memory::name(call)) << #call

// A program in order, in the context that is current: memory, copies, a kernel, a stream, an event.
class Usual {
 public:
  Usual();
  ~Usual();
  Usual(const Usual&) = delete;
  Usual& operator=(const Usual&) = delete;

  void works();
  CUfunction add() const { return add_; }

 private:
  CUmodule module_ = nullptr;
  CUfunction add_ = nullptr;
};

enum class Whose { OwnThread, AnyThread };
enum class What { Allocation, Mapping, Wait };

struct Act {
  std::function<void()> before = [] {};
  std::function<CUresult()> call;
  std::function<void()> undo = [] {};        // behind a call that succeeded
  std::function<void()> had_failed = [] {};  // behind one that did not
  bool needs_memory = true;                  // false where it depends on what is over already
  long apart = 1;                            // of many that take long every so manieth, unless all are wanted
};

// One call while the allocation `at` fails, or all from it on. Whether it was reached; throws nothing.
struct Failure {
  long at = 1;
  bool all_from_it = false;
  bool too_long = false;  // std::length_error, as containers throw it, in place of std::bad_alloc
  Whose whose = Whose::OwnThread;
  What what = What::Allocation;
};
// DRIVERLAB_FAULTS=all in the environment tries each.
long step(long apart);
bool call_with(const Failure& failure, const std::function<CUresult()>& call, CUresult& result);
// OUT_OF_MEMORY; of a mapping that failed also what the system or a mapping has as an error of its own.
bool is_right(const Failure& failure, CUresult result);

class WithoutMemory : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  // Each allocation of the call fails in its turn.
  void fails_once(const Act& act, Whose whose = Whose::OwnThread);

  CUcontext context_ = nullptr;
  std::optional<Usual> usual_;

 private:
  void fails_at_each(const Act& act, Failure failure);

  std::size_t free_before_ = 0;
  std::size_t total_ = 0;
};

}  // namespace without_memory
