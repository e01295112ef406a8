// Scenes without a window: nothing overlaps, nothing sticks out, places are stable, in both languages.
#include "picture_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "markdown/wrap.hpp"
#include "picture_words.hpp"

namespace gui::picture {
namespace {

// Letters of plausible widths; Chinese twice as wide.
float letter_width(std::string_view words, Size size, Face face) {
  constexpr float kEm[] = {12, 14, 17, 22};
  const float em = kEm[static_cast<std::size_t>(size)];
  float width = 0;
  for (std::size_t at = 0; at < words.size();)
    width += markdown::next_character(words, at) >= 0x2E80 ? em : em * (face == Face::Mono ? 0.6f : 0.55f);
  return width;
}

struct Maker {
  lab::State state;
  lab::Language language = lab::Language::English;
  float scale = 1, width = 560;
  std::set<std::uint64_t> unfolded;
  std::uint32_t acting = 0;

  std::uint32_t device() {
    const auto ordinal = static_cast<std::uint32_t>(state.devices.size());
    lab::Context primary;
    primary.name = "P" + std::to_string(ordinal);
    primary.device = ordinal, primary.primary = true, primary.active = false;
    state.contexts.push_back(primary);
    state.devices.push_back({ordinal, "Embedded GPU " + std::to_string(ordinal), 8ull << 30,
                             static_cast<std::uint32_t>(state.contexts.size() - 1)});
    return ordinal;
  }
  std::uint32_t context(std::uint32_t on = 0) {
    lab::Context made;
    made.name = std::string(1, static_cast<char>('A' + state.next_letter++ % 26));
    made.device = on, made.handle = 0x1000 + state.contexts.size();
    state.contexts.push_back(made);
    return static_cast<std::uint32_t>(state.contexts.size() - 1);
  }
  void allocate(std::uint32_t context, std::uint64_t size, lab::MemoryKind kind = lab::MemoryKind::Device) {
    const std::uint64_t address =
        state.allocations.empty() ? 0x700000000000
                                  : state.allocations.back().address + state.allocations.back().size + 512;
    state.allocations.push_back({state.next_allocation++, address, size, kind, context, 0});
  }
  lab::ObjectId object(lab::ObjectKind kind, std::uint32_t context, lab::ObjectId owner = {},
                       const std::string& label = {}, std::uint64_t size = 0) {
    lab::Object made;
    made.id = {kind, ++state.kinds_made[static_cast<std::size_t>(kind)]};
    made.serial = ++state.objects_made;
    made.handle = 0x9000 + made.serial;
    made.context = context, made.owner = owner, made.size = size;
    made.given = static_cast<bool>(owner);
    if (!label.empty()) made.label = std::make_shared<const std::string>(label);
    state.objects.push_back(made);
    return made.id;
  }
  lab::Thread& thread(std::string name = {}) {
    lab::Thread made;
    made.number = static_cast<std::uint32_t>(state.threads.size());
    made.name = std::move(name);
    state.threads.push_back(made);
    return state.threads.back();
  }
  Scene scene() const {
    const Meter meter{[this](std::string_view words, Face face, Size size) {
                        return letter_width(words, size, face) * scale;
                      },
                      [this](Face, Size size) {
                        constexpr float kLine[] = {15, 17, 21, 27};
                        return std::round(kLine[static_cast<std::size_t>(size)] * scale);
                      }};
    Request request;
    request.state = &state;
    request.language = language;
    request.meter = &meter;
    request.scale = scale, request.width = width;
    request.acting_thread = acting;
    request.step_title = "This step · call 6 · cuCtxPushCurrent";
    request.step_words = "+ A on top. + 64 MiB (#1) allocated in A.";
    request.unfolded = unfolded;
    request.line_of = [](std::uint64_t event) { return static_cast<int>(event) + 20; };
    return lay_out(request);
  }
};

bool overlap(const Rect& a, const Rect& b) {
  constexpr float kSlack = 0.01f;
  return a.x + kSlack < b.right() && b.x + kSlack < a.right() && a.y + kSlack < b.bottom() &&
         b.y + kSlack < a.bottom();
}

std::string name_of(const Box& box) {
  std::string name =
      "box kind " + std::to_string(static_cast<int>(box.kind)) + " id " + std::to_string(box.id);
  for (const Label& label : box.labels) name += " '" + label.text + "'";
  return name;
}

void expect_sound(const Scene& scene) {
  std::set<std::uint64_t> ids;
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    const Box& box = scene.boxes[i];
    EXPECT_TRUE(ids.insert(box.id).second) << "twice: " << name_of(box);
    EXPECT_GT(box.rect.w, 0) << name_of(box);
    EXPECT_GT(box.rect.h, 0) << name_of(box);
    EXPECT_GE(box.rect.x, -0.01f) << name_of(box);
    EXPECT_GE(box.rect.y, -0.01f) << name_of(box);
    EXPECT_LE(box.rect.right(), scene.width + 0.01f) << name_of(box);
    EXPECT_LE(box.rect.bottom(), scene.height + 0.01f) << name_of(box);
    if (box.parent >= 0) {
      ASSERT_LT(box.parent, static_cast<int>(i));
      const Rect& outer = scene.boxes[static_cast<std::size_t>(box.parent)].rect;
      EXPECT_GE(box.rect.x, outer.x - 0.01f) << name_of(box);
      EXPECT_GE(box.rect.y, outer.y - 0.01f) << name_of(box);
      EXPECT_LE(box.rect.right(), outer.right() + 0.01f) << name_of(box);
      EXPECT_LE(box.rect.bottom(), outer.bottom() + 0.01f) << name_of(box);
    }
    for (std::size_t j = i + 1; j < scene.boxes.size(); ++j) {
      if (scene.boxes[j].parent == box.parent) {
        EXPECT_FALSE(overlap(box.rect, scene.boxes[j].rect))
            << name_of(box) << " and " << name_of(scene.boxes[j]);
      }
    }
    for (std::size_t a = 0; a < box.labels.size(); ++a) {
      const Rect& at = box.labels[a].at;
      EXPECT_GE(at.x, -0.01f) << name_of(box);
      EXPECT_GE(at.y, -0.01f) << name_of(box);
      EXPECT_LE(at.right(), box.rect.w + 0.01f) << box.labels[a].text << " in " << name_of(box);
      EXPECT_LE(at.bottom(), box.rect.h + 0.01f) << box.labels[a].text << " in " << name_of(box);
      for (std::size_t b = a + 1; b < box.labels.size(); ++b) {
        EXPECT_FALSE(overlap(at, box.labels[b].at)) << box.labels[a].text << " over " << box.labels[b].text;
      }
    }
  }
  for (const Arrow& arrow : scene.arrows) {
    const BoxKind from = arrow.of_library ? BoxKind::Object : BoxKind::Card,
                  to = arrow.of_library ? BoxKind::Object : BoxKind::Context;
    EXPECT_EQ(scene.boxes[static_cast<std::size_t>(arrow.from)].kind, from);
    EXPECT_EQ(scene.boxes[static_cast<std::size_t>(arrow.to)].kind, to);
  }
}

const Box* find(const Scene& scene, BoxKind kind, std::uint32_t context = lab::kNone) {
  for (const Box& box : scene.boxes)
    if (box.kind == kind && (context == lab::kNone || box.context == context)) return &box;
  return nullptr;
}

std::string words_of(const Box& box) {
  std::string words;
  for (const Label& label : box.labels) words += label.text + "|";
  return words;
}

Maker lesson_moment() {  // A, B, A on the stack; 64 MiB and 4 KiB in A
  Maker m;
  m.state.initialised = true;
  m.device();
  m.device();
  const std::uint32_t a = m.context(), b = m.context();
  m.thread("main").stack = {a, b, a};
  m.allocate(a, 64ull << 20);
  m.allocate(a, 4096);
  m.state.changes = {{lab::Change::Kind::Pushed, 0, a, 0}};
  return m;
}

TEST(picture, the_lessons_moment_shows_three_cards_with_the_top_one_current) {
  Maker m = lesson_moment();
  const Scene scene = m.scene();
  expect_sound(scene);
  std::vector<const Box*> cards;
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Card) cards.push_back(&box);
  ASSERT_EQ(cards.size(), 3u);
  EXPECT_GT(cards[0]->rect.y, cards[1]->rect.y);
  EXPECT_GT(cards[1]->rect.y, cards[2]->rect.y);
  EXPECT_TRUE(cards[2]->current);
  EXPECT_TRUE(cards[2]->changed);
  EXPECT_FALSE(cards[0]->current);
  EXPECT_EQ(cards[0]->context, cards[2]->context);
  ASSERT_EQ(scene.arrows.size(), 1u);
  EXPECT_EQ(scene.boxes[static_cast<std::size_t>(scene.arrows[0].to)].context, cards[2]->context);
}

TEST(picture, a_push_and_a_pop_move_no_card_that_stays) {
  Maker m = lesson_moment();
  const Scene three = m.scene();
  m.state.threads[0].stack.pop_back();
  const Scene two = m.scene();
  for (const Box& box : two.boxes)
    for (const Box& other : three.boxes)
      if (box.id == other.id && box.kind != BoxKind::Step) {
        EXPECT_EQ(box.rect, other.rect) << name_of(box);
      }
}

TEST(picture, allocations_are_drawn_to_scale) {
  Maker m;
  m.state.initialised = true;
  m.device();
  const std::uint32_t a = m.context(), b = m.context();
  m.thread();
  m.allocate(a, 64ull << 20);
  m.allocate(a, 32ull << 20);
  m.allocate(b, 16ull << 20);  // on the same scale, though in another context
  const Scene scene = m.scene();
  std::vector<float> lengths;
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Allocation) lengths.push_back(box.share * box.rect.w);
  ASSERT_EQ(lengths.size(), 3u);
  EXPECT_NEAR(lengths[0] / lengths[1], 2, 0.01);
  EXPECT_NEAR(lengths[0] / lengths[2], 4, 0.01);
}

TEST(picture, an_empty_stack_says_what_a_call_would_answer) {
  Maker m;
  m.thread();
  EXPECT_NE(words_of(*find(m.scene(), BoxKind::Stack)).find("cuMemAlloc → 3|"), std::string::npos);
  m.state.initialised = true;
  EXPECT_NE(words_of(*find(m.scene(), BoxKind::Stack)).find("cuMemAlloc → 201|"), std::string::npos);
}

TEST(picture, a_dead_context_on_top_says_709) {
  Maker m = lesson_moment();
  m.state.contexts[m.state.threads[0].stack.back()].alive = false;
  const Scene scene = m.scene();
  EXPECT_NE(words_of(*find(scene, BoxKind::Stack)).find("cuMemAlloc → 709|"), std::string::npos);
  expect_sound(scene);
}

TEST(picture, current_floating_and_destroyed_differ_in_more_than_colour) {
  Maker m;
  m.state.initialised = true;
  m.device();
  const std::uint32_t current = m.context(), floating = m.context(), gone = m.context();
  m.thread().stack = {current};
  m.state.contexts[gone].alive = false;
  m.state.contexts[gone].destroyed_at = 9;
  const Scene scene = m.scene();
  expect_sound(scene);
  const Box *c = find(scene, BoxKind::Context, current), *f = find(scene, BoxKind::Context, floating),
            *g = find(scene, BoxKind::Context, gone);
  EXPECT_TRUE(c->current && !c->floating && !c->destroyed);
  EXPECT_TRUE(!f->current && f->floating && !f->destroyed);
  EXPECT_TRUE(!g->current && !g->floating && g->destroyed);
  EXPECT_NE(words_of(*c).find("current|"), std::string::npos);
  EXPECT_NE(words_of(*f).find("floating|"), std::string::npos);
  EXPECT_NE(words_of(*g).find("destroyed|"), std::string::npos);
  EXPECT_TRUE(
      std::any_of(g->labels.begin(), g->labels.end(), [](const Label& label) { return label.struck; }));
}

TEST(picture, the_primary_shows_its_retain_count_and_whether_it_is_active) {
  Maker m;
  m.device();
  m.thread();
  EXPECT_NE(words_of(*find(m.scene(), BoxKind::Context, 0)).find("not active · retained 0×"),
            std::string::npos);
  m.state.contexts[0].active = true;
  m.state.contexts[0].retain_count = 2;
  EXPECT_NE(words_of(*find(m.scene(), BoxKind::Context, 0)).find("active · retained 2×"), std::string::npos);
}

TEST(picture, a_created_context_keeps_its_place_while_others_come_and_fill) {
  Maker m;
  m.state.initialised = true;
  m.device();
  const std::uint32_t a = m.context();
  m.thread();
  const Rect before = find(m.scene(), BoxKind::Context, a)->rect;
  m.context();
  m.context();
  m.state.contexts[a].alive = true;
  const Rect after = find(m.scene(), BoxKind::Context, a)->rect;
  EXPECT_EQ(before.x, after.x);
  EXPECT_EQ(before.y, after.y);
}

TEST(picture, many_of_everything_fold_and_unfold) {
  Maker m;
  m.state.initialised = true;
  m.device();
  const std::uint32_t a = m.context();
  for (int i = 0; i < 50; ++i) m.allocate(a, 1024u * static_cast<unsigned>(i + 1));
  for (int i = 0; i < 30; ++i) {
    const std::uint32_t gone = m.context();
    m.state.contexts[gone].alive = false;
  }
  for (int i = 0; i < 40; ++i) m.thread().stack.assign(20, a);
  m.acting = 39;
  Scene scene = m.scene();
  expect_sound(scene);
  const Box* allocations = find(scene, BoxKind::AllocationsFold);
  ASSERT_NE(allocations, nullptr);
  EXPECT_NE(words_of(*allocations).find("45 more"), std::string::npos);
  ASSERT_NE(find(scene, BoxKind::ThreadsFold), nullptr);
  EXPECT_NE(words_of(*find(scene, BoxKind::ThreadsFold)).find("28 more"), std::string::npos);
  ASSERT_NE(find(scene, BoxKind::CardsFold), nullptr);
  EXPECT_NE(words_of(*find(scene, BoxKind::CardsFold)).find("13 more"), std::string::npos);
  ASSERT_NE(find(scene, BoxKind::ContextsFold), nullptr);
  EXPECT_NE(words_of(*find(scene, BoxKind::ContextsFold)).find("26 more"), std::string::npos);
  // The thread that acts is there, whatever folds.
  EXPECT_TRUE(std::any_of(scene.boxes.begin(), scene.boxes.end(),
                          [](const Box& box) { return box.kind == BoxKind::Thread && box.acting; }));
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::AllocationsFold || box.kind == BoxKind::ThreadsFold ||
        box.kind == BoxKind::CardsFold || box.kind == BoxKind::ContextsFold)
      m.unfolded.insert(box.id);
  scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(find(scene, BoxKind::AllocationsFold), nullptr);
  EXPECT_EQ(find(scene, BoxKind::ThreadsFold), nullptr);
  EXPECT_EQ(find(scene, BoxKind::ContextsFold), nullptr);
}

TEST(picture, a_module_frames_its_functions_and_variables) {
  Maker m = lesson_moment();
  const lab::ObjectId module = m.object(lab::ObjectKind::Module, 2);
  m.object(lab::ObjectKind::Function, 2, module, "vecAdd");
  m.object(lab::ObjectKind::Global, 2, module, "counter", 256);
  m.object(lab::ObjectKind::Stream, 2);
  const Scene scene = m.scene();
  expect_sound(scene);
  const auto box_of = [&scene](const std::string& words) -> const Box* {
    for (const Box& box : scene.boxes)
      if (box.kind == BoxKind::Object && words_of(box) == words) return &box;
    return nullptr;
  };
  ASSERT_NE(box_of("M1|"), nullptr);
  ASSERT_NE(box_of("vecAdd|"), nullptr);
  ASSERT_NE(box_of("counter  256 bytes|"), nullptr);
  ASSERT_NE(box_of("S1|"), nullptr);
  EXPECT_EQ(scene.boxes[static_cast<std::size_t>(box_of("vecAdd|")->parent)].object, module);
  EXPECT_EQ(scene.boxes[static_cast<std::size_t>(box_of("S1|")->parent)].kind, BoxKind::Context);
}

TEST(picture, a_library_belongs_to_the_process_with_a_line_to_each_copy) {
  Maker m = lesson_moment();
  const lab::ObjectId library = m.object(lab::ObjectKind::Library, lab::kNone);
  m.object(lab::ObjectKind::Kernel, lab::kNone, library, "vecAdd");
  m.object(lab::ObjectKind::Module, 2, library);
  m.object(lab::ObjectKind::Module, 3, library);
  const Scene scene = m.scene();
  expect_sound(scene);
  ASSERT_NE(find(scene, BoxKind::Process), nullptr);
  EXPECT_EQ(std::count_if(scene.arrows.begin(), scene.arrows.end(),
                          [](const Arrow& arrow) { return arrow.of_library; }),
            2);
}

TEST(picture, objects_of_a_kind_fold_and_unfold) {
  Maker m = lesson_moment();
  for (int i = 0; i < 300; ++i) m.object(lab::ObjectKind::Event, 2);
  for (int i = 0; i < 30; ++i) m.object(lab::ObjectKind::Module, 3);
  Scene scene = m.scene();
  expect_sound(scene);
  std::size_t folds = 0;
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::ObjectsFold) m.unfolded.insert(box.id), ++folds;
  EXPECT_EQ(folds, 2u);
  EXPECT_LT(scene.boxes.size(), 100u);
  scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(find(scene, BoxKind::ObjectsFold), nullptr);
}

TEST(picture, memory_without_a_known_owner_is_still_shown) {
  Maker m;
  m.thread();
  m.allocate(lab::kNone, 100, lab::MemoryKind::Registered);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_NE(find(scene, BoxKind::Allocation), nullptr);
}

// Any state, any width, any scale, both languages.
TEST(picture, nothing_overlaps_or_sticks_out_whatever_happens) {
  for (unsigned seed = 0; seed < 250; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Maker m;
    m.language = random() % 2 ? lab::Language::Chinese : lab::Language::English;
    constexpr float kScales[] = {0.75f, 1, 1.25f, 1.75f, 2.5f};
    m.scale = kScales[random() % 5];
    m.width = (200 + static_cast<float>(random() % 1500)) * m.scale;
    m.state.initialised = random() % 4 != 0;
    for (auto n = random() % 4; n > 0; --n) m.device();
    std::vector<std::uint32_t> contexts;
    for (auto n = m.state.devices.empty() ? 0 : random() % 9; n > 0; --n) {
      contexts.push_back(m.context(static_cast<std::uint32_t>(random() % m.state.devices.size())));
      lab::Context& made = m.state.contexts[contexts.back()];
      made.alive = random() % 3 != 0;
      made.use_count = random() % 4 == 0 ? 3 : 1;
      if (random() % 5 == 0) made.name = "0x55d0c2a41b60";
      if (random() % 7 == 0) made.hidden = true;
    }
    for (std::uint32_t i = 0; i < m.state.contexts.size(); ++i) {
      lab::Context& each = m.state.contexts[i];
      if (each.primary && random() % 2) each.active = true, each.retain_count = 3, contexts.push_back(i);
    }
    for (auto n = random() % 7; n > 0; --n) {
      lab::Thread& thread = m.thread(random() % 2 ? "a worker with a long name 工作线程" : "");
      thread.alive = random() % 4 != 0;
      for (auto depth = contexts.empty() ? 0 : random() % 12; depth > 0; --depth)
        thread.stack.push_back(contexts[random() % contexts.size()]);
      if (random() % 3 == 0) thread.agree = false;
    }
    for (auto n = contexts.empty() ? 0 : random() % 30; n > 0; --n)
      m.allocate(contexts[random() % contexts.size()], 1 + random() % (1u << (random() % 31)),
                 static_cast<lab::MemoryKind>(random() % 4));
    for (auto n = contexts.empty() ? 0 : random() % 40; n > 0; --n) {
      const std::uint32_t owner = random() % 4 == 0 ? lab::kNone : contexts[random() % contexts.size()];
      const auto kind = static_cast<lab::ObjectKind>(5 + random() % (lab::kObjectKinds - 5));
      lab::ObjectId of;
      if (random() % 2 && !m.state.objects.empty() && m.state.objects.back().context == owner)
        of = m.state.objects.back().id;
      m.object(kind, owner, of,
               random() % 3 ? std::string(random() % 60, 'x') : "_Z6vecAddPKfS0_Pfi 函数的名字",
               random() % 2 ? 1u << (random() % 30) : 0);
    }
    expect_sound(m.scene());
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ribbon, gaps_are_to_scale_and_long_ones_are_cut) {
  const std::vector<Placed> near = place_on_ribbon({{100, 100}, {250, 50}});
  EXPECT_DOUBLE_EQ(near[0].begin, 0);
  EXPECT_DOUBLE_EQ(near[0].end, 0.5);
  EXPECT_DOUBLE_EQ(near[1].begin, 0.75);
  EXPECT_DOUBLE_EQ(near[1].end, 1);
  EXPECT_FALSE(near[1].cut_before);
  const std::vector<Placed> far = place_on_ribbon({{100, 100}, {1000000, 100}});
  EXPECT_TRUE(far[1].cut_before);
  EXPECT_GT(far[0].end, 0.4);
}

TEST(ribbon, overlapping_and_empty_stretches_do_no_harm) {
  double before = 0;
  for (const Placed& place : place_on_ribbon({{100, 0}, {100, 50}, {120, 10}, {~0ull - 3, 100}})) {
    EXPECT_GE(place.begin, before - 1e-9);
    EXPECT_LE(place.end, 1 + 1e-9);
    before = place.begin;
  }
  EXPECT_TRUE(place_on_ribbon({}).empty());
}

TEST(step_words, say_what_each_call_did) {
  Maker m = lesson_moment();
  trace::Event event;
  event.name = "cuCtxPushCurrent";
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "+ A on top.");
  EXPECT_EQ(step_words(m.state, event, lab::Language::Chinese), "+ A 入栈，位于栈顶。");
  m.state.changes = {{lab::Change::Kind::Freed, 0, 2, 1}, {lab::Change::Kind::ContextDestroyed, 0, 2, 0}};
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "A destroyed, and what it owned with it.");
  m.state.changes = {{lab::Change::Kind::Failed, 0, lab::kNone, 0}};
  event.name = "cuMemAlloc", event.result = 201;
  EXPECT_EQ(step_words(m.state, event, lab::Language::English),
            "cuMemAlloc answered 201 CUDA_ERROR_INVALID_CONTEXT.");
  m.state.changes.clear();
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "Asked only; nothing changed.");
}

}  // namespace
}  // namespace gui::picture
