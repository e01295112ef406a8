// SPDX-License-Identifier: MIT
// The world at one moment of a run, as far as driver calls tell: threads with their context stacks, devices,
// contexts, allocations, and every other object. A plain value: copying it is taking a keyframe. It knows no
// window and no language.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/alive_list.hpp"
#include "lab/handle_index.hpp"
#include "lab/object.hpp"

namespace lab {

// Contexts never leave State::contexts; a destroyed one stays with its end, so indices are stable for a run.
struct Context {
  std::string name;          // "A", "B", … "Z", "AA" for created ones; "P0", "P1" for primaries
  std::uint64_t handle = 0;  // 0 for a primary nobody has retained yet
  std::uint32_t device = 0;
  bool primary = false;
  bool alive = true;               // primary: the handle has been seen; see `active`
  bool active = true;              // primary: retained, so it holds state
  std::uint32_t retain_count = 0;  // primary: retains less releases
  std::uint32_t use_count = 1;     // created: attach and detach
  std::uint32_t flags = 0;
  std::uint64_t created_at = 0;  // event seq
  std::optional<std::uint64_t> destroyed_at;
  // Seen only as a handle, and known since as another context of this list: not to be shown any more.
  bool hidden = false;

  bool operator==(const Context&) const = default;
};

using MemoryKind = api::MemoryKind;
using api::kMemoryKinds;

inline constexpr std::uint32_t kHost = 0xfffffffeu;  // a place that is no device

struct Allocation {
  std::uint32_t number = 0;  // #1, #2, … over the run
  std::uint64_t address = 0;
  std::uint64_t size = 0;  // bytes; 0: nobody said
  MemoryKind kind = MemoryKind::Device;
  std::uint32_t context = kNone;  // owner; kNone: the process's, it outlives contexts
  std::uint64_t created_at = 0;
  std::uint32_t device = kNone;  // ordinal; for Pooled and Mapped, where it is known
  // Managed: the device (or kHost) to which it was last prefetched; kNone: the driver moves it as it is used.
  std::uint32_t place = kNone;
  ObjectId from = {};  // Pooled: its pool, Mapped: its physical memory, where known

  bool operator==(const Allocation&) const = default;
};

struct Thread {
  std::uint32_t number = 0;  // as Event::thread
  std::string name;          // "main", or what the program called it, or ""
  bool alive = true;
  std::vector<std::uint32_t> stack;      // context indices, bottom first, as followed by the model
  std::uint32_t driver_current = kNone;  // what the driver last said; kNone for null
  bool driver_asked = false;
  // False at the event where the top of `stack` was not what the driver said; the stack then already shows
  // what the driver said.
  bool agree = true;
  std::uint32_t runtime_device = 0;  // the last cudaSetDevice of this thread: whose primary the runtime takes

  bool operator==(const Thread&) const = default;
};

struct Device {
  std::uint32_t ordinal = 0;      // its index in State::devices
  std::string name;               // "" until the program asks
  std::uint64_t total_bytes = 0;  // 0 when unknown
  std::uint32_t primary = kNone;  // index of its primary context, made with the device

  bool operator==(const Device&) const = default;
};

// What the event that led to this state changed; drives highlights and animation.
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
  std::uint64_t events = 0;  // how many events led here
  // Whose world it is, as Event::process: handles and addresses of one process mean nothing in another.
  std::uint32_t process = 0;
  bool initialised = false;            // a cuInit succeeded
  bool initialised_elsewhere = false;  // one succeeded in another process of the run
  std::vector<Device> devices;
  std::vector<Context> contexts;      // new ones by add_context()
  HandleIndex handles;                // of the contexts
  AliveList<Allocation> allocations;  // alive ones, by creation
  AliveList<Object> objects;          // alive ones, by creation
  std::vector<Thread> threads;
  std::vector<Change> changes;  // of the last event only
  std::uint32_t next_letter = 0;
  std::uint32_t next_allocation = 1;
  std::uint32_t objects_made = 0;                           // the serial of the last one
  std::array<std::uint32_t, kObjectKinds> kinds_made = {};  // by kind: the number of the last one
  bool ended = false;
  std::string program_name;  // as the main thread is called; others begin with the same name

  std::uint32_t add_context(Context context);  // its index
  void set_handle(std::uint32_t context, std::uint64_t handle);

  std::size_t thread_index(std::uint32_t number) const;  // threads.size() where it is not known
  const Thread* thread(std::uint32_t number) const;
  std::uint32_t context_of(std::uint64_t handle) const;  // alive first, then the latest dead; kNone
  std::string context_name(std::uint64_t handle) const;  // "A", "null", or "0x…" when unknown
  std::vector<bool> on_stacks() const;  // by context; false for an alive created one: floating
  const Allocation* allocation_at(std::uint64_t address) const;          // the one that holds this address
  const Object* object(ObjectId id) const;                               // alive ones; nullptr
  const Object* object_of(ObjectKind kind, std::uint64_t handle) const;  // alive ones; nullptr
  const Object* object_at(std::uint64_t address) const;  // the variable or address range that holds it
  // "A", "P0", "main", "thread 2", "device 0", "#3", "M1", "M1.vecAdd"; "" for what is not alive here and has
  // a name of its own.
  std::string name_of(ObjectId id) const;

  bool operator==(const State&) const = default;
};

}  // namespace lab
