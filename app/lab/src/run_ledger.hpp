// Every allocation of a run with its life, so that those alive at any moment can be listed without replaying
// anything. It costs about 56 bytes for each allocation ever made, whatever the number alive.
//
// It knows nothing of events: the model tells it which one is being folded.
#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "apply.hpp"

namespace lab {

class RunLedger : public Ledger {
 public:
  void begin(std::size_t event) { event_ = event; }  // what follows is the effect of this event
  void end();                                        // all effects of this event are in

  void add(const Allocation& allocation) override;
  void remove(std::uint32_t number) override;
  std::optional<Allocation> starting_at(std::uint64_t address) const override;
  std::optional<Allocation> holding(std::uint64_t address) const override;
  std::vector<std::uint32_t> owned_by(std::uint32_t context) const override;
  void give(std::uint32_t from_context, std::uint32_t to_context) override;

  // Fills `state` with the allocations alive after the first `moment` events, and with the next number.
  void fill(State& state, std::size_t moment) const;
  const Allocation* numbered(std::uint32_t number) const;
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kAlive = ~std::size_t{0};
  struct Life {
    Allocation allocation;
    std::size_t made = 0, gone = kAlive;  // events
  };
  struct Roll {  // who was alive at a moment
    std::size_t moment = 0;
    std::vector<std::uint32_t> numbers;
  };
  struct Gift {  // allocations that changed owner: rare, so a list
    std::size_t event = 0;
    std::uint32_t number = 0, from = kNone;
  };
  std::uint32_t owner_at(const Life& life, std::size_t moment) const;

  std::vector<Life> lives_;                      // by number, from 1
  std::map<std::uint64_t, std::uint32_t> open_;  // start address -> number
  std::vector<Roll> rolls_;
  std::vector<Gift> gifts_;
  std::size_t event_ = 0;
  std::size_t since_roll_ = 0;
};

}  // namespace lab
