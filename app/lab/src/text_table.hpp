// SPDX-License-Identifier: MIT
// The generated table of sentences, by Text. Only text.cpp and the generated source see it.
#pragma once
#include "lab/text_keys.hpp"

namespace lab {

struct TextRow {
  const char* english;
  const char* chinese;
};
extern const TextRow kTextTable[kTextCount];

}  // namespace lab
