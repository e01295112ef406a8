// SPDX-License-Identifier: MIT
// Text for a page: nothing in it is taken for markup, also between double quotes.
#pragma once
#include <string>
#include <string_view>

namespace lab {

// Characters that a browser would obey and not show appear by number: "\u{202e}".
std::string as_markup(std::string_view text);

}  // namespace lab
