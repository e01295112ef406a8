// SPDX-License-Identifier: MIT
// The run before as a ghost: what it had at the same place of the program and the shown run has not, and the
// other way round.
//
// The same place is found for each thread by itself (lab/run_pair.hpp), so a thread that was faster or slower
// than the last time is no difference. Objects are the same if the same call made them. Made once from two
// complete runs; nothing here depends on windows or on a language.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab/run_pair.hpp"

namespace lab {

// What is different at one moment. Contexts have their names in the shown run; one that only the run before
// has keeps its name.
struct GhostMoment {
  struct Stack {
    std::uint32_t thread = 0;
    std::vector<std::string> before;  // entries that only the run before has, bottom first
    std::size_t above = 0;            // they lie above so many entries of the shown run
    // The entries that only the shown run has: [from, to), counted from the bottom.
    std::size_t from = 0, to = 0;
  };
  struct Memory {
    std::uint32_t number = 0;  // in the run before
    std::string context;       // its owner; "": the process, as of managed memory
    std::uint64_t size = 0;
    MemoryKind kind = MemoryKind::Device;
  };
  struct OfContext {
    std::string name;
    std::uint32_t device = 0;
  };
  std::vector<Stack> stacks;                           // only those that differ
  std::vector<Memory> memory;                          // that only the run before holds
  std::vector<OfContext> contexts;                     // alive in the run before, never made in the shown one
  std::map<std::uint32_t, std::uint64_t> other_sizes;  // what it was, by the number of an allocation of now
  std::set<std::uint32_t> new_memory;                  // numbers of allocations that only the shown run holds
  std::set<std::uint32_t> new_contexts;                // indices: alive, and not so in the run before

  bool nothing() const {
    return stacks.empty() && memory.empty() && contexts.empty() && other_sizes.empty() &&
           new_memory.empty() && new_contexts.empty();
  }
};

class Ghost {
 public:
  // The stores and the pair must outlive it; the models only as long as this takes.
  Ghost(const RunPair& pair, const ComparedRun& shown, const ComparedRun& before);

  // Beside the shown run's state after `calls` calls, or at its end: there both are at their ends. The model
  // is that of the run before. Takes a time that depends on how many allocations that run made.
  enum class Where : std::uint8_t { AfterCalls, AtTheEnd };
  GhostMoment at(const State& shown, const Model& before, std::size_t calls,
                 Where where = Where::AfterCalls) const;

 private:
  // Of one thread of the shown run: its calls, ascending, and how many calls of the run before (of all
  // threads) are over for this thread at that place.
  struct Thread {
    std::vector<std::uint32_t> calls, there;
  };
  class Place;
  std::string name_here(const std::string& name) const;
  void compare_stacks(const State& shown, const Model& before, const Place& place, GhostMoment& found) const;
  void compare_memory(const State& shown, const Model& before, const Place& place, GhostMoment& found) const;
  void compare_contexts(const State& shown, const Model& before, const Place& place,
                        GhostMoment& found) const;

  const RunPair& pair_;
  const trace::Store& shown_;
  const trace::Store& before_;
  std::unordered_map<std::uint32_t, Thread> threads_;                           // of the shown run
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> calls_before_;  // by thread
  std::unordered_map<std::string, std::string> names_;  // of contexts: there -> here, where they differ
};

}  // namespace lab
