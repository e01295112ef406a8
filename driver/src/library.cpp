// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Library Management": code that belongs to no context.
//
// Loading and getting a kernel need no current context; what belongs to a context needs one (truth
// no_context, steps 27 to 34).
#include <algorithm>
#include <span>

#include "core/call.hpp"
#include "core/code.hpp"
#include "core/log.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

// A library whose text has been read. A text that cannot be used is an error here, 200 or 218, not in the
// load.
CUresult readable(CUlibrary handle, Library*& library) {
  library = Code::get().library(handle);
  return library == nullptr ? CUDA_ERROR_INVALID_HANDLE : library->read();
}

// Options of a library say how the code that is given here is kept; it is always copied.
bool known(const CUlibraryOption* options, void* const* values, unsigned count) {
  if (count != 0 && (options == nullptr || values == nullptr)) return false;
  return std::all_of(options, options + count, [](CUlibraryOption option) {
    return option >= CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE && option < CU_LIBRARY_NUM_OPTIONS;
  });
}

// Measured: with eager loading the code is loaded into the current context too, which waits for the work
// there (loading_waits_eager_gate, step 19), and a mistake in it is not reported here either (loading_EAGER,
// step 41).
CUresult load(ImageText found, JitOptions& options, CUlibrary& handle) {
  if (found.at_once) return found.result;
  options.apply_to(found);
  Library* const library = Code::get().load_library(std::move(found));
  library->most_registers = options.most_registers();
  if (options.ask_for_answers()) {
    library->read(&options);
    options.write_wall_time(0);
  }
  handle = library->handle();
  Context* context = nullptr;
  Module* module = nullptr;
  if (Driver::get().loads_eagerly() && current_context(context) == CUDA_SUCCESS)
    library->module_in(*context, module);
  return CUDA_SUCCESS;
}

// Before the lock is taken.
void finish_work_before_eager_load() {
  if (Driver::ready() == CUDA_SUCCESS && Driver::get().loads_eagerly()) finish_current_work();
}

bool is_in_current_context(const Library& library) {
  Context* const current = ContextStack::of_this_thread().top();
  return current != nullptr && library.is_loaded_in(current->home());
}

// Loading code into a context waits for the work there. Before the lock is taken, too.
void finish_work_before_load(CUkernel handle) {
  {
    const ReadingAnywhere call;
    const Kernel* const kernel = call.error == CUDA_SUCCESS ? Code::get().kernel(handle) : nullptr;
    if (kernel == nullptr || is_in_current_context(*kernel->library)) return;
  }
  finish_current_work();
}

void finish_work_before_unload(CUlibrary handle) {
  {
    const ReadingAnywhere call;
    const Library* const library = call.error == CUDA_SUCCESS ? Code::get().library(handle) : nullptr;
    if (library == nullptr || !is_in_current_context(*library)) return;
  }
  finish_current_work();
}

}  // namespace

// cuLibraryLoadData. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_PTX, …
// Measured: the code is not read yet (library, step 5). A program that asks for logs has them when the call
// returns; the result is the same, because errors in the code are returned when it is used. Only a cubin for
// this device that cannot be real is refused here (elf_header_13_of_90, step 5).
CUresult CUDAAPI cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                                   unsigned int count, CUlibraryOption* library_options,
                                   void** library_values, unsigned int library_count) {
  finish_work_before_eager_load();
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (library == nullptr || code == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitOptions wanted;
  if (const CUresult error = JitOptions::read(count, options, values, wanted)) return error;
  if (!known(library_options, library_values, library_count)) return CUDA_ERROR_INVALID_VALUE;
  return load(find_text(code, *Driver::get().device(0)), wanted, *library);
}

// cuLibraryLoadFromFile. Errors: as cuLibraryLoadData, and FILE_NOT_FOUND. Measured: an empty file gives 200,
// other text that is no code is only found to be none when it is used.
CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options,
                                       void** values, unsigned int count, CUlibraryOption* library_options,
                                       void** library_values, unsigned int library_count) {
  finish_work_before_eager_load();
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (library == nullptr || path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitOptions wanted;
  if (const CUresult error = JitOptions::read(count, options, values, wanted)) return error;
  if (!known(library_options, library_values, library_count)) return CUDA_ERROR_INVALID_VALUE;
  std::string bytes;
  if (const CUresult error = read_file(path, bytes)) return error;
  if (bytes.empty()) return CUDA_ERROR_INVALID_IMAGE;
  bytes += '\0';
  return load(find_text(std::as_bytes(std::span(bytes)), *Driver::get().device(0)), wanted, *library);
}

// cuLibraryUnload. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. Measured: if its code is in the
// current context, the call waits for the work there (loading_waits_lazy_gate, step 31).
CUresult CUDAAPI cuLibraryUnload(CUlibrary handle) {
  finish_work_before_unload(handle);
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (handle == nullptr) return refuse(CUDA_ERROR_INVALID_HANDLE, "library cannot be NULL");
  Library* library = Code::get().library(handle);
  if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  Code::get().unload(library);
  return CUDA_SUCCESS;
}

// cuLibraryGetKernel. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE, NOT_FOUND.
CUresult CUDAAPI cuLibraryGetKernel(CUkernel* kernel, CUlibrary handle, const char* name) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (kernel == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Library* library = nullptr;
  if (const CUresult error = readable(handle, library)) return error;
  Kernel* found = library->kernel(name);
  if (found == nullptr)
    return refuse(CUDA_ERROR_NOT_FOUND, "Kernel (" + std::string(name) + ") cannot be found in library");
  *kernel = reinterpret_cast<CUkernel>(found);
  return CUDA_SUCCESS;
}

// cuLibraryGetKernelCount. Errors: INVALID_VALUE. Measured: what turns out to be no code has no kernels, and
// counting and listing them succeed; looking for one says what is wrong.
CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int* count, CUlibrary handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Library* const library = Code::get().library(handle);
  if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  library->read();
  *count = static_cast<unsigned>(library->kernels().size());
  return CUDA_SUCCESS;
}

// cuLibraryEnumerateKernels. Errors: INVALID_VALUE.
CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (kernels == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Library* const library = Code::get().library(handle);
  if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  library->read();
  unsigned filled = 0;
  for (const auto& [name, kernel] : library->kernels()) {
    if (filled == count) break;
    kernels[filled++] = reinterpret_cast<CUkernel>(kernel.get());
  }
  return CUDA_SUCCESS;
}

// cuLibraryGetModule. Errors: INVALID_VALUE, INVALID_HANDLE, INVALID_CONTEXT, CONTEXT_IS_DESTROYED.
CUresult CUDAAPI cuLibraryGetModule(CUmodule* module, CUlibrary handle) {
  const Changing call;
  if (call.error) return call.error;
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Library* library = nullptr;
  if (const CUresult error = readable(handle, library)) return error;
  Module* found = nullptr;
  const CUresult result = library->module_in(*call.context, found);
  if (result == CUDA_SUCCESS) *module = found->handle();
  return result;
}

// cuLibraryGetGlobal. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE, NOT_FOUND,
// INVALID_CONTEXT, CONTEXT_IS_DESTROYED. Measured: it finds managed variables too (library, step 36).
CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUlibrary handle,
                                    const char* name) {
  const Changing call;
  if (call.error) return call.error;
  if ((address == nullptr && bytes == nullptr) || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Library* library = nullptr;
  if (const CUresult error = readable(handle, library)) return error;
  Module* module = nullptr;
  if (const CUresult error = library->module_in(*call.context, module)) return error;
  const std::uint64_t found = module->address_of(name);
  if (found == 0) return CUDA_ERROR_NOT_FOUND;
  if (address != nullptr) *address = found;
  if (bytes != nullptr) *bytes = library->image().tree.find_variable(name)->size;
  return CUDA_SUCCESS;
}

// cuLibraryGetManaged. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE, NOT_FOUND.
// Measured: needs no context (no_context, step 33); a plain variable is not found (library, step 35).
CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr* address, std::size_t* bytes, CUlibrary handle,
                                     const char* name) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if ((address == nullptr && bytes == nullptr) || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Library* library = nullptr;
  if (const CUresult error = readable(handle, library)) return error;
  std::uint64_t found = 0;
  if (const CUresult error = library->managed(name, found)) return error;
  if (address != nullptr) *address = found;
  if (bytes != nullptr) *bytes = library->image().tree.find_variable(name)->size;
  return CUDA_SUCCESS;
}

// cuKernelGetFunction. Errors: INVALID_VALUE, INVALID_HANDLE, INVALID_CONTEXT, CONTEXT_IS_DESTROYED.
// Measured: the arguments are looked at before the current context is (kernel_no_context, steps 27 to 29).
// The first call in a context loads the code into it and waits for the work there (loading_waits_lazy_gate,
// step 21).
CUresult CUDAAPI cuKernelGetFunction(CUfunction* function, CUkernel handle) {
  if (function != nullptr) finish_work_before_load(handle);
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Kernel* kernel = Code::get().kernel(handle);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  Context* context = nullptr;
  if (const CUresult error = current_context(context)) return error;
  Module* module = nullptr;
  if (const CUresult error = kernel->library->module_in(*context, module)) return error;
  Function* const found = module->function(kernel->code->name);
  found->loaded.store(true, std::memory_order_relaxed);
  *function = reinterpret_cast<CUfunction>(found);
  return CUDA_SUCCESS;
}

// cuKernelGetLibrary. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE.
CUresult CUDAAPI cuKernelGetLibrary(CUlibrary* library, CUkernel handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (library == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Kernel* kernel = Code::get().kernel(handle);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *library = kernel->library->handle();
  return CUDA_SUCCESS;
}

// cuKernelGetName. Errors: INVALID_VALUE, INVALID_HANDLE. Measured: no kernel gives 1, where most calls
// with one give 400.
CUresult CUDAAPI cuKernelGetName(const char** name, CUkernel handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (name == nullptr || handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Kernel* kernel = Code::get().kernel(handle);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *name = kernel->code->name.c_str();
  return CUDA_SUCCESS;
}

// cuLibraryGetUnifiedFunction. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE,
// NOT_FOUND. No kernel has a pointer that the host could use, and there the manual says NOT_FOUND. Measured:
// 1, whether there is such a kernel or not (truth rest_unified_function, steps 2 and 3).
CUresult CUDAAPI cuLibraryGetUnifiedFunction(void** pointer, CUlibrary handle, const char* name) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (pointer == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Library* library = nullptr;
  if (const CUresult error = readable(handle, library)) return error;
  return CUDA_ERROR_INVALID_VALUE;
}
