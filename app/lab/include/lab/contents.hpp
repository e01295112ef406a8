// SPDX-License-Identifier: MIT
// What is known of the bytes in a piece of device memory at a moment: what copies brought there or fetched
// from there, and what fills wrote. No driver is asked, so a recording knows as much as the run did.
//
// Pure: a model, a store and a moment in, bytes out; nothing is kept.
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
    Perhaps,  // it was so; since then a kernel ran, or something wrote there of which only that is known
  };
  std::uint64_t address = 0, size = 0;  // of all of it; size 0: there is no such memory
  std::vector<std::uint8_t> bytes;      // from its beginning, at most as many as asked for
  std::vector<Known> known;             // of each of them
  std::size_t known_bytes() const;
};

// Of an allocation or a global variable, after the first `moment` events of the run. Takes as long as
// Model::life_of(), and a little for each call about this memory.
Contents contents_of(const Model& model, const trace::Store& store, ObjectId memory, std::size_t moment,
                     std::size_t most_bytes = std::size_t{64} * 1024);

}  // namespace lab
