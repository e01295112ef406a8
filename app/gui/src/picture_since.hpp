// SPDX-License-Identifier: MIT
// What is different between two moments of a run, as a sentence and as marks on boxes.
//
// Pure: states in, words out.
#pragma once
#include <map>
#include <string>

#include "lab/difference.hpp"
#include "lab/text.hpp"
#include "picture_scene.hpp"

namespace gui::picture {

struct Since {
  std::string words;
  std::map<lab::ObjectId, Box::Since> marks;  // of what is there now
};
// `call`: how many calls had been made at the pinned moment.
Since since_pin(const lab::Model& model, const lab::State& pinned, const lab::State& now, std::size_t call,
                lab::Language language);

}  // namespace gui::picture
