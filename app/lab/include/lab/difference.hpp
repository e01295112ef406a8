// SPDX-License-Identifier: MIT
// What is different between two moments of a run, and the first difference between two runs. Pure; nothing is
// kept.
//
// Results are not translated: they contain the model's names, and the code that shows them makes sentences.
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
  UseCount,     // cuCtxAttach minus cuCtxDetach
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
// The changes that turn `before` into `after`. Both are moments of one run, in either order.
Difference difference(const State& before, const State& after);

// A run to be compared. The model must have followed the store to its end.
struct ComparedRun {
  const Model& model;
  const trace::Store& store;
};

struct CompareOptions {
  // Compares numbers that the program passed (sizes, dimensions, counts), but not those that it received.
  // They may differ between two machines, but should not between two runs on one machine.
  bool numbers = true;
  std::size_t most_calls = ~std::size_t{0};
};

struct Divergence {
  enum class What : std::uint8_t {
    Call,       // another function was called
    Result,     // the call returned another result
    Arguments,  // the call was about other objects
    Stack,      // the stack after the call is different
    Objects,    // the call made or ended other objects
    Ends        // one run has no further calls on this thread
  };
  What what = What::Call;
  std::uint32_t thread = 0;
  std::optional<std::size_t> event_a, event_b;  // the call in each run; nothing in a run that has ended
  std::string a, b;                             // what is different in each run
};

struct Comparison {
  std::size_t calls = 0;  // compared and found equal, before the first difference
  std::optional<Divergence> first;
  std::vector<Divergence> forks;  // the first difference on each thread that has one, in the order of `a`
};
// Compares the calls of each thread with those of the thread with the same number, because threads overlap
// differently in every run. The first difference is the one that comes first in `a`. Two objects are the same
// if the same call made them, whatever their names. Addresses, unnamed handles, device numbers, times and
// child processes are not compared.
Comparison first_divergence(const ComparedRun& a, const ComparedRun& b, const CompareOptions& options = {});

}  // namespace lab
