// SPDX-License-Identifier: MIT
// What the tracer saw, decoded: one Event per finished call, thread start, output chunk or process end.
//
// All of app/ works with this type; live.hpp makes events, store.hpp keeps them and recording.hpp writes them
// to files. Functions, arguments and results have their names from api/. Nothing here depends on the rings,
// on files or on the picture.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/value_kind.hpp"
#include "trace/function.hpp"

namespace trace {

enum class EventKind : std::uint8_t {
  Call,          // a call of the driver or of a library above it; if `returned` is false, it never returned
  ThreadStart,   // first traced call of a thread; `text` is its name, if it has one
  ThreadEnd,     // the thread left
  Output,        // `text` written by the program, or `zeros`; `number` 1 stdout, 2 stderr
  ModuleMapped,  // `text` path of an executable or library, `number` its load bias; for source lines
  ProcessStart,  // `text` command line, `number` process id
  ProcessEnd,    // how it ended: `end`, and `number` (exit status, signal number, or the limit hit)
  Lost,          // `number` records lost because the ring was not read
  // The call stack of the call that is the next event, if stacks are recorded. `text` has a line for each
  // frame, innermost first: function, file and line, separated by tabs; what is not known is empty.
  Stack,
};

enum class EndKind : std::uint8_t { Exit, Signal, TimeLimit, MemoryLimit, OutputLimit, Killed, TraceLost };

using api::Role;       // of an argument
using api::ValueKind;  // how its word is to be read

// The library whose function is called. The libraries above the driver make driver calls inside their own.
enum class Layer : std::uint8_t { Driver, Runtime, Nvrtc };

struct Argument {
  std::string_view name;         // as in the manual; valid as long as the process runs
  std::string_view type;         // C type, e.g. "CUcontext*"
  std::string_view handle_type;  // for Handle: the type of the handle
  Role role = Role::In;
  ValueKind kind = ValueKind::Unsigned;  // of the pointee for Out and InOut
  bool null = false;                     // a null pointer was passed
  std::uint64_t word = 0;                // the value passed (for Out: the address)
  std::optional<std::uint64_t> out;      // for Out and InOut after the call: the value written
  // The readable value of an Enumerator, Flags, String, Struct or Array. For a HostPointer whose bytes were
  // copied to or from a device: the first bytes, two hexadecimal digits each; "" if none were kept.
  std::string text;

  // Of a Struct: the readable value of a field, by its name; in a struct of the struct "location.id". "" if
  // there is no such field. Then the same of a field that is a number or an address.
  std::string_view field(std::string_view name) const;
  std::optional<std::uint64_t> field_number(std::string_view name) const;
};

struct Event {
  std::uint64_t seq = 0;  // position in the run, 0-based, without gaps
  EventKind kind = EventKind::Call;
  std::uint32_t thread = 0;   // small number in order of appearance, 0 the main thread
  std::uint32_t process = 0;  // small number, 0 the program itself
  std::uint64_t t_ns = 0;     // when it began, since the start of the run
  std::uint64_t dur_ns = 0;   // 0 until the call has returned

  // Call only
  Function function = Function::None;  // function_of(name), set by a store; the names are for people
  std::string_view name;               // the name in the manual: "cuCtxCreate"
  std::string_view symbol;             // the entry point: "cuCtxCreate_v4"
  bool returned = true;
  std::int32_t result = 0;    // CUresult, cudaError_t or nvrtcResult, by `layer()`
  std::uint64_t address = 0;  // return address in the program; for a call inside another: that of the other
  // How many calls of the same thread this one is inside of: 0 if the program itself made the call. A call
  // completes before the call that it is inside of: the next call of the thread in the run with a lower
  // depth.
  std::uint32_t depth = 0;
  std::string_view inside;  // name of the call that it is inside of, "" at depth 0
  std::vector<Argument> arguments;
  // The context that the driver reported as current on this thread after the call. Nothing if the driver was
  // not asked, because the call cannot change it, or if it returned an error.
  std::optional<std::uint64_t> current;
  // The source line: app/lab fills it in during the run, and recordings store it. Empty if not known.
  std::string file;
  std::uint32_t line = 0;

  // Other kinds
  std::string text;
  std::uint64_t number = 0;
  // Output: so many bytes of zeros that the program did not write: it made its output file longer (ftruncate)
  // or went on behind its end. `text` is empty then. At most kMostZeros.
  std::uint64_t zeros = 0;
  EndKind end = EndKind::Exit;

  Layer layer() const;                                        // of a call
  const Argument* argument(std::string_view argument) const;  // by name; null: the call has none of this name
  std::uint64_t passed(std::string_view argument) const;      // its word; 0 if there is no such argument
};

// When a piece of work in a stream ran, as far as the driver reports it; in ns since the start of the run.
struct WorkTime {
  std::uint32_t thread = 0;    // as in Event, of the call that enqueued it
  std::uint64_t enqueued = 0;  // within that call
  std::uint64_t began = 0, ended = 0;
  bool operator==(const WorkTime&) const = default;
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

inline constexpr std::uint64_t kMostZeros = std::uint64_t{1} << 61;

Layer layer_of(std::string_view symbol);
// The name of a call's result in the enumeration of its library; "" for a value that has no name.
std::string_view result_name(const Event& call);

// "CUDA_ERROR_INVALID_CONTEXT" and "invalid device context"; "" for a value that has no name.
std::string_view result_name(std::int32_t result);
std::string_view result_string(std::int32_t result);

}  // namespace trace
