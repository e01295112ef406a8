// SPDX-License-Identifier: MIT
// See lab/copy.hpp.
#include "lab/copy.hpp"

#include <string>

namespace lab {
namespace {

using CopySide = CopyEnd::Side;

struct Named {
  std::string_view argument;
  CopySide side;
};
constexpr Named kSources[] = {{"srcHost", CopySide::Host},
                              {"srcDevice", CopySide::Device},
                              {"srcArray", CopySide::Array},
                              {"src", CopySide::Any}};
constexpr Named kTargets[] = {{"dstHost", CopySide::Host},
                              {"dstDevice", CopySide::Device},
                              {"dstArray", CopySide::Array},
                              {"dst", CopySide::Any}};

template <std::size_t count>
std::optional<CopyEnd> flat_end(const trace::Event& call, const Named (&names)[count], std::uint64_t bytes) {
  for (const Named& name : names)
    if (const trace::Argument* argument = call.argument(name.argument))
      return CopyEnd{name.side, argument->word, bytes};
  return std::nullopt;
}

struct Shape {
  std::uint64_t width = 0, height = 1, depth = 1;
};

// One side of a struct: "src" or "dst".
std::optional<CopyEnd> shaped_end(const trace::Argument& copy, const std::string& side, const Shape& shape) {
  const auto number = [&](const char* field) { return copy.field_number(side + field).value_or(0); };
  const std::string_view type = copy.field(side + "MemoryType");
  if (type == "CU_MEMORYTYPE_ARRAY") return CopyEnd{CopySide::Array, number("Array"), 0};
  const bool host = type == "CU_MEMORYTYPE_HOST";
  if (!host && type != "CU_MEMORYTYPE_DEVICE" && type != "CU_MEMORYTYPE_UNIFIED") return std::nullopt;
  const std::uint64_t base = number(host ? "Host" : "Device");
  if (base == 0) return std::nullopt;
  const std::uint64_t given = number("Pitch"), rows = number("Height");
  const std::uint64_t pitch = given == 0 ? shape.width : given,
                      slice = pitch * (rows == 0 ? shape.height : rows);
  CopyEnd end{host                             ? CopySide::Host
              : type == "CU_MEMORYTYPE_DEVICE" ? CopySide::Device
                                               : CopySide::Any,
              base, 0};
  end.address += number("XInBytes") + number("Y") * pitch + number("Z") * slice;
  end.span = (shape.depth - 1) * slice + (shape.height - 1) * pitch + shape.width;
  return end;
}

std::optional<Copied> shaped_copy(const trace::Argument& copy) {
  Shape shape;
  const auto width = copy.field_number("WidthInBytes");
  if (!width) return std::nullopt;
  shape.width = *width;
  shape.height = copy.field_number("Height").value_or(1);
  shape.depth = copy.field_number("Depth").value_or(1);
  if (shape.width == 0 || shape.height == 0 || shape.depth == 0) return std::nullopt;
  const auto from = shaped_end(copy, "src", shape), to = shaped_end(copy, "dst", shape);
  if (!from || !to) return std::nullopt;
  return Copied{*from, *to, shape.width * shape.height * shape.depth};
}

}  // namespace

std::optional<Copied> copy_of(const trace::Event& call) {
  if (call.kind != trace::EventKind::Call) return std::nullopt;
  if (call.layer() != trace::Layer::Driver) return std::nullopt;
  if (const trace::Argument* shape = call.argument("pCopy"))
    return shape->kind == trace::ValueKind::Struct ? shaped_copy(*shape) : std::nullopt;
  const trace::Argument* const count = call.argument("ByteCount");
  if (count == nullptr) return std::nullopt;
  const auto from = flat_end(call, kSources, count->word), to = flat_end(call, kTargets, count->word);
  if (!from || !to) return std::nullopt;
  return Copied{*from, *to, count->word};
}

}  // namespace lab
