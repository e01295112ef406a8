// SPDX-License-Identifier: MIT
// Tracing a program of the user's own: what is started, where, with which variables and which driver. What
// was typed last is there again.
#include <array>
#include <filesystem>

#include "popup.hpp"
#include "text_field.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

struct Field {
  const char* id;
  Text words, example;
  std::string lab::OwnProgram::* value;
};
// What the keys go round: the fields, then these.
enum KeyStop : std::size_t { kDriver = 3, kStart, kStops };
constexpr std::array<Field, kDriver> kFields = {
    {{"trace command", Text::TraceCommand, Text::TraceCommandExample, &lab::OwnProgram::command},
     {"trace folder", Text::TraceFolder, Text::TraceFolderExample, &lab::OwnProgram::folder},
     {"trace environment", Text::TraceEnvironment, Text::TraceEnvironmentExample,
      &lab::OwnProgram::environment}}};

class TracePopup : public Popup {
 public:
  explicit TracePopup(const PopupContext& of) : of_(of) {}
  Shape shape() const override {
    return {.id = "trace", .width = 640, .side = Side::Lesson, .keys = Keys::Own};
  }
  void open() override;
  bool take(const KeyPress& press) override;
  bool type(std::string_view text) override {
    if (at_ < kDriver) fields_[at_].type(text), keep();
    return true;
  }
  void add_text(Fonts& fonts, lab::Language) override {
    for (const TextField& field : fields_) fonts.add_text(field.text());
    fonts.add_text(of_.bench.own_driver_description());
  }
  void draw(Frame& frame, float most_height) override;

 private:
  void keep();  // in the settings
  void start() { of_.commands.emplace_back(command::TraceProgram{of_.settings.program}); }

  PopupContext of_;
  std::array<TextField, kFields.size()> fields_;
  std::size_t at_ = 0;  // the field that is typed into, or a KeyStop
};

void TracePopup::open() {
  at_ = 0;
  if (of_.settings.program.folder.empty()) {
    std::error_code error;
    of_.settings.program.folder = std::filesystem::current_path(error).string();
  }
  for (std::size_t i = 0; i < kFields.size(); ++i) fields_[i].set(of_.settings.program.*kFields[i].value);
  fields_[at_].select_all();
}

void TracePopup::keep() {
  for (std::size_t i = 0; i < kFields.size(); ++i) of_.settings.program.*kFields[i].value = fields_[i].text();
}

bool TracePopup::take(const KeyPress& press) {
  const bool presses = press.key == Key::Enter || (press.key == Key::Space && at_ >= kDriver);
  if (presses && !press.ctrl) {
    if (at_ == kDriver)
      of_.commands.emplace_back(command::Toggle{PopupName::Driver});
    else
      start();
    return true;
  }
  const bool next = (press.key == Key::Tab && !press.ctrl && !press.shift) || press.key == Key::Down;
  const bool last = (press.key == Key::Tab && !press.ctrl && press.shift) || press.key == Key::Up;
  if (next || last) {
    at_ = (at_ + (next ? 1 : kStops - 1)) % kStops;
    if (at_ < kDriver) fields_[at_].select_all();
    return true;
  }
  if (at_ >= kDriver || !fields_[at_].take(press)) return false;
  return keep(), true;
}

void TracePopup::draw(Frame& frame, float) {
  popup_heading(frame, frame.text(Text::TraceTitle));
  const float width = ImGui::GetContentRegionAvail().x, tall = frame.px(36);
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    popup_sentence(frame, frame.text(kFields[i].words));
    const ImVec2 from = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(kFields[i].id, {width, tall})) at_ = i;
    if (frame.places != nullptr) (*frame.places)[kFields[i].id] = {from.x + width / 2, from.y + tall / 2};
    fields_[i].draw(frame, {from.x, from.y, width, tall}, frame.text(kFields[i].example), std::nullopt,
                    i == at_ ? TextField::Caret::Shown : TextField::Caret::Hidden);
  }
  ImGui::Dummy({width, frame.px(4)});
  const std::string driver = frame.text(Text::TraceDriver, {of_.bench.own_driver_description()});
  if (popup_choice(frame, "trace driver", driver, frame.text(Text::TraceDriverHint), {.lit = at_ == kDriver}))
    frame.post(command::Toggle{PopupName::Driver});
  const ImVec2 from = ImGui::GetCursorScreenPos();
  if (button(frame, "trace start", frame.text(Text::TraceStart),
             {.icon = Icon::Play, .style = ButtonStyle::Primary, .width = width}))
    start();
  if (at_ == kStart) draw_chosen(frame, from, {from.x + width, ImGui::GetItemRectMax().y});
  popup_sentence(frame, frame.text(Text::TraceNote));
}

}  // namespace

std::unique_ptr<Popup> make_trace_popup(const PopupContext& of) {
  return std::make_unique<TracePopup>(of);
}

}  // namespace gui
