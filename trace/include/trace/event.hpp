// SPDX-License-Identifier: MIT
// What the tracer saw, decoded: one Event per finished call, thread start, output chunk or process end.
//
// The one type that all of app/ works with; the headers beside it make, keep and store events (live.hpp,
// store.hpp, recording.hpp). It knows the API by name (from api/), nothing of the rings, of files, or of the
// picture.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trace {

enum class EventKind : std::uint8_t {
  Call,          // a call of the driver or of a library above it; `returned` false: the process ended inside
  ThreadStart,   // first traced call of a thread; `text` is its name, if it has one
  ThreadEnd,     // the thread left
  Output,        // `text` written by the program; `number` 1 stdout, 2 stderr
  ModuleMapped,  // `text` path of an executable or library, `number` load bias; for source lines
  ProcessStart,  // `text` command line, `number` process id
  ProcessEnd,    // how it ended: `end`, and `number` (exit status, signal number, or the limit hit)
  Lost,          // `number` records lost because nobody read the ring
  // The call stack of the call that is the next event, where it was asked for. `text` has a line for each
  // frame, innermost first: function, file and line with tabs between them, empty where not known.
  Stack,
};

enum class EndKind : std::uint8_t { Exit, Signal, TimeLimit, MemoryLimit, OutputLimit, Killed, TraceLost };

// The role of an argument, as api/ describes it.
enum class Role : std::uint8_t { In, Out, InOut };

// How the words of an argument are to be read.
enum class ValueKind : std::uint8_t {
  Unsigned,
  Signed,
  Float,
  Size,  // Size: bytes
  Boolean,
  Enumerator,     // `text` has the name, or the number where the value has none
  Flags,          // `text` has names joined by " | ", or "0"
  Handle,         // an opaque object: `handle_type` says which ("CUcontext", "CUstream", …)
  Device,         // CUdevice ordinal
  DevicePointer,  // CUdeviceptr
  HostPointer,    // pointer into the program, not followed
  String,         // `text`
  Struct,         // `text` is "{field=value, …}"
  Array,          // `text` is "[value, …]"
  Result,         // a CUresult passed as an argument
};

// Whose call it is. The libraries above the driver make driver calls, which lie inside their own.
enum class Layer : std::uint8_t { Driver, Runtime, Nvrtc };

struct Argument {
  std::string_view name;         // as the manual spells it; lives as long as the process
  std::string_view type;         // C type, e.g. "CUcontext*"
  std::string_view handle_type;  // for Handle: type of the object
  Role role = Role::In;
  ValueKind kind = ValueKind::Unsigned;  // of the pointee for Out and InOut
  bool null = false;                     // a null pointer was passed
  std::uint64_t word = 0;                // the value passed (for Out: the address)
  std::optional<std::uint64_t> out;      // for Out and InOut after the call: the value written
  // Readable value for Enumerator, Flags, String, Struct, Array. For a HostPointer whose bytes went to or
  // came from a device: the first of them, two hexadecimal digits each; "" where none were kept.
  std::string text;
};

struct Event {
  std::uint64_t seq = 0;  // position in the run, 0-based, without gaps
  EventKind kind = EventKind::Call;
  std::uint32_t thread = 0;   // small number in order of appearance, 0 the main thread
  std::uint32_t process = 0;  // small number, 0 the program itself
  std::uint64_t t_ns = 0;     // since the start of the run, at enter
  std::uint64_t dur_ns = 0;   // 0 until the call returned

  // Call only
  std::string_view name;    // as the manual heads it: "cuCtxCreate"
  std::string_view symbol;  // the entry point: "cuCtxCreate_v4"
  bool returned = true;
  std::int32_t result = 0;    // CUresult, cudaError_t or nvrtcResult, by `layer()`
  std::uint64_t address = 0;  // return address in the program; of a call inside another, that one's
  // Calls of the same thread around this one: 0 for what the program itself called. A call completes before
  // the one around it does, so that is the next call of the thread in the run whose depth is lower.
  std::uint32_t depth = 0;
  std::string_view inside;  // name of the call around it, "" at depth 0
  std::vector<Argument> arguments;
  // The context that the driver itself called current on this thread after the call; nothing when it was
  // not asked (the call cannot change it) or answered an error.
  std::optional<std::uint64_t> current;
  // Source line, filled by app/lab while recording (and stored in recordings); empty when unknown.
  std::string file;
  std::uint32_t line = 0;

  // Other kinds
  std::string text;
  std::uint64_t number = 0;
  EndKind end = EndKind::Exit;

  Layer layer() const;                                        // of a call
  const Argument* argument(std::string_view argument) const;  // of this name; null: it has none
  std::uint64_t passed(std::string_view argument) const;      // its word; 0 where there is none
};

inline const Argument* Event::argument(std::string_view argument) const {
  for (const Argument& each : arguments)
    if (each.name == argument) return &each;
  return nullptr;
}

inline std::uint64_t Event::passed(std::string_view argument) const {
  const Argument* const found = this->argument(argument);
  return found == nullptr ? 0 : found->word;
}

Layer layer_of(std::string_view symbol);
// The name of a call's result, by the enumeration of its library; "" for a value that no header names.
std::string_view result_name(const Event& call);

// "CUDA_ERROR_INVALID_CONTEXT" and "invalid device context"; "" for a value that no header names.
std::string_view result_name(std::int32_t result);
std::string_view result_string(std::int32_t result);

}  // namespace trace
