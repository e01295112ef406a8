// SPDX-License-Identifier: MIT
// A run of several processes as a picture of each. The first process's model is somebody else's, who follows
// the run with it; the others are made when they are first asked for, and go as far as that one has come.
//
// Owned by one thread, like the models. A look at another process folds the run once more, so it takes as
// long as the run is.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lab/model.hpp"

namespace lab {

// A process as the run shows it.
struct ProcessSeen {
  std::uint32_t number = 0;  // as Event::process
  std::uint64_t id = 0;      // the system's; 0: nobody said
  std::string command;       // its command line
};

class ProcessModels {
 public:
  // Both outlive this.
  ProcessModels(const Model& first, const trace::Store& store);
  ~ProcessModels();
  // References live as long as this. A number that no process has gives an empty picture.
  const Model& of_process(std::uint32_t process) const;
  const Model& of_event(std::size_t event) const;
  // In the order of their start, as far as the first model has come; at least the program itself.
  const std::vector<ProcessSeen>& seen() const;

 private:
  const Model& first_;
  const trace::Store& store_;
  mutable std::map<std::uint32_t, std::unique_ptr<Model>> others_;
  mutable std::vector<ProcessSeen> seen_;
  mutable std::size_t looked_at_ = 0;  // events
};

}  // namespace lab
