// SPDX-License-Identifier: MIT
// A run as one HTML file that needs nothing else: a small viewer steps and scrubs through it in any browser,
// in both languages, with the picture, the source and the results of every call.
//
// What a recording holds is untrusted and stays data in the page: it is never read as markup or as code, and
// the page may load nothing. The viewer itself is assets/page; it knows no driver.
#pragma once
#include <cstddef>
#include <string>

#include "lab/model.hpp"
#include "lab/text.hpp"
#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace lab {

struct PageOptions {
  Language language = Language::English;  // that the page opens in
  std::string theme = {};                 // "dark", "light"; "" as the reader's system has it
  std::string title[2] = {};              // by Language; "" for the program's or the lesson's name
  std::size_t from = 1, to = 0;           // calls, 1-based; to 0: the last one
};

inline constexpr std::size_t kMostCallsOfAPage = 50'000;  // some 20 MB; browsers take their time beyond

// The calls that a page with these options shows: within the run, kMostCallsOfAPage at most. to < from for a
// run without calls, and for options that lie outside it.
struct PageRange {
  std::size_t from = 1, to = 0;
};
PageRange page_range(const PageOptions& options, const trace::Store& store);

// The whole file, in UTF-8. The model has folded all of the store.
std::string html_page(const Model& model, const trace::Store& store, const trace::RunInfo& info,
                      const PageOptions& options);

}  // namespace lab
