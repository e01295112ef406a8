// SPDX-License-Identifier: MIT
// cuGetProcAddress by version and by stream, and that it agrees with what the library exports.
#include <dlfcn.h>

#include "support.hpp"

namespace {

class ProcAddress : public DriverTest {
 protected:
  static void* ask(const char* name, int version, std::uint64_t flags = 0) {
    void* function = nullptr;
    EXPECT_OK(cuGetProcAddress(name, &function, version, flags, nullptr)) << name;
    return function;
  }
  // What a program linked with -lcuda gets.
  static void* exported(const char* symbol) {
    void* const address = dlsym(RTLD_DEFAULT, symbol);
    EXPECT_NE(nullptr, address) << symbol;
    return address;
  }
};

TEST_F(ProcAddress, each_version_of_the_header_gets_its_own_cuCtxCreate) {
  EXPECT_EQ(exported("cuCtxCreate_v2"), ask("cuCtxCreate", 3020));
  EXPECT_EQ(exported("cuCtxCreate_v3"), ask("cuCtxCreate", 11040));
  EXPECT_EQ(exported("cuCtxCreate_v3"), ask("cuCtxCreate", 12040));
  EXPECT_EQ(exported("cuCtxCreate_v4"), ask("cuCtxCreate", 12050));
  EXPECT_EQ(exported("cuCtxCreate_v4"), ask("cuCtxCreate", 13000));
}

TEST_F(ProcAddress, the_default_stream_chooses_the_variant) {
  EXPECT_EQ(exported("cuMemcpyHtoD_v2"), ask("cuMemcpyHtoD", 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM));
  EXPECT_EQ(exported("cuMemcpyHtoD_v2"), ask("cuMemcpyHtoD", 13000));
  EXPECT_EQ(exported("cuMemcpyHtoD_v2_ptds"),
            ask("cuMemcpyHtoD", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
  // Before 7.0 there was no such variant, and many functions have none.
  EXPECT_EQ(exported("cuMemcpyHtoD_v2"),
            ask("cuMemcpyHtoD", 6050, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
  EXPECT_EQ(exported("cuMemAlloc_v2"),
            ask("cuMemAlloc", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
}

TEST_F(ProcAddress, unknown_flags_are_refused) {
  void* function = this;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuInit", &function, 13000, 4, nullptr));
  EXPECT_EQ(this, function);
}

TEST_F(ProcAddress, nulls_are_refused_where_the_real_driver_crashes) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  void* function = nullptr;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuInit", nullptr, 13000, 0, nullptr));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress(nullptr, &function, 13000, 0, nullptr));
}

TEST_F(ProcAddress, the_first_form_says_by_its_result_that_a_name_is_unknown) {
  using First = CUresult (*)(const char*, void**, int, cuuint64_t);
  const auto first = reinterpret_cast<First>(exported("cuGetProcAddress"));
  void* function = nullptr;
  EXPECT_OK(first("cuInit", &function, 11030, 0));
  EXPECT_EQ(exported("cuInit"), function);
  EXPECT_RESULT(CUDA_ERROR_NOT_FOUND, first("cuNothingOfTheKind", &function, 11030, 0));
}

// What is not written yet says so, and does not crash or pretend.
TEST_F(ProcAddress, what_is_not_supported_is_there_and_says_so) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  make_context();
  EXPECT_RESULT(CUDA_ERROR_NOT_SUPPORTED, cuMemBatchDecompressAsync(nullptr, 0, 0, nullptr, nullptr));
  EXPECT_EQ(exported("cuMemBatchDecompressAsync"), ask("cuMemBatchDecompressAsync", 13000));
}

}  // namespace
