// SPDX-License-Identifier: MIT
// Turns what the tracer wrote into an Event; see raw_call.hpp and, for the description of the API,
// api/descriptions.hpp. Old recordings do not come here: they carry their own names.
//
// The words and bytes come from shared memory that the program may have scribbled over, so every length is
// checked against what is there; the worst outcome is an odd text. It must not follow any pointer.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>

#include "api/descriptions.hpp"
#include "event_codec.hpp"
#include "raw_call.hpp"

namespace trace {
namespace {

constexpr int kDeepestStruct = 4;
constexpr std::size_t kMostElements = 16;  // of an array that are spelled out

std::uint64_t load_bits(std::span<const std::byte> bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size() < 8 ? bytes.size() : 8);
  return bits;
}

std::int64_t sign_extend(std::uint64_t bits, std::uint32_t bytes) {
  if (bytes == 0 || bytes >= 8) return static_cast<std::int64_t>(bits);
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

std::uint64_t cut(std::uint64_t bits, std::uint32_t bytes) {
  return bytes == 0 || bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

std::string hexadecimal(std::uint64_t value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value & 15]);
  } while ((value >>= 4) != 0);
  return "0x" + text;
}

std::span<const api::EnumeratorDescription> enumerators_of(const api::TypeDescription& type) {
  if (type.enumeration < 0) return {};
  return api::enums()[static_cast<std::size_t>(type.enumeration)].enumerators;
}

std::string enumerator_text(const api::TypeDescription& type, std::uint64_t bits) {
  const std::int64_t value = sign_extend(bits, 4);
  for (const api::EnumeratorDescription& e : enumerators_of(type)) {
    if (e.value == value) return std::string(e.name);
  }
  return std::to_string(value);
}

// The names of single values that together make up `bits`; bits without a name follow in hexadecimal.
std::string flags_text(const api::TypeDescription& type, std::uint64_t bits) {
  if (bits == 0) return "0";
  std::string text;
  const auto add = [&text](std::string_view part) {
    if (!text.empty()) text += " | ";
    text += part;
  };
  std::uint64_t left = bits;
  const auto enumerators = enumerators_of(type);
  for (const api::EnumeratorDescription& e : enumerators) {  // one name for all of it
    if (static_cast<std::uint64_t>(e.value) == bits) return std::string(e.name);
  }
  for (const api::EnumeratorDescription& e : enumerators) {
    const auto value = static_cast<std::uint64_t>(e.value);
    if (value == 0 || (value & (value - 1)) != 0 || (left & value) == 0) continue;
    add(e.name);
    left &= ~value;
  }
  if (left != 0) add(hexadecimal(left));
  return text;
}

std::string float_text(std::uint64_t bits, std::uint32_t bytes) {
  double value = 0;
  if (bytes == 4) {
    float single = 0;
    std::memcpy(&single, &bits, sizeof single);
    value = static_cast<double>(single);
  } else {
    std::memcpy(&value, &bits, sizeof value);
  }
  char text[40];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string value_text(const api::TypeDescription& type, std::span<const std::byte> bytes, int depth);

std::string word_text(const api::TypeDescription& type, std::uint64_t bits) {
  switch (type.kind) {
    case ValueKind::Signed:
    case ValueKind::Device:
      return std::to_string(sign_extend(bits, type.bytes));
    case ValueKind::Float:
      return float_text(bits, type.bytes);
    case ValueKind::Boolean:
      return bits != 0 ? "true" : "false";
    case ValueKind::Enumerator:
      return enumerator_text(type, bits);
    case ValueKind::Flags:
      return flags_text(type, cut(bits, type.bytes));
    case ValueKind::Result: {
      if (type.enumeration >= 0) return enumerator_text(type, bits);
      const std::string_view name = result_name(static_cast<std::int32_t>(bits));
      return name.empty() ? std::to_string(static_cast<std::int32_t>(bits)) : std::string(name);
    }
    case ValueKind::Handle:
    case ValueKind::DevicePointer:
    case ValueKind::HostPointer:
      return bits == 0 && type.kind != ValueKind::DevicePointer ? "null" : hexadecimal(bits);
    default:
      return std::to_string(cut(bits, type.bytes));
  }
}

std::string array_text(const api::TypeDescription& type, std::span<const std::byte> bytes, std::size_t count,
                       int depth) {
  std::string text = "[";
  for (std::size_t i = 0; i < count && (i + 1) * type.bytes <= bytes.size(); ++i) {
    if (i == kMostElements) return text + ", …]";
    if (i > 0) text += ", ";
    text += value_text(type, bytes.subspan(i * type.bytes, type.bytes), depth);
  }
  return text + "]";
}

std::string struct_text(const api::StructDescription& structure, std::span<const std::byte> bytes,
                        int depth) {
  if (depth > kDeepestStruct) return "{…}";
  std::string text = "{";
  for (const api::FieldDescription& field : structure.fields) {
    const std::size_t wanted = std::size_t{field.type.bytes} * (field.count == 0 ? 1 : field.count);
    if (field.type.bytes == 0 || field.offset + wanted > bytes.size()) continue;
    if (field.name.starts_with('_')) continue;  // only fills the struct
    if (text.size() > 1) text += ", ";
    text += std::string(field.name) + "=";
    const auto part = bytes.subspan(field.offset, wanted);
    text += field.count == 0 ? value_text(field.type, part, depth + 1)
                             : array_text(field.type, part, field.count, depth + 1);
  }
  return text + "}";
}

std::string value_text(const api::TypeDescription& type, std::span<const std::byte> bytes, int depth) {
  if (type.kind == ValueKind::Struct) {
    if (type.structure < 0) return "{…}";
    return struct_text(api::structs()[static_cast<std::size_t>(type.structure)], bytes, depth);
  }
  return word_text(type, load_bits(bytes));
}

std::string string_text(const SideData& item) {
  std::string text(reinterpret_cast<const char*>(item.bytes.data()), item.bytes.size());
  text.resize(std::min(text.size(), text.find('\0')));
  if (item.true_bytes > item.bytes.size()) text += "…";
  return text;
}

const SideData* find_item(const std::vector<SideData>& items, std::size_t parameter) {
  for (const SideData& item : items) {
    if (item.parameter == parameter) return &item;
  }
  return nullptr;
}

// The name that the tracer gave a function that api/ does not describe; names are kept for good, so a program
// that scribbles over them gets a few thousand and no more.
std::string_view undescribed_name(const RawCall& call) {
  constexpr std::size_t kLongest = 96;
  constexpr std::size_t kMost = 4096;
  const SideData* item = find_item(call.before, wire::kNameItem);
  if (call.function != wire::kNamedFunction || item == nullptr || item->bytes.size() > kLongest) return {};
  const std::string_view name(reinterpret_cast<const char*>(item->bytes.data()), item->bytes.size());
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (!name.starts_with("cu") || !std::all_of(name.begin(), name.end(), belongs)) return {};
  static std::mutex mutex;
  static auto* known = new std::set<std::string, std::less<>>;
  const std::lock_guard lock(mutex);
  if (!known->contains(name) && known->size() >= kMost) return "function of many names";
  known->emplace(name);
  return intern(name);
}

bool has_text(ValueKind kind) {
  return kind == ValueKind::Enumerator || kind == ValueKind::Flags || kind == ValueKind::Struct;
}

// Two digits a byte, in the order of addresses.
std::string hexadecimal(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

// What a pointer argument points to, from the bytes that were copied before or after the call.
void decode_pointee(const api::ParameterDescription& parameter, const SideData& item, bool after,
                    Argument& argument) {
  const api::TypeDescription& type = parameter.value;
  if (type.kind == ValueKind::HostPointer && !parameter.pointer) {
    argument.text = hexadecimal(item.bytes);
  } else if (type.kind == ValueKind::String) {
    argument.text = string_text(item);
  } else if (parameter.array) {
    const std::size_t count = type.bytes == 0 ? 0 : item.bytes.size() / type.bytes;
    argument.text = array_text(type, item.bytes, count, 0);
    if (item.true_bytes > item.bytes.size() && argument.text.back() == ']') {
      argument.text.insert(argument.text.size() - 1, ", …");
    }
  } else if (type.kind == ValueKind::Struct) {
    argument.text = value_text(type, item.bytes, 0);
  } else if (!item.bytes.empty()) {
    std::uint64_t bits = load_bits(item.bytes);
    if (type.kind == ValueKind::Signed || type.kind == ValueKind::Device) {
      bits = static_cast<std::uint64_t>(sign_extend(bits, static_cast<std::uint32_t>(item.bytes.size())));
    }
    if (after) argument.out = bits;
    if (!after || has_text(type.kind)) argument.text = word_text(type, bits);
  }
}

// The runtime's handles are the driver's under other names; readers know one name for each.
std::string_view driver_type_of(std::string_view handle) {
  if (!handle.starts_with("cuda")) return handle;
  static constexpr std::pair<std::string_view, std::string_view> kSame[] = {
      {"cudaStream_t", "CUstream"},
      {"cudaEvent_t", "CUevent"},
      {"cudaGraph_t", "CUgraph"},
      {"cudaGraphNode_t", "CUgraphNode"},
      {"cudaGraphExec_t", "CUgraphExec"},
      {"cudaUserObject_t", "CUuserObject"},
      {"cudaFunction_t", "CUfunction"},
      {"cudaKernel_t", "CUkernel"},
      {"cudaLibrary_t", "CUlibrary"},
      {"cudaMemPool_t", "CUmemoryPool"},
      {"cudaExternalMemory_t", "CUexternalMemory"},
      {"cudaExternalSemaphore_t", "CUexternalSemaphore"}};
  for (const auto& [runtime, driver] : kSame)
    if (handle == runtime) return driver;
  return handle;
}

bool is_null(const api::ParameterDescription& parameter, std::uint64_t word) {
  if (word != 0) return false;
  return parameter.pointer || parameter.value.kind == ValueKind::Handle ||
         parameter.value.kind == ValueKind::HostPointer;
}

Argument decode_argument(const RawCall& call, const api::ParameterDescription& parameter, std::size_t index) {
  Argument argument;
  argument.name = parameter.name;
  argument.type = parameter.type;
  if (parameter.value.kind == ValueKind::Handle) argument.handle_type = driver_type_of(parameter.value.name);
  argument.role = parameter.role;
  argument.kind =
      parameter.array && parameter.value.kind != ValueKind::String ? ValueKind::Array : parameter.value.kind;
  argument.word = index < call.words.size() ? call.words[index] : 0;
  argument.null = is_null(parameter, argument.word);
  if (const SideData* item = find_item(call.before, index)) {
    decode_pointee(parameter, *item, false, argument);
  } else if (!parameter.pointer && has_text(parameter.value.kind)) {
    const std::span word(&argument.word, 1);  // of a longer struct by value, the beginning
    argument.text = value_text(parameter.value, std::as_bytes(word), 0);
  }
  if (const SideData* item = find_item(call.after, index)) decode_pointee(parameter, *item, true, argument);
  return argument;
}

}  // namespace

void decode_frame(const RawCall& call, Event& event) {
  event.kind = EventKind::Call;
  event.thread = call.thread;
  event.process = call.process;
  event.t_ns = call.t_ns;
  event.dur_ns = call.dur_ns;
  event.returned = call.returned;
  event.result = call.result;
  event.address = call.address;
  event.depth = call.depth;
  if (call.depth != 0 && call.around < api::functions().size())
    event.inside = api::functions()[call.around].name;
  event.current = call.current;
  event.file = call.file;
  event.line = call.line;
}

void decode_call(const RawCall& call, Event& event) {
  const auto functions = api::functions();
  if (call.function >= functions.size()) {  // scribbled over, or a tracer of another build
    const std::string_view name = undescribed_name(call);
    event.name = event.symbol = name.empty() ? intern("function " + std::to_string(call.function)) : name;
    event.function = function_of(event.name);
    return;
  }
  const api::FunctionDescription& function = functions[call.function];
  event.function = function.function;
  event.name = function.name;
  event.symbol = function.symbol;
  event.arguments.reserve(function.parameters.size());
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    event.arguments.push_back(decode_argument(call, function.parameters[i], i));
  }
}

}  // namespace trace
