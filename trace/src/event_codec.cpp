// Events as bytes and back; the bytes are described in trace/FORMAT.md, under "Events".
//
// Reading believes nothing: numbers are bounded before they are used, enumerators checked, names limited in
// length because they are never freed. It must not know whether a store or a file holds the bytes.
#include "event_codec.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <unordered_set>

namespace trace {
namespace {

enum BodyFlag : std::uint8_t { kReturned = 1, kCurrent = 2, kPlace = 4, kNested = 8 };
enum ArgumentFlag : std::uint8_t { kNull = 1, kOut = 2, kText = 4, kPooled = 8 };
constexpr std::size_t kPooledText = 64;  // longer texts are rarely the same twice
constexpr std::uint64_t kMostParameters = 64;
constexpr std::size_t kLongestName = 256;  // interned names are never freed
constexpr std::uint64_t kDeepestCall = 255;

bool worth_pooling(const Argument& argument) {
  return (argument.kind == ValueKind::Enumerator || argument.kind == ValueKind::Flags) &&
         argument.text.size() <= kPooledText;
}

void write_argument(ByteWriter& out, const Argument& argument, TextPool& texts) {
  const bool pooled = worth_pooling(argument);
  out.byte(static_cast<std::uint8_t>((argument.null ? kNull : 0) | (argument.out ? kOut : 0) |
                                     (argument.text.empty() ? 0 : kText) | (pooled ? kPooled : 0)));
  out.number(argument.word);
  if (argument.out) out.number(*argument.out);
  if (argument.text.empty()) return;
  if (pooled) {
    out.number(texts.number_of(argument.text));
  } else {
    out.text(argument.text);
  }
}

bool read_argument(ByteReader& in, Argument& argument, const TextPool& texts) {
  const std::uint8_t flags = in.byte();
  argument.null = (flags & kNull) != 0;
  argument.word = in.number();
  if ((flags & kOut) != 0) argument.out = in.number();
  if ((flags & kText) != 0) {
    std::string_view text;
    if ((flags & kPooled) == 0) {
      text = in.text();
    } else if (!texts.text_of(in.number(), text)) {
      return false;
    }
    argument.text = text;
  }
  return in.ok();
}

bool read_call(ByteReader& in, Event& event, const FunctionShape& shape, const TextPool& texts) {
  const std::uint8_t flags = in.byte();
  event.returned = (flags & kReturned) != 0;
  event.address = in.number();
  if ((flags & kNested) != 0) {
    const std::uint64_t depth = in.number();
    std::string_view inside;
    if (depth > kDeepestCall || !texts.text_of(in.number(), inside)) return false;
    event.depth = static_cast<std::uint32_t>(depth);
    event.inside = intern(inside.size() <= kLongestName ? inside : std::string_view{});
  }
  if ((flags & kCurrent) != 0) event.current = in.number();
  if ((flags & kPlace) != 0) {
    std::string_view file;
    if (!texts.text_of(in.number(), file)) return false;
    event.file = file;
    event.line = static_cast<std::uint32_t>(in.number());
  }
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
  FunctionShape shape{intern(call.name), intern(call.symbol), {}};
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

void write_body(ByteWriter& out, const Event& event, TextPool& texts) {
  out.number(event.process);
  out.number(event.dur_ns);
  if (event.kind != EventKind::Call) {
    out.number(event.number);
    out.byte(static_cast<std::uint8_t>(event.end));
    out.text(event.text);
    return;
  }
  const bool place = !event.file.empty() || event.line != 0;
  out.byte(static_cast<std::uint8_t>((event.returned ? kReturned : 0) | (event.current ? kCurrent : 0) |
                                     (place ? kPlace : 0) | (event.depth != 0 ? kNested : 0)));
  out.number(event.address);
  if (event.depth != 0) {
    out.number(event.depth);
    out.number(texts.number_of(event.inside));
  }
  if (event.current) out.number(*event.current);
  if (place) {
    out.number(texts.number_of(event.file));
    out.number(event.line);
  }
  for (const Argument& argument : event.arguments) write_argument(out, argument, texts);
}

bool read_body(ByteReader& in, Event& event, const FunctionShape* shape, const TextPool& texts) {
  event.process = static_cast<std::uint32_t>(in.number());
  event.dur_ns = in.number();
  if (event.kind == EventKind::Call) return shape != nullptr && read_call(in, event, *shape, texts);
  event.number = in.number();
  const std::uint8_t end = in.byte();
  if (end > static_cast<std::uint8_t>(EndKind::TraceLost)) return false;
  event.end = static_cast<EndKind>(end);
  event.text = in.text();
  return in.ok();
}

}  // namespace trace
