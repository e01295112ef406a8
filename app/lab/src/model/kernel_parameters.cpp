// SPDX-License-Identifier: MIT
// See kernel_parameters.hpp. The text comes from a program or a recording and may be anything: what does not
// read as PTX gives no parameters.
#include "model/kernel_parameters.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t kMostParameters = 4096;
constexpr std::uint64_t kMostParameterBytes = 1 << 20;

bool in_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.' || c == '%';
}

// Words, numbers and single marks of PTX, without comments.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}
  std::string_view next() {  // "" at the end
    skip();
    if (text_.empty()) return {};
    std::size_t length = 1;
    if (in_a_word(text_[0]))
      while (length < text_.size() && in_a_word(text_[length])) ++length;
    const std::string_view token = text_.substr(0, length);
    text_.remove_prefix(length);
    return token;
  }

 private:
  void skip() {
    while (!text_.empty()) {
      if (std::isspace(static_cast<unsigned char>(text_[0])) != 0)
        text_.remove_prefix(1);
      else if (text_.starts_with("//"))
        text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
      else if (text_.starts_with("/*"))
        text_.remove_prefix(std::min(text_.size(), std::min(text_.find("*/"), text_.size()) + 2));
      else
        return;
    }
  }
  std::string_view text_;
};

std::uint64_t bytes_of_type(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 17> kTypes = {{{".b8", 1},
                                                                                  {".u8", 1},
                                                                                  {".s8", 1},
                                                                                  {".b16", 2},
                                                                                  {".u16", 2},
                                                                                  {".s16", 2},
                                                                                  {".f16", 2},
                                                                                  {".b32", 4},
                                                                                  {".u32", 4},
                                                                                  {".s32", 4},
                                                                                  {".f32", 4},
                                                                                  {".b64", 8},
                                                                                  {".u64", 8},
                                                                                  {".s64", 8},
                                                                                  {".f64", 8},
                                                                                  {".texref", 8},
                                                                                  {".samplerref", 8}}};
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [word](const auto& type) { return type.first == word; });
  return found == kTypes.end() ? 0 : found->second;
}

std::uint64_t number_in(std::string_view word) {
  std::uint64_t value = 0;
  return std::from_chars(word.data(), word.data() + word.size(), value).ptr == word.data() + word.size()
             ? value
             : 0;
}

// One `.param .align 8 .b8 name[16]`, up to its comma or bracket, which it returns.
struct Parameter {
  std::uint64_t bytes = 0, alignment = 0;
  std::string_view end;
};

Parameter read_parameter(Tokens& tokens) {
  Parameter read;
  std::uint64_t element = 0, count = 1;
  bool of_pointee = false;  // `.ptr .global .align 4` describes what the parameter points to
  for (;;) {
    const std::string_view token = tokens.next();
    if (token.empty() || token == "," || token == ")") {
      read.bytes = element * count;
      read.alignment = std::max(read.alignment, std::max<std::uint64_t>(element, 1));
      read.end = token;
      return read;
    }
    if (token == ".ptr") of_pointee = true;
    if (token == ".align") {
      const std::uint64_t alignment = number_in(tokens.next());
      if (!of_pointee) read.alignment = alignment;
    } else if (token == "[") {
      count = number_in(tokens.next());
    } else if (const std::uint64_t bytes = bytes_of_type(token); bytes != 0) {
      element = bytes;
    }
  }
}

std::optional<KernelParameters> read_parameters(Tokens& tokens) {
  KernelParameters found;
  std::uint64_t bytes = 0;
  std::string_view token = tokens.next();
  if (token == ")") return found.bytes = 0, found;
  while (token == ".param" && found.count < kMostParameters) {
    const Parameter parameter = read_parameter(tokens);
    if (parameter.end.empty() || parameter.bytes == 0 || parameter.bytes > kMostParameterBytes ||
        parameter.alignment > kMostParameterBytes || bytes > kMostParameterBytes)
      return std::nullopt;
    bytes = (bytes + parameter.alignment - 1) / parameter.alignment * parameter.alignment + parameter.bytes;
    ++found.count;
    if (parameter.end == ")") return found.bytes = bytes, found;
    token = tokens.next();
  }
  return std::nullopt;
}

}  // namespace

std::optional<KernelParameters> parameters_in_ptx(std::string_view ptx, std::string_view name) {
  Tokens tokens(ptx);
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    if (token != ".entry" || tokens.next() != name) continue;
    token = tokens.next();
    if (token == "(") return read_parameters(tokens);
    // Without brackets it has no parameters, unless the text has ended.
    if (token == "{" || token.starts_with(".")) return KernelParameters{0, 0};
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<KernelParameters> parameters_in_name(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return std::nullopt;
  int status = 0;
  char* const plain = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  const std::string text = plain == nullptr ? "" : plain;
  std::free(plain);
  // The last closing bracket is that of the parameters; brackets inside belong to one parameter.
  if (text.empty() || text.back() != ')') return std::nullopt;
  std::size_t count = 1;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    if (c == ')' || c == '>' || c == ']') ++depth;
    if (c == '(' || c == '<' || c == '[') --depth;
    if (c == ',' && depth == 1) ++count;
    if (depth != 0) continue;
    return KernelParameters{i + 2 == text.size() ? 0 : count, {}};
  }
  return std::nullopt;
}

}  // namespace lab
