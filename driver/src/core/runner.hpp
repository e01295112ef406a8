// SPDX-License-Identifier: MIT
// The host's side of the process that runs a context's kernels.
//
// A launch is written into memory that both processes share, and its ticket identifies it from then on.
// Posting takes a microsecond and never waits for the kernel. Several grids may run at the same time, so a
// stream, which needs an order, waits for the previous ticket. An error in a kernel becomes the driver's
// sticky error. Does not depend on streams or entry points. Safe to use from several threads at once; needs
// no lock of Driver's.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/api.hpp"
#include "core/context.hpp"
#include "core/journal.hpp"

namespace runner {
struct Slot;
}

namespace driver {

// The code of one module as the runner needs it: PTX text, and where its variables are. Immutable, shared by
// the module and every launch that is still to run.
class Program {
 public:
  using Symbols = std::vector<std::pair<std::string, std::uint64_t>>;  // name, device address
  Program(std::string text, Symbols symbols);

  const std::string& text() const { return text_; }
  const Symbols& symbols() const { return symbols_; }
  std::uint64_t id() const { return id_; }

 private:
  std::string text_;
  Symbols symbols_;
  std::uint64_t id_;
};

struct KernelLaunch {
  std::shared_ptr<const Program> program;
  std::string kernel;  // its name in the text
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::array<unsigned, 3> cluster = {1, 1, 1};  // blocks of a cluster
  bool explicit_cluster = false;                // the launch or the kernel asks for clusters
  unsigned grid_unit[3] = {1, 1, 1};            // how many blocks the program counts as one
  unsigned dynamic_shared = 0;                  // bytes
  bool cooperative = false;                     // all blocks at once, each on a thread of its own
  int priority = 0;                             // without effect; the node of a captured launch has it
  std::uint32_t processors = 0;                 // of the device
  // A bit for each that the context has; nothing: all of the device's.
  std::optional<std::array<std::uint64_t, 4>> own_processors;
  std::vector<std::byte> parameters;  // laid out as the kernel declares them
  // A ticket of the same runner that must have ended before this begins; 0 for none. With it, a stream can
  // post the next work without waiting.
  std::uint64_t after = 0;
};

class RunnerProcess;

class Runner {
 public:
  using Ticket = std::uint64_t;  // never 0; counts up
  static constexpr std::size_t kMostParameterBytes = 32764;

  explicit Runner(Context& context);
  ~Runner();  // ends the process, whatever it does
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Posts a launch to the runner; the first one starts the process. The kernel sees the memory that exists
  // now. Waits only if 256 launches have not ended. CUDA_ERROR_OPERATING_SYSTEM if no process can be started.
  CUresult post(const KernelLaunch& launch, Ticket& ticket);
  // Kernels that run already stop seeing memory that is gone. Without it, that comes with the next launch.
  void follow_changes();
  // From the next launch on, kernels see what these contexts own too.
  void see_peers(std::set<const Context*> peers);
  // Whether it has run, or never will because of an error.
  bool finished(Ticket ticket);
  // When a launch began and ended, if that was noted (work_times.hpp). Never: it is not known any more.
  enum class Times { NotYet, Known, Never };
  Times times_of(Ticket ticket, std::uint64_t& began, std::uint64_t& ended) const;
  // Finds out whether the process was killed from outside, of which there is no notification: all launches
  // have then ended. Makes a system call, so it is not used in every call.
  void look_after_process();
  // Spins for some microseconds, then sleeps. Returns the sticky error after that. No lock of other code may
  // be held.
  CUresult wait(Ticket ticket);
  // Writes what kernels have printed to stdout and stderr, as a synchronising call does when it has waited.
  void flush_output();

 private:
  CUresult start();
  void send(const std::string& message);
  std::uint64_t kernel_number(const KernelLaunch& launch);
  void forget_unloaded();
  bool all_done() const;
  void post_changes();
  void note_fault();
  void dump_core();
  void spin_until_finished(const runner::Slot& slot, Ticket ticket);

  Context& context_;
  std::mutex posting_;
  std::unique_ptr<RunnerProcess> process_;  // set once
  std::atomic<bool> running_{false};
  std::atomic<Ticket> last_{0};
  Journal::Reader memory_;
  std::uint64_t next_kernel_ = 1;
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> kernels_;  // (program, name) -> number
  std::mutex naming_;  // of `kernels_` where it changes, and where a fault is described without `posting_`
  std::map<std::uint64_t, std::weak_ptr<const Program>> sent_programs_;  // by id
  std::size_t next_look_ = 16;  // at so many programs, the list is searched for destroyed ones
  std::mutex flushing_;
};

}  // namespace driver
