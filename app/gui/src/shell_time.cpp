// SPDX-License-Identifier: MIT
// The shell's commands for time: lines, changes of one object, playing, the pinned moment, two runs. Part of
// Shell (shell.hpp).
#include "shell.hpp"

#include <algorithm>

namespace gui {

void Shell::act_on_time(Action action) {
  const auto jump_to_change = [this](lab::Direction direction) {
    const std::size_t cursor = bench_.cursor();
    const bool back = direction == lab::Direction::Back;
    if (!selection_.object || (back && cursor == 0)) return;
    if (const auto event =
            bench_.model().next_change_of(selection_.object, back ? cursor - 1 : cursor, direction))
      bench_.jump(*event + 1);
  };
  switch (action) {
    case Action::Play:
      // The time view knows the speed that was chosen; any small number asks for it.
      selection_.play_rate = selection_.play_rate > 0 ? 0 : 0.1;
      break;
    case Action::NextLine:
      if (!bench_.jump_line(lab::Direction::Forward)) bench_.step();
      break;
    case Action::LastLine:
      if (!bench_.jump_line(lab::Direction::Back)) bench_.jump(0);
      break;
    case Action::NextChange:
      jump_to_change(lab::Direction::Forward);
      break;
    case Action::LastChange:
      jump_to_change(lab::Direction::Back);
      break;
    case Action::PinMoment:
      if (selection_.pin)
        selection_.pin.reset();
      else
        selection_.pin = bench_.cursor();
      break;
    case Action::CompareRuns:
      compare_runs(!comparing_runs());
      break;
    case Action::ShowGhost:
      settings_.ghost = !settings_.ghost;
      break;
    default:
      break;
  }
}

void Shell::pin_call(std::optional<std::size_t> calls) {
  const trace::Store& store = bench_.store();
  if (!calls) return selection_.pin.reset();
  const std::size_t call = std::min(*calls, store.calls());
  selection_.pin = call == 0 ? 0 : store.event_of_call(call - 1) + 1;
}

std::string Shell::state_of_time() const {
  std::string line = ",\"playing\":" + std::string(selection_.play_rate > 0 ? "true" : "false");
  line += ",\"pin\":" + (selection_.pin ? std::to_string(*selection_.pin) : std::string("-1"));
  line += ",\"object\":\"" + (selection_.object ? bench_.model().name_of(selection_.object) : std::string()) +
          "\"";
  line += ",\"line\":" + std::to_string(bench_.place(false).line);
  const auto other = bench_.other();
  line += ",\"other_calls\":" + std::to_string(other ? other->store->calls() : 0);
  line += ",\"beside\":\"" + std::string(!other ? "" : other->recording ? "recording" : "before") + "\"";
  const lab::RunPair* pair = bench_.pair();
  line += ",\"pair\":\"" +
          std::string(pair == nullptr            ? ""
                      : pair->comparison().first ? "differ"
                                                 : "same") +
          "\"";
  return line;
}

}  // namespace gui
