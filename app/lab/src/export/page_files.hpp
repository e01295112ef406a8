// SPDX-License-Identifier: MIT
// The viewer of exported pages, which tools/embed_page.py takes from assets/page: one style, one script, and
// their SHA-256 in base64. The page's policy allows only a style and a script with these sums.
#pragma once
#include <string_view>

namespace lab {
extern const std::string_view kPageStyle, kPageScript, kPageStyleHash, kPageScriptHash;
}  // namespace lab
