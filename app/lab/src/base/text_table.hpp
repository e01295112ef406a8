// SPDX-License-Identifier: MIT
// The table of all sentences in both languages, by Text. It is generated from assets/strings; only text.cpp
// and the generated source include this.
#pragma once
#include "lab/text_keys.hpp"

namespace lab {

struct TextRow {
  const char* english;
  const char* chinese;
};
extern const TextRow kTextTable[kTextCount];

}  // namespace lab
