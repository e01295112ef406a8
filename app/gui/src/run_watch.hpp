// SPDX-License-Identifier: MIT
// Whether the workbench shows another run, or another lesson, than in the frame before.
//
// A run has a number, which grows when a new one begins: what a panel has kept about calls is then invalid.
#pragma once
#include <cstdint>
#include <string>

#include "lab/workbench.hpp"

namespace gui {

class RunWatch {
 public:
  struct News {
    bool run = false, lesson = false;
  };
  // `events_seen`: how many events of the run were looked at; a store with fewer holds another run.
  News follow(const lab::Workbench& bench, std::size_t events_seen) {
    const lab::RunPhase phase = bench.phase();
    const std::string lesson = bench.lesson() == nullptr ? "" : bench.lesson()->slug;
    const bool began =
        phase != phase_ && (phase == lab::RunPhase::Building || phase_ == lab::RunPhase::Building);
    const News news{.run = began || bench.store().size() < events_seen || lesson != lesson_,
                    .lesson = lesson != lesson_};
    if (news.run) ++number_;
    phase_ = phase;
    lesson_ = lesson;
    return news;
  }
  std::uint64_t number() const { return number_; }
  const std::string& lesson() const { return lesson_; }  // its slug; empty: none

 private:
  std::uint64_t number_ = 0;
  lab::RunPhase phase_ = lab::RunPhase::Idle;
  std::string lesson_;
};

}  // namespace gui
