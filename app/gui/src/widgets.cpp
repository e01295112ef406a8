// SPDX-License-Identifier: MIT
// See widgets.hpp. Everything is drawn by our own code on an InvisibleButton, so that the theme decides every
// pixel, while ImGui does ids and hovering.
#include "widgets.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "formatting.hpp"
#include "imgui_compat.hpp"
#include "markdown/wrap.hpp"

namespace gui {
namespace {

constexpr float kHintWidth = 380, kHintAside = 12, kHintAbove = 10;  // at 100 %
constexpr float kScrollByKey = 48, kAroundStop = 8;                  // the same

// The longest start of `text` that fits `width` together with an ellipsis.
std::size_t fitting(ImFont& font, std::string_view text, float width) {
  constexpr std::string_view kMore = "…";
  const float room = width - compat::measure(font, kMore.data(), kMore.data() + kMore.size()).x;
  const char* rest = text.data();
  compat::measure(font, text.data(), text.data() + text.size(), std::max(room, 0.0f), &rest);
  return static_cast<std::size_t>(rest - text.data());
}

std::vector<markdown::Line> lines_of(const Frame& frame, float width, std::string_view text, Face face,
                                     Size size) {
  return markdown::wrap(text, std::max(width, 1.0f),
                        [&](std::string_view part) { return text_size(frame, part, face, size).x; });
}

// The mouse has to rest there: a row of calls would flicker otherwise.
void whole_text_under_mouse(const Frame& frame, ImVec2 at, ImVec2 size, std::string_view text) {
  if (frame.still || !ImGui::IsWindowHovered()) return;
  if (!ImGui::IsMouseHoveringRect(at, {at.x + size.x, at.y + size.y})) return;
  if (rested(frame, at)) tooltip_now(frame, {}, text);
}

void ring(const Frame& frame, ImVec2 from, ImVec2 to, float rounding) {
  if (frame.watched != nullptr) ++frame.watched->rings;
  const float out = frame.px(2);
  ImGui::GetWindowDrawList()->AddRect({from.x - out, from.y - out}, {to.x + out, to.y + out},
                                      frame.theme[Role::Accent], rounding + out, 0, frame.px(2));
}

void focus_ring(const Frame& frame, ImVec2 from, ImVec2 to, float rounding) {
  if (frame.selection.stops.on_last() && !frame.still) ring(frame, from, to, rounding);
}

// As little as is needed, and what is higher than the window from its top.
void scroll_into_sight(const Frame& frame, ImVec2 from, ImVec2 to) {
  if (ImGui::GetScrollMaxY() <= 0) return;
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight(),
              around = frame.px(kAroundStop);
  float by = 0;
  if (to.y + around > bottom) by = to.y + around - bottom;
  if (from.y - around - by < top) by = from.y - around - top;
  if (by == 0) return;
  ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() + by));
  frame.selection.stops.note_scroll();
  frame.animate();
}

void note_card(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 fill) {
  if (frame.texts != nullptr)
    frame.texts->card({from.x, from.y, to.x - from.x, to.y - from.y}, fill >> 24 == 0xff);
}

struct ButtonColours {
  ImU32 fill, border, label, shortcut;
};

ButtonColours button_colours(const Theme& theme, const ButtonOptions& options, bool hovered, bool held) {
  const ImU32 muted = theme[Role::Muted];
  if (!options.enabled) {
    const ImU32 faint = mix(theme[Role::Panel], muted, 0.62f);
    return {options.style == ButtonStyle::Ghost ? 0 : mix(theme[Role::Window], theme[Role::Raised], 0.5f),
            options.style == ButtonStyle::Ghost ? 0 : with_alpha(theme[Role::Line], 0.6f), faint, faint};
  }
  if (options.style == ButtonStyle::Primary) {
    const ImU32 accent = theme[Role::Accent];
    const ImU32 fill = held      ? mix(accent, 0xff000000, 0.15f)
                       : hovered ? mix(accent, 0xffffffff, 0.12f)
                                 : accent;
    return {fill, 0, theme[Role::AccentText], with_alpha(theme[Role::AccentText], 0.8f)};
  }
  const bool ghost = options.style == ButtonStyle::Ghost;
  ImU32 fill = ghost ? 0 : theme[Role::Raised];
  if (hovered || options.on) fill = theme[Role::Hover];
  if (held) fill = mix(theme[Role::Hover], theme[Role::Line], 0.6f);
  const ImU32 label = options.style == ButtonStyle::Danger ? theme[Role::Bad]
                      : ghost && !hovered && !options.on   ? muted
                                                           : theme[Role::Text];
  return {fill, ghost ? 0 : theme[Role::Line], label, muted};
}

}  // namespace

KeyStops::Here key_stop(const Frame& frame, const char* id, ImVec2 from, ImVec2 to, bool preferred) {
  const KeyStops::Here here = frame.selection.stops.stop(ImGui::GetID(id), from.x, from.y, preferred);
  if (here.arrived) scroll_into_sight(frame, from, to);
  if (here.on && frame.watched != nullptr) frame.watched->stop = id;
  return here;
}

bool pressable(const Frame& frame, const char* id, ImVec2 size, bool preferred) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool by_key = key_stop(frame, id, from, {from.x + size.x, from.y + size.y}, preferred).pressed;
  return ImGui::InvisibleButton(id, size) || by_key;
}

void draw_focus(const Frame& frame, ImVec2 from, ImVec2 to) {
  focus_ring(frame, from, to, frame.px(kRounding));
}

void draw_chosen(const Frame& frame, ImVec2 from, ImVec2 to) {
  ring(frame, from, to, frame.px(kRounding));
}

ImVec2 text_size(const Frame& frame, std::string_view text, Face face, Size size) {
  // ImGui takes an end that is null, as that of no text is, for one that it has to look for.
  if (text.empty()) return {0, frame.fonts.height(face, size)};
  return compat::measure(*frame.font(face, size), text.data(), text.data() + text.size());
}

float draw_text(const Frame& frame, ImVec2 at, ImU32 colour, std::string_view text, Face face, Size size,
                float clip, Cut cut) {
  if (text.empty()) return 0;
  ImFont* font = frame.font(face, size);
  const float tall = compat::size_of(*font);
  const ImVec2 place{std::round(at.x), std::round(at.y)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  float width = text_size(frame, text, face, size).x;
  const auto note = [&](bool shortened, bool lost) {
    if (frame.texts != nullptr)
      frame.texts->text(text, {place.x, place.y, width, frame.fonts.height(face, size)}, cut, shortened,
                        lost);
  };
  if (clip <= 0 || width <= clip) {
    list->AddText(font, tall, place, colour, text.data(), text.data() + text.size());
    note(false, false);
    return width;
  }
  const auto measure = [&](std::string_view part) { return text_size(frame, part, face, size).x; };
  const std::string shortened = cut == Cut::Middle
                                    ? without_middle(text, clip, measure)
                                    : std::string(text.substr(0, fitting(*font, text, clip))) + "…";
  width = text_size(frame, shortened, face, size).x;
  const bool fits = width <= clip + 1;
  if (fits) list->AddText(font, tall, place, colour, shortened.c_str());
  note(true, !fits);
  if (cut != Cut::Defect) whole_text_under_mouse(frame, place, {width, tall}, text);
  return width;
}

float draw_text_middle(const Frame& frame, float x, float top, float height, ImU32 colour,
                       std::string_view text, Face face, Size size, float clip, Cut cut) {
  const float line = frame.fonts.height(face, size);
  return draw_text(frame, {x, top + (height - line) / 2}, colour, text, face, size, clip, cut);
}

float draw_paragraph(const Frame& frame, ImVec2 at, float width, ImU32 colour, std::string_view text,
                     Face face, Size size) {
  const float tall = frame.fonts.height(face, size);
  float y = at.y;
  for (const markdown::Line& line : lines_of(frame, width, text, face, size)) {
    if (ImGui::IsRectVisible({at.x, y}, {at.x + width, y + tall}) || frame.texts != nullptr)
      draw_text(frame, {at.x, y}, colour, text.substr(line.begin, line.end - line.begin), face, size);
    y += tall;
  }
  return y - at.y;
}

float paragraph_height(const Frame& frame, float width, std::string_view text, Face face, Size size) {
  return frame.fonts.height(face, size) * static_cast<float>(lines_of(frame, width, text, face, size).size());
}

void draw_card(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 fill, ImU32 border, float border_width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float rounding = frame.px(kRounding);
  note_card(frame, from, to, fill);
  if (fill != 0) list->AddRectFilled(from, to, fill, rounding);
  if (border != 0) list->AddRect(from, to, border, rounding, 0, std::max(1.0f, frame.px(border_width)));
}

void draw_dashed_line(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 colour, float width) {
  const float dash = frame.px(6), gap = frame.px(4);
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::sqrt(dx * dx + dy * dy);
  if (length < 1) return;
  const int count = std::max(1, static_cast<int>((length + gap) / (dash + gap)));
  const float period = (length + gap) / static_cast<float>(count);  // whole dashes at both ends
  for (int i = 0; i < count; ++i) {
    const float a = static_cast<float>(i) * period / length, b = std::min(1.0f, a + (period - gap) / length);
    ImGui::GetWindowDrawList()->AddLine({from.x + dx * a, from.y + dy * a},
                                        {from.x + dx * b, from.y + dy * b}, colour,
                                        std::max(1.0f, frame.px(width)));
  }
}

void draw_dashed_card(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 fill, ImU32 border,
                      float border_width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float r = std::min({frame.px(kRounding), (to.x - from.x) / 2, (to.y - from.y) / 2});
  const float width = std::max(1.0f, frame.px(border_width));
  note_card(frame, from, to, fill);
  if (fill != 0) list->AddRectFilled(from, to, fill, r);
  draw_dashed_line(frame, {from.x + r, from.y}, {to.x - r, from.y}, border, border_width);
  draw_dashed_line(frame, {from.x + r, to.y}, {to.x - r, to.y}, border, border_width);
  draw_dashed_line(frame, {from.x, from.y + r}, {from.x, to.y - r}, border, border_width);
  draw_dashed_line(frame, {to.x, from.y + r}, {to.x, to.y - r}, border, border_width);
  const ImVec2 corners[] = {
      {to.x - r, to.y - r}, {from.x + r, to.y - r}, {from.x + r, from.y + r}, {to.x - r, from.y + r}};
  for (int i = 0; i < 4; ++i) {
    const float start = static_cast<float>(i) * 1.570796f;
    list->PathArcTo(corners[i], r, start + 0.35f, start + 1.22f, 8);
    list->PathStroke(border, 0, width);
  }
}

ImVec2 button_size(const Frame& frame, std::string_view label, const ButtonOptions& options) {
  const float padding = options.size == Size::Small ? frame.px(8) : frame.px(12);
  const float icon = options.icon == Icon::None ? 0 : frame.px(14);
  float width = padding * 2 + icon;
  if (!label.empty())
    width += text_size(frame, label, Face::Bold, options.size).x + (icon > 0 ? frame.px(7) : 0);
  if (!options.shortcut.empty())
    width += frame.px(8) + text_size(frame, options.shortcut, Face::Ui, Size::Small).x;
  if (label.empty() && options.shortcut.empty()) width = icon + frame.px(18);
  return {options.width > 0 ? options.width : std::round(width),
          frame.px(options.size == Size::Small ? 26 : 32)};
}

bool button(Frame& frame, const char* id, std::string_view label, const ButtonOptions& options) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), size = button_size(frame, label, options);
  const ImVec2 to{from.x + size.x, from.y + size.y};
  const bool pressed = pressable(frame, id, size) && options.enabled;
  const bool hovered = ImGui::IsItemHovered() && !frame.still;
  const ButtonColours colours =
      button_colours(frame.theme, options, hovered, hovered && ImGui::IsItemActive());
  if (!options.hint.empty()) tooltip(frame, options.hint);
  if (frame.places != nullptr) (*frame.places)[id] = {(from.x + to.x) / 2, (from.y + to.y) / 2};
  focus_ring(frame, from, to, frame.px(kRounding));
  draw_card(frame, from, to, colours.fill, colours.border, frame.theme.line_width());

  const float icon = options.icon == Icon::None ? 0 : frame.px(14);
  const float label_width = label.empty() ? 0 : text_size(frame, label, Face::Bold, options.size).x;
  const float between = icon > 0 && label_width > 0 ? frame.px(7) : 0;
  const float shortcut_width =
      options.shortcut.empty() ? 0
                               : frame.px(8) + text_size(frame, options.shortcut, Face::Ui, Size::Small).x;
  float x = from.x + (size.x - icon - between - label_width - shortcut_width) / 2;
  if (icon > 0) draw_icon(frame, options.icon, {x + icon / 2, from.y + size.y / 2}, icon, colours.label);
  x += icon + between;
  if (label_width > 0)
    draw_text_middle(frame, x, from.y, size.y, colours.label, label, Face::Bold, options.size,
                     to.x - x - frame.px(4));
  x += label_width + frame.px(8);
  if (shortcut_width > 0)
    draw_text_middle(frame, x, from.y, size.y, colours.shortcut, options.shortcut, Face::Ui, Size::Small);
  return pressed;
}

ImVec2 badge_size(const Frame& frame, std::string_view text, Size size) {
  const float width = text_size(frame, text, Face::Bold, size).x + frame.px(14);
  return {std::max(std::round(width), frame.px(22)), frame.px(size == Size::Small ? 20 : 26)};
}

ImVec2 badge_at(const Frame& frame, ImVec2 at, std::string_view text, ImU32 fill, ImU32 colour, ImU32 border,
                Size size) {
  const ImVec2 extent = badge_size(frame, text, size), to{at.x + extent.x, at.y + extent.y};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float rounding = frame.px(5);
  note_card(frame, at, to, fill);
  if (fill != 0) list->AddRectFilled(at, to, fill, rounding);
  if (border != 0) list->AddRect(at, to, border, rounding, 0, std::max(1.0f, frame.px(1)));
  const float width = text_size(frame, text, Face::Bold, size).x;
  draw_text_middle(frame, at.x + (extent.x - width) / 2, at.y, extent.y, colour, text, Face::Bold, size);
  return extent;
}

ImVec2 context_badge_at(Frame& frame, ImVec2 at, std::string_view context_name, bool alive) {
  const ContextColour colour = frame.theme.context(alive ? context_name : std::string_view{});
  const bool primary =
      context_name.size() > 1 && context_name[0] == 'P' && context_name[1] >= '0' && context_name[1] <= '9';
  const bool plain_frame = frame.theme.name() == ThemeName::Projector;
  const ImVec2 extent =
      badge_at(frame, at, context_name, colour.fill, colour.text, plain_frame ? colour.line : 0);
  const ImVec2 to{at.x + extent.x, at.y + extent.y};
  if (primary) draw_dashed_card(frame, at, to, 0, colour.line);
  if (!alive)
    ImGui::GetWindowDrawList()->AddLine({at.x + frame.px(4), at.y + extent.y / 2},
                                        {to.x - frame.px(4), at.y + extent.y / 2}, colour.line, frame.px(1));
  if (!frame.still && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, to))
    frame.selection.hovered.context = context_name;
  if (!frame.still && frame.selection.previous.context == context_name)
    ImGui::GetWindowDrawList()->AddRect(at, to, colour.line, frame.px(5), 0, frame.px(1.5f));
  return extent;
}

int segmented(Frame& frame, const char* id, const std::string_view* labels, int count, int selected) {
  float widest = 0;
  for (int i = 0; i < count; ++i) widest = std::max(widest, text_size(frame, labels[i], Face::Bold).x);
  const float width = std::round(widest + frame.px(20)), height = frame.px(32);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 to{from.x + width * static_cast<float>(count), from.y + height};
  draw_card(frame, from, to, frame.theme[Role::Raised], frame.theme[Role::Line], frame.theme.line_width());
  int pressed = -1;
  ImGui::PushID(id);
  for (int i = 0; i < count; ++i) {
    const ImVec2 a{from.x + width * static_cast<float>(i), from.y}, b{a.x + width, to.y};
    ImGui::SetCursorScreenPos(a);
    ImGui::PushID(i);
    if (pressable(frame, "choice", {width, height})) pressed = i;
    const bool hovered = ImGui::IsItemHovered() && !frame.still;
    if (frame.places != nullptr)
      (*frame.places)[std::string(id) + std::to_string(i)] = {(a.x + b.x) / 2, (a.y + b.y) / 2};
    focus_ring(frame, a, b, frame.px(kRounding));
    ImGui::PopID();
    const float in = frame.px(3);
    if (i == selected)
      ImGui::GetWindowDrawList()->AddRectFilled({a.x + in, a.y + in}, {b.x - in, b.y - in},
                                                frame.theme[Role::AccentSoft], frame.px(6));
    const ImU32 colour = i == selected || hovered ? frame.theme[Role::Text] : frame.theme[Role::Muted];
    const float label = text_size(frame, labels[i], Face::Bold).x;
    draw_text_middle(frame, a.x + (width - label) / 2, a.y, height, colour, labels[i], Face::Bold);
  }
  ImGui::PopID();
  return pressed == selected ? -1 : pressed;
}

bool rested(const Frame& frame, ImVec2 corner) {
  constexpr double kRest = 0.45;
  struct Resting {
    ImVec2 corner;
    double since = 0;
    int last_frame = 0;
  };
  static std::vector<Resting> hovered;
  const int now = ImGui::GetFrameCount();
  std::erase_if(hovered, [now](const Resting& each) { return now > each.last_frame + 1; });
  auto found = std::find_if(hovered.begin(), hovered.end(), [&](const Resting& each) {
    return each.corner.x == corner.x && each.corner.y == corner.y;
  });
  if (found == hovered.end()) found = hovered.insert(hovered.end(), {corner, frame.time, now});
  found->last_frame = now;
  if (frame.time - found->since >= kRest) return true;
  frame.animate(kRest - (frame.time - found->since));
  return false;
}

void tooltip(const Frame& frame, std::string_view text) {
  if (frame.still || frame.selection.hush.on || !ImGui::IsItemHovered() || ImGui::IsItemActive()) return;
  // Below the thing, so that it hides nothing; above it where there is no room, and never out of the window.
  const ImVec2 from = ImGui::GetItemRectMin(), window = ImGui::GetMainViewport()->Size;
  if (!rested(frame, from)) return;
  const float most = frame.px(kHintWidth), gap = frame.px(6),
              wide = std::min(most, text_size(frame, text).x) + frame.px(2 * kHintAside),
              tall = paragraph_height(frame, most, text) + frame.px(2 * kHintAbove),
              below = ImGui::GetItemRectMax().y + gap;
  ImGui::SetNextWindowPos({std::max(0.0f, std::min(from.x, window.x - wide - gap)),
                           below + tall > window.y ? std::max(0.0f, from.y - gap - tall) : below});
  tooltip_now(frame, {}, text);
}

void tooltip_card(const Frame& frame, std::string_view what, const std::function<void()>& draw) {
  if (frame.still || frame.selection.hush.on) return;
  if (frame.watched != nullptr) frame.watched->hint = what;
  const Theme& theme = frame.theme;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(kHintAside), frame.px(kHintAbove)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, frame.px(kRounding));
  ImGui::PushStyleColor(ImGuiCol_PopupBg, theme[Role::Raised]);
  ImGui::PushStyleColor(ImGuiCol_Border, theme[Role::LineStrong]);
  ImGui::BeginTooltip();
  if (ImGui::IsWindowAppearing()) frame.animate();  // it finds its size first, and is seen in the next frame
  draw();
  ImGui::EndTooltip();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

void tooltip_now(const Frame& frame, std::string_view title, std::string_view text) {
  const auto part = [&](std::string_view words, Face face, Role role) {
    if (words.empty()) return;
    const float most = frame.px(kHintWidth), wide = std::min(most, text_size(frame, words, face).x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({wide, draw_paragraph(frame, at, most, frame.theme[role], words, face)});
  };
  tooltip_card(frame, title.empty() ? text : title, [&] {
    part(title, Face::Bold, Role::Text);
    part(text, Face::Ui, title.empty() ? Role::Text : Role::Muted);
  });
}

float panel_header(const Frame& frame, std::string_view title) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float height = frame.px(frame.in_tab ? 3 * kGrid : frame.header);
  if (!frame.in_tab)
    draw_text_middle(frame, from.x + frame.px(kMargin), from.y + frame.px(2), height,
                     frame.theme[Role::Muted], title, Face::Bold, Size::Small,
                     ImGui::GetContentRegionAvail().x - frame.px(2 * kMargin));
  ImGui::SetCursorScreenPos({from.x, from.y + height});
  return height;
}

ImVec2 panel_header_right(const Frame& frame, float width, float height) {
  const ImVec2 from = ImGui::GetWindowPos();
  return {from.x + ImGui::GetWindowWidth() - frame.px(kMargin) - width,
          from.y + frame.px(2) + (frame.px(frame.header) - height) / 2};
}

float splitter(Frame& frame, const char* id, ImVec2 from, ImVec2 to, Axis axis) {
  ImGui::SetCursorScreenPos(from);
  const ImVec2 size{std::max(1.0f, to.x - from.x), std::max(1.0f, to.y - from.y)};
  ImGui::InvisibleButton(id, size);
  const bool active = ImGui::IsItemActive();
  if (frame.still || !(active || ImGui::IsItemHovered())) return 0;
  ImGui::SetMouseCursor(axis == Axis::Horizontal ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
  const float half = frame.px(18), thick = frame.px(1.5f);
  const ImU32 colour = frame.theme[active ? Role::Accent : Role::LineStrong];
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (axis == Axis::Horizontal)
    list->AddRectFilled({middle.x - thick, middle.y - half}, {middle.x + thick, middle.y + half}, colour,
                        thick);
  else
    list->AddRectFilled({middle.x - half, middle.y - thick}, {middle.x + half, middle.y + thick}, colour,
                        thick);
  if (!active) return 0;
  return axis == Axis::Horizontal ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
}

void empty_state(const Frame& frame, std::string_view title, std::string_view text) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float wrap = std::min(room.x - frame.px(2 * kMargin), frame.px(420));
  if (wrap < frame.px(60)) return;
  std::vector<markdown::Line> lines =
      markdown::wrap(text, wrap, [&](std::string_view part) { return text_size(frame, part).x; });
  const float line_height = frame.fonts.height(Face::Ui, Size::Body);
  const float title_height = title.empty() ? 0 : frame.fonts.height(Face::Bold, Size::Body) + frame.px(6);
  float height = title_height + line_height * static_cast<float>(lines.size());
  // Beside a question there is no room for all of it on a small screen; a part of a sentence helps nobody.
  if (height > room.y && !title.empty()) lines.clear(), height = title_height;
  float y = from.y + std::max(0.0f, (room.y - height) / 2);
  if (!title.empty()) {
    const float width = std::min(text_size(frame, title, Face::Bold).x, wrap);
    draw_text(frame, {from.x + (room.x - width) / 2, y}, frame.theme[Role::Text], title, Face::Bold,
              Size::Body, wrap);
    y += title_height;
  }
  for (const markdown::Line& line : lines) {
    draw_text(frame, {std::round(from.x + (room.x - line.width) / 2), std::round(y)},
              frame.theme[Role::Muted], text.substr(line.begin, line.end - line.begin));
    y += line_height;
  }
}

void push_scrollbar(const Frame& frame) {
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, frame.px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarRounding, frame.px(5));
  ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, 0);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, frame.theme[Role::LineStrong]);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrabHovered, frame.theme[Role::Muted]);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrabActive, frame.theme[Role::Muted]);
}

void pop_scrollbar() {
  ImGui::PopStyleColor(4);
  ImGui::PopStyleVar(2);
}

void scroll_by_keys(const Frame& frame) {
  KeyStops& stops = frame.selection.stops;
  if (frame.still || frame.selection.typing || !stops.arrows_are_free() || ImGui::GetScrollMaxY() <= 0)
    return;
  float to = ImGui::GetScrollY();
  for (const KeyPress& press : frame.input.keys) {
    if (press.ctrl || press.shift || press.alt) continue;
    if (press.key == Key::Up) to -= frame.px(kScrollByKey);
    if (press.key == Key::Down) to += frame.px(kScrollByKey);
    if (press.key == Key::Home) to = 0;
    if (press.key == Key::End) to = ImGui::GetScrollMaxY();
  }
  if (to == ImGui::GetScrollY()) return;
  ImGui::SetScrollY(std::clamp(to, 0.0f, ImGui::GetScrollMaxY()));
  stops.note_scroll();
  frame.animate();
}

bool begin_scroll(const Frame& frame, const char* id, ImVec2 size) {
  push_scrollbar(frame);
  const bool open = compat::begin_child(id, size, false, ImGuiWindowFlags_None);
  if (ImGui::GetScrollX() != 0) ImGui::SetScrollX(0);  // what is wider by the scrollbar is not shifted
  scroll_by_keys(frame);
  return open;
}

void end_scroll() {
  compat::end_child();
  pop_scrollbar();
}

}  // namespace gui
