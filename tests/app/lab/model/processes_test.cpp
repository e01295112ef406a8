// SPDX-License-Identifier: MIT
// A run of several processes: each has a picture of its own, in which the handles of the others mean nothing.
#include "lab/process_models.hpp"

#include <ctime>

#include "lab/explain.hpp"
#include "world.hpp"

namespace lab_model_test {
namespace {

using trace::EventKind;

// The program (A on device 0), and a child that was started anew and got the same handle for its own context.
struct Family : World {
  Family() {
    start(0, 0, "./parent", 100);
    init();
    create(kA);
    start(1, 1, "./child", 101);
    mapped(1);
    init().process(1).thread(1);
    create(kA, 1).process(1).thread(1);
    allocate(kMemory, 64).process(1).thread(1);
    destroy(kA).process(1).thread(1);
    allocate(kMemory, 32);
  }
  void start(std::uint32_t process, std::uint32_t thread, const char* command, std::uint64_t id) {
    other(EventKind::ProcessStart, 0, command, id).process(process);
    other(EventKind::ThreadStart, thread).process(process);
  }
  void mapped(std::uint32_t process) {
    other(EventKind::ModuleMapped, 0, "/bin/it", 0x1000).process(process);
  }
};

struct Pictures {
  explicit Pictures(Family& family) : model((family.into(store), store)), models(model, store) {
    model.follow();
  }
  std::string why() {
    const std::size_t last = store.size() - 1;
    const auto told = lab::explain(models.of_event(last), store, last);
    return told ? told->sentence.in(lab::Language::English) : std::string();
  }
  trace::Store store;
  lab::Model model;
  lab::ProcessModels models;
};

TEST(Processes, each_has_contexts_memory_and_a_stack_of_its_own) {
  Family family;
  Pictures pictures(family);
  const lab::State parent = pictures.model.latest();
  const lab::State child = pictures.models.of_process(1).latest();
  EXPECT_EQ(parent.process, 0u);
  EXPECT_EQ(child.process, 1u);
  EXPECT_EQ(stack(parent), "A");
  EXPECT_EQ(stack(parent, 1), "-") << "a thread of the child";
  EXPECT_TRUE(context(parent, kA).alive);
  ASSERT_EQ(parent.allocations.size(), 1u);
  EXPECT_EQ(parent.allocations[0].size, 32u);
  EXPECT_EQ(stack(child, 1), "");
  EXPECT_EQ(context(child, kA).device, 1u);
  EXPECT_FALSE(context(child, kA).alive);
  EXPECT_TRUE(child.allocations.empty()) << "it went with its context";
}

TEST(Processes, an_event_is_told_with_the_names_of_its_own_process) {
  Family family;
  Pictures pictures(family);
  const std::size_t created = 8, destroyed = 10;
  EXPECT_EQ(pictures.store.at(created).process, 1u);
  EXPECT_EQ(pictures.models.of_event(created).stack_names(created), std::vector<std::string>({"A"}));
  EXPECT_EQ(pictures.models.of_event(destroyed).describe(destroyed), "cuCtxDestroy(ctx=A)");
  EXPECT_EQ(&pictures.models.of_event(2), &pictures.model);
}

TEST(Processes, moments_are_the_same_in_all_of_them) {
  Family family;
  Pictures pictures(family);
  const lab::Model& child = pictures.models.of_process(1);
  EXPECT_EQ(child.moments(), pictures.model.moments());
  for (std::size_t moment = 0; moment <= child.moments(); ++moment) {
    const lab::State state = child.at(moment);
    EXPECT_EQ(state.process, 1u);
    EXPECT_EQ(state.events, moment);
    EXPECT_EQ(state.contexts.empty(), moment < 9) << moment;
  }
}

TEST(Processes, they_are_listed_as_they_started) {
  Family family;
  Pictures pictures(family);
  const auto& seen = pictures.models.seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].command, "./parent");
  EXPECT_EQ(seen[1].number, 1u);
  EXPECT_EQ(seen[1].id, 101u);
}

TEST(Processes, a_run_without_a_start_has_the_program_itself) {
  Family none;
  none.calls().clear();
  none.init();
  Pictures pictures(none);
  ASSERT_EQ(pictures.models.seen().size(), 1u);
  EXPECT_EQ(pictures.models.seen()[0].number, 0u);
}

TEST(Processes, what_failed_in_a_child_is_explained_from_its_own_picture) {
  Family family;
  family.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(201).process(1).thread(1);
  Pictures pictures(family);
  EXPECT_NE(pictures.why().find("No context is current on thread 1"), std::string::npos) << pictures.why();
}

TEST(Processes, a_child_that_was_started_anew_is_not_said_to_be_forked) {
  Family family;
  family.start(2, 2, "./child", 102);
  family.mapped(2);
  family.call("cuDeviceGetCount").unwritten("count").result(3).process(2).thread(2);
  Pictures pictures(family);
  EXPECT_NE(pictures.why().find("has not been initialised"), std::string::npos) << pictures.why();
}

TEST(Processes, a_forked_child_is_said_to_be_forked) {
  Family family;
  family.start(2, 2, "./parent", 102);
  family.call("cuDeviceGetCount").unwritten("count").result(3).process(2).thread(2);
  Pictures pictures(family);
  EXPECT_NE(pictures.why().find("forked"), std::string::npos) << pictures.why();
}

TEST(Processes, a_broken_kernel_of_one_is_not_blamed_for_the_error_of_another) {
  Family family;
  family.call("cuCtxSynchronize").result(719);
  family.launch(0x77).process(1).thread(1);
  family.call("cuCtxSynchronize").result(719).process(1).thread(1);
  Pictures pictures(family);
  EXPECT_NE(pictures.why().find("The last launch before was call 9"), std::string::npos) << pictures.why();
}

TEST(Processes, many_are_told_apart_as_fast_as_few) {
  trace::Store store;
  constexpr std::uint32_t kProcesses = 20'000;
  const auto add = [&store](support::Run& run) {
    for (support::Call& call : run.calls()) store.append(call.event());
  };
  // All live at once: each starts, then each makes a context.
  for (std::uint32_t i = 0; i < kProcesses; ++i) {
    support::Run run;
    run.other(EventKind::ProcessStart, 0, "./child", 100 + i).process(i);
    run.init().process(i).thread(i);
    add(run);
  }
  for (std::uint32_t i = 0; i < kProcesses; ++i) {
    support::Run run;
    run.create(kA).process(i).thread(i);
    add(run);
  }
  const std::clock_t begin = std::clock();
  lab::Model model(store);
  const lab::ProcessModels models(model, store);
  model.follow();
  for (std::size_t event = 0; event < store.size(); ++event)
    ASSERT_NE(models.of_event(event).describe(event), "");
  EXPECT_EQ(models.seen().size(), kProcesses);
  const std::size_t last = store.size() - 1;
  EXPECT_EQ(models.of_event(last).stack_names(last), std::vector<std::string>({"A"}));
  EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC);
}

TEST(Processes, that_the_driver_was_initialised_elsewhere_is_known_in_all_of_them) {
  Family family;
  family.start(2, 2, "./late", 102);
  Pictures pictures(family);
  for (std::uint32_t process = 0; process < 3; ++process) {
    lab::State truth;
    truth.process = process;
    for (std::size_t i = 0; i < pictures.store.size(); ++i) lab::apply(truth, pictures.store.at(i));
    EXPECT_TRUE(pictures.models.of_process(process).latest() == truth) << process;
    EXPECT_TRUE(truth.initialised_elsewhere) << process;
  }
}

}  // namespace
}  // namespace lab_model_test
