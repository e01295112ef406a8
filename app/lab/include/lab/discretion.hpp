// SPDX-License-Identifier: MIT
// What is left out of a run before it is shared, because it tells of the person and not of the program:
// arguments of command lines, which may hold passwords, and the folders of paths, which hold names. What the
// program itself printed and its sources stay, without such folders.
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
