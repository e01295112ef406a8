// SPDX-License-Identifier: MIT
// Finding calls: a line above the list with a query, what it can be completed to, and the way from one call
// that is found to the next.
//
// Enter and F3 go on, with Shift back; Tab takes the completion that is chosen, Escape closes. While it is
// open, Selection::finding has what was found, for every panel that shows calls. What a query says is read by
// lab/call_query.hpp.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "lab/call_search.hpp"
#include "text_field.hpp"
#include "view.hpp"

namespace gui {

class CallFind {
 public:
  void open();
  bool is_open() const { return open_; }
  bool only() const { return open_ && only_ && search_ != nullptr && !search_->query().empty(); }
  // Every frame, before anything is drawn: the keys, and a part of the run. True if the query has changed.
  bool follow(Frame& frame);
  float height(const Frame& frame) const;
  void draw(Frame& frame, ImVec2 at, float width);
  const lab::CallSearch* search() const { return search_.get(); }

 private:
  void take_keys(Frame& frame);
  void read(Frame& frame);
  void go(Frame& frame, lab::Direction direction);
  void complete(const Frame& frame);
  void take_completion(std::size_t which);
  void close(Frame& frame);
  void draw_completions(Frame& frame, ImVec2 below, float above);
  std::string count_words(const Frame& frame) const;

  bool open_ = false, focused_ = false, only_ = false, fresh_ = false, claims_ = false;
  std::string focus_;  // Selection::focus when it got the keyboard
  TextField field_;
  std::string read_;  // what the search is for
  std::optional<lab::Problem> mistake_;
  std::unique_ptr<lab::CallSearch> search_;
  lab::CallFacts facts_;
  lab::QueryCompletion completion_;
  std::size_t choice_ = 0;  // of the completions
  bool choosing_ = false;   // the keys have gone to one of them
  std::string completed_;   // the query for which they were put away
  std::uint64_t run_ = 0;
  const trace::Store* store_ = nullptr;
};

}  // namespace gui
