// SPDX-License-Identifier: MIT
// Notes as blocks: what md4c reads, in the few forms that the renderer draws.
//
// Entities are decoded, `<!-- step: NAME -->` comments become the step of the blocks after them, and a quote
// that begins with bold words is a box. An image below figures/ is a Figure: the window draws it from the
// run; for other readers of the notes it is a file. Does not depend on fonts or windows.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/glossary.hpp"

namespace gui::markdown {

struct Style {
  bool bold = false, italic = false, code = false, struck = false;
  int link = -1;  // index into Document::links
  int term = -1;  // index into the glossary, where mark_terms() found one
  bool operator==(const Style&) const = default;
};

// A stretch of one style. '\n' in it is a hard break.
struct Run {
  std::string text;
  Style style;
};
using Text = std::vector<Run>;
std::string plain(const Text& text);

enum class BlockKind : std::uint8_t { Paragraph, Heading, Code, Table, Rule, Figure };
enum class Align : std::uint8_t { Left, Centre, Right };

struct Block {
  BlockKind kind = BlockKind::Paragraph;
  Text text;                            // Paragraph, Heading; Code: one run; Figure: its caption
  int level = 0;                        // Heading: 1…6
  std::string language;                 // Code
  std::string figure;                   // Figure: the step whose end it shows
  int indent = 0;                       // how many lists it is in
  std::string marker;                   // "•", "3." on the first block of a list item
  int quote = -1;                       // index into Document::quotes
  bool tight = false;                   // in a tight list: no space before
  std::vector<std::vector<Text>> rows;  // Table, head first
  std::vector<Align> columns;           // Table
  int step = -1;                        // index into Document::steps; -1: before the first or behind the last
};

// Consecutive blocks of one quote. A claim ("Source: …", "What people believe") is drawn as a box.
struct Quote {
  bool claim = false;
};

struct Document {
  std::vector<Block> blocks;
  std::vector<std::string> steps;  // names, in order
  std::vector<std::string> links;
  std::vector<Quote> quotes;
  // Text of a step's first heading, or its first words.
  std::string step_title(int step) const;
};

Document parse(std::string_view markdown);
// Splits runs at terms of the glossary, at the first place in each step; not in headings, code and links.
void mark_terms(Document& document, const lab::Glossary& glossary, lab::Language language);
// "&amp;" -> "&", "&#x41;" -> "A"; an unknown entity stays as it is.
std::string decode_entity(std::string_view entity);

}  // namespace gui::markdown
