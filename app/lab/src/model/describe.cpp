// SPDX-License-Identifier: MIT
// One call in a readable form: names instead of handles, allocations instead of addresses, and the values of
// outputs next to their names. The spelling is that of C where C has one; nothing here is translated.
#include "model/describe.hpp"

#include <bit>

#include <fmt/format.h>

namespace lab {
namespace {

using trace::Argument;
using trace::Role;
using trace::ValueKind;

constexpr std::size_t kMostText = 120;  // bytes of a string shown in one line

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text.substr(0, kMostText)) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  // Never half a character: drop a cut UTF-8 sequence at the end.
  if (text.size() > kMostText) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0) == 0x80) out.pop_back();
    if (static_cast<unsigned char>(out.back()) >= 0xc0) out.pop_back();
    return out + "…\"";
  }
  return out + "\"";
}

std::string pointer(std::uint64_t value) {
  return value == 0 ? "null" : fmt::format("{:#x}", value);
}

std::string value_word(const Model& model, std::size_t event, const Argument& argument, std::uint64_t value) {
  if (const ObjectKind kind = handle_kind(argument); kind != ObjectKind::None)
    return model.handle_word(event, kind, value);
  switch (argument.kind) {
    case ValueKind::Unsigned:
    case ValueKind::Size:
      return fmt::format("{}", value);
    case ValueKind::Signed:
    case ValueKind::Device:
      return fmt::format("{}", static_cast<std::int64_t>(value));
    case ValueKind::Float:
      return argument.type.starts_with("double")
                 ? fmt::format("{}", std::bit_cast<double>(value))
                 : fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    case ValueKind::Boolean:
      return value != 0 ? "true" : "false";
    case ValueKind::Handle:
      return pointer(value);
    case ValueKind::DevicePointer:
    case ValueKind::HostPointer:
      return model.address_word(event, value);
    case ValueKind::String:
      return quoted(argument.text);
    case ValueKind::Result: {
      const std::string_view name = trace::result_name(static_cast<std::int32_t>(value));
      return name.empty() ? fmt::format("{}", static_cast<std::int32_t>(value)) : std::string(name);
    }
    case ValueKind::Enumerator:
    case ValueKind::Flags:
      return argument.text.empty() ? fmt::format("{}", value) : argument.text;
    case ValueKind::Struct:
    case ValueKind::Array:
      return argument.text.empty() ? pointer(value) : argument.text;
  }
  return fmt::format("{}", value);
}

}  // namespace

bool is_output(const Argument& argument) {
  return argument.role != Role::In;
}

// Some handles are numbers in C: textures, surfaces, physical memory.
ObjectKind handle_kind(const Argument& argument) {
  if (argument.kind == ValueKind::Handle) return kind_of_handle(argument.handle_type);
  if (argument.kind != ValueKind::Unsigned || !argument.type.starts_with("CU")) return ObjectKind::None;
  return kind_of_handle(argument.type);
}

std::string passed_word(const Model& model, std::size_t event, const Argument& argument) {
  if (argument.null) return "null";
  return value_word(model, event, argument, argument.word);
}

std::string written_word(const Model& model, std::size_t event, const Argument& argument) {
  return value_word(model, event, argument, argument.out.value_or(0));
}

std::string describe_event(const Model& model, std::size_t index, const trace::Event& event) {
  if (event.kind != trace::EventKind::Call) return event.text;
  std::string out = fmt::format("{}(", event.name);
  bool first = true;
  for (const Argument& argument : event.arguments) {
    if (!first) out += ", ";
    first = false;
    if (!is_output(argument) || argument.null)
      out += fmt::format("{}={}", argument.name, passed_word(model, index, argument));
    else if (argument.out || (argument.kind == ValueKind::String && !argument.text.empty()))
      out += fmt::format("&{} = {}", argument.name, written_word(model, index, argument));
    else
      out += fmt::format("&{}", argument.name);
  }
  return out + ")";
}

}  // namespace lab
