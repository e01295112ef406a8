// SPDX-License-Identifier: MIT
// See help_card.hpp.
#include "help_card.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "imgui_compat.hpp"
#include "lab/api_help.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;
constexpr float kMostWide = 460;

const lab::Lesson* lesson_of(const Frame& frame, const lab::ApiHelp& help) {
  if (frame.lesson_words == nullptr) return nullptr;
  std::string_view slug = frame.lesson_words->find(help.name);
  if (slug.empty() && !help.of.empty()) slug = frame.lesson_words->find(help.of);
  const std::vector<lab::Lesson>& lessons = frame.bench.catalogue().lessons;
  const auto at = std::ranges::find(lessons, slug, &lab::Lesson::slug);
  return at == lessons.end() ? nullptr : &*at;
}

void paragraph(const Frame& frame, std::string_view text, Role role, Face face = Face::Ui,
               Size size = Size::Body) {
  if (text.empty()) return;
  const float most = frame.px(kMostWide), wide = std::min(most, text_size(frame, text, face, size).x);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({wide, draw_paragraph(frame, at, most, frame.theme[role], text, face, size)});
}

// Names on the left, what they mean beside them.
void draw_parameters(const Frame& frame, const std::vector<lab::ApiHelp::Parameter>& parameters) {
  float names = 0;
  for (const lab::ApiHelp::Parameter& parameter : parameters)
    names = std::max(names, text_size(frame, parameter.name, Face::Mono, Size::Small).x);
  const float left = names + frame.px(12), room = frame.px(kMostWide) - left;
  for (const lab::ApiHelp::Parameter& parameter : parameters) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(frame, at, frame.theme[Role::CodeText], parameter.name, Face::Mono, Size::Small);
    const float wide = std::min(room, text_size(frame, parameter.means, Face::Ui, Size::Small).x);
    const float tall = draw_paragraph(frame, {at.x + left, at.y}, room, frame.theme[Role::Muted],
                                      parameter.means, Face::Ui, Size::Small);
    ImGui::Dummy({left + wide, std::max(tall, frame.fonts.height(Face::Mono, Size::Small))});
  }
}

void and_more(const Frame& frame, std::size_t count) {
  if (count > 0)
    paragraph(frame, frame.text(Text::HelpCardMore, {std::to_string(count)}), Role::Muted, Face::Ui,
              Size::Small);
}

// As a program writes them: the type on the left.
void draw_fields(const Frame& frame, const std::vector<lab::ApiHelp::Field>& fields) {
  constexpr std::size_t kMost = 12;
  const std::size_t shown = std::min(fields.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i)
    paragraph(frame, fields[i].type + (fields[i].type.ends_with('*') ? "" : " ") + fields[i].name,
              Role::CodeText, Face::Mono, Size::Small);
  and_more(frame, fields.size() - shown);
}

// A few around the one that is meant, in the order of the header.
void draw_values(const Frame& frame, const lab::ApiHelp& help) {
  constexpr std::size_t kMost = 10;
  const std::size_t count = help.values.size(), shown = std::min(count, kMost);
  const auto own = std::ranges::find(help.values, help.name, &lab::ApiHelp::Value::name);
  const auto at = own == help.values.end() ? 0 : static_cast<std::size_t>(own - help.values.begin());
  const std::size_t first = std::min(at - std::min(at, kMost / 2), count - shown);
  for (std::size_t i = first; i < first + shown; ++i) {
    const lab::ApiHelp::Value& value = help.values[i];
    const Role role = value.name == help.name ? Role::Text : Role::Muted;
    paragraph(frame, std::string(value.name) + " = " + value.number, role, Face::Mono, Size::Small);
  }
  and_more(frame, count - shown);
}

void draw_content(const Frame& frame, const lab::ApiHelp& help, const lab::Lesson* lesson) {
  using Kind = lab::ApiHelp::Kind;
  paragraph(frame, help.declaration, Role::Text, Face::Mono);
  paragraph(frame, help.means, Role::Text);
  if (help.kind == Kind::Enumerator && !help.of.empty())
    paragraph(frame,
              std::string(help.of) + (frame.language == lab::Language::English ? ": " : "：") +
                  std::string(help.of_means),
              help.means.empty() ? Role::Text : Role::Muted);
  draw_parameters(frame, help.parameters);
  draw_fields(frame, help.fields);
  draw_values(frame, help);
  if (!help.errors.empty()) {
    const std::vector<std::string> names(help.errors.begin(), help.errors.end());
    paragraph(frame, frame.text(Text::HelpCardErrors, {lab::list_of(names)}), Role::Muted, Face::Ui,
              Size::Small);
  }
  if (lesson == nullptr) return;
  const bool open = frame.bench.lesson() != nullptr && frame.bench.lesson()->slug == lesson->slug;
  const std::string& title = lesson->title[static_cast<std::size_t>(frame.language)];
  paragraph(frame,
            open ? std::string(frame.text(Text::HelpCardThisLesson))
                 : frame.text(Text::HelpCardLesson, {std::to_string(lesson->number), title}),
            Role::Accent, Face::Ui, Size::Small);
}

}  // namespace

bool help_card(const Frame& frame, std::string_view word, ImVec2 corner) {
  if (frame.still || word.size() < 3) return false;
  const std::optional<lab::ApiHelp> help = lab::api_help(word, frame.language);
  if (!help) return false;
  const lab::Lesson* const lesson = lesson_of(frame, *help);
  if (lesson != nullptr && compat::ctrl_held() && ImGui::IsMouseClicked(0))
    frame.post(command::GoTo{.lesson = lesson->slug});
  if (rested(frame, corner))
    tooltip_card(frame, help->declaration, [&] { draw_content(frame, *help, lesson); });
  return true;
}

WordUnder word_under(const Frame& frame, std::string_view text, float x, Size size, Face face) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view word = lab::word_at(text, i);
    if (word.empty()) continue;
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    const float left = text_size(frame, text.substr(0, begin), face, size).x;
    if (x < left) return {};
    if (x < left + text_size(frame, word, face, size).x) return {word, left};
    i = begin + word.size();
  }
  return {};
}

bool help_card_in(const Frame& frame, std::string_view text, ImVec2 at, Size size, Face face) {
  const WordUnder under = word_under(frame, text, ImGui::GetIO().MousePos.x - at.x, size, face);
  return help_card(frame, under.word, {at.x + under.left, at.y});
}

}  // namespace gui
