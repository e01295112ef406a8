// SPDX-License-Identifier: MIT
// Options for how a text is compiled: whether a product and a sum without .rn are rounded once, and what
// cannot be compiled. The expected results were measured on an H200 (driver 580.159).
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support.hpp"

namespace conformance {
namespace {

struct CompileOption {
  CUjit_option name;
  std::uint64_t value;
};

// The options in the form that the driver takes.
struct CompileOptions {
  explicit CompileOptions(const std::vector<CompileOption>& wanted) {
    for (const CompileOption& option : wanted) {
      names.push_back(option.name);
      // A value in the place of a pointer.
      values.push_back(reinterpret_cast<void*>(option.value));  // NOLINT(performance-no-int-to-ptr)
    }
  }
  unsigned count() const { return static_cast<unsigned>(names.size()); }
  std::vector<CUjit_option> names;
  std::vector<void*> values;
};

constexpr std::uint64_t minus_one = ~std::uint64_t{0};
const std::vector<CompileOption> nothing_said;
const std::vector<CompileOption> not_optimised = {{CU_JIT_OPTIMIZATION_LEVEL, 0}};
const std::vector<CompileOption> optimised = {{CU_JIT_OPTIMIZATION_LEVEL, 4}};

std::string product_and_sum(const std::string& rounding) {
  return ".version 7.0\n.target sm_52\n.address_size 64\n"
         ".visible .entry k(.param .u64 p, .param .f32 a, .param .f32 c) { .reg .b64 %p; .reg .f32 %f<5>;"
         "ld.param.u64 %p, [p]; ld.param.f32 %f1, [a]; ld.param.f32 %f2, [c];"
         "mul" +
         rounding + ".f32 %f3, %f1, %f1; add" + rounding +
         ".f32 %f4, %f3, %f2; st.global.f32 [%p], %f4; ret; }\n";
}

// a * a - b, where the product is half a unit above b: 0 if the product is rounded by itself.
bool is_rounded_once(CUfunction function) {
  CUdeviceptr memory = 0;
  float a = 1 + std::ldexp(1.0F, -12);
  float c = -(1 + std::ldexp(1.0F, -11));
  float result = 7;
  NEEDS(cuMemAlloc(&memory, sizeof result));
  void* arguments[] = {&memory, &a, &c};
  SUCCEEDS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SUCCEEDS(cuMemcpyDtoH(&result, memory, sizeof result));
  SUCCEEDS(cuMemFree(memory));
  HOLDS(result == 0 || result == std::ldexp(1.0F, -24));
  return result != 0;
}

bool loaded_is_rounded_once(const void* image, const std::vector<CompileOption>& wanted) {
  CompileOptions options(wanted);
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  NEEDS(cuModuleLoadDataEx(&module, image, options.count(), options.names.data(), options.values.data()));
  NEEDS(cuModuleGetFunction(&function, module, "k"));
  const bool once = is_rounded_once(function);
  SUCCEEDS(cuModuleUnload(module));
  return once;
}

bool loaded_is_rounded_once(const std::vector<CompileOption>& wanted) {
  return loaded_is_rounded_once(product_and_sum("").c_str(), wanted);
}

// With options for the link and for its input, and for the loading of what was linked.
bool linked_is_rounded_once(const std::vector<CompileOption>& of_link,
                            const std::vector<CompileOption>& of_input,
                            const std::vector<CompileOption>& of_load = nothing_said) {
  CompileOptions all(of_link);
  CompileOptions own(of_input);
  std::string text = product_and_sum("");
  CUlinkState link = nullptr;
  void* image = nullptr;
  std::size_t size = 0;
  NEEDS(cuLinkCreate(all.count(), all.names.data(), all.values.data(), &link));
  NEEDS(cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "k", own.count(),
                      own.names.data(), own.values.data()));
  NEEDS(cuLinkComplete(link, &image, &size));
  const bool once = loaded_is_rounded_once(image, of_load);
  SUCCEEDS(cuLinkDestroy(link));
  return once;
}

TEST(compile_options, a_product_and_a_sum_are_rounded_once_unless_nothing_is_optimised) {
  const Context context;
  EQUAL(true, loaded_is_rounded_once(nothing_said));
  EQUAL(false, loaded_is_rounded_once(not_optimised));
  for (const std::uint64_t level : {1, 2, 3, 4, 5, 9})
    EQUAL(true, loaded_is_rounded_once({{CU_JIT_OPTIMIZATION_LEVEL, level}}));
  EQUAL(false, loaded_is_rounded_once({{CU_JIT_OPTIMIZATION_LEVEL, std::uint64_t{1} << 32}}));
  EQUAL(false, loaded_is_rounded_once({{CU_JIT_GENERATE_DEBUG_INFO, 1}}));
  EQUAL(true, loaded_is_rounded_once({{CU_JIT_GENERATE_DEBUG_INFO, 0}, {CU_JIT_OPTIMIZATION_LEVEL, 4}}));
  EQUAL(true, loaded_is_rounded_once({{CU_JIT_GENERATE_LINE_INFO, 1}}));
  // The last one counts.
  EQUAL(true, loaded_is_rounded_once({not_optimised[0], optimised[0]}));
  EQUAL(false, loaded_is_rounded_once({optimised[0], not_optimised[0]}));
  const std::string twice = product_and_sum(".rn");
  for (const auto& options : {nothing_said, not_optimised, optimised})
    EQUAL(false, loaded_is_rounded_once(twice.c_str(), options));
}

// Deprecated, and of links of intermediate code only.
TEST(compile_options, CU_JIT_FMA_is_taken_with_any_value_and_changes_nothing) {
  const Context context;
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, minus_one}) {
    const std::vector<CompileOption> options = {{CU_JIT_FMA, value}};
    EQUAL(true, loaded_is_rounded_once(options));
    EQUAL(true, linked_is_rounded_once(options, nothing_said));
  }
  EQUAL(false, loaded_is_rounded_once({not_optimised[0], {CU_JIT_FMA, 0}}));
}

TEST(compile_options, an_input_of_a_link_has_its_own_or_those_of_the_link) {
  const Context context;
  EQUAL(true, linked_is_rounded_once(nothing_said, nothing_said));
  EQUAL(false, linked_is_rounded_once(not_optimised, nothing_said));
  EQUAL(false, linked_is_rounded_once(nothing_said, not_optimised));
  EQUAL(true, linked_is_rounded_once(not_optimised, optimised));
  EQUAL(false, linked_is_rounded_once(optimised, not_optimised));
}

TEST(compile_options, a_library_has_them) {
  const Context context;
  for (const bool once : {true, false}) {
    CompileOptions options(once ? optimised : not_optimised);
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    CUfunction function = nullptr;
    NEEDS(cuLibraryLoadData(&library, product_and_sum("").c_str(), options.names.data(),
                            options.values.data(), options.count(), nullptr, nullptr, 0));
    NEEDS(cuLibraryGetKernel(&kernel, library, "k"));
    NEEDS(cuKernelGetFunction(&function, kernel));
    EQUAL(once, is_rounded_once(function));
    SUCCEEDS(cuLibraryUnload(library));
  }
}

TEST(compile_options, what_cannot_be_compiled_is_told_in_the_log) {
  const Context context;
  const std::string text = product_and_sum("");
  struct Case {
    std::vector<CompileOption> options;
    std::string words;
  };
  const CompileOption debug{CU_JIT_GENERATE_DEBUG_INFO, 1};
  const Case cases[] = {
      {{{CU_JIT_OPTIMIZATION_LEVEL, minus_one}},
       "ptxas fatal   : 32-bit integer value (4294967295) out of range"},
      {{debug, optimised[0]}, "ptxas fatal   : Optimized debugging not supported"},
      {{optimised[0], debug}, "ptxas fatal   : Optimized debugging not supported"},
      {{debug, {CU_JIT_OPTIMIZATION_LEVEL, 1}}, "ptxas fatal   : Optimized debugging not supported"},
      {{debug, not_optimised[0]}, ""},
      {{debug}, ""},
  };
  for (const Case& each : cases) {
    const CUresult expected = each.words.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
    std::array<char, 512> log{};
    std::vector<CompileOption> wanted = each.options;
    wanted.push_back({CU_JIT_ERROR_LOG_BUFFER, reinterpret_cast<std::uint64_t>(log.data())});
    wanted.push_back({CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, log.size()});
    {
      CompileOptions options(wanted);
      CUmodule module = nullptr;
      ANSWERS(expected, cuModuleLoadDataEx(&module, text.c_str(), options.count(), options.names.data(),
                                           options.values.data()));
      EQUAL(each.words, std::string(log.data()));
    }
    log = {};
    {
      CompileOptions options(wanted);
      CUlinkState link = nullptr;
      std::string input = text;
      NEEDS(cuLinkCreate(options.count(), options.names.data(), options.values.data(), &link));
      ANSWERS(expected, cuLinkAddData(link, CU_JIT_INPUT_PTX, input.data(), input.size() + 1, "k", 0, nullptr,
                                      nullptr));
      EQUAL(each.words, std::string(log.data()));
      SUCCEEDS(cuLinkDestroy(link));
    }
    log = {};
    CompileOptions options(wanted);
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    SUCCEEDS(cuLibraryLoadData(&library, text.c_str(), options.names.data(), options.values.data(),
                               options.count(), nullptr, nullptr, 0));
    ANSWERS(expected, cuLibraryGetKernel(&kernel, library, "k"));
    // An H200 leaves out the last character here, and only of a library.
    EQUAL(true, each.words.starts_with(log.data()) && std::strlen(log.data()) + 1 >= each.words.size());
    SUCCEEDS(cuLibraryUnload(library));
  }
}

}  // namespace
}  // namespace conformance
