// SPDX-License-Identifier: MIT
// Scenes made by hand for tests: a state to be filled, letters of plausible widths, and what holds for every
// scene whatever is in it.
#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <string>

#include "markdown/wrap.hpp"
#include "picture_layouter.hpp"

namespace gui::picture {

// Letters of plausible widths; Chinese twice as wide.
inline float letter_width(std::string_view words, Size size, Face face) {
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
  Filter filter;
  lab::ObjectId wanted;
  std::map<lab::ObjectId, Box::Since> since;
  std::optional<lab::GhostMoment> ghost;
  std::vector<ShownCopy> copies;
  bool host_ahead = false;
  bool beside = false;  // devices may stand beside the threads

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
    request.filter = filter, request.wanted = wanted, request.since = since;
    if (!since.empty()) request.since_words = "Since call 3: + A, B; − C";
    request.ghost = ghost;
    request.copies = copies, request.host_ahead = host_ahead;
    request.beside = beside;
    request.host_name = [](const lab::HostRegion& region) {
      return region.number == 1 ? std::string("numbers") : std::string();
    };
    request.line_of = [](std::uint64_t event) { return static_cast<int>(event) + 20; };
    return lay_out(request);
  }
};

inline bool overlap(const Rect& a, const Rect& b) {
  constexpr float kSlack = 0.01f;
  return a.x + kSlack < b.right() && b.x + kSlack < a.right() && a.y + kSlack < b.bottom() &&
         b.y + kSlack < a.bottom();
}

inline std::string name_of(const Box& box) {
  std::string name =
      "box kind " + std::to_string(static_cast<int>(box.kind)) + " id " + std::to_string(box.id);
  for (const Label& label : box.labels) name += " '" + label.text + "'";
  return name;
}

inline void expect_sound(const Scene& scene) {
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
    if (arrow.of_copy) {
      if (arrow.gap > 0) {
        EXPECT_FALSE(arrow.words.empty());
      }
      for (const int end : {arrow.from, arrow.to}) {
        const BoxKind kind = scene.boxes.at(static_cast<std::size_t>(end)).kind;
        EXPECT_TRUE(kind == BoxKind::HostMemory || kind == BoxKind::Allocation || kind == BoxKind::Object);
      }
      continue;
    }
    const bool of_work = arrow.of_wait || arrow.of_edge, of_object = arrow.of_library || arrow.of_mapping;
    const BoxKind from = of_work     ? BoxKind::Work
                         : of_object ? BoxKind::Object
                                     : BoxKind::Card,
                  to = of_work            ? BoxKind::Work
                       : arrow.of_mapping ? BoxKind::Allocation
                       : arrow.of_library ? BoxKind::Object
                                          : BoxKind::Context;
    EXPECT_EQ(scene.boxes[static_cast<std::size_t>(arrow.from)].kind, from);
    EXPECT_EQ(scene.boxes[static_cast<std::size_t>(arrow.to)].kind, to);
  }
}

inline const Box* find(const Scene& scene, BoxKind kind, std::uint32_t context = lab::kNone) {
  for (const Box& box : scene.boxes)
    if (box.kind == kind && (context == lab::kNone || box.context == context)) return &box;
  return nullptr;
}

inline bool is_fold_of(const Box& box, IdSpace what) {
  return box.kind == BoxKind::Fold && box.id >> 56 == static_cast<std::uint64_t>(what);
}

inline const Box* find_fold(const Scene& scene, IdSpace what) {
  for (const Box& box : scene.boxes)
    if (is_fold_of(box, what)) return &box;
  return nullptr;
}

inline std::string words_of(const Box& box) {
  std::string words;
  for (const Label& label : box.labels) words += label.text + "|";
  return words;
}

inline Maker lesson_moment() {  // A, B, A on the stack; 64 MiB and 4 KiB in A
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

}  // namespace gui::picture
