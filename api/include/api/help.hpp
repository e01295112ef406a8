// SPDX-License-Identifier: MIT
// What the functions, parameters, results, types and enumerators of the driver API mean, in English and in
// Chinese, and some words of the runtime and of NVRTC.
//
// The table is generated from api/help. Who shows it chooses the language.
#pragma once
#include <span>
#include <string_view>

namespace api {

struct Phrase {
  std::string_view english, chinese;
};

struct ParameterHelp {
  std::string_view name;
  Phrase means;
};

struct FunctionHelp {
  std::string_view name;     // in the manual: "cuCtxCreate"
  std::string_view symbol;   // what this name means in a program made with cuda.h: "cuCtxCreate_v4"
  std::string_view returns;  // "CUresult"
  Phrase does;
  std::span<const ParameterHelp> parameters;  // of all versions
  // "CUDA_ERROR_INVALID_VALUE", …: those that it may return. Without the ones that nearly every function
  // returns before cuInit and while the process ends. Empty where nothing is known of them.
  std::span<const std::string_view> errors;
};

struct NamedHelp {
  std::string_view name;
  Phrase means;
};

struct TypeHelp {
  std::string_view name;
  Phrase means;
  std::string_view
      described_as;  // the enumeration or the struct (descriptions.hpp); "" for a handle or a number
};

struct EnumeratorHelp {
  std::string_view name;
  Phrase means;
  std::string_view constant;  // what the header writes for a constant; "" for an enumerator
};

// Each sorted by name.
std::span<const FunctionHelp> functions_explained();
std::span<const NamedHelp> results_explained();
std::span<const TypeHelp> types_explained();  // all handles and enumerations, some others
std::span<const EnumeratorHelp> enumerators_explained();

// By the name in the manual; null where there is none.
const FunctionHelp* find_function_help(std::string_view name);
const NamedHelp* find_result_help(std::string_view name);
const TypeHelp* find_type_help(std::string_view name);
const EnumeratorHelp* find_enumerator_help(std::string_view name);

}  // namespace api
