// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Error Log Management Functions".
//
// They read what core/log.cpp keeps, and need neither cuInit nor a context. Flags that are not 0 are
// accepted. All measured: truth logs_wrong, logs_dump.
#include "core/log.hpp"

#include <cstdio>
#include <cstring>

using namespace driver;

// cuLogsRegisterCallback. Errors: INVALID_VALUE. Whoever takes no handle cannot unregister.
CUresult CUDAAPI cuLogsRegisterCallback(CUlogsCallback callback, void* data, CUlogsCallbackHandle* handle) {
  if (callback == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "callbackFunc cannot be NULL");
  const CUlogsCallbackHandle made = Log::get().listen(callback, data);
  if (handle != nullptr) *handle = made;
  return CUDA_SUCCESS;
}

// cuLogsUnregisterCallback. Errors: INVALID_VALUE. Measured: the real driver crashes on a handle that is none
// any more; here it is 1.
CUresult CUDAAPI cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
  if (handle == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "Callback handle cannot be NULL");
  return Log::get().unlisten(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// cuLogsCurrent. Errors: INVALID_VALUE.
CUresult CUDAAPI cuLogsCurrent(CUlogIterator* place, unsigned int) {
  if (place == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "Iterator cannot be NULL");
  *place = Log::get().end();
  return CUDA_SUCCESS;
}

// cuLogsDumpToFile. Errors: INVALID_VALUE. A file that is there is replaced.
CUresult CUDAAPI cuLogsDumpToFile(CUlogIterator* place, const char* path, unsigned int) {
  if (path == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "pathToFile cannot be NULL");
  CUlogIterator from = place != nullptr ? *place : 0;
  std::string text;
  if (!Log::get().read(from, std::string::npos, text))
    return refuse(CUDA_ERROR_INVALID_VALUE, "CUlogIterator is beyond the end of the logs");
  std::FILE* const file = std::fopen(path, "we");
  if (file == nullptr) {
    return refuse(CUDA_ERROR_INVALID_VALUE,
                  "Unable to open file at " + std::string(path) + " for dumping logs");
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !written) return CUDA_ERROR_OPERATING_SYSTEM;
  if (place != nullptr) *place = from;
  return CUDA_SUCCESS;
}

// cuLogsDumpToMemory. Errors: INVALID_VALUE. The size becomes the length of the text without its end; with
// nothing to say the buffer stays as it was. Measured: the real driver writes behind a buffer that is one
// byte too short for the text or its end; here whole lines are left out.
CUresult CUDAAPI cuLogsDumpToMemory(CUlogIterator* place, char* buffer, size_t* size, unsigned int) {
  if (buffer == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "buffer cannot be NULL");
  if (size == nullptr)
    return refuse(CUDA_ERROR_INVALID_VALUE, "Memory buffer size must be given for log dump");
  CUlogIterator from = place != nullptr ? *place : 0;
  const bool any = from != Log::get().end();
  std::string text;
  const std::size_t room = *size > 0 ? *size - 1 : 0;
  *size = 0;
  if (!Log::get().read(from, room, text))
    return refuse(CUDA_ERROR_INVALID_VALUE, "CUlogIterator is beyond the end of the logs");
  if (text.empty()) {
    return any ? refuse(CUDA_ERROR_INVALID_VALUE, "Provided buffer is not large enough to write any logs to")
               : CUDA_SUCCESS;
  }
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  *size = text.size();
  if (place != nullptr) *place = from;
  return CUDA_SUCCESS;
}
