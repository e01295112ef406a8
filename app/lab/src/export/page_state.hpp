// SPDX-License-Identifier: MIT
// What changes from one moment of a run to the next, as data for the page's viewer: an object whose keys name
// parts of the picture and whose values are the parts, null for what is gone. Nothing here depends on HTML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include <nlohmann/json_fwd.hpp>

#include "lab/state.hpp"

namespace lab {

// One for each page; moments must come in order.
class PageState {
 public:
  // Keys: "t0" a thread, "d0" a device, "c3" a context (its index), "a7" an allocation, "o12" an object. It
  // takes as long as there are parts that `touched` lists: what may differ from the moment before, of this
  // process. If that was another moment than the one of the last call here, all parts are compared.
  nlohmann::json change_to(const State& now, const Touched& touched);

 private:
  // The parts of the moment before, by their numbers.
  template <class Part>
  using Parts = std::unordered_map<std::uint32_t, Part>;
  template <class Part>
  static void update(nlohmann::json& changes, char letter, Parts<Part>& before, std::uint32_t number,
                     const Part* now);
  Touched everything(const State& now) const;  // that is there now or was there before
  void update_thread(nlohmann::json& changes, const State& state, Touched::OfThread touched);

  std::uint32_t process_ = 0;
  std::size_t moment_ = 0;
  Parts<Thread> threads_;
  Parts<Device> devices_;
  Parts<Context> contexts_;
  Parts<Allocation> allocations_;
  Parts<Object> objects_;
};

}  // namespace lab
