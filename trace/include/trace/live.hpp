// SPDX-License-Identifier: MIT
// The reader's side of a running, traced program: drains its rings into a Store and steers it.
//
// One thread of the lab owns a Live. The traced program may crash, hang or be killed at any moment; nothing
// here waits for it. Create before the program starts, hand environment() to it, poll() until ended.
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

// A call that was entered and has not returned: running, or held before it runs. Of calls that lie inside
// each other the innermost.
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
    // Folders that the program's loader searches after the tracer's: the rest of the toolkit that belongs to
    // the driver.
    std::vector<std::filesystem::path> libraries = {};
    bool hold = false;  // start held: stop before the first call
    // Where the tracer finds the libcudart and libnvrtc that it stands in front of: before all that the
    // program itself says (embedded), and where nothing else is found (real). Folders.
    std::filesystem::path toolkit = {};
    std::vector<std::filesystem::path> toolkit_path = {};
    bool mark_output = true;           // note how much stdout/stderr held when each call was entered
    bool stacks = false;               // record the call stack of each call of the program itself
    std::size_t ring_bytes = 1 << 20;  // per thread, a power of two; less where there are many threads
    // Traced at one time; calls of more are counted in Lost events. At most as many.
    std::size_t most_threads = 8192;
    // Memory of the store from which on calls are dropped, and counted in Lost events. Calls after which the
    // driver was asked for the current context, so that the stacks stay right, are kept until it is a quarter
    // more. 0: no limit; less than 2 MiB count as 2.
    std::size_t most_bytes = 0;
    // Stand in front by LD_PRELOAD too, with these of the interposed libraries beside libcuda.so.1.
    bool preload = false;
    std::vector<std::string> preload_names = {};
  };
  // Makes the shared memory. Nothing on failure (`error` says why: errno text).
  static std::unique_ptr<Live> create(const Options& options, std::string* error);
  ~Live();  // the shared memory has no name in any folder, so nothing is left behind

  // LD_LIBRARY_PATH and DRIVERLAB_* variables that the program must be started with.
  std::vector<std::pair<std::string, std::string>> environment() const;

  // Moves everything recorded so far into the store, in order; returns the number of events appended.
  // Besides calls it appends ProcessStart when a process first loads the tracer (forked and exec'd children
  // too, as further process numbers), ModuleMapped, ThreadStart, ThreadEnd and Lost. Output and ProcessEnd
  // are the caller's to append: the tracer cannot see them.
  // `before_call` is called with (stdout bytes, stderr bytes) marked at the enter of each call before that
  // call is appended, so that the caller can append the output written before it.
  using BeforeCall = std::function<void(std::uint64_t stdout_bytes, std::uint64_t stderr_bytes)>;
  std::size_t poll(Store& store, const BeforeCall& before_call = {});

  // Source lines. Both are called inside poll() and finish(): `on_module` before any call that returns into
  // that module, `annotate` once for each new return address (answers are kept until a module is mapped).
  // Set them before the first poll().
  using OnModule = std::function<void(const std::string& path, std::uint64_t load_bias)>;
  void set_on_module(OnModule on_module);
  using Annotate = std::function<void(std::uint64_t address, std::string& file, std::uint32_t& line)>;
  void set_annotate(Annotate annotate);

  // Call stacks, where they are recorded: `addresses` are return addresses, innermost first. The answer is
  // the text of the Stack event; `file` and `line` are those of the call and may be put right.
  using Frames = std::function<std::string(const std::vector<std::uint64_t>& addresses,
                                           std::string_view python, std::string& file, std::uint32_t& line)>;
  void set_frames(Frames frames);

  std::vector<Pending> pending() const;  // as of the last poll; annotated
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
