// SPDX-License-Identifier: MIT
// Numbers, times and results as short words, the same in every panel. Pure; of languages, only units are
// used.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lab/model.hpp"
#include "lab/text.hpp"
#include "trace/event.hpp"

namespace gui {

std::string duration_words(std::uint64_t nanoseconds);  // "40 ns", "3.1 µs", "12 ms", "1.5 s"
// "64 MiB", "1.5 KiB", "100 bytes"; the result of a call, next to code, stays English.
std::string size_words(std::uint64_t bytes, lab::Language language = lab::Language::English);
// The size of an allocation; no call says it of memory that was imported from another process.
std::string known_size_words(std::uint64_t bytes, lab::Language language);
// "SUCCESS", "201 INVALID_CONTEXT", "12345" for a value that no header names.
std::string result_words(std::int32_t result);  // of a driver call
std::string result_words(const trace::Event& call);
// What a terminal would show of it: without escape sequences, carriage returns and invalid UTF-8.
std::string printable(std::string_view bytes);
// No longer than `most` bytes, and "…" where something was cut off; never within a character.
std::string shortened(std::string text, std::size_t most);
// Notes write code between ticks; where all letters are of one face there are none.
// "/home/some…/run.trace", at most this wide: the end of a path is the name of the file, and gets twice the
// room.
std::string without_middle(std::string_view text, float room,
                           const std::function<float(std::string_view)>& width);
std::string without_ticks(std::string text);

// What a call wrote through a pointer, in one word: "2", "7.5 GiB", "Embedded GPU 0"; "" if it needs more.
std::string out_word(const lab::Model& model, std::size_t event, const trace::Argument& argument);
// All of these values, with the names in the program: "count = 2, name = “Embedded GPU 0”".
using VariableOf = std::function<std::string(const trace::Event&, std::size_t)>;
std::string written_words(const lab::Model& model, std::size_t event, const trace::Event& call,
                          const VariableOf& variable);

}  // namespace gui
