// SPDX-License-Identifier: MIT
// The boundary between the program, which may be written in C, and the driver: no exception crosses it.
//
// generated/boundary.cpp defines every exported function as a call of the one inside, with the result of
// instead_of_exception() where that throws, and notes what fails. It costs nothing while nothing is thrown
// and nothing fails. There are also the addresses that cuGetProcAddress gives out. Includes no api.hpp: there
// the names mean what is inside.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace driver {

// In a handler only: OUT_OF_MEMORY, OPERATING_SYSTEM or UNKNOWN (boundary/instead_of_exception.hpp).
CUresult instead_of_exception();

// Notes in the log that a call fails (core/log.hpp); returns the error.
CUresult failed(CUresult error, const char* function) noexcept;

enum class DefaultStream { None, Legacy, PerThread };

struct EntryPoint {
  std::string_view name;
  int since;
  DefaultStream stream;
  void* address;
};

// Sorted by name, then by version.
extern const EntryPoint entry_points[];
extern const std::size_t entry_point_count;

}  // namespace driver
