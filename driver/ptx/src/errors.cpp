// SPDX-License-Identifier: MIT
// See errors.hpp.
#include "errors.hpp"

#include <utility>

namespace ptx {
namespace {

constexpr std::size_t kMostErrors = 200;

}  // namespace

void fatal(int line, std::string message) {
  ParseError told;
  told.line = line;
  told.message = std::move(message);
  told.fatal = true;
  throw Failure{std::move(told)};
}

void Errors::add(int line, std::string message, bool unsupported) {
  ParseError told;
  told.line = line;
  told.message = std::move(message);
  told.unsupported = unsupported;
  list_.push_back(std::move(told));
  if (list_.size() > kMostErrors) fatal(line, "Too many errors");
}

// By insertion: they are nearly in order, and there are at most a few hundred.
std::vector<ParseError> Errors::sorted() const {
  std::vector<ParseError> list = list_;
  const auto later = [](const ParseError& a, const ParseError& b) {
    return a.fatal != b.fatal ? a.fatal : a.line > b.line;
  };
  for (std::size_t i = 1; i < list.size(); ++i) {
    for (std::size_t j = i; j > 0 && later(list[j - 1], list[j]); --j) std::swap(list[j - 1], list[j]);
  }
  return list;
}

}  // namespace ptx
