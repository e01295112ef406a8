// Lives of allocations, and rolls of those alive taken now and then, so that a moment is a roll plus those
// made since, less those gone by then.
#include "run_ledger.hpp"

#include <algorithm>

namespace lab {
namespace {

constexpr std::size_t kLeastBetweenRolls = 4096;

}  // namespace

void RunLedger::add(const Allocation& allocation) {
  Life life;
  life.allocation = allocation;
  life.made = event_;
  lives_.push_back(life);
  open_[allocation.address] = allocation.number;
  ++since_roll_;
}

void RunLedger::remove(std::uint32_t number) {
  Life& life = lives_[number - 1];
  life.gone = event_;
  open_.erase(life.allocation.address);
  ++since_roll_;
}

// A roll costs four bytes for each allocation alive; it pays once the list of changes is as long.
void RunLedger::end() {
  if (since_roll_ < std::max(kLeastBetweenRolls, 2 * open_.size())) return;
  Roll roll;
  roll.moment = event_ + 1;
  roll.numbers.reserve(open_.size());
  for (const auto& [address, number] : open_) roll.numbers.push_back(number);
  std::sort(roll.numbers.begin(), roll.numbers.end());
  rolls_.push_back(std::move(roll));
  since_roll_ = 0;
}

std::optional<Allocation> RunLedger::starting_at(std::uint64_t address) const {
  const auto found = open_.find(address);
  return found == open_.end() ? std::nullopt : std::optional(lives_[found->second - 1].allocation);
}

std::optional<Allocation> RunLedger::holding(std::uint64_t address) const {
  auto after = open_.upper_bound(address);
  if (after == open_.begin()) return std::nullopt;
  const Allocation& allocation = lives_[std::prev(after)->second - 1].allocation;
  return address - allocation.address < allocation.size ? std::optional(allocation) : std::nullopt;
}

std::vector<std::uint32_t> RunLedger::owned_by(std::uint32_t context) const {
  std::vector<std::uint32_t> numbers;
  for (const auto& [address, number] : open_)
    if (lives_[number - 1].allocation.context == context) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void RunLedger::give(std::uint32_t from_context, std::uint32_t to_context) {
  for (const std::uint32_t number : owned_by(from_context)) {
    gifts_.push_back({event_, number, from_context});
    lives_[number - 1].allocation.context = to_context;
  }
}

std::uint32_t RunLedger::owner_at(const Life& life, std::size_t moment) const {
  for (const Gift& gift : gifts_)  // the first gift after the moment tells who owned it until then
    if (gift.number == life.allocation.number && gift.event >= moment) return gift.from;
  return life.allocation.context;
}

void RunLedger::fill(State& state, std::size_t moment) const {
  state.allocations.clear();
  const auto made_before = [this](std::size_t event) {
    return static_cast<std::size_t>(
        std::partition_point(lives_.begin(), lives_.end(),
                             [event](const Life& life) { return life.made < event; }) -
        lives_.begin());
  };
  const auto take = [&](const Life& life) {
    if (life.gone < moment) return;
    state.allocations.push_back(life.allocation);
    if (!gifts_.empty()) state.allocations.back().context = owner_at(life, moment);
  };
  const auto after = std::partition_point(rolls_.begin(), rolls_.end(),
                                          [moment](const Roll& roll) { return roll.moment <= moment; });
  std::size_t from = 0;
  if (after != rolls_.begin()) {
    const Roll& roll = *std::prev(after);
    for (const std::uint32_t number : roll.numbers) take(lives_[number - 1]);
    from = made_before(roll.moment);
  }
  const std::size_t end = made_before(moment);
  for (std::size_t i = from; i < end; ++i) take(lives_[i]);
  state.next_allocation = static_cast<std::uint32_t>(end + 1);
}

const Allocation* RunLedger::numbered(std::uint32_t number) const {
  return number == 0 || number > lives_.size() ? nullptr : &lives_[number - 1].allocation;
}

std::size_t RunLedger::bytes() const {
  constexpr std::size_t kMapNode = 48;
  std::size_t total = lives_.capacity() * sizeof(Life) + open_.size() * kMapNode +
                      gifts_.capacity() * sizeof(Gift) + rolls_.capacity() * sizeof(Roll);
  for (const Roll& roll : rolls_) total += roll.numbers.capacity() * sizeof(std::uint32_t);
  return total;
}

}  // namespace lab
