// SPDX-License-Identifier: MIT
// See picture_since.hpp. Long lists are cut, because the marks on the boxes show all changes.
#include "picture_since.hpp"

namespace gui::picture {
namespace {

using lab::Aspect;
using lab::Text;

constexpr std::size_t kMostNames = 12, kMostChanges = 4;

Text aspect_word(Aspect aspect) {
  switch (aspect) {
    case Aspect::Flags:
      return Text::AspectFlags;
    case Aspect::UseCount:
      return Text::AspectUseCount;
    case Aspect::RetainCount:
      return Text::AspectRetainCount;
    case Aspect::Active:
      return Text::AspectActive;
    case Aspect::Owner:
      return Text::AspectOwner;
    case Aspect::Place:
      return Text::AspectPlace;
    case Aspect::References:
      return Text::AspectReferences;
    case Aspect::Handle:
      break;
  }
  return Text::AspectHandle;
}

struct Teller {
  const lab::Model& model;
  lab::Language language;
  std::string words;

  void add(const std::string& piece) {
    if (piece.empty()) return;
    if (!words.empty()) words += language == lab::Language::English ? "; " : "；";
    words += piece;
  }
  void names(const char* sign, const std::vector<lab::ObjectId>& ids) {
    std::string piece;
    std::size_t said = 0;
    for (const lab::ObjectId id : ids) {
      if (said == kMostNames) break;
      const std::string name = model.name_of(id);
      if (name.empty()) continue;
      (piece += piece.empty() ? "" : ", ") += name;
      ++said;
    }
    if (piece.empty()) return;
    piece = sign + piece;
    if (ids.size() > said)
      piece += " " + lab::text(Text::PictureSinceMore, language, {std::to_string(ids.size() - said)});
    add(piece);
  }
  std::string stack(const std::vector<std::string>& names) const {
    std::string piece;
    for (const std::string& name : names) (piece += piece.empty() ? "" : " ") += name;
    return piece.empty() ? std::string(lab::text(Text::PictureSinceEmpty, language)) : piece;
  }
};

}  // namespace

Since since_pin(const lab::Model& model, const lab::State& pinned, const lab::State& now, std::size_t call,
                lab::Language language) {
  const lab::Difference found = lab::difference(pinned, now);
  Since since;
  Teller teller{model, language, {}};
  for (const lab::Difference::Stack& stack : found.stacks) {
    std::string thread = model.name_of({lab::ObjectKind::Thread, stack.thread});
    if (thread.empty()) thread = std::to_string(stack.thread);
    teller.add(lab::text(Text::PictureSinceStack, language,
                         {thread, teller.stack(stack.before), teller.stack(stack.after)}));
  }
  teller.names("+ ", found.created);
  teller.names("− ", found.ended);
  std::size_t said = 0;
  for (const lab::Difference::Changed& change : found.changed) {
    since.marks[change.object] = Box::Since::Changed;
    if (++said > kMostChanges) continue;
    teller.add(model.name_of(change.object) + ": " +
               std::string(lab::text(aspect_word(change.aspect), language)) + " " + change.before + " → " +
               change.after);
  }
  if (said > kMostChanges)
    teller.add(lab::text(Text::PictureSinceMore, language, {std::to_string(said - kMostChanges)}));
  for (const lab::ObjectId id : found.created) since.marks[id] = Box::Since::Created;
  if (teller.words.empty()) teller.words = lab::text(Text::PictureSinceSame, language);
  since.words = call == 0 ? lab::text(Text::PictureSinceStart, language, {teller.words})
                          : lab::text(Text::PictureSince, language, {std::to_string(call), teller.words});
  return since;
}

}  // namespace gui::picture
