// SPDX-License-Identifier: MIT
// The workbench's comparison of the shown run with a second one (second_run.hpp). Part of Workbench
// (workbench.hpp).
#include "lab/recording.hpp"
#include "workbench/workbench_impl.hpp"

namespace lab {

void Workbench::Impl::keep_run() {
  if (const auto& session = shown.session(); session && session->store().calls() > 0)
    second_run.keep(session, shown.cursor().give_model());
}

bool Workbench::Impl::take_second_run() {
  return second_run.poll({shown.owner(), shown.store(), shown.cursor().moments(), shown.growing(),
                          shown.recording() != nullptr});
}

bool Workbench::has_run_before() const {
  return impl_->second_run.has_run_before();
}

std::filesystem::path Workbench::hardware_recording() const {
  const Lesson* const lesson = impl_->study.lesson() ? impl_->study.lesson() : this->lesson();
  if (lesson == nullptr) return {};
  for (const char* card : {"h200_", "h100_"}) {
    const std::filesystem::path file =
        impl_->installation.assets / "recordings" / (card + lesson->folder.filename().string() + ".dlrec");
    std::error_code error;
    if (std::filesystem::exists(file, error)) return file;
  }
  return {};
}

std::filesystem::path Workbench::recordings() const {
  return impl_->installation.assets / "recordings";
}

void Workbench::compare_with_run_before() {
  impl_->second_run.choose_run_before();
}
bool Workbench::compare_with(const std::filesystem::path& recording, Beside as) {
  if (const auto problem = problem_of(trace::begins_as_recording(recording), recording, 0))
    return impl_->report(*problem), false;
  impl_->second_run.choose_recording(recording, as);
  return true;
}
std::optional<Workbench::Other> Workbench::other() const {
  return impl_->second_run.other();
}
const RunPair* Workbench::pair() const {
  return impl_->second_run.pair(store());
}
const Ghost* Workbench::ghost() const {
  return impl_->second_run.ghost(store());
}
bool Workbench::expected_failure_beside(std::size_t event) const {
  return impl_->second_run.expected_failure(event);
}
std::string Workbench::variable_beside(const trace::Event& call, std::size_t argument) const {
  return impl_->second_run.variable(call, argument);
}

}  // namespace lab
