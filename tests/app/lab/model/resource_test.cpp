// SPDX-License-Identifier: MIT
// How many multiprocessors devices and green contexts have: only what calls have shown.
#include "world.hpp"

using namespace lab_model_test;
using lab::ObjectKind;

namespace {

constexpr std::uint64_t kDescription = 0x71, kGreen = 0x72, kContext = 0x5000c0;

std::string resource(int count) {
  return "{type=CU_DEV_RESOURCE_TYPE_SM, _internal_padding=[1, 2, …], sm={smCount=" + std::to_string(count) +
         ", minSmPartitionSize=4, smCoscheduledAlignment=2}, _oversize=[24, 0, …]}";
}

struct Shares : World {
  Shares() { create(kA); }
  support::Call& with_text(support::Call& call, std::string_view name, std::string text) {
    call.out(name, 0, trace::ValueKind::Struct).event().arguments.back().text = std::move(text);
    return call;
  }
  void describe(const std::string& resources) {
    support::Call& call = this->call("cuDevResourceGenerateDesc");
    with_text(call, "resources", resources).out_handle("phDesc", "CUdevResourceDesc", kDescription);
  }
  support::Call& green(std::uint64_t device = 0) {
    return call("cuGreenCtxCreate")
        .out_handle("phCtx", "CUgreenCtx", kGreen)
        .handle("desc", "CUdevResourceDesc", kDescription)
        .in("dev", device);
  }
  std::uint32_t of_green() {
    for (const lab::Object& object : fold().objects)
      if (object.id.kind == ObjectKind::GreenContext) return object.multiprocessors;
    return 0;
  }
};

}  // namespace

TEST(resources, a_device_says_how_many_multiprocessors_it_has) {
  Shares world;
  EXPECT_EQ(world.fold().devices.at(0).multiprocessors, 0u);
  world.with_text(world.call("cuDeviceGetDevResource").in("device", 0), "resource", resource(132));
  EXPECT_EQ(world.fold().devices.at(0).multiprocessors, 132u);
}

TEST(resources, the_attribute_says_so_too_and_other_attributes_do_not) {
  Shares world;
  const auto ask = [&world](std::string attribute, std::uint64_t value) {
    support::Call& call = world.call("cuDeviceGetAttribute").out("pi", value);
    call.in("attrib", 16, trace::ValueKind::Enumerator).event().arguments.back().text = std::move(attribute);
    call.in("dev", 0);
  };
  ask("CU_DEVICE_ATTRIBUTE_WARP_SIZE", 32);
  EXPECT_EQ(world.fold().devices.at(0).multiprocessors, 0u);
  ask("CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT", 24);
  EXPECT_EQ(world.fold().devices.at(0).multiprocessors, 24u);
}

TEST(resources, a_green_context_has_what_its_description_was_made_from) {
  Shares world;
  world.describe("[" + resource(16) + "]");
  world.green();
  EXPECT_EQ(world.of_green(), 16u);
}

TEST(resources, several_resources_add_up) {
  Shares world;
  world.describe("[" + resource(16) + ", " + resource(8) + "]");
  world.green();
  EXPECT_EQ(world.of_green(), 24u);
}

TEST(resources, nothing_is_invented_when_the_numbers_were_not_recorded) {
  Shares world;
  world.green();  // the description was made before the recording
  EXPECT_EQ(world.of_green(), 0u);
  world.describe("[" + resource(16) + ", …]");  // cut
  world.green();
  EXPECT_EQ(world.of_green(), 0u);
  world.with_text(world.call("cuGreenCtxGetDevResource").handle("hCtx", "CUgreenCtx", kGreen), "resource",
                  "{type=CU_DEV_RESOURCE_TYPE_INVALID, sm={smCount=3}}");
  EXPECT_EQ(world.of_green(), 0u);
  world.with_text(world.call("cuGreenCtxGetDevResource").handle("hCtx", "CUgreenCtx", kGreen), "resource",
                  resource(12));
  EXPECT_EQ(world.of_green(), 12u);
}

TEST(resources, the_context_of_a_green_context_has_a_letter_and_its_device) {
  Shares world;
  world.describe("[" + resource(16) + "]");
  world.green(1);
  world.call("cuCtxFromGreenCtx").out_context("pContext", kContext).handle("hCtx", "CUgreenCtx", kGreen);
  world.push(kContext);
  world.push(0x5000e0);  // of which nothing is known
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "A B 0x5000e0");
  EXPECT_EQ(context(state, kContext).device, 1u);
  EXPECT_EQ(context(state, 0x5000e0).device, 0u);
}

TEST(resources, the_model_reaches_each_moment_as_the_fold_does) {
  Shares world;
  for (int i = 0; i < 700; ++i) {
    if (i % 7 == 0) world.describe("[" + resource(1 + i % 9) + "]");
    if (i % 7 == 1) world.green(static_cast<std::uint64_t>(i % 2));
    if (i % 7 == 2)
      world.call("cuCtxFromGreenCtx")
          .out_context("pContext", kContext + static_cast<std::uint64_t>(i / 70))
          .handle("hCtx", "CUgreenCtx", kGreen);
    if (i % 7 == 3) world.push(kContext + static_cast<std::uint64_t>(i / 70));
    if (i % 7 == 4) world.pop(0);
  }
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  lab::State state;
  std::vector<lab::State> each{state};
  for (support::Call& call : world.calls()) {
    lab::apply(state, call.event());
    each.push_back(state);
  }
  for (std::size_t moment = each.size(); moment-- > 0;) {
    const lab::State& there = model.at(moment);
    ASSERT_TRUE(there.objects == each[moment].objects) << moment;
    ASSERT_TRUE(there.green_devices == each[moment].green_devices) << moment;
    ASSERT_TRUE(there.described_multiprocessors == each[moment].described_multiprocessors) << moment;
    ASSERT_EQ(there.contexts.size(), each[moment].contexts.size()) << moment;
    if (!there.contexts.empty()) {
      ASSERT_EQ(there.contexts.back().name, each[moment].contexts.back().name) << moment;
    }
  }
}
