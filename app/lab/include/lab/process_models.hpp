// SPDX-License-Identifier: MIT
// The models of a run with several processes, one for each process. The model of the first process belongs to
// the caller, who makes it follow the run. The others are made when they are first asked for, and follow the
// run as far as the first one has.
//
// Owned by one thread, like the models. Asking for another process folds the events of that process.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab/model.hpp"

namespace lab {

// A process as the run shows it.
struct ProcessSeen {
  std::uint32_t number = 0;  // as Event::process
  std::uint64_t id = 0;      // the system's; 0: not known
  std::string command;       // its command line
};

class ProcessModels {
 public:
  // Both must outlive this object.
  ProcessModels(const Model& first, const trace::Store& store);
  ~ProcessModels();
  // References are valid as long as this object. If no process has this number, the model is empty.
  const Model& of_process(std::uint32_t process) const;
  const Model& of_event(std::size_t event) const;
  // In the order of their start, as far as the first model has followed; at least the program itself.
  const std::vector<ProcessSeen>& seen() const;

 private:
  const Model& first_;
  const trace::Store& store_;
  struct Own {
    std::vector<std::uint32_t> events;  // its own, and the first cuInit of another process
    std::unique_ptr<Model> model;       // null until it is asked for
  };
  void look() const;
  Own& own_of(std::uint32_t process) const;
  void note_init(std::uint32_t process, std::uint32_t event) const;
  void note_start(const trace::Event& start) const;

  mutable std::unordered_map<std::uint32_t, Own> others_;  // its elements never move
  mutable std::vector<ProcessSeen> seen_;
  mutable std::unordered_map<std::uint32_t, std::size_t> places_;  // by number, in seen_
  mutable std::size_t looked_at_ = 0;                              // events
  mutable std::optional<std::uint32_t> first_init_;                // the first cuInit that succeeded
  mutable std::uint32_t first_init_by_ = 0;
  mutable bool others_wanted_ = true;  // there was no cuInit of another process yet
};

}  // namespace lab
