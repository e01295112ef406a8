// SPDX-License-Identifier: MIT
// The life of an object: created, used, ended, and the way from one change to the next; the scrubber's marks.
#include <random>

#include "world.hpp"

using namespace lab_model_test;
using lab::Direction;
using lab::Mark;
using lab::ObjectKind;

namespace {

struct Followed {
  trace::Store store;
  lab::Model model{store};
  explicit Followed(World& world) {
    world.into(store);
    model.follow();
  }
  // "1 [2 3* 4] 5": created, uses (those with * changed it), ended ("~5" with its owner)
  std::string life(const std::string& name) {
    const lab::Life life = model.life_of(model.object_named(name));
    std::string out = life.created ? std::to_string(*life.created) : "-";
    out += " [";
    for (const lab::Life::Use& use : life.uses) {
      if (out.back() != '[') out += ' ';
      out += std::to_string(use.event) + (use.changed ? "*" : "");
    }
    out += "] ";
    if (life.ended) out += (life.ended_with_owner ? "~" : "") + std::to_string(*life.ended);
    return out;
  }
};

World small_program() {
  World world;
  world.create(kA);                                                                        // 0
  world.load_module(0x10);                                                                 // 1
  world.get_function(0x20, 0x10, "f");                                                     // 2
  world.create_stream(0x30);                                                               // 3
  world.allocate(kMemory, 64);                                                             // 4
  world.call("cuMemsetD8").in("dstDevice", kMemory + 8, trace::ValueKind::DevicePointer);  // 5
  world.launch(0x20, 0x30);                                                                // 6
  world.free(kMemory + 1).result(1);                                                       // 7
  world.free(kMemory);                                                                     // 8
  world.unload_module(0x10);                                                               // 9
  world.destroy(kA);                                                                       // 10
  return world;
}

}  // namespace

TEST(life, created_used_and_ended_are_told_apart) {
  World world = small_program();
  Followed run(world);
  EXPECT_EQ(run.life("M1"), "1 [2] 9");
  EXPECT_EQ(run.life("M1.f"), "2 [6] ~9") << "it went with its module";
  EXPECT_EQ(run.life("S1"), "3 [6] ~10") << "it went with its context";
  EXPECT_EQ(run.life("#1"), "4 [5* 7] 8");
  EXPECT_EQ(run.life("A"), "0 [] 10");
}

TEST(life, a_handle_used_again_begins_another_life) {
  World world;
  world.create(kA);
  world.create_event(0x10);   // 1
  world.record(0x10, 0);      // 2
  world.destroy_event(0x10);  // 3
  world.create_event(0x10);   // 4
  world.record(0x10, 0);      // 5
  Followed run(world);
  EXPECT_EQ(run.life("E1"), "1 [2] 3");
  EXPECT_EQ(run.life("E2"), "4 [5] ");
}

TEST(life, what_was_never_made_has_none) {
  World world = small_program();
  Followed run(world);
  EXPECT_FALSE(run.model.object_named("M2"));
  EXPECT_FALSE(run.model.life_of({ObjectKind::Module, 2}).created);
  EXPECT_FALSE(run.model.life_of({ObjectKind::Context, 99}).created);
  EXPECT_FALSE(run.model.next_change_of({ObjectKind::Module, 2}, 0, Direction::Forward));
}

TEST(life, a_thread_lives_from_its_first_event_and_changes_with_its_stack) {
  World world;
  world.create(kA);
  world.call("cuCtxSynchronize");
  world.push(kA);
  world.other(trace::EventKind::ThreadEnd);
  Followed run(world);
  const lab::Life life = run.model.life_of({ObjectKind::Thread, 0});
  EXPECT_EQ(life.created, 0u);
  EXPECT_EQ(life.ended, 3u);
  ASSERT_EQ(life.uses.size(), 2u);
  EXPECT_FALSE(life.uses[0].changed);
  EXPECT_TRUE(life.uses[1].changed);
}

TEST(life, changes_are_found_one_after_the_other_in_both_directions) {
  World world = small_program();
  Followed run(world);
  const auto walk = [&run](const std::string& name, Direction direction) {
    const lab::ObjectId id = run.model.object_named(name);
    std::string out;
    std::size_t moment = direction == Direction::Forward ? 0 : run.model.moments();
    while (const auto event = run.model.next_change_of(id, moment, direction)) {
      out += std::to_string(*event) + " ";
      moment = direction == Direction::Forward ? *event + 1 : *event;
    }
    return out;
  };
  EXPECT_EQ(walk("#1", Direction::Forward), "4 5 8 ");
  EXPECT_EQ(walk("#1", Direction::Back), "8 5 4 ");
  EXPECT_EQ(walk("M1.f", Direction::Forward), "2 9 ");
  EXPECT_EQ(walk("S1", Direction::Back), "10 3 ");
}

TEST(life, changes_are_found_across_a_long_run) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  for (int i = 0; i < 5000; ++i) world.call("cuCtxSynchronize");
  world.call("cuMemsetD8").in("dstDevice", kMemory, trace::ValueKind::DevicePointer);
  for (int i = 0; i < 5000; ++i) world.call("cuCtxSynchronize");
  Followed run(world);
  const lab::ObjectId id{ObjectKind::Allocation, 1};
  EXPECT_EQ(run.model.next_change_of(id, 2, Direction::Forward), 5002u);
  EXPECT_EQ(run.model.next_change_of(id, 9000, Direction::Back), 5002u);
  EXPECT_EQ(run.model.next_change_of(id, 5002, Direction::Back), 1u);
  EXPECT_FALSE(run.model.next_change_of(id, 5003, Direction::Forward));
}

TEST(marks, are_counted_in_any_stretch) {
  World world;
  std::mt19937 random(1);
  std::vector<int> kinds;
  for (int i = 0; i < 1000; ++i) {
    const int kind = static_cast<int>(random() % 4);
    kinds.push_back(kind);
    if (kind == 0) world.call("cuCtxSynchronize").result(201);
    if (kind == 1) world.push(kA);
    if (kind == 2) world.launch(0x20);
    if (kind == 3) world.call("cuStreamQuery").result(600);
  }
  Followed run(world);
  for (int i = 0; i < 300; ++i) {
    const std::size_t a = random() % 1001, b = random() % 1100;
    const auto count = [&](int kind) {
      std::size_t n = 0;
      for (std::size_t at = a; at < std::min<std::size_t>(b, 1000); ++at) n += kinds[at] == kind;
      return n;
    };
    ASSERT_EQ(run.model.marks(Mark::Failed, a, b), count(0)) << "not ready is an answer, no failure";
    ASSERT_EQ(run.model.marks(Mark::Stack, a, b), count(1));
    ASSERT_EQ(run.model.marks(Mark::Launch, a, b), count(2));
  }
}
