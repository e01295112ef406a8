// SPDX-License-Identifier: MIT
// The runtime and NVRTC, where the program has no memory: their own words for it, and usable afterwards.
#include <cuda_runtime_api.h>
#include <nvrtc.h>

#include <algorithm>
#include <string>
#include <thread>

#include "driver_memory.hpp"

// What compilers call; the names are theirs.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void** __cudaRegisterFatBinary(void* image);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int threads,
                            uint3* thread, uint3* block, dim3* block_size, dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int is_extern,
                       std::size_t size, int is_constant, int is_global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace without_memory {
namespace {

// The numbers are the driver's.
CUresult of(cudaError_t error) {
  return static_cast<CUresult>(error);
}

TEST_F(WithoutMemory, the_runtime_finds_kernels_and_variables_or_says_why_not) {
  static char kernel_stub = 0;
  static char variable_stub = 0;
  void** image = nullptr;
  const auto enter = [&] {
    image = __cudaRegisterFatBinary(const_cast<char*>(code));
    __cudaRegisterFunction(image, &kernel_stub, nullptr, "empty", -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    __cudaRegisterVar(image, &variable_stub, nullptr, "_ZL7counter", 0, 4, 0, 1);
  };
  const auto use = [&] {
    unsigned value = 6;
    if (const cudaError_t error = cudaMemcpyToSymbol(&variable_stub, &value, 4, 0, cudaMemcpyHostToDevice))
      return of(error);
    if (const cudaError_t error =
            cudaLaunchKernel(&kernel_stub, dim3{1, 1, 1}, dim3{1, 1, 1}, nullptr, 0, nullptr))
      return of(error);
    return of(cudaDeviceSynchronize());
  };
  const auto leave = [&] { __cudaUnregisterFatBinary(image); };
  fails_once({.before = enter, .call = use, .undo = leave, .had_failed = [&] {
                EXPECT_EQ(cudaErrorMemoryAllocation, cudaGetLastError());
                ok(use());
                leave();
              }});
}

TEST_F(WithoutMemory, the_runtime_knows_a_librarys_kernel_or_not) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  const auto get = [&] { return of(cudaLibraryGetKernel(&kernel, library, "empty")); };
  const auto launch = [&] {
    ok(of(cudaLaunchKernel(kernel, dim3{1, 1, 1}, dim3{1, 1, 1}, nullptr, 0, nullptr)));
    ok(of(cudaLibraryUnload(library)));
  };
  fails_once(
      {.before =
           [&] { ok(of(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0))); },
       .call = get,
       .undo = launch,
       .had_failed =
           [&] {
             ok(get());
             launch();
           }});
}

TEST_F(WithoutMemory, a_launchs_configuration_is_kept_or_nothing_is_launched) {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  int kept = 0;
  const auto push = [] {
    return static_cast<CUresult>(__cudaPushCallConfiguration(dim3{2, 1, 1}, dim3{3, 1, 1}, 0, nullptr));
  };
  CUresult result = CUDA_SUCCESS;
  // A new thread's stack is empty, and each push may need memory.
  for (long at = 1; at < 20; ++at) {
    call_with(
        {.at = at, .all_from_it = true},
        [&] {
          while (kept < 1000) {
            if (const CUresult error = push()) return error;
            ++kept;
          }
          return CUDA_SUCCESS;
        },
        result);
    if (result != CUDA_SUCCESS) {
      EXPECT_STREQ("CUDA_ERROR_OUT_OF_MEMORY", name(result));
    }
    for (; kept > 0; --kept) {
      EXPECT_EQ(cudaSuccess, __cudaPopCallConfiguration(&grid, &block, &shared, static_cast<void*>(&stream)));
      EXPECT_EQ(2U, grid.x);
      EXPECT_EQ(3U, block.x);
    }
    EXPECT_EQ(cudaErrorMissingConfiguration,
              __cudaPopCallConfiguration(&grid, &block, &shared, static_cast<void*>(&stream)));
  }
  cudaGetLastError();
}

CUresult of(nvrtcResult result) {
  return result == NVRTC_SUCCESS               ? CUDA_SUCCESS
         : result == NVRTC_ERROR_OUT_OF_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY
                                               : CUDA_ERROR_UNKNOWN;
}

// Containers say so in place of std::bad_alloc where more is asked for than they could ever hold.
TEST_F(WithoutMemory, what_is_too_long_is_out_of_memory_for_driver_runtime_and_NVRTC) {
  CUresult result = CUDA_SUCCESS;
  const Failure first{.too_long = true};
  const auto is_told = [&](const std::function<CUresult()>& call) {
    EXPECT_TRUE(call_with(first, call, result));
    EXPECT_STREQ("CUDA_ERROR_OUT_OF_MEMORY", name(result));
  };
  CUevent event = nullptr;
  is_told([&] { return cuEventCreate(&event, CU_EVENT_DEFAULT); });
  std::thread([&] {  // whose stack of configurations is empty
    is_told([] {
      return static_cast<CUresult>(__cudaPushCallConfiguration(dim3{1, 1, 1}, dim3{1, 1, 1}, 0, nullptr));
    });
    EXPECT_EQ(cudaErrorMemoryAllocation, cudaGetLastError());
  })
      .join();
  nvrtcProgram program = nullptr;
  is_told([&] { return of(nvrtcCreateProgram(&program, "", "name.cu", 0, nullptr, nullptr)); });
}

TEST_F(WithoutMemory, a_program_of_NVRTC_is_made_and_named_or_not) {
  const char* const source = "template <class T> __global__ void k(T* p) { *p = 1; }";
  const char* const header_text = "// a header that is long enough to need memory";
  const char* const header_name = "a_header_with_a_long_name.hpp";
  nvrtcProgram program = nullptr;
  const auto create = [&] {
    return of(nvrtcCreateProgram(&program, source, "a_name_that_is_long.cu", 1, &header_text, &header_name));
  };
  const auto add = [&] { return of(nvrtcAddNameExpression(program, "k<unsigned long long int>")); };
  const auto destroy = [&] { ok(of(nvrtcDestroyProgram(&program))); };
  fails_once({.call = create, .undo = destroy});
  fails_once({.before = [&] { ok(create()); },
              .call = add,
              .undo = destroy,
              .had_failed =
                  [&] {
                    ok(add());
                    destroy();
                  }});
}

}  // namespace
}  // namespace without_memory
