// The card below the picture that tells the life of what was clicked: made, used, ended, each a way to that
// call and its line. It knows the model's answer and nothing of how the picture is drawn.
#pragma once
#include <optional>
#include <string>

#include "lab/model.hpp"
#include "view.hpp"

namespace gui::picture {

class LifeCard {
 public:
  void select(lab::ObjectId id) { object_ = id, life_.reset(); }
  lab::ObjectId selected() const { return object_; }
  // Of the panel, when something is selected; otherwise 0.
  float height(const Frame& frame, float panel) const;
  void draw(Frame& frame);

 private:
  struct Key {
    std::uint64_t run = 0;
    std::size_t moments = 0;
    bool operator==(const Key&) const = default;
  };
  void look(const Frame& frame);
  void header(Frame& frame);
  void row(Frame& frame, lab::Text what, std::size_t event);
  void say(const Frame& frame, std::string_view words);
  static void go(Frame& frame, std::size_t event);

  lab::ObjectId object_;
  std::optional<lab::Life> life_;
  Key key_;
};

}  // namespace gui::picture
