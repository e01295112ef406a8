// SPDX-License-Identifier: MIT
// driverlab teach: the plan for a teacher as Markdown, which reads well in a terminal, too.
// docs/generated/teaching.md and docs/generated/teaching.zh.md are its output; a test holds them to it.
#include <cctype>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lab/teaching.hpp"
#include "shell.hpp"

namespace cli {
namespace {

using T = lab::Text;

// Plain text as Markdown: characters that would change its look are escaped. An underline inside a word would
// not.
std::string markdown(std::string_view text) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const bool underline = letter == '_' && !(i > 0 && in_word(i - 1) && in_word(i + 1));
    if (underline || std::string_view("*<|`\\[").find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

class Plan {
 public:
  Plan(const Shell& shell, const Lessons& lessons) : shell_(shell), lessons_(lessons) {}

  lab::Result<std::string> session(std::size_t number, const lab::TeachingSession& session) {
    std::string out = "## " + shell_.text(T::TeachSession, {std::to_string(number), text(session.title)}) +
                      "\n\n" + shell_.text(T::TeachGoal, {text(session.goal)}) + "\n\n";
    out += fmt::format("| {} | {} | {} |\n| --- | --- | --- |\n", shell_.text(T::TeachMinutes),
                       shell_.text(T::TeachWhere), shell_.text(T::TeachWhat));
    for (const lab::SessionPart& part : session.parts)
      out += fmt::format("| {} | {} | {} |\n", part.minutes,
                         markdown(lab::place_words(part, shell_.language)), text(part.what));
    for (const int lesson : session.lessons) {
      const auto words = lesson_words(lesson);
      if (!words) return words;
      out += *words;
    }
    return out;
  }

 private:
  std::string text(const std::string (&both)[2]) const {
    return markdown(both[static_cast<std::size_t>(shell_.language)]);
  }
  static std::string code(const std::string& words) { return "`" + words + "`"; }

  lab::Result<std::string> lesson_words(int number) {
    const lab::Result<lab::Lesson> lesson = lessons_.catalogue.find(std::to_string(number));
    if (!lesson) return tl::unexpected<lab::Problem>(lesson.error());
    const lab::Result<lab::TeachingNotes> notes = lab::read_teaching(*lesson);
    if (!notes) return tl::unexpected<lab::Problem>(notes.error());
    std::string out =
        "\n### " + shell_.text(T::TeachLesson, {lab::lesson_number(number), text(lesson->title)}) + "\n\n";
    for (const lab::TeachingShow& show : notes->shows)
      out +=
          fmt::format("- **{}** {}\n", shell_.text(T::TeachShow, {text(show.step.heading)}), text(show.text));
    for (const lab::TeachingAsk& ask : notes->asks) {
      out += fmt::format("- **{}** {}\n", shell_.text(T::TeachAsk, {text(ask.step.heading)}),
                         text(ask.question));
      out += fmt::format("  - {} {}\n", shell_.text(T::TeachExpected), text(ask.expected));
      for (const lab::TeachingWrong& wrong : ask.wrong)
        out += fmt::format("  - {} {}\n    {} {}\n", shell_.text(T::TeachHeard), text(wrong.heard),
                           shell_.text(T::TeachReply), text(wrong.reply));
    }
    if (!notes->print.empty()) {
      std::vector<std::string> files;
      for (const std::string& file : notes->print)
        files.push_back(code(lab::print_file(*lesson, file, shell_.language)));
      out += fmt::format("- **{}** {}\n", shell_.text(T::TeachPrint), fmt::join(files, ", "));
    }
    return out;
  }

  const Shell& shell_;
  const Lessons& lessons_;
};

int teach(const Shell& shell, const std::string& wanted) {
  const lab::Result<Lessons> lessons = open_lessons();
  if (!lessons) return shell.fail(lessons.error(), kNotHere);
  const auto sessions = lab::read_sessions(lessons->catalogue);
  if (!sessions) return shell.fail(sessions.error(), kUsage);
  if (sessions->empty())
    return shell.fail({T::CliTeachNoPlan, {lessons->installation.lessons.string()}}, kNotHere);
  std::size_t first = 1, last = sessions->size();
  if (!wanted.empty()) {
    const lab::Result<int> number = parse_number("SESSION", wanted, 1, static_cast<int>(last));
    if (!number) return shell.fail({T::CliTeachNoSession, {wanted, std::to_string(last)}}, kUsage);
    first = last = static_cast<std::size_t>(*number);
  }
  std::string out;
  if (wanted.empty())
    out = "# " + shell.text(T::TeachTitle) + "\n\n" +
          shell.text(T::TeachIntro,
                     {std::to_string(sessions->size()), std::to_string(lab::minutes_of(sessions->front()))}) +
          "\n\n";
  Plan plan(shell, *lessons);
  for (std::size_t number = first; number <= last; ++number) {
    const lab::Result<std::string> words = plan.session(number, (*sessions)[number - 1]);
    if (!words) return shell.fail(words.error(), kUsage);
    out += (number == first ? "" : "\n") + *words;
  }
  cli::print("{}", out);
  return kDone;
}

}  // namespace

void add_teach(CLI::App& app, Shell& shell) {
  const auto [sub, session] = subcommand<std::string>(app, shell, "teach", T::CliTeachAbout, teach);
  sub->add_option("SESSION", *session, shell.text(T::CliTeachSessionOption))->type_name("");
}

}  // namespace cli
