// SPDX-License-Identifier: MIT
// Builds decoded events by hand, so that a test reads like the calls of a program:
//
//   Run run;
//   run.call("cuCtxCreate").out("pctx", 0x10).in("dev", 0).current(0x10);
//
// It uses the form of an Event, and no rule about what a call does.
#pragma once
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <utility>

#include "trace/event.hpp"
#include "trace/store.hpp"

namespace support {

class Call {
 public:
  explicit Call(trace::Event event) : event_(std::move(event)) {}

  Call& in(std::string_view name, std::uint64_t value, trace::ValueKind kind = trace::ValueKind::Unsigned) {
    argument(name, trace::Role::In, kind, value);
    return *this;
  }
  Call& context(std::string_view name, std::uint64_t handle) {
    argument(name, trace::Role::In, trace::ValueKind::Handle, handle).handle_type = "CUcontext";
    event_.arguments.back().type = "CUcontext";
    return *this;
  }
  // Handles of any type: handle("hmod", "CUmodule", 0x10).
  Call& handle(std::string_view name, std::string_view type, std::uint64_t value) {
    trace::Argument& made = argument(name, trace::Role::In, trace::ValueKind::Handle, value);
    made.handle_type = made.type = type;
    return *this;
  }
  Call& out_handle(std::string_view name, std::string_view type, std::uint64_t value) {
    trace::Argument& made = argument(name, trace::Role::Out, trace::ValueKind::Handle, 0x7ffd0000);
    made.handle_type = made.type = type;
    made.out = value;
    return *this;
  }
  Call& text(std::string_view name, std::string value) {
    argument(name, trace::Role::In, trace::ValueKind::String, 0x7ffe0000).text = std::move(value);
    return *this;
  }
  Call& out(std::string_view name, std::uint64_t value, trace::ValueKind kind = trace::ValueKind::Unsigned) {
    argument(name, trace::Role::Out, kind, 0x7ffd0000).out = value;
    return *this;
  }
  Call& out_context(std::string_view name, std::uint64_t handle) {
    trace::Argument& made = argument(name, trace::Role::Out, trace::ValueKind::Handle, 0x7ffd0000);
    made.handle_type = "CUcontext";
    made.type = "CUcontext*";
    made.out = handle;
    return *this;
  }
  Call& out_text(std::string_view name, std::string text) {
    trace::Argument& made = argument(name, trace::Role::Out, trace::ValueKind::String, 0x7ffd0000);
    made.out = 0;
    made.text = std::move(text);
    return *this;
  }
  Call& null_out(std::string_view name) {
    argument(name, trace::Role::Out, trace::ValueKind::Unsigned, 0).null = true;
    return *this;
  }
  Call& unwritten(std::string_view name) {
    argument(name, trace::Role::Out, trace::ValueKind::Unsigned, 0x7ffd0000);
    return *this;
  }
  Call& result(std::int32_t value) {
    event_.result = value;
    return *this;
  }
  Call& current(std::uint64_t handle) {
    event_.current = handle;
    return *this;
  }
  Call& thread(std::uint32_t number) {
    event_.thread = number;
    return *this;
  }
  Call& process(std::uint32_t number) {
    event_.process = number;
    return *this;
  }
  Call& place(std::string file, std::uint32_t line) {
    event_.file = std::move(file);
    event_.line = line;
    return *this;
  }
  Call& never_returned() {
    event_.returned = false;
    return *this;
  }
  trace::Event& event() { return event_; }

 private:
  trace::Argument& argument(std::string_view name, trace::Role role, trace::ValueKind kind,
                            std::uint64_t word) {
    trace::Argument made;
    made.name = name;
    made.role = role;
    made.kind = kind;
    made.word = word;
    event_.arguments.push_back(std::move(made));
    return event_.arguments.back();
  }
  trace::Event event_;
};

// Events in order; the names that are passed must live as long (string literals do).
class Run {
 public:
  Call& call(std::string_view name) {
    trace::Event event = next(trace::EventKind::Call);
    event.name = event.symbol = name;
    event.function = trace::function_of(name);
    event.dur_ns = 40;
    return calls_.emplace_back(std::move(event));
  }
  Call& other(trace::EventKind kind, std::uint32_t thread = 0, std::string text = {},
              std::uint64_t number = 0) {
    trace::Event event = next(kind);
    event.thread = thread;
    event.text = std::move(text);
    event.number = number;
    return calls_.emplace_back(std::move(event));
  }

  // The calls that tests make over and over.
  Call& init() { return call("cuInit").in("Flags", 0); }
  Call& create(std::uint64_t handle, std::uint64_t device = 0) {
    return call("cuCtxCreate").out_context("pctx", handle).in("flags", 0).in("dev", device).current(handle);
  }
  Call& destroy(std::uint64_t handle) { return call("cuCtxDestroy").context("ctx", handle); }
  Call& push(std::uint64_t handle) { return call("cuCtxPushCurrent").context("ctx", handle).current(handle); }
  Call& pop(std::uint64_t popped) { return call("cuCtxPopCurrent").out_context("pctx", popped); }
  Call& set(std::uint64_t handle) { return call("cuCtxSetCurrent").context("ctx", handle); }
  Call& retain(std::uint64_t handle, std::uint64_t device = 0) {
    return call("cuDevicePrimaryCtxRetain").out_context("pctx", handle).in("dev", device);
  }
  Call& release(std::uint64_t device = 0) { return call("cuDevicePrimaryCtxRelease").in("dev", device); }
  Call& allocate(std::uint64_t address, std::uint64_t size) {
    return call("cuMemAlloc")
        .out("dptr", address, trace::ValueKind::DevicePointer)
        .in("bytesize", size, trace::ValueKind::Size);
  }
  Call& free(std::uint64_t address) {
    return call("cuMemFree").in("dptr", address, trace::ValueKind::DevicePointer);
  }

  Call& load_module(std::uint64_t handle) {
    return call("cuModuleLoadData").out_handle("module", "CUmodule", handle).in("image", 0x4000);
  }
  Call& unload_module(std::uint64_t handle) {
    return call("cuModuleUnload").handle("hmod", "CUmodule", handle);
  }
  Call& get_function(std::uint64_t handle, std::uint64_t module, std::string name) {
    return call("cuModuleGetFunction")
        .out_handle("hfunc", "CUfunction", handle)
        .handle("hmod", "CUmodule", module)
        .text("name", std::move(name));
  }
  Call& get_global(std::uint64_t address, std::uint64_t bytes, std::uint64_t module, std::string name) {
    return call("cuModuleGetGlobal")
        .out("dptr", address, trace::ValueKind::DevicePointer)
        .out("bytes", bytes, trace::ValueKind::Size)
        .handle("hmod", "CUmodule", module)
        .text("name", std::move(name));
  }
  Call& load_library(std::uint64_t handle) {
    return call("cuLibraryLoadData").out_handle("library", "CUlibrary", handle).in("code", 0x4000);
  }
  Call& unload_library(std::uint64_t handle) {
    return call("cuLibraryUnload").handle("library", "CUlibrary", handle);
  }
  Call& get_kernel(std::uint64_t handle, std::uint64_t library, std::string name) {
    return call("cuLibraryGetKernel")
        .out_handle("pKernel", "CUkernel", handle)
        .handle("library", "CUlibrary", library)
        .text("name", std::move(name));
  }
  Call& kernel_function(std::uint64_t function, std::uint64_t kernel) {
    return call("cuKernelGetFunction")
        .out_handle("pFunc", "CUfunction", function)
        .handle("kernel", "CUkernel", kernel);
  }
  Call& launch(std::uint64_t function, std::uint64_t stream = 0) {
    return call("cuLaunchKernel")
        .handle("f", "CUfunction", function)
        .in("gridDimX", 1)
        .in("blockDimX", 32)
        .handle("hStream", "CUstream", stream);
  }
  Call& create_stream(std::uint64_t handle) {
    return call("cuStreamCreate").out_handle("phStream", "CUstream", handle).in("Flags", 0);
  }
  Call& destroy_stream(std::uint64_t handle) {
    return call("cuStreamDestroy").handle("hStream", "CUstream", handle);
  }
  Call& create_event(std::uint64_t handle) {
    return call("cuEventCreate").out_handle("phEvent", "CUevent", handle).in("Flags", 0);
  }
  Call& destroy_event(std::uint64_t handle) {
    return call("cuEventDestroy").handle("hEvent", "CUevent", handle);
  }
  Call& record(std::uint64_t event, std::uint64_t stream) {
    return call("cuEventRecord").handle("hEvent", "CUevent", event).handle("hStream", "CUstream", stream);
  }

  std::list<Call>& calls() { return calls_; }
  void into(trace::Store& store) {
    for (Call& call : calls_) store.append(call.event());
  }

 private:
  trace::Event next(trace::EventKind kind) {
    trace::Event event;
    event.kind = kind;
    event.seq = calls_.size();
    event.t_ns = calls_.size() * 100;
    return event;
  }
  std::list<Call> calls_;
};

}  // namespace support
