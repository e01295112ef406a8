// SPDX-License-Identifier: MIT
// The mistakes found so far in a text. What is worth a message, and its words, is known to those who find it.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "ptx/parse.hpp"

namespace ptx {

struct Failure {  // thrown inside the parser only; parse() turns it into a ParseError
  ParseError error;
};

// Ends the parsing with this message.
[[noreturn]] void fatal(int line, std::string message);

// Holds at most a few hundred mistakes: with one more than that, the parsing ends.
class Errors {
 public:
  void add(int line, std::string message, bool unsupported = false);
  void add(const Failure& failure) { list_.push_back(failure.error); }
  std::size_t count() const { return list_.size(); }
  // In the order of the text, fatal ones last: labels are looked up at the end of a function only.
  std::vector<ParseError> sorted() const;

 private:
  std::vector<ParseError> list_;  // in the order in which they were found
};

}  // namespace ptx
