// SPDX-License-Identifier: MIT
// See green_context.hpp: which multiprocessors each green context has.
#include "core/green_context.hpp"

#include "core/assured.hpp"
#include "core/driver.hpp"

namespace driver {
namespace {

// Also of those that were destroyed. Leaked, so that a thread in a call at the end of the process finds it.
AssuredMap<const Context*, Multiprocessors>& shares() {
  static auto* const all = new AssuredMap<const Context*, Multiprocessors>;
  return *all;
}

}  // namespace

Context* create_green_context(const Multiprocessors& share, Device& device) {
  Context* const context = Driver::get().create_green(device);
  if (context != nullptr) shares().emplace(context, share);
  return context;
}

Multiprocessors share_of(const Context& context) {
  return context.kind() == ContextKind::Green ? shares().at(&context) : Multiprocessors::of(context.device());
}

CUresult given_green(CUgreenCtx handle, Context*& green) {
  green = Driver::get().contexts().find(reinterpret_cast<CUcontext>(handle));
  if (green == nullptr || green->kind() != ContextKind::Green) return CUDA_ERROR_INVALID_CONTEXT;
  return green->alive() ? Driver::get().sticky_error.load() : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

}  // namespace driver
