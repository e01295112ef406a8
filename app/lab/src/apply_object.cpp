// SPDX-License-Identifier: MIT
// Objects that a call makes or ends by a handle: modules, streams, events, graphs, pools, arrays and more.
// The two tables are all there is to know about most of them; what libraries do is in apply_library.cpp.
//
// What belongs to a context dies with it (scenarios module, streams_events); graphs, pools, physical memory
// and address ranges belong to the process.
#include "apply.hpp"

namespace lab {
namespace {

// With what an object dies.
enum class Belongs : std::uint8_t {
  ToCurrent,   // the context on top of the calling thread's stack
  ToOwner,     // the object in `owner`: it goes with that and is not the program's to destroy
  ToProcess,   // nobody
  ToTheDriver  // it was there before, and stays
};

struct Maker {
  std::string_view call;
  std::string_view out;
  ObjectKind kind = ObjectKind::None;
  Belongs belongs = Belongs::ToProcess;
  std::string_view owner = {};  // argument with the handle of what it comes from
  ObjectKind owner_kind = ObjectKind::None;
  std::string_view label = {};  // argument with its name or file
  std::string_view size = {};   // argument with its bytes
};

using enum Belongs;
using K = ObjectKind;
constexpr Maker kMakers[] = {
    {"cuModuleLoad", "module", K::Module, ToCurrent, {}, K::None, "fname"},
    {"cuModuleLoadData", "module", K::Module, ToCurrent},
    {"cuModuleLoadDataEx", "module", K::Module, ToCurrent},
    {"cuModuleLoadFatBinary", "module", K::Module, ToCurrent},
    {"cuModuleGetFunction", "hfunc", K::Function, ToOwner, "hmod", K::Module, "name"},
    {"cuModuleGetGlobal", "dptr", K::Global, ToOwner, "hmod", K::Module, "name", "bytes"},
    {"cuModuleGetTexRef", "pTexRef", K::TextureReference, ToOwner, "hmod", K::Module, "name"},
    {"cuModuleGetSurfRef", "pSurfRef", K::SurfaceReference, ToOwner, "hmod", K::Module, "name"},
    {"cuTexRefCreate", "pTexRef", K::TextureReference, ToCurrent},
    {"cuLibraryLoadData", "library", K::Library, ToProcess},
    {"cuLibraryLoadFromFile", "library", K::Library, ToProcess, {}, K::None, "fileName"},
    {"cuLibraryGetKernel", "pKernel", K::Kernel, ToOwner, "library", K::Library, "name"},
    {"cuLibraryGetManaged", "dptr", K::ManagedVariable, ToOwner, "library", K::Library, "name", "bytes"},
    {"cuLinkCreate", "stateOut", K::LinkState, ToCurrent},
    {"cuStreamCreate", "phStream", K::Stream, ToCurrent},
    {"cuStreamCreateWithPriority", "phStream", K::Stream, ToCurrent},
    {"cuGreenCtxStreamCreate", "phStream", K::Stream, ToCurrent, "greenCtx", K::GreenContext},
    {"cuEventCreate", "phEvent", K::Event, ToCurrent},
    {"cuIpcOpenEventHandle", "phEvent", K::Event, ToCurrent},
    {"cuGraphCreate", "phGraph", K::Graph, ToProcess},
    {"cuGraphClone", "phGraphClone", K::Graph, ToProcess, "originalGraph", K::Graph},
    {"cuStreamEndCapture", "phGraph", K::Graph, ToProcess},
    {"cuGraphInstantiate", "phGraphExec", K::GraphExec, ToProcess, "hGraph", K::Graph},
    {"cuGraphInstantiateWithFlags", "phGraphExec", K::GraphExec, ToProcess, "hGraph", K::Graph},
    {"cuGraphInstantiateWithParams", "phGraphExec", K::GraphExec, ToProcess, "hGraph", K::Graph},
    {"cuMemPoolCreate", "pool", K::MemoryPool, ToProcess},
    {"cuMemPoolImportFromShareableHandle", "pool_out", K::MemoryPool, ToProcess},
    {"cuDeviceGetDefaultMemPool", "pool_out", K::MemoryPool, ToTheDriver},
    {"cuDeviceGetMemPool", "pool", K::MemoryPool, ToTheDriver},
    {"cuMemGetDefaultMemPool", "pool_out", K::MemoryPool, ToTheDriver},
    {"cuMemGetMemPool", "pool", K::MemoryPool, ToTheDriver},
    {"cuArrayCreate", "pHandle", K::Array, ToCurrent},
    {"cuArray3DCreate", "pHandle", K::Array, ToCurrent},
    {"cuMipmappedArrayCreate", "pHandle", K::MipmappedArray, ToCurrent},
    {"cuTexObjectCreate", "pTexObject", K::TextureObject, ToCurrent},
    {"cuSurfObjectCreate", "pSurfObject", K::SurfaceObject, ToCurrent},
    {"cuMemAddressReserve", "ptr", K::AddressRange, ToProcess, {}, K::None, {}, "size"},
    {"cuMemCreate", "handle", K::PhysicalMemory, ToProcess, {}, K::None, {}, "size"},
    {"cuMemImportFromShareableHandle", "handle", K::PhysicalMemory, ToProcess},
    {"cuImportExternalMemory", "extMem_out", K::ExternalMemory, ToCurrent},
    {"cuImportExternalSemaphore", "extSem_out", K::ExternalSemaphore, ToCurrent},
    {"cuGreenCtxCreate", "phCtx", K::GreenContext, ToProcess},
};

struct Ender {
  std::string_view call;
  std::string_view handle;
  ObjectKind kind;
};
constexpr Ender kEnders[] = {
    {"cuModuleUnload", "hmod", K::Module},
    {"cuTexRefDestroy", "hTexRef", K::TextureReference},
    {"cuLibraryUnload", "library", K::Library},
    {"cuLinkDestroy", "state", K::LinkState},
    {"cuStreamDestroy", "hStream", K::Stream},
    {"cuEventDestroy", "hEvent", K::Event},
    {"cuGraphDestroy", "hGraph", K::Graph},
    {"cuGraphExecDestroy", "hGraphExec", K::GraphExec},
    {"cuMemPoolDestroy", "pool", K::MemoryPool},
    {"cuArrayDestroy", "hArray", K::Array},
    {"cuMipmappedArrayDestroy", "hMipmappedArray", K::MipmappedArray},
    {"cuTexObjectDestroy", "texObject", K::TextureObject},
    {"cuSurfObjectDestroy", "surfObject", K::SurfaceObject},
    {"cuMemAddressFree", "ptr", K::AddressRange},
    {"cuMemRelease", "handle", K::PhysicalMemory},
    {"cuDestroyExternalMemory", "extMem", K::ExternalMemory},
    {"cuDestroyExternalSemaphore", "extSem", K::ExternalSemaphore},
    {"cuGreenCtxDestroy", "hCtx", K::GreenContext},
};

std::uint64_t bytes_of(const Step& step, std::string_view name) {
  const trace::Argument* argument = name.empty() ? nullptr : step.argument(name);
  if (argument == nullptr) return 0;
  return argument->role == trace::Role::In ? argument->word : argument->out.value_or(0);
}

std::uint32_t device_of(const Step& step) {
  if (const trace::Argument* device = step.argument("dev")) return static_cast<std::uint32_t>(device->word);
  for (const std::string_view properties : {"prop", "poolProps", "location"})
    if (const trace::Argument* found = step.argument(properties))
      return location_in(found->text).value_or(kNone);
  return kNone;
}

void make(Step& step, const Maker& maker) {
  const auto handle = step.written(maker.out);
  if (!handle || *handle == 0) return;
  Object object;
  object.id.kind = maker.kind;
  object.handle = *handle;
  object.size = bytes_of(step, maker.size);
  object.device = device_of(step);
  object.given = maker.belongs == ToOwner || maker.belongs == ToTheDriver;
  if (maker.belongs == ToCurrent) object.context = step.top();
  if (const auto owner = step.ledger.object_of(maker.owner_kind, step.passed(maker.owner))) {
    object.owner = owner->id;
    if (maker.belongs == ToOwner) object.context = owner->context;
  }
  const trace::Argument* label = maker.label.empty() ? nullptr : step.argument(maker.label);
  if (label && !label->text.empty()) object.label = std::make_shared<const std::string>(label->text);
  // What is only handed out may be handed out again; it is the same as long as nobody ended it.
  if (object.given)
    if (const auto old = step.ledger.object_of(maker.kind, *handle);
        old && (!object.owner || !old->owner || old->owner == object.owner))
      return;
  step.add(std::move(object));
}

void end(Step& step, const Ender& ender) {
  const auto found = step.ledger.object_of(ender.kind, step.passed(ender.handle));
  if (!found) return;
  if (found->references > 1) {
    Object now = *found;
    --now.references;
    step.ledger.change(now);
    step.note(Change::Kind::ObjectChanged, now);
    return;
  }
  step.end(found->id);
}

}  // namespace

ObjectId Step::add(Object object) {
  if (object.handle != 0)
    if (const auto old = ledger.object_of(object.id.kind, object.handle)) end(old->id);
  object.id.number = ++state.kinds_made[static_cast<std::size_t>(object.id.kind)];
  object.serial = ++state.objects_made;
  object.created_at = event.seq;
  ledger.add(object);
  note(Change::Kind::ObjectCreated, object);
  return object.id;
}

void Step::end(ObjectId id) {
  const auto object = ledger.object(id);
  if (!object) return;
  for (const ObjectId given : ledger.given_by(id)) end(given);
  ledger.end(id);
  note(Change::Kind::ObjectEnded, *object);
}

std::vector<Rule> object_rules() {
  std::vector<Rule> rules;
  for (const Maker& maker : kMakers)
    rules.push_back({maker.call, [&maker](Step& step) { make(step, maker); }});
  for (const Ender& ender : kEnders)
    rules.push_back({ender.call, [&ender](Step& step) { end(step, ender); }});
  return rules;
}

}  // namespace lab
