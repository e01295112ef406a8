// SPDX-License-Identifier: MIT
// The runtime and NVRTC, where the program has no memory: their own words for it, and usable afterwards.
#include <cuda_runtime_api.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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

// Every further call of the runtime that makes something. The driver below has tests of its own: here the
// errors are the runtime's, and the runtime's own state stays consistent.
TEST_F(WithoutMemory, what_the_runtime_makes_is_made_or_not) {
  void* memory = nullptr;
  std::size_t pitch = 0;
  cudaPitchedPtr box{};
  cudaArray_t array = nullptr;
  cudaMemPool_t pool = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaUserObject_t object = nullptr;
  cudaLibrary_t library = nullptr;
  alignas(4096) static char bytes[3 * 4096];
  constexpr cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindSigned};
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemAllocNodeParams to_allocate{};
  to_allocate.poolProps = properties;
  to_allocate.bytesize = 100;
  const cudaHostNodeParams host{[](void*) {}, nullptr};
  const cudaHostFn_t nothing = [](void*) {};
  const auto has_graph = [&] { ok(of(cudaGraphCreate(&graph, 0))); };
  const auto end_graph = [&] { ok(of(cudaGraphDestroy(graph))); };
  const auto free_memory = [&] { ok(of(cudaFree(memory))); };
  const auto free_array = [&] { ok(of(cudaFreeArray(array))); };
  const auto wait = [&] { ok(of(cudaDeviceSynchronize())); };
  const auto fails = [&](const char* call, Act act) {
    SCOPED_TRACE(call);
    const auto undo = act.had_failed;
    act.had_failed = [undo] {
      EXPECT_NE(cudaSuccess, cudaGetLastError());
      undo();
    };
    if (!HasFailure()) fails_once(act);
  };
  fails("cudaMalloc", {.call = [&] { return of(cudaMalloc(&memory, 100)); }, .undo = free_memory});
  fails("cudaMallocPitch",
        {.call = [&] { return of(cudaMallocPitch(&memory, &pitch, 100, 3)); }, .undo = free_memory});
  fails("cudaMalloc3D", {.call = [&] { return of(cudaMalloc3D(&box, {100, 3, 2})); },
                         .undo = [&] { ok(of(cudaFree(box.ptr))); }});
  fails("cudaMallocManaged",
        {.call = [&] { return of(cudaMallocManaged(&memory, 100, cudaMemAttachGlobal)); },
         .undo = free_memory});
  fails("cudaMallocHost", {.call = [&] { return of(cudaMallocHost(&memory, 100)); },
                           .undo = [&] { ok(of(cudaFreeHost(memory))); }});
  fails("cudaHostAlloc", {.call = [&] { return of(cudaHostAlloc(&memory, 100, cudaHostAllocMapped)); },
                          .undo = [&] { ok(of(cudaFreeHost(memory))); }});
  fails("cudaHostRegister", {.call = [&] { return of(cudaHostRegister(bytes, 4096, 0)); },
                             .undo = [&] { ok(of(cudaHostUnregister(bytes))); }});
  fails("cudaMallocArray",
        {.call = [&] { return of(cudaMallocArray(&array, &format, 16, 4, 0)); }, .undo = free_array});
  fails("cudaMalloc3DArray",
        {.call = [&] { return of(cudaMalloc3DArray(&array, &format, {16, 4, 2}, 0)); }, .undo = free_array});
  fails("cudaMallocAsync", {.call = [&] { return of(cudaMallocAsync(&memory, 100, nullptr)); },
                            .undo = [&] { ok(of(cudaFreeAsync(memory, nullptr))); }});
  fails("cudaMemPoolCreate", {.call = [&] { return of(cudaMemPoolCreate(&pool, &properties)); },
                              .undo = [&] { ok(of(cudaMemPoolDestroy(pool))); }});
  fails("cudaMallocFromPoolAsync",
        {.before = [&] { ok(of(cudaMemPoolCreate(&pool, &properties))); },
         .call = [&] { return of(cudaMallocFromPoolAsync(&memory, 100, pool, nullptr)); },
         .undo =
             [&] {
               ok(of(cudaFreeAsync(memory, nullptr)));
               wait();
               ok(of(cudaMemPoolDestroy(pool)));
             },
         .had_failed = [&] { ok(of(cudaMemPoolDestroy(pool))); }});
  fails("cudaStreamCreate", {.call = [&] { return of(cudaStreamCreate(&stream)); },
                             .undo = [&] { ok(of(cudaStreamDestroy(stream))); }});
  fails("cudaEventCreate", {.call = [&] { return of(cudaEventCreate(&event)); },
                            .undo = [&] { ok(of(cudaEventDestroy(event))); }});
  fails("cudaGraphCreate", {.call = [&] { return of(cudaGraphCreate(&graph, 0)); }, .undo = end_graph});
  fails("cudaGraphAddHostNode",
        {.before = has_graph,
         .call = [&] { return of(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host)); },
         .undo = end_graph,
         .had_failed = end_graph});
  fails("cudaGraphAddMemAllocNode",
        {.before = has_graph,
         .call = [&] { return of(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &to_allocate)); },
         .undo = end_graph,
         .had_failed = end_graph});
  fails("cudaGraphInstantiate", {.before =
                                     [&] {
                                       has_graph();
                                       ok(of(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host)));
                                     },
                                 .call = [&] { return of(cudaGraphInstantiate(&executable, graph, 0)); },
                                 .undo =
                                     [&] {
                                       ok(of(cudaGraphExecDestroy(executable)));
                                       end_graph();
                                     },
                                 .had_failed = end_graph});
  fails("cudaUserObjectCreate",
        {.call =
             [&] {
               return of(cudaUserObjectCreate(&object, nullptr, nothing, 1, cudaUserObjectNoDestructorSync));
             },
         .undo = [&] { ok(of(cudaUserObjectRelease(object, 1))); }});
  fails("cudaLaunchHostFunc", {.call = [&] { return of(cudaLaunchHostFunc(nullptr, nothing, nullptr)); },
                               .undo = wait,
                               .had_failed = wait});
  fails("cudaStreamAddCallback",
        {.call =
             [&] {
               return of(cudaStreamAddCallback(nullptr, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
             },
         .undo = wait,
         .had_failed = wait});
  fails("cudaMemcpyAsync behind something else",
        {.before =
             [&] {
               ok(of(cudaMalloc(&memory, 100)));
               ok(of(cudaLaunchHostFunc(nullptr, nothing, nullptr)));
             },
         .call = [&] { return of(cudaMemcpyAsync(memory, bytes, 100, cudaMemcpyHostToDevice, nullptr)); },
         .undo =
             [&] {
               wait();
               free_memory();
             },
         .had_failed =
             [&] {
               wait();
               free_memory();
             }});
  fails(
      "cudaLibraryLoadData",
      {.call =
           [&] { return of(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0)); },
       .undo = [&] { ok(of(cudaLibraryUnload(library))); }});
  fails("cudaLibraryGetManaged",
        {.before =
             [&] { ok(of(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0))); },
         .call = [&] { return of(cudaLibraryGetManaged(&memory, &pitch, library, "shared_counter")); },
         .undo = [&] { ok(of(cudaLibraryUnload(library))); },
         .had_failed = [&] { ok(of(cudaLibraryUnload(library))); }});
}

TEST_F(WithoutMemory, the_runtime_takes_a_devices_context_or_not) {
  int device = 0;
  void* memory = nullptr;
  ok(of(cudaGetDevice(&device)));
  ok(cuCtxPopCurrent(nullptr));
  const auto first_call = [&] {
    if (const cudaError_t error = cudaSetDevice(1)) return of(error);
    return of(cudaMalloc(&memory, 100));
  };
  const auto end = [&] {
    ok(of(cudaFree(memory)));
    ok(of(cudaDeviceReset()));
    ok(cuCtxSetCurrent(context_));
  };
  fails_once({.before = [&] { ok(cuCtxSetCurrent(nullptr)); },
              .call = first_call,
              .undo = end,
              .had_failed =
                  [&] {
                    EXPECT_NE(cudaSuccess, cudaGetLastError());
                    ok(first_call());
                    end();
                  }});
  ok(of(cudaSetDevice(device)));
  ok(cuCtxSetCurrent(context_));
}

CUresult of(nvrtcResult result) {
  return result == NVRTC_SUCCESS                ? CUDA_SUCCESS
         : result == NVRTC_ERROR_OUT_OF_MEMORY  ? CUDA_ERROR_OUT_OF_MEMORY
         : result == NVRTC_ERROR_INTERNAL_ERROR ? CUDA_ERROR_OPERATING_SYSTEM
                                                : CUDA_ERROR_UNKNOWN;
}

// A compiler that takes no time; folders of their own for what NVRTC keeps and what it needs meanwhile.
class Compilation : public WithoutMemory {
 protected:
  void SetUp() override {
    WithoutMemory::SetUp();
    std::string name = ::testing::TempDir() + "faults_nvrtc_XXXXXX";
    folder_ = mkdtemp(name.data());
    for (const char* const inside : {"temporary", "cache"})
      std::filesystem::create_directory(folder_ / inside);
    std::ofstream(folder_ / "clang")
        << "#!/bin/sh\n"
           "[ \"$1\" = -dumpversion ] && echo " CLANG_VERSION
           ".0 && exit\n"
           "while [ $# -gt 0 ]; do\n"
           "  case $1 in -o) out=$2 ;; -MF) rule=$2 ;; esac\n"
           "  shift\n"
           "done\n"
           "[ -z \"$rule\" ] || echo 'x: ' >\"$rule\"\n"
           "[ -z \"$out\" ] || printf '.version 7.0\\n.target sm_52\\n.address_size "
           "64\\n.visible .entry k() { ret; }\\n// whole\\n' >\"$out\"\n";
    std::filesystem::permissions(folder_ / "clang", std::filesystem::perms::owner_all);
    setenv("PTXCC_CLANG", (folder_ / "clang").c_str(), 1);
    setenv("TMPDIR", (folder_ / "temporary").c_str(), 1);
    setenv("CUDA_CACHE_PATH", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override {
    for (const char* const name : {"PTXCC_CLANG", "TMPDIR", "CUDA_CACHE_PATH"}) unsetenv(name);
    std::filesystem::remove_all(folder_);
    WithoutMemory::TearDown();
  }

  void create(int number) {
    const std::string source = "extern \"C\" __global__ void k() {}  // " + std::to_string(number);
    ok(of(nvrtcCreateProgram(&program_, source.c_str(), "k.cu", 0, nullptr, nullptr)));
  }
  CUresult compile() { return of(nvrtcCompileProgram(program_, 0, nullptr)); }
  void is_whole() {
    std::size_t size = 0;
    ok(of(nvrtcGetPTXSize(program_, &size)));
    std::string text(size, ' ');
    ok(of(nvrtcGetPTX(program_, text.data())));
    EXPECT_NE(std::string::npos, text.find(".entry k")) << text;
    EXPECT_NE(std::string::npos, text.find("ret;")) << text;
  }
  void destroy() { ok(of(nvrtcDestroyProgram(&program_))); }
  static std::ptrdiff_t entries(const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), {});
  }
  std::filesystem::path temporary() const { return folder_ / "temporary"; }

 private:
  std::filesystem::path folder_;
  nvrtcProgram program_ = nullptr;
};

TEST_F(Compilation, a_program_of_NVRTC_is_compiled_or_not_and_nothing_is_left) {
  const auto descriptors = entries("/proc/self/fd");
  int number = 0;
  for (const What what : {What::Allocation, What::Mapping}) {
    for (const bool all_from_it : {false, true}) {
      for (Failure failure{.all_from_it = all_from_it, .what = what}; failure.at < 5000;
           failure.at += step(what == What::Mapping ? 1 : 7)) {
        SCOPED_TRACE((what == What::Mapping ? "mapping " : "allocation ") + std::to_string(failure.at) +
                     (all_from_it ? " and all behind it" : ""));
        CUresult result = CUDA_SUCCESS;
        create(number++);
        const bool reached = call_with(failure, [&] { return compile(); }, result);
        if (result == CUDA_SUCCESS)
          is_whole();
        else
          EXPECT_TRUE(is_right(failure, result)) << name(result);
        destroy();
        EXPECT_EQ(descriptors, entries("/proc/self/fd"));
        EXPECT_EQ(0, entries(temporary()));
        if (HasFailure()) return;
        if (!reached) break;
      }
    }
  }
}

TEST_F(Compilation, what_NVRTC_has_kept_is_found_whole_or_compiled_again) {
  create(0);
  ok(compile());
  destroy();
  fails_once({.before = [&] { create(0); },
              .call = [&] { return compile(); },
              .undo =
                  [&] {
                    is_whole();
                    destroy();
                  },
              .had_failed = [&] { destroy(); },
              .apart = 5});
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
