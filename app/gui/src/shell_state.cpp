// SPDX-License-Identifier: MIT
// The line of state that tests of the window read (DRIVERLAB_UI_STATE). Part of Shell (shell.hpp).
//
// It contains only what is on the screen; tests/app/gui/window/README.md lists its values.
#include "shell.hpp"

namespace gui {
namespace {

const char* phase_key(lab::RunPhase phase) {
  switch (phase) {
    case lab::RunPhase::Idle:
      return "idle";
    case lab::RunPhase::Building:
      return "building";
    case lab::RunPhase::BuildFailed:
      return "build_failed";
    case lab::RunPhase::Running:
      return "running";
    case lab::RunPhase::Held:
      return "held";
    case lab::RunPhase::Ended:
      return "ended";
    case lab::RunPhase::Replaying:
      return "replaying";
  }
  return "";
}

}  // namespace

// What the editor and the notes show, for tests.
std::string Shell::watched_line() const {
  const Watched& it = probe_.watched;
  const auto words = [](const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "\"";
  };
  std::string line = ",\"file\":" + words(selection_.caret.file);
  for (const auto& [name, number] : {std::pair{"caret", selection_.caret.line},
                                     {"column", it.column},
                                     {"lines", it.lines},
                                     {"selected", it.selected},
                                     {"matches", it.matches},
                                     {"bracket", it.bracket},
                                     {"current", it.current},
                                     {"messages", it.messages},
                                     {"rings", it.rings},
                                     {"timeline", it.timeline},
                                     {"marks", it.marks},
                                     {"listed", it.listed},
                                     {"display", static_cast<int>(scale_.display * 100)}})
    line += ",\"" + std::string(name) + "\":" + std::to_string(number);
  for (const auto& [name, text] : {std::pair<const char*, const std::string&>{"text", it.line},
                                   {"kinds", it.kinds},
                                   {"badge", it.badge},
                                   {"message", it.message},
                                   {"notes_step", it.notes_step},
                                   {"hint", it.hint},
                                   {"stop", it.stop},
                                   {"focus", selection_.focus}})
    line += ",\"" + std::string(name) + "\":" + words(text);
  if (const auto end = bench_.end()) line += ",\"end\":" + words(end->in(lab::Language::English));
  for (const auto* problems : {&bench_.problems(), &messages_.own(), &notices_.said()})
    if (!problems->empty()) line += ",\"said\":" + words(problems->back().in(language_));
  return line + ",\"working\":" + (it.working ? "true" : "false");
}

std::string Shell::state_line() const {
  std::string line = "{\"phase\":\"" + std::string(phase_key(bench_.phase())) + "\"";
  line += ",\"cursor\":" + std::to_string(bench_.cursor());
  line += ",\"call\":" + std::to_string(bench_.call_at_cursor());
  line += ",\"calls\":" + std::to_string(bench_.store().calls());
  line += ",\"language\":\"" + std::string(lab::language_word(language_)) + "\"";
  line += ",\"theme\":\"" + std::string(theme_key(theme().name())) + "\"";
  line += ",\"scale\":" + std::to_string(settings_.scale);
  line += ",\"lesson\":\"" + run_.lesson() + "\"";
  line += ",\"popup\":" + std::to_string(static_cast<int>(popups_.shown()));
  line += ",\"maximized\":" + std::to_string(static_cast<int>(pages_.maximized()));
  line += ",\"notices\":" + std::to_string(notices_.said().size());
  line += ",\"exercise\":\"" + (bench_.in_exercise() ? bench_.exercise()->name : std::string()) + "\"";
  line += ",\"verdict\":\"" +
          std::string(bench_.verdict() == nullptr  ? ""
                      : bench_.verdict()->passed() ? "passed"
                                                   : "failed") +
          "\"";
  line += ",\"predict\":" + std::string(settings_.predict ? "true" : "false");
  line += ",\"asking\":" + std::string(panels_.predict_card().asking() ? "true" : "false");
  line += ",\"prediction\":\"" + std::string(panels_.predict_card().verdict()) + "\"";
  line += ",\"asked\":" + std::to_string(bench_.score().asked) +
          ",\"right\":" + std::to_string(bench_.score().right);
  const std::vector<lab::QuizQuestion>& quiz = bench_.quiz();
  std::size_t tried = 0;
  for (std::size_t question = 0; question < quiz.size(); ++question)
    for (std::size_t answer = 0; answer < quiz[question].answers.size(); ++answer)
      tried += bench_.quiz_tried(question, answer) ? 1 : 0;
  line += ",\"quiz\":" + std::to_string(quiz.size()) + ",\"quiz_tried\":" + std::to_string(tried) +
          ",\"quiz_asked\":" + std::to_string(selection_.quiz.asked ? *selection_.quiz.asked + 1 : 0) +
          ",\"quiz_answered\":" + std::to_string(bench_.quiz_score().answered) +
          ",\"quiz_right\":" + std::to_string(bench_.quiz_score().right);
  line += ",\"hints\":" + std::to_string(bench_.hints_shown());
  line += ",\"comparing\":" + std::string(selection_.compare ? "true" : "false");
  line += ",\"editor\":" + std::string(selection_.editor_focus.now ? "true" : "false");
  line += state_of_time();
  line += ",\"walk\":" + std::to_string(static_cast<int>(panels_.walk().stop()));
  line += ",\"tour\":" + std::to_string(tour_.card());
  line += ",\"hits\":" + std::to_string(probe_.watched.hits);
  line += ",\"step\":\"" + bench_.step_name().value_or("") + "\"";
  std::size_t stops = 0, edited = 0, bytes = 0;
  for (const std::string& file : bench_.files()) {
    stops += bench_.breakpoints(file).size();
    edited += bench_.edited(file) ? 1 : 0;
    bytes += bench_.file_text(file).size();
  }
  line += ",\"breakpoints\":" + std::to_string(stops) + ",\"edited\":" + std::to_string(edited) +
          ",\"bytes\":" + std::to_string(bytes);
  line += watched_line();
  line += ",\"problems\":" + std::to_string(bench_.problems().size() + messages_.own().size());
  line += ",\"places\":{";
  bool first = true;
  for (const auto& [name, place] : probe_.places) {
    line += (first ? "\"" : ",\"") + name + "\":[" + std::to_string(static_cast<int>(place.x)) + "," +
            std::to_string(static_cast<int>(place.y)) + "]";
    first = false;
  }
  return line + "}}";
}

}  // namespace gui
