// SPDX-License-Identifier: MIT
// CUDA_VISIBLE_DEVICES: which cards a process sees, and in which order.
//
// It needs only the number of cards and their UUIDs, so that it can be tested alone.
#pragma once

#include <string>
#include <vector>

#include "core/api.hpp"

namespace driver {

// The numbers of the cards that are visible with this text, in its order; all cards without a text. `uuids`
// are those of the cards, as "GPU-…". Errors, both measured: NO_DEVICE if none is left, INVALID_DEVICE if one
// is named twice.
CUresult visible_devices(const char* text, const std::vector<std::string>& uuids, std::vector<int>& cards);

}  // namespace driver
