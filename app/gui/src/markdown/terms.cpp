// SPDX-License-Identifier: MIT
// Finds the glossary's terms in a document. See document.hpp.
#include <set>

#include "markdown/document.hpp"

namespace gui::markdown {
namespace {

// A run as the pieces that terms cut it into.
void split(const Run& run, const lab::Glossary& glossary, lab::Language language, std::set<std::size_t>& seen,
           Text& out) {
  if (run.style.code || run.style.link >= 0) {
    out.push_back(run);
    return;
  }
  std::size_t done = 0;
  const auto put = [&](std::size_t begin, std::size_t end, int term) {
    if (begin == end) return;
    Run piece{run.text.substr(begin, end - begin), run.style};
    piece.style.term = term;
    out.push_back(std::move(piece));
  };
  for (const lab::Glossary::Place& place : glossary.find(run.text, language)) {
    if (!seen.insert(place.term).second) continue;
    put(done, place.begin, -1);
    put(place.begin, place.end, static_cast<int>(place.term));
    done = place.end;
  }
  put(done, run.text.size(), -1);
}

}  // namespace

void mark_terms(Document& document, const lab::Glossary& glossary, lab::Language language) {
  std::set<std::size_t> seen;
  int step = -1;
  for (Block& block : document.blocks) {
    if (block.step != step) seen.clear(), step = block.step;
    if (block.kind != BlockKind::Paragraph) continue;
    Text marked;
    for (const Run& run : block.text) split(run, glossary, language, seen, marked);
    block.text = std::move(marked);
  }
}

}  // namespace gui::markdown
