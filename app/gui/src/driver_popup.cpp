// SPDX-License-Identifier: MIT
// The choice of driver, and of another machine that has one.
#include <utility>

#include "popup.hpp"
#include "text_field.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr const char* kLauncher = "launcher";

class DriverPopup : public Popup {
 public:
  explicit DriverPopup(const PopupContext& of) : of_(of) {}
  Shape shape() const override { return {.id = "drivers", .width = 400, .side = Side::Right}; }
  void open() override {
    field_.set(of_.settings.launcher);
    typing_ = typed_ = false;
  }
  bool take(const KeyPress& press) override {
    if (!typing_) return false;
    if (press.key == Key::Enter) return of_.commands.emplace_back(command::ClosePopup{}), true;
    if (field_.take(press)) return use_launcher(), true;
    return false;
  }
  bool type(std::string_view text) override {
    if (!of_.settings.remote || text.empty()) return false;
    field_.type(text);
    typed_ = true;
    return use_launcher(), true;
  }
  void add_text(Fonts& fonts, lab::Language) override { fonts.add_text(field_.text()); }
  void draw(Frame& frame, float most_height) override;

 private:
  void draw_launcher(Frame& frame);
  void use_launcher();

  PopupContext of_;
  TextField field_;      // what runs a command on the other machine
  bool typing_ = false;  // it has the keys
  bool typed_ = false;   // and is to have them, wherever the keyboard stood
};

void DriverPopup::draw(Frame& frame, float) {
  const lab::DriverChoice now = of_.bench.driver_choice();
  const bool real = of_.bench.real_driver_present();
  struct Row {
    const char* id;
    lab::DriverChoice choice;
    Text label;
    bool enabled;
  };
  const Row rows[] = {{"driver auto", lab::DriverChoice::Auto, Text::DriverAuto, true},
                      {"driver embedded", lab::DriverChoice::Embedded, Text::DriverEmbedded, true},
                      {"driver real", lab::DriverChoice::Real, Text::DriverReal, real}};
  for (const Row& row : rows) {
    const bool chosen = row.choice == now && !of_.settings.remote;
    const std::string second = chosen        ? of_.bench.driver_description()
                               : row.enabled ? std::string()
                                             : std::string(frame.text(Text::DriverAbsent));
    if (!popup_choice(frame, row.id, frame.text(row.label), second, {.on = chosen, .enabled = row.enabled}))
      continue;
    of_.bench.choose(row.choice);
    of_.settings.driver = row.choice;
    of_.settings.remote = false;
    use_launcher();
    of_.commands.emplace_back(command::ClosePopup{});
  }
  draw_launcher(frame);
  if (const std::string by = of_.bench.recorded_by(); !by.empty())
    popup_sentence(frame, frame.text(Text::DriverRecordedBy, {by}), Role::Muted);
}

// One more choice: what runs a command on the machine that is meant is typed below it.
void DriverPopup::draw_launcher(Frame& frame) {
  const std::string second = !of_.settings.remote            ? std::string()
                             : of_.settings.launcher.empty() ? std::string(frame.text(Text::DriverRemoteNone))
                                                             : of_.bench.driver_description();
  if (popup_choice(frame, "driver remote", frame.text(Text::DriverRemote), second,
                   {.on = of_.settings.remote})) {
    of_.settings.remote = typed_ = true;
    use_launcher();
  }
  if (!of_.settings.remote) {
    typing_ = false;
    return;
  }
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const Rect line{from.x, from.y, width, frame.px(36)};
  KeyStops& stops = frame.selection.stops;
  if (std::exchange(typed_, false) && !stops.on_nothing()) stops.stand_on(ImGui::GetID(kLauncher));
  (void)field_stop(frame, kLauncher, line, false);
  typing_ = stops.on_nothing() || stops.is_on(ImGui::GetID(kLauncher));
  field_.draw(frame, line, "ssh gpubox", {}, typing_ ? TextField::Caret::Shown : TextField::Caret::Hidden);
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({width, frame.px(42)});
  popup_sentence(frame, frame.text(Text::DriverRemoteHint), Role::Muted);
}

void DriverPopup::use_launcher() {
  of_.settings.launcher = field_.text();
  of_.bench.set_launcher(of_.settings.remote ? of_.settings.launcher : std::string());
}

}  // namespace

std::unique_ptr<Popup> make_driver_popup(const PopupContext& of) {
  return std::make_unique<DriverPopup>(of);
}

}  // namespace gui
