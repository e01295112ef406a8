// SPDX-License-Identifier: MIT
// One table of programs and options on ours and, where it is installed, on NVIDIA's NVRTC 13.0: results, logs
// of options, form of the logs of programs, lowered names and versions are the same.
//
// The sentences of a front end and the text of PTX may differ.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support.hpp"

namespace {

// NVIDIA's, if there is one of this version.
const Nvrtc& theirs() {
  const char* const given = std::getenv("CUDA_PATH");
  static const Nvrtc nvrtc(
      ((given == nullptr ? std::string("/usr/local/cuda") : std::string(given)) + "/lib64/libnvrtc.so.13")
          .c_str());
  return nvrtc;
}

class BesideTheRealOne : public testing::Test {
 protected:
  void SetUp() override {
    if (theirs().handle == nullptr) GTEST_SKIP() << "no libnvrtc.so.13 of NVIDIA's here";
    int major = 0, minor = 0;
    theirs().version(&major, &minor);
    if (major != 13 || minor != 0) GTEST_SKIP() << "NVIDIA's NVRTC here is not 13.0";
  }
};

using Options = std::vector<const char*>;

TEST_F(BesideTheRealOne, versions_architectures_and_names_of_results_are_the_same) {
  int our_count = 0, their_count = 0;
  ours().count_architectures(&our_count);
  theirs().count_architectures(&their_count);
  ASSERT_EQ(our_count, their_count);
  std::vector<int> our_list(static_cast<std::size_t>(our_count)), their_list = our_list;
  ours().architectures(our_list.data());
  theirs().architectures(their_list.data());
  EXPECT_EQ(our_list, their_list);
  for (int result = -1; result < 20; ++result)
    EXPECT_STREQ(ours().error_string(static_cast<nvrtcResult>(result)),
                 theirs().error_string(static_cast<nvrtcResult>(result)));
}

TEST_F(BesideTheRealOne, wrong_options_are_answered_with_the_same_words) {
  const std::vector<Options> table = {
      {"-foo"},
      {"foo"},
      {""},
      {" "},
      {"-"},
      {"--"},
      {"-O3"},
      {"-Wall"},
      {"-g"},
      {"-m64"},
      {"--use-fast-math"},
      {"-arch=foo"},
      {"-arch=compute_70"},
      {"-arch=sm_52"},
      {"-arch=compute_200"},
      {"-arch"},
      {"-arch=lto_80"},
      {"-arch=sm_75a"},
      {"-arch=compute_90f"},
      {"-arch=compute_75,sm_80"},
      {"-arch compute_80"},
      {"-arch= compute_80"},
      {"--gpu-arch=compute_80"},
      {"-rdc"},
      {"-rdc=maybe"},
      {"-ftz"},
      {"-ftz=1"},
      {"--fmad=x"},
      {"-fmad", "-G"},
      {"-fmad=TRUE"},
      {"-G=1"},
      {"-w=1"},
      {"-dc=true"},
      {"-dc", "-ewp"},
      {"-dc", "-rdc=false"},
      {"-maxrregcount=abc"},
      {"-maxrregcount=3x"},
      {"-maxrregcount", "-G"},
      {"-std=c++23"},
      {"-std=gnu++17"},
      {"--std="},
      {"-std", "c++17"},
      {"-dopt=off"},
      {"-dopt", "-G"},
      {"-Ofc=zzz"},
      {"-opt-info=zzz"},
      {"-opt-info", "inline"},
      {"-diag-suppress=abc"},
      {"-diag-error"},
      {"-diag-suppress 177"},
      {"-split-compile=-1"},
      {"-time"},
      {"-D"},
      {"-D", "1"},
      {"-U1"},
      {"-device-float128"},
      {"-dlto=1"},
      {"-pch-dir=/nowhere/at/all"},
      {"-display-error-number"},
      {"-brief-diagnostics=true"},
      {"-foo", "-arch=zz"},
      {"-arch=zz", "-foo"},
      {nullptr},
      {"-G", nullptr},
  };
  for (const Options& options : table) {
    const Answer our = ask(ours(), {"", options});
    const Answer their = ask(theirs(), {"", options});
    const std::string shown = options[0] == nullptr ? "null" : options[0];
    EXPECT_NE(their.result, NVRTC_SUCCESS) << shown;
    EXPECT_EQ(our.result, their.result) << shown;
    EXPECT_EQ(our.log, their.log) << shown;
  }
}

TEST_F(BesideTheRealOne, documented_options_are_taken_and_warned_of_alike) {
  const std::vector<Options> table = {
      {"-dc"},
      {"-rdc=true"},
      {"-dw"},
      {"-ewp"},
      {"-lineinfo"},
      {"-G", "-dopt=on"},
      {"-Ofc=min"},
      {"-Ofc"},
      {"-dopt"},
      {"-opt-info=inline"},
      {"-Xptxas", "-v"},
      {"--ptxas-options=-v"},
      {"-maxrregcount=32"},
      {"-maxrregcount"},
      {"-maxrregcount=3", "-maxrregcount=4"},
      {"--maxrregcount", "32"},
      {"-ftz=true"},
      {"-prec-sqrt=false"},
      {"-prec-div=false"},
      {"-fmad", "true"},
      {"-fmad=true", "-fmad=false"},
      {"-fmad=true", "-fmad=true"},
      {"-use_fast_math"},
      {"-extra-device-vectorization"},
      {"-modify-stack-limit=true"},
      {"-restrict"},
      {"-no-cache"},
      {"-frandom-seed=a"},
      {"-DX"},
      {"-D", "X=2"},
      {"--define-macro=X"},
      {"-D X"},
      {"-UX"},
      {"-I/tmp"},
      {"-I", "/tmp"},
      {"-no-source-include"},
      {"-std=c++14"},
      {"-std=c++20"},
      {"-std=c++03"},
      {"-std=c++17", "-std=c++14"},
      {"-arch=sm_80"},
      {"-arch", "compute_80"},
      {"-arch=sm_80", "-arch=compute_75"},
      {"-arch=compute_90a"},
      {"-arch=compute_121"},
      {"-arch=sm_103a"},
      {"-w"},
      {"-default-device"},
      {"-device-int128"},
      {"-diag-suppress=20,30"},
      {"-brief-diag=true"},
      {"-split-compile=2"},
      {"-minimal"},
      {"-fdevice-syntax-only"},
      {" -G"},
      {"-err-no"},
      {"-builtin-move-forward=false"},
      {"-dQ=true"},
  };
  for (const Options& options : table) {
    const Answer our = ask(ours(), {"__global__ void k(int* p) { *p = 1; }", options});
    const Answer their = ask(theirs(), {"__global__ void k(int* p) { *p = 1; }", options});
    EXPECT_EQ(their.result, NVRTC_SUCCESS) << options[0];
    EXPECT_EQ(our.result, their.result) << options[0] << "\n" << our.log;
    EXPECT_EQ(our.log, their.log) << options[0];
    EXPECT_EQ(our.cubin, their.cubin) << options[0];
    EXPECT_EQ(our.ptx.find(".entry") == std::string::npos, their.ptx.find(".entry") == std::string::npos)
        << options[0];
  }
}

TEST_F(BesideTheRealOne, programs_have_the_same_result_form_of_log_and_lowered_names) {
  const std::string kernel = "__global__ void k(int* p) { *p = 1; }\n";
  const std::vector<Question> table = {
      {""},
      {"__global__ void k(int* p) {\n *p = x;\n}\n"},
      {"__global__ void k(int* p) {\n *p = x;\n foo();\n int y = \"a\";\n}\n"},
      {"__global__ void k(int* p) {\n int unused;\n *p = 1;\n}\n"},
      {"__global__ void k(int* p) {\n int unused;\n *p = 1;\n}\n", {"-w"}},
      {"__global__ void k(int* p) {\n int unused;\n *p = 1;\n}\n", {"-diag-suppress=177"}},
      {"__global__ void k(int* p) {\n int unused;\n *p = 1;\n}\n", {"-diag-error=177"}},
      {"__global__ void k(int* p) {\n int unused;\n *p = 1;\n}\n", {"--no-display-error-number"}},
      {"__global__ void k(int* p) {\n int unused;\n *p = 1;\n}\n", {"-brief-diag=true"}},
      {"#line 40 \"other.cu\"\n__global__ void k(int* p) {\n *p = x;\n}\n"},
      {"#include \"a.h\"\n", {}, {}, {{"a.h", "__device__ int f() {\n return zz;\n}\n"}}},
      {"#include <a.h>\n" + kernel,
       {},
       {},
       {{"a.h", "#include \"sub/b.h\"\n"}, {"sub/b.h", "#define B 1\n"}}},
      {"#include \"b.h\"\n" + kernel},
      {"#include \"b.h\"\n" + kernel, {"-no-source-include"}},
      {"#include <b.h>\n" + kernel, {"-I/tmp"}},
      {"#error hello\n"},
      {"#warning hello\n" + kernel},
      {"__global__ void k(int* p) { *p = 1 }"},
      {"__device__ int f() {\n}\n" + kernel},
      {"static_assert(false, \"said\");"},
      {"__global__ int k() { return 1; }"},
      {kernel + kernel},
      {"__global__ void k(int* p) { printf(\"%d\", *p); assert(*p); }"},
      {"#ifndef __CUDACC_RTC__\n#error\n#endif\n" + kernel},
      {"#if X != 3\n#error\n#endif\n" + kernel, {"-DX=3"}},
      {"#if __cplusplus != 201402L\n#error\n#endif\n" + kernel, {"-std=c++14"}},
      {"int g;\nint f() { return g; }\n__global__ void k(int* p) { *p = f(); }", {"-default-device"}},
      {"extern \"C\" " + kernel, {}, {"k"}},
      {kernel, {}, {"k", "&k", "k"}},
      {"namespace n { template <class T> __global__ void k(T* p) { *p = 1; } }\n__device__ int v;",
       {},
       {"n::k<int>", "&n::k<float>", "&v"}},
      {"template <int N> __device__ int t = N;", {}, {"&t<3>"}},
      {"static __constant__ int c[4]; static __device__ int d; const __device__ int e = 3;\n" + kernel,
       {"-w"},
       {"&c", "&d", "&e"}},
      {"__global__ void k(cudaTextureObject_t t, cudaExtent* e, cudaError_t r, double4_16a* v) { e->width = "
       "r; }"},
      {kernel, {}, {"nothing"}},
      {kernel, {}, {"k", "nothing"}},
      {kernel, {}, {"k<"}},
      {kernel, {}, {""}},
      {"__device__ int f() { return 1; }\n" + kernel, {}, {"f"}},
  };
  for (const Question& question : table) {
    const Answer our = ask(ours(), question);
    const Answer their = ask(theirs(), question);
    EXPECT_EQ(our.result, their.result) << question.source << "\n" << our.log;
    EXPECT_EQ(form_of(our.log), form_of(their.log)) << question.source << "\n"
                                                    << our.log << "\n"
                                                    << their.log;
    EXPECT_EQ(our.names, their.names) << question.source;
  }
}

}  // namespace
