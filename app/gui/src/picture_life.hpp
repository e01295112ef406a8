// SPDX-License-Identifier: MIT
// The card below the picture with the history of the object that was clicked: made, used, ended, each with a
// link to that call and its line. Does not depend on how the picture is drawn.
#pragma once
#include <optional>
#include <string>

#include "lab/contents.hpp"
#include "lab/model.hpp"
#include "picture_contents.hpp"
#include "picture_run.hpp"
#include "view.hpp"

namespace gui::picture {

class LifeCard {
 public:
  void select(lab::ObjectId id) { object_ = id, life_.reset(), contents_.reset(); }
  lab::ObjectId selected() const { return object_; }
  // Of the panel, when something is selected; otherwise 0.
  float height(const Frame& frame, float panel) const;
  void draw(Frame& frame, const ShownRun& run);

 private:
  struct Key {
    std::uint64_t run = 0;
    std::size_t moments = 0;
    bool operator==(const Key&) const = default;
  };
  bool has_contents() const;  // it is memory
  void look(const ShownRun& run);
  void header(Frame& frame, const ShownRun& run);
  void row(Frame& frame, const ShownRun& run, lab::Text what, std::size_t event);
  void say(const Frame& frame, std::string_view words);
  static void go(Frame& frame, const ShownRun& run, std::size_t event);

  lab::ObjectId object_;
  std::optional<lab::Life> life_;
  Key key_;
  bool show_contents_ = false;
  std::optional<lab::Contents> contents_;
  std::size_t contents_at_ = 0;  // the moment
  ContentsPage page_;
};

}  // namespace gui::picture
