// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Module Management", as far as modules come from PTX text.
//
// A module belongs to the context that was current when it was loaded; its functions and globals can be
// looked up whatever context is current (truth module, steps 42 and 43).
#include <cstdio>
#include <cstring>
#include <span>

#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/code.hpp"
#include "core/jit_options.hpp"
#include "core/log.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

CUresult no_module(CUmodule handle) {
  return handle == nullptr ? refuse(CUDA_ERROR_INVALID_HANDLE, "CUmodule cannot be NULL")
                           : CUDA_ERROR_INVALID_HANDLE;
}

CUresult load(CUmodule* module, const void* image, std::span<const std::byte> bytes, unsigned count,
              CUjit_option* options, void** values) {
  finish_current_work();
  const Changing call;
  if (call.error) return call.error;
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (image == nullptr && bytes.empty()) return refuse(CUDA_ERROR_INVALID_VALUE, "image cannot be NULL");
  JitOptions wanted;
  if (const CUresult error = JitOptions::read(count, options, values, wanted)) return error;
  const Device& device = call.context->device();
  ImageText found = image != nullptr ? find_text(image, device) : find_text(bytes, device);
  wanted.apply_to(found);
  if (found.result == CUDA_SUCCESS && !found.linked) found.result = wanted.judge_target(device);
  const ImageResult read = read_image(std::move(found), device);
  wanted.write_logs(read.log, read.info);
  wanted.write_wall_time(0);  // as for text that was compiled before (truth wall_time, step 9)
  if (read.result != CUDA_SUCCESS) return no_code(read.result, device);
  read.image->most_registers = wanted.most_registers();
  Module* loaded = nullptr;
  const CUresult result = Code::get().load_module(*call.context, read.image, nullptr, loaded);
  if (result == CUDA_SUCCESS) *module = loaded->handle();
  return result;
}

}  // namespace

// cuModuleLoadData. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_PTX,
// UNSUPPORTED_PTX_VERSION, OUT_OF_MEMORY, INVALID_SOURCE, NO_BINARY_FOR_GPU, SHARED_OBJECT_SYMBOL_NOT_FOUND,
// …
CUresult CUDAAPI cuModuleLoadData(CUmodule* module, const void* image) {
  return load(module, image, {}, 0, nullptr, nullptr);
}

// cuModuleLoadDataEx. Errors: as cuModuleLoadData. Measured: PTX with a CU_JIT_TARGET that the device cannot
// run gives 300, with target 0 it gives 200, with one that cuda.h does not name 1 (jit_target_75,
// jit_target_0, jit_target_12345, step 4).
CUresult CUDAAPI cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                                    CUjit_option* options, void** values) {
  return load(module, image, {}, count, options, values);
}

// cuModuleLoadFatBinary. Errors: as cuModuleLoadData.
CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load(module, image, {}, 0, nullptr, nullptr);
}

// cuModuleLoad. Errors: as cuModuleLoadData, and FILE_NOT_FOUND. Measured: a missing file gives 301
// (module, step 5), a path without a character 1.
CUresult CUDAAPI cuModuleLoad(CUmodule* module, const char* path) {
  Context* context = nullptr;
  if (const CUresult error = current_context(context)) return error;
  if (module != nullptr && path == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "fname cannot be NULL");
  if (module == nullptr || *path == '\0') return CUDA_ERROR_INVALID_VALUE;
  std::string bytes;
  if (const CUresult error = read_file(path, bytes)) return error;
  bytes += '\0';  // an empty file is an image too, of no known format
  return load(module, nullptr, std::as_bytes(std::span(bytes)), 0, nullptr, nullptr);
}

// cuModuleUnload. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, NOT_PERMITTED.
// Measured: a library's module 800 (library, step 50); one that is gone, and null, 400 (module, steps 45 and
// 51). It waits for the kernels, but does not return the fault of one of them; a fault that a call has
// returned before, it returns too (finding_unload, step 6; sticky_illegal_address, step 12).
CUresult CUDAAPI cuModuleUnload(CUmodule handle) {
  if (const CUresult error = unsafe_call()) return error;
  Context* context = nullptr;
  if (const CUresult error = current_context(context)) return error;
  finish_current_work();
  const Changing call;
  if (call.error && call.error != Driver::get().sticky_error) return call.error;
  Module* module = Code::get().module(handle);
  if (module == nullptr) return no_module(handle);
  if (module->library() != nullptr) return CUDA_ERROR_NOT_PERMITTED;
  module->context().disown(module);
  return CUDA_SUCCESS;
}

// cuModuleGetFunction. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, NOT_FOUND.
CUresult CUDAAPI cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  const Changing call;
  if (call.error) return call.error;
  if (function == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "hfunc cannot be NULL");
  if (name == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "name cannot be NULL");
  if (*name == '\0') return CUDA_ERROR_INVALID_VALUE;
  Module* module = Code::get().module(handle);
  if (module == nullptr) return no_module(handle);
  Function* found = module->function(name);
  if (found == nullptr) return CUDA_ERROR_NOT_FOUND;
  found->loaded.store(true, std::memory_order_relaxed);
  *function = reinterpret_cast<CUfunction>(found);
  return CUDA_SUCCESS;
}

// cuModuleGetFunctionCount. Errors: INVALID_VALUE.
CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int* count, CUmodule handle) {
  const Changing call;
  if (call.error) return call.error;
  Module* module = Code::get().module(handle);
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *count = static_cast<unsigned>(module->functions().size());
  return CUDA_SUCCESS;
}

// cuModuleEnumerateFunctions. Errors: INVALID_VALUE.
CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule handle) {
  const Changing call;
  if (call.error) return call.error;
  if (functions == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  Module* module = Code::get().module(handle);
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  for (const auto& [name, function] : module->functions()) {
    if (count-- == 0) break;
    *functions++ = reinterpret_cast<CUfunction>(function.get());
  }
  return CUDA_SUCCESS;
}

// cuModuleGetGlobal. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, NOT_FOUND.
// Measured: either output may be null, not both (module, steps 15 to 18).
CUresult CUDAAPI cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule handle,
                                      const char* name) {
  const Changing call;
  if (call.error) return call.error;
  if ((address == nullptr && bytes == nullptr) || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Module* module = Code::get().module(handle);
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const std::uint64_t found = module->address_of(name);
  // Measured: the name of a function gives 1.
  if (found == 0) return module->function(name) != nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
  if (address != nullptr) *address = found;
  if (bytes != nullptr) *bytes = module->image().tree.find_variable(name)->size;
  return CUDA_SUCCESS;
}

// cuModuleGetLoadingMode. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. Lazy unless
// CUDA_MODULE_LOADING was EAGER in cuInit.
CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (const CUresult error = Driver::ready()) return error;
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = Driver::get().loads_eagerly() ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}
