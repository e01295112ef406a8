// SPDX-License-Identifier: MIT
// See call_find.hpp.
#include "call_find.hpp"

#include <algorithm>
#include <chrono>

#include "imgui_compat.hpp"
#include "popup.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr float kFindRow = 36, kCompletionRow = 28;  // at 100 %
constexpr std::size_t kFactsAFrame = 20'000, kFoundAtOnce = 500;
constexpr std::chrono::milliseconds kFindingAFrame{6};

}  // namespace

void CallFind::open() {
  open_ = focused_ = fresh_ = claims_ = true;
  field_.select_all();
}

void CallFind::close(Frame& frame) {
  open_ = focused_ = choosing_ = only_ = false;
  frame.selection.finding.calls = nullptr;
  if (frame.selection.field == this) frame.selection.field = nullptr;
  frame.selection.stops.leave();
  frame.animate();
}

void CallFind::go(Frame& frame, lab::Direction direction) {
  if (search_ == nullptr) return;
  const std::size_t calls = frame.bench.call_at_cursor();  // the shown call is the one before
  const bool back = direction == lab::Direction::Back;
  std::optional<std::size_t> next;
  if (calls > 0)
    next = search_->next(calls - 1, direction);
  else if (!search_->found().empty())
    next = back ? search_->found().back() : search_->found().front();
  if (!next) return;
  frame.selection.play_rate = 0;
  frame.bench.jump_to_call(*next);
  frame.animate();
}

void CallFind::take_completion(std::size_t which) {
  if (which >= completion_.words.size()) return;
  // A field wants its value next; a value is whole, and another word may follow.
  std::string word = completion_.words[which];
  if (word.back() != ':' && completion_.end == field_.text().size()) word += ' ';
  field_.replace(completion_.begin, completion_.end, word);
  choosing_ = false, choice_ = 0;
}

void CallFind::take_keys(Frame& frame) {
  Selection& selection = frame.selection;
  if (std::exchange(claims_, false)) selection.field = this;
  if (selection.editor_focus.now || selection.focus != focus_ || selection.field != this) focused_ = false;
  const bool of_another = (selection.editor_focus.now && selection.finding.on) ||
                          (selection.field != nullptr && selection.field != this);
  for (const KeyPress& press : frame.input.keys) {
    if (press.key == Key::F3 && !press.ctrl && !press.alt) {
      if (!of_another) go(frame, press.shift ? lab::Direction::Back : lab::Direction::Forward);
      continue;
    }
    if (!focused_) continue;
    const bool listed = !completion_.words.empty();
    if (press.key == Key::Escape) {
      if (choosing_)
        choosing_ = false;
      else
        return close(frame);
    } else if (press.key == Key::Tab || (press.key == Key::Enter && choosing_)) {
      take_completion(choice_);
    } else if (press.key == Key::Enter) {
      completed_ = field_.text();  // who goes on has written what was wanted
      go(frame, press.shift ? lab::Direction::Back : lab::Direction::Forward);
    } else if (listed && (press.key == Key::Down || press.key == Key::Up)) {
      if (choosing_) walk(press.key, choice_, completion_.words.size());
      choosing_ = true;
    } else if (press.ctrl && press.key == Key::F) {
      field_.select_all();
    } else {
      (void)field_.take(press);
    }
    complete(frame);
  }
  if (focused_) field_.type(frame.input.text);
}

void CallFind::complete(const Frame& frame) {
  const std::string words = field_.text();
  if (!focused_ || words == completed_ || words.empty()) {
    completion_ = {}, choosing_ = false;
    return;
  }
  completed_.clear();
  const std::vector<std::string> before = std::move(completion_.words);
  completion_ = lab::complete(words, field_.caret(), facts_, frame.bench.state());
  if (completion_.words != before) choice_ = 0, choosing_ = false;
}

// The query, where it was changed; a mistake leaves what was found before.
void CallFind::read(Frame& frame) {
  const std::string words = field_.text();
  if (words == read_ && search_ != nullptr && run_ == frame.run && store_ == &frame.bench.store()) return;
  if (search_ == nullptr || run_ != frame.run || store_ != &frame.bench.store()) {
    search_ = std::make_unique<lab::CallSearch>(frame.bench.store());
    facts_ = {};
    run_ = frame.run, store_ = &frame.bench.store();
  }
  read_ = words;
  auto query = lab::CallQuery::parse(words);
  mistake_.reset();
  if (query)
    search_->look_for(std::move(*query));
  else
    mistake_ = query.error(), search_->look_for({});
  frame.animate();
}

bool CallFind::follow(Frame& frame) {
  if (!open_) return false;
  if (std::exchange(fresh_, false)) focus_ = frame.selection.focus, completed_ = field_.text();
  take_keys(frame);
  if (!open_) return true;
  const std::string before = read_;
  read(frame);
  complete(frame);
  Selection& selection = frame.selection;
  selection.finding.calls = search_->query().empty() ? nullptr : search_.get();
  selection.finding.on = true;
  selection.typing = selection.typing || focused_;
  bool more = facts_.follow_some(frame.bench.store(), kFactsAFrame);
  const auto model_of = [&frame](std::size_t event) -> const lab::Model& {
    return frame.bench.model_of(event);
  };
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + kFindingAFrame;
  while (search_->follow_some(model_of, kFoundAtOnce))
    if (!frame.still && Clock::now() >= end) {
      more = true;
      break;
    }
  if (more) frame.animate();
  return read_ != before;
}

float CallFind::height(const Frame& frame) const {
  if (!open_) return 0;
  const float told = mistake_
                         ? paragraph_height(frame, ImGui::GetContentRegionAvail().x - frame.px(2 * kMargin),
                                            mistake_->in(frame.language), Face::Ui, Size::Small) +
                               frame.px(6)
                         : 0;
  return frame.px(kFindRow) + told;
}

std::string CallFind::count_words(const Frame& frame) const {
  if (mistake_ || search_ == nullptr || search_->query().empty()) return {};
  const std::size_t count = search_->found().size(), calls = frame.bench.call_at_cursor();
  const std::size_t events = frame.bench.store().size();
  if (search_->looked_at() < events && events > 0)
    return frame.text(Text::FindCallsSoFar,
                      {std::to_string(count), std::to_string(100 * search_->looked_at() / events)});
  if (count == 0) return std::string(frame.text(Text::FindCallsNone));
  if (calls > 0 && search_->holds(calls - 1))
    return frame.text(Text::FindCallsOf,
                      {std::to_string(search_->place_of(calls - 1) + 1), std::to_string(count)});
  return frame.text(Text::FindCallsCount, {std::to_string(count)});
}

void CallFind::draw(Frame& frame, ImVec2 at, float width) {
  const float high = frame.px(kFindRow), margin = frame.px(kMargin), box = frame.px(30);
  ImGui::SetCursorScreenPos(at);
  compat::begin_child("find", {width, height(frame)}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const KeyOrder order(frame.selection.stops, KeyOrder::Of::Row);
  const float middle = at.y + high / 2;
  float right = at.x + width - margin;
  const auto place = [&](const char* id, Icon icon, std::string_view label, std::string_view hint, bool on,
                         bool enabled = true) {
    ButtonOptions options;
    options.style = ButtonStyle::Ghost, options.size = Size::Small;
    options.icon = icon, options.hint = hint, options.on = on, options.enabled = enabled;
    const ImVec2 size = button_size(frame, label, options);
    right -= size.x + frame.px(2);
    ImGui::SetCursorScreenPos({right, middle - size.y / 2});
    if (frame.places != nullptr) (*frame.places)[id] = {right + size.x / 2, middle};
    return button(frame, id, label, options);
  };
  const bool any = search_ != nullptr && !search_->found().empty();
  const bool closed = place("find close", Icon::Cross, "", frame.text(Text::FindCallsClose), false);
  if (place("find only", Icon::None, frame.text(Text::FindCallsOnly), frame.text(Text::FindCallsOnlyHint),
            only_))
    only_ = !only_;
  if (place("find next", Icon::None, "↓", frame.text(Text::FindCallsNext), false, any))
    go(frame, lab::Direction::Forward);
  if (place("find previous", Icon::None, "↑", frame.text(Text::FindCallsPrevious), false, any))
    go(frame, lab::Direction::Back);
  const std::string count = count_words(frame);
  const float wide = text_size(frame, count, Face::Ui, Size::Small).x;
  right -= wide + frame.px(10);
  const bool none = search_ != nullptr && !search_->query().empty() && !any;
  draw_text_middle(frame, right, at.y, high, frame.theme[none ? Role::Bad : Role::Muted], count, Face::Ui,
                   Size::Small);
  const Rect line{at.x + margin, middle - box / 2,
                  std::max(frame.px(40), right - frame.px(10) - at.x - margin), box};
  const FieldKeys keys = field_stop(frame, "field", line, focused_);
  if (keys == FieldKeys::Taken) {
    focused_ = true, focus_ = frame.selection.focus;
    frame.selection.field = this;
    frame.animate();
  }
  if (keys == FieldKeys::Lost) focused_ = false;
  const bool on_field = ImGui::IsItemHovered();
  if (frame.places != nullptr) (*frame.places)["find calls"] = {line.x + line.w / 2, middle};
  field_.draw(frame, line, frame.text(Text::FindCallsField), Icon::Search,
              focused_ ? TextField::Caret::Shown : TextField::Caret::Hidden);
  if (mistake_)
    draw_paragraph(frame, {at.x + margin, at.y + high}, width - 2 * margin, frame.theme[Role::Bad],
                   mistake_->in(frame.language), Face::Ui, Size::Small);
  if (frame.watched != nullptr) frame.watched->hits = any ? static_cast<int>(search_->found().size()) : 0;
  compat::end_child();
  const bool completing = focused_ && !completion_.words.empty();
  if (completing) frame.selection.stops.keep_tab();
  if (completing) draw_completions(frame, {line.x, line.bottom() + frame.px(2)}, line.y - frame.px(2));
  if (ImGui::IsMouseClicked(0) && !on_field) {
    const bool in_list =
        completing &&
        Rect{line.x, line.y - frame.px(260), frame.px(340), frame.px(520)}.holds(ImGui::GetIO().MousePos);
    if (!in_list) focused_ = false;
  }
  if (closed) close(frame);
}

// Below the field, or above it where there is no room below.
void CallFind::draw_completions(Frame& frame, ImVec2 below, float above) {
  const float row = frame.px(kCompletionRow), pad = frame.px(20);
  const float tall = row * static_cast<float>(completion_.words.size()) + pad;
  const bool fits = below.y + tall <= ImGui::GetMainViewport()->Size.y;
  const ImVec2 at{below.x, fits ? below.y : std::max(0.0f, above - tall)};
  begin_popup(frame, "completions", at, frame.px(330), tall + pad);
  for (std::size_t i = 0; i < completion_.words.size(); ++i) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(i));
    const bool pressed = ImGui::InvisibleButton("word", {room, row - frame.px(4)});
    const bool hovered = ImGui::IsItemHovered() && !frame.still;
    ImGui::PopID();
    const bool lit = i == choice_ && choosing_;
    if (lit || hovered)
      draw_card(frame, from, {from.x + room, from.y + row - frame.px(4)},
                frame.theme[lit ? Role::AccentSoft : Role::Hover], 0);
    if (frame.places != nullptr)
      (*frame.places)["completion " + std::to_string(i)] = {from.x + room / 2, from.y + row / 2};
    draw_text_middle(frame, from.x + frame.px(8), from.y, row - frame.px(4), frame.theme[Role::Text],
                     completion_.words[i], Face::Mono, Size::Body, room - frame.px(16), Cut::Meant);
    if (pressed) take_completion(i), focused_ = true;
  }
  end_popup();
}

}  // namespace gui
