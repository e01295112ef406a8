// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Stream Memory Operations": a stream that waits for a value in memory
// or writes one.
//
// Waiting polls in the stream's thread, never in the caller's, and ends if a kernel has failed.
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/call.hpp"
#include "core/transfer.hpp"
#include "core/twins.hpp"

using namespace driver;

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
class WaitValue : public Operation {
 public:
  WaitValue(std::byte* bytes, Value wanted, unsigned condition)
      : place_(reinterpret_cast<Value*>(bytes)), wanted_(wanted), condition_(condition) {}
  Started start() override {
    for (unsigned round = 0; !Driver::get().sticky_error.load(); ++round) {
      if (reached(std::atomic_ref(*place_).load(), wanted_, condition_)) break;
      if (round < 64)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    return {};
  }
  Weight weight() const override { return Weight::HostCode; }

 private:
  Value* place_;
  Value wanted_;
  unsigned condition_;
};

template <typename Value>
class WriteValue : public Operation {
 public:
  WriteValue(std::byte* bytes, Value value) : place_(reinterpret_cast<Value*>(bytes)), value_(value) {}
  Started start() override {
    std::atomic_ref(*place_).store(value_);
    return {};
  }

 private:
  Value* place_;
  Value value_;
};

CUresult bytes_of(CUdeviceptr address, std::size_t size, std::byte*& bytes) {
  Place place{.side = Side::Device, .address = address};
  if (address % size != 0 || !resolve(place, {.width = size}, Use::Write)) return CUDA_ERROR_INVALID_VALUE;
  bytes = place.bytes;
  return CUDA_SUCCESS;
}

constexpr unsigned conditions = CU_STREAM_WAIT_VALUE_NOR;  // the highest one; they count from 0

template <typename Value>
CUresult make_wait(CUdeviceptr address, Value value, unsigned flags, std::shared_ptr<Operation>& made) {
  const unsigned condition = flags & ~static_cast<unsigned>(CU_STREAM_WAIT_VALUE_FLUSH);
  if (condition > conditions) return CUDA_ERROR_INVALID_VALUE;
  std::byte* bytes = nullptr;
  if (const CUresult error = bytes_of(address, sizeof(Value), bytes)) return error;
  made = std::make_shared<WaitValue<Value>>(bytes, value, condition);
  return CUDA_SUCCESS;
}

template <typename Value>
CUresult make_write(CUdeviceptr address, Value value, unsigned flags, std::shared_ptr<Operation>& made) {
  if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return CUDA_ERROR_INVALID_VALUE;
  std::byte* bytes = nullptr;
  if (const CUresult error = bytes_of(address, sizeof(Value), bytes)) return error;
  made = std::make_shared<WriteValue<Value>>(bytes, value);
  return CUDA_SUCCESS;
}

CUresult make(const CUstreamBatchMemOpParams& what, std::shared_ptr<Operation>& made) {
  const auto& wait = what.waitValue;
  const auto& write = what.writeValue;
  switch (what.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return make_wait<std::uint32_t>(wait.address, wait.value, wait.flags, made);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return make_wait<std::uint64_t>(wait.address, wait.value64, wait.flags, made);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return make_write<std::uint32_t>(write.address, write.value, write.flags, made);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return make_write<std::uint64_t>(write.address, write.value64, write.flags, made);
    // Every write here is visible everywhere at once, in order.
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
    case CU_STREAM_MEM_OP_BARRIER:
      made = std::make_shared<NoOperation>();
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// All are checked before the first is enqueued.
CUresult enqueue(CUstream stream, unsigned count, const CUstreamBatchMemOpParams* what, unsigned flags) {
  const Reading call;
  if (call.error) return call.error;
  constexpr unsigned most = 256;  // the manual's limit
  if (what == nullptr || count > most || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  Lane* const lane = find_lane(stream, *call.context);
  if (lane == nullptr) return no_stream(stream);
  std::vector<std::shared_ptr<Operation>> made(count);
  for (unsigned i = 0; i < count; ++i) {
    if (const CUresult error = make(what[i], made[i])) return error;
  }
  for (std::shared_ptr<Operation>& operation : made) {
    if (const CUresult error = lane->enqueue(std::move(operation))) return error;
  }
  return CUDA_SUCCESS;
}

CUresult wait_or_write(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, std::uint64_t value,
                       unsigned flags) {
  CUstreamBatchMemOpParams what{};
  what.operation = type;
  // Waiting and writing have the same layout.
  what.waitValue.address = address;
  what.waitValue.value64 = value;
  what.waitValue.flags = flags;
  return enqueue(stream, 1, &what, 0);
}

}  // namespace

// cuStreamWaitValue32, cuStreamWaitValue64. Errors: INVALID_VALUE, NOT_SUPPORTED.
ON_STREAM(cuStreamWaitValue32_v2,
          (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags),
          wait_or_write(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags))
ON_STREAM(cuStreamWaitValue64_v2,
          (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags),
          wait_or_write(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags))

// cuStreamWriteValue32, cuStreamWriteValue64. Errors: INVALID_VALUE, NOT_SUPPORTED.
ON_STREAM(cuStreamWriteValue32_v2,
          (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags),
          wait_or_write(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags))
ON_STREAM(cuStreamWriteValue64_v2,
          (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags),
          wait_or_write(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags))

// cuStreamBatchMemOp. Errors: INVALID_VALUE, NOT_SUPPORTED.
ON_STREAM(cuStreamBatchMemOp_v2,
          (CUstream stream, unsigned int count, CUstreamBatchMemOpParams* what, unsigned int flags),
          enqueue(stream, count, what, flags))
