// SPDX-License-Identifier: MIT
// The layouts that the description computes, against those that the compiler gives cuda.h's structs.
//
// The tracer's reader takes structs apart by these offsets without ever seeing cuda.h, so they have to be
// right for every field there is. The lists are generated; the compiler gives the real values.
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cudaProfiler.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "api/descriptions.hpp"

namespace {

struct Expected {
  std::string_view owner, name;
  std::int64_t value;
  std::size_t bytes;
};

constexpr Expected structs[] = {
#define STRUCT(type) {#type, "", 0, sizeof(type)},
#define FIELD(type, field)
#define ENUMERATOR(type, name)
#include "generated/layout.inc"
#undef STRUCT
#undef FIELD
#undef ENUMERATOR
};

const Expected fields[] = {
#define STRUCT(type)
#define FIELD(type, field) {#type, #field, offsetof(type, field), sizeof(std::declval<type&>().field)},
#define ENUMERATOR(type, name)
#include "generated/layout.inc"
#undef STRUCT
#undef FIELD
#undef ENUMERATOR
};

constexpr Expected enumerators[] = {
#define STRUCT(type)
#define FIELD(type, field)
#define ENUMERATOR(type, name) {#type, #name, static_cast<std::int64_t>(name), 0},
#include "generated/layout.inc"
#undef STRUCT
#undef FIELD
#undef ENUMERATOR
};

const api::StructDescription* find_struct(std::string_view name) {
  for (const api::StructDescription& one : api::structs())
    if (one.name == name) return &one;
  return nullptr;
}

TEST(Layout, every_struct_has_the_size_that_the_compiler_gives_it) {
  for (const Expected& one : structs) {
    const api::StructDescription* const found = find_struct(one.owner);
    ASSERT_NE(found, nullptr) << one.owner;
    EXPECT_EQ(found->bytes, one.bytes) << one.owner;
  }
}

TEST(Layout, every_field_lies_where_the_compiler_puts_it) {
  for (const Expected& one : fields) {
    const api::StructDescription* const found = find_struct(one.owner);
    ASSERT_NE(found, nullptr) << one.owner;
    bool seen = false;
    for (const api::FieldDescription& field : found->fields) {
      if (field.name != one.name) continue;
      seen = true;
      EXPECT_EQ(field.offset, one.value) << one.owner << "." << one.name;
      EXPECT_EQ(field.type.bytes * std::max(field.count, 1u), one.bytes) << one.owner << "." << one.name;
    }
    EXPECT_TRUE(seen) << one.owner << "." << one.name;
  }
}

TEST(Layout, every_enumerator_has_the_value_that_the_compiler_gives_it) {
  for (const Expected& one : enumerators) {
    const api::EnumDescription* const found = api::find_enum(one.owner);
    ASSERT_NE(found, nullptr) << one.owner;
    bool seen = false;
    for (const api::EnumeratorDescription& enumerator : found->enumerators) {
      if (enumerator.name != one.name) continue;
      seen = true;
      EXPECT_EQ(enumerator.value, one.value) << one.name;
    }
    EXPECT_TRUE(seen) << one.name;
  }
}

}  // namespace
