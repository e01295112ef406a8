// SPDX-License-Identifier: MIT
// See markdown/page.hpp: from blocks to placed words, in one pass from top to bottom; y_ is where the next
// block begins.
#include "markdown/page.hpp"
#include <cctype>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "editor/lexer.hpp"
#include "editor/token_role.hpp"
#include "markdown/wrap.hpp"
#include "widgets.hpp"

namespace gui::markdown {

class PageMaker {
 public:
  PageMaker(const Frame& frame, const Document& document, float width, Page::Lines lines)
      : frame_(frame), document_(document), close_(lines == Page::Lines::Close), width_(width) {
    page_.links_ = document.links;
    page_.width_ = width;
  }
  Page run();

 private:
  struct Look {
    Face face = Face::Ui;
    Size size = Size::Body;
    Role role = Role::Text;
  };
  // A text with its runs joined, so that the style of each place in it can be found.
  struct Flat {
    std::string text;
    std::vector<std::size_t> ends;
    // The run that this byte lies in; a line knows its runs without a look at all others.
    std::size_t run_at(std::size_t byte) const {
      return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), byte) - ends.begin());
    }
    const Text* runs = nullptr;
    Look look;
  };
  float px(float value) const { return frame_.px(value); }
  Flat flatten(const Text& text, Look look) const;
  Look look_of(const Flat& flat, std::size_t run) const;
  float measure(const Flat& flat, std::string_view part) const;
  float line_height(Size size) const {
    return std::round(frame_.fonts.height(Face::Ui, size) * (close_ ? 1.18f : 1.42f));
  }
  // Returns the height used.
  float put_text(const Text& text, Look look, float x, float y, float room, Align align = Align::Left);
  void put_line(const Flat& flat, const Line& line, float x, float y, float tall);
  void block(const Block& block, const Block* previous);
  void code(const Block& block, float x, float room);
  void table(const Block& block, float x, float room);
  std::vector<float> column_widths(const Block& block, float room) const;
  void open_step(int step);
  void close_step();
  void close_quote();

  const Frame& frame_;
  const Document& document_;
  const bool close_;
  Page page_;
  float width_, y_ = 0;
  int step_ = -1, quote_ = -1;
  float quote_top_ = 0;
};

PageMaker::Flat PageMaker::flatten(const Text& text, Look look) const {
  Flat flat;
  flat.runs = &text, flat.look = look;
  for (const Run& run : text) {
    flat.text += run.text;
    flat.ends.push_back(flat.text.size());
  }
  return flat;
}

PageMaker::Look PageMaker::look_of(const Flat& flat, std::size_t run) const {
  const Style& style = (*flat.runs)[run].style;
  Look look = flat.look;
  if (style.bold) look.face = Face::Bold;
  if (style.code) {
    look.face = Face::Mono;
    // Mono exists in two sizes; in a heading it stays the heading's letters.
    if (flat.look.size == Size::Title || flat.look.size == Size::Large) look.face = Face::Bold;
  }
  if (style.link >= 0) look.role = Role::Accent;
  return look;
}

bool has_chinese(std::string_view text) {
  for (std::size_t at = 0; at < text.size();)
    if (next_character(text, at) >= 0x2E80) return true;
  return false;
}

float PageMaker::measure(const Flat& flat, std::string_view part) const {
  const auto begin = static_cast<std::size_t>(part.data() - flat.text.data());
  const std::size_t end = begin + part.size();
  float width = 0;
  std::size_t a = begin;
  for (std::size_t run = flat.run_at(begin); a < end; ++run) {
    const std::size_t b = std::min(end, flat.ends[run]);
    if (a == b) continue;
    const Look look = look_of(flat, run);
    width += text_size(frame_, std::string_view(flat.text).substr(a, b - a), look.face, look.size).x;
    if ((*flat.runs)[run].style.code) width += px(6);
    a = b;
  }
  return width;
}

void PageMaker::put_line(const Flat& flat, const Line& line, float x, float y, float tall) {
  std::size_t next = line.begin;
  for (std::size_t run = flat.run_at(line.begin); next < line.end; ++run) {
    const std::size_t a = next, b = std::min(line.end, flat.ends[run]);
    next = b;
    if (a == b) continue;
    const Style& style = (*flat.runs)[run].style;
    const Look look = look_of(flat, run);
    Page::Word word;
    word.text = flat.text.substr(a, b - a);
    if (a > 0)
      word.joint = a == line.begin && std::isspace(static_cast<unsigned char>(flat.text[a - 1])) != 0
                       ? Page::Joint::Space
                       : Page::Joint::None;
    word.face = look.face, word.size = look.size, word.role = look.role;
    word.code = style.code, word.struck = style.struck;
    word.link = style.link, word.term = style.term;
    if (style.italic) {
      // Chinese has no slanted letters: emphasis is bold there.
      if (has_chinese(word.text))
        word.face = Face::Bold;
      else
        word.oblique = true;
    }
    const float pad = style.code ? px(3) : 0;
    word.w = text_size(frame_, word.text, word.face, word.size).x;
    word.h = tall;
    word.x = x + pad, word.y = y;
    x += word.w + 2 * pad;
    page_.words_.push_back(std::move(word));
  }
}

float PageMaker::put_text(const Text& text, Look look, float x, float y, float room, Align align) {
  const Flat flat = flatten(text, look);
  const float tall = line_height(look.size);
  float used = 0;
  for (const Line& line : wrap(flat.text, room, [&](std::string_view part) { return measure(flat, part); })) {
    const float spare = std::max(0.0f, room - line.width);
    const float shift = align == Align::Right ? spare : align == Align::Centre ? std::floor(spare / 2) : 0;
    put_line(flat, line, x + shift, y + used, tall);
    used += tall;
  }
  return used;
}

void PageMaker::code(const Block& block, float x, float room) {
  const std::string text = plain(block.text);
  const float tall = std::round(frame_.fonts.height(Face::Mono, Size::Small) * 1.5f), pad = px(12);
  const std::size_t shape = page_.shapes_.size();
  page_.shapes_.push_back({Page::ShapeKind::Code, x, y_, room, 0, text});
  float y = y_ + px(10);
  const bool coloured = block.language != "text" && block.language != "sh" && block.language != "console";
  editor::LexState state;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    std::vector<editor::Span> spans;
    if (coloured) state = editor::lex_line(line, state, spans);
    float cursor = x + pad;
    editor::in_colours(line, spans, [&](std::string_view part, editor::Token, Role role) {
      Page::Word word;
      if (part.data() != line.data()) word.joint = Page::Joint::None;
      word.text = part, word.face = Face::Mono, word.size = Size::Small, word.role = role;
      word.x = cursor, word.y = y, word.h = tall;
      word.w = text_size(frame_, word.text, Face::Mono, Size::Small).x;
      cursor += word.w;
      // What does not fit is cut with an ellipsis; the button copies all of it.
      if (word.x < x + room - pad) page_.words_.push_back(std::move(word));
    });
    y += tall;
    if (end == text.size()) break;
    at = end + 1;
  }
  y_ = y + px(10);
  page_.shapes_[shape].h = y_ - page_.shapes_[shape].y;
}

// Natural widths where they fit; otherwise the wide columns give way, each keeping room for its longest word.
std::vector<float> PageMaker::column_widths(const Block& block, float room) const {
  std::size_t count = 0;
  for (const auto& row : block.rows) count = std::max(count, row.size());
  std::vector<float> widths(count, px(20));
  for (const auto& row : block.rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Flat flat = flatten(row[i], {});
      widths[i] = std::max(widths[i], measure(flat, flat.text) + px(1));
    }
  const float gaps = px(16) * static_cast<float>(count);
  const float total = std::accumulate(widths.begin(), widths.end(), 0.0f);
  if (total + gaps <= room || count == 0) return widths;
  // Columns narrower than their even share keep their width; the others divide what is left.
  float left = std::max(room - gaps, px(20) * static_cast<float>(count));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return widths[a] < widths[b]; });
  for (std::size_t i = 0; i < count; ++i) {
    const float share = std::floor(left / static_cast<float>(count - i));
    widths[order[i]] = std::min(widths[order[i]], share);
    left -= widths[order[i]];
  }
  return widths;
}

void PageMaker::table(const Block& block, float x, float room) {
  const std::vector<float> widths = column_widths(block, room);
  const float gap = px(16);
  const float total =
      std::accumulate(widths.begin(), widths.end(), 0.0f) + gap * static_cast<float>(widths.size());
  for (std::size_t row = 0; row < block.rows.size(); ++row) {
    float tallest = line_height(Size::Body), cell = x + gap / 2;
    const std::size_t shape = page_.shapes_.size();
    page_.shapes_.push_back(
        {row == 0 ? Page::ShapeKind::TableHead : Page::ShapeKind::TableLine, x, y_, total, 0, {}});
    for (std::size_t i = 0; i < block.rows[row].size(); ++i) {
      const Align align = i < block.columns.size() ? block.columns[i] : Align::Left;
      tallest = std::max(tallest, put_text(block.rows[row][i], {}, cell, y_ + px(4), widths[i], align));
      cell += widths[i] + gap;
    }
    page_.shapes_[shape].h = tallest + px(8);
    y_ += tallest + px(8);
  }
}

void PageMaker::open_step(int step) {
  close_step();
  step_ = step;
  y_ += px(10);
  if (step < 0) return;
  page_.steps_.push_back({step, y_, y_});
  y_ += px(8);
  Page::Word label;
  label.text = frame_.text(lab::Text::NotesStep, {std::to_string(step + 1)});
  label.face = Face::Bold, label.size = Size::Small, label.role = Role::Accent;
  label.x = px(Page::kSide), label.y = y_, label.h = line_height(Size::Small);
  label.w = text_size(frame_, label.text, label.face, label.size).x;
  y_ += label.h + px(2);
  page_.words_.push_back(std::move(label));
}

void PageMaker::close_step() {
  close_quote();
  if (step_ < 0) return;
  y_ += px(12);
  page_.steps_.back().bottom = y_;
  step_ = -1;
}

void PageMaker::close_quote() {
  if (quote_ < 0) return;
  const bool claim = document_.quotes[static_cast<std::size_t>(quote_)].claim;
  if (claim) y_ += px(10);
  Page::Shape shape;
  shape.kind = claim ? Page::ShapeKind::Claim : Page::ShapeKind::Bar;
  shape.x = px(Page::kSide), shape.y = quote_top_, shape.w = width_ - px(2 * Page::kSide),
  shape.h = y_ - quote_top_;
  page_.shapes_.push_back(std::move(shape));
  quote_ = -1;
  if (claim) y_ += px(4);
}

void PageMaker::block(const Block& block, const Block* previous) {
  if (block.step != step_) open_step(block.step), previous = nullptr;
  if (block.quote != quote_) close_quote();
  float x = px(Page::kSide), right = width_ - px(Page::kSide);
  const bool claim = block.quote >= 0 && document_.quotes[static_cast<std::size_t>(block.quote)].claim;
  if (previous != nullptr)
    y_ += block.kind == BlockKind::Heading ? px(16) : px(block.tight ? 3 : close_ ? 6 : 10);
  if (block.quote >= 0) {
    if (quote_ < 0) {
      quote_ = block.quote, quote_top_ = y_;
      if (claim) y_ += px(10);
    }
    x += px(14), right -= claim ? px(14) : 0;
  }
  if (block.indent > 0) {
    x += px(20) * static_cast<float>(block.indent);
    if (!block.marker.empty()) {
      Page::Word marker;
      marker.text = block.marker, marker.role = Role::Muted;
      marker.w = text_size(frame_, marker.text).x, marker.h = line_height(Size::Body);
      marker.x = x - marker.w - px(7), marker.y = y_;
      page_.words_.push_back(std::move(marker));
    }
  }
  const float room = std::max(right - x, px(60));
  switch (block.kind) {
    case BlockKind::Heading: {
      const Size size = block.level == 1 ? Size::Large : block.level == 2 ? Size::Title : Size::Body;
      y_ += put_text(block.text, {Face::Bold, size, Role::Text}, x, y_, room);
      break;
    }
    case BlockKind::Paragraph: {
      Text text = block.text;
      y_ += put_text(text, {}, x, y_, room);
      break;
    }
    case BlockKind::Code:
      code(block, x, room);
      break;
    case BlockKind::Table:
      table(block, x, room);
      break;
    case BlockKind::Figure: {
      const float tall = px(136);
      page_.figures_.push_back({block.figure, x, y_, room, tall});
      y_ += tall + px(4);
      y_ += put_text(block.text, {Face::Ui, Size::Small, Role::Muted}, x, y_, room);
      break;
    }
    case BlockKind::Rule:
      page_.shapes_.push_back({Page::ShapeKind::Rule, x, y_ + px(6), room, 0, {}});
      y_ += px(12);
      break;
  }
}

Page PageMaker::run() {
  const Block* previous = nullptr;
  for (const Block& each : document_.blocks) {
    // The bold lead of a claim is its heading.
    const std::size_t first = page_.words_.size();
    block(each, previous);
    if (each.quote >= 0 && document_.quotes[static_cast<std::size_t>(each.quote)].claim &&
        !each.text.empty() && each.text.front().style.bold) {
      const std::string& lead = each.text.front().text;
      std::size_t coloured = 0;
      for (std::size_t i = first; i < page_.words_.size() && coloured < lead.size(); ++i) {
        if (page_.words_[i].face != Face::Bold) continue;
        page_.words_[i].role = Role::Caution;
        coloured += page_.words_[i].text.size() + 1;
      }
    }
    previous = &each;
  }
  close_step();
  close_quote();
  page_.height_ = y_ + (close_ ? 0 : px(Page::kBelow));
  return std::move(page_);
}

Page Page::lay_out(const Frame& frame, const Document& document, float width, Lines lines) {
  return PageMaker(frame, document, width, lines).run();
}

const Page::Step* Page::step_at(float y) const {
  for (const Step& step : steps_)
    if (y >= step.top && y < step.bottom) return &step;
  return nullptr;
}

}  // namespace gui::markdown
