// See lab/contents.hpp. Calls about the memory are gone through in order; each brings bytes that are certain,
// or takes certainty away.
#include "lab/contents.hpp"

#include <algorithm>

namespace lab {
namespace {

using Known = Contents::Known;

const trace::Argument* argument_of(const trace::Event& call, std::string_view name) {
  for (const trace::Argument& each : call.arguments)
    if (each.name == name) return &each;
  return nullptr;
}

std::uint64_t word_of(const trace::Event& call, std::string_view name) {
  const trace::Argument* const found = argument_of(call, name);
  return found == nullptr ? 0 : found->word;
}

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

class Reading {
 public:
  explicit Reading(Contents& contents) : contents_(contents) {}

  void doubt() { std::replace(contents_.known.begin(), contents_.known.end(), Known::Yes, Known::Perhaps); }

  // What a copy has shown of `bytes` bytes at this address; `written` when it also put them there.
  void copied(std::uint64_t address, std::uint64_t bytes, std::string_view digits, bool written) {
    const std::uint64_t shown = std::min<std::uint64_t>(bytes, digits.size() / 2);
    for (std::uint64_t i = 0; i < shown; ++i) {
      const int high = digit(digits[2 * i]), low = digit(digits[2 * i + 1]);
      if (high < 0 || low < 0) return;  // a recording may hold anything
      set(address + i, static_cast<std::uint8_t>(high * 16 + low), Known::Yes);
    }
    if (!written) return;
    const std::uint64_t end = std::min(address + bytes, contents_.address + contents_.bytes.size());
    for (std::uint64_t at = std::max(address + shown, contents_.address); at < end; ++at)
      contents_.known[at - contents_.address] = Known::No;
  }
  void filled(std::uint64_t address, std::uint64_t count, std::uint64_t value, std::uint64_t width) {
    const std::uint64_t end = contents_.address + contents_.bytes.size();
    if (address >= end) return;
    const std::uint64_t bytes = std::min(count, (end - address) / width + 1) * width;
    for (std::uint64_t i = 0; i < bytes; ++i)
      set(address + i, static_cast<std::uint8_t>(value >> (i % width * 8)), Known::Yes);
  }

 private:
  void set(std::uint64_t address, std::uint8_t value, Known known) {
    if (address < contents_.address || address - contents_.address >= contents_.bytes.size()) return;
    contents_.bytes[address - contents_.address] = value;
    contents_.known[address - contents_.address] = known;
  }
  Contents& contents_;
};

std::uint64_t fill_width(std::string_view name) {
  if (name.starts_with("cuMemsetD8")) return 1;
  if (name.starts_with("cuMemsetD16")) return 2;
  return name.starts_with("cuMemsetD32") ? 4 : 0;
}

// True when the call was understood; otherwise it may have written anything.
bool read_call(Reading& reading, const trace::Event& call) {
  if (call.name.starts_with("cuMemcpyHtoD") || call.name.starts_with("cuMemcpyDtoH")) {
    const bool to_device = call.name.starts_with("cuMemcpyHtoD");
    const trace::Argument* const host = argument_of(call, to_device ? "srcHost" : "dstHost");
    if (host == nullptr) return false;
    reading.copied(word_of(call, to_device ? "dstDevice" : "srcDevice"), word_of(call, "ByteCount"),
                   host->text, to_device);
    return true;
  }
  const std::uint64_t width = fill_width(call.name);
  if (width == 0) return false;
  const char* const value = width == 1 ? "uc" : width == 2 ? "us" : "ui";
  if (argument_of(call, value) == nullptr || argument_of(call, "N") == nullptr) return false;
  reading.filled(word_of(call, "dstDevice"), word_of(call, "N"), word_of(call, value), width);
  return true;
}

}  // namespace

std::size_t Contents::known_bytes() const {
  return static_cast<std::size_t>(
      std::count_if(known.begin(), known.end(), [](Known each) { return each != Known::No; }));
}

Contents contents_of(const Model& model, const trace::Store& store, ObjectId memory, std::size_t moment,
                     std::size_t most_bytes) {
  Contents contents;
  if (memory.kind == ObjectKind::Allocation) {
    if (const Allocation* const found = model.allocation(memory.number))
      contents.address = found->address, contents.size = found->size;
  } else if (memory.kind == ObjectKind::Global) {
    if (const Object* const found = model.object(memory))
      contents.address = found->handle, contents.size = found->size;
  }
  if (contents.size == 0) return contents;
  contents.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(contents.size, most_bytes)));
  contents.known.resize(contents.bytes.size(), Known::No);
  Reading reading(contents);
  const Life life = model.life_of(memory);
  std::size_t seen = life.created.value_or(0);
  for (const Life::Use& use : life.uses) {
    if (use.event >= moment || use.event >= store.size()) break;
    if (store.kind_at(use.event) != trace::EventKind::Call || store.result_at(use.event) != 0) continue;
    if (model.marks(Mark::Launch, seen, use.event) > 0) reading.doubt();
    seen = use.event;
    const trace::Event call = store.at(use.event);
    if (!call.returned) continue;
    if (!read_call(reading, call) && use.changed) reading.doubt();
  }
  if (moment > seen && model.marks(Mark::Launch, seen, std::min(moment, model.moments())) > 0)
    reading.doubt();
  return contents;
}

}  // namespace lab
