// SPDX-License-Identifier: MIT
// The options that cuModuleLoadDataEx, cuLibraryLoadData and the linker take: which exist, and the logs and
// sizes that are written back through them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/api.hpp"
#include "core/image.hpp"

namespace driver {

// The slots of the caller's arrays are written, and not what they point to: sizes and the wall time are
// values in the array itself. So the arrays have to live as long as this object. Some programs free them too
// early for linkers, so after the first time a slot is written only if its value has changed.
class JitOptions {
 public:
  JitOptions() = default;
  // INVALID_VALUE for an option that does not exist, and for arrays that are missing.
  static CUresult read(unsigned count, CUjit_option* options, void** values, JitOptions& result);

  // Whether there is anything to write back.
  bool ask_for_answers() const {
    return error_.buffer != nullptr || info_.buffer != nullptr || wall_time_ != nullptr;
  }
  unsigned most_registers() const { return most_registers_; }
  bool has_fallback() const { return has_fallback_; }
  // The architecture of CU_JIT_TARGET, or `otherwise`.
  int target_or(int otherwise) const { return target_.value_or(otherwise); }
  // INVALID_SOURCE if the device does not run code for this target.
  CUresult judge_target(const Device& device) const;
  // How a text is to be compiled. A text that cannot be compiled is an INVALID_PTX with the assembler's
  // words. Without optimisation, products and sums are not fused. What is not given here is as in
  // `otherwise`.
  void apply_to(ImageText& found) const { apply_to(found, {}); }
  void apply_to(ImageText& found, const JitOptions& otherwise) const;
  void write_logs(const std::string& error, const std::string& info);
  void write_wall_time(float milliseconds);
  // For a linker: the texts, which have memory of their own, and later the slots.
  void write_texts(const std::string& error, const std::string& info);
  void write_sizes();

 private:
  struct Log {
    char* buffer = nullptr;
    void** size = nullptr;
    std::size_t room = 0;
    std::size_t length = 0;  // the value for the slot
    std::size_t told = 0;    // the value in the slot
    bool first = true;
    void write_text(const std::string& text);
    void write_size();
  };
  Log error_, info_;
  bool verbose_ = false;
  unsigned most_registers_ = 0;
  std::optional<std::uint32_t> level_;
  std::optional<bool> debug_;
  std::optional<int> target_;
  bool has_fallback_ = false;
  void** wall_time_ = nullptr;
};

}  // namespace driver
