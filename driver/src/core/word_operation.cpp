// SPDX-License-Identifier: MIT
// See word_operation.hpp: what each wait is satisfied by, and which flags and addresses are refused.
#include "core/word_operation.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <type_traits>

#include "core/driver.hpp"

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

CUresult bytes_of(CUdeviceptr address, std::size_t size, Dormant dormant, std::byte*& bytes) {
  Place place{.side = Side::Device, .address = address};
  if (address % size != 0 || !resolve(place, {.width = size}, Use::Write, dormant))
    return CUDA_ERROR_INVALID_VALUE;
  bytes = place.bytes;
  return CUDA_SUCCESS;
}

constexpr unsigned conditions = CU_STREAM_WAIT_VALUE_NOR;  // the highest one; they count from 0

template <typename Value>
CUresult make_wait(CUdeviceptr address, Value value, unsigned flags, Dormant dormant,
                   std::unique_ptr<WordStep>& made) {
  const unsigned condition = flags & ~static_cast<unsigned>(CU_STREAM_WAIT_VALUE_FLUSH);
  if (condition > conditions) return CUDA_ERROR_INVALID_VALUE;
  std::byte* bytes = nullptr;
  if (const CUresult error = bytes_of(address, sizeof(Value), dormant, bytes)) return error;
  made = std::make_unique<WaitValue<Value>>(bytes, value, condition);
  return CUDA_SUCCESS;
}

template <typename Value>
CUresult make_write(CUdeviceptr address, Value value, unsigned flags, Dormant dormant,
                    std::unique_ptr<WordStep>& made) {
  if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return CUDA_ERROR_INVALID_VALUE;
  std::byte* bytes = nullptr;
  if (const CUresult error = bytes_of(address, sizeof(Value), dormant, bytes)) return error;
  made = std::make_unique<WriteValue<Value>>(bytes, value);
  return CUDA_SUCCESS;
}

bool is_wait(const CUstreamBatchMemOpParams& what) {
  return what.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 || what.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
}

// Null for what has nothing to do: every write here is visible everywhere at once, in order.
CUresult make(const CUstreamBatchMemOpParams& what, Dormant dormant, std::unique_ptr<WordStep>& made) {
  const auto& wait = what.waitValue;
  const auto& write = what.writeValue;
  switch (what.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return make_wait<std::uint32_t>(wait.address, wait.value, wait.flags, dormant, made);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return make_wait<std::uint64_t>(wait.address, wait.value64, wait.flags, dormant, made);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return make_write<std::uint32_t>(write.address, write.value, write.flags, dormant, made);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return make_write<std::uint64_t>(write.address, write.value64, write.flags, dormant, made);
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
    case CU_STREAM_MEM_OP_BARRIER:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

CUresult WordOperation::create(const std::vector<CUstreamBatchMemOpParams>& said, Dormant dormant,
                               std::shared_ptr<WordOperation>& made) {
  auto operation = std::make_shared<WordOperation>();
  operation->said_ = said;
  for (const CUstreamBatchMemOpParams& what : said) {
    std::unique_ptr<WordStep> word;
    if (const CUresult error = make(what, dormant, word)) return error;
    if (word != nullptr) operation->words_.push_back(std::move(word));
    operation->waits_ = operation->waits_ || is_wait(what);
  }
  made = std::move(operation);
  return CUDA_SUCCESS;
}

Started WordOperation::start() {
  for (const auto& word : words_) {
    if (Driver::get().sticky_error.load()) break;
    word->take();
  }
  return {};
}

}  // namespace driver
