// SPDX-License-Identifier: MIT
// The packed run: appending, finding, decoding. See store.hpp for what it promises and store_impl.hpp for how
// an entry is laid out in memory. Texts and shapes are stored once; everything else is LEB128 numbers
// (bytes.hpp).
#include "trace/store.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <new>

#include "api/descriptions.hpp"
#include "store_impl.hpp"

namespace trace {
namespace {

enum RawFlag : std::uint8_t { kRawReturned = 1, kRawCurrent = 2, kRawPlace = 4, kRawNested = 8 };

void write_items(ByteWriter& out, const std::vector<SideData>& items) {
  out.number(items.size());
  for (const SideData& item : items) {
    out.byte(item.parameter);
    out.number(item.bytes.size());
    out.number(item.true_bytes);
    out.raw(item.bytes.data(), item.bytes.size());
  }
}

void read_items(ByteReader& in, std::vector<SideData>& items) {
  items.resize(static_cast<std::size_t>(in.number()));
  for (SideData& item : items) {
    item.parameter = in.byte();
    const std::uint64_t stored = in.number();
    item.true_bytes = static_cast<std::uint32_t>(in.number());
    const std::string_view bytes = in.raw(stored);
    item.bytes = std::as_bytes(std::span(bytes));
  }
}

}  // namespace

StoreTexts::StoreTexts() {
  number_of({});
}

std::uint64_t StoreTexts::number_of(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const std::uint64_t number = texts_.size();
  texts_.push_back(std::string(text));
  numbers_.emplace(texts_[number], number);
  bytes_ += text.size() + sizeof(std::string) + 64;
  count_.store(texts_.size(), std::memory_order_release);
  return number;
}

bool StoreTexts::text_of(std::uint64_t number, std::string_view& text) const {
  if (number >= count_.load(std::memory_order_acquire)) return false;
  text = texts_[number];
  return true;
}

Store::Impl::~Impl() {
  for (std::byte* block : owned) delete[] block;
}

std::byte* Store::Impl::allocate(std::size_t size_bytes, std::uint32_t& unit) {
  constexpr std::size_t kUnits = kBlock / kUnit;
  const std::size_t used = next_unit % kUnits * kUnit;
  if (used == 0 || used + size_bytes > kBlock) {
    const std::size_t first = (next_unit + kUnits - 1) / kUnits;
    const std::size_t count = (size_bytes + kBlock - 1) / kBlock;  // a long text takes several in a row
    if (first + count > kBlocks) throw std::bad_alloc();
    auto* memory = new std::byte[count * kBlock];
    owned.push_back(memory);
    arena_bytes += count * kBlock;
    for (std::size_t i = 0; i < count; ++i) {
      blocks[first + i].store(memory + i * kBlock, std::memory_order_release);
    }
    next_unit = first * kUnits;
  }
  unit = static_cast<std::uint32_t>(next_unit);
  next_unit += (size_bytes + kUnit - 1) / kUnit;
  return blocks[unit / kUnits].load(std::memory_order_relaxed) + unit % kUnits * kUnit;
}

std::size_t Store::Impl::append(Head head) {
  const std::size_t event = size.load(std::memory_order_relaxed);
  head.body_bytes = static_cast<std::uint32_t>(body.size());
  std::uint32_t unit = 0;
  std::byte* place = allocate(sizeof head + body.size(), unit);
  std::memcpy(place, &head, sizeof head);
  if (body.size() != 0) std::memcpy(place + sizeof head, body.data(), body.size());
  index.push_back(unit);
  const std::size_t before = calls.load(std::memory_order_relaxed);
  if (event % 64 == 0) {
    Rank rank;
    rank.before = static_cast<std::uint32_t>(before);
    ranks.push_back(std::move(rank));
  }
  if (head.kind == EventKind::Call) {
    ranks[event / 64].is_call.fetch_or(std::uint64_t{1} << (event % 64), std::memory_order_relaxed);
    calls.store(before + 1, std::memory_order_relaxed);
  }
  bytes.store(arena_bytes + index.capacity_bytes() + ranks.capacity_bytes() + texts.bytes() +
                  shapes.size() * 1024 + work_times.capacity_bytes() + sizeof(Impl),
              std::memory_order_relaxed);
  size.store(event + 1, std::memory_order_release);
  return event;
}

std::uint32_t Store::Impl::shape_number(const Event& call) {
  auto& candidates = shape_numbers[hash_of_shape(call)];
  for (const std::uint32_t number : candidates) {
    if (has_shape(call, shapes[number])) return number;
  }
  const auto number = static_cast<std::uint32_t>(shapes.size());
  shapes.push_back(shape_of(call));
  candidates.push_back(number);
  return number;
}

std::size_t Store::Impl::append(const Event& event) {
  Head head{};
  head.kind = event.kind;
  head.thread = event.thread;
  head.result = event.result;
  head.t_low = static_cast<std::uint32_t>(event.t_ns);
  head.t_high = static_cast<std::uint32_t>(event.t_ns >> 32);
  head.depth = static_cast<std::uint16_t>(event.depth);
  if (event.kind == EventKind::Call) head.shape = shape_number(event);
  body.clear();
  RowWriter row(body);
  write_body(row, event, texts);
  return append(head);
}

std::size_t Store::Impl::append(const RawCall& call) {
  Head head{};
  head.kind = EventKind::Call;
  head.raw = 1;
  head.depth = call.depth;
  head.shape = call.function;
  head.thread = call.thread;
  head.result = call.result;
  head.t_low = static_cast<std::uint32_t>(call.t_ns);
  head.t_high = static_cast<std::uint32_t>(call.t_ns >> 32);
  const bool place = !call.file.empty() || call.line != 0;
  body.clear();
  body.byte(static_cast<std::uint8_t>((call.returned ? kRawReturned : 0) | (call.current ? kRawCurrent : 0) |
                                      (place ? kRawPlace : 0) | (call.depth != 0 ? kRawNested : 0)));
  body.number(call.process);
  body.number(call.dur_ns);
  body.number(call.address);
  if (call.depth != 0) {
    body.byte(call.depth);
    body.number(call.around);
  }
  if (call.current) body.number(*call.current);
  if (place) {
    body.number(texts.number_of(call.file));
    body.number(call.line);
  }
  body.number(call.words.size());
  for (const std::uint64_t word : call.words) body.number(word);
  write_items(body, call.before);
  write_items(body, call.after);
  return append(head);
}

const std::byte* Store::Impl::entry(std::size_t event) const {
  constexpr std::size_t kUnits = kBlock / kUnit;
  const std::uint32_t unit = index[event];
  return blocks[unit / kUnits].load(std::memory_order_acquire) + unit % kUnits * kUnit;
}

Store::Impl::Head Store::Impl::head(std::size_t event) const {
  Head head;
  std::memcpy(&head, entry(event), sizeof head);
  return head;
}

std::span<const std::uint8_t> Store::Impl::body_of(std::size_t event, const Head& head) const {
  return {reinterpret_cast<const std::uint8_t*>(entry(event) + sizeof head), head.body_bytes};
}

void Store::Impl::read_raw(std::size_t event, const Head& head, RawCall& call) const {
  ByteReader in(body_of(event, head));
  const std::uint8_t flags = in.byte();
  call.function = head.shape;
  call.thread = head.thread;
  call.result = head.result;
  call.t_ns = std::uint64_t{head.t_high} << 32 | head.t_low;
  call.returned = (flags & kRawReturned) != 0;
  call.process = static_cast<std::uint32_t>(in.number());
  call.dur_ns = in.number();
  call.address = in.number();
  if ((flags & kRawNested) != 0) {
    call.depth = in.byte();
    call.around = static_cast<std::uint32_t>(in.number());
  }
  if ((flags & kRawCurrent) != 0) call.current = in.number();
  if ((flags & kRawPlace) != 0) {
    texts.text_of(in.number(), call.file);
    call.line = static_cast<std::uint32_t>(in.number());
  }
  call.words.resize(static_cast<std::size_t>(in.number()));
  for (std::uint64_t& word : call.words) word = in.number();
  read_items(in, call.before);
  read_items(in, call.after);
}

std::size_t half_of_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  std::uint64_t bytes = pages > 0 && page > 0 ? std::uint64_t(pages) * std::uint64_t(page) : 0;
  std::uint64_t given = 0;
  if (std::ifstream group("/sys/fs/cgroup/memory.max"); group >> given && given > 0)  // "max": no number
    bytes = bytes == 0 ? given : std::min(bytes, given);
  return static_cast<std::size_t>(bytes / 2);
}

Store::Store() : impl_(std::make_unique<Impl>()) {}
Store::~Store() = default;

std::size_t Store::size() const {
  return impl_->size.load(std::memory_order_acquire);
}
std::size_t Store::calls() const {
  return calls_before(size());
}
std::size_t Store::bytes() const {
  return impl_->bytes.load(std::memory_order_relaxed);
}

Event Store::at(std::size_t event_index) const {
  const Impl::Head head = impl_->head(event_index);
  Event event;
  event.seq = event_index;
  event.kind = head.kind;
  event.thread = head.thread;
  event.result = head.result;
  event.t_ns = std::uint64_t{head.t_high} << 32 | head.t_low;
  if (head.raw != 0) {
    RawCall call;
    impl_->read_raw(event_index, head, call);
    decode_frame(call, event);
    decode_call(call, event);
    return event;
  }
  ByteReader in(impl_->body_of(event_index, head));
  const FunctionShape* shape = head.kind == EventKind::Call ? &impl_->shapes[head.shape] : nullptr;
  RowReader row(in);
  read_body(row, event, shape, impl_->texts);
  return event;
}

EventKind Store::kind_at(std::size_t index) const {
  return impl_->head(index).kind;
}
std::int32_t Store::result_at(std::size_t index) const {
  return impl_->head(index).result;
}
std::uint32_t Store::thread_at(std::size_t index) const {
  return impl_->head(index).thread;
}
// It is the first number of both forms of a body; a raw one has its flags before.
std::uint32_t Store::process_at(std::size_t index) const {
  const Impl::Head head = impl_->head(index);
  ByteReader in(impl_->body_of(index, head));
  if (head.raw != 0) in.byte();
  return static_cast<std::uint32_t>(in.number());
}
std::uint64_t Store::duration_at(std::size_t index) const {
  const Impl::Head head = impl_->head(index);
  ByteReader in(impl_->body_of(index, head));
  if (head.raw != 0) in.byte();
  in.number();  // the process
  return in.number();
}
Function Store::function_at(std::size_t index) const {
  const Impl::Head head = impl_->head(index);
  if (head.kind != EventKind::Call) return Function::None;
  if (head.raw == 0) return impl_->shapes[head.shape].function;
  return head.shape < api::functions().size() ? function_of(api::functions()[head.shape].name)
                                              : Function::None;
}
std::uint32_t Store::depth_at(std::size_t index) const {
  return impl_->head(index).depth;
}
std::uint64_t Store::time_at(std::size_t index) const {
  const Impl::Head head = impl_->head(index);
  return std::uint64_t{head.t_high} << 32 | head.t_low;
}

std::size_t Store::calls_before(std::size_t index) const {
  if (index == 0) return 0;
  const Impl::Rank& rank = impl_->ranks[(index - 1) / 64];
  const std::uint64_t bits = rank.is_call.load(std::memory_order_relaxed);
  const std::size_t used = (index - 1) % 64 + 1;  // 1 … 64 events of this rank count
  const std::uint64_t mask = used == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << used) - 1;
  return rank.before + static_cast<std::size_t>(std::popcount(bits & mask));
}

std::size_t Store::event_of_call(std::size_t call) const {
  std::size_t low = 0, high = size() == 0 ? 0 : (size() - 1) / 64;  // the rank that holds it
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (impl_->ranks[middle].before <= call) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  std::uint64_t bits = impl_->ranks[low].is_call.load(std::memory_order_relaxed);
  for (std::size_t skip = call - impl_->ranks[low].before; skip > 0; --skip) bits &= bits - 1;
  return low * 64 + static_cast<std::size_t>(std::countr_zero(bits));
}

std::size_t Store::work_times() const {
  return impl_->work_time_count.load(std::memory_order_acquire);
}
WorkTime Store::work_time_at(std::size_t index) const {
  return impl_->work_times[index];
}
void Store::append(const WorkTime& time) {
  impl_->work_times.push_back(time);
  impl_->work_time_count.store(impl_->work_times.size(), std::memory_order_release);
}

std::size_t Store::append(const Event& event) {
  return impl_->append(event);
}

}  // namespace trace
