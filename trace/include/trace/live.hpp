// SPDX-License-Identifier: MIT
// The reader's side of a running, traced program: moves records from its rings into a Store, and holds and
// releases its threads.
//
// One thread of the lab owns a Live. The traced program may crash, hang or be killed at any moment; nothing
// here waits for it. Create a Live before the program starts, start the program with environment(), and call
// poll() until the program has ended.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/event.hpp"
#include "trace/store.hpp"

namespace trace {

// A call that was entered and has not returned: it is running, or held before it runs. If calls are inside
// each other, it is the innermost one.
struct Pending {
  std::uint32_t thread = 0;
  bool held = false;
  Event call;  // arguments as passed, no outputs
};

class Live {
 public:
  struct Options {
    std::filesystem::path tracer;   // folder of the interposed libraries
    std::filesystem::path backend;  // absolute path of the driver it forwards to
    // Folders that the program's loader searches after the tracer's: those with the rest of the toolkit that
    // belongs to the driver.
    std::vector<std::filesystem::path> libraries = {};
    bool hold = false;  // start held: stop before the first call
    // Folders in which the tracer looks for the libcudart and libnvrtc that it forwards to: `toolkit` before
    // the places that the program itself names (embedded), `toolkit_path` if they are nowhere else (real).
    std::filesystem::path toolkit = {};
    std::vector<std::filesystem::path> toolkit_path = {};
    bool mark_output = true;           // note how much stdout/stderr held when each call was entered
    bool stacks = false;               // record the call stack of each call of the program itself
    std::size_t ring_bytes = 1 << 20;  // per thread, a power of two; smaller if there are many threads
    // Threads traced at one time, at most 8192. The calls of further threads are counted in Lost events.
    std::size_t most_threads = 8192;
    // When the store has reached this size, calls are dropped and counted in Lost events. Calls after which
    // the driver was asked for the current context are kept until it is a quarter larger, so that the stacks
    // stay right. 0: no limit; less than 2 MiB counts as 2 MiB.
    std::size_t most_bytes = 0;
    // Load the tracer by LD_PRELOAD too: libcuda.so.1 and the interposed libraries that are named here.
    bool preload = false;
    std::vector<std::string> preload_names = {};
  };
  // Makes the shared memory. Null on failure; `error` then holds the system's words.
  static std::unique_ptr<Live> create(const Options& options, std::string* error);
  ~Live();  // the shared memory has no name in any folder, so nothing is left behind

  // LD_LIBRARY_PATH and DRIVERLAB_* variables that the program must be started with.
  std::vector<std::pair<std::string, std::string>> environment() const;

  // Moves everything recorded so far into the store, in order; returns the number of events appended. Besides
  // calls it appends ProcessStart when a process first loads the tracer (forked and exec'd children too, as
  // further process numbers), ModuleMapped, ThreadStart, ThreadEnd and Lost. Output and ProcessEnd are the
  // caller's to append: the tracer cannot see them. `before_call` is called before each call is appended,
  // with the numbers of bytes that stdout and stderr held when the call began, so that the caller can first
  // append the output written before the call.
  using BeforeCall = std::function<void(std::uint64_t stdout_bytes, std::uint64_t stderr_bytes)>;
  std::size_t poll(Store& store, const BeforeCall& before_call = {});

  // Source lines. Both are called inside poll() and finish(): `on_module` before any call that returns into
  // that module, `annotate` once for each new return address (its results are kept until a module is mapped).
  // Set them before the first poll().
  using OnModule = std::function<void(const std::string& path, std::uint64_t load_bias)>;
  void set_on_module(OnModule on_module);
  using Annotate = std::function<void(std::uint64_t address, std::string& file, std::uint32_t& line)>;
  void set_annotate(Annotate annotate);

  // Call stacks, if they are recorded: `addresses` are return addresses, innermost first. The result is the
  // text of the Stack event. `file` and `line` are those of the call; the function may correct them.
  using Frames = std::function<std::string(const std::vector<std::uint64_t>& addresses,
                                           std::string_view python, std::string& file, std::uint32_t& line)>;
  void set_frames(Frames frames);

  std::vector<Pending> pending() const;  // at the last poll, with source lines
  void hold_all(bool hold);              // false lets every thread run on
  bool holding() const;
  void step(std::uint32_t thread);  // lets the call held on that thread run, then hold again

  // After the program has ended: appends what is left, then calls that never returned (returned = false).
  std::size_t finish(Store& store, const BeforeCall& before_call = {});

 private:
  Live();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trace
