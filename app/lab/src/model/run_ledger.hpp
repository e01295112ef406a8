// SPDX-License-Identifier: MIT
// Every allocation and object of a run with its life, so that those alive at any moment can be listed without
// replaying anything. It costs about 90 bytes for each allocation and 130 for each object ever made, whatever
// the number alive, and about 100 for each piece of work that was put into a stream.
//
// Nothing here depends on what events contain: the model passes the number of the event that it folds.
#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "model/apply.hpp"
#include "model/history.hpp"
#include "model/kept_work.hpp"

namespace lab {

inline constexpr std::size_t kNeverGone = ~std::size_t{0};

class RunLedger : public Ledger {
 public:
  struct Span {  // events: the one that made it, and the one that ended it
    std::size_t made = 0, gone = kNeverGone;
  };

  void begin(std::size_t event) { event_ = event; }  // the following changes are the effect of this event
  void end();                                        // all effects of this event have been added

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

  const Work& work() const override { return work_.now(); }
  void change(const WorkChange& change) override { work_.add(event_, change); }
  const History<Work, WorkChange, KeptWork>& work_history() const { return work_; }
  const Graphs& graphs() const override { return graphs_.now(); }
  void change(const GraphChange& change) override { graphs_.add(event_, change); }
  const HostMemory& host() const override { return host_.now(); }
  void change(const HostChange& change) override { host_.add(event_, change); }
  bool variable_holding(std::uint64_t address) const override { return variable_at(address) != nullptr; }

  void give(std::uint32_t from_context, std::uint32_t to_context) override;

  // Fills `state` with what is alive after the first `moment` events, and with the next numbers.
  void fill(State& state, std::size_t moment) const;
  // Alive or not; as last known.
  const Allocation* numbered(std::uint32_t number) const;
  const Object* identified(ObjectId id) const;
  std::optional<Span> span(ObjectId id) const;  // of allocations and objects
  // The object that had this handle after the first `moment` events: a live one, or the last one that has
  // ended.
  const Object* last_of(ObjectKind kind, std::uint64_t handle, std::size_t moment) const;
  const Object* variable_at(std::uint64_t address) const;  // alive now, a variable or an address range
  std::uint32_t numbers(ObjectKind kind) const;            // how many were ever made
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kNoIndex = 0xffffffffu;
  // Objects rarely change while they live: their earlier values are in a list, newest first.
  template <class Thing>
  struct Life {
    Thing now;
    Span span;
    std::uint32_t before = kNoIndex;  // of Book::changes
  };
  template <class Thing>
  struct Before {
    Thing was;
    std::size_t event = 0;  // that changed it
    std::uint32_t older = kNoIndex;
  };
  struct Roll {  // who was alive at a moment, by index
    std::size_t moment = 0;
    std::vector<std::uint32_t> alive;
  };
  template <class Thing>
  struct Book {
    std::vector<Life<Thing>> lives;
    std::vector<Before<Thing>> changes;
    std::vector<Roll> rolls;
    std::size_t since_roll = 0;

    void change(std::uint32_t index, const Thing& now, std::size_t event);
    const Thing& as_of(const Life<Thing>& life, std::size_t moment) const;
    std::size_t made_before(std::size_t moment) const;
    void fill(AliveList<Thing>& things, std::size_t moment) const;
    std::size_t bytes() const;
  };
  struct ObjectLinks {               // beside each object's life
    std::uint32_t older = kNoIndex;  // the one before with the same kind and handle
    std::uint32_t first_given = kNoIndex, next_given = kNoIndex;
    std::uint32_t position = 0;  // in alive_
  };
  struct HandleKey {
    std::uint64_t handle;
    ObjectKind kind;
    bool operator==(const HandleKey&) const = default;
  };
  struct HandleHash {
    std::size_t operator()(const HandleKey& key) const {
      return (key.handle ^ (std::uint64_t{static_cast<std::uint8_t>(key.kind)} << 56)) *
                 0x9e3779b97f4a7c15u >>
             7;
    }
  };
  std::uint32_t index_of(ObjectId id) const;
  void remember_handle(std::uint32_t index);

  Book<Allocation> allocations_;                 // by number, from 1
  std::map<std::uint64_t, std::uint32_t> open_;  // start address -> number
  // Live ones by owner, so that what ends with a context is found without looking at everything: context,
  // number or index.
  using Owned = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  static std::vector<std::uint32_t> of_owner(const Owned& owned, std::uint32_t context);
  Owned owned_allocations_, owned_objects_;
  Book<Object> objects_;  // by serial, from 1
  std::vector<ObjectLinks> links_;
  std::array<std::vector<std::uint32_t>, kObjectKinds> by_kind_;      // number - 1 -> index
  std::unordered_map<HandleKey, std::uint32_t, HandleHash> handles_;  // -> the latest with it
  std::vector<std::uint32_t> alive_;                                  // indices, in no order
  std::map<std::uint64_t, std::uint32_t> variables_;  // start address -> index; alive variables and ranges
  History<Work, WorkChange, KeptWork> work_;
  History<Graphs, GraphChange, KeptAsIs<GraphChange>> graphs_;
  History<HostMemory, HostChange, KeptAsIs<HostChange>> host_;
  std::size_t event_ = 0;
};

}  // namespace lab
