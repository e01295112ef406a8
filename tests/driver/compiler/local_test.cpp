// SPDX-License-Identifier: MIT
// Arrays in local memory that are overrun: nobody else's data changes, and far out is a fault.
//
// How far an H200 lets an index run is not known to the byte; here it is a KiB to both sides. The interpreter
// has frames of another layout, so only compiled kernels are asked where something lies outside.
#include <cstdlib>

#include "both_ways.hpp"

namespace {

using namespace both_ways;

// Every thread fills its eight words, writes 99 at an index of its own choice, waits or does not, and adds
// the eight words up. `through` is the instruction's space: .local, or nothing for a generic address.
std::string overrunning(bool waits, const std::string& index, const std::string& through = ".local") {
  std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 number) {
  .local .align 16 .b8 array[32];
  .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .s64 %at<3>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [number];
  mov.u32 %r2, %tid.x;
  mov.u64 %rd2, array;
)";
  if (through.empty()) text += "  cvta.local.u64 %rd2, %rd2;\n";
  for (int i = 0; i < 8; ++i)
    text += "  add.u32 %r3, %r2, " + std::to_string(i) + "; st" + through + ".u32 [%rd2+" +
            std::to_string(4 * i) + "], %r3;\n";
  text += "  " + index + "\n  mul.wide.s32 %at1, %r4, 4; add.s64 %rd3, %rd2, %at1;\n  mov.u32 %r5, 99; st" +
          through + ".u32 [%rd3], %r5;\n";
  if (waits) text += "  bar.sync 0;\n";
  text += "  mov.u32 %r6, 0;\n";
  for (int i = 0; i < 8; ++i)
    text += "  ld" + through + ".u32 %r7, [%rd2+" + std::to_string(4 * i) + "]; add.u32 %r6, %r6, %r7;\n";
  return text + R"(
  mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r6;
  ret;
})";
}

std::vector<std::uint32_t> sums(unsigned threads) {
  std::vector<std::uint32_t> all;
  all.reserve(threads);
  for (std::uint32_t i = 0; i < threads; ++i) all.push_back(8 * i + 28);
  return all;
}

const std::string by_number = "mov.u32 %r4, %r1;";

TEST(local, an_index_that_is_in_is_never_a_fault) {
  for (const bool waits : {false, true}) {
    for (const char* const through : {".local", ""}) {
      for (const std::uint32_t index : {0U, 3U, 7U}) {
        const Answer answer = compiled(overrunning(waits, by_number, through), {.x = 64}, 64, index);
        ASSERT_EQ(CUDA_SUCCESS, answer.result);
        for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(8 * i + 28 - (i + index) + 99, answer.words[i]);
        EXPECT_EQ(answer, interpreted(overrunning(waits, by_number, through), {.x = 64}, 64, index));
      }
    }
  }
}

TEST(local, a_little_outside_is_nobodys_data) {
  for (const bool waits : {false, true}) {
    for (const int index : {8, 9, 100, 200, -1, -50, -200}) {
      const Answer answer =
          compiled(overrunning(waits, by_number), {.x = 96}, 96, static_cast<std::uint32_t>(index));
      EXPECT_EQ(CUDA_SUCCESS, answer.result) << index;
      EXPECT_EQ(sums(96), answer.words) << index;
    }
  }
}

// A fault stays with its process, so each has its own.
void expect_fault(const std::string& text, unsigned threads, int number) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr int as_expected = 7;
  EXPECT_EXIT(
      {
        const Answer answer = compiled(text, {.x = threads}, threads, static_cast<std::uint32_t>(number));
        std::_Exit(answer.result == CUDA_ERROR_ILLEGAL_ADDRESS ? as_expected : 1);
      },
      testing::ExitedWithCode(as_expected), "")
      << number;
}

TEST(local, far_outside_is_an_illegal_address) {
  for (const bool waits : {false, true}) {
    for (const int index : {300, 100000, 400000000, -300, -400000000})
      expect_fault(overrunning(waits, by_number), 96, index);
  }
}

TEST(local, one_thread_that_runs_out_is_enough) {
  const std::string last = "setp.eq.u32 %p1, %r2, 63; selp.u32 %r4, %r1, 0, %p1;";
  for (const bool waits : {false, true}) {
    EXPECT_EQ(CUDA_SUCCESS, compiled(overrunning(waits, last), {.x = 64}, 64, 8).result);
    expect_fault(overrunning(waits, last), 64, 5000);
  }
}

TEST(local, a_place_outside_of_its_array_that_stands_in_the_text_is_found) {
  const auto text = [](const std::string& place) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u32 number) {\n"
           ".local .align 4 .b8 array[32];\n.reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
           "ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [number];\nst.local.u32 [" +
           place + "], %r1;\nld.local.u32 %r2, [" + place + "];\nst.global.u32 [%rd1], %r2;\nret;\n}\n";
  };
  const Answer inside = compiled(text("array+28"), {.x = 1}, 1, 5);
  EXPECT_EQ(CUDA_SUCCESS, inside.result);
  EXPECT_EQ(5U, inside.words[0]);
  expect_fault(text("array+100000"), 1, 5);
}

}  // namespace
