// SPDX-License-Identifier: MIT
// See image.hpp: the reason for the log. Apart from reading images, which needs no log.
#include <string>

#include "core/image.hpp"
#include "core/log.hpp"

namespace driver {

// Truth logs_module, steps 11 to 17.
CUresult no_code(CUresult error, const Device& device) {
  const bool of_text = error == CUDA_ERROR_INVALID_PTX || error == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  if (!of_text && error != CUDA_ERROR_INVALID_IMAGE) return error;
  return refuse(error, std::string(of_text ? "JIT compilation failed" : "Error handling fatbinary") +
                           ", to get more information when using CUDA Driver APIs use the "
                           "CU_JIT_ERROR_LOG_BUFFER and CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES parameters\n"
                           "No device code available for GPU ISA " +
                           std::to_string(capability_of(device)));
}

}  // namespace driver
