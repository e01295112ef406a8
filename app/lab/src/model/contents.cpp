// SPDX-License-Identifier: MIT
// See lab/contents.hpp. The calls about the memory are taken in order; after each, some bytes become known,
// or some are not known any more.
#include "lab/contents.hpp"

#include <algorithm>
#include <optional>

#include "model/functions.hpp"

namespace lab {
namespace {

using Known = Contents::Known;

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

Contents contents_before(const Model& model, const trace::Store& store, ObjectId memory, std::size_t moment,
                         int copies_back, std::size_t most_bytes = std::size_t{64} * 1024);

class Reading {
 public:
  explicit Reading(Contents& contents) : contents_(contents) {}

  void doubt() { std::replace(contents_.known.begin(), contents_.known.end(), Known::Yes, Known::Perhaps); }

  // What a copy has shown of `bytes` bytes at this address; `written` when it also put them there.
  void copied(std::uint64_t address, std::uint64_t bytes, std::string_view digits, bool written) {
    const std::uint64_t shown = std::min<std::uint64_t>(bytes, digits.size() / 2);
    for (std::uint64_t i = 0; i < shown; ++i) {
      const int high = digit(digits[2 * i]), low = digit(digits[2 * i + 1]);
      if (high < 0 || low < 0) return;  // a recording may contain anything
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

  // The written bytes come from a place that was not recorded.
  void written(std::uint64_t address, std::uint64_t bytes) { copied(address, bytes, {}, true); }
  // `from` as it was before the copy; bytes outside of it are not known.
  void moved(std::uint64_t address, std::uint64_t bytes, const Contents& from, std::uint64_t source) {
    const std::uint64_t begin = std::max(address, contents_.address),
                        end = std::min(address + bytes, contents_.address + contents_.bytes.size());
    for (std::uint64_t at = begin; at < end; ++at) {
      const std::uint64_t other = source + (at - address) - from.address;
      const bool held = source + (at - address) >= from.address && other < from.bytes.size();
      set(at, held ? from.bytes[other] : std::uint8_t{0}, held ? from.known[other] : Known::No);
    }
  }
  bool touches(std::uint64_t address, std::uint64_t bytes) const {
    return address < contents_.address + contents_.size && contents_.address < address + bytes;
  }
  const Contents& contents() const { return contents_; }

 private:
  void set(std::uint64_t address, std::uint8_t value, Known known) {
    if (address < contents_.address || address - contents_.address >= contents_.bytes.size()) return;
    contents_.bytes[address - contents_.address] = value;
    contents_.known[address - contents_.address] = known;
  }
  Contents& contents_;
};

constexpr int kMostCopiesBack = 4;  // from memory to memory, of which the bytes are followed
constexpr std::uint64_t kMostCopiedRows = 65536;

// The memory that a call writes: one row, or several that begin `pitch` apart.
struct MemoryRows {
  std::uint64_t address = 0, width = 0, pitch = 0, count = 1;
};

struct CallReader {
  const Model& model;
  const trace::Store& store;
  std::size_t event;  // the call that is read
  int copies_back;
  Reading& reading;

  bool read(const trace::Event& call);

 private:
  bool read_host_copy(const trace::Event& call, bool to_device);
  bool read_fill(const trace::Event& call, std::uint64_t width);
  bool read_copy(const trace::Event& call, std::string_view to, std::string_view from);
  bool read_shaped(const trace::Event& call);
  void move(const MemoryRows& to, const MemoryRows& from);
  Contents source_at(std::uint64_t address) const;
};

bool CallReader::read_host_copy(const trace::Event& call, bool to_device) {
  const trace::Argument* const host = call.argument(to_device ? "srcHost" : "dstHost");
  if (host == nullptr) return false;
  reading.copied(call.passed(to_device ? "dstDevice" : "srcDevice"), call.passed("ByteCount"), host->text,
                 to_device);
  return true;
}

bool CallReader::read_fill(const trace::Event& call, std::uint64_t width) {
  const bool shaped = call.argument("Height") != nullptr;
  const char* const value = width == 1 ? "uc" : width == 2 ? "us" : "ui";
  if (call.argument(value) == nullptr || call.argument(shaped ? "Width" : "N") == nullptr) return false;
  const std::uint64_t address = call.passed("dstDevice"), pitch = call.passed("dstPitch");
  if (!shaped) return reading.filled(address, call.passed("N"), call.passed(value), width), true;
  const std::uint64_t rows = call.passed("Height");
  if (rows > kMostCopiedRows) return false;
  for (std::uint64_t row = 0; row < rows; ++row)
    reading.filled(address + row * pitch, call.passed("Width"), call.passed(value), width);
  return true;
}

// What was known of the memory that contains this address, when the call was made.
Contents CallReader::source_at(std::uint64_t address) const {
  const Contents& own = reading.contents();
  if (address >= own.address && address - own.address < own.size) return own;
  const Allocation* const found = model.aside(event).allocation_at(address);
  if (found == nullptr || copies_back == 0) return {};
  return contents_before(model, store, {ObjectKind::Allocation, found->number}, event, copies_back - 1);
}

void CallReader::move(const MemoryRows& to, const MemoryRows& from) {
  const Contents source = source_at(from.address);  // a copy: it may be the memory that is written
  for (std::uint64_t row = 0; row < to.count; ++row)
    reading.moved(to.address + row * to.pitch, to.width, source, from.address + row * from.pitch);
}

// cuMemcpy2D and the like.
bool CallReader::read_shaped(const trace::Event& call) {
  const trace::Argument* const how = call.argument("pCopy");
  if (how == nullptr) return false;
  const auto of = [how](std::string_view name) { return how->field_number(name); };
  const auto rows_of = [&of](const std::string& side) -> std::optional<MemoryRows> {
    const auto address = of(side + "Device"), x = of(side + "XInBytes"), y = of(side + "Y"),
               pitch = of(side + "Pitch"), width = of("WidthInBytes"), height = of("Height");
    if (!address || !x || !y || !pitch || !width || !height || *height > kMostCopiedRows) return std::nullopt;
    const std::uint64_t apart = *pitch == 0 ? *width : *pitch;
    return MemoryRows{*address + *y * apart + *x, *width, apart, *height};
  };
  if (how->field("dstMemoryType") != "CU_MEMORYTYPE_DEVICE") return false;
  const auto to = rows_of("dst");
  if (!to) return false;
  const auto from = how->field("srcMemoryType") == "CU_MEMORYTYPE_DEVICE" ? rows_of("src") : std::nullopt;
  if (from) return move(*to, *from), true;
  for (std::uint64_t row = 0; row < to->count; ++row)
    reading.written(to->address + row * to->pitch, to->width);
  return true;
}

// Between two places in memory; `to` and `from` are the arguments that hold their addresses.
bool CallReader::read_copy(const trace::Event& call, std::string_view to, std::string_view from) {
  if (call.argument("ByteCount") == nullptr) return false;
  const std::uint64_t target = call.passed(to), source = call.passed(from), bytes = call.passed("ByteCount");
  if (reading.touches(target, bytes)) move({target, bytes, bytes, 1}, {source, bytes, bytes, 1});
  return true;
}

// True when the call was understood; otherwise it may have written anything.
bool CallReader::read(const trace::Event& call) {
  if (const std::uint64_t width = element_bytes(call.function)) return read_fill(call, width);
  switch (call.function) {
    case Function::cuMemcpyHtoD:
    case Function::cuMemcpyHtoDAsync:
      return read_host_copy(call, true);
    case Function::cuMemcpyDtoH:
    case Function::cuMemcpyDtoHAsync:
      return read_host_copy(call, false);
    case Function::cuMemcpy:
    case Function::cuMemcpyAsync:
      return read_copy(call, "dst", "src");
    case Function::cuMemcpyDtoD:
    case Function::cuMemcpyDtoDAsync:
    case Function::cuMemcpyPeer:
    case Function::cuMemcpyPeerAsync:
      return read_copy(call, "dstDevice", "srcDevice");
    case Function::cuMemcpy2D:
    case Function::cuMemcpy2DAsync:
    case Function::cuMemcpy2DUnaligned:
      return read_shaped(call);
    default:
      return false;
  }
}

}  // namespace

std::size_t Contents::known_bytes() const {
  return static_cast<std::size_t>(
      std::count_if(known.begin(), known.end(), [](Known each) { return each != Known::No; }));
}

namespace {

Contents contents_before(const Model& model, const trace::Store& store, ObjectId memory, std::size_t moment,
                         int copies_back, std::size_t most_bytes) {
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
    CallReader reader{model, store, use.event, copies_back, reading};
    if (!reader.read(call) && use.changed) reading.doubt();
  }
  if (moment > seen && model.marks(Mark::Launch, seen, std::min(moment, model.moments())) > 0)
    reading.doubt();
  return contents;
}

}  // namespace

Contents contents_of(const Model& model, const trace::Store& store, ObjectId memory, std::size_t moment,
                     std::size_t most_bytes) {
  return contents_before(model, store, memory, moment, kMostCopiesBack, most_bytes);
}

}  // namespace lab
