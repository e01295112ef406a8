// SPDX-License-Identifier: MIT
// A run as one HTML file that needs nothing else: in any browser, a small viewer steps and scrubs through the
// run, in both languages, with the picture, the source and the results of every call.
//
// The contents of a recording are untrusted and stay data in the page: they are never used as markup or code,
// and the page loads nothing. The viewer itself is in assets/page.
#pragma once
#include <cstddef>
#include <string>

#include "lab/model.hpp"
#include "lab/text.hpp"
#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace lab {

struct PageOptions {
  Language language = Language::English;  // of the page when it is opened
  std::string theme = {};                 // "dark", "light"; "": the setting of the reader's system
  std::string title[2] = {};              // by Language; "": the name of the program or lesson
  std::size_t from = 1, to = 0;           // calls, 1-based; to 0: the last one
};

inline constexpr std::size_t kMostCallsOfAPage = 50'000;  // about 20 MB; browsers become slow above that

// The calls that a page with these options shows: within the run, at most kMostCallsOfAPage. to < from if the
// run has no calls, or if the options name calls that it does not have.
struct PageRange {
  std::size_t from = 1, to = 0;
};
PageRange page_range(const PageOptions& options, const trace::Store& store);

// The whole file, in UTF-8. The model must have followed the store to its end.
std::string html_page(const Model& model, const trace::Store& store, const trace::RunInfo& info,
                      const PageOptions& options);

}  // namespace lab
