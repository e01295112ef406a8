// SPDX-License-Identifier: MIT
// The workbench's sources in the reader's language: which of the two originals a file is of, and switching
// those that nobody edited. Part of Workbench (workbench.hpp).
#include <utility>

#include "workbench_impl.hpp"

namespace lab {

std::optional<Language> Workbench::Impl::Original::language_of(const std::string& whole) const {
  if (whole == begun()) return language;
  for (const Language other : {Language::English, Language::Chinese})
    if (whole == text[static_cast<std::size_t>(other)]) return other;
  return std::nullopt;
}

void Workbench::Impl::read_copy(const std::string& file) {
  auto text = workspace->read(file);
  if (!text) return report(text.error());
  lines_now.erase(file);
  on_disk[file] = texts[file] = std::move(*text);
  if (const auto original = originals.find(file); original != originals.end())
    original->second.language = workspace->language_of(file);
}

// What the shown run was built from, with its words in the language that the file has now: where only they
// are others, nothing has changed since.
const std::string& Workbench::Impl::ran_text(const std::string& file) const {
  const std::string& ran = run_sources.at(file);
  const auto original = originals.find(file);
  return original != originals.end() && original->second.language_of(ran) ? original->second.begun() : ran;
}

void Workbench::set_language(Language language) {
  if (language == impl_->language_now) return;
  impl_->language_now = language;
  if (!impl_->workspace) return;
  (void)impl_->save();  // what is kept nowhere else stays on the screen, in whatever language
  impl_->workspace->set_language(language);
  for (const std::string& file : impl_->files) {
    if (impl_->unsaved.contains(file) || impl_->given_up.contains(file)) continue;
    if (const auto fetched = impl_->workspace->fetch(file); !fetched) impl_->report(fetched.error());
    impl_->read_copy(file);
  }
}

const std::string& Workbench::original_text(const std::string& file) const {
  static const std::string nothing;
  const auto found = impl_->originals.find(file);
  return found == impl_->originals.end() ? nothing : found->second.begun();
}

}  // namespace lab
