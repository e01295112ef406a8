// SPDX-License-Identifier: MIT
// Removes private information from a run before it is shared: the arguments of command lines, which may
// contain passwords, and the folders of paths, which contain names. The program's output and sources stay,
// without such folders.
#pragma once
#include <string>
#include <string_view>

#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace lab {

// "/home/ann/x.cu is no file" -> "…/x.cu is no file". Paths that every machine has, such as /usr/lib, stay,
// and so do those below the current folder.
std::string without_folders(std::string_view text);
void leave_out_private(trace::Event& event);
void leave_out_private(trace::RunInfo& info);
// Appends the events [from, to) to `copy`, without private information.
void copy_discreetly(const trace::Store& store, std::size_t from, std::size_t to, trace::Store& copy);

}  // namespace lab
