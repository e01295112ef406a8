// SPDX-License-Identifier: MIT
// See shell.hpp. This file holds the order of a frame, what keys mean, and what is done for each command.
#include "shell.hpp"

#include <algorithm>
#include <cmath>

#include "answer_keys.hpp"
#include "difference_page.hpp"
#include "imgui_compat.hpp"
#include "lab/files.hpp"
#include "lab/path_choices.hpp"
#include "lab/progress.hpp"
#include "lab/recording.hpp"
#include "lab/wall_clock.hpp"
#include "parting_words.hpp"
#include "top_bar.hpp"

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

// Readable from the last row, in steps, so that a window that is being resized does not make new letters in
// every frame.
float scale_of_presenter(float width, float height) {
  return std::clamp(std::floor(std::min(height / 420, width / 560) * 20) / 20, 0.75f, 6.0f);
}

template <class... Each>
struct Overloaded : Each... {
  using Each::operator()...;
};

}  // namespace

Shell::Shell(lab::Workbench& bench, Fonts& fonts, lab::Settings settings, lab::Language language, bool still)
    : bench_(bench),
      settings_(std::move(settings)),
      language_(language),
      still_(still),
      panels_(pages_, settings_),
      popups_({bench_, settings_, commands_, pages_}),
      text_(fonts) {
  settings_.scale = std::clamp(settings_.scale, 75, 250);
  bench_.set_predicting(settings_.predict);
  bench_.set_language(language_);
}

float Shell::scale() const {
  if (presenting()) return scale_.presenter;
  return static_cast<float>(settings_.scale) / 100.0f * scale_.display;
}

const Theme& Shell::theme() const {
  return Theme::get(theme_of(settings_.theme));
}

void Shell::read_glossary(const std::filesystem::path& assets) {
  words_.glossary = lab::read_glossary(assets / "glossary.toml");
  words_.lessons = lab::LessonsByWord::create(bench_.catalogue());
  for (const lab::Problem& problem : words_.glossary.problems) add_problem(problem);
}

void Shell::leave_for(std::function<void()> then) {
  std::vector<std::string> unkept = bench_.unkept();
  if (unkept.empty()) return then();
  popups_.ask_about_unkept(std::move(unkept), std::move(then));
}

void Shell::handle(const Input& input) {
  input_.keys.clear();
  input_.text = input.text;
  if (!input.keys.empty()) selection_.hush.on = true, selection_.hush.at = ImGui::GetIO().MousePos;
  for (const KeyPress& press : input.keys) {
    if (!takes(press))
      input_.keys.push_back(press);
    else if (press.key == Key::Space && input_.text.starts_with(' '))
      input_.text.erase(0, 1);  // it pressed something
    drain();                    // what the next key means may depend on it
  }
  // What is typed in a frame follows its keys (input.hpp).
  if (!input_.text.empty() && popups_.type(input_.text)) input_.text.clear();
}

// A key goes to what is open, to a question, to the tour and the messages, and is a shortcut at last. False:
// it is the panels'.
bool Shell::takes(const KeyPress& press) {
  if (popups_.take(press)) return true;
  const bool open = popups_.any();
  if (!open && presenting() && panels_.walk().take(press, bench_)) return true;
  if (!open && answer_takes(press, bench_, selection_, panels_.predict_card().asking(), commands_))
    return true;
  // A presenter's clicker sends these. In the editor they scroll, but not in front of a class: there the
  // keyboard is not used to page through a text, and a click means the next step.
  const bool page = press.key == Key::PageDown || press.key == Key::PageUp;
  const bool projected = settings_.theme == lab::ThemeChoice::Projector && !press.shift;
  if (page && (projected || !selection_.editor_focus.now) && !press.ctrl && !press.alt)
    return act(press.key == Key::PageDown ? Action::Step : Action::Back), true;
  if (!open && !presenting() && !selection_.editor_focus.now && tour_.take(press)) return true;
  if (stops_take(press)) return true;
  if (press.key == Key::Escape && !open) {
    if (messages_.any(bench_) && !selection_.editor_focus.now && !selection_.typing)
      return messages_.dismiss(bench_), true;
    if (pages_.maximized() != Panel::None && !selection_.typing) return pages_.maximize(Panel::None), true;
  }
  if (!open && find_takes(press)) return true;
  // Where something is being looked for, F3 belongs to it.
  if (press.key == Key::F3 && !press.ctrl && !press.alt && !open && selection_.finding.on) return false;
  const auto action = action_of(press);
  // Esc belongs to the editor unless something is open.
  if (!action || (*action == Action::Close && !open)) return false;
  return act(*action), true;
}

std::string Shell::place_of_keys() const {
  if (popups_.any()) return popups_.place_of_keys();
  if (presenting()) return {};
  return selection_.stops.menu().empty() ? selection_.focus : std::string(selection_.stops.menu());
}

// What the keyboard stands on. Where nothing has the keyboard yet, Tab begins in the bar.
bool Shell::stops_take(const KeyPress& press) {
  const bool open = popups_.any();
  if (!open && selection_.editor_focus.now && selection_.focus_wanted.empty()) return false;
  KeyStops& stops = selection_.stops;
  const std::string place = place_of_keys();
  stops.follow(place);
  const bool tab = press.key == Key::Tab && !press.ctrl && !press.alt;
  if (tab && place.empty() && !open && !presenting() && !selection_.typing) {
    selection_.focus = selection_.focus_wanted = "bar";
    stops.begin_in("bar", KeyStops::From::First);
    return true;
  }
  return stops.take(press, selection_.typing && !open);
}

// Ctrl+F looks for something in the panel that is in use; in the editor and in a field, these take it.
bool Shell::find_takes(const KeyPress& press) {
  if (press.key != Key::F || !press.ctrl || press.shift || press.alt || press.repeat) return false;
  if (selection_.editor_focus.now) return false;
  const Panel panel = pages_.in_use(selection_);
  if (panel == Panel::Notes) {
    if (panels_.exercise_drawn())
      popups_.toggle(PopupName::Search);  // it has no long text of its own
    else
      panels_.take(command::FindInNotes{});
  } else if (panel == Panel::Output) {
    panels_.take(command::FindInOutput{});
  } else if (panel == Panel::Picture) {
    panels_.take(command::FindInPicture{});
  } else if (panel == Panel::Code) {
    panels_.take(command::FindInCode{});
  } else {
    if (pages_.maximized() != Panel::None && pages_.maximized() != Panel::Bottom) {
      if (pages_.maximized() == Panel::Timeline) panels_.show_timeline(true);
      pages_.maximize(Panel::None);  // the list of calls is where they are looked for
    }
    if (!selection_.focus.empty()) selection_.focus = selection_.focus_wanted = "calls";
    panels_.take(command::FindCalls{});
  }
  return true;
}

void Shell::set_percent(int percent) {
  if (presenting()) return;  // the window's size decides
  settings_.scale = std::clamp(percent, 75, 250);
}

void Shell::set_predicting(bool on) {
  settings_.predict = on;
  bench_.set_predicting(on);
}

void Shell::switch_language() {
  language_ = language_ == lab::Language::English ? lab::Language::Chinese : lab::Language::English;
  settings_.language = language_;
  bench_.set_language(language_);
  if (selection_.compare)
    selection_.compare =
        comparison_of(bench_, language_, selection_.compare->title, selection_.compare->against);
  text_.forget_lesson();
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
      if (bench_.can_run()) bench_.run(true);
      break;
    case Action::Run:
      if (bench_.can_run()) bench_.run(false);
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
      switch_language();
      break;
    case Action::NextTheme:
      settings_.theme = static_cast<lab::ThemeChoice>((static_cast<int>(settings_.theme) + 1) % 3);
      break;
    case Action::ShowKeys:
      popups_.toggle(PopupName::Keys);
      break;
    case Action::ShowLessons:
      popups_.toggle(PopupName::Lessons);
      break;
    case Action::NextPanel:
      pages_.show_next(bench_.exercise() != nullptr, selection_);
      break;
    case Action::ShowExercise:
      if (bench_.exercise() != nullptr) pages_.show_exercise(selection_);
      break;
    case Action::Search:
      popups_.toggle(PopupName::Search);
      break;
    case Action::FindAnything:
      popups_.toggle(PopupName::Find);
      break;
    case Action::Maximize:
      pages_.maximize(pages_.maximized() != Panel::None ? Panel::None : pages_.in_use(selection_));
      break;
    case Action::FullScreen:
      window_.wish = Wish::FullScreen;
      break;
    case Action::SavePicture:
      window_.wish = Wish::SavePicture;
      break;
    case Action::CopyPicture:
      window_.wish = Wish::CopyPicture;
      break;
    case Action::ShowTimeline:
      panels_.show_timeline(!panels_.timeline_shown());
      break;
    case Action::Present:
      pages_.maximize(presenting() ? Panel::None : Panel::Presenter);
      break;
    case Action::Predict:
      set_predicting(!settings_.predict);
      break;
    case Action::Share:
      popups_.toggle(PopupName::Share);
      break;
    case Action::ShowTeaching:
      popups_.toggle(PopupName::Teaching);
      break;
    case Action::ShowFiles:
      popups_.toggle(PopupName::Files);
      break;
    case Action::NextFocus:
      pages_.move_focus(selection_, Pages::Towards::Next);
      break;
    case Action::LastFocus:
      pages_.move_focus(selection_, Pages::Towards::Last);
      break;
    case Action::CheckExercise:
      if (phase == RunPhase::Replaying || bench_.exercise() == nullptr) break;
      pages_.show_exercise(true);
      bench_.check();
      break;
    case Action::Play:
    case Action::NextLine:
    case Action::LastLine:
    case Action::NextChange:
    case Action::LastChange:
    case Action::PinMoment:
    case Action::CompareRuns:
    case Action::ShowGhost:
      act_on_time(action);
      break;
    case Action::Close:
      popups_.close();
      break;
    case Action::Quit:
      leave();
      break;
  }
}

// In order; what is posted meanwhile comes after.
void Shell::drain() {
  while (!commands_.empty()) {
    const Command next = std::move(commands_.front());
    commands_.erase(commands_.begin());
    carry_out(next);
  }
}

void Shell::carry_out(const Command& command) {
  std::visit(Overloaded{
                 [this](const command::Do& it) { act(it.action); },
                 [this](const command::Toggle& it) { popups_.toggle(it.popup); },
                 [this](const command::ClosePopup&) { popups_.leave(); },
                 [this](const command::OpenLesson& it) { open_lesson(it); },
                 [this](const command::OpenFile& it) { open_file(it.file, it.beside); },
                 [this](const command::TraceProgram& it) { trace_program(it.program); },
                 [this](const command::GoTo& it) { go_to(it); },
                 [this](const command::ShowStep& it) { show_step(it.step); },
                 [this](const command::ScrollToQuestion& it) {
                   pages_.show_exercise(false);
                   go_to_question(it.question);
                 },
                 [this](const command::ShowObject& it) { show_object(it); },
                 [this](const command::ShowExercise&) { act(Action::ShowExercise); },
                 [this](const command::SetPredicting& it) { set_predicting(it.on); },
                 [this](const command::ExportProgress&) { export_progress(); },
                 [this](const command::Say& it) { say(it.notice); },
                 [](const command::Leave& it) { it.then(); },
                 [this](const auto& for_a_panel) { panels_.take(for_a_panel); },
             },
             command);
}

void Shell::open_lesson(const command::OpenLesson& lesson) {
  popups_.close();
  leave_for([this, slug = lesson.slug] {
    bench_.open_lesson(slug);
    settings_.lesson = slug;
  });
  if (lesson.by_key && !popups_.any())
    selection_.focus = selection_.focus_wanted = "notes";  // to be read next
}

void Shell::open_file(const std::filesystem::path& file, bool beside) {
  popups_.close();
  std::error_code error;
  const bool recording = lab::is_recording(file);
  // On some disks every file may be started as a program.
  if (!recording && lab::is_source(file) && std::filesystem::exists(file, error))
    return add_problem({lab::Text::FilesSource, {file.string()}});
  if (!recording && lab::is_program(file)) {
    const std::filesystem::path whole = std::filesystem::absolute(file, error);
    const std::string word = lab::quoted_word(whole.string());
    const std::string& typed = settings_.program.command;
    // Arguments and variables that were typed for another program are not this one's.
    if (typed != word && !typed.starts_with(word + " "))
      settings_.program = {word, whole.parent_path().string(), ""};
    return popups_.toggle(PopupName::Trace);
  }
  if (beside && bench_.can_share()) {
    if (!bench_.compare_with(file)) return;
    lab::note_recent(settings_.recent, file);
    return compare_runs(true);
  }
  leave_for([this, file] {
    if (!bench_.open_recording(file)) return;
    lab::note_recent(settings_.recent, file);
    pages_.maximize(Panel::None);
  });
}

void Shell::trace_program(const lab::OwnProgram& program) {
  popups_.close();
  settings_.program = program;
  leave_for([this, program] {
    pages_.maximize(Panel::None);
    bench_.open_program(program);
  });
}

void Shell::go_to(const command::GoTo& place) {
  if (bench_.lesson() == nullptr || bench_.lesson()->slug != place.lesson) {
    open_lesson({place.lesson});
    if (popups_.any()) return;  // it has to be found again; the text comes first
    follow_run();               // the place of last time is not the one that was looked for
  }
  popups_.close();
  pages_.show_notes();
  panels_.take(command::ScrollToStep{place.step});
  if (!place.exercise.empty()) open(std::string(lab::kOneExercise) + place.exercise);
  if (place.language && *place.language != language_) switch_language();
  const std::vector<std::size_t> calls = bench_.calls_of_step(place.step);
  using Moment = command::GoTo::Moment;
  if (place.moment == Moment::Stays || calls.empty()) return;
  // What is shown is there after the step, and what is asked is about its first call.
  if (place.moment == Moment::End)
    bench_.jump_to_call(calls.back());
  else if (place.moment == Moment::FirstCall)
    bench_.jump_to_call(calls.front());
  else if (calls.front() > 0)
    bench_.jump_to_call(calls.front() - 1);
  else
    bench_.jump(0);
}

void Shell::show_object(const command::ShowObject& wanted) {
  if (pages_.maximized() != Panel::Picture) pages_.maximize(Panel::None);
  if (pages_.arrangement() == Arrangement::Stacked) pages_.show(Tab::Picture);
  panels_.take(wanted);
}

// In the notes, and in the run where it has come so far.
void Shell::show_step(const std::string& step) {
  const std::vector<std::size_t> calls = bench_.calls_of_step(step);
  if (!calls.empty()) bench_.jump_to_call(calls.front());
  panels_.take(command::ScrollToStep{step});
}

void Shell::export_progress() {
  const std::filesystem::path file = lab::data_home().path / lab::local_time("progress-%Y-%m-%d.csv");
  const std::string csv = lab::progress_csv(bench_.progress(), bench_.catalogue(), language_);
  if (const auto written = lab::write_file(file, csv); !written) return add_problem(written.error());
  say({lab::Text::ExerciseExported, {file.string()}});
}

void Shell::show_question(std::size_t question) {
  pages_.maximize(Panel::Notes);
  pages_.show_exercise(false);
  go_to_question(question);
}

bool Shell::open(std::string_view name) {
  static const std::map<std::string_view, PopupName> kPopups = {
      {"lessons", PopupName::Lessons}, {"driver", PopupName::Driver},     {"remote", PopupName::Driver},
      {"look", PopupName::Look},       {"keys", PopupName::Keys},         {"search", PopupName::Search},
      {"share", PopupName::Share},     {"teaching", PopupName::Teaching}, {"find", PopupName::Find},
      {"files", PopupName::Files},     {"trace", PopupName::Trace}};
  if (const auto found = kPopups.find(name); found != kPopups.end()) {
    if (name == "remote") settings_.remote = true;
    if (popups_.shown() != found->second) popups_.toggle(found->second);
    return true;
  }
  const bool one = name.starts_with(lab::kOneExercise);
  if (one) {
    const std::string_view which = name.substr(lab::kOneExercise.size());
    if (lab::exercise_named(bench_.exercises(), which) == nullptr) return false;
    bench_.choose_exercise(which);
  }
  if (one || (name == "exercise" && bench_.exercise() != nullptr)) {
    follow_run();  // a lesson that was just opened begins with its notes
    pages_.show(Page{Tab::Notes, true});
    return true;
  }
  if (name == "questions" && !bench_.quiz().empty()) return show_question(0), true;
  const Panel alone = panel_named(name);
  if (alone == Panel::None) return false;
  pages_.maximize(alone);
  return true;
}

void Shell::tell_parting() {
  const lab::RunPair* const pair = bench_.pair();
  if (pair == std::exchange(parting_told_, pair) || pair == nullptr || comparing_runs() || still_) return;
  const auto other = bench_.other();
  if (other && !other->recording && pair->comparison().first)
    say(parting_words(bench_, *other, pair->comparison(), language_));
}

void Shell::follow_run() {
  tell_parting();
  const RunWatch::News news = run_.follow(bench_, text_.events());
  if (news.run) {
    text_.forget_run();
    panels_.walk().begin();
    selection_.pin.reset();
    selection_.object = {};
    selection_.play_rate = 0;
  }
  if (news.lesson) {
    text_.forget_lesson();
    pages_.show_exercise(false);
    selection_.compare.reset();
    selection_.caret = {};
    selection_.quiz_answered.reset();
    notices_.forget_verdict();
    popups_.follow_lesson();
    kept_places_.return_to(bench_, settings_, pages_, selection_, commands_);
    drain();
  }
  // The verdict is a page of its own, which may be behind another one when it comes.
  notices_.follow(bench_, panels_.exercise_drawn());
}

bool Shell::collect_text() {
  follow_run();
  text_.add_lesson(bench_, words_.glossary, language_);
  if (!text_.add_run(bench_, language_)) window_.redraw_in = 0;
  popups_.add_text(text_.fonts(), language_);
  notices_.add_text(text_.fonts(), language_);
  if (selection_.compare) text_.fonts().add_text(selection_.compare->before + selection_.compare->after);
  text_.fonts().add_text(input_.text);
  return text_.fonts().stale();
}

// What was true of the frame before, and what the panels say anew.
void Shell::begin_frame() {
  probe_.begin_frame();
  selection_.previous = std::exchange(selection_.hovered, {});
  selection_.editor_focus.before =
      std::exchange(selection_.editor_focus.now, false);  // the editor sets it again
  selection_.caret = {};
  selection_.notes_top.clear();
  if (ImGui::IsMouseClicked(0)) selection_.focus.clear(), selection_.stops.forget();
  follow_comparison();
  selection_.stops.begin_frame();
  selection_.stops.follow(place_of_keys());
  // Where it is, not how far it moved: ImGui reports no movement when the pointer enters the window.
  const ImVec2 mouse = ImGui::GetIO().MousePos, at = selection_.hush.at;
  if (mouse.x != at.x || mouse.y != at.y || ImGui::IsMouseClicked(0)) selection_.hush.on = false;
  // Set by the code that draws the question or the field.
  selection_.asking = selection_.typing = selection_.finding.on = false;
  selection_.timeline = panels_.timeline_shown();
  selection_.quiz = {};
}

// Two runs side by side take the keyboard from the panels, and give it back.
void Shell::follow_comparison() {
  if (std::exchange(compared_.now, comparing_runs()) == comparing_runs()) return;
  std::string& focus = selection_.focus;
  if (!compared_.now) {
    if (!focus.empty()) focus = selection_.focus_wanted = compared_.focus_before;
    return;
  }
  compared_.focus_before = selection_.editor_focus.before ? "code" : focus;
  if (focus.empty() && !selection_.hush.on) return;  // the mouse is used
  focus = selection_.focus_wanted = "compare";
  selection_.stops.begin_in(focus, KeyStops::From::Whole);
}

Frame Shell::frame_at(double time) {
  Frame frame{bench_, theme(), text_.fonts(), input_, selection_, commands_};
  frame.language = language_;
  frame.scale = scale();
  frame.time = time;
  frame.animations = settings_.animations && !still_;
  frame.motion_speed = static_cast<float>(settings_.motion_speed);
  frame.still = still_;
  frame.ghost = settings_.ghost;
  frame.run = run_.number();
  frame.places = probe_.on ? &probe_.places : nullptr;
  frame.watched = probe_.on ? &probe_.watched : nullptr;
  frame.texts = probe_.texts;
  frame.glossary = words_.glossary.terms.empty() ? nullptr : &words_.glossary;
  frame.lesson_words = &words_.lessons;
  return frame;
}

void Shell::draw(float width, float height, double time) {
  begin_frame();
  Frame frame = frame_at(time);
  draw_window(frame, width, height);
  const bool ring_moved = selection_.stops.end_frame();
  // The place is that of the lesson that was drawn.
  if (!still_ && bench_.lesson() != nullptr && bench_.lesson()->slug == run_.lesson())
    KeptPlaces::remember(bench_, settings_, pages_, selection_);
  const bool wished = !commands_.empty() || ring_moved;
  drain();
  window_.redraw_in = wished ? 0 : frame.redraw_in;  // what was wished for is seen in the next frame
  // From the next frame on, for which the letters are made.
  const float scale = scale_of_presenter(width, height);
  if (std::exchange(scale_.presenter, scale) != scale && presenting()) window_.redraw_in = 0;
}

void Shell::draw_window(Frame& frame, float width, float height) {
  pages_.follow(what_is_there());
  // Messages are between the bar and the panels, so that they cover no button.
  const float below_bar = messages_.height();
  Layout layout = arrange(width, height - below_bar, frame.scale, panels_.splits(), pages_.there());
  if (presenting()) layout.bar.h = 0;
  for (Rect* place :
       {&layout.notes, &layout.code, &layout.output, &layout.picture, &layout.step, &layout.tabs,
        &layout.time, &layout.calls, &layout.bottom, &layout.split_notes, &layout.split_picture,
        &layout.split_bottom, &layout.split_output, &layout.split_step, &layout.lanes, &layout.split_lanes})
    place->y += below_bar;
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
  // Its background is what the frame was cleared with; filling it again doubles the work where no GPU does
  // it.
  ImGui::Begin("lab", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  if (selection_.focus_wanted == "bar") ImGui::SetWindowFocus(), selection_.focus_wanted.clear();
  // What is open has the keys.
  Input of_popup;
  if (popups_.any()) std::swap(of_popup, input_);
  if (!presenting()) {
    const KeyPlace keys(selection_.stops, "bar", KeyStops::Arrows::Walk);
    draw_top_bar(frame, layout.bar, popups_.shown(), settings_.scale);
    draw_panel_focus(frame, "bar", layout.bar);
  }
  panels_.draw(frame, layout, width, height, below_bar);
  compat::end_window();
  if (popups_.any()) std::swap(of_popup, input_);
  if (!presenting())
    if (const auto wanted = tour_.draw(frame, layout, popups_.any(), pages_.tab())) pages_.show(*wanted);
  {
    const KeyPlace keys(selection_.stops, "bar", KeyStops::Arrows::Walk);
    messages_.draw(frame, layout);
    notices_.draw(frame, layout);
    draw_work(frame, layout);
  }
  popups_.draw(frame, layout);
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(5);
}

Shown Shell::what_is_there() const {
  const bool foreign = bench_.read_only() && bench_.lesson() == nullptr;
  return {!foreign, !foreign || !bench_.files().empty(), settings_.ghost && bench_.ghost() != nullptr};
}

}  // namespace gui
