// SPDX-License-Identifier: MIT
// The ledger of a State itself: its lists of allocations and objects. For a single event it scans them. A
// caller that applies many events to a state keeps the ledger, which then makes an index.
#pragma once
#include <map>
#include <set>
#include <tuple>

#include "model/apply.hpp"

namespace lab {

class StateLedger : public Ledger {
 public:
  // If `touched` is given, it lists the allocations and objects that were added, changed or removed.
  explicit StateLedger(State& state, Touched* touched = nullptr) : state_(state), touched_(touched) {}
  void forget();  // the state's allocations and objects were replaced

  void add(const Allocation& allocation) override;
  void remove(std::uint32_t number) override;
  std::optional<Allocation> starting_at(std::uint64_t address) const override;
  std::optional<Allocation> holding(std::uint64_t address) const override;
  std::vector<std::uint32_t> owned_by(std::uint32_t context) const override;
  std::vector<Allocation> between(std::uint64_t from, std::uint64_t bytes) const override;
  void change(const Allocation& now) override;

  void add(const Object& object) override;
  void end(ObjectId id) override;
  void change(const Object& now) override;
  std::optional<Object> object(ObjectId id) const override;
  std::optional<Object> object_of(ObjectKind kind, std::uint64_t handle) const override;
  std::vector<ObjectId> objects_of(std::uint32_t context) const override;
  std::vector<ObjectId> given_by(ObjectId owner) const override;

  const Work& work() const override { return state_.work; }
  void change(const WorkChange& change) override { state_.work.apply(change); }
  const Graphs& graphs() const override { return state_.graphs; }
  void change(const GraphChange& change) override { state_.graphs.apply(change); }
  const HostMemory& host() const override { return state_.host; }
  void change(const HostChange& change) override { state_.host.apply(change); }
  bool variable_holding(std::uint64_t address) const override { return state_.object_at(address) != nullptr; }

  void give(std::uint32_t from_context, std::uint32_t to_context) override;

 private:
  static constexpr unsigned kScansBeforeIndex = 16;
  AliveList<Allocation>::iterator numbered(std::uint32_t number) const;
  AliveList<Object>::iterator identified(ObjectId id) const;
  AliveList<Object>::iterator serial(std::uint32_t serial) const;
  bool indexed() const;  // makes the index when it has scanned often enough
  void touch(const Allocation& allocation);
  void touch(const Object& object);
  void enter(const Object& object) const;
  void leave(const Object& object) const;

  State& state_;
  Touched* const touched_;
  mutable std::map<std::uint64_t, std::uint32_t> index_;  // start address -> number
  // Of objects, with their serials last.
  mutable std::set<std::tuple<ObjectId, std::uint32_t>> ids_;
  mutable std::set<std::tuple<ObjectKind, std::uint64_t, std::uint32_t>> handles_;
  mutable std::set<std::tuple<ObjectId, std::uint32_t>> given_;  // by their owners
  mutable unsigned scans_ = 0;
};

}  // namespace lab
