// SPDX-License-Identifier: MIT
// What an argument is for, and how its value is to be read: in the descriptions of the API, and in traced
// calls.
#pragma once
#include <cstdint>

namespace api {

enum class Role : std::uint8_t { In, Out, InOut };

// The kind of a value without its pointers. Recordings hold these numbers: a new kind goes to the end.
enum class ValueKind : std::uint8_t {
  Unsigned,  // also raw bytes, one by one
  Signed,
  Float,
  Size,  // in bytes
  Boolean,
  Enumerator,     // of one enumeration
  Flags,          // bits named by an enumeration
  Handle,         // an opaque object; the type says of which kind ("CUcontext", "CUstream", …)
  Device,         // CUdevice
  DevicePointer,  // CUdeviceptr
  HostPointer,    // an address in the program that is not followed
  String,         // ends with a zero byte
  Struct,
  Array,   // several values: of a traced argument only, a description says it apart from their kind
  Result,  // CUresult
};

}  // namespace api
