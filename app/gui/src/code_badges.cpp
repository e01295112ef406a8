// SPDX-License-Identifier: MIT
// See code_badges.hpp.
#include "code_badges.hpp"

#include <algorithm>

#include "formatting.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr std::size_t kLookBack = 4096;  // events read after a jump

}  // namespace

editor::Badge badge_for(const Frame& frame, std::size_t index) {
  const trace::Event event = frame.bench.store().at(index);
  const lab::Model& model = frame.bench.model_of(index);
  if (!event.returned) {
    const auto end = frame.bench.end();
    if (end && end->asked_to())
      return {{std::string(frame.text(Text::CallsStoppedHere)), Role::Muted, false}};
    return {{std::string(frame.text(Text::CodeNeverReturned)), Role::Bad, false}};
  }
  if (event.result != 0 && frame.bench.expected_failure(index))
    return {{"✓ → " + result_words(event), Role::Caution, false}};
  if (event.result != 0) return {{"→ " + result_words(event), Role::Bad, false}};
  if (event.current) {
    editor::Badge badge;
    std::vector<std::string> names = model.stack_names(index);
    if (names.empty()) return {{std::string(frame.text(Text::CodeStackEmpty)), Role::Muted, false}};
    constexpr std::size_t kMost = 6;
    if (names.size() > kMost) {
      badge.push_back({"… ", Role::Muted, false});
      names.erase(names.begin(), names.end() - kMost);
    }
    for (const std::string& name : names) {
      if (!badge.empty() && badge.back().context) badge.push_back({", ", Role::Muted, false});
      badge.push_back({name, Role::Text, true});
    }
    return badge;
  }
  for (const trace::Argument& argument : event.arguments) {
    const std::string word = out_word(model, index, argument);
    if (word.empty()) continue;
    const bool context = argument.handle_type == "CUcontext" && argument.kind == trace::ValueKind::Handle;
    constexpr std::size_t kMostBytes = 28;
    const std::string shown = shortened(word, kMostBytes);
    const std::string variable =
        frame.bench.variable(event, static_cast<std::size_t>(&argument - event.arguments.data()));
    return {{(variable.empty() ? std::string(argument.name) : variable) + " = ", Role::Muted, false},
            {shown, Role::Good, context && word != "null"}};
  }
  return {{"0 " + result_words(0), Role::Good, false}};
}

void CodeBadges::take(const Frame& frame, std::size_t index) {
  const trace::Store& store = frame.bench.store();
  if (store.kind_at(index) != trace::EventKind::Call) return;
  const trace::Event event = store.at(index);
  if (event.line == 0) return;
  const std::string file = frame.bench.file_of(event.file);
  if (file.empty()) return;
  const int line = static_cast<int>(event.line) - 1;
  words_[file][line] = badge_for(frame, index);
}

void CodeBadges::update(const Frame& frame) {
  const std::size_t cursor = frame.bench.cursor();
  const bool same = run_ == frame.run && language_ == frame.language;
  if (same && cursor == cursor_) return;
  std::size_t begin = cursor_;
  if (!same || cursor < cursor_ || cursor - cursor_ > kLookBack) {
    words_.clear();
    begin = cursor > kLookBack ? cursor - kLookBack : 0;
  }
  // A later call on the same line replaces the earlier one's words, so after a jump only the last call of
  // each line is put into words.
  if (cursor - begin <= 64) {
    for (std::size_t i = begin; i < cursor; ++i) take(frame, i);
  } else {
    std::map<std::pair<std::string, std::uint32_t>, bool> seen;
    for (std::size_t i = cursor; i-- > begin;) {
      if (frame.bench.store().kind_at(i) != trace::EventKind::Call) continue;
      const trace::Event event = frame.bench.store().at(i);
      if (seen.emplace(std::pair(event.file, event.line), true).second) take(frame, i);
    }
  }
  cursor_ = cursor, run_ = frame.run, language_ = frame.language;
}

const std::map<int, editor::Badge>& CodeBadges::of(const std::string& file) {
  return words_[file];
}

}  // namespace gui
