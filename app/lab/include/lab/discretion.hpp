// SPDX-License-Identifier: MIT
// What a run says of the person who ran it, and no picture of it needs: arguments of command lines, where
// passwords stand, and the folders of paths, where names stand. What the program itself wrote and its sources
// stay, with such folders left out.
#pragma once
#include <string>
#include <string_view>

#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace lab {

// "/home/ann/x.cu is no file" -> "…/x.cu is no file"; paths that every machine has, as /usr/lib, stay,
// and those that lead down from the current folder.
std::string without_folders(std::string_view text);
void leave_out_private(trace::Event& event);
void leave_out_private(trace::RunInfo& info);
// The events [from, to), appended to `copy`.
void copy_discreetly(const trace::Store& store, std::size_t from, std::size_t to, trace::Store& copy);

}  // namespace lab
