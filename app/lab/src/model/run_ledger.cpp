// SPDX-License-Identifier: MIT
// See run_ledger.hpp. Every life is kept and, from time to time, a list of what is alive ("roll"). What is
// alive at a moment is the last roll before it, plus what was made since, minus what has ended since.
#include "model/run_ledger.hpp"

#include <algorithm>

namespace lab {
namespace {

constexpr std::size_t kLeastBetweenRolls = 4096;

bool has_address(ObjectKind kind) {
  return kind == ObjectKind::Global || kind == ObjectKind::ManagedVariable ||
         kind == ObjectKind::AddressRange;
}

}  // namespace

template <class Thing>
void RunLedger::Book<Thing>::change(std::uint32_t index, const Thing& now, std::size_t event) {
  Life<Thing>& life = lives[index];
  changes.push_back({life.now, event, life.before});
  life.before = static_cast<std::uint32_t>(changes.size() - 1);
  life.now = now;
}

// The first change after the moment has the value that was valid until then.
template <class Thing>
const Thing& RunLedger::Book<Thing>::as_of(const Life<Thing>& life, std::size_t moment) const {
  const Thing* thing = &life.now;
  for (std::uint32_t i = life.before; i != kNoIndex && changes[i].event >= moment; i = changes[i].older)
    thing = &changes[i].was;
  return *thing;
}

template <class Thing>
std::size_t RunLedger::Book<Thing>::made_before(std::size_t moment) const {
  const auto end = std::partition_point(
      lives.begin(), lives.end(), [moment](const Life<Thing>& life) { return life.span.made < moment; });
  return static_cast<std::size_t>(end - lives.begin());
}

template <class Thing>
void RunLedger::Book<Thing>::fill(AliveList<Thing>& things, std::size_t moment) const {
  things.clear();
  const auto take = [&](const Life<Thing>& life) {
    if (life.span.gone >= moment) things.push_back(as_of(life, moment));
  };
  const auto after = std::partition_point(rolls.begin(), rolls.end(),
                                          [moment](const Roll& roll) { return roll.moment <= moment; });
  std::size_t from = 0;
  if (after != rolls.begin()) {
    const Roll& roll = *std::prev(after);
    for (const std::uint32_t index : roll.alive) take(lives[index]);
    from = made_before(roll.moment);
  }
  const std::size_t end = made_before(moment);
  for (std::size_t i = from; i < end; ++i) take(lives[i]);
}

template <class Thing>
std::size_t RunLedger::Book<Thing>::bytes() const {
  std::size_t total = lives.capacity() * sizeof(Life<Thing>) + changes.capacity() * sizeof(Before<Thing>) +
                      rolls.capacity() * sizeof(Roll);
  for (const Roll& roll : rolls) total += roll.alive.capacity() * sizeof(std::uint32_t);
  return total;
}

// A roll costs four bytes for each live member; it is worth it when the list of changes is as long.
void RunLedger::end() {
  const auto due = [](std::size_t since, std::size_t alive) {
    return since >= std::max(kLeastBetweenRolls, 2 * alive);
  };
  const auto take = [this](auto& book, std::vector<std::uint32_t> alive) {
    std::sort(alive.begin(), alive.end());
    book.rolls.push_back({event_ + 1, std::move(alive)});
    book.since_roll = 0;
  };
  if (due(allocations_.since_roll, open_.size())) {
    std::vector<std::uint32_t> alive;
    alive.reserve(open_.size());
    for (const auto& [address, number] : open_) alive.push_back(number - 1);
    take(allocations_, std::move(alive));
  }
  if (due(objects_.since_roll, alive_.size())) take(objects_, alive_);
}

void RunLedger::add(const Allocation& allocation) {
  allocations_.lives.push_back({allocation, {event_, kNeverGone}, kNoIndex});
  open_[allocation.address] = allocation.number;
  owned_allocations_.emplace(allocation.context, allocation.number);
  ++allocations_.since_roll;
}

void RunLedger::remove(std::uint32_t number) {
  Life<Allocation>& life = allocations_.lives[number - 1];
  life.span.gone = event_;
  if (const auto open = open_.find(life.now.address); open != open_.end() && open->second == number)
    open_.erase(open);
  owned_allocations_.erase({life.now.context, number});
  ++allocations_.since_roll;
}

std::optional<Allocation> RunLedger::starting_at(std::uint64_t address) const {
  const auto found = open_.find(address);
  return found == open_.end() ? std::nullopt : std::optional(allocations_.lives[found->second - 1].now);
}

std::optional<Allocation> RunLedger::holding(std::uint64_t address) const {
  auto after = open_.upper_bound(address);
  if (after == open_.begin()) return std::nullopt;
  const Allocation& allocation = allocations_.lives[std::prev(after)->second - 1].now;
  if (address - allocation.address >= std::max<std::uint64_t>(allocation.size, 1)) return std::nullopt;
  return allocation;
}

std::vector<std::uint32_t> RunLedger::owned_by(std::uint32_t context) const {
  return of_owner(owned_allocations_, context);
}

std::vector<std::uint32_t> RunLedger::of_owner(const Owned& owned, std::uint32_t context) {
  std::vector<std::uint32_t> found;
  for (auto it = owned.lower_bound({context, 0}); it != owned.end() && it->first == context; ++it)
    found.push_back(it->second);
  return found;
}

std::vector<Allocation> RunLedger::between(std::uint64_t from, std::uint64_t bytes) const {
  std::vector<Allocation> found;
  for (auto it = open_.lower_bound(from); it != open_.end() && it->first - from < bytes; ++it)
    found.push_back(allocations_.lives[it->second - 1].now);
  return found;
}

void RunLedger::change(const Allocation& now) {
  if (const std::uint32_t owner = allocations_.lives[now.number - 1].now.context;
      owner != now.context && owned_allocations_.erase({owner, now.number}) > 0)
    owned_allocations_.emplace(now.context, now.number);
  allocations_.change(now.number - 1, now, event_);
}

void RunLedger::remember_handle(std::uint32_t index) {
  const Object& object = objects_.lives[index].now;
  if (object.handle == 0) return;
  const auto [place, fresh] = handles_.try_emplace({object.handle, object.id.kind}, index);
  if (fresh) return;
  links_[index].older = place->second;
  place->second = index;
}

void RunLedger::add(const Object& object) {
  const auto index = static_cast<std::uint32_t>(objects_.lives.size());
  objects_.lives.push_back({object, {event_, kNeverGone}, kNoIndex});
  ObjectLinks links;
  links.position = static_cast<std::uint32_t>(alive_.size());
  if (object.given && object.owner) {
    if (const std::uint32_t owner = index_of(object.owner); owner != kNoIndex) {
      links.next_given = links_[owner].first_given;
      links_[owner].first_given = index;
    }
  }
  links_.push_back(links);
  alive_.push_back(index);
  owned_objects_.emplace(object.context, index);
  by_kind_[static_cast<std::size_t>(object.id.kind)].push_back(index);
  remember_handle(index);
  if (has_address(object.id.kind)) variables_[object.handle] = index;
  ++objects_.since_roll;
}

void RunLedger::end(ObjectId id) {
  const std::uint32_t index = index_of(id);
  if (index == kNoIndex || objects_.lives[index].span.gone != kNeverGone) return;
  Life<Object>& life = objects_.lives[index];
  life.span.gone = event_;
  const std::uint32_t position = links_[index].position;
  links_[alive_.back()].position = position;
  alive_[position] = alive_.back();
  alive_.pop_back();
  owned_objects_.erase({life.now.context, index});
  if (has_address(id.kind))
    if (const auto found = variables_.find(life.now.handle);
        found != variables_.end() && found->second == index)
      variables_.erase(found);
  ++objects_.since_roll;
}

void RunLedger::change(const Object& now) {
  const std::uint32_t index = index_of(now.id);
  if (index == kNoIndex) return;
  const bool other_handle = objects_.lives[index].now.handle != now.handle;
  if (const std::uint32_t owner = objects_.lives[index].now.context;
      owner != now.context && owned_objects_.erase({owner, index}) > 0)
    owned_objects_.emplace(now.context, index);
  objects_.change(index, now, event_);
  if (other_handle) remember_handle(index);
}

std::uint32_t RunLedger::index_of(ObjectId id) const {
  const auto& numbers = by_kind_[static_cast<std::size_t>(id.kind)];
  return id.number == 0 || id.number > numbers.size() ? kNoIndex : numbers[id.number - 1];
}

std::optional<Object> RunLedger::object(ObjectId id) const {
  const std::uint32_t index = index_of(id);
  if (index == kNoIndex || objects_.lives[index].span.gone != kNeverGone) return std::nullopt;
  return objects_.lives[index].now;
}

std::optional<Object> RunLedger::object_of(ObjectKind kind, std::uint64_t handle) const {
  if (handle == 0) return std::nullopt;
  const auto found = handles_.find({handle, kind});
  if (found == handles_.end()) return std::nullopt;
  const Life<Object>& life = objects_.lives[found->second];  // earlier objects with this handle have ended
  return life.span.gone == kNeverGone ? std::optional(life.now) : std::nullopt;
}

std::vector<ObjectId> RunLedger::objects_of(std::uint32_t context) const {
  const std::vector<std::uint32_t> found = of_owner(owned_objects_, context);
  std::vector<ObjectId> ids;
  ids.reserve(found.size());
  for (const std::uint32_t index : found) ids.push_back(objects_.lives[index].now.id);
  return ids;
}

std::vector<ObjectId> RunLedger::given_by(ObjectId owner) const {
  std::vector<ObjectId> ids;
  const std::uint32_t index = index_of(owner);
  for (std::uint32_t i = index == kNoIndex ? kNoIndex : links_[index].first_given; i != kNoIndex;
       i = links_[i].next_given)
    if (objects_.lives[i].span.gone == kNeverGone) ids.push_back(objects_.lives[i].now.id);
  std::reverse(ids.begin(), ids.end());
  return ids;
}

void RunLedger::give(std::uint32_t from_context, std::uint32_t to_context) {
  for (const std::uint32_t number : owned_by(from_context)) {
    Allocation now = allocations_.lives[number - 1].now;
    now.context = to_context;
    change(now);
  }
  for (const ObjectId id : objects_of(from_context)) {
    Object now = objects_.lives[index_of(id)].now;
    now.context = to_context;
    change(now);
  }
  change(given_work(from_context, to_context));
}

void RunLedger::fill(State& state, std::size_t moment) const {
  allocations_.fill(state.allocations, moment);
  state.next_allocation = static_cast<std::uint32_t>(allocations_.made_before(moment) + 1);
  objects_.fill(state.objects, moment);
  const auto made = static_cast<std::uint32_t>(objects_.made_before(moment));
  state.objects_made = made;
  for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
    const auto& indices = by_kind_[kind];
    state.kinds_made[kind] =
        static_cast<std::uint32_t>(std::lower_bound(indices.begin(), indices.end(), made) - indices.begin());
  }
  work_.fill(state.work, moment);
  graphs_.fill(state.graphs, moment);
  host_.fill(state.host, moment);
}

const Allocation* RunLedger::numbered(std::uint32_t number) const {
  return number == 0 || number > allocations_.lives.size() ? nullptr : &allocations_.lives[number - 1].now;
}

const Object* RunLedger::identified(ObjectId id) const {
  const std::uint32_t index = index_of(id);
  return index == kNoIndex ? nullptr : &objects_.lives[index].now;
}

std::optional<RunLedger::Span> RunLedger::span(ObjectId id) const {
  if (id.kind == ObjectKind::Allocation) {
    if (numbered(id.number) == nullptr) return std::nullopt;
    return allocations_.lives[id.number - 1].span;
  }
  const std::uint32_t index = index_of(id);
  return index == kNoIndex ? std::nullopt : std::optional(objects_.lives[index].span);
}

const Object* RunLedger::last_of(ObjectKind kind, std::uint64_t handle, std::size_t moment) const {
  const auto found = handles_.find({handle, kind});
  if (found == handles_.end()) return nullptr;
  for (std::uint32_t i = found->second; i != kNoIndex; i = links_[i].older)
    if (objects_.lives[i].span.made < moment) return &objects_.lives[i].now;
  return nullptr;
}

const Object* RunLedger::variable_at(std::uint64_t address) const {
  auto after = variables_.upper_bound(address);
  for (int back = 0; back < 2 && after != variables_.begin(); ++back) {
    const Object& object = objects_.lives[(--after)->second].now;
    if (address - object.handle < object.size) return &object;
  }
  return nullptr;
}

std::uint32_t RunLedger::numbers(ObjectKind kind) const {
  if (kind == ObjectKind::Allocation) return static_cast<std::uint32_t>(allocations_.lives.size());
  return static_cast<std::uint32_t>(by_kind_[static_cast<std::size_t>(kind)].size());
}

std::size_t RunLedger::bytes() const {
  constexpr std::size_t kMapNode = 48;
  std::size_t total = allocations_.bytes() + objects_.bytes() + work_.bytes() + graphs_.bytes() +
                      host_.bytes() +
                      (open_.size() + variables_.size() + handles_.size() + owned_allocations_.size() +
                       owned_objects_.size()) *
                          kMapNode +
                      links_.capacity() * sizeof(ObjectLinks) + alive_.capacity() * sizeof(std::uint32_t);
  for (const auto& indices : by_kind_) total += indices.capacity() * sizeof(std::uint32_t);
  return total;
}

}  // namespace lab
