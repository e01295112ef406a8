// SPDX-License-Identifier: MIT
// See picture_life.hpp. The history is looked up when it is first shown, and again when the run has grown.
#include "picture_life.hpp"

#include <imgui.h>

#include <algorithm>

#include "lab/object_names.hpp"
#include "widgets.hpp"

namespace gui::picture {
namespace {

using lab::Text;

constexpr std::size_t kMostRows = 200;
constexpr float kRow = 24, kHeader = 34, kLifeCard = 176, kContentsCard = 300, kPad = 14;

}  // namespace

float LifeCard::height(const Frame& frame, float panel) const {
  const bool contents = show_contents_ && has_contents();
  return object_ ? std::min(frame.px(contents ? kContentsCard : kLifeCard), panel * (contents ? 0.6f : 0.5f))
                 : 0;
}

bool LifeCard::has_contents() const {
  return object_.kind == lab::ObjectKind::Allocation || object_.kind == lab::ObjectKind::Global;
}

void LifeCard::look(const ShownRun& run) {
  const Key now{run.run, run.model.moments()};
  const bool same = life_ && key_ == now;
  if (show_contents_ && has_contents() && (!same || !contents_ || contents_at_ != run.cursor)) {
    contents_ = lab::contents_of(run.model, run.store, object_, run.cursor);
    contents_at_ = run.cursor;
  }
  if (same) return;
  life_ = run.model.life_of(object_);
  key_ = now;
}

void LifeCard::go(Frame& frame, const ShownRun& run, std::size_t event) {
  run.jump(event + 1);
  const trace::Event at = run.store.at(event);
  if (at.line > 0) frame.post(command::ShowSource{at.file, static_cast<int>(at.line), true});
}

void LifeCard::header(Frame& frame, const ShownRun& run) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x, tall = frame.px(kHeader);
  float x = corner.x + frame.px(kPad);
  x += draw_text_middle(frame, x, corner.y, tall, frame.theme[Role::Text], life_->name, Face::Bold) +
       frame.px(8);
  draw_text_middle(frame, x, corner.y, tall, frame.theme[Role::Muted],
                   frame.text(lab::object_word(object_.kind)), Face::Ui, Size::Small);
  const std::string_view previous = frame.text(Text::PictureLifePrevious),
                         next = frame.text(Text::PictureLifeNext);
  ButtonOptions ghost;
  ghost.style = ButtonStyle::Ghost, ghost.size = Size::Small;
  ButtonOptions cross = ghost;
  cross.icon = Icon::Cross;
  const float gap = frame.px(4);
  ButtonOptions toggle = ghost;
  toggle.on = show_contents_;
  const std::string_view contents = frame.text(Text::ContentsTitle);
  const ImVec2 d = has_contents() ? button_size(frame, contents, toggle) : ImVec2{0, 0};
  const ImVec2 a = button_size(frame, previous, ghost), b = button_size(frame, next, ghost),
               c = button_size(frame, "", cross);
  const float buttons = a.x + b.x + c.x + d.x + 3 * gap + frame.px(6);
  const lab::Model& model = run.model;
  const std::size_t cursor = run.cursor;
  float at = corner.x + wide - buttons;
  const auto place = [&](const ImVec2 size) {
    ImGui::SetCursorScreenPos({at, corner.y + (tall - size.y) / 2});
    at += size.x + gap;
  };
  if (at > x + frame.px(60)) {
    if (has_contents()) {
      if (frame.places != nullptr) (*frame.places)["life contents"] = {at + d.x / 2, corner.y + tall / 2};
      place(d);
      if (button(frame, "contents", contents, toggle)) show_contents_ = !show_contents_, contents_.reset();
    }
    place(a);
    if (button(frame, "previous", previous, ghost))
      if (const auto event = model.next_change_of(object_, cursor > 0 ? cursor - 1 : 0, lab::Direction::Back))
        go(frame, run, *event);
    place(b);
    if (button(frame, "next", next, ghost))
      if (const auto event = model.next_change_of(object_, cursor, lab::Direction::Forward))
        go(frame, run, *event);
  }
  at = corner.x + wide - c.x - frame.px(6);
  if (frame.places != nullptr) (*frame.places)["life close"] = {at + c.x / 2, corner.y + tall / 2};
  place(c);
  if (button(frame, "close", "", cross)) select({});
  ImGui::SetCursorScreenPos({corner.x, corner.y + tall});
}

void LifeCard::say(const Frame& frame, std::string_view words) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  draw_text_middle(frame, at.x + frame.px(kPad), at.y, frame.px(kRow), frame.theme[Role::Muted], words,
                   Face::Ui, Size::Small, wide - 2 * frame.px(kPad));
  ImGui::Dummy({wide, frame.px(kRow)});
}

void LifeCard::row(Frame& frame, const ShownRun& run, Text what, std::size_t event) {
  const trace::Store& store = run.store;
  const trace::Event at = store.at(event);
  std::string words(frame.text(what));
  if (at.kind == trace::EventKind::Call) {
    words += " · " + frame.text(Text::PictureCall, {std::to_string(store.calls_before(event) + 1)});
    (words += " · ") += at.name;
  }
  if (at.line > 0) words += " · " + at.file + ":" + std::to_string(at.line);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, frame.px(kRow)};
  ImGui::PushID(static_cast<int>(event));
  if (pressable(frame, "row", size)) go(frame, run, event);
  if (frame.places != nullptr) {
    const char* const name = what == Text::PictureLifeCreated ? "life created"
                             : what == Text::PictureLifeUsed || what == Text::PictureLifeChanged
                                 ? "life used"
                                 : "life ended";
    frame.places->emplace(name,
                          ImVec2{corner.x + size.x / 2, corner.y + size.y / 2});  // the first of its kind
  }
  const bool here = run.cursor == event + 1;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 from{corner.x + frame.px(6), corner.y}, to{corner.x + size.x - frame.px(6), corner.y + size.y};
  if (ImGui::IsItemHovered()) list.AddRectFilled(from, to, frame.theme[Role::Hover], frame.px(4));
  draw_focus(frame, {from.x + frame.px(2), from.y + frame.px(2)}, {to.x - frame.px(2), to.y - frame.px(2)});
  if (here) list.AddRectFilled(from, {from.x + frame.px(3), to.y}, frame.theme[Role::Accent], frame.px(2));
  draw_text_middle(frame, corner.x + frame.px(kPad), corner.y, size.y, frame.theme[Role::Text], words,
                   Face::Ui, Size::Small, size.x - 2 * frame.px(kPad), Cut::Meant);
  ImGui::PopID();
}

void LifeCard::draw(Frame& frame, const ShownRun& run) {
  look(run);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + ImGui::GetContentRegionAvail().x, corner.y},
                                      frame.theme[Role::Line], std::max(1.0f, frame.px(1)));
  header(frame, run);
  if (!object_) return;  // closed just now
  if (show_contents_ && has_contents()) {
    if (contents_) page_.draw(frame, *contents_);
    return;
  }
  begin_scroll(frame, "life", ImGui::GetContentRegionAvail());
  if (life_->created)
    row(frame, run, Text::PictureLifeCreated, *life_->created);
  else
    say(frame, frame.text(Text::PictureLifeUnseen));
  const std::size_t shown = std::min(life_->uses.size(), kMostRows);
  for (std::size_t i = 0; i < shown; ++i)
    row(frame, run, life_->uses[i].changed ? Text::PictureLifeChanged : Text::PictureLifeUsed,
        life_->uses[i].event);
  if (life_->uses.size() > shown)
    say(frame, frame.text(Text::PictureLifeMore, {std::to_string(life_->uses.size() - shown)}));
  if (life_->ended)
    row(frame, run, life_->ended_with_owner ? Text::PictureLifeEndedWithOwner : Text::PictureLifeEnded,
        *life_->ended);
  else if (run.over)
    say(frame, frame.text(Text::PictureLifeAlive));
  end_scroll();
}

}  // namespace gui::picture
