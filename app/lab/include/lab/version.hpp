// SPDX-License-Identifier: MIT
// The version of this driverlab. The number is defined in one place, the project() of the top CMakeLists.txt;
// all code that shows it calls these functions.
#pragma once
#include <string>
#include <string_view>

namespace lab {

std::string_view version();      // "1.2.3"
std::string name_and_version();  // "driverlab 1.2.3"

}  // namespace lab
