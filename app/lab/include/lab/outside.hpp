// SPDX-License-Identifier: MIT
// Other programs of the desktop: the student's own editor, and the clipboard for pictures.
//
// They are only started; the lab does not follow them. They are started with an argument vector, never
// through a shell. Used by one thread.
#pragma once
#include <filesystem>

#include "lab/result.hpp"

namespace lab {

// Starts $VISUAL (words separated by blanks) if it is set, else xdg-open. True if it was started.
Result<bool> open_in_editor(const std::filesystem::path& file);
// Puts a PNG into the clipboard through xclip, which reads the file a moment later and keeps the picture.
Result<bool> copy_picture(const std::filesystem::path& png);

}  // namespace lab
