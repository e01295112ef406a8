// SPDX-License-Identifier: MIT
// The workbench: lessons, the driver, and taking over the results of other threads. Files are in
// workbench_files.cpp, the time of a run in workbench_time.cpp.
#include "lab/workbench.hpp"

#include <algorithm>
#include <utility>

#include "workbench_impl.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

void build_here(BuildJob& job, const Lesson& lesson, const std::filesystem::path& folder, DriverChoice choice,
                const Installation& parts) {
  auto driver = choose_driver(choice, parts);
  if (!driver) {
    job.problem = driver.error();
    return;
  }
  BuildResult built = build_lesson(lesson, folder, *driver, parts, &job.cancel);
  const std::lock_guard lock(job.mutex);
  job.driver = *driver;
  job.build = std::move(built);
}

void build_elsewhere(BuildJob& job, const Lesson& lesson, const std::filesystem::path& folder,
                     const std::string& launcher) {
  const auto words = split_launcher(launcher, "--via");
  if (!words) {
    job.problem = words.error();
    return;
  }
  auto remote = Remote::connect(*words, &job.cancel);
  if (!remote) {
    job.problem = remote.error();
    return;
  }
  BuildResult built = (*remote)->build(lesson, folder, DriverChoice::Auto, &job.cancel);
  const std::lock_guard lock(job.mutex);
  job.driver = (*remote)->driver();
  job.remote = std::move(*remote);
  job.build = std::move(built);
}

}  // namespace

Workbench::Impl::Impl(Installation parts, DataHome data)
    : installation(std::move(parts)),
      home(std::move(data)),
      catalogue(read_catalogue(installation.lessons)),
      progress_file(home.path, problems, wake),
      last_run(home.path) {
  if (home.problem) report(*home.problem);
  for (const Problem& problem : catalogue.problems) report(problem);
  if (const auto embedded = choose_driver(DriverChoice::Embedded, installation))
    embedded_description = embedded->description;
  // Asking a real driver for its GPUs may take seconds; nothing waits for it.
  probe.thread = std::thread([this] {
    if (auto driver = choose_driver(DriverChoice::Real, installation)) probe.real = *driver;
    probe.done = true;
    (*wake)();
  });
}

Workbench::Impl::~Impl() {
  (void)open_files.save();  // the user was asked before if something may be lost
  stop_and_keep_last_run();
  progress_file.finish();
  {
    const std::lock_guard lock(wake->mutex);
    wake->call = nullptr;
  }
}

void Workbench::Impl::abandon_build() {
  if (!job) return;
  job->cancel = true;
  abandoned.push_back(std::move(job));
}

void Workbench::Impl::close_lesson() {
  open_files.close();  // the calling commands have made sure that nothing is lost
  lesson.reset();
  breakpoints.clear();
  study.drop_verdict();
  checking = false;
  notes[0].clear();
  notes[1].clear();
}

void Workbench::Impl::open(const Lesson& opened) {
  close_lesson();
  lesson = opened;
  for (const Language language : {Language::English, Language::Chinese}) {
    auto text = read_file(opened.notes(language));
    if (text)
      notes[static_cast<int>(language)] = std::move(*text);
    else
      report(text.error());
  }
  quiz.open(opened);
  open_files.open(opened);
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
  if (!lesson || !open_files.is_open()) return report({Text::NoLessonOpen, {}});
  if (!open_files.save(Text::RunNotSaved)) {  // the disk does not have the text of the editor
    checking = false;
    return;
  }
  if (session && session->running()) session->stop();
  abandon_build();
  study.drop_verdict();
  end_taken = true;  // of the run before
  std::erase_if(abandoned, [](const auto& old) { return old->done.load(); });
  build_failed = false;
  if (build_problem) problems.withdraw(*std::exchange(build_problem, std::nullopt));
  job = std::make_unique<BuildJob>();
  work_began = Clock::now();
  job->hold = hold;
  RunRequest& request = job->request;
  request.working_folder = request.source_folder = open_files.folder();
  request.limits = lesson->limits;
  request.language = open_files.language();
  request.hold = hold;
  request.info.lesson = lesson->slug;
  request.info.sources = open_files.texts();
  const std::string elsewhere = checking ? std::string() : launcher;
  job->thread =
      std::thread([this_job = job.get(), lesson = *lesson, folder = open_files.folder(), elsewhere,
                   choice = checking ? DriverChoice::Embedded : choice, parts = installation, wake = wake] {
        if (elsewhere.empty())
          build_here(*this_job, lesson, folder, choice, parts);
        else
          build_elsewhere(*this_job, lesson, folder, elsewhere);
        this_job->done = true;
        (*wake)();
      });
}

bool Workbench::Impl::take_build() {
  if (!job || !job->done) return false;
  const auto done = std::move(job);
  done->thread.join();
  if (done->problem) {
    checking = false;
    report(*done->problem);
    return true;
  }
  build = std::move(done->build);
  build_problem = build->problem;
  if (build_problem) report(*build_problem);
  build_failed = !build->ok;
  checking = checking && build->ok;
  if (build_failed) {  // a run of another text would look like a run of this one
    keep_run();
    show(empty);
    forget_last_run();
    session.reset();
    set_run_text({});
    run_files.clear();
    return true;
  }
  RunRequest& request = done->request;
  request.command = {build->program.string()};
  request.driver = *done->driver;
  request.remote = done->remote;
  if (request.remote) remote_description = request.driver.description;
  request.info.program = build->program.filename().string();
  request.describe_run();
  const bool stops = !checking && !breakpoints.all().empty();
  request.hold = done->hold || stops;
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
    if (!done->hold) session->run_on();
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
  return impl_->lesson ? &*impl_->lesson : nullptr;
}

void Workbench::open_lesson(const std::string& name) {
  const auto found = impl_->catalogue.find(name);
  if (!found) return impl_->report(found.error());
  if (!impl_->open_files.save()) return;
  stop();
  impl_->show(impl_->empty);
  impl_->second_run.clear();
  impl_->forget_last_run();
  impl_->session.reset();
  impl_->replay.reset();
  impl_->build.reset();
  impl_->build_failed = false;
  impl_->set_run_text({});
  impl_->run_files.clear();
  impl_->study.begin(*found);
  impl_->quiz.begin_anew();
  impl_->open(*found);
}

const std::string& Workbench::notes(Language language) const {
  return impl_->notes[static_cast<int>(language)];
}

DriverChoice Workbench::driver_choice() const {
  return impl_->choice;
}
void Workbench::choose(DriverChoice choice) {
  impl_->choice = choice;
}
bool Workbench::real_driver_present() const {
  return impl_->probe.done && impl_->probe.real.has_value();
}

void Workbench::set_launcher(std::string launcher) {
  if (launcher == impl_->launcher) return;
  impl_->launcher = std::move(launcher);
  impl_->remote_description.clear();
}
const std::string& Workbench::launcher() const {
  return impl_->launcher;
}

std::string Workbench::recorded_by() const {
  return impl_->replay && impl_->replay->taken ? impl_->replay->info.made_by : std::string();
}

std::string Workbench::driver_description() const {
  // A recording was made with the driver that it names, whatever driver this machine has.
  if (impl_->replay && impl_->replay->taken) return impl_->replay->info.driver_name;
  if (!impl_->launcher.empty())
    return impl_->remote_description.empty() ? impl_->launcher
                                             : impl_->launcher + " · " + impl_->remote_description;
  const bool may_be_real = impl_->choice != DriverChoice::Embedded;
  if (may_be_real && !impl_->probe.done) return {};
  if (may_be_real && impl_->probe.real) return impl_->probe.real->description;
  return impl_->choice != DriverChoice::Real ? impl_->embedded_description : std::string();
}

void Workbench::run(bool hold_at_first_call) {
  impl_->checking = false;
  impl_->start_build(hold_at_first_call);
}

void Workbench::stop() {
  impl_->abandon_build();
  impl_->checking = false;
  if (impl_->session) impl_->session->stop();
}

void Workbench::open_recording(const std::filesystem::path& path) {
  if (!impl_->open_files.save()) return;  // the recording's lesson replaces the open one
  stop();
  impl_->keep_run();
  impl_->show(impl_->empty);
  impl_->session.reset();
  impl_->build.reset();
  impl_->build_failed = false;
  impl_->set_run_text({});
  impl_->run_files.clear();
  impl_->replay = std::make_shared<ReplayJob>(path);
  impl_->work_began = Clock::now();
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
