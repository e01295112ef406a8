// SPDX-License-Identifier: MIT
// Images of code: fatbins, linked images, what is neither, and linking by hand.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "support.hpp"

namespace {

const std::string kText = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() {\n  ret;\n}\n";

// A fatbin of one entry: header of 16 bytes, header of the entry of 64, payload.
std::string fatbin_of(const std::string& payload, std::uint16_t kind, std::uint32_t arch) {
  std::string image(80, '\0');
  const auto put = [&](std::size_t at, auto value) { std::memcpy(image.data() + at, &value, sizeof value); };
  put(0, std::uint32_t{0xBA55ED50});
  put(4, std::uint16_t{1});
  put(6, std::uint16_t{16});
  put(8, std::uint64_t{64 + payload.size()});
  put(16, kind);
  put(20, std::uint32_t{64});
  put(24, std::uint64_t{payload.size()});
  put(16 + 28, arch);
  return image + payload;
}

class ImageTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate(&context_, nullptr, 0, 0), CUDA_SUCCESS);
  }
  void TearDown() override { cuCtxDestroy(context_); }
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
};

TEST_F(ImageTest, a_fatbin_gives_the_ptx_in_it) {
  CUfunction function = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module_, fatbin_of(kText, 1, 75).data()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleGetFunction(&function, module_, "k"), CUDA_SUCCESS);
}

TEST_F(ImageTest, a_fatbin_for_other_devices_has_no_binary) {
  EXPECT_EQ(cuModuleLoadData(&module_, fatbin_of(kText, 2, 80).data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cuModuleLoadData(&module_, fatbin_of(kText, 1, 120).data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_F(ImageTest, a_linked_image_is_loaded_like_any_other) {
  const std::string user =
      ".version 7.0\n.target sm_75\n.address_size 64\n.extern .func g();\n.visible .entry k() {\n  call g;\n "
      " "
      "ret;\n}\n";
  const std::string giver =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .func g() {\n  ret;\n}\n";
  CUlinkState link = nullptr;
  void* image = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(cuLinkCreate(0, nullptr, nullptr, &link), CUDA_SUCCESS);
  for (const std::string& text : {user, giver}) {
    ASSERT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(text.c_str()), text.size() + 1, nullptr,
                            0, nullptr, nullptr),
              CUDA_SUCCESS);
  }
  ASSERT_EQ(cuLinkComplete(link, &image, &size), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleLoadData(&module_, image), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkDestroy(link), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkDestroy(link), CUDA_ERROR_INVALID_VALUE);
  CUfunction function = nullptr;
  ASSERT_EQ(cuModuleGetFunction(&function, module_, "k"), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}

// The header of a cubin of CUDA 13, or of CUDA 12, for the architecture, and zeros.
std::string cubin_header(int architecture, int cuda = 13) {
  std::string cubin(
      "\x7f"
      "ELF\2\1\1",
      7);
  cubin.resize(128);
  cubin[7] = static_cast<char>(cuda == 13 ? 0x41 : 0x33);
  cubin[8] = static_cast<char>(cuda == 13 ? 8 : 7);
  cubin[18] = static_cast<char>(190);
  cubin[cuda == 13 ? 49 : 48] = static_cast<char>(architecture);
  return cubin;
}

TEST_F(ImageTest, a_cubin_of_a_foreign_architecture_has_no_binary) {
  for (const int cuda : {12, 13}) {
    for (const int architecture : {75, 90, 120})
      EXPECT_EQ(cuModuleLoadData(&module_, cubin_header(architecture, cuda).data()),
                CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_EQ(cuModuleLoadData(&module_, cubin_header(0, cuda).data()), CUDA_ERROR_UNKNOWN);
  }
}

TEST_F(ImageTest, a_cubin_header_for_this_device_without_code_is_no_image_and_with_sections_no_binary) {
  CUlibrary library = nullptr;
  std::string cubin = cubin_header(89);
  EXPECT_EQ(cuModuleLoadData(&module_, cubin.data()), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(cuLibraryLoadData(&library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_ERROR_INVALID_IMAGE);
  cubin[60] = 9;  // as a compiler makes it: no device here runs machine code
  EXPECT_EQ(cuModuleLoadData(&module_, cubin.data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

class LinkedTest : public ImageTest {
 protected:
  static void* as_value(std::uintptr_t number) {
    void* value = nullptr;
    std::memcpy(static_cast<void*>(&value), &number, sizeof value);
    return value;
  }

  static std::string text_of(int number) {
    return ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 to) {\n  .reg .b64 "
           "%rd<2>;\n  ld.param.u64 %rd1, [to];\n  st.u32 [%rd1], " +
           std::to_string(number) + ";\n  ret;\n}\n";
  }

  // Linked for a target, or for the device.
  static std::string linked(int number, std::uintptr_t target = 0) {
    CUjit_option option = CU_JIT_TARGET;
    void* value = as_value(target);
    CUlinkState link = nullptr;
    void* image = nullptr;
    std::size_t size = 0;
    std::string text = text_of(number);
    EXPECT_OK(cuLinkCreate(target != 0 ? 1 : 0, &option, &value, &link));
    EXPECT_OK(
        cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, nullptr, 0, nullptr, nullptr));
    EXPECT_OK(cuLinkComplete(link, &image, &size));
    std::string copy(static_cast<char*>(image), size);
    EXPECT_OK(cuLinkDestroy(link));
    return copy;
  }

  int number_of(const std::string& image) {
    CUfunction function = nullptr;
    CUdeviceptr memory = 0;
    int number = 0;
    void* arguments[] = {&memory};
    EXPECT_OK(cuMemAlloc(&memory, sizeof number));
    EXPECT_OK(cuModuleLoadData(&module_, image.data()));
    EXPECT_OK(cuModuleGetFunction(&function, module_, "k"));
    EXPECT_OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    EXPECT_OK(cuMemcpyDtoH(&number, memory, sizeof number));
    EXPECT_OK(cuModuleUnload(module_));
    EXPECT_OK(cuMemFree(memory));
    return number;
  }
};

TEST_F(LinkedTest, an_image_runs_on_devices_of_its_major_number_with_the_same_or_a_higher_minor) {
  for (const int target : {80, 86, 89}) EXPECT_EQ(number_of(linked(target, target)), target);
  for (const int target : {75, 90, 120})
    EXPECT_EQ(cuModuleLoadData(&module_, linked(1, target).data()), CUDA_ERROR_NO_BINARY_FOR_GPU) << target;
}

TEST_F(LinkedTest, of_a_fatbin_it_goes_before_ptx_if_the_device_can_run_it) {
  const auto both = [](std::uint32_t arch, bool image_first) {
    const std::string image = fatbin_of(linked(1), 2, arch), text = fatbin_of(text_of(2), 1, 75);
    std::string all = image_first ? image + text.substr(16) : text + image.substr(16);
    const std::uint64_t size = all.size() - 16;
    std::memcpy(all.data() + 8, &size, sizeof size);
    return all;
  };
  EXPECT_EQ(number_of(both(89, true)), 1);
  EXPECT_EQ(number_of(both(89, false)), 1);
  EXPECT_EQ(number_of(both(75, true)), 2);  // what the fatbin says of it counts
  setenv("CUDA_FORCE_PTX_JIT", "1", 1);
  EXPECT_EQ(number_of(both(89, true)), 2);
  EXPECT_EQ(cuModuleLoadData(&module_, fatbin_of(linked(1), 2, 89).data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  unsetenv("CUDA_FORCE_PTX_JIT");
}

TEST_F(LinkedTest, ptx_is_compiled_for_a_target_that_the_device_runs) {
  const auto load_for = [&](std::uintptr_t target) {
    CUjit_option option = CU_JIT_TARGET;
    void* value = as_value(target);
    return cuModuleLoadDataEx(&module_, text_of(1).data(), 1, &option, &value);
  };
  EXPECT_OK(load_for(89));
  EXPECT_EQ(load_for(90), CUDA_ERROR_INVALID_SOURCE);
  EXPECT_EQ(load_for(0), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(load_for(12345), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(LinkedTest, a_linker_takes_no_fallback_strategy) {
  CUjit_option option = CU_JIT_FALLBACK_STRATEGY;
  void* value = nullptr;
  CUlinkState link = nullptr;
  EXPECT_EQ(cuLinkCreate(1, &option, &value, &link), CUDA_ERROR_INVALID_VALUE);
}

// ---- When a function is loaded, and what waits for that

class LoadingTest : public LinkedTest {
 protected:
  static bool is_loaded(CUfunction function) {
    CUfunctionLoadingState state{};
    EXPECT_OK(cuFuncIsLoaded(&state, function));
    return state == CU_FUNCTION_LOADING_STATE_LOADED;
  }

  // Whether the call returns only when the work of a stream is done. A thread ends that when the call has
  // returned, or after a while: a long one if the call is not meant to wait.
  template <typename Call>
  bool waits(std::chrono::milliseconds patience, Call call) {
    CUstream stream = nullptr;
    void* pinned = nullptr;
    EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    EXPECT_OK(cuMemAllocHost(&pinned, sizeof(unsigned)));
    auto* const gate = new (pinned) unsigned(0);
    EXPECT_OK(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(gate), 1, CU_STREAM_WAIT_VALUE_EQ));
    std::promise<void> returned;
    std::thread opener([gate, patience, end = returned.get_future()] {
      end.wait_for(patience);
      std::atomic_ref(*gate).store(1);
    });
    EXPECT_OK(call());
    const bool done = cuStreamQuery(stream) == CUDA_SUCCESS;
    returned.set_value();
    opener.join();
    EXPECT_OK(cuStreamSynchronize(stream));
    EXPECT_OK(cuStreamDestroy(stream));
    EXPECT_OK(cuMemFreeHost(pinned));
    return done;
  }
  template <typename Call>
  bool waits(Call call) {
    return waits(std::chrono::milliseconds(100), call);
  }
  template <typename Call>
  bool returns_at_once(Call call) {
    return !waits(std::chrono::seconds(20), call);
  }
};

TEST_F(LoadingTest, a_listed_function_is_loaded_by_a_load_a_launch_or_a_look_up) {
  ASSERT_OK(cuModuleLoadData(&module_, kText.data()));
  CUfunction function = nullptr, same = nullptr;
  int registers = 0;
  ASSERT_OK(cuModuleEnumerateFunctions(&function, 1, module_));
  EXPECT_OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  EXPECT_FALSE(is_loaded(function));
  EXPECT_OK(cuFuncLoad(function));
  EXPECT_TRUE(is_loaded(function));

  ASSERT_OK(cuModuleLoadData(&module_, kText.data()));
  ASSERT_OK(cuModuleEnumerateFunctions(&function, 1, module_));
  EXPECT_OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_TRUE(is_loaded(function));

  ASSERT_OK(cuModuleLoadData(&module_, kText.data()));
  ASSERT_OK(cuModuleEnumerateFunctions(&function, 1, module_));
  EXPECT_FALSE(is_loaded(function));
  EXPECT_OK(cuModuleGetFunction(&same, module_, "k"));
  EXPECT_EQ(same, function);
  EXPECT_TRUE(is_loaded(function));
}

TEST_F(LoadingTest, the_mode_is_read_when_the_driver_is_initialised) {
  CUmoduleLoadingMode mode{};
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  EXPECT_OK(cuModuleGetLoadingMode(&mode));
  EXPECT_EQ(mode, CU_MODULE_LAZY_LOADING);
  unsetenv("CUDA_MODULE_LOADING");
}

TEST_F(LoadingTest, code_of_a_library_comes_into_a_context_when_its_work_is_done) {
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  const auto launch = [&] {
    return cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                          nullptr);
  };
  const auto load = [&] {
    return cuLibraryLoadData(&library, kText.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  EXPECT_TRUE(returns_at_once(load));
  EXPECT_TRUE(returns_at_once([&] { return cuLibraryGetKernel(&kernel, library, "k"); }));
  EXPECT_TRUE(waits(launch));
  EXPECT_TRUE(returns_at_once(launch));
  EXPECT_TRUE(waits([&] { return cuLibraryUnload(library); }));
  ASSERT_OK(load());
  ASSERT_OK(cuLibraryGetKernel(&kernel, library, "k"));
  EXPECT_TRUE(waits([&] { return cuKernelGetFunction(&function, kernel); }));
  EXPECT_TRUE(is_loaded(function));
  EXPECT_TRUE(returns_at_once(launch));
  EXPECT_OK(cuLibraryUnload(library));
}

}  // namespace
