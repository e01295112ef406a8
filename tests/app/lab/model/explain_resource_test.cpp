// SPDX-License-Identifier: MIT
// Why calls about parts of a device and about core dumps fail. For each sentence there is a call for which it
// would not be true, and which does not get it.
#include "explained.hpp"

namespace lab_model_test {
namespace {

using trace::ValueKind;

std::string split(std::uint64_t least, const char* input, int result = 915) {
  World run;
  run.init();
  support::Call& made = run.call("cuDevSmResourceSplitByCount").in("input", 0x7ffd3000, ValueKind::Struct);
  made.event().arguments.back().text = input;
  made.in("minCount", least).result(result);
  return why_failed(run);
}

std::string with_flags(const char* call, std::uint64_t flags, int result = 1) {
  World run;
  run.init();
  run.call(call).in("flags", flags, ValueKind::Flags).result(result);
  return why_failed(run);
}

TEST(explain_resource, a_group_larger_than_the_resource_is_told_with_both_numbers) {
  const char* const whole = "{type=CU_DEV_RESOURCE_TYPE_SM, sm={smCount=132, minSmPartitionSize=8}}";
  EXPECT_EQ(split(133, whole),
            "Each group was to have at least 133 multiprocessors, but the resource that is split has 132.");
  EXPECT_TELLS(split(132, whole), "cannot be split") << "it is large enough";
  EXPECT_TELLS(split(1, "{type=CU_DEV_RESOURCE_TYPE_SM, sm={smCount=8}}"), "a group or the rest");
  EXPECT_EQ(split(133, whole, 1), "") << "another error";
}

TEST(explain_resource, a_changed_resource_has_no_description) {
  World run;
  run.init();
  run.call("cuDevResourceGenerateDesc").in("nbResources", 1).result(915);
  EXPECT_TELLS(why_failed(run), "as a call wrote it");
  EXPECT_TELLS(why_failed(run, lab::Language::Chinese), "原样传入");
}

TEST(explain_resource, a_flag_that_is_needed_is_named_where_it_is_missing) {
  EXPECT_TELLS(with_flags("cuGreenCtxCreate", 0), "CU_GREEN_CTX_DEFAULT_STREAM");
  EXPECT_TELLS(with_flags("cuGreenCtxStreamCreate", 0), "CU_STREAM_NON_BLOCKING");
  for (const char* call : {"cuGreenCtxCreate", "cuGreenCtxStreamCreate"}) {
    EXPECT_EQ(with_flags(call, 1), "") << call;
    EXPECT_EQ(with_flags(call, 0, 2), "") << call;
  }
  EXPECT_EQ(with_flags("cuStreamCreate", 0), "") << "it needs no flag";
}

TEST(explain_resource, a_setting_of_core_dumps_may_be_one_of_the_environment) {
  for (const char* call : {"cuCoredumpSetAttributeGlobal", "cuCoredumpSetAttribute"})
    EXPECT_TELLS(with_flags(call, 0), "environment variable") << call;
  EXPECT_EQ(with_flags("cuCoredumpGetAttribute", 0), "");
}

struct WithStream : World {
  WithStream() {
    init();
    call("cuGreenCtxCreate").out_handle("phCtx", "CUgreenCtx", 0x10).in("dev", 0);
    call("cuGreenCtxStreamCreate")
        .out_handle("phStream", "CUstream", 0x20)
        .handle("greenCtx", "CUgreenCtx", 0x10);
  }
  void end(std::uint64_t green) {
    call("cuGreenCtxDestroy").handle("hCtx", "CUgreenCtx", green).place("main.cpp", 9);
  }
  support::Call& query() { return call("cuStreamQuery").handle("hStream", "CUstream", 0x20).result(709); }
};

TEST(explain_resource, a_stream_is_said_to_have_ended_with_its_green_context) {
  WithStream run;
  run.end(0x10);
  run.query();
  EXPECT_TELLS(why_failed(run), "S1 belonged to Green1, which was destroyed by call 4 (main.cpp:9)");
}

TEST(explain_resource, a_stream_of_another_or_of_a_new_green_context_is_not_said_to_have_ended) {
  WithStream other;
  other.end(0x11);
  other.query();
  EXPECT_EQ(why_failed(other), "");
  World run;
  run.init();
  run.call("cuGreenCtxDestroy").handle("hCtx", "CUgreenCtx", 0x10);
  run.call("cuGreenCtxCreate").out_handle("phCtx", "CUgreenCtx", 0x10).in("dev", 0);
  run.call("cuGreenCtxStreamCreate")
      .out_handle("phStream", "CUstream", 0x20)
      .handle("greenCtx", "CUgreenCtx", 0x10);
  run.call("cuStreamQuery").handle("hStream", "CUstream", 0x20).result(709);
  EXPECT_EQ(why_failed(run), "") << "the same handle was given out again";
}

}  // namespace
}  // namespace lab_model_test
