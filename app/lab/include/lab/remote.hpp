// SPDX-License-Identifier: MIT
// Another machine, reached through a launcher (ssh, srun, any program that runs a command elsewhere): a
// lesson is sent, built and run there by `driverlab serve`, and stepped from here.
//
// A Remote is one connection and good for one run. Nothing that was sent stays there: `serve` removes it when
// the connection ends, however it ends. Thread safety: one thread uses it, and passes it on whole.
#pragma once
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/builder.hpp"
#include "lab/catalogue.hpp"
#include "lab/installation.hpp"
#include "lab/result.hpp"

namespace lab {

// A side that has said nothing, or taken nothing, for so long is given up.
inline constexpr std::chrono::seconds kSilenceEnds{60};

// Words of a launcher, quoted as in a shell: "srun --gres=gpu:1", "ssh 'my host'". Nothing is expanded.
// `option` names where they come from, for the problem of a quote that is left open.
Result<std::vector<std::string>> split_launcher(const std::string& text, const std::string& option);

class Remote {
 public:
  // Starts the launcher and waits until a driverlab of this version answers: for as long as the launcher runs
  // (it may ask for a password, or wait in a queue). Looked for there: what DRIVERLAB_REMOTE names; else
  // `driverlab` on the PATH, and this program's own path.
  static Result<std::shared_ptr<Remote>> connect(const std::vector<std::string>& launcher,
                                                 const std::atomic<bool>* cancel = nullptr);
  ~Remote();  // ends the connection, and with it everything over there

  // Sends the lesson's files of `folder` and builds them there, for the driver found there.
  BuildResult build(const Lesson& lesson, const std::filesystem::path& folder, DriverChoice choice,
                    const std::atomic<bool>* cancel = nullptr);
  // For a program that is no lesson: its file is sent too, unless the same file lies in the same place there.
  Result<bool> send_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                            DriverChoice choice, const std::atomic<bool>* cancel = nullptr);
  // After build() or send_program(): the driver there; only what a person reads of it is set.
  const Driver& driver() const;
  const std::string& launcher() const;  // as it was given

  struct Impl;  // the connection; only session_remote.cpp uses it
  Impl& impl() { return *impl_; }

 private:
  Remote();
  std::unique_ptr<Impl> impl_;
};

// The other side: `driverlab serve`. Reads orders from `input` until it ends or the run has; an exit status.
int serve(int input, int output, const Installation& installation,
          std::chrono::seconds silence_ends = kSilenceEnds);

}  // namespace lab
