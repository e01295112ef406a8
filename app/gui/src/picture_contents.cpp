// SPDX-License-Identifier: MIT
// See picture_contents.hpp. Only visible rows are drawn.
#include "picture_contents.hpp"

#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "widgets.hpp"

namespace gui::picture {
namespace {

using Known = lab::Contents::Known;
using lab::Text;

constexpr std::size_t kBytesOfRow = 16, kWord = 4, kMostPoints = 4096, kMostPixels = 4096;
constexpr float kByteRow = 20, kMemoryPad = 14;

Known certainty(const lab::Contents& contents, std::size_t at, std::size_t bytes) {
  Known least = Known::Yes;
  for (std::size_t i = at; i < at + bytes; ++i) {
    if (i >= contents.known.size() || contents.known[i] == Known::No) return Known::No;
    if (contents.known[i] == Known::Perhaps) least = Known::Perhaps;
  }
  return least;
}

template <class Value>
Value value_at(const lab::Contents& contents, std::size_t at) {
  Value value{};
  std::memcpy(&value, contents.bytes.data() + at, sizeof value);
  return value;
}

std::string byte_words(const lab::Contents& contents, std::size_t at) {
  if (certainty(contents, at, 1) == Known::No) return "··";
  char text[4];
  std::snprintf(text, sizeof text, "%02x", static_cast<unsigned>(contents.bytes[at]));
  return text;
}

// Rows of sixteen bytes, or of four words.
void draw_rows(const Frame& frame, const lab::Contents& contents, Reading reading) {
  const float tall = frame.px(kByteRow);
  const std::size_t rows = (contents.bytes.size() + kBytesOfRow - 1) / kBytesOfRow;
  const float letter = text_size(frame, "0", Face::Mono, Size::Small).x;
  const float column = letter * (reading == Reading::Hex ? 3 : 13);
  const std::size_t step = reading == Reading::Hex ? 1 : kWord;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows), tall);
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const ImVec2 corner = ImGui::GetCursorScreenPos();
      const std::size_t from = static_cast<std::size_t>(row) * kBytesOfRow;
      char offset[24];
      std::snprintf(offset, sizeof offset, "%06zx", from);
      float x = corner.x + frame.px(kMemoryPad);
      draw_text_middle(frame, x, corner.y, tall, frame.theme[Role::Muted], offset, Face::Mono, Size::Small);
      x += letter * 8;
      for (std::size_t at = from; at < std::min(from + kBytesOfRow, contents.bytes.size()); at += step) {
        const Known known = certainty(contents, at, step);
        const std::string words =
            reading == Reading::Hex ? byte_words(contents, at) : value_words(contents, at, reading);
        draw_text_middle(frame, x, corner.y, tall,
                         frame.theme[known == Known::Yes ? Role::Text : Role::Muted], words, Face::Mono,
                         Size::Small);
        x += column;
      }
      ImGui::Dummy({1, tall});
    }
  }
}

void draw_plot(const Frame& frame, const lab::Contents& contents) {
  std::vector<std::pair<std::size_t, float>> points;
  const std::size_t count = std::min(contents.bytes.size() / kWord, kMostPoints);
  float low = 0, high = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (certainty(contents, i * kWord, kWord) == Known::No) continue;
    const float value = value_at<float>(contents, i * kWord);
    if (!std::isfinite(value)) continue;
    low = points.empty() ? value : std::min(low, value),
    high = points.empty() ? value : std::max(high, value);
    points.emplace_back(i, value);
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float left = corner.x + frame.px(kMemoryPad + 60), right = corner.x + room.x - frame.px(kMemoryPad);
  const float top = corner.y + frame.px(8), bottom = corner.y + std::max(frame.px(40), room.y - frame.px(10));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({left, top}, {right, bottom}, frame.theme[Role::Sunken], frame.px(3));
  char words[32];
  for (const auto& [value, y] : {std::pair{high, top}, std::pair{low, bottom - frame.px(14)}}) {
    std::snprintf(words, sizeof words, "%.4g", static_cast<double>(value));
    draw_text(frame, {corner.x + frame.px(kMemoryPad), y}, frame.theme[Role::Muted], words, Face::Mono,
              Size::Small);
  }
  const float span = high > low ? high - low : 1;
  const auto place = [&](const std::pair<std::size_t, float>& point) {
    const float across = count > 1 ? static_cast<float>(point.first) / static_cast<float>(count - 1) : 0.5f;
    return ImVec2{left + (right - left) * across,
                  bottom - frame.px(3) - (bottom - top - frame.px(6)) * ((point.second - low) / span)};
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImVec2 at = place(points[i]);
    const bool joined = i > 0 && points[i - 1].first + 1 == points[i].first;
    if (joined) list.AddLine(place(points[i - 1]), at, frame.theme[Role::Accent], frame.px(1.5f));
    if (points.size() < 100) list.AddCircleFilled(at, frame.px(2), frame.theme[Role::Accent], 8);
  }
}

void draw_image(const Frame& frame, const lab::Contents& contents) {
  const std::size_t count = std::min(contents.bytes.size(), kMostPixels), across = image_width(count);
  const std::size_t down = (count + across - 1) / across;
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float size = std::max(
      1.0f,
      std::floor(std::min((room.x - frame.px(2 * kMemoryPad)) / static_cast<float>(across),
                          (room.y - frame.px(12)) / static_cast<float>(std::max<std::size_t>(down, 1)))));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < count; ++i) {
    if (certainty(contents, i, 1) == Known::No) continue;
    const std::uint8_t grey = contents.bytes[i];
    const std::size_t column = i % across, row = i / across;
    const ImVec2 at{corner.x + frame.px(kMemoryPad) + static_cast<float>(column) * size,
                    corner.y + frame.px(6) + static_cast<float>(row) * size};
    list.AddRectFilled(at, {at.x + size, at.y + size}, IM_COL32(grey, grey, grey, 255));
  }
  list.AddRect({corner.x + frame.px(kMemoryPad) - 1, corner.y + frame.px(6) - 1},
               {corner.x + frame.px(kMemoryPad) + static_cast<float>(across) * size + 1,
                corner.y + frame.px(6) + static_cast<float>(down) * size + 1},
               frame.theme[Role::Line]);
}

}  // namespace

std::string value_words(const lab::Contents& contents, std::size_t at, Reading reading) {
  const Known known = certainty(contents, at, kWord);
  if (known == Known::No) return "·";
  char text[32];
  if (reading == Reading::Floats)
    std::snprintf(text, sizeof text, "%.6g", static_cast<double>(value_at<float>(contents, at)));
  else
    std::snprintf(text, sizeof text, "%d", value_at<std::int32_t>(contents, at));
  return (known == Known::Perhaps ? "~" : "") + std::string(text);
}

std::size_t image_width(std::size_t bytes) {
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(bytes)));
  return std::bit_ceil(std::max<std::size_t>(root, 1));
}

void ContentsPage::draw(Frame& frame, const lab::Contents& contents) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const std::size_t known = contents.known_bytes();
  const std::string_view names[kReadings] = {
      frame.text(Text::ContentsAsHex), frame.text(Text::ContentsAsInts), frame.text(Text::ContentsAsFloats),
      frame.text(Text::ContentsAsPlot), frame.text(Text::ContentsAsImage)};
  const std::string words =
      known == 0 ? std::string(frame.text(Text::ContentsNone))
                 : frame.text(Text::ContentsSome, {std::to_string(known), std::to_string(contents.size)});
  const float wide = ImGui::GetContentRegionAvail().x, pad = frame.px(kMemoryPad);
  draw_text_middle(frame, corner.x + pad, corner.y, frame.px(kByteRow), frame.theme[Role::Muted], words,
                   Face::Ui, Size::Small, wide - 2 * pad);
  if (known == 0) return;
  float x = corner.x + pad - frame.px(6);
  for (int i = 0; i < kReadings; ++i) {
    ButtonOptions options;
    options.style = ButtonStyle::Ghost, options.size = Size::Small,
    options.on = i == static_cast<int>(reading_);
    const ImVec2 size = button_size(frame, names[i], options);
    const ImVec2 at{x, corner.y + frame.px(kByteRow + 2)};
    ImGui::SetCursorScreenPos(at);
    const std::string id = "reading " + std::to_string(i);
    if (button(frame, id.c_str(), names[i], options)) reading_ = static_cast<Reading>(i);
    if (frame.places != nullptr) (*frame.places)[id] = {at.x + size.x / 2, at.y + size.y / 2};
    x += size.x + frame.px(2);
  }
  ImGui::SetCursorScreenPos({corner.x, corner.y + frame.px(kByteRow + 32)});
  begin_scroll(frame, "bytes", ImGui::GetContentRegionAvail());
  switch (reading_) {
    case Reading::Hex:
    case Reading::Ints:
    case Reading::Floats:
      draw_rows(frame, contents, reading_);
      break;
    case Reading::Plot:
      draw_plot(frame, contents);
      break;
    case Reading::Image:
      draw_image(frame, contents);
      break;
  }
  end_scroll();
}

}  // namespace gui::picture
