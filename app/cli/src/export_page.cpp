// SPDX-License-Identifier: MIT
// See export_page.hpp. What the page holds is lab/page_export's business.
#include "export_page.hpp"

#include <cstring>

#include <fmt/format.h>

#include "lab/discretion.hpp"
#include "lab/recording.hpp"
#include "lab/workspace.hpp"
#include "runner.hpp"

namespace cli {
namespace {

using T = lab::Text;

struct Told {
  std::unique_ptr<lab::Session> session;  // of a run
  std::unique_ptr<trace::Store> store;    // of a recording
  trace::RunInfo info;
  const trace::Store& events() const { return session ? session->store() : *store; }
};

// Nothing where it could not be read or run; that has been said then.
std::optional<Told> tell_recording(const Shell& shell, const ExportRequest& request, int& status) {
  Told told;
  told.store = std::make_unique<trace::Store>();
  const trace::RecordingResult read = trace::read_recording(request.shot.recording, *told.store, told.info);
  if (const auto problem = lab::problem_of(read, request.shot.recording.string(), told.store->size())) {
    status = shell.fail(*problem, kUsage);
    if (told.store->size() == 0) return std::nullopt;
  }
  return told;
}

std::optional<Told> tell_lesson(const Shell& shell, const ExportRequest& request, int& status) {
  RunLessonOptions options;
  options.lesson = request.shot.lesson;
  options.sinks.walk = false;
  auto run = run_lesson(shell, options);
  if (!run) {
    status = run.error();
    return std::nullopt;
  }
  Told told;
  told.session = std::move(run->session);
  told.info = told.session->request().info;
  return told;
}

// What is shared has no more in it than it has to.
Told discreet(const Told& told) {
  Told copy;
  copy.info = told.info;
  lab::leave_out_private(copy.info);
  copy.store = std::make_unique<trace::Store>();
  lab::copy_discreetly(told.events(), 0, told.events().size(), *copy.store);
  return copy;
}

std::optional<Told> tell(const Shell& shell, const ExportRequest& request, int& status) {
  std::optional<Told> told = request.shot.lesson.empty() ? tell_recording(shell, request, status)
                                                         : tell_lesson(shell, request, status);
  return told && !request.keep_paths ? discreet(*told) : std::move(told);
}

}  // namespace

void say_what_it_holds(const Shell& shell, bool keep_paths) {
  shell.say(keep_paths ? T::CliExportHoldsAll : T::CliExportHolds);
}

int export_recording(const Shell& shell, const ExportRequest& request) {
  int status = kNo;
  const std::optional<Told> told = tell(shell, request, status);
  if (!told) return status;
  std::string error;
  const auto writer = trace::RecordingWriter::create(request.shot.output, told->info, &error);
  if (!writer) return shell.fail({T::CliCannotWrite, {request.shot.output.string(), error}}, kUsage);
  if (!writer->write(told->events(), 0, told->events().size()) || !writer->finish())
    return shell.fail({T::CliCannotWrite, {request.shot.output.string(), std::strerror(writer->error())}},
                      kUsage);
  shell.say(T::ShareWritten, {request.shot.output.string()});
  say_what_it_holds(shell, request.keep_paths);
  return kDone;
}

void name_page(lab::PageOptions& page, const trace::RunInfo& info) {
  const auto installation = lab::find_installation();
  if (info.lesson.empty() || !installation) return;
  const auto lesson = lab::read_catalogue(installation->lessons).find(info.lesson);
  if (!lesson) return;
  for (const std::size_t language : {0, 1}) page.title[language] = lesson->title[language];
}

int export_page(const Shell& shell, const ExportRequest& request) {
  int status = kNo;
  const std::optional<Told> told = tell(shell, request, status);
  if (!told) return status;
  lab::PageOptions page;
  name_page(page, told->info);
  page.language = shell.language;
  page.theme = request.shot.theme == "projector" ? "light" : request.shot.theme;
  page.from = request.from;
  page.to = request.to;
  const trace::Store& store = told->events();
  const lab::PageRange range = lab::page_range(page, store);
  const std::size_t to = request.to == 0 ? store.calls() : request.to;
  if (store.calls() == 0) return shell.fail({T::ExportNoCalls, {}}, kUsage);
  if (range.to < to || range.to == 0)
    return shell.fail({T::PageRange,
                       {std::to_string(request.from), std::to_string(to), std::to_string(store.calls()),
                        std::to_string(lab::kMostCallsOfAPage)}},
                      kUsage);
  lab::Model model(store);
  model.follow();
  const auto written = lab::write_file(request.shot.output, lab::html_page(model, store, told->info, page));
  if (!written) return shell.fail(written.error(), kUsage);
  shell.say(T::PageWritten,
            {request.shot.output.string(), std::to_string(range.from), std::to_string(range.to)});
  say_what_it_holds(shell, request.keep_paths);
  return kDone;
}

}  // namespace cli
