// SPDX-License-Identifier: MIT
// See notes_figure.hpp. From left to right: a stack for each thread, then the contexts that there are or
// were.
#include "notes_figure.hpp"

#include <algorithm>

#include "formatting.hpp"
#include "picture_host.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr std::size_t kMostFigureCards = 4, kMostFigureStacks = 3;

class FigurePen {
 public:
  FigurePen(Frame& frame, const FigureScene& scene, ImVec2 from, ImVec2 to)
      : frame_(frame), scene_(scene), from_(from), to_(to) {}

  void draw() {
    float x = from_.x + frame_.px(12);
    for (std::size_t i = 0; i < std::min(scene_.stacks.size(), kMostFigureStacks); ++i)
      x = stack(scene_.stacks[i], x) + frame_.px(12);
    const float top = from_.y + frame_.px(10), bottom = to_.y - frame_.px(10);
    ImGui::GetWindowDrawList()->AddLine({x, top}, {x, bottom}, frame_.theme[Role::Line],
                                        std::max(1.0f, frame_.px(1)));
    contexts(x + frame_.px(12));
  }

 private:
  // The right edge.
  float stack(const FigureScene::Stack& stack, float x) {
    const float wide = frame_.px(72), tall = frame_.px(20), step = tall + frame_.px(3);
    const float floor = to_.y - frame_.px(26);
    std::string name = std::to_string(stack.thread);
    if (stack.thread == 0) name += " " + std::string(frame_.text(Text::PictureThreadMain));
    draw_text(frame_, {x, floor + frame_.px(4)}, frame_.theme[Role::Muted], name, Face::Ui, Size::Small,
              wide);
    ImGui::GetWindowDrawList()->AddLine({x, floor}, {x + wide, floor}, frame_.theme[Role::LineStrong],
                                        std::max(1.0f, frame_.px(1)));
    if (stack.cards.empty())
      draw_text(frame_, {x + frame_.px(8), floor - tall}, frame_.theme[Role::Muted],
                frame_.text(Text::PictureEmptyStack), Face::Ui, Size::Small);
    const std::size_t hidden = stack.cards.size() - std::min(stack.cards.size(), kMostFigureCards);
    float y = floor - tall - frame_.px(3);
    for (std::size_t i = hidden; i < stack.cards.size(); ++i, y -= step) {
      const bool top = i + 1 == stack.cards.size();
      box(scene_.contexts[stack.cards[i]], {x, y}, {x + wide, y + tall}, top);
    }
    return x + wide;
  }

  void contexts(float left) {
    const float wide = frame_.px(84), tall = frame_.px(52), gap = frame_.px(8);
    float x = left, y = from_.y + frame_.px(10);
    for (const FigureScene::Context& context : scene_.contexts) {
      if (x + wide > to_.x - frame_.px(8) && x > left) x = left, y += tall + gap;
      if (y + tall > to_.y) return;
      box(context, {x, y}, {x + wide, y + tall}, false);
      const ImU32 muted = frame_.theme[Role::Muted];
      const float text = x + frame_.px(12), room = wide - frame_.px(16);
      const std::string_view state = state_of(context);
      draw_text(frame_, {text, y + frame_.px(18)}, muted, state, Face::Ui, Size::Small, room);
      if (context.bytes > 0)
        draw_text(frame_, {text, y + frame_.px(state.empty() ? 18 : 33)}, muted,
                  size_words(context.bytes, frame_.language), Face::Ui, Size::Small, room);
      x += wide + gap;
    }
  }

  std::string_view state_of(const FigureScene::Context& context) const {
    if (context.primary) return frame_.text(context.dead ? Text::PictureNotActive : Text::PictureActive);
    if (context.dead) return frame_.text(Text::PictureDestroyed);
    return context.floating ? frame_.text(Text::PictureFloating) : std::string_view();
  }

  // In the context's colours; grey and struck if it is dead, dashed if it is primary.
  void box(const FigureScene::Context& context, ImVec2 from, ImVec2 to, bool current) {
    const Theme& theme = frame_.theme;
    const ContextColour own = theme.context(context.name);
    const ImU32 line = context.dead ? theme[Role::LineStrong] : own.line;
    const float width = current ? theme.strong_width() : theme.line_width();
    const ImU32 fill = theme[context.dead ? Role::Panel : Role::Raised];
    if (context.primary)
      draw_dashed_card(frame_, from, to, fill, line, width);
    else
      draw_card(frame_, from, to, fill, line, width);
    const float x = from.x + frame_.px(10), y = from.y + frame_.px(2);
    const ImU32 ink = context.dead ? theme[Role::Muted] : own.text;
    const float wide = draw_text(frame_, {x, y}, ink, context.name, Face::Bold, Size::Small);
    if (!context.dead) return;
    const float middle = y + frame_.fonts.height(Face::Bold, Size::Small) * 0.55f;
    ImGui::GetWindowDrawList()->AddLine({x - frame_.px(2), middle}, {x + wide + frame_.px(2), middle}, ink,
                                        std::max(1.0f, frame_.px(1)));
  }

  Frame& frame_;
  const FigureScene& scene_;
  ImVec2 from_, to_;
};

}  // namespace

FigureScene figure_scene(const lab::State& state) {
  FigureScene scene;
  std::vector<std::size_t> place(state.contexts.size());
  const std::vector<bool> on_stack = state.on_stacks();
  for (std::size_t i = 0; i < state.contexts.size(); ++i) {
    const lab::Context& context = state.contexts[i];
    place[i] = lab::kNone;
    // A primary context that was never retained gets no box.
    if (context.hidden || (context.primary && context.handle == 0)) continue;
    FigureScene::Context shown;
    shown.name = context.name;
    shown.primary = context.primary;
    shown.dead = context.is_dead();
    shown.floating = !shown.primary && !shown.dead && !on_stack[i];
    for (const lab::Allocation& allocation : state.allocations)
      if (allocation.context == i && !picture::is_of_host(allocation.kind)) shown.bytes += allocation.size;
    place[i] = scene.contexts.size();
    scene.contexts.push_back(std::move(shown));
  }
  for (const lab::Thread& thread : state.threads) {
    if (thread.number != 0 && thread.stack.empty()) continue;
    FigureScene::Stack stack{thread.number, {}};
    for (const std::uint32_t entry : thread.stack)
      if (entry < place.size() && place[entry] < scene.contexts.size()) stack.cards.push_back(place[entry]);
    scene.stacks.push_back(std::move(stack));
  }
  return scene;
}

// A recording that is still being read has more calls than the model has seen: a figure goes on with the
// model.
const FigureScene* NotesFigures::scene_of(Frame& frame, const std::string& step) {
  if (run_ != frame.run) figures_.clear(), run_ = frame.run;
  const std::size_t folded = frame.bench.model().moments();
  const auto [place, fresh] = figures_.try_emplace(step);
  Figure& figure = place->second;
  if (fresh || figure.folded != folded) {
    figure.folded = folded;
    const std::vector<std::size_t> made = frame.bench.calls_of_step(step);
    const std::size_t moment = made.empty() ? 0 : frame.bench.store().event_of_call(made.back()) + 1;
    if (moment != 0 && moment != figure.moment)
      figure.scene = figure_scene(frame.bench.model().aside(moment));
    figure.moment = moment;
  }
  return figure.moment == 0 ? nullptr : &figure.scene;
}

void NotesFigures::draw(Frame& frame, ImVec2 from, ImVec2 to, const std::string& step) {
  draw_card(frame, from, to, frame.theme[Role::Sunken], frame.theme[Role::Line], frame.theme.line_width());
  if (const FigureScene* scene = scene_of(frame, step)) return FigurePen(frame, *scene, from, to).draw();
  const std::string_view words = frame.text(Text::PictureNothingTitle);
  const ImVec2 size = text_size(frame, words, Face::Ui, Size::Small);
  draw_text(frame, {(from.x + to.x - size.x) / 2, (from.y + to.y - size.y) / 2}, frame.theme[Role::Muted],
            words, Face::Ui, Size::Small);
}

}  // namespace gui
