// Which streams a call may name. There are no streams but the default ones yet; the one who adds them looks
// here.
//
// Work is done when its call returns, so that the legacy and the per-thread default stream behave alike.
#pragma once

#include "core/api.hpp"

namespace driver {

inline bool is_stream(CUstream stream) {
  return stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

}  // namespace driver
