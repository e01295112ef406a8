// SPDX-License-Identifier: MIT
// The icons of buttons, drawn as strokes and fills in a square of `size`. No icon font is used, so none can
// be missing on a machine.
#include <cmath>

#include "widgets.hpp"

namespace gui {
namespace {

struct Pen {
  ImDrawList* list;
  ImVec2 centre;
  float unit;  // a sixteenth of the icon
  ImU32 colour;

  ImVec2 at(float x, float y) const { return {centre.x + (x - 8) * unit, centre.y + (y - 8) * unit}; }
  float stroke() const { return 1.6f * unit; }
  void line(float x0, float y0, float x1, float y1) const {
    list->AddLine(at(x0, y0), at(x1, y1), colour, stroke());
  }
  void triangle(float x0, float y0, float x1, float y1, float x2, float y2) const {
    list->AddTriangleFilled(at(x0, y0), at(x1, y1), at(x2, y2), colour);
  }
  void bar(float x0, float y0, float x1, float y1, float rounding = 1) const {
    list->AddRectFilled(at(x0, y0), at(x1, y1), colour, rounding * unit);
  }
  void box(float x0, float y0, float x1, float y1, float rounding = 1.5f) const {
    list->AddRect(at(x0, y0), at(x1, y1), colour, rounding * unit, 0, stroke());
  }
  void circle(float radius) const { list->AddCircle(centre, radius * unit, colour, 0, stroke()); }
  void path(std::initializer_list<ImVec2> points) const {
    for (const ImVec2& p : points) list->PathLineTo(at(p.x, p.y));
    list->PathStroke(colour, 0, stroke());
  }
};

void draw_transport(const Pen& pen, Icon icon) {
  switch (icon) {
    case Icon::Play:
      pen.triangle(4.5f, 2.5f, 13.5f, 8, 4.5f, 13.5f);
      break;
    case Icon::Step:
      pen.triangle(3.5f, 3, 11, 8, 3.5f, 13);
      pen.bar(11.2f, 3, 13.2f, 13);
      break;
    case Icon::Back:
      pen.triangle(12.5f, 3, 12.5f, 13, 5, 8);
      pen.bar(2.8f, 3, 4.8f, 13);
      break;
    case Icon::Forward:
      pen.triangle(2, 3.5f, 8.5f, 8, 2, 12.5f);
      pen.triangle(8, 3.5f, 14.5f, 8, 8, 12.5f);
      break;
    case Icon::Stop:
      pen.bar(3.5f, 3.5f, 12.5f, 12.5f, 1.5f);
      break;
    case Icon::Restart: {
      constexpr float kFrom = -0.85f, kTo = 4.3f;
      pen.list->PathArcTo(pen.centre, 5 * pen.unit, kFrom, kTo, 24);
      pen.list->PathStroke(pen.colour, 0, pen.stroke());
      pen.triangle(9.2f, 1.2f, 14, 3.6f, 9.6f, 7.2f);
      break;
    }
    default:
      break;
  }
}

void draw_sun(const Pen& pen) {
  pen.circle(2.8f);
  for (int i = 0; i < 8; ++i) {
    const float angle = static_cast<float>(i) * 0.785398f, x = std::cos(angle), y = std::sin(angle);
    pen.line(8 + 4.8f * x, 8 + 4.8f * y, 8 + 6.6f * x, 8 + 6.6f * y);
  }
}

void draw_sign(const Pen& pen, Icon icon) {
  switch (icon) {
    case Icon::Chevron:
      pen.path({{4.5f, 6.2f}, {8, 9.8f}, {11.5f, 6.2f}});
      break;
    case Icon::Sun:
      draw_sun(pen);
      break;
    case Icon::Moon:
      pen.list->PathArcTo(pen.centre, 5.4f * pen.unit, 0.1f, 4.5f, 24);
      pen.list->PathBezierCubicCurveTo(pen.at(4.8f, 6), pen.at(9, 11.4f), pen.at(13.4f, 8.5f), 16);
      pen.list->PathStroke(pen.colour, 0, pen.stroke());
      break;
    case Icon::Screen:
      pen.box(1.8f, 2.8f, 14.2f, 10.6f);
      pen.line(8, 10.8f, 8, 13.4f);
      pen.line(5, 13.6f, 11, 13.6f);
      break;
    case Icon::Dot:
      pen.list->AddCircleFilled(pen.centre, 3.5f * pen.unit, pen.colour);
      break;
    case Icon::Check:
      pen.path({{3, 8.4f}, {6.5f, 11.8f}, {13, 4.4f}});
      break;
    case Icon::Cross:
      pen.line(4, 4, 12, 12);
      pen.line(12, 4, 4, 12);
      break;
    case Icon::Copy:
      pen.box(2.5f, 5, 10.5f, 13.8f);
      pen.path({{5.6f, 4.6f}, {5.6f, 2.4f}, {13.4f, 2.4f}, {13.4f, 11}, {11, 11}});
      break;
    case Icon::Search:
      pen.list->AddCircle(pen.at(7, 7), 4.2f * pen.unit, pen.colour, 0, pen.stroke());
      pen.line(10, 10, 13.8f, 13.8f);
      break;
    case Icon::Warning:
      pen.list->PathLineTo(pen.at(8, 2.2f));
      pen.list->PathLineTo(pen.at(14.4f, 13.4f));
      pen.list->PathLineTo(pen.at(1.6f, 13.4f));
      pen.list->PathStroke(pen.colour, ImDrawFlags_Closed, pen.stroke());
      pen.line(8, 6.2f, 8, 9.6f);
      pen.list->AddCircleFilled(pen.at(8, 11.5f), 0.9f * pen.unit, pen.colour);
      break;
    case Icon::Keyboard:
      pen.box(1.2f, 4, 14.8f, 12.4f);
      for (const float x : {4.0f, 6.7f, 9.4f, 12.0f}) pen.bar(x - 0.7f, 6.1f, x + 0.7f, 7.5f, 0.3f);
      pen.bar(4.4f, 9.3f, 11.6f, 10.6f, 0.3f);
      break;
    case Icon::Menu:
      for (const float y : {4.0f, 8.0f, 12.0f}) pen.line(2.6f, y, 13.4f, y);
      break;
    case Icon::Pin:
      pen.circle(4.5f);
      break;
    case Icon::Folder:
      pen.path({{2, 12.8f}, {2, 3.4f}, {6.2f, 3.4f}, {7.8f, 5.4f}, {14, 5.4f}, {14, 12.8f}, {1.6f, 12.8f}});
      break;
    case Icon::Lanes:
      pen.bar(2, 3, 8, 5.4f);
      pen.bar(5, 6.8f, 12, 9.2f);
      pen.bar(9, 10.6f, 14, 13);
      break;
    default:
      break;
  }
}

}  // namespace

void draw_icon(const Frame&, Icon icon, ImVec2 centre, float size, ImU32 colour) {
  const Pen pen{ImGui::GetWindowDrawList(), centre, size / 16, colour};
  draw_transport(pen, icon);
  draw_sign(pen, icon);
}

}  // namespace gui
