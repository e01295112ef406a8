// SPDX-License-Identifier: MIT
// Which copies a moment of a run shows: that of the last call, and those in streams that wait, run, or were
// done during that call.
#pragma once
#include <string>
#include <vector>

#include "picture_layout.hpp"
#include "picture_run.hpp"

namespace gui::picture {

inline constexpr std::size_t kMostCopies = 4;

// `now` is the state at `moment`; `before`, if it is known, that before its last event: what was waiting
// there and is not now was done by then. When the driver reported when work ran, that decides.
std::vector<ShownCopy> copies_at(const trace::Store& store, std::size_t moment, const lab::State& now,
                                 const lab::State* before);

// What the program calls the memory, by the argument of the call that named it first; "" if that is not
// known.
std::string host_name(const ShownRun& run, const lab::HostRegion& region);

// What one end of a copy is called: "#1", "numbers"; "" if it is in nothing that is known.
std::string end_name(const ShownRun& run, const lab::State& state, const lab::CopyEnd& end);

}  // namespace gui::picture
