// SPDX-License-Identifier: MIT
// Other programs of the desktop: the student's own editor, and the clipboard for pictures.
//
// They are started and left alone: what they do later is their own. Programs are started with an argument
// vector, never through a shell. One thread uses it.
#pragma once
#include <filesystem>

#include "lab/result.hpp"

namespace lab {

// $VISUAL (words separated by blanks) where it is set, else xdg-open. True once it was started.
Result<bool> open_in_editor(const std::filesystem::path& file);
// Hands a PNG to the clipboard through xclip, which reads it a moment later and keeps it.
Result<bool> copy_picture(const std::filesystem::path& png);

}  // namespace lab
