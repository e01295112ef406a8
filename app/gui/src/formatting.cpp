// SPDX-License-Identifier: MIT
// See formatting.hpp.
#include "formatting.hpp"

#include <fmt/format.h>

#include <array>

#include "trace/event.hpp"

namespace gui {
namespace {

// One digit after the point below ten, none above: as many as a reader uses.
std::string with_unit(double value, std::string_view unit) {
  return value < 9.95 ? fmt::format("{:.1f} {}", value, unit) : fmt::format("{:.0f} {}", value, unit);
}

// Bytes of the well-formed UTF-8 character at `at`, 0 when there is none.
std::size_t character_length(std::string_view bytes, std::size_t at) {
  const auto lead = static_cast<unsigned char>(bytes[at]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || at + length > bytes.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(bytes[at + i]) & 0xc0u) != 0x80u) return 0;
  return length;
}

// End of the escape sequence that begins at `at` (an ESC).
std::size_t skip_escape(std::string_view bytes, std::size_t at) {
  if (at + 1 >= bytes.size() || bytes[at + 1] != '[') return at + 1;
  for (at += 2; at < bytes.size(); ++at)
    if (bytes[at] >= 0x40 && bytes[at] <= 0x7e) return at + 1;
  return at;
}

}  // namespace

std::string duration_words(std::uint64_t nanoseconds) {
  const auto ns = static_cast<double>(nanoseconds);
  if (nanoseconds < 1000) return fmt::format("{} ns", nanoseconds);
  if (ns < 1e6) return with_unit(ns / 1e3, "µs");
  if (ns < 1e9) return with_unit(ns / 1e6, "ms");
  return with_unit(ns / 1e9, "s");
}

std::string size_words(std::uint64_t bytes, lab::Language language) {
  static constexpr std::array<std::string_view, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024 && language == lab::Language::Chinese) return fmt::format("{} 字节", bytes);
  if (bytes < 1024) return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
  if (value == static_cast<double>(static_cast<std::uint64_t>(value)))
    return fmt::format("{:.0f} {}", value, kUnits[unit]);
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string known_size_words(std::uint64_t bytes, lab::Language language) {
  return bytes == 0 ? std::string(lab::text(lab::Text::PictureSizeUnknown, language))
                    : size_words(bytes, language);
}

namespace {
std::string short_result(std::int32_t result, std::string_view name) {
  if (name.empty()) return std::to_string(result);
  for (const std::string_view prefix : {"CUDA_ERROR_", "NVRTC_ERROR_", "cudaError"})
    if (name.starts_with(prefix)) return fmt::format("{} {}", result, name.substr(prefix.size()));
  for (const std::string_view prefix : {"CUDA_", "NVRTC_"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return std::string(name == "cudaSuccess" ? "SUCCESS" : name);
}
}  // namespace

std::string result_words(std::int32_t result) {
  return short_result(result, trace::result_name(result));
}

std::string result_words(const trace::Event& call) {
  return short_result(call.result, trace::result_name(call));
}

std::string printable(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const char c = bytes[at];
    if (c == '\x1b') {
      at = skip_escape(bytes, at);
    } else if (c == '\t') {
      text += "    ";
      ++at;
    } else if (c == '\n' || static_cast<unsigned char>(c) >= 0x20) {
      const std::size_t length = c == 0x7f ? 0 : character_length(bytes, at);
      if (length == 0) text += "·";
      text.append(bytes, at, length);
      at += length == 0 ? 1 : length;
    } else {
      ++at;
    }
  }
  return text;
}

std::string out_word(const lab::Model& model, std::size_t event, const trace::Argument& argument) {
  if (argument.role == trace::Role::In || argument.null) return {};
  switch (argument.kind) {
    case trace::ValueKind::String:
    case trace::ValueKind::Enumerator:
    case trace::ValueKind::Flags:
      return argument.text;
    case trace::ValueKind::Size:
      return argument.out ? size_words(*argument.out) : std::string();
    case trace::ValueKind::Unsigned:
    case trace::ValueKind::Boolean:
    case trace::ValueKind::Device:
      return argument.out ? std::to_string(*argument.out) : std::string();
    case trace::ValueKind::Signed:
      return argument.out ? std::to_string(static_cast<std::int64_t>(*argument.out)) : std::string();
    case trace::ValueKind::DevicePointer:
      return argument.out ? model.address_word(event, *argument.out) : std::string();
    case trace::ValueKind::Handle:
      if (argument.out && argument.handle_type == "CUcontext")
        return model.context_word(event, *argument.out);
      return {};
    default:
      return {};
  }
}

std::string without_middle(std::string_view text, float room,
                           const std::function<float(std::string_view)>& width) {
  if (width(text) <= room) return std::string(text);
  constexpr std::string_view kMore = "…";
  const float free = room - width(kMore);
  const auto begins_letter = [&](std::size_t at) {
    return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
  };
  const auto step = [&](std::size_t at, int by) {
    do at = by > 0 ? at + 1 : at - 1;
    while (!begins_letter(at));
    return at;
  };
  std::size_t tail = text.size();
  while (tail > 0 && width(text.substr(step(tail, -1))) <= free * 2 / 3) tail = step(tail, -1);
  const float left = free - width(text.substr(tail));
  std::size_t start = 0;
  while (start < tail && width(text.substr(0, step(start, 1))) <= left) start = step(start, 1);
  return std::string(text.substr(0, start)) + std::string(kMore) + std::string(text.substr(tail));
}

std::string without_ticks(std::string text) {
  std::erase(text, '`');
  return text;
}

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  text.resize(most);
  return text + "…";
}

std::string written_words(const lab::Model& model, std::size_t event, const trace::Event& call,
                          const VariableOf& variable) {
  constexpr std::size_t kMost = 4, kMostBytes = 80;
  std::string words;
  std::size_t said = 0;
  for (std::size_t i = 0; i < call.arguments.size() && said < kMost; ++i) {
    const trace::Argument& argument = call.arguments[i];
    std::string value = out_word(model, event, argument);
    if (value.empty()) continue;
    value = shortened(std::move(value), kMostBytes);
    if (argument.kind == trace::ValueKind::String) value.insert(0, "“").append("”");
    const std::string name = variable ? variable(call, i) : std::string();
    (words += words.empty() ? "" : ", ") +=
        (name.empty() ? std::string(argument.name) : name) + " = " + value;
    ++said;
  }
  return words;
}

}  // namespace gui
