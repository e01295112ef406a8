// SPDX-License-Identifier: MIT
// What a word of the driver API means, in the reader's language: a function with its parameters and errors, a
// type, an enumerator, a constant or a result; and some words of the runtime and of NVRTC. And which words
// begin with what is being typed.
//
// The texts are those of api/help. Pure, and the same for every program: what calls did in a run is the
// model's.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/text.hpp"

namespace lab {

// The views are of tables that last as long as the program.
struct ApiHelp {
  enum class Kind { Function, Type, Enumerator, Result };
  struct Parameter {
    std::string_view type, name, means;  // "CUdevice", "dev"
  };
  struct Value {
    std::string_view name;
    std::string number;  // in hexadecimal if it is a bit
  };
  struct Field {
    std::string type, name;  // "unsigned int", "param.smCount"
  };
  Kind kind = Kind::Function;
  std::string_view name;
  std::string declaration;            // "CUresult cuInit(unsigned int Flags)", "CUDA_ERROR_NOT_FOUND = 500"
  std::string_view means;             // empty for an enumerator of which only its enumeration is explained
  std::vector<Parameter> parameters;  // of a function
  std::vector<std::string_view> errors;  // that it may return; empty where nothing is known
  std::string_view of, of_means;         // the enumeration of an enumerator; empty for a constant
  std::vector<Value> values;             // of an enumeration, and of an enumerator's
  std::vector<Field> fields;             // of a struct, without those that only fill it up
};
std::optional<ApiHelp> api_help(std::string_view word, Language language);

// The name around this byte of a text; empty if there is none.
std::string_view word_at(std::string_view text, std::size_t at);

struct ApiWord {
  std::string_view word, means;  // means: of some enumerators, what their enumeration is about
  ApiHelp::Kind kind = ApiHelp::Kind::Function;
};
// The words that begin with this, in capitals or not: functions, then types, then enumerators, each by name.
std::vector<ApiWord> api_words(std::string_view beginning, Language language, std::size_t most);

// Every sentence and phrase of the help in one text, for whoever has to know its characters.
std::string all_api_help(Language language);

}  // namespace lab
