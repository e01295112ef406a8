// SPDX-License-Identifier: MIT
// Memory that is not simply allocated in a context: pools with what is allocated from them, and reserved
// addresses with the pieces where physical memory is mapped, to scale and with their gaps.
//
// Part of the layout (picture_objects.hpp places the cards among the process's objects). Draws nothing.
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "picture_layouter.hpp"

namespace gui::picture {

struct MemoryCard {
  const lab::Object* object = nullptr;  // the pool or the range; nullptr: the pool that was current
  std::uint32_t device = lab::kNone;    // of such a pool
  std::string title, words;
  std::vector<const lab::Allocation*> pieces;  // by address
  std::uint64_t bytes = 0;                     // of the pieces
};

struct MemoryPlan {
  std::vector<MemoryCard> cards;
  float height = 0;
};

// Of the process. Takes pools and ranges out of `objects`.
MemoryPlan plan_memory(const Layouter& layouter, std::vector<const lab::Object*>& objects);
void place_memory(Layouter& layouter, const MemoryPlan& plan, int parent, float x, float y, float width);

// In which pool or range of addresses memory lies.
class MemoryHolders {
 public:
  explicit MemoryHolders(const lab::State& state);
  struct Holder {
    bool known = false;    // false: in none
    lab::ObjectId object;  // None: in the pool that was current for its device
  };
  Holder of(const lab::Allocation& allocation) const;

 private:
  std::set<lab::ObjectId> pools_;
  std::map<std::uint64_t, std::pair<std::uint64_t, lab::ObjectId>> ranges_;  // by address: size, range
};

// From physical memory to each place where it is mapped.
void lay_out_mappings(Layouter& layouter);

}  // namespace gui::picture
