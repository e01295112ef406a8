// SPDX-License-Identifier: MIT
// What a figure of the notes shows of a state: who lies on which stack, who is alive, floats, owns memory.
#include "notes_figure.hpp"

#include <gtest/gtest.h>

namespace gui {
namespace {

lab::Context context(const char* name, bool alive) {
  lab::Context made;
  made.name = name;
  made.handle = 1;
  made.alive = alive;
  return made;
}

// Thread 0: A below B. A is destroyed; B owns 64 bytes; C is on no stack. Device 0's primary was never asked
// for.
lab::State some_state() {
  lab::State state;
  lab::Context primary = context("P0", false);
  primary.primary = true, primary.handle = 0, primary.active = false;
  state.contexts = {primary, context("A", false), context("B", true), context("C", true)};
  lab::Thread thread;
  thread.stack = {1, 2};
  state.threads = {thread};
  lab::Allocation memory;
  memory.size = 64, memory.context = 2;
  state.allocations.push_back(memory);
  return state;
}

TEST(notes_figure, shows_stacks_and_who_is_alive_floats_and_owns) {
  const FigureScene scene = figure_scene(some_state());
  ASSERT_EQ(scene.contexts.size(), 3u) << "a primary that nobody has asked for has no box";
  EXPECT_TRUE(scene.contexts[0].dead);
  EXPECT_FALSE(scene.contexts[0].floating) << "what is destroyed does not float";
  EXPECT_EQ(scene.contexts[1].bytes, 64u);
  EXPECT_FALSE(scene.contexts[1].floating);
  EXPECT_TRUE(scene.contexts[2].floating);
  ASSERT_EQ(scene.stacks.size(), 1u);
  EXPECT_EQ(scene.stacks[0].cards, (std::vector<std::size_t>{0, 1}));
}

TEST(notes_figure, memory_of_the_host_is_not_counted_as_a_contexts_own) {
  lab::State state = some_state();
  for (const lab::MemoryKind kind : {lab::MemoryKind::Host, lab::MemoryKind::Registered}) {
    lab::Allocation memory;
    memory.size = 4096, memory.context = 2, memory.kind = kind;
    state.allocations.push_back(memory);
  }
  EXPECT_EQ(figure_scene(state).contexts[1].bytes, 64u);
}

TEST(notes_figure, other_threads_are_shown_while_something_is_on_their_stack) {
  lab::State state = some_state();
  lab::Thread other;
  other.number = 1;
  state.threads.push_back(other);
  EXPECT_EQ(figure_scene(state).stacks.size(), 1u);
  state.threads[1].stack = {3};
  EXPECT_EQ(figure_scene(state).stacks.size(), 2u);
  state.threads[0].stack.clear();
  EXPECT_EQ(figure_scene(state).stacks.size(), 2u) << "the main thread's stack is shown empty";
}

TEST(notes_figure, a_primary_context_is_active_or_not_and_never_floats) {
  lab::State state = some_state();
  state.contexts[0].handle = 7, state.contexts[0].active = true;
  FigureScene scene = figure_scene(state);
  ASSERT_EQ(scene.contexts.size(), 4u);
  EXPECT_FALSE(scene.contexts[0].dead);
  EXPECT_FALSE(scene.contexts[0].floating);
  EXPECT_EQ(scene.stacks[0].cards, (std::vector<std::size_t>{1, 2}));
  state.contexts[0].active = false;
  scene = figure_scene(state);
  EXPECT_TRUE(scene.contexts[0].dead);
}

TEST(notes_figure, contexts_that_are_hidden_leave_no_card_behind) {
  lab::State state = some_state();
  state.contexts[1].hidden = true;
  const FigureScene scene = figure_scene(state);
  EXPECT_EQ(scene.contexts.size(), 2u);
  EXPECT_EQ(scene.stacks[0].cards, (std::vector<std::size_t>{0}));
}

}  // namespace
}  // namespace gui
