// SPDX-License-Identifier: MIT
// driverlab handout: a lesson on two pages, to print from any browser.
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lab/files.hpp"
#include "lab/handout.hpp"
#include "shell.hpp"

namespace cli {
namespace {

using T = lab::Text;

struct Handout {
  std::string lesson, file;
  bool answers = false;
};

int write_handout(const Shell& shell, const Handout& asked) {
  const lab::Result<Lessons> lessons = open_lessons();
  if (!lessons) return shell.fail(lessons.error(), kNotHere);
  const lab::Result<lab::Lesson> lesson = find_lesson(*lessons, asked.lesson);
  if (!lesson) return shell.fail(lesson.error(), kUsage);
  if (std::filesystem::path(asked.file).extension() != ".html")
    return shell.fail({T::CliHandoutEnding, {asked.file}}, kUsage);
  const lab::Result<std::string> page = lab::handout(*lesson, shell.language, asked.answers);
  if (!page) return shell.fail(page.error(), kUsage);
  if (const auto written = lab::write_file(asked.file, *page); !written)
    return shell.fail(written.error(), kUsage);
  shell.say(T::CliHandoutWritten, {asked.file});
  return kDone;
}

}  // namespace

void add_handout(CLI::App& app, Shell& shell) {
  const auto [sub, asked] = subcommand<Handout>(app, shell, "handout", T::CliHandoutAbout, write_handout);
  sub->add_option("LESSON", asked->lesson, shell.text(T::CliLessonArgument))->required()->type_name("");
  sub->add_option("FILE", asked->file, shell.text(T::CliHandoutFile))->required()->type_name("");
  sub->add_flag("--answers", asked->answers, shell.text(T::CliHandoutAnswersOption));
}

}  // namespace cli
