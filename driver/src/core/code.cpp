// SPDX-License-Identifier: MIT
// See code.hpp: places variables in memory, finds kernels by name, and knows which handles are alive.
#include "core/code.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

namespace driver {

Code& Code::get() {
  static Code* code = new Code;  // outlives every destructor that may still call the driver
  return *code;
}

CUresult Code::load_module(Context& context, std::shared_ptr<const Image> image, Library* library,
                           Module*& module) {
  auto loaded = std::make_unique<Module>(context, std::move(image), library);
  loaded->enter();
  const CUresult result = loaded->place_variables();
  if (result != CUDA_SUCCESS) return result;
  module = loaded.get();
  context.own(std::move(loaded));
  return CUDA_SUCCESS;
}

Library* Code::load_library(ImageText found) {
  auto library = std::make_unique<Library>(std::move(found));
  Library* const made = library.get();
  owned_libraries_.emplace(made, std::move(library));
  libraries_.insert(made);
  return made;
}

void Code::unload(Library* library) {
  libraries_.erase(library);
  owned_libraries_.erase(library);
}

// ---- Module

FunctionSettings Function::settings() const {
  FunctionSettings result;
  if (kernel != nullptr) {
    const auto said = kernel->settings.find(module->context().device().ordinal());
    if (said != kernel->settings.end()) result = said->second;
  }
  if (own_max_dynamic_shared.has_value()) result.max_dynamic_shared = own_max_dynamic_shared;
  result.carveout = own_carveout.value_or(result.carveout);
  result.cluster = own_cluster.value_or(result.cluster);
  return result;
}

Module::Module(Context& context, std::shared_ptr<const Image> image, Library* library)
    : context_(context), image_(std::move(image)), library_(library) {
  for (const ptx::Function& code : image_->tree.functions) {
    if (!code.kernel || code.external) continue;
    auto function = std::make_unique<Function>();
    function->module = this;
    function->code = &code;
    if (library_ != nullptr) function->kernel = library_->kernel(code.name);
    functions_[code.name] = std::move(function);
  }
}

void Module::enter() {
  Code::get().modules_.insert(this);
  for (const auto& [name, function] : functions_) Code::get().functions_.insert(function.get());
}

Module::~Module() {
  for (const auto& [name, function] : functions_) Code::get().functions_.erase(function.get());
  Code::get().modules_.erase(this);
  Memory& memory = Driver::get().memory();
  for (const ptx::Variable& variable : image_->tree.variables) {
    if (library_ != nullptr && variable.managed) continue;  // the library's, shared by all contexts
    const auto placed = variables_.find(variable.name);
    if (placed == variables_.end()) continue;
    // The context may have freed its memory already.
    Allocation* allocation = memory.find(placed->second);
    if (allocation != nullptr && allocation->owner == &context_) memory.free(*allocation);
  }
  if (library_ != nullptr) library_->forget(this);
}

Function* Module::function(std::string_view name) {
  const auto found = functions_.find(std::string(name));
  return found == functions_.end() ? nullptr : found->second.get();
}

std::uint64_t Module::address_of(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? 0 : found->second;
}

// ---- Initial values

namespace {

std::uint64_t bits_of(const ptx::Initialiser& value, std::uint64_t address) {
  const std::uint64_t bits = value.bits + address;
  // One byte or more of an address, moved down: 0xff00(symbol).
  return value.mask != 0 ? (bits & value.mask) >> std::countr_zero(value.mask) : bits;
}

// Without `address_of`, values that name a symbol are left zero.
void fill(const ptx::Variable& variable, std::byte* bytes,
          const std::function<std::uint64_t(const std::string&)>& address_of) {
  std::memset(bytes, 0, variable.size);
  const unsigned each = ptx::size_of(variable.type);
  for (std::size_t i = 0; i < variable.values.size(); ++i) {
    const ptx::Initialiser& value = variable.values[i];
    if (!value.symbol.empty() && !address_of) continue;
    const std::uint64_t bits = bits_of(value, value.symbol.empty() ? 0 : address_of(value.symbol));
    std::memcpy(bytes + i * each, &bits, each);
  }
}

}  // namespace

CUresult Module::place(const ptx::Variable& variable) {
  Memory& memory = Driver::get().memory();
  std::uint64_t address = 0;
  std::uint64_t& placed = variables_[variable.name];  // before there is something to lose
  if (variable.managed && library_ != nullptr) {
    const CUresult result = library_->managed(variable.name, address);
    if (result == CUDA_SUCCESS) placed = address;
    return result;
  }
  const std::uint64_t size = std::max<std::uint64_t>(variable.size, 1);
  CUresult result = CUDA_SUCCESS;
  if (variable.managed) {
    void* host = nullptr;
    result = memory.allocate_host(context_, MemoryKind::Managed, size, CU_MEM_ATTACH_GLOBAL, host);
    address = reinterpret_cast<std::uint64_t>(host);
  } else {
    CUdeviceptr device = 0;
    result = memory.allocate_device(context_, size, device);
    address = device;
  }
  if (result == CUDA_SUCCESS) {
    placed = address;
    memory.find(address)->of_module = true;
  }
  return result;
}

CUresult Module::place_variables() {
  for (const ptx::Variable& variable : image_->tree.variables) {
    if (variable.space == ptx::Space::Shared) continue;
    if (const CUresult result = place(variable); result != CUDA_SUCCESS) return result;
  }
  Memory& memory = Driver::get().memory();
  const ptx::FunctionNames functions(image_->tree);
  // What an initial value names: another variable, or a function.
  const auto address_in_code = [&](const std::string& name) {
    const auto function = functions.address(name);
    return function ? *function : address_of(name);
  };
  for (const ptx::Variable& variable : image_->tree.variables) {
    if (variable.space == ptx::Space::Shared) continue;
    if (variable.managed && library_ != nullptr) continue;  // filled when the library made it
    const std::uint64_t address = variables_.at(variable.name);
    fill(variable, memory.find(address)->bytes_at(address), address_in_code);
  }
  program_ =
      std::make_shared<const Program>(image_->text, Program::Symbols(variables_.begin(), variables_.end()));
  return CUDA_SUCCESS;
}

// ---- Library

Library::~Library() {
  forget_kernels();
  while (!modules_.empty()) {
    Module* module = modules_.begin()->second;
    module->context().disown(module);  // deletes it, which calls forget()
  }
  Memory& memory = Driver::get().memory();
  for (const auto& [name, address] : managed_) {
    if (Allocation* allocation = memory.find(address)) memory.free(*allocation);
  }
}

CUresult Library::read(JitOptions* options) {
  if (image_) return CUDA_SUCCESS;
  if (found_.result != CUDA_SUCCESS) {
    if (options != nullptr) options->write_logs(found_.log, "");
    return found_.result;
  }
  ImageResult result = read_text(found_.text, capability_of(*Driver::get().device(0)), Completeness::Alone);
  if (options != nullptr) options->write_logs(result.log, result.info);
  if (result.result != CUDA_SUCCESS) return result.result;
  result.image->most_registers = most_registers;
  forget_kernels();  // of a read that found no memory
  for (const ptx::Function& code : result.image->tree.functions) {
    if (!code.kernel || code.external) continue;
    auto kernel = std::make_unique<Kernel>();
    kernel->library = this;
    kernel->code = &code;
    kernels_[code.name] = std::move(kernel);
  }
  for (const auto& [name, kernel] : kernels_) Code::get().kernels_.insert(kernel.get());
  image_ = std::move(result.image);
  return CUDA_SUCCESS;
}

void Library::forget_kernels() {
  for (const auto& [name, kernel] : kernels_) Code::get().kernels_.erase(kernel.get());
  kernels_.clear();
}

Kernel* Library::kernel(std::string_view name) {
  const auto found = kernels_.find(std::string(name));
  return found == kernels_.end() ? nullptr : found->second.get();
}

CUresult Library::module_in(Context& context, Module*& module) {
  if (const CUresult result = read(); result != CUDA_SUCCESS) return result;
  const auto found = modules_.find(&context);
  if (found != modules_.end()) {
    module = found->second;
    return CUDA_SUCCESS;
  }
  const CUresult result = Code::get().load_module(context, image_, this, module);
  if (result == CUDA_SUCCESS) modules_[&context] = module;
  return result;
}

// Belongs to no context that anybody holds, so that destroying one leaves it (truth library, steps 64 to 70):
// its owner in the books is a context that is never given out.
CUresult Library::managed(const std::string& name, std::uint64_t& address) {
  address = 0;
  if (const CUresult result = read(); result != CUDA_SUCCESS) return result;
  const auto found = managed_.find(name);
  if (found != managed_.end() && found->second != 0) {
    address = found->second;
    return CUDA_SUCCESS;
  }
  const ptx::Variable* variable = image_->tree.find_variable(name);
  if (variable == nullptr || !variable->managed) return CUDA_ERROR_NOT_FOUND;
  Driver& driver = Driver::get();
  static Context* nobody = driver.contexts().create(*driver.device(0), ContextKind::Created);
  if (nobody == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  std::uint64_t& placed = managed_[name];  // before there is something to lose
  void* host = nullptr;
  const CUresult result = driver.memory().allocate_host(
      *nobody, MemoryKind::Managed, std::max<std::uint64_t>(variable->size, 1), CU_MEM_ATTACH_GLOBAL, host);
  if (result != CUDA_SUCCESS) return result;
  address = reinterpret_cast<std::uint64_t>(host);
  driver.memory().find(address)->of_module = true;
  placed = address;
  // Values that name something stay zero: no context is there to have an address in. Measured on an H200,
  // which leaves them so when the code is loaded later; in a module they are filled.
  fill(*variable, static_cast<std::byte*>(host), {});
  return CUDA_SUCCESS;
}

void Library::forget(const Module* module) {
  std::erase_if(modules_, [&](const auto& entry) { return entry.second == module; });
}

}  // namespace driver
