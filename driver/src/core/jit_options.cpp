// SPDX-License-Identifier: MIT
// See jit_options.hpp. Logs are cut at the caller's size; the size that is written back counts the bytes that
// were meant (truth module_bad_images, steps 7 and 95).
#include "core/jit_options.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "ptx/parse.hpp"

namespace driver {
namespace {

// The rest of a target asks for what only this architecture, or its family, has.
constexpr std::uint32_t kNumberOfTarget = 0xffff;

// Those of CUjit_target, and 0, which is refused later.
bool is_target(std::uint32_t target) {
  constexpr std::uint32_t kAll[] = {0,  30, 32, 35, 37, 50, 52, 53,  60,  61,  62,  70,
                                    72, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121};
  return std::find(std::begin(kAll), std::end(kAll), target & kNumberOfTarget) != std::end(kAll);
}

}  // namespace

CUresult JitOptions::read(unsigned count, CUjit_option* options, void** values, JitOptions& result) {
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] < 0 || options[i] >= CU_JIT_NUM_OPTIONS) return CUDA_ERROR_INVALID_VALUE;
    const auto size = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(values[i]));
    switch (options[i]) {
      case CU_JIT_ERROR_LOG_BUFFER:
        result.error_.buffer = static_cast<char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        result.error_.size = &values[i];
        result.error_.room = size;
        break;
      case CU_JIT_INFO_LOG_BUFFER:
        result.info_.buffer = static_cast<char*>(values[i]);
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        result.info_.size = &values[i];
        result.info_.room = size;
        break;
      case CU_JIT_LOG_VERBOSE:
        result.verbose_ = values[i] != nullptr;
        break;
      case CU_JIT_MAX_REGISTERS:
        result.most_registers_ = size;
        break;
      case CU_JIT_WALL_TIME:
        result.wall_time_ = &values[i];
        break;
      case CU_JIT_OPTIMIZATION_LEVEL:
        result.level_ = size;
        break;
      case CU_JIT_GENERATE_DEBUG_INFO:
        result.debug_ = size != 0;
        break;
      case CU_JIT_TARGET:
        if (!is_target(size)) return CUDA_ERROR_INVALID_VALUE;
        result.target_ = static_cast<int>(size & kNumberOfTarget);
        break;
      case CU_JIT_CACHE_MODE:
        // Measured: jit_cache_mode, step 19.
        if (size > CU_JIT_CACHE_OPTION_CA) return CUDA_ERROR_INVALID_VALUE;
        break;
      case CU_JIT_FALLBACK_STRATEGY:
        result.has_fallback_ = true;
        break;
      default:
        // CU_JIT_FMA too, whatever its value: measured. It was for linking intermediate code, and is
        // deprecated.
        break;
    }
  }
  return CUDA_SUCCESS;
}

// Measured: levels above 4 are taken, the last one that is given counts, and a kernel that can be debugged is
// not optimised. Between levels nothing else differs here.
void JitOptions::apply_to(ImageText& found, const JitOptions& otherwise) const {
  if (found.result != CUDA_SUCCESS || found.text.empty() || found.linked) return;
  const auto level = level_ ? level_ : otherwise.level_;
  const bool debug = debug_.value_or(otherwise.debug_.value_or(false));
  const auto refuse = [&found](const std::string& why) {
    found.result = CUDA_ERROR_INVALID_PTX;
    found.log = "ptxas fatal   : " + why;
  };
  // Measured: jit_target_0, step 4; link_target_0, step 5.
  if ((target_ ? target_ : otherwise.target_) == 0)
    found.result = CUDA_ERROR_INVALID_IMAGE;
  else if (level && static_cast<std::int32_t>(*level) < 0)
    refuse("32-bit integer value (" + std::to_string(*level) + ") out of range");
  else if (debug && level && *level != 0)
    refuse("Optimized debugging not supported");
  else if (debug || level == 0U)
    found.text.insert(0, ptx::kRoundedTwice);
}

CUresult JitOptions::judge_target(const Device& device) const {
  if (!target_ || machine_code_runs(*target_, capability_of(device))) return CUDA_SUCCESS;
  return CUDA_ERROR_INVALID_SOURCE;
}

void JitOptions::Log::write_text(const std::string& text) {
  if (buffer == nullptr || size == nullptr || room == 0) return;
  const std::size_t copied = std::min(text.size(), room - 1);
  std::memcpy(buffer, text.data(), copied);
  buffer[copied] = '\0';
  length = std::min(text.size(), room);
}

void JitOptions::Log::write_size() {
  if (buffer == nullptr || size == nullptr || room == 0) return;
  if (first || length != told) *size = reinterpret_cast<void*>(static_cast<std::uintptr_t>(length));
  first = false;
  told = length;
}

void JitOptions::write_texts(const std::string& error, const std::string& info) {
  error_.write_text(error);
  // Warnings are always written, figures only if the program asked for them.
  info_.write_text(verbose_ || info.find("warning") != std::string::npos ? info : std::string());
}

void JitOptions::write_sizes() {
  error_.write_size();
  info_.write_size();
}

void JitOptions::write_logs(const std::string& error, const std::string& info) {
  write_texts(error, info);
  write_sizes();
}

void JitOptions::write_wall_time(float milliseconds) {
  if (wall_time_ != nullptr) std::memcpy(static_cast<void*>(wall_time_), &milliseconds, sizeof milliseconds);
}

}  // namespace driver
