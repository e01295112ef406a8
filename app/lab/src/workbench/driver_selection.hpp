// SPDX-License-Identifier: MIT
// On which driver programs run: the user's choice, whether there is a real one, and the other machine that is
// used instead. A part of the workbench.
//
// Asking a real driver for its GPUs may take seconds: a separate thread does it once, and nothing waits for
// it. Until it has ended there is no real driver. Owned by the thread that draws.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "lab/installation.hpp"
#include "workbench/wake.hpp"

namespace lab {

class DriverSelection {
 public:
  DriverSelection(const Installation& installation, std::shared_ptr<Wake> wake);
  ~DriverSelection();
  bool poll();  // true when it is known just now whether there is a real driver

  DriverChoice choice() const { return choice_; }
  void choose(DriverChoice choice) { choice_ = choice; }
  bool real_present() const { return asked_ && real_.has_value(); }

  const std::string& launcher() const { return launcher_; }  // of the other machine; "": this one
  void set_launcher(std::string launcher);
  void note_remote(const std::string& description) { remote_description_ = description; }
  std::string description() const;  // "" while it is not known

 private:
  DriverChoice choice_ = DriverChoice::Auto;
  std::string embedded_description_;
  std::string launcher_, remote_description_;
  std::atomic<bool> asked_ = false;
  bool told_ = false;
  std::optional<Driver> real_;  // readable once asked_
  std::thread thread_;
};

}  // namespace lab
