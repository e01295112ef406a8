// SPDX-License-Identifier: MIT
// Which copies a moment of a run shows, with and without the times at which the driver did them.
#include "picture_copies.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/events.hpp"

namespace gui::picture {
namespace {

constexpr std::uint64_t kHost = 0x7ffd00001000, kDevice = 0x700000000000, kStream = 0x21;

// Calls of 40 ns, one each 100 ns.
struct Copies {
  support::Run run;
  trace::Store store;
  lab::State before, now;

  support::Call& copy(std::string_view name) {
    return run.call(name)
        .in("dstDevice", kDevice, trace::ValueKind::DevicePointer)
        .in("srcHost", kHost, trace::ValueKind::HostPointer)
        .in("ByteCount", 64, trace::ValueKind::Size);
  }
  support::Call& enqueue() { return copy("cuMemcpyHtoDAsync").handle("hStream", "CUstream", kStream); }
  static std::uint64_t begin(std::size_t event) { return event * 100; }
  static lab::WorkItem item(std::size_t event, lab::WorkKind kind = lab::WorkKind::Copy) {
    lab::WorkItem made;
    made.event = event, made.began = begin(event), made.returned = begin(event) + 40;
    made.amount = 64, made.kind = kind;
    return made;
  }
  static void wait(lab::State& state, const lab::WorkItem& item) {
    lab::StreamWork& stream = state.work.streams[lab::StreamKey{}];
    stream.items.push_back(item);
    ++stream.added;
  }
  // The copy of call 0 ran from here to there.
  void ran(std::uint64_t began, std::uint64_t ended, std::uint32_t thread = 0) {
    store.append(trace::WorkTime{thread, begin(0) + 20, began, ended});
  }
  // At the moment after all calls: "event:phase" of each.
  std::string shown() {
    std::size_t at = 0;
    for (support::Call& call : run.calls()) {
      if (at >= store.size()) {
        call.event().t_ns = begin(at);
        store.append(call.event());
      }
      now.process = before.process = call.event().process;
      ++at;
    }
    std::string said;
    for (const ShownCopy& one : copies_at(store, store.size(), now, &before)) {
      constexpr const char* kNames[] = {"moves", "waits", "runs", "failed"};
      said += std::to_string(one.event) + ":" + kNames[static_cast<std::size_t>(one.phase)] + " ";
    }
    return said;
  }
};

}  // namespace

TEST(picture_copies, before_the_first_call_there_is_none) {
  Copies copies;
  EXPECT_EQ(copies.shown(), "");
}

TEST(picture_copies, a_call_that_copies_moves_and_one_that_failed_says_so) {
  Copies good, bad;
  good.copy("cuMemcpyHtoD");
  EXPECT_EQ(good.shown(), "0:moves ");
  bad.copy("cuMemcpyHtoD").result(1);
  EXPECT_EQ(bad.shown(), "0:failed ");
}

TEST(picture_copies, a_call_of_another_process_or_that_has_not_returned_shows_none) {
  Copies pending;
  pending.copy("cuMemcpyHtoD").never_returned();
  EXPECT_EQ(pending.shown(), "");
  Copies other;
  other.copy("cuMemcpyHtoD");
  other.shown();
  other.now.process += 1;
  EXPECT_TRUE(copies_at(other.store, 1, other.now, nullptr).empty());
}

TEST(picture_copies, without_times_a_copy_in_a_stream_waits_until_the_call_that_found_it_done) {
  Copies copies;
  copies.enqueue();
  Copies::wait(copies.now, Copies::item(0));
  EXPECT_EQ(copies.shown(), "0:waits ");
  copies.run.call("cuStreamSynchronize").handle("hStream", "CUstream", kStream);
  copies.before = copies.now;
  copies.now.work.streams.clear();
  EXPECT_EQ(copies.shown(), "0:moves ");
}

TEST(picture_copies, with_times_a_copy_waits_runs_moves_and_is_gone) {
  const auto at_second_call = [](std::uint64_t began, std::uint64_t ended, std::uint32_t thread = 0) {
    Copies copies;
    copies.enqueue();
    copies.run.call("cuCtxGetCurrent");  // it returns at 140
    Copies::wait(copies.now, Copies::item(0));
    copies.ran(began, ended, thread);
    return copies.shown();
  };
  EXPECT_EQ(at_second_call(150, 200), "0:waits ");
  EXPECT_EQ(at_second_call(120, 200), "0:runs ");
  EXPECT_EQ(at_second_call(50, 130), "0:moves ");
  EXPECT_EQ(at_second_call(25, 35), "");             // in the call before
  EXPECT_EQ(at_second_call(25, 35, 7), "0:waits ");  // that of another thread
}

TEST(picture_copies, a_copy_that_was_done_earlier_is_not_shown_at_the_call_that_waits_for_it) {
  Copies copies;
  copies.enqueue();
  copies.run.call("cuStreamSynchronize").handle("hStream", "CUstream", kStream);
  Copies::wait(copies.before, Copies::item(0));
  copies.ran(25, 35);
  EXPECT_EQ(copies.shown(), "");
}

TEST(picture_copies, only_the_latest_are_shown_and_no_other_work) {
  Copies copies;
  for (std::size_t i = 0; i < kMostCopies + 2; ++i) {
    copies.enqueue();
    Copies::wait(copies.now, Copies::item(i));
  }
  Copies::wait(copies.now, Copies::item(kMostCopies + 1, lab::WorkKind::Kernel));
  EXPECT_EQ(copies.shown(), "2:waits 3:waits 4:waits 5:waits ");
}

}  // namespace gui::picture
