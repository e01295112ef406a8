// SPDX-License-Identifier: MIT
// The ways in which threads of a block go apart and wait for each other.
#include "both_ways.hpp"

using namespace both_ways;

namespace {

void expect_same(const std::string& body, const Shape& shape, std::uint32_t number,
                 const std::vector<std::uint32_t>& expected = {}) {
  const std::string text = kernel(own_word + body);
  const std::size_t words = shape.threads();
  const Answer by_compiler = compiled(text, shape, words, number);
  EXPECT_EQ(by_compiler.result, CUDA_SUCCESS) << text;
  EXPECT_EQ(by_compiler, interpreted(text, shape, words, number)) << text;
  if (!expected.empty()) {
    EXPECT_EQ(by_compiler.words, expected);
  }
}

std::vector<std::uint32_t> counted(std::size_t size, std::uint32_t (*value)(std::uint32_t)) {
  std::vector<std::uint32_t> words(size);
  for (std::uint32_t i = 0; i < size; ++i) words[i] = value(i);
  return words;
}

}  // namespace

TEST(flow, a_row_that_is_partly_in_writes_only_what_is_in) {
  expect_same("  setp.ge.s32 %p1, %r1, %r2; @%p1 bra END; st.global.u32 [%rd1], %r1;\nEND: ret;\n", {4, 64},
              100, counted(256, [](std::uint32_t i) { return i < 100 ? i : 0; }));
}

TEST(flow, a_guard_whose_number_wraps_inside_a_row_is_asked_for_each_thread) {
  // 0x7ffffff0 + x: positive for 16 threads of the row, negative for the others.
  expect_same(
      "  add.s32 %r4, %r192, 0x7ffffff0; setp.lt.s32 %p1, %r4, %r2; @%p1 bra END; st.global.u32 [%rd1], 7;\n"
      "END: ret;\n",
      {1, 32}, 0, counted(32, [](std::uint32_t i) { return i < 16 ? 7U : 0U; }));
}

TEST(flow, a_guard_with_no_thread_in_leaves_everything_alone) {
  expect_same("  setp.ge.s32 %p1, %r1, %r2; @%p1 bra END; st.global.u32 [%rd1], 1;\nEND: ret;\n", {2, 128},
              0xffffff00U, counted(256, [](std::uint32_t) { return 0U; }));
}

TEST(flow, threads_that_left_early_are_not_waited_for) {
  expect_same(
      "  .shared .b32 s[64]; setp.ge.s32 %p1, %r3, 40; @%p1 ret; mul.lo.s32 %r5, %r3, 4; mov.u32 %r6, s;\n"
      "  add.s32 %r5, %r5, %r6; st.shared.u32 [%r5], %r3; bar.sync 0; sub.s32 %r7, 39, %r3; mul.lo.s32 %r7, "
      "%r7, 4;\n"
      "  add.s32 %r7, %r7, %r6; ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd1], %r8; ret;\n",
      {1, 64}, 0, counted(64, [](std::uint32_t i) { return i < 40 ? 39 - i : 0; }));
}

TEST(flow, threads_meet_at_different_instructions_of_one_barrier) {
  expect_same(
      "  .shared .b32 s[64]; mul.lo.s32 %r5, %r3, 4; mov.u32 %r6, s; add.s32 %r5, %r5, %r6; st.shared.u32 "
      "[%r5], %r3;\n"
      "  and.b32 %r7, %r3, 1; setp.eq.s32 %p1, %r7, 0; @%p1 bra EVEN; bar.sync 0; bra.uni ON;\nEVEN: "
      "bar.sync 0;\nON:\n"
      "  xor.b32 %r8, %r3, 63; mul.lo.s32 %r8, %r8, 4; add.s32 %r8, %r8, %r6; ld.shared.u32 %r9, [%r8];\n"
      "  st.global.u32 [%rd1], %r9; ret;\n",
      {1, 64}, 0, counted(64, [](std::uint32_t i) { return i ^ 63; }));
}

TEST(flow, a_named_barrier_waits_for_as_many_as_it_is_told) {
  expect_same(
      "  .shared .b32 s[64]; mul.lo.s32 %r5, %r3, 4; mov.u32 %r6, s; add.s32 %r5, %r5, %r6; st.shared.u32 "
      "[%r5], %r3;\n"
      "  setp.ge.s32 %p1, %r3, 32; @%p1 bra SECOND; bar.sync 1, 32; bra.uni ON;\nSECOND: bar.sync 2, "
      "32;\nON:\n"
      "  xor.b32 %r8, %r3, 31; mul.lo.s32 %r8, %r8, 4; add.s32 %r8, %r8, %r6; ld.shared.u32 %r9, [%r8];\n"
      "  st.global.u32 [%rd1], %r9; ret;\n",
      {1, 64}, 0, counted(64, [](std::uint32_t i) { return i ^ 31; }));
}

TEST(flow, a_thread_that_waits_for_memory_lets_the_one_it_waits_for_run) {
  // Thread 0 waits until the last thread of the block has written.
  expect_same(
      "  .shared .b32 flag; setp.ne.s32 %p1, %r3, 0; @%p1 bra OTHERS;\nWAIT: ld.volatile.shared.u32 %r5, "
      "[flag];\n"
      "  setp.eq.s32 %p2, %r5, 0; @%p2 bra WAIT; st.global.u32 [%rd1], %r5; ret;\nOTHERS: setp.ne.s32 %p3, "
      "%r3, 95;\n"
      "  @%p3 ret; st.volatile.shared.u32 [flag], 5; ret;\n",
      {1, 96}, 0, counted(96, [](std::uint32_t i) { return i == 0 ? 5U : 0U; }));
}

TEST(flow, a_lock_is_given_from_thread_to_thread) {
  expect_same(
      "LOCK: atom.global.cas.b32 %r5, [%rd2+4], 0, 1; setp.ne.s32 %p1, %r5, 0; @%p1 bra LOCK;\n"
      "  ld.volatile.global.u32 %r6, [%rd2]; add.s32 %r6, %r6, 1; st.volatile.global.u32 [%rd2], %r6;\n"
      "  membar.gl; atom.global.exch.b32 %r7, [%rd2+4], 0; ret;\n",
      {3, 64}, 0, counted(192, [](std::uint32_t i) { return i == 0 ? 192U : 0U; }));
}

TEST(flow, some_threads_of_a_warp_shuffle_among_themselves) {
  expect_same(
      "  setp.ge.s32 %p1, %r3, 16; @%p1 bra HIGH; shfl.sync.down.b32 %r5, %r3, 1, 31, 0xffff; bra.uni ON;\n"
      "HIGH: shfl.sync.up.b32 %r5, %r3, 1, 0, 0xffff0000;\nON: st.global.u32 [%rd1], %r5; ret;\n",
      {1, 32}, 0);
}

TEST(flow, warps_of_several_rows_find_their_lanes) {
  expect_same("  shfl.sync.bfly.b32 %r5, %r3, 5, 31, 0xffffffff; st.global.u32 [%rd1], %r5; ret;\n",
              {2, 8, 4, 2}, 0);
  expect_same("  shfl.sync.down.b32 %r5, %r3, 3, 31, 0xffffffff; st.global.u32 [%rd1], %r5; ret;\n",
              {1, 20, 3, 1}, 0);
}

TEST(flow, a_barrier_in_a_function_is_one) {
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.shared .b32 s[64];\n"
      ".func (.param .b32 r) other(.param .b32 i) {\n  .reg .b32 %r<9>; ld.param.u32 %r1, [i]; mov.u32 %r2, "
      "s;\n"
      "  mul.lo.s32 %r3, %r1, 4; add.s32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1; bar.sync 0; xor.b32 %r4, "
      "%r1, 63;\n"
      "  mul.lo.s32 %r4, %r4, 4; add.s32 %r4, %r4, %r2; ld.shared.u32 %r5, [%r4]; bar.sync 0; st.param.b32 "
      "[r], %r5; ret;\n}\n"
      ".visible .entry k(.param .u64 out, .param .u32 n) {\n" +
      std::string(own_word) +
      "  .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call (b), other, (a); ld.param.b32 %r5, [b];\n"
      "  xor.b32 %r6, %r5, 1; st.param.b32 [a], %r6; call (b), other, (a); ld.param.b32 %r7, [b];\n"
      "  st.global.u32 [%rd1], %r7; ret;\n}\n";
  const Answer by_compiler = compiled(text, {1, 64}, 64, 0);
  EXPECT_EQ(by_compiler, interpreted(text, {1, 64}, 64, 0));
  EXPECT_EQ(by_compiler.result, CUDA_SUCCESS);
}

TEST(flow, shared_variables_of_one_name_in_two_functions_and_a_kernel_are_three) {
  const auto exchanges = [](const std::string& name, const char* declaration) {
    return ".func (.param .b32 r) " + name + "(.param .b32 v) {\n  .reg .b32 %r<3>; " + declaration +
           " ld.param.u32 %r1, [v]; ld.shared.u32 %r2, [s]; st.shared.u32 [s], %r1; st.param.b32 [r], %r2; "
           "ret;\n}\n";
  };
  const auto call = [](const std::string& name, const std::string& value, const std::string& result) {
    return "  mov.u32 %r9, " + value + "; st.param.b32 [a], %r9; call (b), " + name + ", (a); ld.param.b32 " +
           result + ", [b];\n";
  };
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n" + exchanges("first", ".shared .b32 s[16];") +
      exchanges("second", ".shared .b32 s;") + ".visible .entry k(.param .u64 out, .param .u32 n) {\n" +
      std::string(own_word) + "  .shared .b32 s; .param .b32 a; .param .b32 b; st.shared.u32 [s], 1000;\n" +
      call("first", "5", "%r4") + call("second", "60", "%r4") + call("first", "0", "%r5") +
      call("second", "0", "%r6") +
      "  ld.shared.u32 %r7, [s]; add.s32 %r5, %r5, %r6; add.s32 %r5, %r5, %r7;\n"
      "  st.global.u32 [%rd1], %r5; ret;\n}\n";
  for (const Answer& answer : {compiled(text, {1, 1}, 1, 0), interpreted(text, {1, 1}, 1, 0)}) {
    EXPECT_EQ(answer.result, CUDA_SUCCESS);
    EXPECT_EQ(answer.words, std::vector<std::uint32_t>{1065});
  }
}

TEST(flow, a_loop_that_each_thread_leaves_at_its_own_time_keeps_every_thread_right) {
  expect_same(
      "  mov.u32 %r5, 0; mov.u32 %r6, 0;\nLOOP: vote.sync.ballot.b32 %r7, 1, 0xffffffff; add.s32 %r6, %r6, "
      "1;\n"
      "  add.s32 %r5, %r5, %r7; setp.lt.s32 %p1, %r6, %r2; @%p1 bra LOOP; mov.u32 %r8, 0;\n"
      "NEXT: add.s32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, %r3; @%p2 bra NEXT; bar.sync 0; add.s32 %r9, %r8, "
      "%r5;\n"
      "  st.global.u32 [%rd1], %r9; ret;\n",
      {1, 64}, 5);
}
