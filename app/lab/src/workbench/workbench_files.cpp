// SPDX-License-Identifier: MIT
// The workbench's files: those of the open lesson (open_files.hpp), or those of a recording, which do not
// change. Part of Workbench (workbench.hpp).
#include <utility>

#include "workbench/workbench_impl.hpp"

namespace lab {

const std::vector<std::string>& Workbench::files() const {
  return impl_->read_only() ? impl_->shown.files() : impl_->lesson.files().names();
}

const std::string& Workbench::file_text(const std::string& file) const {
  static const std::string nothing;
  const auto& texts = impl_->read_only() ? impl_->shown.text().sources() : impl_->lesson.files().texts();
  const auto found = texts.find(file);
  return found == texts.end() ? nothing : found->second;
}

void Workbench::set_file_text(const std::string& file, std::string text) {
  if (!impl_->read_only()) impl_->lesson.files().type(file, std::move(text));
}
bool Workbench::edited(const std::string& file) const {
  return !impl_->read_only() && impl_->lesson.files().edited(file);
}
void Workbench::restore(const std::string& file) {
  if (!impl_->read_only()) impl_->lesson.files().restore(file);
}
void Workbench::open_outside(const std::string& file) {
  if (!impl_->read_only()) impl_->lesson.files().open_outside(file);
}

void Workbench::set_language(Language language) {
  impl_->lesson.files().set_language(language);
}
const std::string& Workbench::original_text(const std::string& file) const {
  return impl_->lesson.files().original_text(file);
}

std::vector<std::string> Workbench::unkept() {
  if (impl_->read_only() || impl_->lesson.files().save()) return {};
  const std::set<std::string>& unsaved = impl_->lesson.files().unsaved();
  return {unsaved.begin(), unsaved.end()};
}
std::filesystem::path Workbench::place_for_unkept() const {
  return impl_->lesson.files().place_for_unsaved();
}
Result<std::filesystem::path> Workbench::keep_elsewhere(const std::filesystem::path& below) {
  return impl_->lesson.files().keep_elsewhere(below);
}
void Workbench::discard_unkept() {
  impl_->lesson.files().discard_unsaved();
}

}  // namespace lab
