// SPDX-License-Identifier: MIT
// Which driverlab this is. The number stands in one place, the project() of the top CMakeLists.txt;
// everything that tells it asks here.
#pragma once
#include <string>
#include <string_view>

namespace lab {

std::string_view version();      // "1.2.3"
std::string name_and_version();  // "driverlab 1.2.3"

}  // namespace lab
