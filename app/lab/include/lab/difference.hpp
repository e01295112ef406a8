// SPDX-License-Identifier: MIT
// What is different between two moments of a run, and where two runs part. Pure; nothing is kept.
//
// Results are not translated: they hold the model's names, and whoever shows them makes sentences.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/model.hpp"
#include "lab/state.hpp"
#include "trace/store.hpp"

namespace lab {

enum class Aspect : std::uint8_t {
  Flags,
  UseCount,     // cuCtxAttach less cuCtxDetach
  RetainCount,  // of a primary context
  Active,       // of a primary context: "true", "false"
  Owner,        // the context's name
  Place,        // of managed memory: the device's ordinal, "host", or ""
  References,   // of physical memory
  Handle,
};

struct Difference {
  struct Changed {
    ObjectId object;
    Aspect aspect = Aspect::Flags;
    std::string before, after;
  };
  struct Stack {
    std::uint32_t thread = 0;
    std::vector<std::string> before, after;  // names, bottom first
  };
  // In the order of State: contexts, allocations, objects, threads.
  std::vector<ObjectId> created, ended;
  std::vector<Changed> changed;
  std::vector<Stack> stacks;

  bool nothing() const { return created.empty() && ended.empty() && changed.empty() && stacks.empty(); }
};
// What has to happen to `before` to make `after` of it. The two are moments of one run, in either order.
Difference difference(const State& before, const State& after);

// A run to be compared. The model must have followed the store to its end.
struct ComparedRun {
  const Model& model;
  const trace::Store& store;
};

struct CompareOptions {
  // Numbers that the program passed: sizes, dimensions, counts. Not those that it received. Two machines may
  // differ in them, two runs on one machine should not.
  bool numbers = true;
  std::size_t most_calls = ~std::size_t{0};
};

struct Divergence {
  enum class What : std::uint8_t {
    Call,       // another function was called
    Result,     // it answered otherwise
    Arguments,  // it was about other objects
    Stack,      // the stack after it is another
    Objects,    // it made or ended other objects
    Ends        // one run has no further calls on this thread
  };
  What what = What::Call;
  std::uint32_t thread = 0;
  std::optional<std::size_t> event_a, event_b;  // the call on either side; absent on the side that ended
  std::string a, b;                             // what either side shows
};

struct Comparison {
  std::size_t calls = 0;  // that were compared and found equal
  std::optional<Divergence> first;
};
// Each thread's calls against those of the thread with its number, as threads overlap differently in every
// run; the first place is the one that comes first in `a`. Addresses, unnamed handles, device numbers and
// times are left out; child processes are.
Comparison first_divergence(const ComparedRun& a, const ComparedRun& b, const CompareOptions& options = {});

}  // namespace lab
