// SPDX-License-Identifier: MIT
// See pages.hpp.
#include "pages.hpp"

#include <algorithm>
#include <array>

namespace gui {
namespace {
constexpr std::array<std::string_view, 3> kTabNames = {"notes", "code", "picture"};
}  // namespace

std::string_view name_of(Tab tab) {
  return kTabNames[static_cast<std::size_t>(tab)];
}

std::optional<Tab> tab_named(std::string_view name) {
  const auto* const found = std::find(kTabNames.begin(), kTabNames.end(), name);
  if (found == kTabNames.end()) return std::nullopt;
  return static_cast<Tab>(found - kTabNames.begin());
}

Panel panel_named(std::string_view name) {
  if (name == "output") return Panel::Output;
  if (name == "calls" || name == "time") return Panel::Bottom;
  if (name == "timeline") return Panel::Timeline;
  if (name == "presenter") return Panel::Presenter;
  const std::optional<Tab> tab = tab_named(name);
  if (!tab) return Panel::None;
  return *tab == Tab::Notes ? Panel::Notes : *tab == Tab::Code ? Panel::Code : Panel::Picture;
}

void Pages::show(const Page& page) {
  tab_ = page.tab;
  if (page.tab == Tab::Notes) exercise_ = page.exercise;
}

void Pages::follow(Shown there) {
  if (there_.notes && !there.notes && tab_ == Tab::Notes) tab_ = Tab::Code;
  there_ = there;
}

std::vector<Page> Pages::all(bool exercise) const {
  std::vector<Page> all = {{Tab::Notes, false}};
  if (exercise) all.push_back({Tab::Notes, true});
  if (arrangement_ != Arrangement::Wide) all.push_back({Tab::Code, false});
  if (arrangement_ == Arrangement::Stacked) all.push_back({Tab::Picture, false});
  return all;
}

Page Pages::shown(bool exercise) const {
  if (arrangement_ == Arrangement::Wide || tab_ == Tab::Notes) return {Tab::Notes, exercise_ && exercise};
  return {arrangement_ == Arrangement::Stacked ? tab_ : Tab::Code, false};
}

void Pages::show_next(bool exercise, Selection& selection) {
  const std::vector<Page> every = all(exercise);
  const auto now = std::find(every.begin(), every.end(), shown(exercise));
  const Page& next = every[(static_cast<std::size_t>(now - every.begin()) + 1) % every.size()];
  // The keyboard goes along if it was on the page before: what is not shown cannot have it.
  const bool had_it = selection.editor_focus.now || selection.focus == name_of(tab_);
  show(next);
  if (had_it) selection.focus = selection.focus_wanted = name_of(next.tab);
}

void Pages::show_notes() {
  show(Page{Tab::Notes, false});
  if (maximized_ != Panel::Notes) maximized_ = Panel::None;
}

void Pages::show_exercise(Selection& selection) {
  show(Page{Tab::Notes, true});
  if (maximized_ != Panel::Notes) maximized_ = Panel::None;
  selection.focus = selection.focus_wanted = "notes";
}

void Pages::move_focus(Selection& selection, Towards towards) {
  const bool comparing = maximized_ == Panel::Compare;
  std::vector<std::string_view> order = {"picture", "time", "calls", "bar"};
  if (comparing) {
    order = {"compare", "time", "bar"};
  } else {
    if (selection.timeline) order.insert(order.begin() + 2, "timeline");
    if (output_) order.insert(order.begin(), "output");
    if (there_.code) order.insert(order.begin(), "code");
    if (there_.notes) order.insert(order.begin(), "notes");
    maximized_ = Panel::None;
  }
  const std::string_view now = selection.editor_focus.now ? "code" : std::string_view(selection.focus);
  const auto at = std::find(order.begin(), order.end(), now);
  const std::size_t by = towards == Towards::Next ? 1 : order.size() - 1;
  const auto next = (static_cast<std::size_t>(at - order.begin()) + by) % order.size();
  selection.focus = at != order.end() ? order[next]
                    : comparing       ? "compare"
                    : there_.code     ? "code"
                                      : "picture";
  selection.focus_wanted = selection.focus;
  selection.stops.close_menu();
  selection.stops.begin_in(selection.focus, KeyStops::From::Whole);
  if (const auto tab = tab_named(selection.focus)) tab_ = *tab;
  if (selection.focus == "output") tab_ = Tab::Code;  // it is below the code
}

Panel Pages::in_use(const Selection& selection) const {
  if (const Panel focused = panel_named(selection.focus); focused != Panel::None) return focused;
  if (under_mouse_ == Panel::None && selection.editor_focus.now) return Panel::Code;
  return under_mouse_;
}

}  // namespace gui
