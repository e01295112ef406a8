// SPDX-License-Identifier: MIT
// Gives the fonts every text that may be shown, before it is: letters are drawn into a texture once, when
// they are first needed.
//
// Strings, notes and sources are given when the lesson or the language changed, the run's own text as it
// comes.
#pragma once
#include <map>
#include <string>

#include "fonts.hpp"
#include "lab/glossary.hpp"
#include "lab/workbench.hpp"

namespace gui {

class TextCollector {
 public:
  explicit TextCollector(Fonts& fonts) : fonts_(fonts) {}
  Fonts& fonts() { return fonts_; }
  // Another lesson or language.
  void forget_lesson() { lesson_done_ = false, file_sizes_.clear(); }
  void forget_run() { events_ = 0; }
  // How many of the run's events were looked at. A store with fewer holds another run.
  std::size_t events() const { return events_; }
  void add_lesson(const lab::Workbench& bench, const lab::Glossary& glossary, lab::Language language);
  // What the run, the files and the workbench say now. False: there is more; a frame looks at so many events
  // at most.
  bool add_run(const lab::Workbench& bench, lab::Language language);

 private:
  Fonts& fonts_;
  bool lesson_done_ = false;
  std::map<std::string, std::size_t> file_sizes_;  // bytes of each file whose text the fonts have
  std::size_t events_ = 0;
};

}  // namespace gui
