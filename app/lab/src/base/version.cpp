// SPDX-License-Identifier: MIT
// See lab/version.hpp. The only source that is compiled again when the number changes.
#include "lab/version.hpp"

namespace lab {

std::string_view version() {
  return DRIVERLAB_VERSION;
}

std::string name_and_version() {
  return "driverlab " + std::string(version());
}

}  // namespace lab
