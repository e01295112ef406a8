// SPDX-License-Identifier: MIT
// What holds for the picture as a whole: lines that cross nothing, threads that have ended, managed memory,
// what is left out by wish, what is marked, and a run as large as a classroom's largest.
#include "picture_layouter.hpp"
#include "picture_maker.hpp"
#include "picture_motion.hpp"
#include "picture_since.hpp"
#include "picture_text.hpp"

namespace gui::picture {
namespace {

bool holds_the_end(const Scene& scene, int box, int end) {
  for (; end >= 0; end = scene.boxes[static_cast<std::size_t>(end)].parent)
    if (end == box) return true;
  return false;
}

// Of the part that lies strictly between the corners.
bool crosses(Point a, Point b, const Rect& rect) {
  constexpr float kSlack = 0.5f;
  return std::max(a.x, b.x) > rect.x + kSlack && std::min(a.x, b.x) < rect.right() - kSlack &&
         std::max(a.y, b.y) > rect.y + kSlack && std::min(a.y, b.y) < rect.bottom() - kSlack;
}

enum class Lines : std::uint8_t { OfLibraries, OfCurrent };

void expect_free_lines(const Scene& scene, Lines wanted = Lines::OfLibraries) {
  std::size_t lines = 0;
  for (const Arrow& arrow : scene.arrows) {
    if (arrow.of_wait || arrow.of_edge || arrow.of_mapping ||
        arrow.of_library != (wanted == Lines::OfLibraries) || (!arrow.of_library && arrow.route.empty()))
      continue;
    ++lines;
    ASSERT_GE(arrow.route.size(), 2u);
    for (std::size_t i = 0; i + 1 < arrow.route.size(); ++i) {
      const Point a = arrow.route[i], b = arrow.route[i + 1];
      EXPECT_TRUE(std::abs(a.x - b.x) < 0.5f || std::abs(a.y - b.y) < 0.5f) << "a slanting line";
      for (int box = 0; box < static_cast<int>(scene.boxes.size()); ++box) {
        if (holds_the_end(scene, box, arrow.from) || holds_the_end(scene, box, arrow.to)) continue;
        EXPECT_FALSE(crosses(a, b, scene.boxes[static_cast<std::size_t>(box)].rect))
            << "line " << i << " crosses " << name_of(scene.boxes[static_cast<std::size_t>(box)]);
      }
    }
  }
  EXPECT_GT(lines, 0u);
}

TEST(picture_whole, lines_to_current_contexts_cross_no_box) {
  for (const float width : {300.0f, 560.0f, 900.0f, 1400.0f}) {
    SCOPED_TRACE(width);
    Maker m = lesson_moment();
    m.width = width;
    for (int i = 0; i < 4; ++i) m.context(static_cast<std::uint32_t>(i % 2));
    for (std::uint32_t thread = 1; thread < 4; ++thread) m.thread().stack = {2 + thread};
    const Scene scene = m.scene();
    expect_sound(scene);
    expect_free_lines(scene, Lines::OfCurrent);
  }
}

// Two bends close together look like a mistake of the drawing.
TEST(picture_whole, a_line_to_a_context_beside_the_stack_makes_no_small_jog) {
  std::size_t lines = 0;
  for (const float scale : {1.0f, 1.5f, 2.0f})
    for (std::size_t depth = 1; depth < 9; ++depth) {
      Maker m;
      m.scale = scale, m.width = 1500 * scale, m.beside = true;
      m.state.initialised = true;
      m.device();
      m.context();
      m.thread().stack.assign(depth, 1);
      const Scene scene = m.scene();
      for (const Arrow& arrow : scene.arrows)
        for (std::size_t i = 1; i + 2 < arrow.route.size(); ++i) {
          const Point a = arrow.route[i], b = arrow.route[i + 1];
          ++lines;
          EXPECT_GE(std::abs(a.x - b.x) + std::abs(a.y - b.y), 12 * scale) << "depth " << depth;
        }
    }
  EXPECT_GT(lines, 0u);
}

// A curve is the shorter way, and stays where it may.
TEST(picture_whole, a_context_with_nothing_above_it_is_reached_by_a_curve) {
  Maker m;
  m.state.initialised = true;
  m.device();
  m.thread().stack = {0};
  const Scene scene = m.scene();
  expect_sound(scene);
  ASSERT_EQ(scene.arrows.size(), 1u);
  EXPECT_TRUE(scene.arrows[0].route.empty());
}

TEST(picture_whole, lines_from_libraries_cross_no_box) {
  for (const float width : {300.0f, 560.0f, 900.0f, 1400.0f}) {
    SCOPED_TRACE(width);
    Maker m = lesson_moment();
    m.width = width;
    for (int i = 0; i < 4; ++i) m.context(static_cast<std::uint32_t>(i % 2));
    for (int i = 0; i < 3; ++i) {
      const lab::ObjectId library = m.object(lab::ObjectKind::Library, lab::kNone);
      m.object(lab::ObjectKind::Kernel, lab::kNone, library, "vecAdd");
      for (std::uint32_t context = 0; context < m.state.contexts.size(); context += 2)
        m.object(lab::ObjectKind::Module, context, library);
    }
    const Scene scene = m.scene();
    expect_sound(scene);
    expect_free_lines(scene);
  }
}

TEST(picture_whole, ended_threads_with_empty_stacks_are_one_chip_that_opens) {
  Maker m = lesson_moment();
  for (int i = 0; i < 5; ++i) m.thread().alive = false;
  m.state.threads[3].stack = {2};  // left something behind: it stays
  Scene scene = m.scene();
  expect_sound(scene);
  const Box* chip = find(scene, BoxKind::EndedThreads);
  ASSERT_NE(chip, nullptr);
  EXPECT_NE(words_of(*chip).find("4 ended thread(s), stacks empty: 1, 2, 4, 5"), std::string::npos)
      << words_of(*chip);
  const auto threads = [](const Scene& shown) {
    return std::count_if(shown.boxes.begin(), shown.boxes.end(),
                         [](const Box& box) { return box.kind == BoxKind::Thread; });
  };
  EXPECT_EQ(threads(scene), 2);
  m.unfolded.insert(chip->id);
  scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(threads(scene), 6);
  EXPECT_EQ(find(scene, BoxKind::EndedThreads), nullptr);
}

TEST(picture_whole, a_thread_that_lives_never_folds_for_its_empty_stack) {
  Maker m = lesson_moment();
  m.thread();
  EXPECT_EQ(find(m.scene(), BoxKind::EndedThreads), nullptr);
}

TEST(picture_whole, managed_memory_lies_above_the_devices_and_says_where_it_was_prefetched) {
  Maker m = lesson_moment();
  m.allocate(2, 1u << 20, lab::MemoryKind::Managed);
  m.allocate(2, 1u << 20, lab::MemoryKind::Managed);
  m.allocate(3, 1u << 20, lab::MemoryKind::Managed);
  m.state.allocations[2].place = 1;
  m.state.allocations[3].place = lab::kHost;
  const Scene scene = m.scene();
  expect_sound(scene);
  std::vector<std::string> words;
  for (const Box& box : scene.boxes) {
    if (box.kind != BoxKind::Allocation || box.memory != lab::MemoryKind::Managed) continue;
    words.push_back(words_of(box));
    EXPECT_EQ(scene.boxes[static_cast<std::size_t>(box.parent)].kind, BoxKind::Process);
    EXPECT_LT(box.rect.bottom(), find(scene, BoxKind::Device)->rect.y);
  }
  ASSERT_EQ(words.size(), 3u);
  EXPECT_NE(words[0].find("last prefetched to device 1 · owner A"), std::string::npos) << words[0];
  EXPECT_NE(words[1].find("last prefetched to the host · owner A"), std::string::npos) << words[1];
  EXPECT_NE(words[2].find("moves as it is used · owner B"), std::string::npos) << words[2];
}

TEST(picture_whole, what_the_filter_leaves_out_is_not_there_and_the_rest_is) {
  Maker m = lesson_moment();
  m.object(lab::ObjectKind::Module, 2);
  m.object(lab::ObjectKind::Stream, 2);
  m.state.contexts[m.context(1)].alive = false;
  const auto has = [&m](lab::ObjectKind kind) {
    const Scene scene = m.scene();
    return std::any_of(scene.boxes.begin(), scene.boxes.end(), [kind](const Box& box) {
      return box.kind == BoxKind::Object && box.object.kind == kind;
    });
  };
  EXPECT_TRUE(has(lab::ObjectKind::Module));
  m.filter.code = false;
  EXPECT_FALSE(has(lab::ObjectKind::Module));
  EXPECT_TRUE(has(lab::ObjectKind::Stream));
  m.filter = {}, m.filter.memory = false;
  EXPECT_EQ(find(m.scene(), BoxKind::Allocation), nullptr);
  m.filter = {}, m.filter.threads = false;
  EXPECT_EQ(find(m.scene(), BoxKind::Thread), nullptr);
  expect_sound(m.scene());
  m.filter = {}, m.filter.destroyed = false;
  for (const Box& box : m.scene().boxes) EXPECT_FALSE(box.destroyed);
  m.filter = {}, m.filter.device = 1;
  const Scene scene = m.scene();
  EXPECT_EQ(std::count_if(scene.boxes.begin(), scene.boxes.end(),
                          [](const Box& box) { return box.kind == BoxKind::Device; }),
            1);
}

TEST(picture_whole, what_was_searched_for_is_shown_although_others_fold) {
  Maker m = lesson_moment();
  for (int i = 0; i < 300; ++i) m.allocate(2, 1u << 20);
  m.allocate(2, 16);
  const std::uint32_t last = m.state.allocations.back().number;
  const auto shows = [last](const Scene& scene) {
    return std::any_of(scene.boxes.begin(), scene.boxes.end(), [last](const Box& box) {
      return box.kind == BoxKind::Allocation && box.allocation == last;
    });
  };
  EXPECT_FALSE(shows(m.scene()));
  m.wanted = {lab::ObjectKind::Allocation, last};
  EXPECT_TRUE(shows(m.scene()));
  expect_sound(m.scene());
}

TEST(picture_whole, the_difference_from_a_pinned_moment_is_said_and_marked) {
  Maker before = lesson_moment(), now = lesson_moment();
  now.state.threads[0].stack.pop_back();
  now.state.contexts[3].alive = false;
  now.allocate(2, 64);
  trace::Store store;
  const lab::Model model(store);
  const Since since = since_pin(model, before.state, now.state, 6, lab::Language::English);
  EXPECT_EQ(since.words.find("Since call 6: "), 0u) << since.words;
  EXPECT_NE(since.words.find("stack of"), std::string::npos) << since.words;
  EXPECT_EQ(since.marks.at({lab::ObjectKind::Allocation, 3}), Box::Since::Created);
  now.since = since.marks;
  const Scene scene = now.scene();
  expect_sound(scene);
  ASSERT_NE(find(scene, BoxKind::Since), nullptr);
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Allocation) {
      EXPECT_EQ(box.since, box.allocation == 3 ? Box::Since::Created : Box::Since::Same);
    }
  const Since same = since_pin(model, before.state, before.state, 0, lab::Language::English);
  EXPECT_EQ(same.words, "Since before the first call: no difference");
  EXPECT_TRUE(same.marks.empty());
}

TEST(picture_whole, thirty_two_threads_eight_devices_and_ten_thousand_allocations_stay_a_picture) {
  Maker m;
  m.width = 900;
  m.state.initialised = true;
  std::vector<std::uint32_t> contexts;
  for (int i = 0; i < 8; ++i) m.device();
  for (std::uint32_t i = 0; i < 16; ++i) contexts.push_back(m.context(i % 8));
  for (std::size_t i = 0; i < 32; ++i) m.thread().stack.assign(3, contexts[i % 16]);
  for (std::size_t i = 0; i < 10'000; ++i) m.allocate(contexts[i % 16], 256u << (i % 12));
  const Scene scene = m.scene();
  EXPECT_LT(scene.boxes.size(), 9000u);
  EXPECT_LT(scene.height, 12'000);
  std::size_t said = 0;  // what is read, not the ribbons' spans
  for (const Box& box : scene.boxes) said += box.labels.size();
  EXPECT_LT(said, 700u);
}

TEST(step_words, a_launch_launched_and_a_wait_waited) {
  Maker m = lesson_moment();
  trace::Event event;
  event.name = "cuLaunchKernel", event.function = trace::Function::cuLaunchKernel;
  const lab::ObjectId module = m.object(lab::ObjectKind::Module, 2);
  const lab::ObjectId function = m.object(lab::ObjectKind::Function, 2, module, "vecAdd");
  lab::Change launched;
  launched.kind = lab::Change::Kind::Launched, launched.object = function;
  m.state.changes = {launched};
  for (const auto& [name, value] :
       {std::pair{"gridDimX", 128}, std::pair{"gridDimY", 2}, std::pair{"blockDimX", 256}}) {
    trace::Argument argument;
    argument.name = name, argument.word = static_cast<std::uint64_t>(value);
    event.arguments.push_back(argument);
  }
  EXPECT_EQ(step_words(m.state, event, lab::Language::English),
            "M1.vecAdd launched: 128 × 2 block(s) of 256 thread(s).");
  m.state.changes.clear();
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "A kernel launched.");
  event.name = "cuCtxSynchronize", event.function = trace::Function::cuCtxSynchronize;
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "Waited until the work was done.");
  event.name = "cuProfilerStart", event.function = trace::Function::cuProfilerStart;
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "Nothing that is drawn here changed.");
}

}  // namespace
}  // namespace gui::picture
