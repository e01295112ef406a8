// SPDX-License-Identifier: MIT
// The workbench: lessons, the driver, and taking over the results of other threads. Files are in
// workbench_files.cpp, the time of a run in workbench_time.cpp.
#include "lab/workbench.hpp"
#include "lab/files.hpp"

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

const trace::Store& Workbench::Impl::store() const {
  if (replay) return replay->store;
  return session ? session->store() : empty;
}

void Workbench::Impl::show(const trace::Store& shown) {
  cursor.show(shown);
  predictions.clear();
  run_steps.begin();
}

void Workbench::Impl::start_build(bool hold) {
  if (!lesson.files().is_open()) return report({Text::NoLessonOpen, {}});
  if (!lesson.files().save(Text::RunNotSaved)) {  // the disk does not have the text of the editor
    checking = false;
    return;
  }
  if (session && session->running()) session->stop();
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
  if (finished->failed) {  // a run of another text would look like a run of this one
    keep_run();
    show(empty);
    forget_last_run();
    session.reset();
    set_run_text({});
    run_files.clear();
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
  show(empty);  // the old store must not be used after its session is gone
  replay.reset();
  session = std::move(*started);
  run_info = request.info;
  end_taken = false;
  set_run_text(request.info.sources);
  run_files.clear();
  show(session->store());
  if (stops) {
    tell_breakpoints();
    if (!finished->hold) session->run_on();
  }
  session->set_on_change([wake = wake] { (*wake)(); });
  return true;
}

bool Workbench::Impl::take_replay() {
  if (!replay || replay->taken || !replay->done) return false;
  const auto problem = replay->take();
  if (replay->watch.cancel)
    report({Text::LoadingStopped, {replay->path.filename().string()}});
  else if (problem)
    report(*problem);
  set_run_text(replay->info.sources);
  if (!replay->info.lesson.empty())
    if (const auto found = catalogue.find(replay->info.lesson)) open(*found);
  run_files = run_text.files();
  return true;
}

bool Workbench::Impl::fold() {
  if (!cursor.fold()) return false;
  if (cursor.following() && held()) cursor.show_process_of_last_call();
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
  impl_->show(impl_->empty);
  impl_->second_run.clear();
  impl_->forget_last_run();
  impl_->session.reset();
  impl_->replay.reset();
  impl_->builds.forget();
  impl_->set_run_text({});
  impl_->run_files.clear();
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
  return impl_->replay && impl_->replay->taken ? impl_->replay->info.made_by : std::string();
}
std::string Workbench::driver_description() const {
  // A recording was made with the driver that it names, whatever driver this machine has.
  if (impl_->replay && impl_->replay->taken) return impl_->replay->info.driver_name;
  return impl_->drivers.description();
}

void Workbench::run(bool hold_at_first_call) {
  impl_->checking = false;
  impl_->start_build(hold_at_first_call);
}

void Workbench::stop() {
  impl_->builds.stop();
  impl_->checking = false;
  if (impl_->session) impl_->session->stop();
}

void Workbench::open_recording(const std::filesystem::path& path) {
  if (!impl_->lesson.files().save()) return;  // the recording's lesson replaces the open one
  stop();
  impl_->keep_run();
  impl_->show(impl_->empty);
  impl_->session.reset();
  impl_->builds.forget();
  impl_->set_run_text({});
  impl_->run_files.clear();
  impl_->replay = std::make_shared<ReplayJob>(path);
  impl_->study.drop_score();
  impl_->show(impl_->replay->store);
  impl_->replay->start(impl_->wake);
}

const std::vector<Problem>& Workbench::problems() const {
  return impl_->problems.all();
}
void Workbench::dismiss_problems() {
  impl_->problems.clear();
}

}  // namespace lab
