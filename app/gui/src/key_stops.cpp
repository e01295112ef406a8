// SPDX-License-Identifier: MIT
// See key_stops.hpp. A key is judged by what was drawn last; what it did is seen in the frame that follows.
#include "key_stops.hpp"

#include <algorithm>
#include <utility>

namespace gui {

KeyStops::Id KeyStops::current_id() const {
  const auto found = current_.find(active_);
  return found == current_.end() ? 0 : found->second;
}

void KeyStops::follow(std::string_view place) {
  if (active_ == place) return;
  active_ = place;
  stops_.clear();
  arrows_ = Arrows::OfPlace;
}

void KeyStops::begin_in(std::string_view place, From from) {
  current_.erase(std::string(place));
  if (from == From::First)
    first_wanted_ = place;
  else if (first_wanted_ == place)
    first_wanted_.clear();
}

void KeyStops::forget() {
  current_.clear();
  first_wanted_.clear();
}

void KeyStops::step(bool back) {
  const std::size_t count = stops_.size();
  const Id now = current_id();
  const auto at =
      std::find_if(stops_.begin(), stops_.end(),
                   [wanted = now != 0 ? now : start_](const Stop& each) { return each.id == wanted; });
  std::size_t next = back ? count - 1 : 0;
  if (at != stops_.end()) {
    const auto from = static_cast<std::size_t>(at - stops_.begin());
    next = (from + (back ? count - 1 : 1)) % count;
  }
  left_ = now;
  current_[active_] = stops_[next].id;
  arrived_ = true;
}

bool KeyStops::take(const KeyPress& press, bool typing) {
  if (active_.empty() || press.ctrl || press.alt) return false;
  if (press.key == Key::Tab) {
    if (stops_.empty() || (typing && tab_kept_ && !press.shift)) return false;
    return step(press.shift), true;
  }
  if (typing || press.shift) return false;
  const Id now = current_id();
  const bool walks = arrows_ == Arrows::Walk && !stops_.empty();
  switch (press.key) {
    case Key::Down:
    case Key::Right:
    case Key::Up:
    case Key::Left:
      if (walks) step(press.key == Key::Up || press.key == Key::Left);
      return walks;
    case Key::Home:
    case Key::End:
      if (!walks) return false;
      current_[active_] = press.key == Key::Home ? stops_.front().id : stops_.back().id;
      return arrived_ = true;
    case Key::Enter:
    case Key::Space:
      if (now == 0) return false;
      if (!press.repeat) pressed_ = now;
      return true;
    case Key::Escape:
      if (active_ == menu_ && !menu_.empty()) return close_menu(), true;
      if (now == 0) return false;
      left_ = now;
      current_.erase(active_);
      return true;
    default:
      return false;
  }
}

void KeyStops::begin_frame() {
  menu_ = std::exchange(menu_next_, {});
  tab_kept_next_ = false;
  drawn_.clear();
  at_end_.clear();
  start_ = 0;
  last_on_ = drawing_here_ = scrolled_ = false;
}

KeyStops::Here KeyStops::stop(Id id, float x, float y, bool preferred) {
  last_on_ = false;
  if (!drawing_here_) return {};
  drawn_.push_back({id, x, y, preferred});
  last_on_ = is_on(id);
  if (!last_on_) return {};
  return {true, arrived_, std::exchange(pressed_, pressed_ == id ? 0 : pressed_) == id};
}

void KeyStops::stand_on(Id id) {
  if (drawing_here_) current_[active_] = id;
}

void KeyStops::leave() {
  if (drawing_here_) current_.erase(active_);
}

bool KeyStops::end_frame() {
  arrived_ = false;
  pressed_ = left_ = 0;
  menu_left_.clear();
  tab_kept_ = tab_kept_next_;
  drawn_.insert(drawn_.end(), at_end_.begin(), at_end_.end());
  bool changed = false;
  const auto there = [](const std::vector<Stop>& stops, Id id) {
    return std::find_if(stops.begin(), stops.end(), [id](const Stop& each) { return each.id == id; });
  };
  if (const Id now = current_id(); now != 0 && !drawn_.empty() && there(drawn_, now) == drawn_.end()) {
    // What it stood on is gone: it stands on what is in that place now.
    const auto before = static_cast<std::size_t>(there(stops_, now) - stops_.begin());
    current_[active_] = drawn_[std::min(before, drawn_.size() - 1)].id;
    changed = true;
  }
  if (first_wanted_ == active_ && !drawn_.empty()) {
    const auto preferred =
        std::find_if(drawn_.begin(), drawn_.end(), [](const Stop& each) { return each.preferred; });
    current_[active_] = preferred == drawn_.end() ? drawn_.front().id : preferred->id;
    first_wanted_.clear();
    changed = arrived_ = true;
  }
  stops_.swap(drawn_);
  return changed;
}

KeyPlace::KeyPlace(KeyStops& stops, std::string_view name, KeyStops::Arrows arrows)
    : stops_(stops), before_(stops.drawing_here_) {
  stops_.drawing_here_ = !name.empty() && stops_.active_ == name;
  if (stops_.drawing_here_) stops_.arrows_ = arrows;
}

KeyOrder::~KeyOrder() {
  const auto begin = stops_.drawn_.begin() + static_cast<std::ptrdiff_t>(begin_);
  const bool row = of_ != Of::Page;
  std::stable_sort(begin, stops_.drawn_.end(), [row](const KeyStops::Stop& a, const KeyStops::Stop& b) {
    return row || a.y == b.y ? a.x < b.x : a.y < b.y;
  });
  if (of_ != Of::LastRow) return;
  stops_.at_end_.insert(stops_.at_end_.end(), begin, stops_.drawn_.end());
  stops_.drawn_.erase(begin, stops_.drawn_.end());
}

}  // namespace gui
