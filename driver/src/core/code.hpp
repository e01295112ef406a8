// SPDX-License-Identifier: MIT
// Loaded code: modules, libraries, their functions and kernels, and which handles of these are real.
//
// A module belongs to one context and is destroyed with it. A library belongs to none: it has one module for
// each context in which it was used, made at the first use, and its managed variables exist once for all of
// them. Handles are addresses of the objects here; Code has a list of the valid ones and checks each handle.
// Everything is guarded by Driver's lock, exclusive.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/assured.hpp"
#include "core/context.hpp"
#include "core/driver.hpp"
#include "core/image.hpp"
#include "core/jit_options.hpp"
#include "core/runner.hpp"
#include "ptx/parse.hpp"

namespace driver {

class Library;
class Module;

// The parameters of the next launch that a program has set with the functions from before cuLaunchKernel.
struct LaunchParts {
  std::array<unsigned, 3> block = {1, 1, 1};  // as an H200 launches a function without a set shape
  unsigned shared = 0;
  std::size_t parameter_bytes = 0;
  std::vector<std::byte> parameters;
};

struct ClusterSettings {
  std::array<unsigned, 3> required = {0, 0, 0};  // blocks; zeros for none
  bool non_portable = false;
  int policy = CU_CLUSTER_SCHEDULING_POLICY_DEFAULT;  // kept and returned: here it has no effect
};

// What cuFuncSetAttribute and cuKernelSetAttribute set.
struct FunctionSettings {
  static constexpr unsigned kUsualShared = 48 * 1024;  // bytes, for all of a block's

  // Without a value of the program, what the static part leaves (truth launch_limits, step 78). A smaller
  // value counts, too (truth dynamic_shared, steps 29 to 33).
  unsigned most_dynamic_shared(std::uint64_t static_shared) const {
    if (max_dynamic_shared.has_value()) return *max_dynamic_shared;
    return static_shared < kUsualShared ? kUsualShared - static_cast<unsigned>(static_shared) : 0;
  }

  std::optional<unsigned> max_dynamic_shared;  // bytes, as the program said
  int carveout = -1;                           // percent that the program prefers; -1: not set
  ClusterSettings cluster;
};

struct Kernel;

// CUfunction: a kernel of one module.
struct Function {
  Module* module = nullptr;
  const ptx::Function* code = nullptr;
  Kernel* kernel = nullptr;  // whose function in one context it is; null for a function of a plain module
  std::optional<unsigned> own_max_dynamic_shared;  // set by cuFuncSetAttribute
  std::optional<int> own_carveout;
  std::optional<ClusterSettings> own_cluster;
  // The settings of the function or, if there are none, of its kernel on this device.
  FunctionSettings settings() const;
  LaunchParts parts;
  // What cuFuncIsLoaded says: it was looked up, launched or loaded by its handle, or code is loaded eagerly.
  // Here nothing follows from it, because the text of a module is always read as a whole.
  std::atomic<bool> loaded{Driver::get().loads_eagerly()};
  // The result of static_shared(); computed once, because every launch needs it and the code has to be read
  // for it.
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  mutable std::atomic<std::uint64_t> static_shared{kUnknown};
};

// CUkernel: a kernel of a library, whatever the context.
struct Kernel {
  Library* library = nullptr;
  const ptx::Function* code = nullptr;
  std::map<int, FunctionSettings> settings;  // by device
};

class Module : public OwnedObject {
 public:
  Module(Context& context, std::shared_ptr<const Image> image, Library* library);
  ~Module() override;

  CUmodule handle() { return reinterpret_cast<CUmodule>(this); }
  Context& context() const { return context_; }
  Library* library() const { return library_; }
  const Image& image() const { return *image_; }
  // What a launch refers to; made when all variables have their places.
  const std::shared_ptr<const Program>& program() const { return program_; }

  // From here on its handles are valid.
  void enter();
  // Allocates and fills the variables; the last part of a load that can fail.
  CUresult place_variables();
  Function* function(std::string_view name);
  const std::map<std::string, std::unique_ptr<Function>>& functions() const { return functions_; }
  // Device address of a variable, 0 if there is none.
  std::uint64_t address_of(const std::string& name) const;

 private:
  CUresult place(const ptx::Variable& variable);

  Context& context_;
  std::shared_ptr<const Image> image_;
  Library* library_;
  std::map<std::string, std::unique_ptr<Function>> functions_;
  std::map<std::string, std::uint64_t> variables_;
  std::shared_ptr<const Program> program_;
};

class Library {
 public:
  explicit Library(ImageText found) : found_(std::move(found)) {}
  ~Library();

  CUlibrary handle() { return reinterpret_cast<CUlibrary>(this); }
  unsigned most_registers = 0;  // CU_JIT_MAX_REGISTERS of the load
  // Loading is lazy: the text is read when it is first needed (truth library, step 5), or in the load itself
  // if its options ask for results of reading it.
  CUresult read(JitOptions* options = nullptr);
  const Image& image() const { return *image_; }
  Kernel* kernel(std::string_view name);
  const std::map<std::string, std::unique_ptr<Kernel>>& kernels() const { return kernels_; }
  // The module in this context, made now when it is the first use there.
  CUresult module_in(Context& context, Module*& module);
  bool is_loaded_in(const Context& context) const { return modules_.count(&context) != 0; }
  // The managed variable that all contexts share; 0 when there is none. Made on first demand.
  CUresult managed(const std::string& name, std::uint64_t& address);
  void forget(const Module* module);

 private:
  void forget_kernels();

  ImageText found_;
  std::shared_ptr<const Image> image_;
  std::map<std::string, std::unique_ptr<Kernel>> kernels_;
  AssuredMap<const Context*, Module*> modules_;
  std::map<std::string, std::uint64_t> managed_;
};

// Every valid code handle, and its object.
class Code {
 public:
  static Code& get();

  Module* module(CUmodule handle) const { return find(modules_, handle); }
  Library* library(CUlibrary handle) const { return find(libraries_, handle); }
  Function* function(CUfunction handle) const { return find(functions_, handle); }
  Kernel* kernel(const void* handle) const { return find(kernels_, handle); }

  CUresult load_module(Context& context, std::shared_ptr<const Image> image, Library* library,
                       Module*& module);
  Library* load_library(ImageText found);
  void unload(Library* library);

  AssuredSet<Module*> modules_;
  AssuredSet<Function*> functions_;
  AssuredSet<Kernel*> kernels_;
  AssuredSet<Library*> libraries_;

 private:
  template <class Object>
  static Object* find(const AssuredSet<Object*>& alive, const void* handle) {
    Object* object = static_cast<Object*>(const_cast<void*>(handle));
    return alive.count(object) != 0 ? object : nullptr;
  }
  std::map<const Library*, std::unique_ptr<Library>> owned_libraries_;
};

}  // namespace driver
