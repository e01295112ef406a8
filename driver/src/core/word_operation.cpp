// SPDX-License-Identifier: MIT
// See word_operation.hpp: what each wait is satisfied by, and which flags and addresses are refused.
#include "core/word_operation.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <type_traits>

#include "core/driver.hpp"
#include "core/log.hpp"
#include "core/transfer.hpp"

namespace driver {
namespace {

template <typename Value>
bool reached(Value now, Value wanted, unsigned condition) {
  switch (condition) {
    case CU_STREAM_WAIT_VALUE_EQ:
      return now == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
      return (now & wanted) != 0;
    case CU_STREAM_WAIT_VALUE_NOR:
      return static_cast<Value>(~(now | wanted)) != 0;
    default:  // CU_STREAM_WAIT_VALUE_GEQ: cyclic, as the manual defines it
      return static_cast<std::make_signed_t<Value>>(now - wanted) >= 0;
  }
}

template <typename Value>
class WaitValue : public WordStep {
 public:
  WaitValue(std::byte* bytes, Value wanted, unsigned condition)
      : place_(reinterpret_cast<Value*>(bytes)), wanted_(wanted), condition_(condition) {}
  void take() override {
    for (unsigned round = 0; !Driver::get().sticky_error.load(); ++round) {
      if (reached(std::atomic_ref(*place_).load(), wanted_, condition_)) break;
      if (round < 64)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

 private:
  Value* place_;
  Value wanted_;
  unsigned condition_;
};

template <typename Value>
class WriteValue : public WordStep {
 public:
  WriteValue(std::byte* bytes, Value value) : place_(reinterpret_cast<Value*>(bytes)), value_(value) {}
  void take() override { std::atomic_ref(*place_).store(value_); }

 private:
  Value* place_;
  Value value_;
};

// Measured: neither managed memory nor that of a pool (truth words_wrong, steps 69 and 81).
CUresult bytes_of(CUdeviceptr address, std::size_t size, std::byte*& bytes) {
  Place place{.side = Side::Device, .address = address};
  if (!resolve(place, {.width = size}, Use::Write)) {
    char text[80];
    std::snprintf(text, sizeof text, "Batch memory address 0x%016llx is not valid", address);
    return refuse(CUDA_ERROR_INVALID_VALUE, text);
  }
  const Allocation* const allocation = Driver::get().memory().find(address);
  if (allocation != nullptr && allocation->kind == MemoryKind::Managed)
    return refuse(CUDA_ERROR_INVALID_VALUE, "Batch memory operations do not support managed memory");
  if (allocation != nullptr && allocation->pool != nullptr) {
    char text[112];
    std::snprintf(text, sizeof text,
                  "Batch memory operation address 0x%016llx is not accessible from supplied device", address);
    return refuse(CUDA_ERROR_INVALID_VALUE, text);
  }
  bytes = place.bytes;
  return CUDA_SUCCESS;
}

constexpr unsigned kConditions = CU_STREAM_WAIT_VALUE_NOR;  // the highest one; they count from 0

bool is_wait(const CUstreamBatchMemOpParams& what) {
  return what.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 || what.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
}

// Of the word that is waited for or written; 0 for what has none.
std::size_t bytes_in(const CUstreamBatchMemOpParams& what) {
  switch (what.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return 4;
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return 8;
    default:
      return 0;
  }
}

CUresult refuse_at(std::size_t index, CUresult error, const std::string& reason) {
  return refuse(error, "Index " + std::to_string(index) + ": " + reason);
}

// Waiting and writing have the same layout.
CUresult check_one(const CUstreamBatchMemOpParams& what, std::size_t index) {
  constexpr unsigned kFlush = CU_STREAM_WAIT_VALUE_FLUSH;
  const bool flushes = what.operation == CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES ||
                       (is_wait(what) && (what.waitValue.flags & kFlush) != 0);
  if (flushes)
    return refuse_at(index, CUDA_ERROR_NOT_SUPPORTED, "Hardware does not support flushing remote writes");
  if (what.operation == CU_STREAM_MEM_OP_BARRIER) return CUDA_SUCCESS;
  const std::size_t size = bytes_in(what);
  if (size == 0)
    return refuse_at(index, CUDA_ERROR_INVALID_VALUE, "Invalid operation " + std::to_string(what.operation));
  char text[48];
  if (what.waitValue.flags > (is_wait(what) ? kConditions : 0)) {
    std::snprintf(text, sizeof text, "Invalid flags 0x%x", what.waitValue.flags);
    return refuse_at(index, CUDA_ERROR_INVALID_VALUE, text);
  }
  if (what.waitValue.address % size != 0) {
    std::snprintf(text, sizeof text, "Address 0x%llx not aligned", what.waitValue.address);
    return refuse_at(index, CUDA_ERROR_INVALID_VALUE, text);
  }
  return CUDA_SUCCESS;
}

template <typename Value>
std::unique_ptr<WordStep> step_of(const CUstreamBatchMemOpParams& what, std::byte* bytes) {
  const auto value = static_cast<Value>(what.waitValue.value64);
  if (is_wait(what)) return std::make_unique<WaitValue<Value>>(bytes, value, what.waitValue.flags);
  return std::make_unique<WriteValue<Value>>(bytes, value);
}

}  // namespace

CUresult WordOperation::check(const CUstreamBatchMemOpParams* said, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (const CUresult error = check_one(said[i], i)) return error;
  }
  return CUDA_SUCCESS;
}

CUresult WordOperation::create(const std::vector<CUstreamBatchMemOpParams>& said,
                               std::shared_ptr<WordOperation>& made) {
  auto operation = to_capture(said);
  for (const CUstreamBatchMemOpParams& what : said) {
    const std::size_t size = bytes_in(what);
    if (size == 0) continue;  // a barrier: every write here is visible everywhere at once, in order
    std::byte* bytes = nullptr;
    if (const CUresult error = bytes_of(what.waitValue.address, size, bytes)) return error;
    operation->words_.push_back(size == 4 ? step_of<std::uint32_t>(what, bytes)
                                          : step_of<std::uint64_t>(what, bytes));
    operation->waits_ = operation->waits_ || is_wait(what);
  }
  made = std::move(operation);
  return CUDA_SUCCESS;
}

std::shared_ptr<WordOperation> WordOperation::to_capture(std::vector<CUstreamBatchMemOpParams> said) {
  auto operation = std::make_shared<WordOperation>();
  operation->said_ = std::move(said);
  return operation;
}

Started WordOperation::start() {
  for (const auto& word : words_) {
    if (Driver::get().sticky_error.load()) break;
    word->take();
  }
  return {};
}

}  // namespace driver
