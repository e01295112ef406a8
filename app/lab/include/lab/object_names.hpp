// SPDX-License-Identifier: MIT
// The names of kinds of objects and of memory in sentences, pictures and pages.
//
// Pure, for any thread. The results are keys, which text() turns into words of a language.
#pragma once
#include "lab/object.hpp"
#include "lab/state.hpp"
#include "lab/text.hpp"

namespace lab {

Text object_word(ObjectKind kind);  // "module", "stream"; several kinds share a word
// "host", "managed", "from a pool"; for device memory, the usual kind, "device memory".
Text memory_word(MemoryKind kind);

}  // namespace lab
