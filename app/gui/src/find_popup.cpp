// SPDX-License-Identifier: MIT
// Finding anything: objects, calls of the run, notes and exercises, terms. A field, and below it what was
// found, kind by kind.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formatting.hpp"
#include "lab/call_search.hpp"
#include "lab/letters.hpp"
#include "lab/object_names.hpp"
#include "lab/search.hpp"
#include "picture_find.hpp"
#include "popup.hpp"
#include "text_field.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr std::size_t kMostOfAKind = 6, kMostOfALesson = 2, kEventsAFrame = 2000;

class FindPopup : public Popup {
 public:
  explicit FindPopup(const PopupContext& of) : of_(of) {}
  Shape shape() const override { return {.id = "find", .width = 640, .keys = Keys::Own}; }
  void open() override {
    // The function that is looked at is a good guess; who types puts other words in its place.
    if (const std::size_t calls = of_.bench.call_at_cursor(); field_.text().empty() && calls > 0)
      field_.set(std::string(of_.bench.store().at(of_.bench.store().event_of_call(calls - 1)).name));
    field_.select_all();
    sight_.forget();
    looked_for_.reset();  // the run may be another one
    entered_ = false;
  }
  bool take(const KeyPress& press) override;
  bool type(std::string_view text) override { return field_.type(text), true; }
  void add_text(Fonts& fonts, lab::Language) override {
    fonts.add_text(field_.text());
    for (const Found& each : found_) fonts.add_text(each.title + each.more);
  }
  void draw(Frame& frame, float most_height) override;

 private:
  struct Found {
    Text kind;
    std::string title, more;
    std::vector<Command> wanted;        // by Enter
    std::optional<std::size_t> moment;  // the run goes there
  };
  void look_for(const Frame& frame, const std::string& words);
  bool add_calls(Frame& frame);
  void add_objects(const std::string& words, const Frame& frame);
  void add_terms(const std::string& words, const Frame& frame);
  void add_notes(const std::string& words, const Frame& frame);
  void go_to(const Found& found);

  PopupContext of_;
  std::optional<lab::LessonSearch> notes_;  // from the first use on
  std::optional<lab::CallSearch> calls_;
  TextField field_;
  std::optional<std::string> looked_for_;
  lab::Language language_ = lab::Language::English;
  std::vector<Found> found_;
  std::size_t choice_ = 0, objects_ = 0, calls_shown_ = 0;
  ChoiceInSight sight_;
  bool entered_ = false;  // Enter was pressed
};

bool FindPopup::take(const KeyPress& press) {
  if (press.key != Key::Home && press.key != Key::End && walk(press.key, choice_, found_.size())) return true;
  if (press.key == Key::Enter) return entered_ = true;  // after what was typed has been looked for
  return field_.take(press);
}

void FindPopup::go_to(const Found& found) {
  if (found.moment) of_.bench.jump(*found.moment);
  for (const Command& command : found.wanted) of_.commands.push_back(command);
  of_.commands.emplace_back(command::ClosePopup{});
}

// A part of the run in each frame, until enough is found. False: there is more to look at.
bool FindPopup::add_calls(Frame& frame) {
  if (!calls_) return true;
  const auto model_of = [this](std::size_t event) -> const lab::Model& { return of_.bench.model_of(event); };
  const bool more = calls_->found().size() < kMostOfAKind && calls_->follow_some(model_of, kEventsAFrame);
  if (more) frame.animate();
  const trace::Store& store = of_.bench.store();
  for (; calls_shown_ < std::min(calls_->found().size(), kMostOfAKind); ++calls_shown_) {
    const std::size_t call = calls_->found()[calls_shown_], event = store.event_of_call(call);
    found_.insert(found_.begin() + static_cast<std::ptrdiff_t>(objects_ + calls_shown_),
                  {Text::FindKindCall,
                   std::to_string(call + 1) + "  " + of_.bench.model_of(event).describe(event),
                   {},
                   {},
                   event + 1});
    // The keys stay on what they are on.
    if (choice_ > 0 && choice_ >= objects_ + calls_shown_) ++choice_;
  }
  return !more;
}

void FindPopup::add_objects(const std::string& words, const Frame& frame) {
  const lab::Model& model = of_.bench.model();
  const lab::State& state = of_.bench.state();
  std::vector<lab::ObjectId> ids = picture::find_in(state, words, {});
  // What is not there at this moment is found by its whole name.
  if (const lab::ObjectId named = model.object_named(words);
      named && std::find(ids.begin(), ids.end(), named) == ids.end())
    ids.insert(ids.begin(), named);
  for (std::size_t i = 0; i < std::min(ids.size(), kMostOfAKind); ++i) {
    const lab::Life life = model.life_of(ids[i]);
    Found found{Text::FindKindObject,
                life.name,
                std::string(frame.text(lab::object_word(ids[i].kind))),
                {command::ShowObject{ids[i]}},
                {}};
    const std::size_t cursor = of_.bench.cursor();
    const bool there = (!life.created || *life.created < cursor) && (!life.ended || *life.ended >= cursor);
    if (!there && life.created) found.moment = *life.created + 1;
    found_.push_back(std::move(found));
  }
}

void FindPopup::add_terms(const std::string& words, const Frame& frame) {
  if (frame.glossary == nullptr) return;
  const std::string wanted = lab::lower_case(words);
  const auto language = static_cast<std::size_t>(frame.language);
  std::size_t shown = 0;
  for (const lab::GlossaryTerm& term : frame.glossary->terms) {
    const auto& all = term.words[language];
    const bool has = std::any_of(all.begin(), all.end(), [&](const std::string& word) {
      return lab::lower_case(word).find(wanted) != std::string::npos;
    });
    if (!has || shown++ == kMostOfAKind) continue;
    Found found{Text::FindKindTerm, all.front(), term.meaning[language], {}, {}};
    // The first place of the course that tells of it.
    if (const auto hits = notes_->find(all.front(), frame.language, 1); !hits.empty())
      found.wanted.emplace_back(command::GoTo{.lesson = hits[0].lesson,
                                              .step = hits[0].step,
                                              .exercise = hits[0].exercise,
                                              .language = hits[0].language});
    found_.push_back(std::move(found));
    if (shown == kMostOfAKind) return;
  }
}

void FindPopup::add_notes(const std::string& words, const Frame& frame) {
  std::map<std::string, std::size_t> of_lesson;
  std::size_t shown = 0;
  for (const lab::SearchHit& hit : notes_->find(words, frame.language)) {
    if (of_lesson[hit.lesson]++ >= kMostOfALesson) continue;
    if (shown++ == kMostOfAKind) return;
    found_.push_back(
        {Text::FindKindNote,
         lab::lesson_number(hit.number) + "  " + hit.title +
             (hit.exercise_title.empty() ? "" : " · " + hit.exercise_title),
         hit.excerpt,
         {command::GoTo{
             .lesson = hit.lesson, .step = hit.step, .exercise = hit.exercise, .language = hit.language}},
         {}});
  }
}

void FindPopup::look_for(const Frame& frame, const std::string& words) {
  looked_for_ = words, language_ = frame.language;
  found_.clear(), calls_.reset();
  choice_ = objects_ = calls_shown_ = 0;
  if (words.empty()) return;
  if (auto query = lab::CallQuery::parse(words))
    calls_.emplace(of_.bench.store()), calls_->look_for(std::move(*query));
  add_objects(words, frame);
  objects_ = found_.size();
  add_terms(words, frame);
  add_notes(words, frame);
}

void FindPopup::draw(Frame& frame, float) {
  popup_heading(frame, frame.text(Text::FindAnythingTitle));
  if (!notes_) notes_ = lab::LessonSearch::create(of_.bench.catalogue());
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  field_.draw(frame, {from.x, from.y, width, frame.px(40)}, frame.text(Text::FindAnythingField),
              Icon::Search);
  ImGui::Dummy({width, frame.px(46)});
  std::string words = field_.text();
  while (!words.empty() && words.back() == ' ') words.pop_back();
  if (words != looked_for_ || language_ != frame.language) look_for(frame, words);
  const bool all = add_calls(frame);
  if (entered_ && choice_ < found_.size()) go_to(found_[choice_]);
  if (all || !found_.empty()) entered_ = false;
  if (frame.watched != nullptr) frame.watched->hits = static_cast<int>(found_.size());
  if (!words.empty() && found_.empty()) popup_sentence(frame, frame.text(Text::SearchNone));
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Found& each = found_[i];
    const std::string id = "found " + std::to_string(i);
    if (popup_choice(frame, id.c_str(), each.title, each.more,
                     {.lit = i == choice_, .note = frame.text(each.kind), .note_role = Role::Muted}))
      go_to(each);
    if (i == choice_) sight_.keep(i);
  }
}

}  // namespace

std::unique_ptr<Popup> make_find_popup(const PopupContext& of) {
  return std::make_unique<FindPopup>(of);
}

}  // namespace gui
