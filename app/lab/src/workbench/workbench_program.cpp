// SPDX-License-Identifier: MIT
// The workbench with a program of the user's own in place of a lesson (lab/own_program.hpp). Part of
// Workbench (workbench.hpp).
#include <utility>

#include "workbench/workbench_impl.hpp"

namespace lab {

void Workbench::Impl::start_program(bool hold) {
  auto request = request_for(*program);
  if (!request) return report(request.error());
  if (!drivers.launcher().empty() && !request->environment.empty())
    return report({Text::ProgramEnvironmentElsewhere, {drivers.launcher(), program->environment}});
  if (const auto& session = shown.session(); session && session->running()) session->stop();
  end_taken = true;  // of the run before
  program_sources = NamedSources(request->source_folder);
  Builds::Order order;
  order.driver = drivers.choice();
  order.launcher = drivers.launcher();
  order.hold = hold;
  order.request = std::move(*request);
  order.request.language = lesson.files().language();
  builds.start(std::move(order), installation);
}

bool Workbench::Impl::take_program_sources() {
  if (!program || !shown.session() || !program_sources.read(shown.session()->store())) return false;
  shown.know_sources(program_sources.texts());
  return true;
}

void Workbench::open_program(const OwnProgram& program) {
  if (auto request = request_for(program); !request) return impl_->report(request.error());
  if (!impl_->lesson.files().save()) return;
  stop();
  impl_->second_run.clear();
  impl_->forget_last_run();
  impl_->shown.show_nothing();
  impl_->builds.forget();
  impl_->spot.reset();
  impl_->study.drop_verdict();
  impl_->study.close();
  impl_->lesson.close();
  impl_->program = program;
  impl_->start_program(true);
}

bool Workbench::program_open() const {
  return impl_->program.has_value();
}
bool Workbench::read_only() const {
  return impl_->read_only();
}
bool Workbench::can_run() const {
  return !impl_->shown.recording() && (impl_->program || lesson() != nullptr);
}
std::string Workbench::run_name() const {
  if (impl_->program) return impl_->program->command;
  return impl_->shown.recording() ? impl_->shown.recording()->path.filename().string() : std::string();
}

}  // namespace lab
