// SPDX-License-Identifier: MIT
// See lab/object_names.hpp and lab/object.hpp: all words for the kinds of objects, in one table.
#include "lab/object_names.hpp"

#include <iterator>

#include <fmt/format.h>

namespace lab {
namespace {

using K = ObjectKind;
struct KindWords {
  ObjectKind kind;
  std::string_view prefix;  // of its names: "M1"
  bool has_own_name;        // it has the name that the program gives it
  Text word;
};
// A letter for frequent kinds, a word for rare ones. Contexts have letters without numbers, and primary
// contexts P with a number, so none of these names looks like that of a context.
constexpr KindWords kWords[] = {
    {K::None, "", false, Text::ObjectContext},
    {K::Context, "", false, Text::ObjectContext},
    {K::Thread, "", false, Text::ObjectThread},
    {K::Device, "", false, Text::ObjectDevice},
    {K::Allocation, "#", false, Text::ObjectAllocation},
    {K::Module, "M", false, Text::ObjectModule},
    {K::Function, "Kernel", true, Text::ObjectFunction},
    {K::Global, "Variable", true, Text::ObjectGlobal},
    {K::Library, "L", false, Text::ObjectLibrary},
    {K::Kernel, "Kernel", true, Text::ObjectKernel},
    {K::ManagedVariable, "Variable", true, Text::ObjectManagedVariable},
    {K::Stream, "S", false, Text::ObjectStream},
    {K::Event, "E", false, Text::ObjectEvent},
    {K::Graph, "G", false, Text::ObjectGraph},
    {K::GraphExec, "X", false, Text::ObjectGraphExec},
    {K::MemoryPool, "Pool", false, Text::ObjectMemoryPool},
    {K::Array, "Array", false, Text::ObjectArray},
    {K::MipmappedArray, "Mipmap", false, Text::ObjectArray},
    {K::TextureObject, "Tex", false, Text::ObjectTexture},
    {K::SurfaceObject, "Surf", false, Text::ObjectSurface},
    {K::TextureReference, "TexRef", true, Text::ObjectTexture},
    {K::SurfaceReference, "SurfRef", true, Text::ObjectSurface},
    {K::LinkState, "Link", false, Text::ObjectLinkState},
    {K::AddressRange, "Range", false, Text::ObjectAddressRange},
    {K::PhysicalMemory, "Phys", false, Text::ObjectPhysicalMemory},
    {K::ExternalMemory, "ExtMem", false, Text::ObjectExternal},
    {K::ExternalSemaphore, "ExtSem", false, Text::ObjectExternal},
    {K::GreenContext, "Green", false, Text::ObjectGreenContext},
};
consteval bool each_kind_has_its_row() {
  for (std::size_t i = 0; i < std::size(kWords); ++i)
    if (static_cast<std::size_t>(kWords[i].kind) != i) return false;
  return std::size(kWords) == kObjectKinds;
}
static_assert(each_kind_has_its_row());

constexpr const KindWords& words_of(ObjectKind kind) {
  const auto row = static_cast<std::size_t>(kind);
  return kWords[row < kObjectKinds ? row : 0];
}

}  // namespace

bool has_own_name(ObjectKind kind) {
  return words_of(kind).has_own_name;
}

std::string object_name(ObjectId id) {
  return fmt::format("{}{}", words_of(id.kind).prefix, id.number);
}

std::string object_name(const Object& object) {
  if (!has_own_name(object.id.kind) || object.label_text().empty()) return object_name(object.id);
  if (!object.owner) return std::string(object.label_text());
  return fmt::format("{}.{}", object_name(object.owner), object.label_text());
}

Text object_word(ObjectKind kind) {
  return words_of(kind).word;
}

Text memory_word(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::Device:
      break;
    case MemoryKind::Host:
      return Text::PictureKindHost;
    case MemoryKind::Managed:
      return Text::PictureKindManaged;
    case MemoryKind::Registered:
      return Text::PictureKindRegistered;
    case MemoryKind::Pooled:
      return Text::PictureKindPooled;
    case MemoryKind::Mapped:
      return Text::PictureKindMapped;
    case MemoryKind::Imported:
      return Text::PictureKindImported;
  }
  return Text::PictureKindDevice;
}

}  // namespace lab
