// SPDX-License-Identifier: MIT
// From words and bytes to readable arguments, with the real description of the API.
#include <gtest/gtest.h>

#include <cstring>

#include "api/descriptions.hpp"
#include "raw_call.hpp"

namespace trace::test {
namespace {

std::uint32_t index_of(std::string_view symbol) {
  const auto functions = api::functions();
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].symbol == symbol) return static_cast<std::uint32_t>(i);
  }
  ADD_FAILURE() << symbol << " is not described";
  return 0;
}

template <class T>
SideData side(unsigned parameter, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  return {static_cast<std::uint8_t>(parameter), static_cast<std::uint32_t>(bytes.size()), bytes};
}

SideData side(unsigned parameter, std::string_view text, std::uint32_t true_bytes) {
  return {static_cast<std::uint8_t>(parameter), true_bytes, std::as_bytes(std::span(text))};
}

Event decode(const RawCall& call) {
  Event event;
  decode_frame(call, event);
  decode_call(call, event);
  return event;
}

TEST(Decode, names_flags_and_keeps_unknown_bits) {
  RawCall call;
  call.function = index_of("cuCtxCreate_v2");
  call.words = {0x7ffc0000, 0x8, 1};
  EXPECT_EQ(decode(call).arguments.at(1).text, "CU_CTX_MAP_HOST");
  call.words[1] = 0x4 | 0x8;
  EXPECT_EQ(decode(call).arguments.at(1).text, "CU_CTX_SCHED_BLOCKING_SYNC | CU_CTX_MAP_HOST");
  call.words[1] = 0x8 | 0x40000000;
  EXPECT_EQ(decode(call).arguments.at(1).text, "CU_CTX_MAP_HOST | 0x40000000");
}

TEST(Decode, an_enumerator_without_a_name_is_its_number) {
  RawCall call;
  call.function = index_of("cuDeviceGetAttribute");
  call.words = {0x7ffc0000, 75, 0};
  EXPECT_EQ(decode(call).arguments.at(1).text, "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR");
  call.words[1] = 99999;
  EXPECT_EQ(decode(call).arguments.at(1).text, "99999");
}

TEST(Decode, a_signed_output_keeps_its_sign) {
  RawCall call;
  call.function = index_of("cuDeviceGetAttribute");
  call.words = {0x7ffc0000, 1, 0};
  const std::int32_t value = -5;
  call.after = {side(0, value)};
  const Event event = decode(call);
  EXPECT_EQ(event.arguments.at(0).kind, ValueKind::Signed);
  EXPECT_EQ(static_cast<std::int64_t>(event.arguments.at(0).out.value()), -5);
  EXPECT_EQ(event.arguments.at(0).word, 0x7ffc0000u);
}

// cuda.h: "If the caller calls this function with *value equal to NULL, the size of the memory region (in
// bytes) expected … will be placed in size."
TEST(Decode, a_setting_of_a_core_dump_tells_its_size) {
  const std::uint64_t before = 0, after = 1;
  RawCall call;
  call.function = index_of("cuCoredumpSetAttribute");
  call.words = {1, 0, 0x7ffc0000};
  call.before = {side(2, before)};
  call.after = {side(2, after)};
  const Event event = decode(call);
  EXPECT_EQ(event.arguments.at(0).text, "CU_COREDUMP_ENABLE_ON_EXCEPTION");
  EXPECT_TRUE(event.arguments.at(1).null);
  EXPECT_EQ(event.arguments.at(2).role, Role::InOut);
  EXPECT_EQ(event.arguments.at(2).out, 1u);
}

// cuda.h: nbGroups is "overwritten with the amount actually created"; the groups are in the array.
TEST(Decode, groups_of_multiprocessors_are_as_many_as_were_made) {
  const std::uint32_t asked = 3, made = 2;
  RawCall call;
  call.function = index_of("cuDevSmResourceSplitByCount");
  call.words = {0x7ffc0000, 0x7ffc1000, 0x7ffc2000, 0, 0, 16};
  call.before = {side(1, asked)};
  call.after = {side(1, made)};
  const Event event = decode(call);
  EXPECT_EQ(event.arguments.at(0).kind, ValueKind::Array);
  EXPECT_EQ(event.arguments.at(1).out, 2u);
  EXPECT_TRUE(event.arguments.at(3).null);
  EXPECT_EQ(event.arguments.at(5).word, 16u);
}

TEST(Decode, a_texture_reference_s_address_mode_has_its_name) {
  RawCall call;
  call.function = index_of("cuTexRefSetAddressMode");
  call.words = {0x10, 1, 2};
  EXPECT_EQ(decode(call).arguments.at(0).handle_type, "CUtexref");
  EXPECT_EQ(decode(call).arguments.at(2).text, "CU_TR_ADDRESS_MODE_MIRROR");
}

TEST(Decode, spells_structs_out) {
  struct CreateParams {
    std::uint64_t affinity = 0;
    std::int32_t count = 3;
    std::uint64_t cig = 0;
  } params;
  RawCall call;
  call.function = index_of("cuCtxCreate_v4");
  call.words = {0x7ffc0000, 0x7ffc0100, 0, 0};
  call.before = {side(1, params)};
  const Argument argument = decode(call).arguments.at(1);
  EXPECT_EQ(argument.kind, ValueKind::Struct);
  EXPECT_EQ(argument.text, "{execAffinityParams=null, numExecAffinityParams=3, cigParams=null}");
}

TEST(Decode, spells_a_struct_that_was_passed_by_value) {
  RawCall call;
  call.function = index_of("cuMemPrefetchAsync_v2");
  call.words = {0x700000000000, 4096, 1 | std::uint64_t{2} << 32, 0, 0};  // device 2
  EXPECT_EQ(decode(call).arguments.at(2).text, "{type=CU_MEM_LOCATION_TYPE_DEVICE, id=2}");
}

TEST(Decode, does_not_spell_what_only_fills_a_struct) {
  struct Resource {
    std::uint32_t type = 1;
    std::uint8_t filling[92] = {7};
    std::uint32_t count = 16, least = 8, alignment = 8;
    std::uint8_t more_filling[36] = {};
  } resource;
  RawCall call;
  call.function = index_of("cuDeviceGetDevResource");
  call.words = {0, 0x7ffc0000, 1};
  call.after = {side(1, resource)};
  EXPECT_EQ(
      decode(call).arguments.at(1).text,
      "{type=CU_DEV_RESOURCE_TYPE_SM, sm={smCount=16, minSmPartitionSize=8, smCoscheduledAlignment=8}}");
}

TEST(Decode, fields_of_a_struct_are_found_by_their_names) {
  Argument copy;
  copy.text =
      "{srcY=0, dstDevice=0x7f10, srcHost=null, sizes=[{Height=9}, 2], dstMemoryType=CU_MEMORYTYPE_DEVICE, "
      "Height=4}";
  EXPECT_EQ(copy.field_number("dstDevice"), 0x7f10u);
  EXPECT_EQ(copy.field_number("srcHost"), 0u);
  EXPECT_EQ(copy.field_number("Height"), 4u) << "not that of another struct";
  EXPECT_EQ(copy.field("dstMemoryType"), "CU_MEMORYTYPE_DEVICE");
  EXPECT_EQ(copy.field_number("dstMemoryType"), std::nullopt);
  EXPECT_EQ(copy.field("sizes"), "[{Height=9}, 2]");
  EXPECT_EQ(copy.field("Y"), "");
  EXPECT_EQ(copy.field_number("Y"), std::nullopt);
}

TEST(Decode, a_field_of_a_struct_in_a_struct_has_both_names) {
  Argument properties;
  properties.text = "{type=PINNED, location={type=DEVICE, id=2}, allocFlags.usage=3}";
  EXPECT_EQ(properties.field("type"), "PINNED");
  EXPECT_EQ(properties.field("location.type"), "DEVICE");
  EXPECT_EQ(properties.field_number("location.id"), 2u);
  EXPECT_EQ(properties.field_number("allocFlags.usage"), 3u);
  EXPECT_EQ(properties.field("location.x"), "");
  EXPECT_EQ(properties.field("type.id"), "");
}

TEST(Decode, a_text_of_another_form_has_no_fields) {
  for (const char* const text :
       {"", "Height=4", "{", "{Height", "{=", "{…}", "[Height=4]", "{a=1;Height=4}", "{a={b=1, Height=4"}) {
    Argument argument;
    argument.text = text;
    EXPECT_EQ(argument.field("Height"), "") << text;
  }
  Argument cut;
  cut.text = "{Height=4";
  EXPECT_EQ(cut.field_number("Height"), 4u);
}

TEST(Decode, a_null_pointer_is_not_an_empty_value) {
  RawCall call;
  call.function = index_of("cuCtxCreate_v4");
  call.words = {0, 0, 0, 0};
  const Event event = decode(call);
  EXPECT_TRUE(event.arguments.at(0).null);
  EXPECT_TRUE(event.arguments.at(1).null);
  EXPECT_EQ(event.arguments.at(1).text, "");
  EXPECT_FALSE(event.arguments.at(2).null);  // flags 0
}

TEST(Decode, texts_end_at_their_zero_and_show_where_they_were_cut) {
  RawCall call;
  call.function = index_of("cuModuleGetFunction");
  call.words = {1, 2, 3};
  call.before = {side(2, "saxpy", 5)};
  EXPECT_EQ(decode(call).arguments.at(2).text, "saxpy");
  call.before = {side(2, "saxpy", 5000)};
  EXPECT_EQ(decode(call).arguments.at(2).text, "saxpy…");
}

TEST(Decode, results_have_names_and_texts) {
  EXPECT_EQ(result_name(0), "CUDA_SUCCESS");
  EXPECT_EQ(result_name(201), "CUDA_ERROR_INVALID_CONTEXT");
  EXPECT_EQ(result_string(201), "invalid device context");
  EXPECT_EQ(result_name(123456), "");
}

TEST(Decode, nonsense_is_still_an_event) {
  RawCall call;
  call.function = 60000;
  EXPECT_EQ(decode(call).name, "function 60000");
  for (std::uint32_t function = 0; function < api::functions().size(); ++function) {
    call = {};
    call.function = function;
    call.words.assign(200, ~std::uint64_t{0});
    const std::uint8_t one = 0xff;
    for (unsigned i = 0; i < 20; ++i) {
      call.before.push_back(side(i, one));  // shorter than anything expected
      call.after.push_back(side(i, one));
    }
    EXPECT_EQ(decode(call).arguments.size(), api::functions()[function].parameters.size());
    call.words.clear();
    call.before.clear();
    EXPECT_EQ(decode(call).symbol, api::functions()[function].symbol);
  }
}

}  // namespace
}  // namespace trace::test
