// SPDX-License-Identifier: MIT
// The driver API as data for C++: every entry point with its arguments, every enumeration, every struct.
//
// The tables are generated from api/driver/*.toml (api/generated/descriptions.cpp). Indices are
// positions in these tables and change when the API grows: files on disk therefore contain names instead.
// Nothing here includes cuda.h or depends on who uses it.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "api/objects.hpp"
#include "api/value_kind.hpp"

namespace api {

enum class Function : std::uint32_t;  // api/generated/function.hpp

struct TypeDescription {
  ValueKind kind = ValueKind::Unsigned;
  std::uint32_t bytes = 0;        // of one value; 0: not fixed
  std::string_view name;          // "CUcontext", "unsigned int", …
  std::int32_t enumeration = -1;  // index into enums(), for Enumerator, Flags and Result
  std::int32_t structure = -1;    // index into structs(), for Struct
};

struct ParameterDescription {
  std::string_view name;
  std::string_view type;  // as C writes it: "const char *"
  Role role = Role::In;
  bool pointer = false;  // the argument is an address; `value` describes what it points to
  bool array = false;    // it points to several values
  TypeDescription value;
};

struct FunctionDescription {
  std::string_view name;                    // the name in the manual: "cuCtxCreate"
  std::string_view symbol;                  // the entry point: "cuCtxCreate_v4"
  Function function{};                      // the number of the name
  bool changes_current = false;             // may change the calling thread's current context
  bool writes = false;                      // copies to memory or fills it
  const MakesDescription* makes = nullptr;  // what a successful call makes; null: nothing that is followed
  const EndsDescription* ends = nullptr;    // what a successful call ends
  std::span<const ParameterDescription> parameters;
};

struct EnumeratorDescription {
  std::string_view name;
  std::int64_t value = 0;
  std::string_view text;  // for results: what cuGetErrorString says
};

struct EnumDescription {
  std::string_view name;
  bool flags = false;
  std::span<const EnumeratorDescription> enumerators;  // in the header's order; values may repeat
};

struct FieldDescription {
  std::string_view name;  // of nested members: "param.smCount"
  std::uint32_t offset = 0;
  std::uint32_t count = 0;  // of an array; 0: a single value
  TypeDescription type;
};

struct StructDescription {
  std::string_view name;
  std::uint32_t bytes = 0;
  std::span<const FieldDescription> fields;
};

// Sorted by symbol; the position is the index that the tracer's records carry.
std::span<const FunctionDescription> functions();
std::span<const EnumDescription> enums();
std::span<const StructDescription> structs();
std::span<const ObjectDescription> objects();  // by ObjectKind

// nullptr: nothing of that name is described.
const FunctionDescription* find_function(std::string_view symbol);
const EnumDescription* find_enum(std::string_view name);

// "CUDA_ERROR_INVALID_CONTEXT" and "invalid device context"; nullptr for a number that is no result.
const char* result_name(int result);
const char* result_text(int result);

// The name of the first enumerator with this value, or "" if there is none.
std::string_view enumerator_name(const EnumDescription& description, std::int64_t value);

}  // namespace api
