// SPDX-License-Identifier: MIT
// The lanes of time: which span a call and a piece of work has, what is claimed of its end and what is not,
// and what a width in pixels shows of rows of any length.
#include <random>

#include "lab/timeline.hpp"
#include "lab/timeline_row.hpp"
#include "world.hpp"

using namespace lab_model_test;
using lab::kOpenEnd;
using lab::StreamKey;
using lab::Timeline;
using lab::TimelineRow;
using lab::WorkKind;

namespace timeline_test {
namespace {

constexpr std::uint64_t kS = 0x21, kT = 0x22, kFree = 0x23, kE = 0x31;

// Calls of 40 ns, one each 100 ns, in a context with two blocking streams, a non-blocking one and an event.
struct Lanes : World {
  Lanes() {
    create(kA);
    stream(kS);
    stream(kT);
    call("cuStreamCreate").out_handle("phStream", "CUstream", kFree).in("Flags", 1);
    call("cuEventCreate").out_handle("phEvent", "CUevent", kE);
    allocate(kMemory, 4096);
  }
  void stream(std::uint64_t handle) {
    call("cuStreamCreate").out_handle("phStream", "CUstream", handle).in("Flags", 0);
  }
  std::size_t fill(std::uint64_t stream, std::uint32_t thread = 0) {
    call("cuMemsetD8Async")
        .in("dstDevice", kMemory, trace::ValueKind::DevicePointer)
        .in("uc", 0)
        .in("N", 64, trace::ValueKind::Size)
        .handle("hStream", "CUstream", stream)
        .thread(thread);
    return calls().size() - 1;
  }
  std::size_t of_stream(std::string_view name, std::uint64_t stream) {
    call(name).handle("hStream", "CUstream", stream);
    return calls().size() - 1;
  }
  std::size_t record(std::uint64_t stream) {
    call("cuEventRecord").handle("hEvent", "CUevent", kE).handle("hStream", "CUstream", stream);
    return calls().size() - 1;
  }
  std::size_t wait(std::uint64_t stream) {
    call("cuStreamWaitEvent").handle("hStream", "CUstream", stream).handle("hEvent", "CUevent", kE);
    return calls().size() - 1;
  }

  static std::uint64_t begin(std::size_t event) { return event * 100; }
  static std::uint64_t end(std::size_t event) { return event * 100 + 40; }

  const Timeline& follow(std::size_t most = ~std::size_t{0}) {
    for (; stored < calls().size(); ++stored) {
      trace::Event& event = std::next(calls().begin(), static_cast<std::ptrdiff_t>(stored))->event();
      event.t_ns = begin(stored);
      store.append(event);
    }
    model.follow();
    while (timeline.follow_some(model, most)) {
    }
    return timeline;
  }
  const lab::StreamLane& lane(StreamKey::Kind kind, std::uint32_t number = 0) {
    for (const lab::StreamLane& one : timeline.streams())
      if (one.key.kind == kind && one.key.number == number) return one;
    ADD_FAILURE() << "no such stream";
    return timeline.streams().front();
  }
  const lab::StreamLane& made(std::uint32_t number) { return lane(StreamKey::Kind::Made, number); }

  trace::Store store;
  lab::Model model{store};
  Timeline timeline{store};
  std::size_t stored = 0;
};

std::vector<lab::Stretch> stretches(const TimelineRow& row, const std::vector<std::uint64_t>& edges) {
  std::vector<lab::Stretch> out;
  row.stretches(edges, out);
  return out;
}

std::vector<std::uint64_t> edges(std::uint64_t from, std::uint64_t to, std::size_t width) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i <= width; ++i) out.push_back(from + (to - from) * i / width);
  return out;
}

}  // namespace

TEST(Timeline, a_call_is_a_span_from_its_begin_to_its_return_in_the_lane_of_its_thread) {
  Lanes run;
  const std::size_t event = run.fill(kS, 3);
  const Timeline& timeline = run.follow();
  ASSERT_EQ(timeline.threads().size(), 2u);
  EXPECT_EQ(timeline.threads()[1].thread, 3u);
  const TimelineRow& row = timeline.threads()[1].rows.at(0);
  ASSERT_EQ(row.size(), 1u);
  EXPECT_EQ(row.what(0), event);
  EXPECT_EQ(row.begin(0), Lanes::begin(event));
  EXPECT_EQ(row.end(0), Lanes::end(event));
}

TEST(Timeline, a_call_inside_another_has_a_row_below_it) {
  Lanes run;
  run.call("cuCtxGetCurrent").event().depth = 1;
  run.call("cudaMalloc");
  const Timeline& timeline = run.follow();
  ASSERT_EQ(timeline.threads()[0].rows.size(), 2u);
  EXPECT_EQ(timeline.threads()[0].rows[1].size(), 1u);
}

TEST(Timeline, a_failure_is_marked_and_a_success_is_not) {
  Lanes run;
  run.of_stream("cuStreamQuery", kS);
  run.calls().back().event().result = 600;
  run.of_stream("cuStreamQuery", kS);
  const TimelineRow& row = run.follow().threads()[0].rows[0];
  EXPECT_EQ(row.marked(0, row.size()).size(), 1u);
  EXPECT_EQ(row.marked(row.size() - 1, row.size()).size(), 0u);
}

TEST(Timeline, a_call_that_never_returned_has_an_open_end) {
  Lanes run;
  support::Call& last = run.call("cuCtxSynchronize");
  last.event().returned = false, last.event().dur_ns = 0;
  const TimelineRow& row = run.follow().threads()[0].rows[0];
  EXPECT_EQ(row.end(row.size() - 1), kOpenEnd);
}

TEST(Timeline, work_is_done_at_the_latest_when_the_call_that_proves_it_returns) {
  Lanes run;
  const std::size_t fill = run.fill(kS), sync = run.of_stream("cuStreamSynchronize", kS);
  run.follow();
  const lab::TimelineWork& work = run.made(1).items.at(0);
  EXPECT_EQ(work.event, fill);
  EXPECT_EQ(work.enqueued, Lanes::begin(fill));
  EXPECT_EQ(work.done, Lanes::end(sync));
  EXPECT_EQ(work.proof, sync);
  EXPECT_FALSE(work.measured());
}

TEST(Timeline, nothing_is_claimed_of_the_end_of_work_that_no_call_proves) {
  Lanes run;
  run.fill(kS);
  run.of_stream("cuStreamSynchronize", kT);
  run.follow();
  EXPECT_EQ(run.made(1).items.at(0).done, kOpenEnd);
  EXPECT_EQ(run.made(1).rows.at(0).end(0), kOpenEnd);
}

TEST(Timeline, work_of_a_destroyed_stream_ends_without_being_called_done) {
  Lanes run;
  run.fill(kS);
  const std::size_t destroy = run.of_stream("cuStreamDestroy", kS);
  run.follow();
  EXPECT_EQ(run.made(1).items.at(0).done, kOpenEnd);
  EXPECT_EQ(run.made(1).rows.at(0).end(0), Lanes::end(destroy));
}

TEST(Timeline, work_that_is_not_done_has_rows_of_its_own_and_what_finds_none_is_piled_up) {
  Lanes run;
  for (int i = 0; i < 10; ++i) run.fill(kS);
  const std::size_t sync = run.of_stream("cuStreamSynchronize", kS), next = run.fill(kS);
  run.follow();
  const lab::StreamLane& lane = run.made(1);
  ASSERT_EQ(lane.rows.size(), lab::StreamLane::kMostRows);
  EXPECT_EQ(lane.items[3].piled, 6u);
  EXPECT_EQ(lane.rows[3].end(0), Lanes::end(sync));
  EXPECT_EQ(lane.items.back().row, 0u);
  EXPECT_EQ(lane.rows[0].begin(1), Lanes::begin(next));
}

TEST(Timeline, a_pile_ends_only_with_the_last_of_its_work) {
  Lanes run;
  for (int i = 0; i < 5; ++i) run.fill(kS);
  run.record(kS);
  run.fill(kS);
  run.call("cuEventSynchronize").handle("hEvent", "CUevent", kE);
  run.follow();
  EXPECT_EQ(run.made(1).rows[3].end(0), kOpenEnd);
  const std::size_t sync = run.of_stream("cuStreamSynchronize", kS);
  run.follow();
  EXPECT_EQ(run.made(1).rows[3].end(0), Lanes::end(sync));
}

TEST(Timeline, a_wait_is_linked_to_the_record_of_its_event) {
  Lanes run;
  run.fill(kFree);
  run.record(kFree);
  run.wait(kS);
  const Timeline& timeline = run.follow();
  ASSERT_EQ(timeline.links().size(), 1u);
  const lab::TimelineLink& link = timeline.links()[0];
  EXPECT_FALSE(link.legacy);
  EXPECT_EQ(timeline.streams()[link.from_lane].items[link.from_item].kind, WorkKind::Record);
  EXPECT_EQ(timeline.streams()[link.to_lane].items[link.to_item].kind, WorkKind::Wait);
}

TEST(Timeline, the_legacy_stream_is_linked_to_blocking_streams_in_both_directions_and_to_others_in_none) {
  Lanes run;
  run.fill(kS);
  run.fill(kFree);
  run.fill(0);
  run.fill(kT);
  const Timeline& timeline = run.follow();
  ASSERT_EQ(timeline.links().size(), 2u);
  EXPECT_TRUE(timeline.links()[0].legacy);
  EXPECT_EQ(timeline.streams()[timeline.links()[0].from_lane].key.number, 1u);
  EXPECT_EQ(timeline.streams()[timeline.links()[0].to_lane].key.kind, StreamKey::Kind::Legacy);
  EXPECT_EQ(timeline.streams()[timeline.links()[1].from_lane].key.kind, StreamKey::Kind::Legacy);
  EXPECT_EQ(timeline.streams()[timeline.links()[1].to_lane].key.number, 2u);
}

TEST(Timeline, work_that_is_known_to_be_done_holds_up_nothing) {
  Lanes run;
  run.fill(kS);
  run.of_stream("cuStreamSynchronize", kS);
  run.fill(0);
  EXPECT_TRUE(run.follow().links().empty());
}

TEST(Timeline, times_that_the_driver_reported_belong_to_the_call_that_enqueued_the_work) {
  Lanes run;
  const std::size_t first = run.fill(kS), second = run.fill(kT);
  run.of_stream("cuStreamSynchronize", kS);
  run.store.append(trace::WorkTime{0, Lanes::begin(second) + 20, 5000, 6000});
  run.store.append(trace::WorkTime{0, Lanes::begin(first) + 20, 2000, 3000});
  run.follow();
  const lab::TimelineWork& work = run.made(1).items.at(0);
  EXPECT_TRUE(work.measured());
  EXPECT_EQ(work.ran_from, 2000u);
  EXPECT_EQ(work.end(), 3000u);
  EXPECT_EQ(run.made(2).items.at(0).ran_from, 5000u);
}

TEST(Timeline, times_of_work_that_is_not_followed_are_given_to_no_other) {
  Lanes run;
  const std::size_t fill = run.fill(kS);
  run.call("cuCtxGetCurrent");
  run.store.append(trace::WorkTime{0, Lanes::begin(fill + 1) + 10, 2000, 3000});
  run.store.append(trace::WorkTime{7, Lanes::begin(fill) + 10, 2000, 3000});
  run.follow();
  EXPECT_FALSE(run.made(1).items.at(0).measured());
}

TEST(Timeline, times_that_come_before_their_call_are_kept_for_it) {
  Lanes run;
  run.follow();
  run.store.append(trace::WorkTime{0, Lanes::begin(run.calls().size()) + 10, 2000, 3000});
  run.follow();
  run.fill(kS);
  run.follow();
  EXPECT_TRUE(run.made(1).items.at(0).measured());
}

TEST(Timeline, a_run_that_is_followed_in_pieces_gives_the_same_lanes) {
  const auto said = [](Lanes& run) {
    std::string out;
    for (const lab::StreamLane& lane : run.timeline.streams())
      for (const lab::TimelineWork& work : lane.items)
        out += std::to_string(work.event) + " " + std::to_string(work.done) + " " + std::to_string(work.row) +
               "\n";
    for (const lab::ThreadLane& lane : run.timeline.threads())
      for (const TimelineRow& row : lane.rows) out += std::to_string(row.size()) + "\n";
    return out;
  };
  Lanes whole, pieces;
  for (Lanes* run : {&whole, &pieces}) {
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t streams[] = {0, kS, kT, kFree};
      const std::uint64_t stream = streams[random() % 4];
      switch (random() % 4) {
        case 0:
          run->record(stream);
          break;
        case 1:
          run->wait(stream);
          break;
        case 2:
          run->of_stream("cuStreamSynchronize", stream);
          break;
        default:
          run->fill(stream);
      }
    }
  }
  whole.follow();
  pieces.follow(1);
  EXPECT_EQ(said(whole), said(pieces));
}

TEST(TimelineRow, every_span_is_in_the_stretches_once_and_where_it_lies) {
  std::mt19937 random(3);
  TimelineRow row;
  std::uint64_t at = 0;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    at += random() % 50;
    const std::uint64_t end = at + (random() % 100 == 0 ? 5000 : random() % 30);
    row.add(at, end, i);
    at = end;
  }
  for (const std::size_t width : {1u, 7u, 300u, 4000u}) {
    const auto all = edges(0, at + 1, width);
    std::uint32_t next = 0;
    for (const lab::Stretch& one : stretches(row, all)) {
      ASSERT_EQ(one.first, next);
      ASSERT_LT(one.from, one.to);
      ASSERT_LE(one.to, width);
      ASSERT_LE(all[one.from], row.begin(one.first));
      ASSERT_GT(all[one.from + 1], row.begin(one.first + one.count - 1));
      ASSERT_GE(all[one.to], std::min(row.end(one.first + one.count - 1), all.back()));
      next += one.count;
    }
    EXPECT_EQ(next, row.size()) << width;
  }
}

TEST(TimelineRow, a_long_span_behind_short_ones_is_a_stretch_of_its_own) {
  TimelineRow row;
  row.add(0, 1, 0);
  row.add(2, 3, 1);
  row.add(4, 900, 2);
  const auto found = stretches(row, edges(0, 1000, 10));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].count, 2u);
  EXPECT_EQ(found[1].first, 2u);
}

TEST(TimelineRow, what_is_shown_costs_as_much_for_a_million_spans_as_for_thousands) {
  const auto seconds = [](std::uint32_t spans) {
    TimelineRow row;
    for (std::uint32_t i = 0; i < spans; ++i) row.add(i * 100ull, i * 100ull + 60, i);
    const auto all = edges(0, spans * 100ull, 1600);
    std::vector<lab::Stretch> out;
    return seconds_of([&] {
      for (int i = 0; i < 100; ++i) out.clear(), row.stretches(all, out);
    });
  };
  EXPECT_LT(seconds(1'000'000), 8 * seconds(10'000) + 0.02);
}

TEST(TimelineRow, a_clock_that_goes_back_leaves_no_spans_that_overlap) {
  TimelineRow row;
  row.add(100, 200, 0);
  row.add(150, 180, 1);
  EXPECT_EQ(row.begin(1), 200u);
  EXPECT_EQ(row.end(1), 200u);
}

TEST(TimeScale, even_steps_make_a_short_call_as_wide_as_a_long_one) {
  using Kind = lab::TimeScale::Kind;
  lab::TimeScale scale;
  for (const std::uint64_t instant : {50u, 10u, 1'000'050u, 20u}) scale.add(instant);
  scale.settle();
  EXPECT_EQ(scale.place_of(20, Kind::Steps) - scale.place_of(10, Kind::Steps), 1);
  EXPECT_EQ(scale.place_of(1'000'050, Kind::Steps) - scale.place_of(50, Kind::Steps), 1);
  EXPECT_EQ(scale.place_of(50, Kind::Clock), 50);
  EXPECT_EQ(scale.instant_at(scale.place_of(500, Kind::Steps), Kind::Steps), 500u);
}

TEST(TimeScale, instants_that_come_late_take_their_place) {
  using Kind = lab::TimeScale::Kind;
  lab::TimeScale scale;
  scale.add(100);
  scale.add(300);
  scale.settle();
  scale.add(200);
  scale.settle();
  EXPECT_EQ(scale.place_of(200, Kind::Steps), 1);
  EXPECT_EQ(scale.place_of(300, Kind::Steps), 2);
}

TEST(TimeScale, a_long_run_keeps_its_order_and_its_memory_stays_small) {
  using Kind = lab::TimeScale::Kind;
  lab::TimeScale scale;
  for (std::uint64_t i = 0; i < 2'000'000; ++i) {
    scale.add(i * 10);
    if (i % 10'000 == 0) scale.settle();
  }
  scale.settle();
  EXPECT_LT(scale.bytes(), 4u << 20);
  double before = -1;
  for (std::uint64_t instant = 0; instant < 20'000'000; instant += 12'345) {
    const double place = scale.place_of(instant, Kind::Steps);
    ASSERT_GT(place, before);
    before = place;
  }
}

}  // namespace timeline_test
