// SPDX-License-Identifier: MIT
// Names that api/ does not describe: in the driver they are recorded by name (named.S), in the libraries
// above it only forwarded (forwarded.S).
#pragma once
#include <cstddef>

extern "C" {
extern const char* const driverlab_forwarded_names[] __attribute__((visibility("hidden")));
extern void* driverlab_forwarded_functions[] __attribute__((visibility("hidden")));
// Our entries of those names, in the tracer only: in the libraries above the driver they are not recorded.
extern void* const driverlab_forwarded_entries[] __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) void* driverlab_find_forwarded(std::size_t index);
}
