// SPDX-License-Identifier: MIT
// What a word of the driver API means, and which words begin with what is typed.
#include "lab/api_help.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "api/descriptions.hpp"
#include "api/help.hpp"

using lab::api_help;
using lab::ApiHelp;
using lab::Language;

namespace {

ApiHelp help(std::string_view word, Language language = Language::English) {
  std::optional<ApiHelp> found = api_help(word, language);
  EXPECT_TRUE(found) << word;
  return found.value_or(ApiHelp{});
}

std::vector<std::string> words(std::string_view beginning, std::size_t most = 1000) {
  std::vector<std::string> all;
  for (const lab::ApiWord& word : lab::api_words(beginning, Language::English, most))
    all.emplace_back(word.word);
  return all;
}

TEST(ApiHelp, a_function_has_its_declaration_its_parameters_and_its_errors) {
  const ApiHelp push = help("cuCtxPushCurrent");
  EXPECT_EQ(push.kind, ApiHelp::Kind::Function);
  EXPECT_EQ(push.declaration, "CUresult cuCtxPushCurrent(CUcontext ctx)");
  ASSERT_EQ(push.parameters.size(), 1u);
  EXPECT_EQ(push.parameters[0].type, "CUcontext");
  EXPECT_EQ(push.parameters[0].name, "ctx");
  EXPECT_EQ(push.parameters[0].means, "the context");
  EXPECT_THAT(push.errors, testing::Contains("CUDA_ERROR_INVALID_VALUE"));
}

TEST(ApiHelp, the_plain_name_means_the_version_of_the_header_and_a_versions_name_means_that_version) {
  EXPECT_THAT(help("cuCtxCreate").declaration, testing::HasSubstr("CUctxCreateParams *ctxCreateParams"));
  EXPECT_EQ(help("cuCtxCreate_v2").declaration,
            "CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)");
  EXPECT_EQ(help("cuCtxCreate_v2").means, help("cuCtxCreate").means);
}

TEST(ApiHelp, the_reader_s_language_is_used) {
  EXPECT_EQ(help("cuMemFree", Language::English).means, "Frees device memory.");
  EXPECT_EQ(help("cuMemFree", Language::Chinese).means, "释放设备内存。");
  EXPECT_EQ(help("cuMemFree", Language::Chinese).parameters.at(0).means, "设备内存的地址");
}

TEST(ApiHelp, an_enumerator_is_shown_among_those_of_its_enumeration) {
  const ApiHelp spin = help("CU_CTX_SCHED_SPIN");
  EXPECT_EQ(spin.kind, ApiHelp::Kind::Enumerator);
  EXPECT_EQ(spin.declaration, "CU_CTX_SCHED_SPIN = 1");
  EXPECT_EQ(spin.of, "CUctx_flags");
  EXPECT_TRUE(std::ranges::count(spin.values, "CU_CTX_SCHED_YIELD", &ApiHelp::Value::name) == 1);
  EXPECT_EQ(help("CU_CTX_COREDUMP_ENABLE").declaration, "CU_CTX_COREDUMP_ENABLE = 0x20");
}

TEST(ApiHelp, an_enumerator_says_what_it_means_itself_and_what_its_enumeration_is) {
  const ApiHelp spin = help("CU_CTX_SCHED_SPIN");
  EXPECT_THAT(spin.means, testing::HasSubstr("keeps asking the device"));
  EXPECT_THAT(spin.of_means, testing::HasSubstr("options of a context"));
  EXPECT_THAT(help("CU_CTX_SCHED_SPIN", Language::Chinese).means, testing::HasSubstr("不断查询设备"));
  // Of this one only the enumeration is explained.
  const ApiHelp other = help("CU_TENSOR_MAP_DATA_TYPE_UINT8");
  EXPECT_TRUE(other.means.empty());
  EXPECT_FALSE(other.of_means.empty());
}

TEST(ApiHelp, a_constant_has_the_value_that_the_header_writes) {
  const ApiHelp legacy = help("CU_STREAM_LEGACY");
  EXPECT_EQ(legacy.declaration, "CU_STREAM_LEGACY = ((CUstream)0x1)");
  EXPECT_FALSE(legacy.means.empty());
  EXPECT_TRUE(legacy.of.empty());
  EXPECT_TRUE(legacy.values.empty());
}

TEST(ApiHelp, a_struct_has_the_fields_that_a_program_writes) {
  const ApiHelp desc = help("CUmemAccessDesc");
  EXPECT_EQ(desc.kind, ApiHelp::Kind::Type);
  EXPECT_EQ(desc.declaration, "struct CUmemAccessDesc");
  ASSERT_EQ(desc.fields.size(), 2u);
  EXPECT_EQ(desc.fields[0].type, "CUmemLocation");  // and not CUmemLocation_v1
  EXPECT_EQ(desc.fields[0].name, "location");
  EXPECT_EQ(help("CUipcMemHandle").fields.at(0).name, "reserved[64]");
  EXPECT_EQ(std::ranges::count(help("CUlaunchAttribute").fields, "pad[4]", &ApiHelp::Field::name), 0);
  EXPECT_TRUE(help("CUstream").fields.empty());
}

TEST(ApiHelp, words_of_the_runtime_and_of_NVRTC_have_their_own_types) {
  EXPECT_EQ(help("cudaMalloc").declaration, "cudaError_t cudaMalloc(void **devPtr, size_t size)");
  EXPECT_EQ(help("nvrtcGetPTX").declaration, "nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx)");
  EXPECT_EQ(help("cudaMalloc", Language::Chinese).parameters.at(1).means, "字节数");
  EXPECT_EQ(help("cudaErrorMemoryAllocation").declaration, "cudaErrorMemoryAllocation = 2");
  EXPECT_EQ(help("cudaErrorMemoryAllocation").of, "cudaError_t");
  EXPECT_THAT(help("dim3").fields, testing::SizeIs(3));
}

TEST(ApiHelp, a_result_says_what_it_means_and_not_what_results_are) {
  const ApiHelp result = help("CUDA_ERROR_INVALID_CONTEXT");
  EXPECT_EQ(result.kind, ApiHelp::Kind::Result);
  EXPECT_EQ(result.declaration, "CUDA_ERROR_INVALID_CONTEXT = 201");
  EXPECT_EQ(result.means, "No context is current, or the given one is not valid.");
  EXPECT_TRUE(result.values.empty());
}

TEST(ApiHelp, a_handle_is_a_type_without_values_and_an_enumeration_has_some) {
  EXPECT_EQ(help("CUstream").kind, ApiHelp::Kind::Type);
  EXPECT_TRUE(help("CUstream").values.empty());
  EXPECT_GT(help("CUlimit").values.size(), 5u);
}

TEST(ApiHelp, words_that_are_not_of_the_api_mean_nothing) {
  for (const std::string_view word : {"", "int", "cu", "cuCtx", "cuCtxPushCurrentx", "cudaMal", "context"})
    EXPECT_FALSE(api_help(word, Language::English)) << word;
}

TEST(ApiHelp, each_version_of_each_function_and_each_of_its_parameters_is_explained) {
  std::size_t explained = 0;
  for (const api::FunctionDescription& function : api::functions()) {
    if (api::find_function_help(function.name) == nullptr) continue;  // of a library, and in no lesson
    ++explained;
    for (const Language language : {Language::English, Language::Chinese}) {
      // The plain name may be the symbol of an old version, and means the one of the header.
      if (api::find_function_help(function.symbol) != nullptr &&
          api::find_function_help(function.symbol)->symbol != function.symbol)
        continue;
      const ApiHelp found = help(function.symbol, language);
      EXPECT_FALSE(found.means.empty()) << function.symbol;
      EXPECT_EQ(found.parameters.size(), function.parameters.size()) << function.symbol;
      for (const ApiHelp::Parameter& parameter : found.parameters)
        EXPECT_FALSE(parameter.means.empty()) << function.symbol << " " << parameter.name;
    }
  }
  EXPECT_GT(explained, 450u);
}

TEST(WordAt, is_the_whole_name_around_the_place) {
  constexpr std::string_view kText = "ok(cuInit(0), CU_X_1);";
  EXPECT_EQ(lab::word_at(kText, 3), "cuInit");
  EXPECT_EQ(lab::word_at(kText, 8), "cuInit");
  EXPECT_EQ(lab::word_at(kText, 14), "CU_X_1");
  EXPECT_EQ(lab::word_at(kText, 9), "");
  EXPECT_EQ(lab::word_at(kText, kText.size()), "");
  EXPECT_EQ(lab::word_at("中cuInit", 3), "cuInit");
}

TEST(ApiWords, are_those_that_begin_so_in_capitals_or_not) {
  EXPECT_THAT(words("cuctxpu"), testing::ElementsAre("cuCtxPushCurrent"));
  EXPECT_THAT(words("CU_CTX_SCHED_S"), testing::ElementsAre("CU_CTX_SCHED_SPIN"));
  EXPECT_TRUE(words("cuNothing").empty());
}

TEST(ApiWords, functions_come_first_then_types_then_enumerators_each_by_name) {
  const std::vector<lab::ApiWord> all = lab::api_words("cu", Language::English, 10000);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, [](const lab::ApiWord& word) {
    return std::pair(std::min(word.kind, ApiHelp::Kind::Enumerator), word.word);
  }));
  std::set<std::string_view> names;
  for (const lab::ApiWord& word : all) {
    EXPECT_TRUE(names.insert(word.word).second) << word.word;
    EXPECT_TRUE(api_help(word.word, Language::English)) << word.word;
    EXPECT_FALSE(word.means.empty()) << word.word;
  }
  EXPECT_GT(all.size(), 1000u);
}

TEST(ApiWords, are_at_most_as_many_as_asked_for) {
  EXPECT_EQ(words("cu", 7).size(), 7u);
}

TEST(AllApiHelp, has_what_is_shown) {
  const std::string all = lab::all_api_help(Language::Chinese);
  EXPECT_THAT(all, testing::HasSubstr(help("cuCtxCreate", Language::Chinese).means));
  EXPECT_THAT(all, testing::HasSubstr(help("CUDA_ERROR_UNKNOWN", Language::Chinese).means));
  EXPECT_THAT(all, testing::HasSubstr(help("CUlimit", Language::Chinese).means));
  EXPECT_THAT(all, testing::HasSubstr(help("CU_STREAM_LEGACY", Language::Chinese).means));
  EXPECT_THAT(all, testing::HasSubstr(help("cudaMalloc", Language::Chinese).means));
}

}  // namespace
