// SPDX-License-Identifier: MIT
// The error code that a program, which may be written in C, gets instead of an exception. One function for
// the driver, the runtime and NVRTC, each with its own error codes. Depends on none of the three.
#pragma once

#include <cxxabi.h>

#include <new>
#include <stdexcept>
#include <system_error>

namespace boundary {

template <class Code>
struct Codes {
  Code out_of_memory;  // there was no memory, or too much was asked for
  Code system;         // the system refused something, for example a thread
  Code other;
};

// To be called only in a handler. If the thread is being cancelled, the cancellation goes on.
template <class Code>
Code instead_of_exception(const Codes<Code>& codes) {
  try {
    throw;
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (const std::bad_alloc&) {
    return codes.out_of_memory;
  } catch (const std::length_error&) {
    return codes.out_of_memory;
  } catch (const std::system_error&) {
    return codes.system;
  } catch (...) {
    return codes.other;
  }
}

}  // namespace boundary
