// SPDX-License-Identifier: MIT
// Finds the contexts that have had a handle, quickly even if there are many contexts. Drivers use the handles
// of destroyed contexts again, so a handle may have belonged to several contexts.
//
// Part of State, and a plain value like it. It follows from the list of contexts, so two indexes always count
// as equal when states are compared.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

class HandleIndex {
 public:
  static constexpr std::uint32_t kNothing = 0xffffffffu;

  // The last entry of this handle, or kNothing; entry(…).older is the one before.
  struct Entry {
    std::uint64_t handle = 0;
    std::uint32_t context = 0, older = kNothing;
  };
  std::uint32_t last(std::uint64_t handle) const { return slots_.empty() ? kNothing : slots_[place(handle)]; }
  const Entry& entry(std::uint32_t number) const { return entries_[number]; }
  // `older`: the newest older entry of this handle that is still needed.
  void add(std::uint64_t handle, std::uint32_t context, std::uint32_t older) {
    if (slots_.size() < 2 * (entries_.size() + 1)) grow();
    slots_[place(handle)] = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({handle, context, older});
  }
  std::size_t bytes() const {
    return entries_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(std::uint32_t);
  }
  bool operator==(const HandleIndex&) const { return true; }

 private:
  // The slot of the handle's last entry, or the free slot where it would be.
  std::size_t place(std::uint64_t handle) const {
    const std::size_t mask = slots_.size() - 1;
    auto at = static_cast<std::size_t>((handle * 0x9e3779b97f4a7c15u) >> 20) & mask;
    while (slots_[at] != kNothing && entries_[slots_[at]].handle != handle) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), kNothing);
    for (std::size_t i = 0; i < entries_.size(); ++i)  // later ones take the place of earlier ones
      slots_[place(entries_[i].handle)] = static_cast<std::uint32_t>(i);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // a power of two, at most half of it taken
};

}  // namespace lab
