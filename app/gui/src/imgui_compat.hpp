// Every difference between the versions of Dear ImGui that the window is built with: 1.86 (Debian 12)
// to 1.91.
//
// The rest of app/gui calls these and never asks for a version. Knows ImGui only.
#pragma once
#include <imgui.h>

#if IMGUI_VERSION_NUM < 18600 || IMGUI_VERSION_NUM >= 19200
#error "Dear ImGui 1.86 to 1.91 is needed: later versions make their glyphs in another way"
#endif

namespace gui::compat {

inline bool begin_child(const char* id, ImVec2 size, bool padded, ImGuiWindowFlags flags) {
#if IMGUI_VERSION_NUM >= 19000
  const ImGuiChildFlags child = padded ? ImGuiChildFlags_AlwaysUseWindowPadding : 0;
  return ImGui::BeginChild(id, size, child, flags);
#else
  if (padded) flags |= ImGuiWindowFlags_AlwaysUseWindowPadding;
  return ImGui::BeginChild(id, size, false, flags);
#endif
}

// 1.86 knows a held key only by the backend's own code; from 1.87 on by name. Both are asked through KeyPress
// lists (input.hpp); what is left are the modifiers.
inline bool shift_held() {
  return ImGui::GetIO().KeyShift;
}

// After the backend's NewFrame: everything is laid out in pixels, also where the window system counts
// otherwise. Before 1.87 the backend has just written the mouse in the window system's units.
inline void count_in_pixels(ImVec2 pixels, [[maybe_unused]] float pixels_per_unit) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = pixels;
  io.DisplayFramebufferScale = {1, 1};
#if IMGUI_VERSION_NUM < 18700
  if (pixels_per_unit != 1 && io.MousePos.x > -1e6f) {
    io.MousePos.x *= pixels_per_unit;
    io.MousePos.y *= pixels_per_unit;
  }
#endif
}

}  // namespace gui::compat
