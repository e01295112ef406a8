// SPDX-License-Identifier: MIT
// The multiprocessors of a device as a bar, divided into the shares of its green contexts. Only numbers that
// calls have shown are drawn.
//
// Part of the layout (picture_devices.cpp places the bar on top of a device's contexts). Draws nothing.
#pragma once
#include <string>

#include "picture_layouter.hpp"

namespace gui::picture {

// Returns the height used: 0 if no green context with a known number is on the device.
float lay_out_multiprocessors(Layouter& layouter, const lab::Device& device, int panel, float x, float y,
                              float width);
// "6 of 24 SMs", "6 SMs"; "" if it is not known.
std::string share_words(const Layouter& layouter, const lab::Object& green);
// The green context of a context; nullptr: it has none, or it has ended.
const lab::Object* green_of(const lab::State& state, const lab::Context& context);

}  // namespace gui::picture
