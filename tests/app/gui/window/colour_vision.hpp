// SPDX-License-Identifier: MIT
// How different two colours look, also to readers who lack the cones for red or for green.
//
// Differences are distances in CIE 1976 L*a*b* (black to white is 100). What dichromats see is simulated by
// the matrices of Machado, Oliveira and Fernandes (2009) at full severity, in linear light. Does not depend
// on themes.
#pragma once
#include <imgui.h>

namespace gui {

enum class Vision { Usual, NoRed, NoGreen };
inline constexpr Vision kVisions[] = {Vision::Usual, Vision::NoRed, Vision::NoGreen};

// Of opaque colours, ImGui's order of bytes.
double difference(ImU32 a, ImU32 b, Vision vision);

}  // namespace gui
