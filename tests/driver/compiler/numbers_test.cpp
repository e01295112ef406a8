// SPDX-License-Identifier: MIT
// Products and sums that are rounded once, and what a failed assertion says. Figures of the first: what
// ptxas 13.0 makes of the same text.
#include <unistd.h>

#include <bit>

#include "both_ways.hpp"

using namespace both_ways;

namespace {

// 255.6 - 1.2 * 213: rounded twice it is 0.
constexpr double once = 3.774758283725532e-15;

double result(const std::string& body) {
  const std::string text = kernel(
      "  .reg .b64 %rd2; .reg .f64 %a, %b, %c, %s, %t, %z; .reg .pred %p;\n"
      "  ld.param.u64 %rd2, [out]; mov.f64 %a, 0d406FF33333333333; mov.f64 %b, 0d3FF3333333333333;\n"
      "  mov.f64 %c, 0d406AA00000000000; setp.eq.f64 %p, %a, %b;\n" +
      body + "  st.global.f64 [%rd2], %s; ret;\n");
  const Answer answer = compiled(text, {1, 1}, 2, 0);
  EXPECT_EQ(answer, interpreted(text, {1, 1}, 2, 0)) << text;
  return std::bit_cast<double>(answer.words[0] | std::uint64_t{answer.words[1]} << 32);
}

}  // namespace

TEST(numbers, a_product_that_goes_into_a_sum_is_not_rounded) {
  EXPECT_EQ(result("mul.f64 %t, %b, %c; sub.f64 %s, %a, %t;\n"), once);
  EXPECT_EQ(result("mul.f64 %t, %b, %c; sub.f64 %s, %t, %a;\n"), -once);
  EXPECT_EQ(result("neg.f64 %z, %a; mul.f64 %t, %b, %c; add.f64 %s, %t, %z;\n"), -once);
  EXPECT_EQ(result("mul.f64 %t, %b, %c; sub.f64 %s, %a, %t; sub.f64 %z, %t, %a; add.f64 %s, %s, %z;\n"), 0);
}

TEST(numbers, a_rounding_that_is_asked_for_is_done) {
  EXPECT_EQ(result("mul.rn.f64 %t, %b, %c; sub.f64 %s, %a, %t;\n"), 0);
  EXPECT_EQ(result("mul.f64 %t, %b, %c; sub.rn.f64 %s, %a, %t;\n"), 0);
}

TEST(numbers, a_product_that_is_used_otherwise_is_rounded) {
  EXPECT_EQ(result("mul.f64 %t, %b, %c; sub.f64 %s, %a, %t; st.global.f64 [%rd2], %t;\n"), 0);
  EXPECT_EQ(result("mul.f64 %t, %b, %c; mov.f64 %b, 0d3FF0000000000000; sub.f64 %s, %a, %t;\n"), 0);
}

TEST(numbers, of_two_products_the_first_goes_into_the_sum) {
  // 1.2 * 213 is a little more than 255.6; a * 1 is exact.
  EXPECT_EQ(result("mul.f64 %t, %b, %c; mul.f64 %z, %a, 0d3FF0000000000000; sub.f64 %s, %z, %t;\n"), 0);
  EXPECT_EQ(result("mul.f64 %t, %b, %c; mul.f64 %z, %a, 0d3FF0000000000000; sub.f64 %s, %t, %z;\n"), -once);
}

TEST(numbers, products_of_loops_and_branches_are_those_of_their_own_round) {
  // The sum takes the product of the round before, whose factor is another one by then.
  EXPECT_EQ(result("mov.f64 %s, 0d0000000000000000; mov.f64 %t, %s; mov.f64 %z, 0d3FF0000000000000;\n"
                   "L: add.f64 %s, %s, %t; add.f64 %z, %z, %z; mul.f64 %t, %z, %z;\n"
                   "setp.lt.f64 %p, %z, 0d4020000000000000; @%p bra L;\n"),
            4 + 16);
}

// Each in a process of its own, because the error stays with the process.
TEST(numbersDeathTest, a_failed_assertion_names_its_block_and_thread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 "
      "e);\n"
      ".global .b8 said[2] = {119, 0};\n"
      ".visible .entry k(.param .u64 out, .param .u32 n) {\n"
      ".reg .pred %p; .reg .b32 %x, %y, %t; .reg .b64 %s;\n"
      "mov.u32 %x, %ctaid.x; mov.u32 %t, %tid.x; setp.ne.u32 %p, %x, 3; @%p bra END;\n"
      "setp.ne.u32 %p, %t, 5; @%p bra END;\n"
      "mov.u64 %s, said; cvta.global.u64 %s, %s; mov.u32 %y, 7;\n"
      "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
      "st.param.b64 [a], %s; st.param.b64 [b], %s; st.param.b32 [c], %y; st.param.b64 [d], %s;\n"
      "st.param.b64 [e], 1; call __assertfail, (a, b, c, d, e); }\nEND: ret;\n}\n";
  for (const char* const way : {"compiled", "interpreted"})
    EXPECT_EXIT(_exit(run(way, text, {5, 32}, 1, 0).result == CUDA_ERROR_ASSERT ? 0 : 1),
                testing::ExitedWithCode(0), "w:7: w: block: .3,0,0., thread: .5,0,0. Assertion `w` failed.");
}
