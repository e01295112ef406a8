// SPDX-License-Identifier: MIT
// Events to test with: made at random but reproducibly, and spelled out so that a difference can be read.
#pragma once
#include <random>
#include <string>

#include "trace/event.hpp"

namespace trace::test {

inline std::string spell(const Event& e) {
  std::string s = std::to_string(e.seq) + " kind " + std::to_string(static_cast<int>(e.kind)) + " thread " +
                  std::to_string(e.thread) + " process " + std::to_string(e.process) + " t " +
                  std::to_string(e.t_ns) + "+" + std::to_string(e.dur_ns);
  if (e.kind != EventKind::Call) {
    return s + " text '" + e.text + "' number " + std::to_string(e.number) + " zeros " +
           std::to_string(e.zeros) + " end " + std::to_string(static_cast<int>(e.end));
  }
  s += " " + std::string(name_of(e.function)) + " " + std::string(e.name) + "/" + std::string(e.symbol) +
       (e.returned ? " = " : " never ") + std::to_string(e.result) + " at " + std::to_string(e.address) +
       " current " + (e.current ? std::to_string(*e.current) : "-") + " " + e.file + ":" +
       std::to_string(e.line) + " depth " + std::to_string(e.depth) + " inside " + std::string(e.inside);
  for (const Argument& a : e.arguments) {
    s += "\n  " + std::string(a.type) + " " + std::string(a.name) + " <" + std::string(a.handle_type) + "> " +
         std::to_string(static_cast<int>(a.role)) + " " + std::to_string(static_cast<int>(a.kind)) +
         (a.null ? " null " : " ") + std::to_string(a.word) + " out " +
         (a.out ? std::to_string(*a.out) : "-") + " '" + a.text + "'";
  }
  return s;
}

// Every shape of event that there is, with numbers of every length.
class RandomEvents {
 public:
  explicit RandomEvents(unsigned seed) : random_(seed) {}

  Event next() {
    Event e;
    e.kind = pick(3) > 0 ? EventKind::Call : static_cast<EventKind>(pick(8));
    e.thread = static_cast<std::uint32_t>(number());
    e.process = static_cast<std::uint32_t>(number());
    e.t_ns = number();
    e.dur_ns = number();
    if (e.kind != EventKind::Call) {
      e.text = text();
      const bool output = e.kind == EventKind::Output;
      e.number = output ? 1 + pick(2) : number();
      if (output && pick(4) == 0) e.zeros = number() & (2 * kMostZeros - 1);
      e.end = static_cast<EndKind>(pick(7));
      return e;
    }
    static const char* const names[] = {"cuInit", "cuCtxCreate", "cuMemAlloc", "cuLaunchKernel"};
    static const char* const symbols[] = {"cuInit", "cuCtxCreate_v4", "cuMemAlloc_v2", "cuLaunchKernel"};
    const std::size_t which = pick(4);
    e.function = function_of(names[which]);
    e.name = names[which];
    e.symbol = symbols[which];
    e.returned = pick(10) > 0;
    e.result = static_cast<std::int32_t>(number());
    e.address = number();
    if (pick(2) == 0) e.current = number();
    if (pick(3) == 0) {
      e.depth = static_cast<std::uint32_t>(1 + pick(9));
      e.inside = "cudaMalloc";
    }
    if (pick(2) == 0) {
      e.file = "main.cpp";
      e.line = static_cast<std::uint32_t>(pick(5000));
    }
    e.arguments.resize(which);
    for (std::size_t i = 0; i < which; ++i) e.arguments[i] = argument(i);
    return e;
  }
  std::size_t pick(std::size_t below) { return random_() % below; }

 private:
  std::uint64_t number() { return random_() >> pick(64); }
  std::string text() { return std::string(pick(90), static_cast<char>('a' + pick(26))); }
  Argument argument(std::size_t i) {
    static const char* const names[] = {"first", "second", "third"};
    Argument a;
    a.name = names[i];
    a.type = "CUcontext*";
    a.handle_type = i == 0 ? "CUcontext" : "";
    a.role = static_cast<Role>(pick(3));
    a.kind = static_cast<ValueKind>(pick(15));
    a.null = pick(5) == 0;
    a.word = number();
    if (pick(2) == 0) a.out = number();
    if (pick(2) == 0) a.text = text();
    return a;
  }
  std::mt19937_64 random_;
};

}  // namespace trace::test
