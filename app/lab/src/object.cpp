// SPDX-License-Identifier: MIT
// See lab/object.hpp: what objects are called ("S1"), and which kind of object each handle type of the API
// stands for.
#include "lab/object.hpp"

#include <unordered_map>

#include <fmt/format.h>

namespace lab {
namespace {

// Letters where there are many, words where there are few. Contexts have letters without numbers and
// primaries P with one, so none of these can be taken for a context.
constexpr std::string_view prefix_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::Allocation:
      return "#";
    case ObjectKind::Module:
      return "M";
    case ObjectKind::Library:
      return "L";
    case ObjectKind::Stream:
      return "S";
    case ObjectKind::Event:
      return "E";
    case ObjectKind::Graph:
      return "G";
    case ObjectKind::GraphExec:
      return "X";
    case ObjectKind::MemoryPool:
      return "Pool";
    case ObjectKind::Array:
      return "Array";
    case ObjectKind::MipmappedArray:
      return "Mipmap";
    case ObjectKind::TextureObject:
      return "Tex";
    case ObjectKind::SurfaceObject:
      return "Surf";
    case ObjectKind::TextureReference:
      return "TexRef";
    case ObjectKind::SurfaceReference:
      return "SurfRef";
    case ObjectKind::LinkState:
      return "Link";
    case ObjectKind::AddressRange:
      return "Range";
    case ObjectKind::PhysicalMemory:
      return "Phys";
    case ObjectKind::ExternalMemory:
      return "ExtMem";
    case ObjectKind::ExternalSemaphore:
      return "ExtSem";
    case ObjectKind::GreenContext:
      return "Green";
    case ObjectKind::Function:
    case ObjectKind::Kernel:
      return "Kernel";
    case ObjectKind::Global:
    case ObjectKind::ManagedVariable:
      return "Variable";
    case ObjectKind::None:
    case ObjectKind::Context:
    case ObjectKind::Thread:
    case ObjectKind::Device:
      break;
  }
  return "";
}

bool has_own_name(ObjectKind kind) {
  return kind == ObjectKind::Function || kind == ObjectKind::Kernel || kind == ObjectKind::Global ||
         kind == ObjectKind::ManagedVariable || kind == ObjectKind::TextureReference ||
         kind == ObjectKind::SurfaceReference;
}

}  // namespace

bool Object::operator==(const Object& other) const {
  return id == other.id && serial == other.serial && handle == other.handle && size == other.size &&
         context == other.context && device == other.device && owner == other.owner &&
         references == other.references && given == other.given && created_at == other.created_at &&
         label_text() == other.label_text();
}

std::string object_name(ObjectId id) {
  return fmt::format("{}{}", prefix_of(id.kind), id.number);
}

std::string object_name(const Object& object) {
  if (!has_own_name(object.id.kind) || object.label_text().empty()) return object_name(object.id);
  if (!object.owner) return std::string(object.label_text());
  return fmt::format("{}.{}", object_name(object.owner), object.label_text());
}

ObjectKind kind_of_handle(std::string_view type) {
  static const std::unordered_map<std::string_view, ObjectKind> kinds = {
      {"CUcontext", ObjectKind::Context},
      {"CUmodule", ObjectKind::Module},
      {"CUfunction", ObjectKind::Function},
      {"CUlibrary", ObjectKind::Library},
      {"CUkernel", ObjectKind::Kernel},
      {"CUstream", ObjectKind::Stream},
      {"CUevent", ObjectKind::Event},
      {"CUgraph", ObjectKind::Graph},
      {"CUgraphExec", ObjectKind::GraphExec},
      {"CUmemoryPool", ObjectKind::MemoryPool},
      {"CUarray", ObjectKind::Array},
      {"CUmipmappedArray", ObjectKind::MipmappedArray},
      {"CUtexObject", ObjectKind::TextureObject},
      {"CUsurfObject", ObjectKind::SurfaceObject},
      {"CUtexref", ObjectKind::TextureReference},
      {"CUsurfref", ObjectKind::SurfaceReference},
      {"CUlinkState", ObjectKind::LinkState},
      {"CUmemGenericAllocationHandle", ObjectKind::PhysicalMemory},
      {"CUexternalMemory", ObjectKind::ExternalMemory},
      {"CUexternalSemaphore", ObjectKind::ExternalSemaphore},
      {"CUgreenCtx", ObjectKind::GreenContext},
  };
  while (type.ends_with('*') || type.ends_with(' ')) type.remove_suffix(1);
  const auto found = kinds.find(type);
  return found == kinds.end() ? ObjectKind::None : found->second;
}

bool must_be_destroyed(const Object& object) {
  return !object.given;
}

}  // namespace lab
