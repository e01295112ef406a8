// SPDX-License-Identifier: MIT
// A context: the state that a CUcontext refers to. A handle is the address of a context.
//
// Contexts are never deleted. A destroyed one stays in the list, because the real driver still recognises it:
// it can be current, even be pushed again, and every use of it returns 709 (truth stack_destroy_below_top,
// steps 9 to 20). A primary context can be activated again under the same handle (truth primary, step 31).
// Everything that is not atomic is guarded by Driver's lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <vector>

#include "core/api.hpp"
#include "core/device.hpp"

namespace driver {

enum class ContextKind { Created, Primary, Green };

class Streams;

// What a context owns besides memory: modules, streams, events. Its destructor is the hook: it runs, under
// Driver's lock, when the context is destroyed.
class OwnedObject {
 public:
  virtual ~OwnedObject() = default;

 private:
  friend class Context;
  std::list<std::unique_ptr<OwnedObject>>::iterator place_;  // among all of its context
};

class Runner;

class Context {
 public:
  // A green context's has a `home`: the primary context, whose memory and code it uses.
  Context(Device& device, ContextKind kind, Context* home = nullptr);
  ~Context();

  CUcontext handle() { return reinterpret_cast<CUcontext>(this); }
  Device& device() const { return device_; }
  ContextKind kind() const { return kind_; }
  Context& home() { return *home_; }  // whose memory and code it uses: its own, or that of a primary context
  bool alive() const { return alive_.load(std::memory_order_acquire); }
  std::uint64_t id() const { return id_; }

  // New state; a primary context that is activated again starts with it and gets a new id.
  void bring_to_life(std::uint64_t id);
  // Destroys what the context owns, the last made first. Memory frees the memory before this.
  void end();
  void own(std::unique_ptr<OwnedObject> object);
  void disown(const OwnedObject* object);
  // Its streams, the default ones included, and the order of what is done in them.
  Streams& streams() const { return *streams_; }

  std::atomic<unsigned> flags{0};
  // CUDA_LAUNCH_BLOCKING was 1 when it was created.
  std::atomic<bool> launches_wait{false};
  std::atomic<CUfunc_cache> cache_config{};
  std::atomic<CUsharedconfig> shared_memory_config{};
  std::atomic<std::size_t>& limit(CUlimit limit) { return limits_[static_cast<std::size_t>(limit)]; }
  // Created: 1, cuCtxAttach and cuCtxDetach. Primary: retain and release, which a reset does not change.
  int uses = 0;
  // Runs this context's kernels; a destroyed context has none. A thread that waits for it without Driver's
  // lock keeps a copy of the pointer.
  std::shared_ptr<Runner> runner;
  std::vector<Context*> greens;        // of a primary context: those that live
  std::set<const Context*> peers;      // whose memory its kernels may access
  mutable std::set<Context*> seen_by;  // those whose peer it is

 private:
  Device& device_;
  ContextKind kind_;
  Context* home_;
  std::atomic<bool> alive_{false};
  std::atomic<std::uint64_t> id_{0};
  std::array<std::atomic<std::size_t>, CU_LIMIT_MAX> limits_{};
  std::list<std::unique_ptr<OwnedObject>> objects_;
  Streams* streams_;  // never deleted, like the context: a thread may be working in one
};

// Every context that was ever made, so that a handle can be checked without reading from it.
class ContextRegistry {
 public:
  static constexpr std::uint32_t kCapacity = 65536;

  ContextRegistry();
  ~ContextRegistry();  // of a driver that could not be opened
  ContextRegistry(const ContextRegistry&) = delete;
  ContextRegistry& operator=(const ContextRegistry&) = delete;
  // Null when 65,536 contexts have been made, or no memory is left.
  Context* create(Device& device, ContextKind kind, Context* home = nullptr);
  // Null for a handle that was never returned. Takes no lock.
  Context* find(CUcontext handle) const;

 private:
  std::uint32_t count() const { return count_.load(std::memory_order_acquire); }

  Context* slots_ = nullptr;  // storage of `capacity`, made one by one
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace driver
