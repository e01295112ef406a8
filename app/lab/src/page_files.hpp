// SPDX-License-Identifier: MIT
// The viewer of exported pages, as tools/embed_page.py takes it from assets/page: one style, one script, and
// their SHA-256 in base64, by which the page's policy lets them, and nothing else, take effect.
#pragma once
#include <string_view>

namespace lab {
extern const std::string_view kPageStyle, kPageScript, kPageStyleHash, kPageScriptHash;
}  // namespace lab
