// SPDX-License-Identifier: MIT
// The folders in which the lab keeps things: settings, caches, temporary files; and whether one can be
// written. What lies in them is each owner's business.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace lab {

// $VARIABLE/driverlab where that is an absolute path, else ~/BELOW_HOME/driverlab.
std::filesystem::path home_folder(const char* variable, const char* below_home);
std::filesystem::path user_home();         // $HOME, or what the system knows
std::filesystem::path temporary_folder();  // $TMPDIR or /tmp
// A folder of this user alone, the same at every start.
std::filesystem::path private_temporary_folder();
// $XDG_CACHE_HOME/driverlab, ~/.cache/driverlab, or one below the temporary folder where that cannot be
// written.
std::filesystem::path cache_folder();
// Makes the folder and a file in it; `why` says what the system answered otherwise.
bool folder_can_be_written(const std::filesystem::path& folder, std::string* why);
// Once there are more than `at_most` entries, all but the `kept` that were changed last are removed.
void keep_newest(const std::filesystem::path& folder, std::size_t kept, std::size_t at_most);

}  // namespace lab
