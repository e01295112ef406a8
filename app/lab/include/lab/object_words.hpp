// SPDX-License-Identifier: MIT
// What kinds of objects and of memory are called in sentences, pictures and pages.
//
// Pure, for any thread. It knows no language: text() says the words that are named here.
#pragma once
#include "lab/object.hpp"
#include "lab/state.hpp"
#include "lab/text.hpp"

namespace lab {

Text object_word(ObjectKind kind);  // "module", "stream"; several kinds share a word
// "host", "managed", "from a pool"; device memory, which is the rule, is "device memory".
Text memory_word(MemoryKind kind);

}  // namespace lab
