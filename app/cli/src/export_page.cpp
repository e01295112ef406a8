// SPDX-License-Identifier: MIT
// See export_page.hpp. lab/page_export.hpp makes the contents of the page.
#include "export_page.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "lab/discretion.hpp"
#include "lab/files.hpp"
#include "open_recording.hpp"
#include "runner.hpp"

namespace cli {
namespace {

using T = lab::Text;

struct Told {
  std::unique_ptr<lab::Session> session;  // of a run
  std::unique_ptr<trace::Store> store;    // of a recording
  trace::RunInfo info;
  int status = kDone;  // kNo: of a recording that is not whole
  const trace::Store& events() const { return session ? session->store() : *store; }
};

// Nothing where it could not be read or run; that has been said then.
std::optional<Told> tell_recording(const Shell& shell, const lab::ExportRequest& request, int& status) {
  Told told;
  told.store = std::make_unique<trace::Store>();
  told.status = status = open_recording(shell, request.shot.recording, *told.store, told.info);
  if (status == kUsage) return std::nullopt;
  return told;
}

std::optional<Told> tell_lesson(const Shell& shell, const lab::ExportRequest& request, int& status) {
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
  copy.status = told.status;
  lab::leave_out_private(copy.info);
  copy.store = std::make_unique<trace::Store>();
  lab::copy_discreetly(told.events(), 0, told.events().size(), *copy.store);
  return copy;
}

std::optional<Told> tell(const Shell& shell, const lab::ExportRequest& request, int& status) {
  std::optional<Told> told = request.shot.lesson.empty() ? tell_recording(shell, request, status)
                                                         : tell_lesson(shell, request, status);
  return told && !request.keep_paths ? discreet(*told) : std::move(told);
}

std::optional<lab::Problem> write(const Told& told, const std::filesystem::path& path) {
  std::string error;
  const auto writer = trace::RecordingWriter::create(path, told.info, &error);
  if (!writer) return lab::Problem{T::CliCannotWrite, {path.string(), error}};
  if (writer->write(told.events(), 0, told.events().size()) && writer->finish()) return std::nullopt;
  return lab::Problem{T::CliCannotWrite, {path.string(), std::strerror(writer->error())}};
}

}  // namespace

void say_what_it_holds(const Shell& shell, const std::filesystem::path& file, bool keep_paths,
                       std::FILE* where) {
  cli::print(where, "{}\n",
             printable(shell.text(keep_paths ? T::CliExportHoldsAll : T::CliExportHolds,
                                  {file.filename().string()})));
}

void say_what_a_recording_holds(const Shell& shell, const std::filesystem::path& file, std::FILE* where) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return;
  cli::print(where, "{}\n", printable(shell.text(T::CliRecordHolds, {file.string()})));
}

int export_recording(const Shell& shell, const lab::ExportRequest& request) {
  int status = kNo;
  const std::optional<Told> told = tell(shell, request, status);
  if (!told) return status;
  if (const auto problem = write(*told, request.shot.output)) return shell.fail(*problem, kUsage);
  shell.say(T::ShareWritten, {request.shot.output.string()});
  say_what_it_holds(shell, request.shot.output, request.keep_paths);
  return told->status;
}

int export_picture(const Shell& shell, lab::ExportRequest request) {
  if (!shell.front_end->draw_export) return shell.fail({T::CliNoWindow, {}}, kNotHere);
  if (request.keep_paths && !request.shot.recording.empty()) {  // as it is
    const int drawn = shell.front_end->draw_export(request);
    if (drawn == kDone || drawn == kNo) say_what_it_holds(shell, request.shot.output, request.keep_paths);
    return drawn;
  }
  int status = kNo;
  const std::optional<Told> told = tell(shell, request, status);
  if (!told) return status;
  // The picture is drawn of what may be shown, so that nothing else can get into it.
  std::string folder = (std::filesystem::temp_directory_path() / "driverlab-export-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    return shell.fail({T::CliCannotWrite, {folder, std::strerror(errno)}}, kUsage);
  // Its name stands in the picture.
  const std::filesystem::path name = std::filesystem::path(request.shot.recording).filename();
  request.shot.lesson.clear();
  request.shot.recording = std::filesystem::path(folder) / (name.empty() ? "run.dlrec" : name);
  const auto problem = write(*told, request.shot.recording);
  const int drawn = problem ? shell.fail(*problem, kUsage) : shell.front_end->draw_export(request);
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (drawn != kDone) return drawn;
  say_what_it_holds(shell, request.shot.output, request.keep_paths);
  return told->status;
}

void name_page(lab::PageOptions& page, const trace::RunInfo& info) {
  const auto installation = lab::find_installation();
  if (info.lesson.empty() || !installation) return;
  const auto lesson = lab::read_catalogue(installation->lessons).find(info.lesson);
  if (!lesson) return;
  for (const std::size_t language : {0, 1}) page.title[language] = lesson->title[language];
}

int export_page(const Shell& shell, const lab::ExportRequest& request) {
  int status = kNo;
  const std::optional<Told> told = tell(shell, request, status);
  if (!told) return status;
  lab::PageOptions page;
  name_page(page, told->info);
  page.language = shell.language;
  const lab::ThemeChoice theme = request.shot.theme;
  page.theme = lab::theme_key(theme == lab::ThemeChoice::Projector ? lab::ThemeChoice::Light : theme);
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
  say_what_it_holds(shell, request.shot.output, request.keep_paths);
  return told->status;
}

}  // namespace cli
