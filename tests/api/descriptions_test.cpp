// SPDX-License-Identifier: MIT
// Look-ups in the description of the driver API, against facts that are known from elsewhere.
//
// What a real driver calls its results was measured; versions and signatures are those of the manual.
#include "api/descriptions.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

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

TEST(Descriptions, a_version_carries_the_name_of_its_function) {
  EXPECT_EQ(function("cuCtxCreate_v4").name, "cuCtxCreate");
  EXPECT_EQ(function("cuLaunchKernel_ptsz").name, "cuLaunchKernel");
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

TEST(Descriptions, what_a_call_makes_says_where_its_handle_and_its_name_are_and_with_what_it_goes) {
  const api::MakesDescription* const module = function("cuModuleLoad").makes;
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->kind, api::ObjectKind::Module);
  EXPECT_EQ(module->handle, "module");
  EXPECT_EQ(module->lifetime, api::Lifetime::Current);
  EXPECT_EQ(module->label, "fname");
  const api::MakesDescription* const variable = function("cuModuleGetGlobal").makes;
  ASSERT_NE(variable, nullptr);
  EXPECT_EQ(variable->lifetime, api::Lifetime::Origin);
  EXPECT_EQ(variable->origin, "hmod");
  EXPECT_EQ(variable->origin_kind, api::ObjectKind::Module);
  EXPECT_EQ(variable->size, "bytes");
  const api::MakesDescription* const pool = function("cuDeviceGetDefaultMemPool").makes;
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(pool->lifetime, api::Lifetime::Driver);
  const api::MakesDescription* const clone = function("cuGraphClone").makes;
  ASSERT_NE(clone, nullptr);
  EXPECT_EQ(clone->lifetime, api::Lifetime::Process);
  EXPECT_EQ(clone->origin_kind, api::ObjectKind::Graph);
  const api::MakesDescription* const rows = function("cuMemAllocPitch").makes;
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(rows->memory, api::MemoryKind::Device);
  EXPECT_EQ(rows->size, "pPitch");
  EXPECT_EQ(rows->rows, "Height");
  EXPECT_EQ(function("cuCtxGetCurrent").makes, nullptr);
}

TEST(Descriptions, what_a_call_ends_is_the_same_for_each_of_its_versions) {
  const api::EndsDescription* const context = function("cuCtxDestroy_v2").ends;
  ASSERT_NE(context, nullptr);
  EXPECT_EQ(context->kind, api::ObjectKind::Context);
  EXPECT_EQ(context->handle, "ctx");
  EXPECT_EQ(function("cuCtxDestroy").ends, context);
  EXPECT_EQ(function("cuCtxCreate").ends, nullptr);
}

TEST(Descriptions, kinds_know_the_type_of_their_handles) {
  const auto type_of = [](api::ObjectKind kind) {
    return api::objects()[static_cast<std::size_t>(kind)].handle_type;
  };
  EXPECT_EQ(api::objects().size(), api::kObjectKinds);
  EXPECT_EQ(type_of(api::ObjectKind::None), "");
  EXPECT_EQ(type_of(api::ObjectKind::Module), "CUmodule");
  EXPECT_EQ(type_of(api::ObjectKind::Global), "") << "known by its address";
  EXPECT_EQ(type_of(api::ObjectKind::GreenContext), "CUgreenCtx");
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
