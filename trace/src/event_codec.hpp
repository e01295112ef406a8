// SPDX-License-Identifier: MIT
// Events as bytes: the form that stores and recordings share. Lossless, compact, safe to read from untrusted
// files.
//
// What is the same in every call of a function (names, types, roles) is stored once, in a FunctionShape.
// Short texts that repeat are stored once, in a TextPool. trace/FORMAT.md describes the bytes. Nothing here
// depends on files and chunks.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "columns.hpp"
#include "trace/event.hpp"

namespace trace {

// Keeps a text for the life of the process, once. For the names that Events refer to.
std::string_view intern(std::string_view text);

struct ParameterShape {
  std::string_view name, type, handle_type;  // interned
  Role role = Role::In;
  ValueKind kind = ValueKind::Unsigned;
  bool operator==(const ParameterShape&) const = default;
};
struct FunctionShape {
  Function function = Function::None;
  std::string_view name, symbol;  // interned
  std::vector<ParameterShape> parameters;
  bool operator==(const FunctionShape&) const = default;
};

FunctionShape shape_of(const Event& call);  // interns
bool has_shape(const Event& call, const FunctionShape& shape);
std::uint64_t hash_of_shape(const Event& call);
void write_shape(ByteWriter& out, const FunctionShape& shape);
bool read_shape(ByteReader& in, FunctionShape& shape);

inline constexpr std::uint64_t kNotNumbered = ~std::uint64_t{0};
inline constexpr std::size_t kLongestPath = 4096;  // of a source file; a longer one is not noted

// Texts by number. Number 0 is always the empty text.
class TextPool {
 public:
  virtual ~TextPool() = default;
  virtual std::uint64_t number_of(std::string_view text) = 0;  // 0 where there is no room
  // The same for a text that may also be stored where it is used: kNotNumbered if there is no room for such
  // texts.
  virtual std::uint64_t number_if_room(std::string_view text) { return number_of(text); }
  virtual bool text_of(std::uint64_t number, std::string_view& text) const = 0;
};

// Everything of an event but kind, seq, thread, t_ns, result and shape, which the container keeps beside it.
// Out is RowWriter or ColumnWriter, In RowReader or ColumnReader.
template <class Out>
void write_body(Out& out, const Event& event, TextPool& texts);
// `event.kind` and, for calls, `shape` are set before. False when the bytes make no event.
template <class In>
bool read_body(In& in, Event& event, const FunctionShape* shape, const TextPool& texts);

inline constexpr EventKind kLastEventKind = EventKind::Stack;

}  // namespace trace
