// SPDX-License-Identifier: MIT
// Contexts and code, where the program has no memory: made or not, and usable or gone.
#include "driver_memory.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace without_memory {
namespace {

// Before the other tests, which start the driver in this process; what a child finds is its status.
void starts_or_not(What what) {
  for (Failure failure{.what = what}; failure.at < 5000; ++failure.at) {
    const pid_t child = fork();
    if (child == 0) {
      CUresult result = CUDA_SUCCESS;
      const bool reached = call_with(failure, [] { return cuInit(0); }, result);
      CUcontext context = nullptr;
      const bool works = cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS &&
                         cuCtxDestroy(context) == CUDA_SUCCESS;
      const bool told = result == CUDA_SUCCESS || is_right(failure, result);
      _exit(!told || !works || ::testing::Test::HasFailure() ? 1 : reached ? 0 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << (what == What::Mapping ? "mapping " : "allocation ") << failure.at;
    if (WEXITSTATUS(status) == 2) {
      EXPECT_GT(failure.at, 3);
      return;
    }
    ASSERT_EQ(0, WEXITSTATUS(status)) << (what == What::Mapping ? "mapping " : "allocation ") << failure.at;
  }
}

TEST(WithoutMemoryAtFirst, the_driver_starts_or_not) {
  starts_or_not(What::Allocation);
  starts_or_not(What::Mapping);
}

TEST_F(WithoutMemory, a_context_is_made_or_not) {
  CUcontext made = nullptr;
  const auto still_current = [&] {
    CUcontext now = nullptr;
    ok(cuCtxGetCurrent(&now));
    EXPECT_EQ(context_, now);
  };
  fails_once({.call = [&] { return cuCtxCreate(&made, nullptr, 0, 0); },
              .undo = [&] { ok(cuCtxDestroy(made)); },
              .had_failed = still_current});
}

TEST_F(WithoutMemory, a_context_is_destroyed_or_still_there) {
  CUcontext made = nullptr;
  CUdeviceptr memory = 0;
  fails_once({.before =
                  [&] {
                    CUmodule module = nullptr;
                    CUstream stream = nullptr;
                    CUevent event = nullptr;
                    ok(cuCtxCreate(&made, nullptr, 0, 0));
                    ok(cuModuleLoadData(&module, code));
                    ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
                    ok(cuEventCreate(&event, CU_EVENT_DEFAULT));
                    ok(cuMemAlloc(&memory, 100));
                    ok(cuMemAllocAsync(&memory, 3 << 20, stream));
                    ok(cuMemFreeAsync(memory, stream));
                    ok(cuMemAllocAsync(&memory, 3 << 20, stream));
                    ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
                  },
              .call = [&] { return cuCtxDestroy(made); },
              .undo = [&] { ok(cuMemFree(memory)); },  // memory of a pool outlives the context
              .had_failed =
                  [&] {
                    ok(cuCtxDestroy(made));
                    ok(cuMemFree(memory));
                  }});
}

TEST_F(WithoutMemory, a_primary_context_is_retained_or_not_and_released) {
  CUcontext made = nullptr;
  const auto is_active = [] {
    unsigned flags = 0;
    int active = 0;
    ok(cuDevicePrimaryCtxGetState(1, &flags, &active));
    return active != 0;
  };
  fails_once({.call = [&] { return cuDevicePrimaryCtxRetain(&made, 1); },
              .undo = [&] { ok(cuDevicePrimaryCtxRelease(1)); },
              .had_failed =
                  [&] { EXPECT_STREQ("CUDA_ERROR_INVALID_CONTEXT", name(cuDevicePrimaryCtxRelease(1))); }});
  EXPECT_FALSE(is_active());
}

TEST_F(WithoutMemory, a_peer_is_seen_or_not) {
  CUcontext other = nullptr;
  ok(cuCtxCreate(&other, nullptr, 0, 1));
  ok(cuCtxPopCurrent(nullptr));
  fails_once({.call = [&] { return cuCtxEnablePeerAccess(other, 0); },
              .undo = [&] { ok(cuCtxDisablePeerAccess(other)); },
              .had_failed =
                  [&] {
                    ok(cuCtxEnablePeerAccess(other, 0));
                    ok(cuCtxDisablePeerAccess(other));
                  }});
  ok(cuCtxDestroy(other));
}

TEST_F(WithoutMemory, a_module_is_loaded_or_not_and_unloaded) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr variable = 0;
  fails_once({.call = [&] { return cuModuleLoadData(&module, code); },
              .undo =
                  [&] {
                    ok(cuModuleGetFunction(&function, module, "empty"));
                    ok(cuModuleUnload(module));
                  }});
  const auto loaded = [&] { ok(cuModuleLoadData(&module, code)); };
  fails_once({.before = loaded,
              .call =
                  [&] {
                    const CUresult result =
                        cuModuleGetFunction(&function, module, "a_name_that_is_long_enough");
                    return result == CUDA_ERROR_NOT_FOUND ? CUDA_SUCCESS : result;
                  },
              .undo = [&] { ok(cuModuleUnload(module)); },
              .had_failed = [&] { ok(cuModuleUnload(module)); }});
  fails_once({.before =
                  [&] {
                    loaded();
                    ok(cuModuleGetGlobal(&variable, nullptr, module, "counter"));
                    ok(cuLaunchHostFunc(nullptr, [](void*) {}, nullptr));
                  },
              .call = [&] { return cuModuleUnload(module); },
              .had_failed = [&] { ok(cuModuleUnload(module)); },
              .needs_memory = false});
}

// All of it or none: a text that is cut off could be taken for another.
TEST_F(WithoutMemory, a_file_is_loaded_whole_or_not) {
  const std::string path = ::testing::TempDir() + "faults_code_" + std::to_string(getpid()) + ".ptx";
  std::ofstream(path) << code << std::string(100'000, '\n');
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CUlinkState link = nullptr;
  fails_once({.call = [&] { return cuModuleLoad(&module, path.c_str()); },
              .undo = [&] { ok(cuModuleUnload(module)); }});
  fails_once({.call =
                  [&] {
                    return cuLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr,
                                                 nullptr, 0);
                  },
              .undo = [&] { ok(cuLibraryUnload(library)); }});
  fails_once(
      {.before = [&] { ok(cuLinkCreate(0, nullptr, nullptr, &link)); },
       .call = [&] { return cuLinkAddFile(link, CU_JIT_INPUT_PTX, path.c_str(), 0, nullptr, nullptr); },
       .undo = [&] { ok(cuLinkDestroy(link)); },
       .had_failed = [&] { ok(cuLinkDestroy(link)); }});
  std::remove(path.c_str());
}

TEST_F(WithoutMemory, a_library_is_loaded_used_and_unloaded) {
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUmodule module = nullptr;
  CUdeviceptr address = 0;
  const auto load = [&] {
    return cuLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  const auto unload = [&] { ok(cuLibraryUnload(library)); };
  const auto loaded = [&] { ok(load()); };
  fails_once({.call = load, .undo = unload});
  fails_once({.before = loaded,
              .call = [&] { return cuLibraryGetKernel(&kernel, library, "empty"); },
              .undo =
                  [&] {
                    ok(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr,
                                      nullptr, nullptr));
                    unload();
                  },
              .had_failed =
                  [&] {
                    ok(cuLibraryGetKernel(&kernel, library, "empty"));
                    ok(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr,
                                      nullptr, nullptr));
                    unload();
                  }});
  fails_once({.before = loaded,
              .call = [&] { return cuLibraryGetModule(&module, library); },
              .undo = unload,
              .had_failed =
                  [&] {
                    ok(cuLibraryGetModule(&module, library));
                    unload();
                  }});
  fails_once({.before = loaded,
              .call = [&] { return cuLibraryGetManaged(&address, nullptr, library, "shared_counter"); },
              .undo = unload,
              .had_failed =
                  [&] {
                    ok(cuLibraryGetManaged(&address, nullptr, library, "shared_counter"));
                    unload();
                  }});
  fails_once({.before =
                  [&] {
                    loaded();
                    ok(cuLibraryGetModule(&module, library));
                  },
              .call = [&] { return cuLibraryUnload(library); },
              .had_failed = unload});
}

TEST_F(WithoutMemory, code_is_linked_or_not) {
  CUlinkState link = nullptr;
  void* image = nullptr;
  const std::string text = code;
  const auto add = [&] {
    return cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(text.c_str()), text.size() + 1,
                         "input with a name", 0, nullptr, nullptr);
  };
  const auto destroy = [&] { ok(cuLinkDestroy(link)); };
  fails_once({.call = [&] { return cuLinkCreate(0, nullptr, nullptr, &link); }, .undo = destroy});
  fails_once({.before = [&] { ok(cuLinkCreate(0, nullptr, nullptr, &link)); },
              .call = add,
              .undo = destroy,
              .had_failed =
                  [&] {
                    ok(add());
                    ok(cuLinkComplete(link, &image, nullptr));
                    destroy();
                  }});
  fails_once({.before =
                  [&] {
                    ok(cuLinkCreate(0, nullptr, nullptr, &link));
                    ok(add());
                  },
              .call = [&] { return cuLinkComplete(link, &image, nullptr); },
              .undo = destroy,
              .had_failed =
                  [&] {
                    ok(cuLinkComplete(link, &image, nullptr));
                    destroy();
                  }});
}

}  // namespace
}  // namespace without_memory
