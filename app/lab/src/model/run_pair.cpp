// SPDX-License-Identifier: MIT
// See lab/run_pair.hpp. Each thread's calls are compared as two texts with one name a line. Calls of the same
// functions at both ends are removed first, so that long runs cost little more than reading their functions.
#include "lab/run_pair.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "lab/text_difference.hpp"

namespace lab {
namespace {

constexpr std::uint32_t kAlone = 0xffffffffu;
constexpr std::size_t kMostMatched = 20'000;  // of a stretch whose calls are matched by more than their order

struct CallsOfThread {
  std::vector<std::uint32_t> calls;  // their numbers in the run
  std::vector<trace::Function> functions;
};
using Threads = std::map<std::uint32_t, CallsOfThread>;

Threads calls_by_thread(const trace::Store& store) {
  Threads threads;
  const std::size_t calls = store.calls();
  for (std::size_t call = 0; call < calls; ++call) {
    const trace::Event event = store.at(store.event_of_call(call));
    CallsOfThread& of = threads[event.thread];
    of.calls.push_back(static_cast<std::uint32_t>(call));
    of.functions.push_back(event.function);
  }
  return threads;
}

std::string texts_of(const CallsOfThread& of, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) (text += trace::name_of(of.functions[i])) += '\n';
  return text;
}

class Matcher {
 public:
  Matcher(std::vector<std::uint32_t>& a_to_b, std::vector<std::uint32_t>& b_to_a)
      : a_to_b_(a_to_b), b_to_a_(b_to_a) {}
  void match(const CallsOfThread& a, const CallsOfThread& b) {
    const std::size_t most = std::min(a.calls.size(), b.calls.size());
    std::size_t front = 0, back = 0;
    while (front < most && a.functions[front] == b.functions[front]) pair(a, front, b, front), ++front;
    while (back < most - front &&
           a.functions[a.calls.size() - 1 - back] == b.functions[b.calls.size() - 1 - back]) {
      pair(a, a.calls.size() - 1 - back, b, b.calls.size() - 1 - back);
      ++back;
    }
    const std::size_t a_end = a.calls.size() - back, b_end = b.calls.size() - back;
    if (front == a_end || front == b_end) return;
    if (std::max(a_end, b_end) - front > kMostMatched) {
      for (std::size_t i = front; i < std::min(a_end, b_end); ++i) pair(a, i, b, i);
      return;
    }
    for (const DifferenceLine& line : difference_of(texts_of(a, front, a_end), texts_of(b, front, b_end)))
      if (line.kind == DifferenceLine::Kind::Same && line.before > 0 && line.after > 0)
        pair(a, front + static_cast<std::size_t>(line.before) - 1, b,
             front + static_cast<std::size_t>(line.after) - 1);
  }

 private:
  void pair(const CallsOfThread& a, std::size_t i, const CallsOfThread& b, std::size_t j) {
    if (i >= a.calls.size() || j >= b.calls.size()) return;
    a_to_b_[a.calls[i]] = b.calls[j];
    b_to_a_[b.calls[j]] = a.calls[i];
  }
  std::vector<std::uint32_t>&a_to_b_, &b_to_a_;
};

// From the partner of each call to what has been made after so many calls.
std::vector<std::uint32_t> made_beside(const std::vector<std::uint32_t>& partner) {
  std::vector<std::uint32_t> made(partner.size() + 1, 0);
  for (std::size_t call = 0; call < partner.size(); ++call)
    made[call + 1] = partner[call] == kAlone ? made[call] : partner[call] + 1;
  return made;
}

}  // namespace

RunPair::RunPair(const ComparedRun& first, const ComparedRun& second, const CompareOptions& options)
    : comparison_(first_divergence(first, second, options)) {
  std::vector<std::uint32_t> a_to_b(first.store.calls(), kAlone), b_to_a(second.store.calls(), kAlone);
  const Threads a = calls_by_thread(first.store), b = calls_by_thread(second.store);
  Matcher matcher(a_to_b, b_to_a);
  for (const auto& [thread, calls] : a)
    if (const auto other = b.find(thread); other != b.end()) matcher.match(calls, other->second);
  partner_[0] = made_beside(a_to_b);
  partner_[1] = made_beside(b_to_a);
}

std::size_t RunPair::calls_beside(Side side, std::size_t calls) const {
  const std::vector<std::uint32_t>& made = partner_[side == Side::First ? 0 : 1];
  return made[std::min(calls, made.size() - 1)];
}

std::optional<std::size_t> RunPair::partner(Side side, std::size_t call) const {
  const std::vector<std::uint32_t>& made = partner_[side == Side::First ? 0 : 1];
  // No two calls have the same partner, so one that has a partner changes the number.
  if (call + 1 >= made.size() || made[call + 1] == made[call]) return std::nullopt;
  return made[call + 1] - 1;
}

}  // namespace lab
