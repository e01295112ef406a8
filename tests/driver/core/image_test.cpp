// SPDX-License-Identifier: MIT
// Images of code: fatbins, linked images, what is neither, and linking by hand.
#include <cstring>
#include <string>
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

TEST_F(ImageTest, a_cubin_of_a_foreign_architecture_has_no_binary) {
  std::string cubin(
      "\x7f"
      "ELF\2\1\1\x41\x08",
      9);
  cubin.resize(128);
  cubin[18] = static_cast<char>(190);
  EXPECT_EQ(cuModuleLoadData(&module_, cubin.data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

}  // namespace
