// SPDX-License-Identifier: MIT
// The workbench: lessons, the driver, and taking over the results of other threads. Files are in
// workbench_files.cpp, the time of a run in workbench_time.cpp.
#include "lab/workbench.hpp"
#include "lab/files.hpp"
#include "lab/recording.hpp"

#include <utility>

#include "workbench/workbench_impl.hpp"

namespace lab {

Workbench::Impl::Impl(Installation parts, DataHome data)
    : installation(std::move(parts)),
      home(std::move(data)),
      catalogue(read_catalogue(installation.lessons)),
      progress_file(home.path, problems, wake),
      last_run(home.path) {
  if (home.problem) report(*home.problem);
  for (const Problem& problem : catalogue.problems) report(problem);
}

Workbench::Impl::~Impl() {
  (void)lesson.files().save();  // the user was asked before if something may be lost
  stop_and_keep_last_run();
  progress_file.finish();
  {
    const std::lock_guard lock(wake->mutex);
    wake->call = nullptr;
  }
}

void Workbench::Impl::open(const Lesson& opened) {
  study.drop_verdict();
  checking = false;
  lesson.open(opened);  // the calling commands have made sure that nothing is lost
}

void Workbench::Impl::start_build(bool hold) {
  if (program) return start_program(hold);
  if (!lesson.files().is_open()) return report({Text::NoLessonOpen, {}});
  if (!lesson.files().save(Text::RunNotSaved)) {  // the disk does not have the text of the editor
    checking = false;
    return;
  }
  if (const auto& session = shown.session(); session && session->running()) session->stop();
  study.drop_verdict();
  end_taken = true;  // of the run before
  Builds::Order order;
  order.lesson = *lesson.get();
  order.driver = checking ? DriverChoice::Embedded : drivers.choice();
  order.launcher = checking ? std::string() : drivers.launcher();
  order.hold = order.request.hold = hold;
  order.request.working_folder = order.request.source_folder = lesson.files().folder();
  order.request.limits = lesson.get()->limits;
  order.request.language = lesson.files().language();
  order.request.info.lesson = lesson.get()->slug;
  order.request.info.sources = lesson.files().texts();
  builds.start(std::move(order), installation);
}

bool Workbench::Impl::take_build() {
  auto finished = builds.take();
  if (!finished) return false;
  if (!finished->ok) checking = false;
  if (const auto here = shown.cursor().spot(); here || shown.session()) spot = here;
  if (finished->failed) {  // a run of another text would look like a run of this one
    keep_run();
    forget_last_run();
    shown.drop_session();
  }
  if (!finished->ok) return true;
  RunRequest& request = finished->request;
  if (request.remote) drivers.note_remote(request.driver.description);
  const bool stops = !checking && !lesson.breakpoints().all().empty();
  request.hold = finished->hold || stops;
  auto started = Session::start(request, installation);
  if (!started) {
    checking = false;
    report(started.error());
    return true;
  }
  keep_run();
  shown.show_session(std::move(*started), request.info);
  if (const auto place = std::exchange(spot, std::nullopt); place && !request.hold && !checking)
    shown.cursor().return_to(*place);
  end_taken = false;
  if (stops) {
    tell_breakpoints();
    if (!finished->hold) shown.session()->run_on();
  }
  shown.session()->set_on_change([wake = wake] { (*wake)(); });
  return true;
}

bool Workbench::Impl::take_recording() {
  ReplayJob* const recording = shown.recording();
  if (recording == nullptr || recording->taken || !recording->done) return false;
  const auto problem = recording->take();
  if (recording->watch.cancel)
    report({Text::LoadingStopped, {recording->path.filename().string()}});
  else if (problem)
    report(*problem);
  shown.take_sources_of_recording();
  if (!recording->info.lesson.empty())
    if (const auto found = catalogue.find(recording->info.lesson)) {
      open(*found);
      shown.list_files();
      return true;
    }
  lesson.close();
  study.close();
  shown.list_files();
  return true;
}

Workbench::Workbench(Installation installation, DataHome home)
    : impl_(std::make_unique<Impl>(std::move(installation), std::move(home))) {}
Workbench::~Workbench() = default;

void Workbench::set_wake(std::function<void()> wake) {
  const std::lock_guard lock(impl_->wake->mutex);
  impl_->wake->call = std::move(wake);
}

const Catalogue& Workbench::catalogue() const {
  return impl_->catalogue;
}
const Lesson* Workbench::lesson() const {
  return impl_->lesson.get();
}

void Workbench::open_lesson(const std::string& name) {
  const auto found = impl_->catalogue.find(name);
  if (!found) return impl_->report(found.error());
  if (!impl_->lesson.files().save()) return;
  stop();
  impl_->program.reset();
  impl_->spot.reset();
  impl_->second_run.clear();
  impl_->forget_last_run();
  impl_->shown.show_nothing();
  impl_->builds.forget();
  impl_->study.begin(*found);
  impl_->lesson.quiz().begin_anew();
  impl_->open(*found);
}

const std::string& Workbench::notes(Language language) const {
  return impl_->lesson.notes(language);
}

DriverChoice Workbench::driver_choice() const {
  return impl_->drivers.choice();
}
void Workbench::choose(DriverChoice choice) {
  impl_->drivers.choose(choice);
}
bool Workbench::real_driver_present() const {
  return impl_->drivers.real_present();
}
void Workbench::set_launcher(std::string launcher) {
  impl_->drivers.set_launcher(std::move(launcher));
}
const std::string& Workbench::launcher() const {
  return impl_->drivers.launcher();
}
std::string Workbench::recorded_by() const {
  return impl_->shown.recording() && impl_->shown.recording()->taken ? impl_->shown.recording()->info.made_by
                                                                     : std::string();
}
std::string Workbench::driver_description() const {
  // A recording was made with the driver that it names, whatever driver this machine has.
  if (impl_->shown.recording() && impl_->shown.recording()->taken)
    return impl_->shown.recording()->info.driver_name;
  return impl_->drivers.description();
}

std::string Workbench::own_driver_description() const {
  return impl_->drivers.description();
}

void Workbench::run(bool hold_at_first_call) {
  impl_->checking = false;
  impl_->start_build(hold_at_first_call);
}

void Workbench::stop() {
  impl_->builds.stop();
  impl_->checking = false;
  if (impl_->shown.session()) impl_->shown.session()->stop();
}

bool Workbench::open_recording(const std::filesystem::path& path) {
  // What is shown stays where there is nothing to be read.
  if (const auto problem = problem_of(trace::begins_as_recording(path), path, 0))
    return impl_->report(*problem), false;
  if (!impl_->lesson.files().save()) return false;  // the recording's lesson replaces the open one
  stop();
  impl_->program.reset();
  impl_->spot.reset();
  impl_->keep_run();
  impl_->builds.forget();
  impl_->study.drop_score();
  impl_->shown.show_recording(path);
  return true;
}

const std::vector<Problem>& Workbench::problems() const {
  return impl_->problems.all();
}
void Workbench::dismiss_problems() {
  impl_->problems.clear();
}

}  // namespace lab
