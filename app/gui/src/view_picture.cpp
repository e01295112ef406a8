// The picture: threads with their stacks, devices with contexts and memory, at the moment of the cursor.
//
// The layout makes a scene when the moment, the width, the language or the scale changed; this file moves it
// (picture_motion), draws it (picture_drawing), scrolls it, and explains what is under the mouse.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "imgui_compat.hpp"
#include "picture_drawing.hpp"
#include "picture_layout.hpp"
#include "picture_life.hpp"
#include "picture_motion.hpp"
#include "picture_words.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

class PictureView : public View {
 public:
  Text title() const override { return Text::PictureTitle; }
  void draw(Frame& frame) override;

 private:
  // What a scene was made from; it is made anew when any of it differs.
  struct Key {
    std::size_t moment = 0, contexts = 0;
    std::uint64_t run = 0;
    float width = 0, scale = 0;
    bool keep_room = false;  // for the tallest stack of the run
    lab::Language language = lab::Language::English;
    std::size_t unfolded = 0;
    bool operator==(const Key&) const = default;
  };
  void update(Frame& frame, float width, float height);
  static std::size_t moment_shown(const lab::Workbench& bench);
  picture::Request request(Frame& frame, float width) const;
  void keep_in_view(Frame& frame, float top, float visible);
  void explain(Frame& frame, const picture::Box& box);
  void press(const picture::Box& box);
  void draw_scene(Frame& frame, ImVec2 room);

  std::optional<Key> key_;
  picture::Scene scene_, before_;
  double started_ = -1;  // when the motion began
  bool scroll_to_focus_ = false;
  std::set<std::uint64_t> unfolded_;
  picture::LifeCard life_;
  std::map<std::uint32_t, std::uint32_t> deepest_;  // by thread: the most cards seen in this run
};

// Output and mapped libraries change nothing here: the call before them is still the step that is shown.
std::size_t PictureView::moment_shown(const lab::Workbench& bench) {
  constexpr int kMostSkipped = 256;
  const trace::Store& store = bench.store();
  std::size_t moment = bench.cursor();
  for (int i = 0; i < kMostSkipped && moment > 1; ++i, --moment) {
    const trace::EventKind kind = store.kind_at(moment - 1);
    if (kind != trace::EventKind::Output && kind != trace::EventKind::ModuleMapped) break;
  }
  return moment;
}

picture::Request PictureView::request(Frame& frame, float width) const {
  const lab::Workbench& bench = frame.bench;
  const std::size_t moment = moment_shown(bench);
  picture::Request request;
  request.state = &bench.model().at(moment);
  request.language = frame.language;
  request.scale = frame.scale;
  request.width = width;
  request.unfolded = unfolded_;
  request.line_of = [&bench](std::uint64_t seq) {
    return seq < bench.store().size() ? static_cast<int>(bench.store().at(seq).line) : 0;
  };
  if (moment == 0) return request;
  const trace::Event event = bench.store().at(moment - 1);
  request.acting_thread = event.thread;
  request.step_title = frame.text(Text::PictureStep);
  if (event.kind == trace::EventKind::Call) {
    request.step_title += " · " + frame.text(Text::PictureCall, {std::to_string(bench.call_at_cursor())});
    (request.step_title += " · ") += event.name;
    request.step_failed = event.returned && event.result != 0;
  }
  request.step_words = picture::step_words(*request.state, event, frame.language);
  return request;
}

void PictureView::update(Frame& frame, float width, float height) {
  const lab::Workbench& bench = frame.bench;
  // A stack that keeps its height lets the rest stand still; on a low panel it would push the cards out of
  // sight.
  const bool keep_room = height >= frame.px(420);
  const Key now{moment_shown(bench), bench.state().contexts.size(),
                frame.run,           width,
                frame.scale,         keep_room,
                frame.language,      unfolded_.size()};
  if (key_ == now) return;
  const bool same_run = key_ && key_->run == now.run;
  if (!same_run) deepest_.clear(), unfolded_.clear(), life_.select({});
  for (const lab::Thread& thread : bench.state().threads)
    deepest_[thread.number] =
        std::max(deepest_[thread.number], static_cast<std::uint32_t>(thread.stack.size()));
  const picture::Meter meter{[&](std::string_view words, Face face, Size size) {
                               return std::ceil(text_size(frame, words, face, size).x);
                             },
                             [&](Face face, Size size) { return frame.fonts.height(face, size); }};
  picture::Request wanted = request(frame, width);
  wanted.meter = &meter;
  if (keep_room) wanted.least_cards = deepest_;
  const bool resized = !key_ || key_->width != now.width || key_->scale != now.scale;
  const bool moved = !key_ || key_->moment != now.moment || key_->run != now.run;
  before_ = std::move(scene_);
  scene_ = picture::lay_out(wanted);
  // A new width is no story; a step is.
  started_ = frame.animations && !resized && same_run ? frame.time : -1;
  scroll_to_focus_ = moved;
  key_ = now;
}

void PictureView::keep_in_view(Frame& frame, float top, float visible) {
  if (!scroll_to_focus_) return;
  scroll_to_focus_ = false;
  if (scene_.focus < 0) return;
  const picture::Rect rect = scene_.boxes[static_cast<std::size_t>(scene_.focus)].rect;
  const float margin = frame.px(24);
  if (rect.y + top < ImGui::GetScrollY()) ImGui::SetScrollY(std::max(0.0f, rect.y + top - margin));
  if (rect.bottom() + top > ImGui::GetScrollY() + visible)
    ImGui::SetScrollY(rect.bottom() + top - visible + margin);
}

void PictureView::draw(Frame& frame) {
  panel_header(frame, frame.text(title()));
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (frame.bench.cursor() == 0 && frame.bench.state().devices.empty() &&
      frame.bench.state().threads.empty()) {
    empty_state(frame, frame.text(Text::PictureNothingTitle), frame.text(Text::PictureNothing));
    key_.reset();
    return;
  }
  const float card = life_.height(frame, room.y);
  draw_scene(frame, {room.x, room.y - card});
  if (card <= 0 || !life_.selected()) return;
  compat::begin_child("card", {room.x, card}, false, ImGuiWindowFlags_NoScrollbar);
  life_.draw(frame);
  ImGui::EndChild();
}

void PictureView::draw_scene(Frame& frame, ImVec2 room) {
  begin_scroll(frame, "picture", room);
  const float margin = frame.px(kMargin), top = frame.px(4);
  update(frame, std::max(frame.px(180), room.x - 2 * margin), room.y);
  keep_in_view(frame, top, room.y);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 origin{corner.x + margin, corner.y + top};

  float progress = 1;
  if (started_ >= 0) {
    progress = static_cast<float>((frame.time - started_) / picture::kMotionSeconds);
    if (progress >= 1)
      progress = 1, started_ = -1;
    else
      frame.animate();
  }
  ImGui::Dummy({room.x - frame.px(2), scene_.height + top + margin});
  picture::Drawing drawing(frame, frame.bench.state(), origin, life_.selected());
  const bool inside = !frame.still && ImGui::IsWindowHovered();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int under = inside ? scene_.box_at(mouse.x - origin.x, mouse.y - origin.y) : -1;
  drawing.draw(picture::between(before_, scene_, progress, frame.scale), scene_, progress, under);
  if (under >= 0) {
    const picture::Box& box = scene_.boxes[static_cast<std::size_t>(under)];
    if (box.context < frame.bench.state().contexts.size())
      frame.selection.hovered.context = frame.bench.state().contexts[box.context].name;
    explain(frame, box);
    if (ImGui::IsMouseClicked(0)) press(box);
  }
  end_scroll();
}

void PictureView::press(const picture::Box& box) {
  switch (box.kind) {
    case picture::BoxKind::CardsFold:
    case picture::BoxKind::ThreadsFold:
    case picture::BoxKind::AllocationsFold:
    case picture::BoxKind::ContextsFold:
    case picture::BoxKind::ObjectsFold:
      unfolded_.insert(box.id);
      break;
    default:
      life_.select(picture::object_of(box));  // a click beside everything closes the card
      break;
  }
}

void PictureView::explain(Frame& frame, const picture::Box& box) {
  const picture::Hint hint = picture::hint_for(box, frame);
  if (!hint.title.empty() || !hint.text.empty()) tooltip_now(frame, hint.title, hint.text);
}

}  // namespace

std::unique_ptr<View> make_picture_view() {
  return std::make_unique<PictureView>();
}

}  // namespace gui
