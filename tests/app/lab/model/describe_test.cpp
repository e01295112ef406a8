// SPDX-License-Identifier: MIT
// The words of a call: names for handles, numbers for allocations.
#include "world.hpp"

using namespace lab_model_test;
using trace::ValueKind;

namespace {

struct Told : World {
  trace::Store store;
  std::unique_ptr<lab::Model> model;
  lab::Model& fold_all() {
    into(store);
    model = std::make_unique<lab::Model>(store);
    model->follow();
    return *model;
  }
};

}  // namespace

TEST(describe, a_created_context_shows_by_its_new_name) {
  Told told;
  told.create(kA);
  told.call("cuCtxCreate")
      .out_context("pctx", kB)
      .in("ctxCreateParams", 0, ValueKind::HostPointer)
      .in("flags", 0)
      .in("dev", 1, ValueKind::Device)
      .current(kB);
  EXPECT_EQ(told.fold_all().describe(1), "cuCtxCreate(&pctx = B, ctxCreateParams=null, flags=0, dev=1)");
}

TEST(describe, outputs_of_a_failed_call_have_no_value) {
  Told told;
  told.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16, ValueKind::Size).result(201);
  told.call("cuMemAlloc").null_out("dptr").in("bytesize", 16, ValueKind::Size).result(1);
  EXPECT_EQ(told.fold_all().describe(0), "cuMemAlloc(&dptr, bytesize=16)");
  EXPECT_EQ(told.model->describe(1), "cuMemAlloc(dptr=null, bytesize=16)");
}

TEST(describe, addresses_are_allocations_even_in_the_call_that_frees_them) {
  Told told;
  told.create(kA);
  told.allocate(kMemory, 64);
  told.call("cuMemsetD8").in("dstDevice", kMemory + 16, ValueKind::DevicePointer).in("N", 1);
  told.free(kMemory);
  told.free(kMemory).result(1);
  lab::Model& model = told.fold_all();
  EXPECT_EQ(model.describe(1), "cuMemAlloc(&dptr = #1, bytesize=64)");
  EXPECT_EQ(model.describe(2), "cuMemsetD8(dstDevice=#1+16, N=1)");
  EXPECT_EQ(model.describe(3), "cuMemFree(dptr=#1)");
  EXPECT_EQ(model.describe(4), "cuMemFree(dptr=0x7f0000000000)") << "it is nobody's any more";
}

TEST(describe, unknown_handles_stay_numbers_and_null_is_null) {
  Told told;
  told.push(0x1234).result(201).event().current.reset();
  told.set(0);
  EXPECT_EQ(told.fold_all().describe(0), "cuCtxPushCurrent(ctx=0x1234)");
  EXPECT_EQ(told.model->describe(1), "cuCtxSetCurrent(ctx=null)");
}

TEST(describe, a_long_string_is_cut_between_characters) {
  Told told;
  std::string text;
  for (int i = 0; i < 100; ++i) text += "上";
  told.call("cuModuleGetFunction").in("name", 1, ValueKind::String);
  told.calls().back().event().arguments.back().text = text;
  const std::string words = told.fold_all().describe(0);
  EXPECT_LT(words.size(), 200u);
  EXPECT_NE(words.find("上…\""), std::string::npos);
}

TEST(describe, a_string_that_came_back_is_shown) {
  Told told;
  told.call("cuDeviceGetName").out_text("name", "Embedded GPU 0").in("len", 64).in("dev", 0);
  told.calls().back().event().arguments.front().out.reset();  // as it is recorded: the text alone
  told.call("cuDeviceGetName").out_text("name", "").in("len", 64).in("dev", 0).result(101);
  told.calls().back().event().arguments.front().out.reset();
  EXPECT_EQ(told.fold_all().describe(0), "cuDeviceGetName(&name = \"Embedded GPU 0\", len=64, dev=0)");
  EXPECT_EQ(told.model->describe(1), "cuDeviceGetName(&name, len=64, dev=0)");
}

TEST(describe, what_a_held_call_was_passed_is_said_before_it_runs) {
  Told told;
  told.create(kA);
  lab::Model& model = told.fold_all();
  World held;
  trace::Event call = held.call("cuCtxPushCurrent").context("ctx", kA).event();
  call.returned = false;
  EXPECT_EQ(model.describe(call), "cuCtxPushCurrent(ctx=A)");
  trace::Event create = held.call("cuCtxCreate").unwritten("pctx").in("flags", 0).in("dev", 1).event();
  EXPECT_EQ(model.describe(create), "cuCtxCreate(&pctx, flags=0, dev=1)");
}

TEST(describe, an_event_that_is_not_there_has_no_words) {
  Told told;
  EXPECT_EQ(told.fold_all().describe(0), "");
  EXPECT_TRUE(told.model->agrees(0));
}

TEST(stacks, a_context_that_was_destroyed_stays_on_another_stack_as_ended) {
  Told told;
  told.init();
  told.create(kA);
  told.create(kB);
  told.push(kA);
  told.destroy(kB);
  lab::Model& model = told.fold_all();
  using Stack = std::vector<lab::StackEntry>;
  EXPECT_EQ(model.stack_after(3), Stack({{"A", true}, {"B", true}, {"A", true}}));
  EXPECT_EQ(model.stack_after(4), Stack({{"A", true}, {"B", false}, {"A", true}}));
}

TEST(stacks, names_current_and_agreement_are_those_after_the_call) {
  Told told;
  told.init();
  told.create(kA);
  told.create(kB);
  told.push(kA);
  told.pop(kA).current(kB);
  told.call("cuCtxSynchronize").current(kA);
  lab::Model& model = told.fold_all();
  using Names = std::vector<std::string>;
  EXPECT_EQ(model.stack_names(0), Names());
  EXPECT_EQ(model.current_name(0), "") << "the driver has not been asked yet";
  EXPECT_EQ(model.stack_names(1), Names({"A"}));
  EXPECT_EQ(model.stack_names(2), Names({"A", "B"}));
  EXPECT_EQ(model.stack_names(3), Names({"A", "B", "A"}));
  EXPECT_EQ(model.stack_names(4), Names({"A", "B"}));
  EXPECT_EQ(model.current_name(4), "B");
  EXPECT_TRUE(model.agrees(4));
  EXPECT_FALSE(model.agrees(5));
}
