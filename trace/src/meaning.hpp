// SPDX-License-Identifier: MIT
// What the words and bytes of a traced call mean: api's description in the form that decoding needs.
//
// Made once from api's tables (meaning.cpp) and kept for the life of the process, so that Events can refer to
// its names. Old recordings do not need it: they carry their own names.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trace/event.hpp"

namespace trace {

struct EnumeratorMeaning {
  std::string_view name;
  std::int64_t value = 0;
};
struct EnumMeaning {
  std::vector<EnumeratorMeaning> enumerators;
};

struct StructMeaning;
struct TypeMeaning {
  ValueKind kind = ValueKind::Unsigned;
  std::uint32_t bytes = 0;                   // 0: not known, the value is not read
  std::string_view handle_type;              // Handle
  const EnumMeaning* enumeration = nullptr;  // Enumerator, Flags
  const StructMeaning* structure = nullptr;  // Struct
};
struct FieldMeaning {
  std::string_view name;
  std::uint32_t offset = 0;
  std::uint32_t count = 0;  // of an array; 0: a single value
  TypeMeaning type;
};
struct StructMeaning {
  std::uint32_t bytes = 0;
  std::vector<FieldMeaning> fields;
};

struct ParameterMeaning {
  std::string_view name, type;
  Role role = Role::In;
  bool pointer = false;  // the word is an address and `value` what lies there
  bool array = false;    // several of them lie there
  TypeMeaning value;
};
struct FunctionMeaning {
  Function function = Function::None;
  std::string_view name, symbol;
  std::vector<ParameterMeaning> parameters;
};

// By the index that the recorders write.
std::span<const FunctionMeaning> all_functions();

}  // namespace trace
