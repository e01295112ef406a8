// SPDX-License-Identifier: MIT
// What is known of the bytes in a piece of device memory at a moment: the bytes that were copied to it or
// from it, and those that fills wrote. No driver is asked, so a recording gives the same bytes as the run.
//
// Pure: the result depends only on the model, the store and the moment; nothing is kept.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/model.hpp"
#include "trace/store.hpp"

namespace lab {

struct Contents {
  enum class Known : std::uint8_t {
    No,
    Yes,
    Perhaps,  // known at an earlier moment; since then a kernel ran, or something unknown was written there
  };
  std::uint64_t address = 0, size = 0;  // of the whole piece; size 0: there is no such memory
  std::vector<std::uint8_t> bytes;      // from the beginning, at most as many as asked for
  std::vector<Known> known;             // for each byte
  std::size_t known_bytes() const;
};

// The contents of an allocation or a global variable after the first `moment` events of the run. Takes as
// long as Model::life_of(), and a little for each call about this memory.
Contents contents_of(const Model& model, const trace::Store& store, ObjectId memory, std::size_t moment,
                     std::size_t most_bytes = std::size_t{64} * 1024);

}  // namespace lab
