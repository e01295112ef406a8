// SPDX-License-Identifier: MIT
// A green context: a context of some multiprocessors of a device, with streams that use only these.
//
// Memory, code and events belong to the primary context of its device, which it retains; its own are its
// streams. Measured: its handle is that of its context, whichever type it has (green_create, step 25).
#pragma once

#include "core/context.hpp"
#include "core/device_resource.hpp"

namespace driver {

// Null when no more contexts can be made. Driver's lock has to be held, exclusively.
Context* create_green_context(const Multiprocessors& share, Device& device);

// The multiprocessors that kernels in the streams of a context may use.
Multiprocessors share_of(const Context& context);

// A handle passed by the caller: 201 for none and for one of another kind of context, 709 for a destroyed
// one. After a kernel has failed its error (green_kernel_faults, steps 12 to 18).
CUresult given_green(CUgreenCtx handle, Context*& green);

}  // namespace driver
