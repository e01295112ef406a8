// SPDX-License-Identifier: MIT
// What libraries do to contexts, and what the program learns about objects whose creation was not recorded.
//
// A library belongs to the process; each context that uses it has a copy of its own, loaded when first needed
// (scenarios library, two_library). The copy is a module like any other: it has functions, and globals that
// only this context has. It ends with the context or with the library.
#include "model/apply.hpp"

namespace lab {
namespace {

// The library's copy in this context; loads it where there is none yet.
std::optional<Object> copy_of(Step& step, ObjectId library, std::uint32_t context) {
  if (!library || context == kNone) return std::nullopt;
  for (const ObjectId id : step.ledger.given_by(library)) {
    if (id.kind != ObjectKind::Module) continue;
    if (const auto copy = step.ledger.object(id); copy && copy->context == context) return copy;
  }
  Object copy;
  copy.id.kind = ObjectKind::Module;
  copy.context = context;
  copy.owner = library;
  copy.given = true;
  return step.ledger.object(step.add(copy));
}

void get_module(Step& step) {
  const auto library = step.ledger.object_of(ObjectKind::Library, step.passed("library"));
  const auto handle = step.written("pMod");
  if (!library || !handle || *handle == 0) return;
  if (const auto known = step.ledger.object_of(ObjectKind::Module, *handle)) {
    if (known->owner == library->id) return;
    step.end(known->id);  // its handle belongs to another object now, so its end was not recorded
  }
  auto copy = copy_of(step, library->id, step.owner());
  if (!copy || copy->handle != 0) return;
  copy->handle = *handle;
  step.ledger.change(*copy);
  step.note(Change::Kind::ObjectChanged, *copy);
}

void get_function(Step& step) {
  const auto kernel = step.ledger.object_of(ObjectKind::Kernel, step.passed("kernel"));
  const auto handle = step.written("pFunc");
  if (!kernel || !handle || *handle == 0) return;
  const auto copy = copy_of(step, kernel->owner, step.owner());
  const auto known = step.ledger.object_of(ObjectKind::Function, *handle);
  if (!copy || (known && known->owner == copy->id)) return;
  Object function;
  function.id.kind = ObjectKind::Function;
  function.handle = *handle;
  function.owner = copy->id;
  function.context = copy->context;
  function.given = true;
  function.label = kernel->label;
  step.add(std::move(function));
}

void get_global(Step& step) {
  const auto library = step.ledger.object_of(ObjectKind::Library, step.passed("library"));
  if (!library) return;
  const auto copy = copy_of(step, library->id, step.owner());
  const std::uint64_t address = step.written("dptr").value_or(0);
  if (!copy || address == 0) return;
  if (const auto known = step.ledger.object_of(ObjectKind::Global, address);
      known && known->owner == copy->id)
    return;
  Object global;
  global.id.kind = ObjectKind::Global;
  global.handle = address;
  global.size = step.written("bytes").value_or(0);
  global.owner = copy->id;
  global.context = copy->context;
  global.given = true;
  if (const trace::Argument* name = step.argument("name"); name && !name->text.empty())
    global.label = std::make_shared<const std::string>(name->text);
  step.add(std::move(global));
}

// The program asks what a handle is called that it got by a way that is not followed.
void learn_name(Step& step, ObjectKind kind) {
  const std::uint64_t handle = step.passed("hfunc");
  const trace::Argument* name = step.argument("name");
  if (handle == 0 || !name || name->text.empty() || step.ledger.object_of(kind, handle)) return;
  Object object;
  object.id.kind = kind;
  object.handle = handle;
  object.context = kind == ObjectKind::Function ? step.owner() : kNone;
  object.given = true;
  object.label = std::make_shared<const std::string>(name->text);
  step.add(std::move(object));
}

void retain_memory(Step& step) {
  const auto memory = step.ledger.object_of(ObjectKind::PhysicalMemory, step.written("handle").value_or(0));
  if (!memory) return;
  Object now = *memory;
  ++now.references;
  step.ledger.change(now);
  step.note(Change::Kind::ObjectChanged, now);
}

// A kernel is launched in the current context, which has the library's copy from then on.
void launch(Step& step) {
  const std::uint64_t handle = step.passed("f");
  std::optional<Object> launched = step.ledger.object_of(ObjectKind::Function, handle);
  if (!launched) {
    launched = step.ledger.object_of(ObjectKind::Kernel, handle);
    if (launched) copy_of(step, launched->owner, step.owner());
  }
  if (launched) step.note(Change::Kind::Launched, *launched);
}

void launch_graph(Step& step) {
  if (const auto graph = step.ledger.object_of(ObjectKind::GraphExec, step.passed("hGraphExec")))
    step.note(Change::Kind::Launched, *graph);
}

}  // namespace

std::vector<Rule> library_rules() {
  return {
      {Function::cuLaunch, launch},
      {Function::cuLaunchGrid, launch},
      {Function::cuLaunchGridAsync, launch},
      {Function::cuLaunchKernel, launch},
      {Function::cuLaunchKernelEx, launch},
      {Function::cuLaunchCooperativeKernel, launch},
      {Function::cuGraphLaunch, launch_graph},
      {Function::cuLibraryGetModule, get_module},
      {Function::cuKernelGetFunction, get_function},
      {Function::cuLibraryGetGlobal, get_global},
      {Function::cuFuncGetName, [](Step& step) { learn_name(step, ObjectKind::Function); }},
      {Function::cuKernelGetName, [](Step& step) { learn_name(step, ObjectKind::Kernel); }},
      {Function::cuMemRetainAllocationHandle, retain_memory},
  };
}

}  // namespace lab
