// SPDX-License-Identifier: MIT
// md4c's callbacks, gathered into blocks. Nested containers (quotes, lists) become properties of the blocks
// in them, because the notes are drawn from top to bottom in one column.
#include "markdown/document.hpp"

#include <md4c.h>

#include <array>
#include <charconv>
#include <utility>

namespace gui::markdown {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kEntities = {{
    {"amp", "&"},   {"lt", "<"},    {"gt", ">"},     {"quot", "\""}, {"apos", "'"},  {"nbsp", "\u00A0"},
    {"ndash", "–"}, {"mdash", "—"}, {"hellip", "…"}, {"lsquo", "‘"}, {"rsquo", "’"}, {"ldquo", "“"},
    {"rdquo", "”"}, {"times", "×"}, {"divide", "÷"}, {"le", "≤"},    {"ge", "≥"},    {"ne", "≠"},
    {"rarr", "→"},  {"larr", "←"},  {"micro", "µ"},  {"deg", "°"},
}};

void append_utf8(std::string& out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) return put(0xC0 | (c >> 6)), put(0x80 | (c & 0x3F));
  if (c < 0x10000) return put(0xE0 | (c >> 12)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  put(0xF0 | (c >> 18)), put(0x80 | ((c >> 12) & 0x3F)), put(0x80 | ((c >> 6) & 0x3F)),
      put(0x80 | (c & 0x3F));
}

struct ListLevel {
  bool ordered = false, tight = false;
  unsigned next = 1;
  char delimiter = '.';
};

struct Reader {
  Document document;
  std::vector<ListLevel> lists;
  std::vector<int> quotes;
  std::string marker;  // waits for the first block of its item
  bool marker_waits = false;
  bool open = false;  // a block that takes text
  Block block;
  Style style;
  std::string html;         // of an HTML block, to find step marks in
  bool past_steps = false;  // what follows explains no step
  int bold = 0, italic = 0, code = 0, struck = 0;
  std::vector<int> link_stack;

  void begin(BlockKind kind) {
    finish();
    block = {};
    block.kind = kind;
    block.indent = static_cast<int>(lists.size());
    block.tight = !lists.empty() && lists.back().tight;
    block.quote = quotes.empty() ? -1 : quotes.back();
    block.step = past_steps ? -1 : static_cast<int>(document.steps.size()) - 1;
    if (std::exchange(marker_waits, false)) block.marker = marker;
    open = true;
  }
  void finish() {
    if (!std::exchange(open, false)) return;
    if (block.kind == BlockKind::Paragraph && plain(block.text).empty() && block.marker.empty()) return;
    document.blocks.push_back(std::move(block));
  }
  Text& target() {
    if (block.kind == BlockKind::Table && !block.rows.empty() && !block.rows.back().empty())
      return block.rows.back().back();
    return block.text;
  }
  void add(std::string_view text) {
    if (text.empty()) return;
    // A tight list's items have no paragraph of their own.
    if (!open) begin(BlockKind::Paragraph);
    const Style now{bold > 0, italic > 0, code > 0, struck > 0, link_stack.empty() ? -1 : link_stack.back()};
    Text& to = target();
    if (!to.empty() && to.back().style == now)
      to.back().text += text;
    else
      to.push_back({std::string(text), now});
  }
  // "figures/push.zh.svg" alone in a paragraph: a figure of the step "push". Other images are their words.
  void image(std::string_view source) {
    constexpr std::string_view kFolder = "figures/";
    const bool alone = open && block.kind == BlockKind::Paragraph && plain(block.text).empty();
    if (!alone || source.substr(0, kFolder.size()) != kFolder) return;
    source.remove_prefix(kFolder.size());
    block.kind = BlockKind::Figure;
    block.figure = source.substr(0, source.find('.'));
  }
  void step_mark(std::string_view comment) {
    constexpr std::string_view kOpen = "<!--", kWord = "step:", kEnd = "end of steps", kClose = "-->";
    for (std::size_t at = comment.find(kOpen); at != std::string_view::npos;
         at = comment.find(kOpen, at + 4)) {
      const std::size_t end = comment.find(kClose, at);
      if (end == std::string_view::npos) return;
      std::string_view inside = comment.substr(at + 4, end - at - 4);
      const std::size_t word = inside.find_first_not_of(" \t\n");
      if (word == std::string_view::npos) continue;
      if (inside.substr(word, kEnd.size()) == kEnd) past_steps = true;
      if (inside.substr(word, kWord.size()) != kWord) continue;
      past_steps = false;
      inside.remove_prefix(word + kWord.size());
      const std::size_t first = inside.find_first_not_of(" \t\n"), last = inside.find_last_not_of(" \t\n");
      if (first != std::string_view::npos)
        document.steps.emplace_back(inside.substr(first, last - first + 1));
    }
  }
};

std::string attribute(const MD_ATTRIBUTE& value) {
  std::string text;
  for (int i = 0; value.text != nullptr && value.substr_offsets[i] < value.size; ++i) {
    const std::string_view piece(value.text + value.substr_offsets[i],
                                 value.substr_offsets[i + 1] - value.substr_offsets[i]);
    text += value.substr_types[i] == MD_TEXT_ENTITY ? decode_entity(piece) : std::string(piece);
  }
  return text;
}

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
  auto& r = *static_cast<Reader*>(user);
  switch (type) {
    case MD_BLOCK_QUOTE:
      r.finish();
      r.quotes.push_back(static_cast<int>(r.document.quotes.size()));
      r.document.quotes.emplace_back();
      break;
    case MD_BLOCK_UL:
      r.finish();
      r.lists.push_back({false, static_cast<MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0});
      break;
    case MD_BLOCK_OL: {
      r.finish();
      const auto& list = *static_cast<MD_BLOCK_OL_DETAIL*>(detail);
      r.lists.push_back({true, list.is_tight != 0, list.start, list.mark_delimiter});
      break;
    }
    case MD_BLOCK_LI: {
      r.finish();
      if (r.lists.empty()) break;
      ListLevel& list = r.lists.back();
      r.marker = list.ordered ? std::to_string(list.next++) + list.delimiter : "•";
      r.marker_waits = true;
      break;
    }
    case MD_BLOCK_HR:
      r.begin(BlockKind::Rule);
      r.finish();
      break;
    case MD_BLOCK_H:
      r.begin(BlockKind::Heading);
      r.block.level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      break;
    case MD_BLOCK_CODE:
      r.begin(BlockKind::Code);
      r.block.language = attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
      break;
    case MD_BLOCK_P:
      r.begin(BlockKind::Paragraph);
      break;
    case MD_BLOCK_HTML:
      r.finish();
      r.html.clear();
      break;
    case MD_BLOCK_TABLE:
      r.begin(BlockKind::Table);
      break;
    case MD_BLOCK_TR:
      r.block.rows.emplace_back();
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: {
      r.block.rows.back().emplace_back();
      const MD_ALIGN align = static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align;
      if (r.block.columns.size() < r.block.rows.back().size())
        r.block.columns.push_back(align == MD_ALIGN_RIGHT    ? Align::Right
                                  : align == MD_ALIGN_CENTER ? Align::Centre
                                                             : Align::Left);
      if (type == MD_BLOCK_TH) ++r.bold;
      break;
    }
    default:
      break;
  }
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* user) {
  auto& r = *static_cast<Reader*>(user);
  switch (type) {
    case MD_BLOCK_QUOTE:
      r.finish();
      r.quotes.pop_back();
      break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      r.finish();
      r.lists.pop_back();
      break;
    case MD_BLOCK_LI:
      if (r.marker_waits) r.begin(BlockKind::Paragraph);  // an item without words
      r.finish();
      break;
    case MD_BLOCK_HTML:
      r.step_mark(r.html);
      break;
    case MD_BLOCK_TH:
      --r.bold;
      break;
    case MD_BLOCK_P:
    case MD_BLOCK_H:
    case MD_BLOCK_CODE:
    case MD_BLOCK_TABLE:
      r.finish();
      break;
    default:
      break;
  }
  return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* user) {
  auto& r = *static_cast<Reader*>(user);
  if (type == MD_SPAN_STRONG) ++r.bold;
  if (type == MD_SPAN_EM) ++r.italic;
  if (type == MD_SPAN_CODE) ++r.code;
  if (type == MD_SPAN_DEL) ++r.struck;
  if (type == MD_SPAN_IMG) r.image(attribute(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src));
  if (type == MD_SPAN_A) {
    r.link_stack.push_back(static_cast<int>(r.document.links.size()));
    r.document.links.push_back(attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
  }
  return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* user) {
  auto& r = *static_cast<Reader*>(user);
  if (type == MD_SPAN_STRONG) --r.bold;
  if (type == MD_SPAN_EM) --r.italic;
  if (type == MD_SPAN_CODE) --r.code;
  if (type == MD_SPAN_DEL) --r.struck;
  if (type == MD_SPAN_A) r.link_stack.pop_back();
  return 0;
}

bool is_chinese(std::string_view text, bool at_end) {
  if (text.size() < 3) return false;
  const auto lead = static_cast<unsigned char>(at_end ? text[text.size() - 3] : text[0]);
  return lead >= 0xE3 && lead <= 0xEF;  // U+3000 and above
}

int text(MD_TEXTTYPE type, const MD_CHAR* chars, MD_SIZE size, void* user) {
  auto& r = *static_cast<Reader*>(user);
  const std::string_view piece(chars, size);
  switch (type) {
    case MD_TEXT_HTML:
      if (r.open && r.block.kind != BlockKind::Code)
        r.step_mark(piece);
      else
        r.html += piece;
      break;
    case MD_TEXT_ENTITY:
      r.add(decode_entity(piece));
      break;
    case MD_TEXT_NULLCHAR:
      r.add("\uFFFD");
      break;
    case MD_TEXT_BR:
      r.add("\n");
      break;
    case MD_TEXT_SOFTBR: {
      // A line break in a Chinese source is not a space.
      const Text& so_far = r.target();
      if (!so_far.empty() && is_chinese(so_far.back().text, true)) break;
      r.add(" ");
      break;
    }
    default:
      r.add(piece);
  }
  return 0;
}

void mark_claims(Document& document) {
  int previous = -1;
  for (const Block& block : document.blocks) {
    if (block.quote >= 0 && block.quote != previous)
      document.quotes[static_cast<std::size_t>(block.quote)].claim =
          !block.text.empty() && block.text.front().style.bold;
    previous = block.quote;
  }
}

void trim_code(Document& document) {
  for (Block& block : document.blocks)
    if (block.kind == BlockKind::Code)
      for (Run& run : block.text)
        while (!run.text.empty() && run.text.back() == '\n') run.text.pop_back();
}

}  // namespace

std::string decode_entity(std::string_view entity) {
  if (entity.size() < 3 || entity.front() != '&' || entity.back() != ';') return std::string(entity);
  std::string_view name = entity.substr(1, entity.size() - 2);
  if (name.front() == '#') {
    name.remove_prefix(1);
    const bool hexadecimal = !name.empty() && (name.front() == 'x' || name.front() == 'X');
    if (hexadecimal) name.remove_prefix(1);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
    if (error != std::errc() || end != name.data() + name.size()) return std::string(entity);
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
    std::string out;
    append_utf8(out, code);
    return out;
  }
  for (const auto& [known, value] : kEntities)
    if (known == name) return std::string(value);
  return std::string(entity);
}

std::string plain(const Text& text) {
  std::string out;
  for (const Run& run : text) out += run.text;
  return out;
}

std::string Document::step_title(int step) const {
  for (const Block& block : blocks)
    if (block.step == step && block.kind == BlockKind::Heading) return plain(block.text);
  return step >= 0 && step < static_cast<int>(steps.size()) ? steps[static_cast<std::size_t>(step)]
                                                            : std::string();
}

Document parse(std::string_view markdown) {
  Reader reader;
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_PERMISSIVEURLAUTOLINKS;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = text;
  // md4c 0.4.8 reads past its input if that ends inside a link of a table; a line end after the input
  // prevents it.
  std::string complete(markdown);
  complete += '\n';
  md_parse(complete.data(), static_cast<MD_SIZE>(complete.size()), &parser, &reader);
  reader.finish();
  mark_claims(reader.document);
  trim_code(reader.document);
  return std::move(reader.document);
}

}  // namespace gui::markdown
