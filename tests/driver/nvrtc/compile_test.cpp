// SPDX-License-Identifier: MIT
// libnvrtc by itself: the code that it makes runs on the embedded driver, and its results are those that were
// measured.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cuda.h"
#include "support.hpp"

namespace {

TEST(Nvrtc, saxpy_compiled_here_runs_on_the_embedded_driver) {
  const Answer answer = ask(ours(), {R"(extern "C" __global__
void saxpy(float a, float* x, float* y, float* out, size_t n) {
  size_t tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n) out[tid] = a * x[tid] + y[tid];
})",
                                     {"--fmad=false", "--gpu-architecture=compute_75"}});
  ASSERT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
  EXPECT_EQ(answer.log, "");
  constexpr std::size_t n = 1000;
  std::vector<float> x(n), y(n), out(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 0.5F;
  }
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  CUcontext context = nullptr;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
  CUmodule module = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, answer.ptx.c_str()), CUDA_SUCCESS);
  CUfunction saxpy = nullptr;
  ASSERT_EQ(cuModuleGetFunction(&saxpy, module, "saxpy"), CUDA_SUCCESS);
  CUdeviceptr memory[3] = {};
  for (CUdeviceptr& one : memory) ASSERT_EQ(cuMemAlloc(&one, n * sizeof(float)), CUDA_SUCCESS);
  cuMemcpyHtoD(memory[0], x.data(), n * sizeof(float));
  cuMemcpyHtoD(memory[1], y.data(), n * sizeof(float));
  float a = 2.0F;
  std::size_t count = n;
  void* arguments[] = {&a, &memory[0], &memory[1], &memory[2], &count};
  ASSERT_EQ(cuLaunchKernel(saxpy, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoH(out.data(), memory[2], n * sizeof(float)), CUDA_SUCCESS);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], 2.0F * x[i] + y[i]) << i;
  for (const CUdeviceptr one : memory) cuMemFree(one);
  cuModuleUnload(module);
  cuDevicePrimaryCtxRelease(0);
}

TEST(Nvrtc, a_product_and_a_sum_are_one_operation_unless_fmad_is_false) {
  const char* const source = "__global__ void k(float* p, float a, float b) { *p = a * a + b; }";
  const auto has = [](const Answer& answer, const char* word) {
    return answer.ptx.find(word) != std::string::npos;
  };
  for (const std::vector<const char*>& once : {std::vector<const char*>{}, {"--fmad=true"}, {"-fmad=true"}}) {
    const Answer answer = ask(ours(), {source, once});
    ASSERT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
    EXPECT_TRUE(has(answer, "fma.rn.f32")) << answer.ptx;
  }
  for (const char* const option : {"--fmad=false", "-fmad=false"}) {
    const Answer answer = ask(ours(), {source, {option}});
    ASSERT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
    // With a rounding of its own each, so that the driver keeps them apart, too.
    EXPECT_FALSE(has(answer, "fma.rn.f32")) << answer.ptx;
    EXPECT_TRUE(has(answer, "mul.rn.f32")) << answer.ptx;
    EXPECT_TRUE(has(answer, "add.rn.f32")) << answer.ptx;
  }
}

// By name, with the place in the user's source; headers that are missing in NVRTC's own words.
TEST(Nvrtc, what_there_is_not_is_named_and_what_is_the_users_own_is_not) {
  struct Case {
    const char* source;
    const char* words;
  };
  const Case cases[] = {
      {"\n__global__ void __cluster_dims__(2, 1, 1) k() {}",
       "(2): error: __cluster_dims__: blocks come in clusters from -arch=sm_90 on; compile for it"},
      {"__global__ void k(cudaTextureObject_t t, float* p) { *p = tex2D<float>(t, 1, 1); }",
       "textures are not part of this toolkit; read linear memory by a pointer"},
      {"__global__ void k(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4, 1); }",
       "surfaces are not part of this toolkit; use linear memory by a pointer"},
      {"\n#include <cuda_fp8.h>\n", "(2): catastrophic error: could not open source file \"cuda_fp8.h\""},
      {"#include <cuda/std/atomic>\n",
       "(1): catastrophic error: could not open source file \"cuda/std/atomic\""},
  };
  for (const Case& each : cases) {
    const Answer answer = ask(ours(), {each.source});
    EXPECT_EQ(answer.result, NVRTC_ERROR_COMPILATION) << each.source;
    EXPECT_NE(answer.log.find(each.words), std::string::npos) << answer.log;
    EXPECT_EQ(answer.log.find("/ptxcc/"), std::string::npos) << answer.log;
  }
  const Answer clusters =
      ask(ours(), {"__global__ void __cluster_dims__(2, 1, 1) k() {}", {"--gpu-architecture=compute_90"}});
  EXPECT_EQ(clusters.result, NVRTC_SUCCESS) << clusters.log;
  EXPECT_NE(clusters.ptx.find(".reqnctapercluster 2, 1, 1"), std::string::npos) << clusters.ptx;
  for (const char* const own :
       {"__device__ int tex2D(int x) { return x; }\n__global__ void k(int* p) { *p = tex2D(*p); }",
        "__global__ void k(cudaTextureObject_t t, int* p) { *p = 1; }"}) {
    const Answer answer = ask(ours(), {own});
    EXPECT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
  }
}

TEST(Nvrtc, a_lowered_name_is_the_name_of_a_kernel_in_the_ptx) {
  const Answer answer =
      ask(ours(), {"namespace n { template <class T> __global__ void k(T* p) { *p = 1; } }\n"
                   "__device__ int v; __constant__ float c[4];",
                   {},
                   {"n::k<int>", "&n::k<float>", "&v", "&c"}});
  ASSERT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
  const std::vector<std::string> wanted = {"_ZN1n1kIiEEvPT_", "_ZN1n1kIfEEvPT_", "v", "c"};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(answer.names[i].first, NVRTC_SUCCESS);
    EXPECT_EQ(answer.names[i].second, wanted[i]);
    EXPECT_NE(answer.ptx.find(wanted[i]), std::string::npos);
  }
  EXPECT_EQ(answer.ptx.find("__driverlab"), std::string::npos) << answer.ptx;
}

TEST(Nvrtc, static_variables_are_kept_under_their_plain_names) {
  const Answer answer =
      ask(ours(), {"static __constant__ int factors[4]; static __device__ int written, unused;\n"
                   "__global__ void k(int* p) { written = factors[*p]; }",
                   {},
                   {"&factors", "&written", "&unused"}});
  ASSERT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
  EXPECT_EQ(answer.names[0].second, "factors");
  EXPECT_EQ(answer.names[1].second, "written");
  EXPECT_EQ(answer.names[2].second, "unused");
  EXPECT_NE(answer.ptx.find("[written]"), std::string::npos) << answer.ptx;
}

TEST(Nvrtc, the_runtimes_types_and_aligned_vectors_need_no_include) {
  const Answer answer =
      ask(ours(), {"__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaExtent e,\n"
                   "                  cudaChannelFormatDesc d, cudaUUID_t* u, cudaStream_t q,\n"
                   "                  cudaError_t* r, double4_32a v, longlong4_16a* w) {\n"
                   "  static_assert(alignof(double4_32a) == 32, \"\");\n"
                   "  *r = cudaSuccess; w->x = cudaRoundNearest + make_double4_16a(1, 2, 3, 4).w;\n}"});
  EXPECT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
}

TEST(Nvrtc, a_mistake_is_told_with_the_users_file_and_line) {
  const Answer answer = ask(ours(), {"__global__ void k(int* p) {\n  *p = x;\n}\n"});
  EXPECT_EQ(answer.result, NVRTC_ERROR_COMPILATION);
  EXPECT_EQ(answer.log,
            "prog.cu(2): error: identifier \"x\" is undefined\n    *p = x;\n         ^\n\n"
            "1 error detected in the compilation of \"prog.cu\".\n");
  EXPECT_EQ(answer.ptx, "");
}

TEST(Nvrtc, a_mistake_in_a_header_in_memory_is_told_with_its_name) {
  const Answer answer = ask(
      ours(), {"#include \"deep/a.h\"\n", {}, {}, {{"deep/a.h", "\n__device__ int f() { return zz; }\n"}}});
  EXPECT_TRUE(answer.log.starts_with("deep/a.h(2): error: identifier \"zz\" is undefined\n")) << answer.log;
}

TEST(Nvrtc, a_header_that_climbs_out_of_its_folder_is_still_in_it) {
  const Answer answer = ask(ours(), {"#include \"../../a.h\"\n__global__ void k(int* p) { *p = A; }",
                                     {},
                                     {},
                                     {{"../../a.h", "#define A 3\n"}}});
  EXPECT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
  const Answer absolute = ask(ours(), {"", {}, {}, {{"/nowhere/a.h", ""}}});
  EXPECT_EQ(absolute.result, NVRTC_ERROR_COMPILATION);
  EXPECT_FALSE(std::filesystem::exists("/nowhere/a.h"));
}

TEST(Nvrtc, a_file_that_changed_since_is_compiled_again) {
  const std::string path = testing::TempDir() + "nvrtc_changed.h";
  const std::string source = "#include \"" + path + "\"\n__global__ void k(int* p) { *p = VALUE; }";
  for (const char* const value : {"1234", "567890"}) {
    std::ofstream(path) << "#define VALUE " << value << "\n";
    const Answer answer = ask(ours(), {source});
    ASSERT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
    EXPECT_NE(answer.ptx.find(value), std::string::npos) << answer.ptx;
  }
  std::filesystem::remove(path);
}

TEST(Nvrtc, threads_compile_at_the_same_time) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i, &good] {
      const Answer answer =
          ask(ours(), {"__global__ void k" + std::to_string(i) + "(int* p) { *p = 1; }", {"-no-cache"}});
      if (answer.ptx.find("k" + std::to_string(i)) != std::string::npos) ++good;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 4);
}

TEST(Nvrtc, handles_that_are_none_are_told) {
  nvrtcProgram program = nullptr;
  EXPECT_EQ(nvrtcDestroyProgram(&program), NVRTC_ERROR_INVALID_PROGRAM);
  ASSERT_EQ(nvrtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr), NVRTC_SUCCESS);
  const nvrtcProgram gone = program;
  EXPECT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(nvrtcCompileProgram(gone, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(nvrtcCompileProgram(nullptr, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
}

TEST(Nvrtc, what_cannot_be_done_is_refused_with_a_word) {
  for (const char* const option :
       {"-dlto", "--optix-ir", "-create-pch=a", "-use-pch=a", "-fdevice-time-trace=a"}) {
    const Answer answer = ask(ours(), {"", {option}});
    EXPECT_EQ(answer.result, NVRTC_ERROR_INVALID_OPTION) << option;
    EXPECT_NE(answer.log.find("is not supported by the embedded toolkit"), std::string::npos) << answer.log;
  }
}

TEST(Nvrtc, the_library_of_each_major_version_says_its_own) {
  const Nvrtc older(NVRTC_UNDER_TEST_12);
  ASSERT_NE(older.handle, nullptr) << dlerror();
  int major = 0, minor = 0;
  EXPECT_EQ(older.version(&major, &minor), NVRTC_SUCCESS);
  EXPECT_EQ(major * 100 + minor, 1209);
  EXPECT_EQ(ours().version(&major, &minor), NVRTC_SUCCESS);
  EXPECT_EQ(major * 100 + minor, 1300);
}

TEST(Nvrtc, names_of_types_keep_const_and_references) {
  std::string name;
  ASSERT_EQ(nvrtcGetTypeName<const int&>(&name), NVRTC_SUCCESS);
  EXPECT_EQ(name, "int const&");
  ASSERT_EQ((nvrtcGetTypeName<std::pair<int, float>>(&name)), NVRTC_SUCCESS);
  EXPECT_EQ(name, "std::pair<int, float>");
}

}  // namespace
