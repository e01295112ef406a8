// SPDX-License-Identifier: MIT
// See shell.hpp. This file holds the frame's order: keys, layout, panels, splitters, problems. The bar is
// drawn in top_bar.cpp, what opens above the panels in popups.cpp.
#include "shell.hpp"

#include <algorithm>
#include <cmath>

#include "difference_page.hpp"
#include "imgui_compat.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

ThemeName theme_of(lab::ThemeChoice choice) {
  switch (choice) {
    case lab::ThemeChoice::Light:
      return ThemeName::Light;
    case lab::ThemeChoice::Projector:
      return ThemeName::Projector;
    case lab::ThemeChoice::Dark:
      break;
  }
  return ThemeName::Dark;
}

double fraction(const lab::Settings& settings, const char* name, double normal) {
  const auto found = settings.layout.find(name);
  return found == settings.layout.end() ? normal : found->second;
}

// Around the panel that F6 gave the keyboard to.
void draw_panel_focus(const Frame& frame, const Rect& place) {
  if (frame.still) return;
  ++frame.selection.watched.rings;
  const float in = frame.px(2);
  ImGui::GetWindowDrawList()->AddRect({place.x + in, place.y + in}, {place.right() - in, place.bottom() - in},
                                      frame.theme[Role::Accent], frame.px(kRounding), 0, frame.px(2));
}

// A panel's child window: background drawn, no padding, no scrolling of its own. `focus` is the panel's name
// where the keyboard goes from one to the next: notes and exercise share one.
void draw_panel(Frame& frame, const char* id, const Rect& place, View& view, std::string_view focus = {}) {
  if (focus.empty()) focus = id;
  if (place.w < 8 || place.h < 8) return;
  ImGui::SetCursorScreenPos(place.from());
  compat::begin_child(id, {place.w, place.h}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (frame.places != nullptr)
    (*frame.places)["panel " + std::string(id)] = {place.x + place.w / 2, place.y + place.h / 2};
  Selection& selection = frame.selection;
  const bool wanted = selection.focus_wanted == focus;
  if (wanted) ImGui::SetWindowFocus(), selection.focus_scroll = true;
  view.draw(frame);
  if (wanted) selection.focus_wanted.clear(), selection.focus_scroll = false;
  if (selection.focus == focus) draw_panel_focus(frame, place);
  compat::end_child();
}

void draw_background(const Frame& frame, const Rect& from, const Rect& to) {
  if (from.w < 1 || to.h < 1) return;
  const bool outlined = frame.theme.name() == ThemeName::Projector || frame.theme.name() == ThemeName::Light;
  draw_card(frame, from.from(), to.to(), frame.theme[Role::Panel], outlined ? frame.theme[Role::Line] : 0,
            frame.theme.line_width());
}

}  // namespace

struct Shell::Panels {
  std::unique_ptr<View> notes = make_notes_view(), exercise = make_exercise_view(), code = make_code_view(),
                        picture = make_picture_view(), output = make_output_view(), time = make_time_view(),
                        calls = make_calls_view(), compare = make_compare_view();
};

Shell::Shell(lab::Workbench& bench, Fonts& fonts, lab::Settings settings, lab::Language language, bool still)
    : bench_(bench),
      fonts_(fonts),
      settings_(std::move(settings)),
      language_(language),
      still_(still),
      panels_(std::make_unique<Panels>()) {
  settings_.scale = std::clamp(settings_.scale, 75, 250);
  bench_.set_predicting(settings_.predict);
  bench_.set_language(language_);
}

Shell::~Shell() = default;

float Shell::scale() const {
  return static_cast<float>(settings_.scale) / 100.0f * display_scale_;
}

const Theme& Shell::theme() const {
  return Theme::get(theme_of(settings_.theme));
}

void Shell::add_problem(lab::Problem problem) {
  own_problems_.push_back(std::move(problem));
}

void Shell::dismiss_problems() {
  own_problems_.clear();
  bench_.dismiss_problems();
}

Splits Shell::splits() const {
  Splits splits;
  splits.notes = static_cast<float>(fraction(settings_, "notes", splits.notes));
  splits.picture = static_cast<float>(fraction(settings_, "picture", splits.picture));
  splits.bottom = static_cast<float>(fraction(settings_, "bottom", splits.bottom));
  splits.output = static_cast<float>(fraction(settings_, "output", splits.output));
  return clamp_splits(splits);
}

void Shell::keep(const Splits& wanted) {
  const Splits splits = clamp_splits(wanted);
  settings_.layout["notes"] = splits.notes;
  settings_.layout["picture"] = splits.picture;
  settings_.layout["bottom"] = splits.bottom;
  settings_.layout["output"] = splits.output;
}

void Shell::handle(const Input& input) {
  input_.keys.clear();
  input_.text = input.text;
  if (!input.keys.empty()) selection_.hushed = true, hushed_at_ = ImGui::GetIO().MousePos;
  for (const KeyPress& press : input.keys) {
    if (popup_takes(press) || answer_takes(press)) continue;
    // A presenter's clicker sends these. In the editor they scroll, but not in front of a class: there the
    // keyboard is not used to page through a text, and a click means the next step.
    const bool page = press.key == Key::PageDown || press.key == Key::PageUp;
    const bool presenting = settings_.theme == lab::ThemeChoice::Projector && !press.shift;
    if (page && (presenting || !selection_.editor_focused) && !press.ctrl && !press.alt) {
      act(press.key == Key::PageDown ? Action::Step : Action::Back);
      continue;
    }
    if (tour_ >= 0 && popup_ == Popup::None && !selection_.editor_focused &&
        (press.key == Key::Escape || press.key == Key::Enter)) {
      tour_ = press.key == Key::Escape || tour_ == 4 ? -1 : tour_ + 1;
      continue;
    }
    const bool messages = !own_problems_.empty() || !bench_.problems().empty();
    if (press.key == Key::Escape && popup_ == Popup::None && messages && !selection_.editor_focused &&
        !selection_.typing) {
      dismiss_problems();
      continue;
    }
    if (press.key == Key::Escape && popup_ == Popup::None && maximized_ != Panel::None) {
      maximized_ = Panel::None;
      continue;
    }
    const auto action = action_of(press);
    // Esc belongs to the editor unless something is open.
    if (action && !(*action == Action::Close && popup_ == Popup::None))
      act(*action);
    else
      input_.keys.push_back(press);
  }
  // What is typed in a frame follows its keys (input.hpp).
  if (popup_ == Popup::Search) search_field_.type(std::exchange(input_.text, {}));
  if (popup_ == Popup::Unkept) unkept_field_.type(std::exchange(input_.text, {}));
  if (popup_ == Popup::Driver && settings_.remote && !input_.text.empty()) {
    launcher_field_.type(std::exchange(input_.text, {}));
    use_launcher();
  }
}

void Shell::set_percent(int percent) {
  settings_.scale = std::clamp(percent, 75, 250);
}

void Shell::act(Action action) {
  using lab::RunPhase;
  const RunPhase phase = bench_.phase();
  switch (action) {
    case Action::Continue:
      bench_.go_on();
      break;
    case Action::Step:
      bench_.step();
      break;
    case Action::Back:
      bench_.back();
      break;
    case Action::Stop:
      bench_.stop();
      break;
    case Action::Restart:
      if (phase != RunPhase::Replaying) bench_.run(true);
      break;
    case Action::Run:
      if (phase != RunPhase::Replaying) bench_.run(false);
      break;
    case Action::Larger:
      set_percent(settings_.scale + 25);
      break;
    case Action::Smaller:
      set_percent(settings_.scale - 25);
      break;
    case Action::NormalSize:
      set_percent(100);
      break;
    case Action::SwitchLanguage:
      language_ = language_ == lab::Language::English ? lab::Language::Chinese : lab::Language::English;
      settings_.language = language_;
      bench_.set_language(language_);
      if (selection_.compare)
        selection_.compare =
            comparison_of(bench_, language_, selection_.compare->title, selection_.compare->against);
      strings_collected_ = false, file_sizes_.clear();
      break;
    case Action::NextTheme:
      settings_.theme = static_cast<lab::ThemeChoice>((static_cast<int>(settings_.theme) + 1) % 3);
      break;
    case Action::ShowKeys:
      toggle(Popup::Keys);
      break;
    case Action::ShowLessons:
      toggle(Popup::Lessons);
      break;
    case Action::NextPanel:
      show_next_page();
      break;
    case Action::ShowExercise:
      show_exercise();
      break;
    case Action::Search:
      toggle(Popup::Search);
      break;
    case Action::Maximize:
      maximized_ = maximized_ != Panel::None ? Panel::None : panel_in_use();
      break;
    case Action::FullScreen:
      wish_ = Wish::FullScreen;
      break;
    case Action::SavePicture:
      wish_ = Wish::SavePicture;
      break;
    case Action::CopyPicture:
      wish_ = Wish::CopyPicture;
      break;
    case Action::Predict:
      set_predicting(!settings_.predict);
      break;
    case Action::Share:
      toggle(Popup::Share);
      break;
    case Action::ShowTeaching:
      toggle(Popup::Teaching);
      break;
    case Action::NextFocus:
      focus_next_panel();
      break;
    case Action::CheckExercise:
      if (phase == RunPhase::Replaying || bench_.exercise() == nullptr) break;
      side_exercise_ = true;
      bench_.check();
      break;
    case Action::Play:
    case Action::NextLine:
    case Action::LastLine:
    case Action::NextChange:
    case Action::LastChange:
    case Action::PinMoment:
    case Action::CompareRuns:
    case Action::FindInPicture:
      act_on_time(action);
      break;
    case Action::Close:
      popup_ = Popup::None;
      break;
    case Action::Quit:
      leave();
      break;
  }
}

void Shell::follow_run() {
  const lab::RunPhase phase = bench_.phase();
  const std::string lesson = bench_.lesson() == nullptr ? "" : bench_.lesson()->slug;
  const bool began =
      phase != phase_seen_ && (phase == lab::RunPhase::Building || phase_seen_ == lab::RunPhase::Building);
  if (began || bench_.store().size() < text_events_ || lesson != lesson_seen_) {
    ++run_;
    text_events_ = 0;
    selection_.pin.reset();
    selection_.object = {};
    selection_.play_rate = 0;
  }
  if (lesson != lesson_seen_) {
    strings_collected_ = false, file_sizes_.clear(), side_exercise_ = false;
    selection_.compare.reset();
    selection_.caret = {};
    selection_.quiz_answered.reset();
    verdict_untold_ = false;
    lesson_seen_ = lesson;
    if (popup_ == Popup::Teaching) teaching_.read(bench_);
    return_to_place();
  }
  phase_seen_ = phase;
  lesson_seen_ = lesson;
  follow_verdict();
}

// The verdict is a page of its own, which may be behind another one when it comes.
void Shell::follow_verdict() {
  const bool verdict = bench_.verdict() != nullptr;
  if (!std::exchange(verdict_seen_, verdict) && verdict && !exercise_drawn_) {
    verdict_untold_ = true;
    notices_since_ = -1;
  }
  if (!verdict || exercise_drawn_) verdict_untold_ = false;
}

// Strings, notes and sources when the lesson or the language changed; the run's own text as it comes.
bool Shell::collect_text() {
  follow_run();
  if (!strings_collected_) {
    strings_collected_ = true;
    fonts_.add_text("中文");  // the switch shows both languages
    for (std::size_t key = 0; key < static_cast<std::size_t>(lab::kTextCount); ++key)
      fonts_.add_text(lab::text(static_cast<lab::Text>(key), language_));
    for (const lab::Lesson& lesson : bench_.catalogue().lessons) {
      fonts_.add_text(lesson.title[static_cast<int>(language_)]);
      fonts_.add_text(lesson.summary[static_cast<int>(language_)]);
      fonts_.add_text(lesson.why[static_cast<int>(language_)]);
    }
    for (const lab::Part& part : bench_.catalogue().parts)
      fonts_.add_text(part.title[static_cast<int>(language_)] + part.about[static_cast<int>(language_)]);
    fonts_.add_text(bench_.notes(language_));
    for (const lab::GlossaryTerm& term : glossary_.terms)
      fonts_.add_text(term.words[static_cast<int>(language_)].front() +
                      term.meaning[static_cast<int>(language_)]);
    for (const lab::Exercise& exercise : bench_.exercises()) {
      fonts_.add_text(exercise.title[static_cast<int>(language_)] +
                      exercise.task[static_cast<int>(language_)]);
      for (const auto& hint : exercise.hints) fonts_.add_text(hint.text[static_cast<int>(language_)]);
    }
    for (const lab::QuizQuestion& question : bench_.quiz()) {
      fonts_.add_text(question.text[static_cast<int>(language_)]);
      for (const lab::QuizAnswer& answer : question.answers)
        fonts_.add_text(answer.text[static_cast<int>(language_)] +
                        answer.because[static_cast<int>(language_)]);
    }
  }
  if (popup_ == Popup::Driver) fonts_.add_text(launcher_field_.text());
  if (popup_ == Popup::Unkept) fonts_.add_text(unkept_field_.text());
  if (popup_ == Popup::Teaching) teaching_.add_text(fonts_, language_);
  if (popup_ == Popup::Search) {
    fonts_.add_text(search_field_.text());
    for (const lab::SearchHit& hit : hits_) fonts_.add_text(hit.title + hit.excerpt);
  }
  if (selection_.compare) fonts_.add_text(selection_.compare->before + selection_.compare->after);
  for (const lab::Problem& notice : notices_) fonts_.add_text(notice.in(language_));
  for (const std::string& file : bench_.files()) {
    const std::string& text = bench_.file_text(file);
    std::size_t& seen = file_sizes_[file];  // what is typed comes through input_ as well
    if (seen != text.size()) fonts_.add_text(text);
    seen = text.size();
  }
  fonts_.add_text(input_.text);
  fonts_.add_text(bench_.driver_description());
  fonts_.add_text(bench_.recorded_by());
  if (const auto* build = bench_.build()) fonts_.add_text(build->output);
  for (const lab::Problem& problem : bench_.problems()) fonts_.add_text(problem.in(language_));
  collect_run_text();
  return fonts_.stale();
}

// Only events that carry text of the program's own: what it printed, its names. Bounded per frame.
void Shell::collect_run_text() {
  const trace::Store& store = bench_.store();
  const std::size_t end = std::min(store.size(), text_events_ + 20'000);
  for (; text_events_ < end; ++text_events_)
    if (store.kind_at(text_events_) != trace::EventKind::Call) fonts_.add_text(store.at(text_events_).text);
  if (end < store.size()) redraw_in_ = 0;
}

void Shell::draw(float width, float height, double time) {
  if (watch_places_) places_.clear();
  if (texts_ != nullptr) texts_->clear();
  selection_.previous = selection_.hovered;
  selection_.editor_had_focus = std::exchange(selection_.editor_focused, false);  // the editor sets it again
  selection_.hovered = {};
  selection_.caret = {}, selection_.watched = {};
  if (ImGui::IsMouseClicked(0)) selection_.focus.clear();
  // Where it is, not how far it moved: ImGui reports no movement when the pointer enters the window.
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (mouse.x != hushed_at_.x || mouse.y != hushed_at_.y || ImGui::IsMouseClicked(0))
    selection_.hushed = false;
  exercise_drawn_ = false;
  // Set by the code that draws the question or the field.
  selection_.asking = selection_.typing = false;
  selection_.quiz = {};
  Frame frame{bench_, theme(), fonts_, input_, selection_};
  frame.language = language_;
  frame.scale = scale();
  frame.time = time;
  frame.animations = settings_.animations && !still_;
  frame.motion_speed = static_cast<float>(settings_.motion_speed);
  frame.still = still_;
  frame.run = run_;
  frame.places = watch_places_ ? &places_ : nullptr;
  frame.texts = texts_;
  frame.glossary = glossary_.terms.empty() ? nullptr : &glossary_;

  const Shown there = what_is_there();
  if (std::exchange(notes_there_, there.notes) && !there.notes && tab_ == Tab::Notes) tab_ = Tab::Code;
  // Messages are between the bar and the panels, so that they cover no button.
  Layout layout = arrange(width, height - problems_height_, frame.scale, splits(), there);
  for (Rect* place : {&layout.notes, &layout.code, &layout.output, &layout.picture, &layout.tabs,
                      &layout.time, &layout.calls, &layout.bottom, &layout.split_notes, &layout.split_picture,
                      &layout.split_bottom, &layout.split_output})
    place->y += problems_height_;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, frame.theme[Role::Window]);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme[Role::Text]);
  ImGui::PushStyleColor(compat::kKeyboardMark, 0);
  // Its background is what the frame was cleared with; filling it again doubles the work where no GPU does
  // it.
  ImGui::Begin("lab", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  if (selection_.focus_wanted == "bar") ImGui::SetWindowFocus(), selection_.focus_wanted.clear();
  draw_bar(frame, layout);
  if (selection_.focus == "bar") draw_panel_focus(frame, layout.bar);
  if (maximized_ != Panel::None) {
    draw_maximized(frame, layout);
  } else {
    draw_panels(frame, layout);
    draw_splitters(frame, layout, width, height);
  }
  if (!selection_.step_wanted.empty()) show_step(std::exchange(selection_.step_wanted, {}));
  if (std::exchange(selection_.export_progress, false)) export_progress();
  if (std::exchange(selection_.compare_runs, false)) compare_runs(!comparing_runs());
  compat::end_window();
  draw_tour(frame, layout);
  draw_problems(frame, layout);
  draw_notices(frame, layout);
  draw_work(frame, layout);
  draw_popups(frame, layout);
  remember_place();
  ImGui::PopStyleColor(4);
  ImGui::PopStyleVar(5);
  redraw_in_ = frame.redraw_in;
}

Shown Shell::what_is_there() const {
  const bool foreign = bench_.phase() == lab::RunPhase::Replaying && bench_.lesson() == nullptr;
  return {!foreign, !foreign || !bench_.files().empty()};
}

void Shell::draw_panels(Frame& frame, const Layout& layout) {
  const bool stacked = layout.arrangement == Arrangement::Stacked;
  arrangement_ = layout.arrangement;
  const Rect picture = place_of_picture(frame, layout);
  const bool all_of_it = picture.bottom() > layout.picture.bottom();
  if (layout.arrangement != Arrangement::Wide) {
    draw_background(frame, layout.tabs, all_of_it ? picture : layout.notes);
    draw_tabs(frame, layout);
  } else {
    if (layout.notes.w > 0) draw_background(frame, layout.notes, layout.notes);
    draw_background(frame, layout.code.w > 0 ? layout.code : layout.output,
                    layout.show_output ? layout.output : layout.code);
  }
  if (!stacked) draw_background(frame, layout.picture, layout.picture);
  if (!all_of_it) draw_background(frame, layout.bottom, layout.bottom);

  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Tab shown = tab_;
  under_mouse_ =
      layout.bottom.holds(mouse) ? Panel::Bottom
      : layout.arrangement == Arrangement::Stacked && layout.picture.holds(mouse)
          ? (shown == Tab::Notes  ? Panel::Notes
             : shown == Tab::Code ? Panel::Code
                                  : Panel::Picture)
      : layout.picture.holds(mouse)                                          ? Panel::Picture
      : layout.arrangement == Arrangement::Wide && layout.notes.holds(mouse) ? Panel::Notes
      : layout.code.holds(mouse) && (layout.arrangement == Arrangement::Wide || shown != Tab::Notes)
          ? Panel::Code
      : layout.notes.holds(mouse) ? Panel::Notes
                                  : Panel::None;
  const bool wide = layout.arrangement == Arrangement::Wide;
  const Tab tab = !stacked && tab_ == Tab::Picture ? Tab::Code : tab_;
  frame.in_tab = !wide;
  if (wide || tab == Tab::Notes) draw_side(frame, layout);
  if (wide || tab == Tab::Code) {
    draw_panel(frame, "code", layout.code, *panels_->code);
    frame.in_tab = false;
    if (layout.show_output && layout.code.w > 0) {
      const float in = frame.px(1);
      ImGui::GetWindowDrawList()->AddLine(
          {layout.output.x + in, layout.output.y}, {layout.output.right() - in, layout.output.y},
          frame.theme[Role::Line], std::max(1.0f, frame.px(frame.theme.line_width())));
    }
    if (layout.show_output) draw_panel(frame, "output", layout.output, *panels_->output);
  } else {
    selection_.editor_focused = false;
  }
  frame.in_tab = stacked;
  if (!stacked || tab == Tab::Picture) draw_picture(frame, picture);
  frame.in_tab = false;
  if (all_of_it) return;
  draw_panel(frame, "time", layout.time, *panels_->time);
  draw_panel(frame, "calls", layout.calls, *panels_->calls);
}

// A low window has no room for the picture, a question and the list of calls. What a question says, and what
// comes of an answer, is more than a row of the list: the list gives way.
Rect Shell::place_of_picture(Frame& frame, const Layout& layout) {
  const Rect& usual = layout.picture;
  if (layout.arrangement != Arrangement::Stacked || tab_ != Tab::Picture) return usual;
  if (bench_.question() == nullptr && bench_.prediction() == nullptr) return usual;
  if (measure_card(frame, usual) > 0) return usual;
  const Rect whole{usual.x, usual.y, usual.w, layout.bottom.bottom() - usual.y};
  return measure_card(frame, whole) > 0 ? whole : usual;
}

float Shell::measure_card(Frame& frame, const Rect& place) {
  return predict_card_.measure(frame, place.w, place.h * (place.h < frame.px(300) ? 0.75f : 0.6f));
}

// The picture, and below it the question about the next call.
void Shell::draw_picture(Frame& frame, const Rect& place) {
  const float card = measure_card(frame, place);
  Rect above = place, below = place;
  above.h -= card;
  below.y += above.h, below.h = card;
  const bool in_tab = frame.in_tab;
  draw_panel(frame, "picture", above, *panels_->picture);
  selection_.asking = predict_card_.asking();
  if (card <= 0) return;
  frame.in_tab = true;
  ImGui::SetCursorScreenPos(below.from());
  compat::begin_child("predict", {below.w, below.h}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (predict_card_.draw(frame, below.w)) set_predicting(false);
  compat::end_child();
  frame.in_tab = in_tab;
}

// The notes or the exercise. Where both have no tab, a choice between the two stands above them.
void Shell::draw_side(Frame& frame, const Layout& layout) {
  exercise_drawn_ = side_exercise_ && bench_.exercise() != nullptr;
  View& view = exercise_drawn_ ? *panels_->exercise : *panels_->notes;
  const char* id = exercise_drawn_ ? "exercise" : "notes";
  const bool tabs = maximized_ == Panel::None && layout.arrangement != Arrangement::Wide;
  if (bench_.exercise() == nullptr || tabs || layout.notes.h < 120 * frame.scale)
    return draw_panel(frame, id, layout.notes, view, "notes");
  const float strip = frame.px(kHeader);
  const std::string_view names[] = {frame.text(lab::Text::NotesTitle), frame.text(lab::Text::ExerciseTitle)};
  ImGui::SetCursorScreenPos({layout.notes.x + frame.px(kMargin - 4), layout.notes.y + frame.px(8)});
  const int pressed = segmented(frame, "side", names, 2, side_exercise_ ? 1 : 0);
  if (pressed >= 0) side_exercise_ = pressed == 1;
  Rect rest = layout.notes;
  rest.y += strip, rest.h -= strip;
  const bool in_tab = std::exchange(frame.in_tab, true);
  draw_panel(frame, id, rest, view, "notes");
  frame.in_tab = in_tab;
}

// One panel in the place of all.
void Shell::draw_maximized(Frame& frame, const Layout& layout) {
  Layout whole = layout;
  const float top = layout.bar.bottom() + frame.px(kGutter) + problems_height_;
  const Rect room{layout.bottom.x, top, layout.bottom.w, std::max(1.0f, layout.bottom.bottom() - top)};
  draw_background(frame, room, room);
  selection_.editor_focused = false;
  switch (maximized_) {
    case Panel::Notes:
      whole.notes = room;
      return draw_side(frame, whole);
    case Panel::Code:
      return draw_panel(frame, "code", room, *panels_->code);
    case Panel::Picture:
      return draw_picture(frame, room);
    case Panel::Bottom: {
      Rect time = room, calls = room;
      time.h = std::min(layout.time.h, room.h);
      calls.y += time.h, calls.h -= time.h;
      draw_panel(frame, "time", time, *panels_->time);
      return draw_panel(frame, "calls", calls, *panels_->calls);
    }
    case Panel::Compare: {
      Rect time = room, runs = room;
      time.h = std::min(layout.time.h, room.h), time.y = room.bottom() - time.h;
      runs.h -= time.h;
      draw_panel(frame, "time", time, *panels_->time);
      return draw_panel(frame, "compare", runs, *panels_->compare);
    }
    case Panel::None:
      return;
  }
}

void Shell::draw_tabs(Frame& frame, const Layout& layout) {
  constexpr lab::Text kNames[] = {lab::Text::PanelNotes, lab::Text::PanelCode, lab::Text::PanelPicture};
  const std::vector<Page> all = pages();
  const Page shown = page_shown();
  const lab::Verdict* verdict = bench_.verdict();
  float x = layout.tabs.x + frame.px(kMargin) - frame.px(10);
  for (const Page& page : all) {
    const auto number = static_cast<std::size_t>(page.tab);
    const std::string_view name = frame.text(page.exercise ? lab::Text::ExerciseTitle : kNames[number]);
    const std::string id = page.exercise ? "side1" : "tab" + std::to_string(number);
    const bool marked = page.exercise && verdict != nullptr;
    const float words = text_size(frame, name, Face::Bold).x,
                width = words + frame.px(20) + (marked ? frame.px(18) : 0);
    ImGui::SetCursorScreenPos({x, layout.tabs.y});
    if (ImGui::InvisibleButton(id.c_str(), {width, std::max(1.0f, layout.tabs.h)})) show_page(page);
    const bool on = page == shown, hovered = ImGui::IsItemHovered() && !still_;
    draw_focus(frame, {x, layout.tabs.y + frame.px(3)}, {x + width, layout.tabs.bottom() - frame.px(3)});
    if (frame.places != nullptr) (*frame.places)[id] = {x + width / 2, layout.tabs.y + layout.tabs.h / 2};
    draw_text_middle(frame, x + frame.px(10), layout.tabs.y + frame.px(2), layout.tabs.h,
                     frame.theme[on || hovered ? Role::Text : Role::Muted], name, Face::Bold);
    if (marked)
      draw_icon(frame, verdict->passed() ? Icon::Check : Icon::Cross,
                {x + words + frame.px(21), layout.tabs.y + frame.px(2) + layout.tabs.h / 2}, frame.px(12),
                frame.theme[verdict->passed() ? Role::Good : Role::Bad]);
    if (on)
      ImGui::GetWindowDrawList()->AddRectFilled({x + frame.px(8), layout.tabs.bottom() - frame.px(3)},
                                                {x + width - frame.px(8), layout.tabs.bottom()},
                                                frame.theme[Role::Accent], frame.px(1.5f));
    x += width + frame.px(4);
  }
  ImGui::GetWindowDrawList()->AddLine({layout.tabs.x + 1, layout.tabs.bottom()},
                                      {layout.tabs.right() - 1, layout.tabs.bottom()},
                                      frame.theme[Role::Line]);
}

void Shell::draw_splitters(Frame& frame, const Layout& layout, float width, float height) {
  Splits changed = splits();
  const float across = std::max(1.0f, width), down = std::max(1.0f, height);
  bool moved = false;
  const auto drag = [&](const char* id, const Rect& place, Axis axis, float& value, float length,
                        float sign) {
    if (place.w < 1 || place.h < 1) return;
    const float by = splitter(frame, id, place.from(), place.to(), axis);
    if (by == 0) return;
    value += sign * by / std::max(1.0f, length);
    moved = true;
  };
  drag("split notes", layout.split_notes, Axis::Horizontal, changed.notes, across, 1);
  const float tabs = layout.arrangement == Arrangement::Tabs ? 1.25f : 1.0f;
  drag("split picture", layout.split_picture, Axis::Horizontal, changed.picture, across * tabs, -1);
  drag("split bottom", layout.split_bottom, Axis::Vertical, changed.bottom, down, -1);
  const bool code_shown = layout.arrangement == Arrangement::Wide || tab_ != Tab::Notes;
  if (layout.show_output && code_shown)
    drag("split output", layout.split_output, Axis::Vertical, changed.output, layout.code.h + layout.output.h,
         -1);
  if (moved) keep(changed);
}

}  // namespace gui
