// SPDX-License-Identifier: MIT
// Another machine, reached through a launcher (ssh, srun, any program that runs a command elsewhere): a
// lesson is sent, built and run there by `driverlab serve`, and stepped from here.
//
// A Remote is one connection, for one run. No sent file stays on the other machine: `serve` removes them when
// the connection ends, however it ends. Only one thread at a time may use a Remote.
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

// If a side has sent nothing, or received nothing, for this time, the other side ends the connection.
inline constexpr std::chrono::seconds kSilenceEnds{60};

// The words of a launcher, quoted as in a shell: "srun --gres=gpu:1", "ssh 'my host'". Nothing is expanded.
// `option` is where the text comes from, for the message about a missing closing quote.
Result<std::vector<std::string>> split_launcher(const std::string& text, const std::string& option);

class Remote {
 public:
  // Starts the launcher and waits until a driverlab of this version replies, as long as the launcher runs: it
  // may ask for a password, or wait in a queue. On the other machine, the program that DRIVERLAB_REMOTE names
  // is started; else `driverlab` on the PATH, or the program at the path that this one has here.
  static Result<std::shared_ptr<Remote>> connect(const std::vector<std::string>& launcher,
                                                 const std::atomic<bool>* cancel = nullptr);
  ~Remote();  // ends the connection, and with it everything on the other machine

  // Sends the lesson's files in `folder` and builds them on the other machine, for the driver found there.
  BuildResult build(const Lesson& lesson, const std::filesystem::path& folder, DriverChoice choice,
                    const std::atomic<bool>* cancel = nullptr);
  // For a program that is not a lesson. Its file is sent too, unless the other machine has the same file in
  // the same place.
  Result<bool> send_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                            DriverChoice choice, const std::atomic<bool>* cancel = nullptr);
  // After build() or send_program(): the driver of the other machine; only the parts for people are set.
  const Driver& driver() const;
  const std::string& launcher() const;  // as it was given

  struct Impl;  // the connection; only session_remote.cpp uses it
  Impl& impl() { return *impl_; }

 private:
  Remote();
  std::unique_ptr<Impl> impl_;
};

// The other side: `driverlab serve`. Reads commands from `input` until the input or the run ends; returns the
// exit status.
int serve(int input, int output, const Installation& installation,
          std::chrono::seconds silence_ends = kSilenceEnds);

}  // namespace lab
