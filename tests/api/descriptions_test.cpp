// SPDX-License-Identifier: MIT
// Look-ups in the description of the driver API, against facts that are known from elsewhere.
//
// What a real driver calls its results was measured; versions and signatures are those of the manual.
#include "api/descriptions.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "api/function_ids.hpp"

namespace {

const api::FunctionDescription& function(std::string_view symbol) {
  const api::FunctionDescription* const found = api::find_function(symbol);
  if (found == nullptr) throw std::runtime_error(std::string(symbol) + " is not described");
  return *found;
}

TEST(Descriptions, every_function_is_found_by_its_symbol) {
  for (const api::FunctionDescription& one : api::functions())
    EXPECT_EQ(api::find_function(one.symbol), &one);
  EXPECT_GT(api::functions().size(), 600u);
}

TEST(Descriptions, a_name_between_two_symbols_is_not_found) {
  EXPECT_EQ(api::find_function(""), nullptr);
  EXPECT_EQ(api::find_function("cuCtxCreate_v9"), nullptr);
  EXPECT_EQ(api::find_function("zzz"), nullptr);
}

TEST(Descriptions, ids_are_positions_in_the_table) {
  const auto at = [](api::FunctionId id) { return api::functions()[static_cast<std::size_t>(id)].symbol; };
  EXPECT_EQ(at(api::FunctionId::cuInit), "cuInit");
  EXPECT_EQ(at(api::FunctionId::cuCtxCreate_v4), "cuCtxCreate_v4");
}

TEST(Descriptions, versions_of_a_function_carry_the_cuda_version_that_brought_them) {
  EXPECT_EQ(function("cuCtxCreate").since, 2000);
  EXPECT_EQ(function("cuCtxCreate_v2").since, 3020);
  EXPECT_EQ(function("cuCtxCreate_v3").since, 11040);
  EXPECT_EQ(function("cuCtxCreate_v4").since, 12050);
  EXPECT_EQ(function("cuCtxCreate_v4").name, "cuCtxCreate");
  EXPECT_TRUE(function("cuCtxCreate_v4").is_default);
  EXPECT_FALSE(function("cuCtxCreate_v2").is_default);
}

TEST(Descriptions, a_variant_for_the_per_thread_stream_says_so) {
  EXPECT_EQ(function("cuLaunchKernel").stream, api::DefaultStream::Legacy);
  EXPECT_EQ(function("cuLaunchKernel_ptsz").stream, api::DefaultStream::PerThread);
  EXPECT_EQ(function("cuMemAlloc_v2").stream, api::DefaultStream::None);
}

TEST(Descriptions, roles_say_what_is_written_and_what_it_is) {
  const auto parameters = function("cuCtxCreate_v4").parameters;
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_EQ(parameters[0].name, "pctx");
  EXPECT_EQ(parameters[0].role, api::Role::Out);
  EXPECT_TRUE(parameters[0].pointer);
  EXPECT_EQ(parameters[0].value.kind, api::ValueKind::Handle);
  EXPECT_EQ(parameters[0].value.name, "CUcontext");
  EXPECT_EQ(parameters[1].value.kind, api::ValueKind::Struct);
  EXPECT_EQ(api::structs()[static_cast<std::size_t>(parameters[1].value.structure)].name,
            "CUctxCreateParams");
  EXPECT_EQ(parameters[2].value.kind, api::ValueKind::Flags);
  EXPECT_EQ(api::enums()[static_cast<std::size_t>(parameters[2].value.enumeration)].name, "CUctx_flags");
  EXPECT_EQ(parameters[3].value.kind, api::ValueKind::Device);
  EXPECT_FALSE(parameters[3].pointer);
}

TEST(Descriptions, a_buffer_names_the_argument_that_holds_its_length) {
  const auto parameters = function("cuDeviceGetName").parameters;
  EXPECT_EQ(parameters[0].value.kind, api::ValueKind::String);
  EXPECT_EQ(parameters[0].length_parameter, 1);
  EXPECT_EQ(parameters[1].name, "len");
  EXPECT_EQ(function("cuDeviceGetLuid").parameters[0].length, 8u);
}

TEST(Descriptions, calls_that_may_change_the_current_context_are_marked) {
  std::set<std::string_view> marked;
  for (const api::FunctionDescription& one : api::functions()) {
    if (one.changes_current) marked.insert(one.name);
  }
  for (const char* name :
       {"cuCtxCreate", "cuCtxDestroy", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxSetCurrent",
        "cuCtxAttach", "cuCtxDetach", "cuDevicePrimaryCtxRelease", "cuDevicePrimaryCtxReset"}) {
    EXPECT_TRUE(marked.contains(name)) << name;
  }
  for (const char* name : {"cuCtxGetCurrent", "cuMemAlloc", "cuInit"})
    EXPECT_FALSE(marked.contains(name)) << name;
}

TEST(Descriptions, what_a_call_makes_and_ends_is_named) {
  EXPECT_EQ(function("cuCtxCreate_v4").creates, "CUcontext");
  EXPECT_EQ(function("cuCtxDestroy_v2").destroys, "CUcontext");
  EXPECT_EQ(function("cuMemAlloc_v2").creates, "memory");
  EXPECT_EQ(function("cuMemFree_v2").destroys, "memory");
  EXPECT_EQ(function("cuCtxGetCurrent").creates, "");
}

TEST(Descriptions, indices_in_the_tables_point_into_the_tables) {
  const auto check = [](const api::TypeDescription& type) {
    const bool needs_enum = type.kind == api::ValueKind::Enumerator || type.kind == api::ValueKind::Flags ||
                            type.kind == api::ValueKind::Result;
    EXPECT_EQ(type.enumeration >= 0, needs_enum) << type.name;
    EXPECT_EQ(type.structure >= 0, type.kind == api::ValueKind::Struct) << type.name;
    EXPECT_LT(type.enumeration, static_cast<std::int32_t>(api::enums().size()));
    EXPECT_LT(type.structure, static_cast<std::int32_t>(api::structs().size()));
  };
  for (const api::FunctionDescription& one : api::functions()) {
    for (const api::ParameterDescription& parameter : one.parameters) {
      check(parameter.value);
      EXPECT_LT(parameter.length_parameter, static_cast<std::int32_t>(one.parameters.size()));
      if (parameter.role != api::Role::In) {
        EXPECT_TRUE(parameter.pointer) << one.symbol << " " << parameter.name;
      }
    }
  }
  for (const api::StructDescription& one : api::structs()) {
    for (const api::FieldDescription& field : one.fields) {
      check(field.type);
      EXPECT_LE(field.offset + field.type.bytes, one.bytes) << one.name << "." << field.name;
    }
  }
}

TEST(Results, have_the_names_and_texts_that_a_real_driver_gives) {
  EXPECT_STREQ(api::result_name(0), "CUDA_SUCCESS");
  EXPECT_STREQ(api::result_text(0), "no error");
  EXPECT_STREQ(api::result_name(201), "CUDA_ERROR_INVALID_CONTEXT");
  EXPECT_STREQ(api::result_text(201), "invalid device context");
  EXPECT_STREQ(api::result_name(999), "CUDA_ERROR_UNKNOWN");
}

TEST(Results, a_number_that_is_no_result_has_no_name) {
  EXPECT_EQ(api::result_name(-1), nullptr);
  EXPECT_EQ(api::result_text(12345), nullptr);
}

TEST(Results, every_result_has_a_text) {
  for (const api::EnumeratorDescription& one : api::find_enum("CUresult")->enumerators) {
    EXPECT_FALSE(one.text.empty()) << one.name;
  }
}

TEST(Enumerations, are_found_by_name_and_value) {
  const api::EnumDescription* const limits = api::find_enum("CUlimit");
  ASSERT_NE(limits, nullptr);
  EXPECT_EQ(api::enumerator_name(*limits, 1), "CU_LIMIT_PRINTF_FIFO_SIZE");
  EXPECT_EQ(api::enumerator_name(*limits, 4711), "");
  EXPECT_TRUE(api::find_enum("CUctx_flags")->flags);
  EXPECT_EQ(api::find_enum("CUnothing"), nullptr);
}

}  // namespace
