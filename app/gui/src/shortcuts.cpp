// SPDX-License-Identifier: MIT
// See shortcuts.hpp. Close (Esc) is not in the table of global keys, because an open pop-up uses it first.
#include "shortcuts.hpp"

#include <array>

namespace gui {
namespace {

constexpr KeyPress plain(Key key) {
  return {key, false, false, false, false};
}
constexpr KeyPress ctrl(Key key) {
  return {key, true, false, false, false};
}
constexpr KeyPress shift(Key key) {
  return {key, false, true, false, false};
}

constexpr Shortcut kShortcuts[] = {
    {Action::Continue, plain(Key::F5)},
    {Action::Step, plain(Key::F10)},
    {Action::Back, plain(Key::F9)},
    {Action::Back, shift(Key::F10)},
    {Action::Stop, shift(Key::F5)},
    {Action::Restart, {Key::F5, true, true, false, false}},
    {Action::Run, ctrl(Key::Enter)},
    {Action::Larger, ctrl(Key::Plus)},
    {Action::Larger, {Key::Plus, true, true, false, false}},
    {Action::Smaller, ctrl(Key::Minus)},
    {Action::NormalSize, ctrl(Key::Digit0)},
    {Action::SwitchLanguage, ctrl(Key::L)},
    {Action::NextTheme, ctrl(Key::T)},
    {Action::ShowKeys, plain(Key::F1)},
    {Action::ShowLessons, ctrl(Key::O)},
    {Action::ShowFiles, {Key::O, true, true, false, false}},
    {Action::NextPanel, ctrl(Key::Tab)},
    {Action::Search, {Key::F, true, true, false, false}},
    {Action::Maximize, ctrl(Key::M)},
    {Action::FullScreen, plain(Key::F11)},
    {Action::SavePicture, {Key::S, true, true, false, false}},
    {Action::CopyPicture, {Key::C, true, true, false, false}},
    {Action::CheckExercise, {Key::Enter, true, true, false, false}},
    {Action::ShowExercise, {Key::E, true, true, false, false}},
    {Action::Predict, plain(Key::F2)},
    {Action::Play, plain(Key::F8)},
    {Action::NextLine, ctrl(Key::F10)},
    {Action::LastLine, ctrl(Key::F9)},
    {Action::NextChange, {Key::F10, true, true, false, false}},
    {Action::LastChange, {Key::F9, true, true, false, false}},
    {Action::PinMoment, ctrl(Key::P)},
    {Action::CompareRuns, plain(Key::F4)},
    {Action::ShowGhost, shift(Key::F4)},
    {Action::FindAnything, plain(Key::F7)},
    {Action::ShowTimeline, plain(Key::F3)},
    {Action::Present, plain(Key::F12)},
    {Action::Share, ctrl(Key::E)},
    {Action::ShowTeaching, {Key::T, true, true, false, false}},
    {Action::NextFocus, plain(Key::F6)},
    {Action::LastFocus, shift(Key::F6)},
    {Action::Quit, ctrl(Key::Q)},
    {Action::Close, plain(Key::Escape)},
};

bool repeats(Action action) {
  return action == Action::Step || action == Action::Back || action == Action::Larger ||
         action == Action::Smaller || action == Action::NextLine || action == Action::LastLine ||
         action == Action::NextChange || action == Action::LastChange;
}

}  // namespace

std::optional<Action> action_of(const KeyPress& press) {
  for (const Shortcut& shortcut : kShortcuts) {
    const KeyPress& wanted = shortcut.press;
    if (press.key != wanted.key || press.ctrl != wanted.ctrl || press.shift != wanted.shift || press.alt)
      continue;
    if (press.repeat && !repeats(shortcut.action)) return std::nullopt;
    return shortcut.action;
  }
  return std::nullopt;
}

std::span<const KeyHelp> key_help() {
  using lab::Text;
  static constexpr std::array kHelp = {KeyHelp{"F5", Text::BarContinue},
                                       KeyHelp{"F10", Text::BarStep},
                                       KeyHelp{"F9", Text::BarBack},
                                       KeyHelp{"Shift F5", Text::BarStop},
                                       KeyHelp{"Ctrl Shift F5", Text::BarRestart},
                                       KeyHelp{"Ctrl Enter", Text::HelpSaveRun},
                                       KeyHelp{"Ctrl F / Ctrl H", Text::HelpFind},
                                       KeyHelp{"F3 / Shift F3", Text::HelpFindNext},
                                       KeyHelp{"Ctrl /", Text::HelpComment},
                                       KeyHelp{"Ctrl Space", Text::HelpCompletion},
                                       KeyHelp{"Ctrl click", Text::HelpOpenLesson},
                                       KeyHelp{"Ctrl B", Text::HelpBreakpoint},
                                       KeyHelp{"Ctrl O", Text::HelpLessons},
                                       KeyHelp{"Ctrl Shift O", Text::HelpFiles},
                                       KeyHelp{"Ctrl L", Text::HelpLanguage},
                                       KeyHelp{"Ctrl + / − / 0", Text::HelpLarger},
                                       KeyHelp{"Ctrl T", Text::HelpTheme},
                                       KeyHelp{"Ctrl Tab", Text::HelpPanels},
                                       KeyHelp{"Page Down / Up", Text::HelpPresent},
                                       KeyHelp{"Ctrl Shift F", Text::HelpSearch},
                                       KeyHelp{"Ctrl Shift Enter", Text::HelpCheck},
                                       KeyHelp{"Ctrl Shift E", Text::ExerciseShow},
                                       KeyHelp{"F2", Text::HelpPredict},
                                       KeyHelp{"1 … 4", Text::HelpAnswer},
                                       KeyHelp{"Ctrl M", Text::HelpMaximize},
                                       KeyHelp{"F11", Text::HelpFullScreen},
                                       KeyHelp{"Ctrl Shift S", Text::HelpSavePicture},
                                       KeyHelp{"Ctrl Shift C", Text::HelpCopyPicture},
                                       KeyHelp{"F8", Text::HelpPlay},
                                       KeyHelp{"Ctrl F10 / F9", Text::HelpLineStep},
                                       KeyHelp{"Ctrl Shift F10 / F9", Text::HelpObjectStep},
                                       KeyHelp{"Ctrl P", Text::HelpPin},
                                       KeyHelp{"F7", Text::HelpFindAnything},
                                       KeyHelp{"F4", Text::HelpCompare},
                                       KeyHelp{"Shift F4", Text::GhostShow},
                                       KeyHelp{"F12", Text::HelpPresenter},
                                       KeyHelp{"F3", Text::HelpTimeline},
                                       KeyHelp{"+ / − / Home", Text::HelpTimelineZoom},
                                       KeyHelp{"Ctrl E", Text::HelpShare},
                                       KeyHelp{"Ctrl Shift T", Text::HelpTeaching},
                                       KeyHelp{"F6 / Shift F6", Text::HelpFocus},
                                       KeyHelp{"Tab / Shift Tab", Text::HelpWalkStops},
                                       KeyHelp{"Enter / Space", Text::HelpPressStop},
                                       KeyHelp{"Esc", Text::HelpLeaveStop},
                                       KeyHelp{"Esc, Tab", Text::HelpLeaveEditor},
                                       KeyHelp{"↑ / ↓ / Enter", Text::HelpWalkCalls},
                                       KeyHelp{"← / → / Home / End", Text::HelpWalkTime},
                                       KeyHelp{"F1", Text::HelpKeys},
                                       KeyHelp{"Ctrl Q", Text::HelpQuit}};
  return kHelp;
}

}  // namespace gui
