// SPDX-License-Identifier: MIT
// The folders in which the lab keeps settings, caches and temporary files, and whether one of them can be
// written. The files in them belong to other parts of the lab.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace lab {

// $VARIABLE/driverlab if that is an absolute path, else ~/BELOW_HOME/driverlab.
std::filesystem::path home_folder(const char* variable, const char* below_home);
std::filesystem::path user_home();         // $HOME, or what the system knows
std::filesystem::path temporary_folder();  // $TMPDIR or /tmp
// A folder of this user alone, the same at every start.
std::filesystem::path private_temporary_folder();
// $XDG_CACHE_HOME/driverlab, ~/.cache/driverlab, or a folder below the temporary folder if these cannot be
// written.
std::filesystem::path cache_folder();
// Makes the folder and a file in it; on failure, `why` receives the system's message.
bool folder_can_be_written(const std::filesystem::path& folder, std::string* why);
// Once there are more than `at_most` entries, all but the `kept` that were changed last are removed.
void keep_newest(const std::filesystem::path& folder, std::size_t kept, std::size_t at_most);

}  // namespace lab
