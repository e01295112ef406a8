// SPDX-License-Identifier: MIT
// A card below the list of calls if the call at the cursor failed: the reason, in this program's own names,
// with a link to the earlier call that explains it. Nothing is drawn if the model has no reason.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "markdown/wrap.hpp"
#include "view.hpp"

namespace gui {

class FailureCard {
 public:
  // The height that draw() will need in this width, at most `most`; 0 when there is nothing to say.
  float measure(const Frame& frame, float width, float most);
  // At the cursor; a click goes to the call that explains.
  void draw(Frame& frame, float width);

 private:
  struct Of {  // what the words were made for
    std::uint64_t run = 0;
    std::size_t event = 0, moments = 0;
    bool over = false;
    lab::Language language{};
    float width = 0, scale = 0;
    bool operator==(const Of&) const = default;
  };
  std::optional<Of> of_;
  std::string words_, link_;
  bool expected_ = false;  // the program expects this failure
  std::optional<std::size_t> cause_;
  std::vector<markdown::Line> lines_;
};

}  // namespace gui
