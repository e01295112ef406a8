// SPDX-License-Identifier: MIT
// Finds things in a moment of a run by name, address or source line.
//
// Pure: a state and a few words in, objects out, in the order in which the picture shows their kinds.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "lab/state.hpp"

namespace gui::picture {

// The place of an event in the source, "main.cpp:34"; "" if it is not known.
using PlaceOf = std::function<std::string(std::uint64_t event)>;

// Upper and lower case are the same. A name matches if it, or a part of it after a dot or a blank, begins
// with the words; "#12" and names with digits match as a whole; "0x…" matches handles, and the memory that
// contains the address; a number alone is also a line; "file:34" and ":34" are only lines.
std::vector<lab::ObjectId> find_in(const lab::State& state, const std::string& words, const PlaceOf& place);

}  // namespace gui::picture
