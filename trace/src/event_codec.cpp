// SPDX-License-Identifier: MIT
// Events as bytes and back; the bytes are described in trace/FORMAT.md, under "Events".
//
// Reading trusts no input: numbers are bounded before they are used, enumerators are checked, and names are
// limited in length because they are never freed. Nothing here depends on whether a store or a file holds the
// bytes.
#include "event_codec.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <unordered_set>

namespace trace {
namespace {

enum BodyFlag : std::uint8_t { kReturned = 1, kCurrent = 2, kPlace = 4, kNested = 8 };
enum ArgumentFlag : std::uint8_t { kNull = 1, kOut = 2, kText = 4, kPooled = 8 };
// Longer texts are rarely the same twice; nor may a few bytes of a file name a long one again and again.
constexpr std::size_t kPooledText = 64;
constexpr std::uint64_t kMostParameters = 64;
constexpr std::size_t kLongestName = 256;  // interned names are never freed
constexpr std::uint64_t kDeepestCall = 255;
constexpr unsigned kStreamBits = 2;  // of the number of an output event; the others count zeros

bool worth_pooling(const Argument& argument) {
  return (argument.kind == ValueKind::Enumerator || argument.kind == ValueKind::Flags) &&
         argument.text.size() <= kPooledText;
}

// Addresses and handles are often close to those of the call before, so their difference is written.
bool is_near(ValueKind kind) {
  switch (kind) {
    case ValueKind::Handle:
    case ValueKind::DevicePointer:
    case ValueKind::HostPointer:
    case ValueKind::String:
    case ValueKind::Struct:
    case ValueKind::Array:
      return true;
    default:
      return false;
  }
}

template <class Out>
void write_value(Out& out, Column column, ValueKind kind, std::uint64_t value) {
  if (is_near(kind)) {
    out.near(column, value);
  } else {
    out.number(column, value);
  }
}

template <class In>
std::uint64_t read_value(In& in, Column column, ValueKind kind) {
  return is_near(kind) ? in.near(column) : in.number(column);
}

template <class Out>
void write_argument(Out& out, const Argument& argument, TextPool& texts) {
  const std::uint64_t number = worth_pooling(argument) ? texts.number_if_room(argument.text) : kNotNumbered;
  const bool pooled = number != kNotNumbered;
  out.byte(Column::ArgumentFlags,
           static_cast<std::uint8_t>((argument.null ? kNull : 0) | (argument.out ? kOut : 0) |
                                     (argument.text.empty() ? 0 : kText) | (pooled ? kPooled : 0)));
  write_value(out, word_of_kind(argument.kind), argument.kind, argument.word);
  if (argument.out) write_value(out, output_of_kind(argument.kind), argument.kind, *argument.out);
  if (argument.text.empty()) return;
  if (pooled) {
    out.number(Column::PooledText, number);
  } else {
    out.text(text_of_kind(argument.kind), argument.text);
  }
}

// argument.kind is set.
template <class In>
bool read_argument(In& in, Argument& argument, const TextPool& texts) {
  const std::uint8_t flags = in.byte(Column::ArgumentFlags);
  argument.null = (flags & kNull) != 0;
  argument.word = read_value(in, word_of_kind(argument.kind), argument.kind);
  if ((flags & kOut) != 0) argument.out = read_value(in, output_of_kind(argument.kind), argument.kind);
  if ((flags & kText) != 0) {
    std::string_view text;
    if ((flags & kPooled) == 0) {
      text = in.text(text_of_kind(argument.kind));
    } else if (!texts.text_of(in.number(Column::PooledText), text) || text.size() > kPooledText) {
      return false;
    }
    argument.text = text;
  }
  return in.ok();
}

template <class In>
bool read_call(In& in, Event& event, const FunctionShape& shape, const TextPool& texts) {
  const std::uint8_t flags = in.byte(Column::CallFlags);
  event.returned = (flags & kReturned) != 0;
  event.address = in.near(Column::Address);
  if ((flags & kNested) != 0) {
    const std::uint64_t depth = in.number(Column::Depth);
    std::string_view inside;
    if (depth > kDeepestCall || !texts.text_of(in.number(Column::Inside), inside)) return false;
    event.depth = static_cast<std::uint32_t>(depth);
    event.inside = intern(inside.size() <= kLongestName ? inside : std::string_view{});
  }
  if ((flags & kCurrent) != 0) event.current = in.near(Column::Current);
  if ((flags & kPlace) != 0) {
    std::string_view file;
    if (!texts.text_of(in.number(Column::File), file) || file.size() > kLongestPath) return false;
    event.file = file;
    event.line = static_cast<std::uint32_t>(in.number(Column::Line));
  }
  event.function = shape.function;
  event.name = shape.name;
  event.symbol = shape.symbol;
  event.arguments.resize(shape.parameters.size());
  for (std::size_t i = 0; i < shape.parameters.size(); ++i) {
    Argument& argument = event.arguments[i];
    const ParameterShape& parameter = shape.parameters[i];
    argument.name = parameter.name;
    argument.type = parameter.type;
    argument.handle_type = parameter.handle_type;
    argument.role = parameter.role;
    argument.kind = parameter.kind;
    if (!read_argument(in, argument, texts)) return false;
  }
  return in.ok();
}

}  // namespace

std::string_view intern(std::string_view text) {
  static std::mutex mutex;
  static auto* kept = new std::unordered_set<std::string>;  // outlives every Event, also at exit
  const std::lock_guard lock(mutex);
  return *kept->emplace(text).first;
}

FunctionShape shape_of(const Event& call) {
  FunctionShape shape{function_of(call.name), intern(call.name), intern(call.symbol), {}};
  shape.parameters.reserve(call.arguments.size());
  for (const Argument& a : call.arguments) {
    shape.parameters.push_back({intern(a.name), intern(a.type), intern(a.handle_type), a.role, a.kind});
  }
  return shape;
}

bool has_shape(const Event& call, const FunctionShape& shape) {
  if (call.symbol != shape.symbol || call.name != shape.name ||
      call.arguments.size() != shape.parameters.size()) {
    return false;
  }
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& a = call.arguments[i];
    if (!(ParameterShape{a.name, a.type, a.handle_type, a.role, a.kind} == shape.parameters[i])) return false;
  }
  return true;
}

std::uint64_t hash_of_shape(const Event& call) {
  std::uint64_t hash = std::hash<std::string_view>{}(call.symbol) + call.arguments.size();
  for (const Argument& a : call.arguments) hash = hash * 31 + static_cast<std::uint64_t>(a.kind);
  return hash;
}

void write_shape(ByteWriter& out, const FunctionShape& shape) {
  out.text(shape.name);
  out.text(shape.symbol);
  out.number(shape.parameters.size());
  for (const ParameterShape& parameter : shape.parameters) {
    out.text(parameter.name);
    out.text(parameter.type);
    out.text(parameter.handle_type);
    out.byte(static_cast<std::uint8_t>(parameter.role));
    out.byte(static_cast<std::uint8_t>(parameter.kind));
  }
}

bool read_shape(ByteReader& in, FunctionShape& shape) {
  const auto name = [&in] {
    const std::string_view text = in.text();
    return intern(text.size() <= kLongestName ? text : std::string_view{});
  };
  shape.name = name();
  shape.function = function_of(shape.name);
  shape.symbol = name();
  const std::uint64_t count = in.number();
  if (!in.ok() || count > kMostParameters) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    ParameterShape parameter;
    parameter.name = name();
    parameter.type = name();
    parameter.handle_type = name();
    const std::uint8_t role = in.byte();
    const std::uint8_t kind = in.byte();
    if (!in.ok() || role > static_cast<std::uint8_t>(Role::InOut) ||
        kind > static_cast<std::uint8_t>(ValueKind::Result)) {
      return false;
    }
    parameter.role = static_cast<Role>(role);
    parameter.kind = static_cast<ValueKind>(kind);
    shape.parameters.push_back(parameter);
  }
  return true;
}

template <class Out>
void write_body(Out& out, const Event& event, TextPool& texts) {
  out.number(Column::Process, event.process);
  out.number(Column::Duration, event.dur_ns);
  if (event.kind != EventKind::Call) {
    out.number(Column::Number,
               event.kind == EventKind::Output ? event.number | (event.zeros << kStreamBits) : event.number);
    out.byte(Column::End, static_cast<std::uint8_t>(event.end));
    out.text(Column::Text, event.text);
    return;
  }
  const bool place = !event.file.empty() || event.line != 0;
  out.byte(Column::CallFlags,
           static_cast<std::uint8_t>((event.returned ? kReturned : 0) | (event.current ? kCurrent : 0) |
                                     (place ? kPlace : 0) | (event.depth != 0 ? kNested : 0)));
  out.near(Column::Address, event.address);
  if (event.depth != 0) {
    out.number(Column::Depth, event.depth);
    out.number(Column::Inside, texts.number_of(event.inside));
  }
  if (event.current) out.near(Column::Current, *event.current);
  if (place) {
    out.number(Column::File, event.file.size() > kLongestPath ? 0 : texts.number_of(event.file));
    out.number(Column::Line, event.line);
  }
  for (const Argument& argument : event.arguments) write_argument(out, argument, texts);
}

template <class In>
bool read_body(In& in, Event& event, const FunctionShape* shape, const TextPool& texts) {
  event.process = static_cast<std::uint32_t>(in.number(Column::Process));
  event.dur_ns = in.number(Column::Duration);
  if (event.kind == EventKind::Call) return shape != nullptr && read_call(in, event, *shape, texts);
  event.number = in.number(Column::Number);
  if (event.kind == EventKind::Output) {
    event.zeros = event.number >> kStreamBits;
    event.number &= (std::uint64_t{1} << kStreamBits) - 1;
  }
  const std::uint8_t end = in.byte(Column::End);
  if (end > static_cast<std::uint8_t>(EndKind::TraceLost)) return false;
  event.end = static_cast<EndKind>(end);
  event.text = in.text(Column::Text);
  return in.ok();
}

template void write_body(RowWriter&, const Event&, TextPool&);
template void write_body(ColumnWriter&, const Event&, TextPool&);
template bool read_body(RowReader&, Event&, const FunctionShape*, const TextPool&);
template bool read_body(ColumnReader&, Event&, const FunctionShape*, const TextPool&);

}  // namespace trace
