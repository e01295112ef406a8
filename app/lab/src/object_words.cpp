// SPDX-License-Identifier: MIT
// See lab/object_words.hpp. The switches have no default, so a new kind without a word does not compile.
#include "lab/object_words.hpp"

namespace lab {

Text object_word(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::None:
    case ObjectKind::Context:
      return Text::ObjectContext;
    case ObjectKind::Thread:
      return Text::ObjectThread;
    case ObjectKind::Device:
      return Text::ObjectDevice;
    case ObjectKind::Allocation:
      return Text::ObjectAllocation;
    case ObjectKind::Module:
      return Text::ObjectModule;
    case ObjectKind::Function:
      return Text::ObjectFunction;
    case ObjectKind::Global:
      return Text::ObjectGlobal;
    case ObjectKind::Library:
      return Text::ObjectLibrary;
    case ObjectKind::Kernel:
      return Text::ObjectKernel;
    case ObjectKind::ManagedVariable:
      return Text::ObjectManagedVariable;
    case ObjectKind::Stream:
      return Text::ObjectStream;
    case ObjectKind::Event:
      return Text::ObjectEvent;
    case ObjectKind::Graph:
      return Text::ObjectGraph;
    case ObjectKind::GraphExec:
      return Text::ObjectGraphExec;
    case ObjectKind::MemoryPool:
      return Text::ObjectMemoryPool;
    case ObjectKind::Array:
    case ObjectKind::MipmappedArray:
      return Text::ObjectArray;
    case ObjectKind::TextureObject:
    case ObjectKind::TextureReference:
      return Text::ObjectTexture;
    case ObjectKind::SurfaceObject:
    case ObjectKind::SurfaceReference:
      return Text::ObjectSurface;
    case ObjectKind::LinkState:
      return Text::ObjectLinkState;
    case ObjectKind::AddressRange:
      return Text::ObjectAddressRange;
    case ObjectKind::PhysicalMemory:
      return Text::ObjectPhysicalMemory;
    case ObjectKind::ExternalMemory:
    case ObjectKind::ExternalSemaphore:
      return Text::ObjectExternal;
    case ObjectKind::GreenContext:
      return Text::ObjectGreenContext;
  }
  return Text::ObjectContext;
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
