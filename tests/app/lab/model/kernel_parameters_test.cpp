// SPDX-License-Identifier: MIT
// The parameters of a kernel, from PTX and from mangled names; and nothing if these do not contain them.
#include "model/kernel_parameters.hpp"

#include <gtest/gtest.h>

namespace {

using lab::parameters_in_name;
using lab::parameters_in_ptx;

constexpr const char* kPtx = R"(//
// a comment with .entry vecAdd (.param .u8 x)
.version 8.0
.target sm_80
.extern .func (.param .b32 result) change(.param .b32 number);
.visible .entry vecAdd(
	.param .u64 vecAdd_param_0,
	.param .u64 .ptr .global .align 4 vecAdd_param_1, /* , */
	.param .u64 vecAdd_param_2,
	.param .u32 vecAdd_param_3
)
.maxntid 256
{
  ret;
}
.entry nothing() { ret; }
.entry bare { ret; }
.visible .entry mixed(.param .u8 a, .param .align 16 .b8 b[16], .param .u16 c, .param .f64 d) { ret; }
.visible .entry cut(.param .u64 a, .param .u32)";

TEST(KernelParameters, ptx_tells_their_number_and_bytes) {
  const auto add = parameters_in_ptx(kPtx, "vecAdd");
  ASSERT_TRUE(add);
  EXPECT_EQ(add->count, 4u);
  EXPECT_EQ(add->bytes, 28u);
}

// Measured on an H200: launch_rest, steps 16 to 24 (1 byte at 0, 16 at 16, 2 at 32, …).
TEST(KernelParameters, each_stands_at_a_multiple_of_its_alignment) {
  const auto mixed = parameters_in_ptx(kPtx, "mixed");
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->count, 4u);
  EXPECT_EQ(mixed->bytes, 48u);
}

TEST(KernelParameters, a_kernel_may_take_none) {
  for (const char* name : {"nothing", "bare"}) {
    const auto found = parameters_in_ptx(kPtx, name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->count, 0u);
    EXPECT_EQ(found->bytes, 0u);
  }
}

TEST(KernelParameters, what_the_text_does_not_hold_whole_is_not_known) {
  for (const char* name : {"cut", "change", "vec", ""}) EXPECT_FALSE(parameters_in_ptx(kPtx, name)) << name;
  EXPECT_FALSE(parameters_in_ptx(".entry f(.param .u64 a[999999999]) {", "f"));
  EXPECT_FALSE(parameters_in_ptx(".entry f(.param) {", "f"));
  EXPECT_FALSE(parameters_in_ptx(".entry f", "f"));
  EXPECT_FALSE(parameters_in_ptx("", "f"));
}

TEST(KernelParameters, every_beginning_of_a_text_is_read_without_harm) {
  const std::string whole = kPtx;
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const auto found = parameters_in_ptx(std::string_view(whole).substr(0, length), "vecAdd");
    if (found) {
      EXPECT_EQ(found->count, 4u) << length;
    }
  }
}

TEST(KernelParameters, a_mangled_name_tells_their_number) {
  EXPECT_EQ(parameters_in_name("_Z6vecAddPKfS0_Pfi")->count, 4u);
  EXPECT_EQ(parameters_in_name("_Z4idlev")->count, 0u);
  EXPECT_EQ(parameters_in_name("_Z5applyIiEvPT_PFiiiE")->count, 2u) << "a function's own are its own";
  EXPECT_FALSE(parameters_in_name("_Z6vecAddPKfS0_Pfi")->bytes);
}

TEST(KernelParameters, a_name_that_is_not_mangled_tells_nothing) {
  for (const char* name : {"vecAdd", "", "_Z", "_ZN3foo3barE"})
    EXPECT_FALSE(parameters_in_name(name)) << name;
}

}  // namespace
