// SPDX-License-Identifier: MIT
// Streams as lanes: which marks are in them, that nothing is cut or covered at any width, scale and language,
// and that nothing is drawn once all work is known to be done.
#include "picture_work.hpp"
#include "picture_maker.hpp"
#include "picture_text.hpp"

namespace gui::picture {
namespace {

using lab::StreamKey;
using lab::WorkKind;

struct Streams : Maker {
  std::uint32_t a = 0;
  std::uint64_t event = 0;

  Streams() {
    state.initialised = true;
    device();
    a = context();
    thread("main").stack = {a};
  }
  StreamKey stream() { return {a, StreamKey::Kind::Made, object(lab::ObjectKind::Stream, a).number}; }
  std::uint64_t put(const StreamKey& stream, WorkKind kind, lab::ObjectId object = {},
                    std::uint64_t amount = 0) {
    lab::WorkChange change;
    change.stream = stream;
    change.item.event = event;
    change.item.kind = kind, change.item.object = object, change.item.amount = amount;
    state.work.apply(change);
    state.events = ++event;
    return change.item.event;
  }
  // The marks of a lane, from left to right: "+3 kernel E1".
  static std::string marks(const Scene& scene, const StreamKey& stream) {
    std::string out;
    for (const Box& box : scene.boxes) {
      if (box.kind != BoxKind::Work || scene.mark_of(box)->stream != stream) continue;
      if (!out.empty()) out += ' ';
      out += !box.labels.empty() ? box.labels.front().text : std::to_string(static_cast<int>(box.work));
    }
    return out;
  }
};

TEST(picture_work, a_stream_is_a_lane_with_a_mark_for_each_piece_of_work) {
  Streams m;
  const StreamKey s = m.stream(), t = m.stream();
  const lab::ObjectId e = m.object(lab::ObjectKind::Event, m.a);
  EXPECT_EQ(Streams::marks(m.scene(), s), "");
  m.put(s, WorkKind::Kernel);
  const std::uint64_t record = m.put(s, WorkKind::Record, e);
  m.put(t, WorkKind::Wait, e, record);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(Streams::marks(scene, s), "0 E1");
  EXPECT_EQ(Streams::marks(scene, t), "E1");
  const auto links = std::count_if(scene.arrows.begin(), scene.arrows.end(),
                                   [](const Arrow& arrow) { return arrow.of_wait; });
  EXPECT_EQ(links, 1);
  for (const Arrow& arrow : scene.arrows) {
    if (!arrow.of_wait) continue;
    EXPECT_EQ(scene.boxes[static_cast<std::size_t>(arrow.from)].work, WorkKind::Wait);
    EXPECT_EQ(scene.boxes[static_cast<std::size_t>(arrow.to)].work, WorkKind::Record);
  }
}

TEST(picture_work, a_wait_whose_event_is_not_certain_has_no_link) {
  Streams m;
  const StreamKey s = m.stream(), t = m.stream();
  const lab::ObjectId e = m.object(lab::ObjectKind::Event, m.a);
  m.put(s, WorkKind::Record, e);
  m.put(t, WorkKind::Wait, e, lab::kNoEvent);
  for (const Arrow& arrow : m.scene().arrows) EXPECT_FALSE(arrow.of_wait);
}

TEST(picture_work, default_streams_are_shown_only_while_they_have_work) {
  Streams m;
  const StreamKey legacy{m.a, StreamKey::Kind::Legacy, 0}, own{m.a, StreamKey::Kind::PerThread, 1};
  EXPECT_EQ(find(m.scene(), BoxKind::Lane), nullptr);
  m.put(legacy, WorkKind::Fill);
  m.put(own, WorkKind::Copy);
  const Scene scene = m.scene();
  expect_sound(scene);
  std::string words;
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Lane) words += words_of(box);
  EXPECT_NE(words.find("legacy stream|"), std::string::npos) << words;
  EXPECT_NE(words.find("thread 1's own|"), std::string::npos) << words;
  m.state.work = {};
  EXPECT_EQ(find(m.scene(), BoxKind::Lane), nullptr);
}

TEST(picture_work, of_much_work_the_latest_is_shown_and_all_is_counted) {
  Streams m;
  const StreamKey s = m.stream();
  for (int i = 0; i < 500; ++i) m.put(s, WorkKind::Kernel);
  m.put(s, WorkKind::Copy);
  const Scene scene = m.scene();
  expect_sound(scene);
  const std::string marks = Streams::marks(scene, s);
  EXPECT_EQ(marks.substr(0, 2), "+4") << marks;
  EXPECT_EQ(marks.substr(marks.size() - 3), "0 1") << marks;
  std::size_t shown = 0;
  for (const Box& box : scene.boxes) shown += box.kind == BoxKind::Work && !box.more ? 1 : 0;
  EXPECT_EQ("+" + std::to_string(501 - shown), marks.substr(0, 4));
}

TEST(picture_work, lanes_are_sound_at_all_widths_scales_and_in_both_languages) {
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    for (const float scale : {1.0f, 2.0f})
      for (const float width : {300.0f, 560.0f, 1400.0f}) {
        SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(scale));
        Streams m;
        m.language = language, m.scale = scale, m.width = width * scale;
        for (int i = 0; i < 3; ++i) m.context();
        const lab::ObjectId e = m.object(lab::ObjectKind::Event, m.a);
        std::vector<StreamKey> streams;
        for (int i = 0; i < 3; ++i) streams.push_back(m.stream());
        streams.push_back({m.a, StreamKey::Kind::Legacy, 0});
        streams.push_back({m.a, StreamKey::Kind::PerThread, 0});
        std::uint64_t record = lab::kNoEvent;
        for (std::size_t i = 0; i < 200; ++i) {
          const StreamKey& stream = streams[i * i % streams.size()];
          const auto kind = static_cast<WorkKind>(i % lab::kWorkKinds);
          const bool of_event = kind == WorkKind::Record || kind == WorkKind::Wait;
          const std::uint64_t put =
              m.put(stream, kind, of_event ? e : lab::ObjectId{}, kind == WorkKind::Wait ? record : 1024);
          if (kind == WorkKind::Record) record = put;
        }
        const Scene scene = m.scene();
        expect_sound(scene);
        for (const Box& box : scene.boxes)
          for (const Label& label : box.labels)
            if (box.kind == BoxKind::Work) {
              EXPECT_EQ(label.text.find("…"), std::string::npos) << label.text;
            }
      }
}

TEST(picture_work, a_context_with_many_streams_has_lanes_for_those_with_work) {
  Streams m;
  std::vector<StreamKey> streams;
  for (int i = 0; i < 20; ++i) streams.push_back(m.stream());
  for (int i = 0; i < 9; ++i) m.put(streams[static_cast<std::size_t>(2 * i)], WorkKind::Kernel);
  Scene scene = m.scene();
  expect_sound(scene);
  const auto lanes = [](const Scene& shown) {
    std::set<std::uint32_t> with_marks;
    for (const Box& box : shown.boxes)
      if (box.kind == BoxKind::Work) with_marks.insert(shown.mark_of(box)->stream.number);
    return with_marks.size();
  };
  EXPECT_EQ(lanes(scene), 6u);
  const Box* fold = nullptr;
  for (const Box& box : scene.boxes)
    if (box.id == lanes_fold(m.a)) fold = &box;
  ASSERT_NE(fold, nullptr);
  EXPECT_NE(words_of(*fold).find("3"), std::string::npos);
  m.unfolded.insert(fold->id);
  scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(lanes(scene), 9u);
}

TEST(picture_work, who_leaves_streams_out_sees_no_lanes) {
  Streams m;
  m.put(m.stream(), WorkKind::Kernel);
  m.put({m.a, StreamKey::Kind::Legacy, 0}, WorkKind::Kernel);
  m.filter.streams = false;
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(find(scene, BoxKind::Work), nullptr);
  EXPECT_EQ(find(scene, BoxKind::Lane), nullptr);
}

TEST(picture_work, the_step_says_that_work_was_put_into_a_stream_and_not_that_it_was_done) {
  Streams m;
  const StreamKey s = m.stream();
  m.allocate(m.a, 64);
  trace::Event fill;
  fill.function = trace::Function::cuMemsetD8Async;
  fill.seq = m.put(s, WorkKind::Fill, {}, 64);
  m.state.changes = {{lab::Change::Kind::MemoryWritten, 0, m.a, 1}};
  EXPECT_EQ(step_words(m.state, fill, lab::Language::English), "Put into S1: fill 64 bytes.");
  EXPECT_EQ(step_words(m.state, fill, lab::Language::Chinese), "已放入“S1”：填充 64 字节。");
  m.state.work = {};
  trace::Event wait;
  wait.function = trace::Function::cuStreamSynchronize;
  wait.seq = 1;
  m.state.changes.clear();
  StepAnswers answers;
  answers.waiting_before = 1;
  EXPECT_EQ(step_words(m.state, wait, lab::Language::English, answers), "Now known to be done: 1.");
}

}  // namespace
}  // namespace gui::picture
