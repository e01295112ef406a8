// SPDX-License-Identifier: MIT
// Graphs as nodes, pools and reserved addresses as strips, multiprocessors as shares: what is in them and
// where, that proportions are true, and that nothing is cut or covered at any width, scale and language.
#include "picture_maker.hpp"
#include "picture_processors.hpp"
#include "picture_work.hpp"

namespace gui::picture {
namespace {

using lab::MemoryKind;
using lab::ObjectKind;
using lab::WorkKind;

struct Cards : Maker {
  std::uint32_t a = 0;

  Cards() {
    state.initialised = true;
    device();
    a = context();
    thread("main").stack = {a};
  }
  void node(lab::ObjectId graph, WorkKind kind, lab::NodeSet after = 0) {
    lab::GraphNode node;
    node.kind = kind, node.after = after;
    state.graphs.shapes[graph.number].add(node);
  }
  std::uint32_t piece(MemoryKind kind, std::uint64_t address, std::uint64_t size, lab::ObjectId from = {}) {
    lab::Allocation made;
    made.number = state.next_allocation++;
    made.address = address, made.size = size, made.kind = kind, made.from = from, made.device = 0;
    state.allocations.push_back(made);
    return made.number;
  }
  lab::ObjectId range(std::uint64_t address, std::uint64_t size) {
    const lab::ObjectId id = object(ObjectKind::AddressRange, lab::kNone, {}, {}, size);
    state.objects.back().handle = address;
    return id;
  }
  lab::ObjectId green(std::uint32_t processors, std::uint32_t on = 0) {
    const lab::ObjectId id = object(ObjectKind::GreenContext, lab::kNone);
    state.objects.back().multiprocessors = processors, state.objects.back().device = on;
    return id;
  }
};

const Box* of(const Scene& scene, lab::ObjectId id, BoxKind kind = BoxKind::Object) {
  for (const Box& box : scene.boxes)
    if (box.kind == kind && box.object == id) return &box;
  return nullptr;
}

const Box* of_number(const Scene& scene, std::uint32_t allocation) {
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Allocation && box.allocation == allocation) return &box;
  return nullptr;
}

std::size_t edges(const Scene& scene) {
  return static_cast<std::size_t>(std::count_if(scene.arrows.begin(), scene.arrows.end(),
                                                [](const Arrow& arrow) { return arrow.of_edge; }));
}

// Each node further right than those that it depends on.
void expect_edges_lead_right(const Scene& scene) {
  for (const Arrow& arrow : scene.arrows) {
    if (!arrow.of_edge) continue;
    const Box& from = scene.boxes[static_cast<std::size_t>(arrow.from)];
    const Box& to = scene.boxes[static_cast<std::size_t>(arrow.to)];
    EXPECT_LT(from.rect.right(), to.rect.x);
    EXPECT_EQ(from.parent, to.parent);
  }
}

TEST(picture_cards, a_graph_is_drawn_as_its_nodes_in_the_order_of_its_edges) {
  Cards m;
  const lab::ObjectId graph = m.object(ObjectKind::Graph, lab::kNone);
  const lab::ObjectId exec = m.object(ObjectKind::GraphExec, lab::kNone);
  m.state.objects.back().owner = graph;
  m.node(graph, WorkKind::Fill);
  m.node(graph, WorkKind::Kernel, 1);
  m.node(graph, WorkKind::Copy, 1);
  m.node(graph, WorkKind::Host, 6);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(edges(scene), 4u);
  expect_edges_lead_right(scene);
  const Box* card = of(scene, graph);
  ASSERT_NE(card, nullptr);
  EXPECT_EQ(words_of(*card), "G1  4 nodes|");
  const Box* chip = of(scene, exec);
  ASSERT_NE(chip, nullptr);
  EXPECT_EQ(words_of(*chip), "X1  from G1|");
}

TEST(picture_cards, a_graph_without_known_nodes_stays_a_chip) {
  Cards m;
  const lab::ObjectId graph = m.object(ObjectKind::Graph, lab::kNone);
  const Scene scene = m.scene();
  expect_sound(scene);
  ASSERT_NE(of(scene, graph), nullptr);
  EXPECT_EQ(words_of(*of(scene, graph)), "G1|");
}

TEST(picture_cards, of_a_large_graph_a_dozen_nodes_are_drawn_and_the_others_counted) {
  for (const bool chain : {true, false}) {
    Cards m;
    const lab::ObjectId graph = m.object(ObjectKind::Graph, lab::kNone);
    for (lab::NodeSet i = 0; i < 100; ++i)
      m.node(graph, WorkKind::Kernel, chain && i > 0 && i < 32 ? lab::NodeSet{1} << (i - 1) : 0);
    const Scene scene = m.scene();
    expect_sound(scene);
    std::size_t nodes = 0;
    std::string more;
    for (const Box& box : scene.boxes) {
      if (box.kind != BoxKind::Work) continue;
      if (box.more)
        more = words_of(box);
      else
        ++nodes;
    }
    EXPECT_LE(nodes, 12u);
    EXPECT_GE(nodes, 4u);
    EXPECT_EQ(more, "+" + std::to_string(100 - nodes) + "|");
  }
}

TEST(picture_cards, edges_that_form_a_circle_do_no_harm) {
  Cards m;
  const lab::ObjectId graph = m.object(ObjectKind::Graph, lab::kNone);
  m.node(graph, WorkKind::Kernel, 2);
  m.node(graph, WorkKind::Kernel, 1);
  expect_sound(m.scene());
}

TEST(picture_cards, a_pool_shows_what_is_allocated_from_it_to_scale) {
  Cards m;
  const lab::ObjectId pool = m.object(ObjectKind::MemoryPool, lab::kNone);
  const lab::ObjectId empty = m.object(ObjectKind::MemoryPool, lab::kNone);
  const std::uint32_t large = m.piece(MemoryKind::Pooled, 0x1000000, 3 << 20, pool);
  const std::uint32_t small = m.piece(MemoryKind::Pooled, 0x9000000, 1 << 20, pool);
  const std::uint32_t other = m.piece(MemoryKind::Pooled, 0xa000000, 1 << 20);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(words_of(*of(scene, pool)), "Pool1|4 MiB allocated|");
  EXPECT_EQ(words_of(*of(scene, empty)), "Pool2|nothing allocated|");
  ASSERT_NE(of_number(scene, large), nullptr);
  ASSERT_NE(of_number(scene, small), nullptr);
  EXPECT_NEAR(of_number(scene, large)->rect.w, 3 * of_number(scene, small)->rect.w, 2);
  bool current = false;
  for (const Box& box : scene.boxes) current |= words_of(box).starts_with("Current pool of device 0|");
  EXPECT_TRUE(current);
  EXPECT_NE(of_number(scene, other), nullptr);
}

TEST(picture_cards, the_current_pool_is_one_card_once_its_name_is_known) {
  Cards m;
  const lab::ObjectId pool = m.object(ObjectKind::MemoryPool, lab::kNone);
  m.state.devices[0].default_pool = m.state.objects.back().handle;
  m.piece(MemoryKind::Pooled, 0x1000000, 1 << 20, pool);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(words_of(*of(scene, pool)), "Pool1, current pool of device 0|1 MiB allocated|");
  for (const Box& box : scene.boxes) EXPECT_FALSE(words_of(box).starts_with("Current pool"));
}

TEST(picture_cards, memory_of_unknown_size_shares_the_track_of_its_pool) {
  Cards m;
  const lab::ObjectId pool = m.object(ObjectKind::MemoryPool, lab::kNone);
  const std::uint32_t one = m.piece(MemoryKind::Pooled, 0x1000000, 0, pool);
  const std::uint32_t two = m.piece(MemoryKind::Pooled, 0x2000000, 0, pool);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(words_of(*of(scene, pool)), "Pool1|size not known|");
  const Box *track = of(scene, pool, BoxKind::Ribbon), *a = of_number(scene, one), *b = of_number(scene, two);
  ASSERT_TRUE(track != nullptr && a != nullptr && b != nullptr);
  EXPECT_NEAR(a->rect.w, track->rect.w / 2, 1);
  EXPECT_NEAR(b->rect.w, track->rect.w / 2, 1);
  EXPECT_EQ(words_of(*a), "#1  size not known|");
}

TEST(picture_cards, reserved_addresses_show_pieces_and_gaps_to_scale_and_link_to_physical_memory) {
  Cards m;
  const lab::ObjectId range = m.range(0x40000000, 8 << 20);
  const lab::ObjectId physical = m.object(ObjectKind::PhysicalMemory, lab::kNone, {}, {}, 2 << 20);
  const std::uint32_t first = m.piece(MemoryKind::Mapped, 0x40000000, 2 << 20, physical);
  const std::uint32_t second = m.piece(MemoryKind::Mapped, 0x40000000 + (6 << 20), 1 << 20, physical);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(words_of(*of(scene, range)), "Range1|3 MiB of 8 MiB mapped|");
  const Box* track = of(scene, range, BoxKind::Ribbon);
  const Box *a = of_number(scene, first), *b = of_number(scene, second);
  ASSERT_TRUE(track != nullptr && a != nullptr && b != nullptr);
  EXPECT_NEAR(a->rect.x, track->rect.x, 0.5);
  EXPECT_NEAR(a->rect.w, track->rect.w / 4, 1);
  EXPECT_NEAR(b->rect.x, track->rect.x + track->rect.w * 6 / 8, 1);
  EXPECT_NEAR(b->rect.w, track->rect.w / 8, 1);
  std::size_t links = 0;
  for (const Arrow& arrow : scene.arrows) links += arrow.of_mapping ? 1 : 0;
  EXPECT_EQ(links, 2u);
}

TEST(picture_cards, mapped_memory_outside_of_known_addresses_keeps_its_place) {
  Cards m;
  const std::uint32_t piece = m.piece(MemoryKind::Mapped, 0x40000000, 1 << 20);
  const Scene scene = m.scene();
  expect_sound(scene);
  ASSERT_NE(of_number(scene, piece), nullptr);
  EXPECT_FALSE(of_number(scene, piece)->piece);
}

TEST(picture_cards, a_device_is_divided_into_the_shares_of_its_green_contexts) {
  Cards m;
  m.state.devices[0].multiprocessors = 132;
  const lab::ObjectId one = m.green(16), two = m.green(50);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(words_of(*of(scene, one)), "Green1  16 of 132 SMs|");
  const Box *first = of(scene, one, BoxKind::Share), *second = of(scene, two, BoxKind::Share);
  const Box* bar = find(scene, BoxKind::Shares);
  ASSERT_TRUE(first != nullptr && second != nullptr && bar != nullptr);
  EXPECT_NEAR(first->rect.w, bar->rect.w * 16 / 132, 1);
  EXPECT_NEAR(second->rect.w, bar->rect.w * 50 / 132, 1);
  EXPECT_EQ(words_of(*bar), "132 multiprocessors (SMs)|");
}

TEST(picture_cards, without_recorded_numbers_no_share_is_drawn) {
  Cards m;
  m.state.devices[0].multiprocessors = 132;
  const lab::ObjectId green = m.green(0);
  Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(find(scene, BoxKind::Shares), nullptr);
  EXPECT_EQ(words_of(*of(scene, green)), "Green1|");
  m.state.devices[0].multiprocessors = 0;
  m.green(16);
  scene = m.scene();
  expect_sound(scene);
  const Box* bar = find(scene, BoxKind::Shares);
  ASSERT_NE(bar, nullptr);
  EXPECT_EQ(words_of(*bar), "");  // of how many is not known
}

TEST(picture_cards, green_contexts_that_share_processors_stay_inside_the_bar) {
  Cards m;
  m.state.devices[0].multiprocessors = 24;
  m.green(20), m.green(20);
  expect_sound(m.scene());
}

TEST(picture_cards, the_context_of_a_green_context_says_from_which_it_comes) {
  Cards m;
  m.width = 900;
  m.state.devices[0].multiprocessors = 24;
  const lab::ObjectId green = m.green(8);
  m.state.contexts[m.a].green = m.state.objects.back().handle;
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_NE(words_of(*find(scene, BoxKind::Context, m.a)).find("from " + lab::object_name(green)),
            std::string::npos);
}

TEST(picture_cards, all_of_it_is_sound_at_all_widths_scales_and_in_both_languages) {
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    for (const float scale : {1.0f, 2.0f})
      for (const float width : {300.0f, 560.0f, 1400.0f}) {
        SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(scale));
        Cards m;
        m.language = language, m.scale = scale, m.width = width * scale;
        for (int i = 0; i < 9; ++i) {
          const lab::ObjectId graph = m.object(ObjectKind::Graph, lab::kNone);
          for (lab::NodeSet n = 0; n < 5 + static_cast<lab::NodeSet>(7 * i); ++n)
            m.node(graph, static_cast<WorkKind>(n % lab::kWorkKinds),
                   n % 32 == 0 ? 0 : lab::NodeSet{1} << (n % 32) / 2);
        }
        for (std::uint64_t i = 0; i < 9; ++i) {
          const lab::ObjectId pool = m.object(ObjectKind::MemoryPool, lab::kNone);
          const lab::ObjectId physical = m.object(ObjectKind::PhysicalMemory, lab::kNone, {}, {}, 4096);
          m.range(0x100000000 * (i + 1), 64 << 20);
          for (std::uint64_t p = 0; p < 30 * i; ++p) {
            m.piece(MemoryKind::Pooled, 0x10000000000 + p * 4096, 4096, pool);
            m.piece(MemoryKind::Mapped, 0x100000000 * (i + 1) + p * 8192, 4096, physical);
          }
        }
        m.state.devices[0].multiprocessors = 132;
        for (std::uint32_t i = 0; i < 7; ++i) {
          const lab::ObjectId green = m.green(1 + 3 * i);
          m.object(ObjectKind::Stream, lab::kNone, green);
        }
        expect_sound(m.scene());
      }
}

TEST(picture_cards, what_is_left_out_by_wish_is_left_out) {
  Cards m;
  m.node(m.object(ObjectKind::Graph, lab::kNone), WorkKind::Kernel);
  m.object(ObjectKind::MemoryPool, lab::kNone);
  m.piece(MemoryKind::Pooled, 0x1000000, 4096);
  m.state.devices[0].multiprocessors = 24;
  m.green(8);
  m.filter.memory = m.filter.other = false;
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_EQ(find(scene, BoxKind::Work), nullptr);
  EXPECT_EQ(find(scene, BoxKind::Shares), nullptr);
  EXPECT_EQ(find(scene, BoxKind::Allocation), nullptr);
}

}  // namespace
}  // namespace gui::picture
