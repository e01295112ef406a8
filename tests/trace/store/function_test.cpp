// SPDX-License-Identifier: MIT
// Functions as numbers: the same for the same name, whether api/ describes it or not, and back to the name.
#include "trace/function.hpp"

#include <gtest/gtest.h>

#include <string>

#include "trace/event.hpp"
#include "trace/store.hpp"

namespace trace::test {
namespace {

TEST(Function, a_described_name_has_the_number_of_the_api) {
  EXPECT_EQ(function_of("cuCtxCreate"), Function::cuCtxCreate);
  EXPECT_EQ(function_of("cudaSetDevice"), Function::cudaSetDevice);
  EXPECT_EQ(function_of("nvrtcVersion"), Function::nvrtcVersion);
  EXPECT_EQ(function_of(""), Function::None);
}

TEST(Function, each_number_has_its_name) {
  EXPECT_EQ(name_of(Function::None), "");
  for (std::size_t number = 1; number < api::kFunctions; ++number) {
    const auto function = static_cast<Function>(number);
    ASSERT_NE(name_of(function), "") << number;
    EXPECT_EQ(function_of(name_of(function)), function) << name_of(function);
  }
}

TEST(Function, names_that_nobody_described_have_numbers_of_their_own) {
  std::string name = "cuOfTomorrow";
  const Function first = function_of(name);
  EXPECT_GE(static_cast<std::size_t>(first), api::kFunctions);
  name = "cuOfTheDayAfter";
  const Function second = function_of(name);
  EXPECT_NE(first, second);
  name = "gone";
  EXPECT_EQ(function_of("cuOfTomorrow"), first);
  EXPECT_EQ(name_of(first), "cuOfTomorrow");
  EXPECT_EQ(name_of(second), "cuOfTheDayAfter");
  EXPECT_EQ(name_of(static_cast<Function>(0xffffffffu)), "");
}

TEST(Function, its_purpose_is_the_one_in_its_name) {
  EXPECT_EQ(purpose_of(Function::cuCtxSynchronize), Purpose::Waits);
  EXPECT_EQ(purpose_of(Function::cuLaunchKernel), Purpose::Launches);
  EXPECT_EQ(purpose_of(Function::cuCtxGetCurrent), Purpose::Asks);
  EXPECT_EQ(purpose_of(Function::cuStreamQuery), Purpose::Asks);
  EXPECT_EQ(purpose_of(Function::cuDeviceCanAccessPeer), Purpose::Asks);
  EXPECT_EQ(purpose_of(Function::cuMemAlloc), Purpose::Other);
  EXPECT_EQ(purpose_of(function_of("cuGetTomorrow")), Purpose::Asks);
}

TEST(Function, a_store_knows_which_one_a_call_is_of) {
  Store store;
  for (const char* const name : {"cuMemAlloc", "cuOfTomorrow"}) {
    Event call;
    call.name = call.symbol = name;
    store.append(call);
  }
  EXPECT_EQ(store.at(0).function, Function::cuMemAlloc);
  EXPECT_EQ(store.at(1).function, function_of("cuOfTomorrow"));
}

}  // namespace
}  // namespace trace::test
