// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Stream Memory Operations": a stream that waits for a value in memory
// or writes one.
#include "core/word_operation.hpp"

#include "core/call.hpp"
#include "core/per_thread_variants.hpp"

using namespace driver;

namespace {

// All are checked before any is enqueued. Measured: nothing at all is a success, without an array too; a
// captured stream gets a node even of nothing, and its addresses are not looked at (truth words_batch,
// words_captured).
CUresult enqueue(CUstream stream, unsigned count, const CUstreamBatchMemOpParams* what, unsigned flags) {
  const Reading call;
  if (call.error) return call.error;
  if ((what == nullptr && count > 0) || count > WordOperation::kMost || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  if (const CUresult error = WordOperation::check(what, count)) return error;
  std::vector<CUstreamBatchMemOpParams> said(what, what + count);
  if (queue->is_captured()) return queue->enqueue(WordOperation::to_capture(std::move(said)));
  std::shared_ptr<WordOperation> made;
  if (const CUresult error = WordOperation::create(said, made)) return error;
  return count == 0 ? CUDA_SUCCESS : queue->enqueue(std::move(made));
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
