// The host's side of the process that runs a context's kernels.
//
// A launch is written into memory that both processes share and is known by its ticket from then on. Posting
// takes a microsecond and never waits for the kernel; several grids may run at the same time, so whoever
// wants an order (a stream) waits for the ticket before. What went wrong in a kernel becomes the driver's
// sticky error. Knows nothing of streams and of entry points. Safe to use from several threads at once, and
// without Driver's lock unless a line says otherwise.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/api.hpp"
#include "core/memory.hpp"

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
  unsigned dynamic_shared = 0;        // bytes
  bool cooperative = false;           // all blocks at once, each on a thread of its own
  std::vector<std::byte> parameters;  // laid out as the kernel declares them
};

class RunnerProcess;

class Runner {
 public:
  using Ticket = std::uint64_t;  // never 0

  explicit Runner(Context& context);
  ~Runner();  // ends the process, whatever it does
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Hands a launch to the runner, starting the process at the first; the memory that exists now is what the
  // kernel sees. CUDA_ERROR_OPERATING_SYSTEM when no process can be had. Takes Driver's lock, shared, for a
  // moment when memory has come or gone, so a caller must not hold it exclusively.
  CUresult post(const KernelLaunch& launch, Ticket& ticket);
  // Whether it has run, or never will because something went wrong.
  bool finished(Ticket ticket);
  // Spins for some microseconds, then sleeps. Returns with the sticky error that holds afterwards. Nobody
  // else's lock may be held.
  CUresult wait(Ticket ticket);
  // Everything posted so far, in any order of ending.
  CUresult wait_all();
  // Writes what kernels printed to stdout, as a synchronising call does.
  void flush_output();

  // Memory came (true) or went (false). Called by Memory with Driver's lock, exclusive.
  void memory_changed() { stale_.store(true, std::memory_order_release); }

 private:
  Context& context_;
  std::unique_ptr<RunnerProcess> process_;
  std::mutex starting_;
  std::atomic<bool> stale_{true};
};

}  // namespace driver
