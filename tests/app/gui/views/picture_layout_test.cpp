// SPDX-License-Identifier: MIT
// Scenes without a window: nothing overlaps, nothing sticks out, places are stable, in both languages.
#include "picture_layout.hpp"

#include <random>

#include "picture_maker.hpp"
#include "picture_text.hpp"

namespace gui::picture {
namespace {

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
  EXPECT_NE(words_of(*find(m.scene(), BoxKind::Context, 0)).find("not active · retain count 0"),
            std::string::npos);
  m.state.contexts[0].active = true;
  m.state.contexts[0].retain_count = 2;
  EXPECT_NE(words_of(*find(m.scene(), BoxKind::Context, 0)).find("active · retain count 2"),
            std::string::npos);
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
  const Box* allocations = find_fold(scene, IdSpace::AllocationsFold);
  ASSERT_NE(allocations, nullptr);
  EXPECT_NE(words_of(*allocations).find("45 more"), std::string::npos);
  ASSERT_NE(find_fold(scene, IdSpace::ThreadsFold), nullptr);
  EXPECT_NE(words_of(*find_fold(scene, IdSpace::ThreadsFold)).find("28 more"), std::string::npos);
  ASSERT_NE(find_fold(scene, IdSpace::CardsFold), nullptr);
  EXPECT_NE(words_of(*find_fold(scene, IdSpace::CardsFold)).find("13 more"), std::string::npos);
  ASSERT_NE(find_fold(scene, IdSpace::ContextsFold), nullptr);
  EXPECT_NE(words_of(*find_fold(scene, IdSpace::ContextsFold)).find("26 more"), std::string::npos);
  // The thread that acts is there, whatever folds.
  EXPECT_TRUE(std::any_of(scene.boxes.begin(), scene.boxes.end(),
                          [](const Box& box) { return box.kind == BoxKind::Thread && box.acting; }));
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Fold) m.unfolded.insert(box.id);
  scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(find_fold(scene, IdSpace::AllocationsFold), nullptr);
  EXPECT_EQ(find_fold(scene, IdSpace::ThreadsFold), nullptr);
  EXPECT_EQ(find_fold(scene, IdSpace::ContextsFold), nullptr);
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
    if (is_fold_of(box, IdSpace::ObjectsFold)) m.unfolded.insert(box.id), ++folds;
  EXPECT_EQ(folds, 2u);
  EXPECT_LT(scene.boxes.size(), 100u);
  scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(find_fold(scene, IdSpace::ObjectsFold), nullptr);
}

TEST(picture, memory_without_a_known_owner_is_still_shown) {
  Maker m;
  m.thread();
  m.allocate(lab::kNone, 100, lab::MemoryKind::Registered);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_NE(find(scene, BoxKind::HostMemory), nullptr);
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
      if (random() % 9 == 0) m.since[{lab::ObjectKind::Thread, thread.number}] = Box::Since::Changed;
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
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "A destroyed, with all that it owned.");
  m.state.changes = {{lab::Change::Kind::Failed, 0, lab::kNone, 0}};
  event.name = "cuMemAlloc", event.result = 201;
  EXPECT_EQ(step_words(m.state, event, lab::Language::English),
            "cuMemAlloc returned 201 CUDA_ERROR_INVALID_CONTEXT.");
  m.state.changes.clear();
  event.name = "cuCtxGetCurrent", event.function = trace::Function::cuCtxGetCurrent;
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "Query only; nothing changed.");
  event.name = "cuStreamQuery", event.function = trace::Function::cuStreamQuery, event.result = 600;
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "Asked: the work before it is not done yet.");
  event.name = "cuCtxGetCurrent", event.function = trace::Function::cuCtxGetCurrent, event.result = 0;
  StepAnswers answers;
  answers.written = "count = 2";
  EXPECT_EQ(step_words(m.state, event, lab::Language::English, answers),
            "Query only: count = 2. Nothing changed.");
  answers.devices_before = m.state.devices.size();  // all were known: nothing came
  EXPECT_EQ(step_words(m.state, event, lab::Language::English, answers),
            "Query only: count = 2. Nothing changed.");
  m.state.devices.emplace_back();
  m.state.devices.emplace_back();
  EXPECT_EQ(step_words(m.state, event, lab::Language::English, answers),
            "Query: count = 2. 2 devices are now known and drawn.");
}

TEST(step_words, physical_memory_that_lost_its_last_handle_is_still_there) {
  Maker m;
  const lab::ObjectId id = m.object(lab::ObjectKind::PhysicalMemory, lab::kNone);
  m.state.objects.back().references = 0, m.state.objects.back().mappings = 1;
  m.state.changes = {{lab::Change::Kind::ObjectChanged, 0, lab::kNone, 0, id}};
  trace::Event event;
  event.name = "cuMemRelease", event.function = trace::Function::cuMemRelease;
  EXPECT_EQ(step_words(m.state, event, lab::Language::English),
            "The last handle of Phys1 is released. The memory stays while it is mapped.");
}

TEST(step_words, memory_is_in_its_context_or_pool_or_mapped_from_physical_memory) {
  Maker m;
  const lab::ObjectId pool = m.object(lab::ObjectKind::MemoryPool, lab::kNone);
  const lab::ObjectId physical = m.object(lab::ObjectKind::PhysicalMemory, lab::kNone);
  trace::Event event;
  const auto words = [&](lab::MemoryKind kind, std::uint64_t size, lab::ObjectId from) {
    lab::Allocation made;
    made.number = 1, made.size = size, made.kind = kind, made.from = from;
    m.state.allocations.clear();
    m.state.allocations.push_back(made);
    m.state.changes = {{lab::Change::Kind::Allocated, 0, lab::kNone, 1}};
    return step_words(m.state, event, lab::Language::English);
  };
  EXPECT_EQ(words(lab::MemoryKind::Pooled, 4096, pool), "+ 4 KiB (#1) allocated in Pool1.");
  EXPECT_EQ(words(lab::MemoryKind::Pooled, 4096, {}), "+ 4 KiB (#1) allocated.");
  EXPECT_EQ(words(lab::MemoryKind::Pooled, 0, pool), "+ #1 imported into Pool1. Its size is not known.");
  EXPECT_EQ(words(lab::MemoryKind::Mapped, 4096, physical), "+ 4 KiB (#1) of Phys1 mapped.");
}

TEST(step_words, name_both_ends_of_a_copy_and_how_much_was_copied) {
  Maker m;
  m.allocate(lab::kNone, 4096, lab::MemoryKind::Device);
  trace::Event event;
  event.returned = true, event.function = trace::Function::cuMemcpyDtoH;
  trace::Argument to, from, bytes;
  to.name = "dstHost", to.word = 0x7000;
  from.name = "srcDevice", from.word = m.state.allocations[0].address;
  bytes.name = "ByteCount", bytes.word = 16;
  event.arguments = {to, from, bytes};
  StepAnswers answers;
  EXPECT_EQ(step_words(m.state, event, lab::Language::English, answers),
            "Nothing that is drawn here changed.");
  answers.copied_from = "#1", answers.copied_to = "back";
  EXPECT_EQ(step_words(m.state, event, lab::Language::English, answers), "Copied 16 bytes from #1 to back.");
  EXPECT_EQ(step_words(m.state, event, lab::Language::Chinese, answers), "从 #1 拷贝到 back，共 16 字节。");
  // What it wrote is named by it already.
  m.state.changes = {{lab::Change::Kind::MemoryWritten, 0, lab::kNone, 1}};
  EXPECT_EQ(step_words(m.state, event, lab::Language::English, answers), "Copied 16 bytes from #1 to back.");
  answers.copied_from.clear();
  EXPECT_EQ(step_words(m.state, event, lab::Language::English, answers), "Allocation #1 written.");
}

TEST(step_words, name_the_advice_for_managed_memory_and_how_it_is_attached) {
  Maker m;
  m.allocate(lab::kNone, 4096, lab::MemoryKind::Managed);
  trace::Event event;
  event.returned = true;
  const auto say = [&](trace::Function function, const char* pointer, const char* name, const char* text) {
    event.function = function;
    trace::Argument address, said;
    address.name = pointer, address.word = m.state.allocations[0].address + 16;
    said.name = name, said.text = text;
    event.arguments = {address, said};
    return step_words(m.state, event, lab::Language::English);
  };
  EXPECT_EQ(say(trace::Function::cuMemAdvise, "devPtr", "advice", "CU_MEM_ADVISE_SET_READ_MOSTLY"),
            "Advice for #1: CU_MEM_ADVISE_SET_READ_MOSTLY.");
  EXPECT_EQ(say(trace::Function::cuStreamAttachMemAsync, "dptr", "flags", "CU_MEM_ATTACH_HOST"),
            "Attachment of #1: CU_MEM_ATTACH_HOST.");
  event.arguments[0].word = 0x10;  // no allocation that is known
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "Nothing that is drawn here changed.");
}

TEST(step_words, name_what_the_program_printed_and_nothing_where_nothing_can_be_read) {
  Maker m = lesson_moment();
  m.state.changes.clear();
  trace::Event event;
  event.kind = trace::EventKind::Output;
  event.text = "\n  on device 0\nand more";
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "The program printed “on device 0”.");
  EXPECT_EQ(step_words(m.state, event, lab::Language::Chinese), "程序输出了“on device 0”。");
  event.text = " \n\n";
  EXPECT_EQ(step_words(m.state, event, lab::Language::English), "");
  event.text = std::string(59, 'x') + "界";  // cut before the character, not within
  EXPECT_EQ(step_words(m.state, event, lab::Language::English),
            "The program printed “" + std::string(59, 'x') + "…”.");
}

}  // namespace
}  // namespace gui::picture
