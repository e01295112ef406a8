// SPDX-License-Identifier: MIT
// The state at one moment of a run, as far as driver calls show it: threads with their context stacks,
// devices, contexts, allocations, and every other object. A plain value; a keyframe is a copy of it. Nothing
// here depends on a window or a language.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/alive_list.hpp"
#include "lab/graph_shape.hpp"
#include "lab/handle_index.hpp"
#include "lab/host_memory.hpp"
#include "lab/object.hpp"
#include "lab/work.hpp"

namespace lab {

// Contexts are never removed from State::contexts; a destroyed one stays there, so indices are valid for the
// whole run.
struct Context {
  std::string name;          // "A", "B", … "Z", "AA" for created contexts; "P0", "P1" for primary ones
  std::uint64_t handle = 0;  // 0 for a primary context that was never retained
  std::uint32_t device = 0;
  bool primary = false;
  bool alive = true;               // primary: a call has returned the handle; see `active`
  bool active = true;              // primary: it is retained, so it has objects of its own
  std::uint32_t retain_count = 0;  // primary: retains minus releases
  std::uint32_t use_count = 1;     // created: changed by attach and detach
  std::uint32_t flags = 0;
  std::uint64_t created_at = 0;  // event seq
  std::optional<std::uint64_t> destroyed_at;
  // The handle of the green context that it is of, or 0. What is made while it is current belongs to the
  // primary context of its device, all but streams.
  std::uint64_t green = 0;
  // It was known only by its handle, and turned out to be another context of this list: not shown any more.
  bool hidden = false;

  // For good: a primary context never is, the next retain activates it under the same handle.
  bool is_destroyed() const { return !primary && !alive; }
  // The driver would refuse its handle: it is destroyed, or a primary context without a retain.
  bool is_dead() const { return primary ? !active : !alive; }
  bool operator==(const Context&) const = default;
};

using MemoryKind = api::MemoryKind;
using api::kMemoryKinds;

inline constexpr std::uint32_t kHost = 0xfffffffeu;  // a place that is no device

struct Allocation {
  std::uint32_t number = 0;  // #1, #2, … over the run
  std::uint64_t address = 0;
  std::uint64_t size = 0;  // in bytes; 0: not known
  MemoryKind kind = MemoryKind::Device;
  std::uint32_t context = kNone;  // owner; kNone: the process owns it, so it outlives contexts
  std::uint64_t created_at = 0;
  std::uint32_t device = kNone;  // ordinal, for Pooled and Mapped, if it is known
  // Managed: the device (or kHost) to which it was last prefetched; kNone: the driver moves it when it is
  // used.
  std::uint32_t place = kNone;
  ObjectId from = {};  // Pooled: its pool; Mapped: its physical memory; if it is known

  bool operator==(const Allocation&) const = default;
};

// All of a thread but its stack.
struct ThreadFacts {
  std::uint32_t number = 0;  // as Event::thread
  std::string name;          // "main", or the name that the program gave it, or ""
  bool alive = true;
  std::uint32_t driver_current = kNone;  // the context that the driver last reported; kNone for null
  bool driver_asked = false;
  // False at the event where the driver reported another context than the top of the stack. The stack has
  // then already been corrected.
  bool agree = true;
  std::uint32_t runtime_device = 0;  // of the last cudaSetDevice: the runtime uses its primary context

  bool operator==(const ThreadFacts&) const = default;
};

struct Thread : ThreadFacts {
  std::vector<std::uint32_t> stack;  // context indices, bottom first, as the model follows it

  bool operator==(const Thread&) const = default;
};

struct Device {
  std::uint32_t ordinal = 0;          // its index in State::devices
  std::string name;                   // "" until the program asks
  std::uint64_t total_bytes = 0;      // 0 when unknown
  std::uint32_t primary = kNone;      // index of its primary context, made with the device
  std::uint32_t multiprocessors = 0;  // 0 when unknown
  // Handles of its pools of device memory. The current one is 0 until the program sets one: it is the default
  // one, whose handle is 0 until the program asks.
  std::uint64_t default_pool = 0, current_pool = 0;

  std::uint64_t pool() const { return current_pool != 0 ? current_pool : default_pool; }
  bool operator==(const Device&) const = default;
};

// A change made by the event that led to this state; used for highlights and animation.
struct Change {
  enum class Kind : std::uint8_t {
    None,
    Initialised,
    ContextCreated,
    ContextDestroyed,
    Pushed,
    Popped,
    CurrentReplaced,
    PrimaryRetained,
    PrimaryReleased,
    PrimaryActivated,
    PrimaryDeactivated,
    Allocated,
    Freed,
    MemoryWritten,
    Failed,
    ThreadStarted,
    ThreadEnded,
    ProcessEnded,
    FlagsChanged,
    UseCountChanged,
    ObjectCreated,
    ObjectEnded,
    ObjectChanged,
    MemoryMoved,  // managed memory was prefetched
    Launched      // a kernel or a graph
  };
  Kind kind = Kind::None;
  std::uint32_t thread = 0;
  std::uint32_t context = kNone;
  std::uint32_t allocation = 0;  // Allocation::number
  ObjectId object = {};          // of State::objects

  bool operator==(const Change&) const = default;
};

struct State {
  std::uint64_t events = 0;  // how many events led to this state
  // The process of this state, as Event::process: handles and addresses have no meaning in another process.
  std::uint32_t process = 0;
  bool initialised = false;            // a cuInit succeeded
  bool initialised_elsewhere = false;  // a cuInit succeeded in another process of the run
  std::vector<Device> devices;
  std::vector<Context> contexts;      // add_context() adds new ones
  HandleIndex handles;                // of the contexts
  AliveList<Allocation> allocations;  // alive ones, by creation
  AliveList<Object> objects;          // alive ones, by creation
  Work work;                          // in streams, not known to be done
  Graphs graphs;
  HostMemory host;
  std::vector<Thread> threads;
  std::vector<Change> changes;                                       // of the last event only
  std::map<std::uint64_t, std::uint32_t> described_multiprocessors;  // by the handle of the description
  std::map<std::uint64_t, std::uint32_t> green_devices;  // ordinal, by the handle of the green context
  std::uint32_t next_letter = 0;
  std::uint32_t next_allocation = 1;
  std::uint32_t objects_made = 0;                           // the serial of the last one
  std::array<std::uint32_t, kObjectKinds> kinds_made = {};  // by kind: the number of the last one
  bool ended = false;
  std::string program_name;  // the name of the main thread; other threads first have the same name

  std::uint32_t add_context(Context context);  // returns its index
  void set_handle(std::uint32_t context, std::uint64_t handle);

  std::size_t thread_index(std::uint32_t number) const;  // threads.size() if it is not known
  const Thread* thread(std::uint32_t number) const;
  // Of the thread with this number; one that is not known has an empty stack.
  const std::vector<std::uint32_t>& stack_of(std::uint32_t number) const;
  std::vector<std::string> stack_names(std::uint32_t number) const;
  std::uint32_t current_of(std::uint32_t number) const;  // the top of its stack; kNone
  std::uint32_t context_of(std::uint64_t handle) const;  // the live one, else the last destroyed; kNone
  std::string context_name(std::uint64_t handle) const;  // "A", "null", or "0x…" if not known
  std::vector<bool> on_stacks() const;  // by context index; false for a live created context: it is floating
  const Allocation* allocation_at(std::uint64_t address) const;          // the one that contains this address
  const Object* object(ObjectId id) const;                               // nullptr if it is not alive
  const Object* object_of(ObjectKind kind, std::uint64_t handle) const;  // nullptr if it is not alive
  const Object* object_at(std::uint64_t address) const;  // the variable or address range that contains it
  // "A", "P0", "main", "thread 2", "device 0", "#3", "M1", "M1.vecAdd"; "" for an object with a name of its
  // own that is not alive in this state.
  std::string name_of(ObjectId id) const;

  bool operator==(const State&) const = default;
};

// What may differ between two moments of one process. What is not listed is the same in both; devices, of
// which there are few, the work in streams, the nodes of graphs and plain host memory are never
// listed. Something may be listed twice.
struct Touched {
  struct OfThread {
    std::uint32_t number = 0;  // Thread::number
    std::size_t same = 0;      // so many contexts at the bottom of its stack are the same
  };
  bool all = true;  // the later moment was not reached from the earlier one event by event: nothing is listed
  std::size_t since = 0;                   // the earlier moment
  std::vector<std::uint32_t> contexts;     // indices
  std::vector<std::uint32_t> allocations;  // Allocation::number
  std::vector<std::uint32_t> objects;      // Object::serial
  std::vector<OfThread> threads;
};

}  // namespace lab
