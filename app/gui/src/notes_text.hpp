// SPDX-License-Identifier: MIT
// The text of the notes that are shown, read again when the workbench has another one.
//
// Used by the page of notes and by the strip with the current step. Does not lay anything out.
#pragma once
#include <cstddef>
#include <string>

#include "markdown/document.hpp"
#include "view.hpp"

namespace gui {

class NotesText {
 public:
  // Which text it is; equal only for the same one.
  struct Source {
    const char* data = nullptr;  // of the workbench's text
    std::size_t size = 0;
    lab::Language language = lab::Language::English;
    std::string lesson;
    bool operator==(const Source&) const = default;
  };

  void follow(const Frame& frame);
  const Source& source() const { return source_; }
  const markdown::Document& document() const { return document_; }
  // The number of the step that the run is at, as in document().steps; -1: at none.
  int step_of_run(const Frame& frame) const;

 private:
  Source source_;
  markdown::Document document_;
};

}  // namespace gui
