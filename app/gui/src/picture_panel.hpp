// SPDX-License-Identifier: MIT
// One picture with everything that can be done to it: motion, view (picture_view.hpp), search
// (picture_search.hpp), filter, the difference from the pinned moment, the card with an object's history. The
// picture's own panel has one, two runs side by side have two.
//
// It gets the run only through ShownRun, and changes the moment only through its jump().
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "picture_drawing.hpp"
#include "picture_layout.hpp"
#include "picture_life.hpp"
#include "picture_run.hpp"
#include "picture_search.hpp"
#include "picture_view.hpp"

namespace gui::picture {

enum class Tools : std::uint8_t { None, All };

class PicturePanel {
 public:
  // Draws into the open window, from the cursor on. `id` is different for two pictures in one window.
  void draw(Frame& frame, const ShownRun& run, const char* id, Tools tools);
  // The strip with search, filter and zoom; on the right of the panel's header, if there is one.
  void draw_tools(Frame& frame, const ShownRun& run);
  // Opens the search in the next frame.
  void find() { search_.open_next(); }
  // Selects it in the next frame and brings it into sight, wherever it is folded away.
  void show(lab::ObjectId object) { wanted_ = object; }
  lab::ObjectId selected() const { return life_.selected(); }

 private:
  // What a scene was made from; it is made again if any of it differs.
  struct SceneKey {
    std::size_t moment = 0, contexts = 0;
    std::uint64_t run = 0;
    float width = 0, scale = 0;
    bool keep_room = false;  // for the tallest stack of the run
    lab::Language language = lab::Language::English;
    std::size_t unfolded = 0;
    Filter filter;
    lab::ObjectId wanted;
    std::optional<std::size_t> pin;
    const lab::Ghost* ghost = nullptr;  // only compared
    bool operator==(const SceneKey&) const = default;
  };
  void update(Frame& frame, const ShownRun& run, ImVec2 room);
  Scene lay_out_at(Frame& frame, const ShownRun& run, ImVec2 room, float width);
  Request request(Frame& frame, const ShownRun& run, float width) const;
  std::vector<Rect> places_told(const Frame& frame, const ShownRun& run) const;
  // `mouse`: in points of the scene; `origin`: where the scene begins on the screen.
  void explain(Frame& frame, const ShownRun& run, const Box& box, ImVec2 mouse, ImVec2 origin);
  bool explain_word(const Frame& frame, const Box& box, ImVec2 mouse, ImVec2 origin) const;
  void take_keys(Frame& frame);
  void note_stops(Frame& frame, ImVec2 origin, const char* id);
  bool in_card(const Frame& frame, const std::string& place);
  void press(const Box& box);
  void draw_scene(Frame& frame, const ShownRun& run, const char* id, ImVec2 room);
  void place_boxes(const Frame& frame, ImVec2 origin) const;
  void unfold_for(const lab::State& state, lab::ObjectId wanted);
  void draw_filter(Frame& frame, const ShownRun& run);

  std::optional<SceneKey> key_;
  Scene scene_, before_;
  double started_ = -1;  // when the motion began
  bool lay_out_anew_ = false;
  View view_;
  Search search_;
  Filter filter_;
  bool filter_open_ = false;
  std::set<std::uint64_t> unfolded_;
  std::map<std::uint32_t, std::uint32_t> deepest_;  // by thread: the most cards seen in this run
  LifeCard life_;
  bool card_has_keys_ = false;           // the keyboard walks the card with the history
  std::optional<lab::ObjectId> wanted_;  // to be shown
};

}  // namespace gui::picture
