// SPDX-License-Identifier: MIT
// See notes_text.hpp.
#include "notes_text.hpp"

#include <algorithm>
#include <optional>

namespace gui {

void NotesText::follow(const Frame& frame) {
  const std::string& text = frame.bench.notes(frame.language);
  const Source now{text.data(), text.size(), frame.language,
                   frame.bench.lesson() != nullptr ? frame.bench.lesson()->slug : std::string()};
  if (source_ == now) return;
  document_ = markdown::parse(text);
  if (frame.glossary != nullptr) markdown::mark_terms(document_, *frame.glossary, frame.language);
  source_ = now;
}

int NotesText::step_of_run(const Frame& frame) const {
  const std::optional<std::string> name = frame.bench.step_name();
  if (!name) return -1;
  const auto at = std::find(document_.steps.begin(), document_.steps.end(), *name);
  return at == document_.steps.end() ? -1 : static_cast<int>(at - document_.steps.begin());
}

}  // namespace gui
