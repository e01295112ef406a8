// Every difference between the versions of Dear ImGui that the window is built with: 1.86 (Debian 12)
// to 1.91.
//
// The rest of app/gui calls these and never asks for a version. Knows ImGui only.
#pragma once
#include <imgui.h>

#include <cstdint>

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

inline ImTextureID texture_id(unsigned gl_name) {
  return (ImTextureID)(std::intptr_t)gl_name;
}  // NOLINT

// 1.86 knows a held key only by the backend's own code; from 1.87 on by name. Both are asked through KeyPress
// lists (input.hpp); what is left are the modifiers.
inline bool ctrl_held() {
  return ImGui::GetIO().KeyCtrl;
}
inline bool shift_held() {
  return ImGui::GetIO().KeyShift;
}

// Keeps ImGui's own keyboard navigation from eating keys that the shell hands out.
inline void capture_keyboard(bool capture) {
#if IMGUI_VERSION_NUM >= 18900
  ImGui::SetNextFrameWantCaptureKeyboard(capture);
#else
  ImGui::CaptureKeyboardFromApp(capture);
#endif
}

inline bool is_version_supported() {
  return IMGUI_VERSION_NUM >= 18600 && IMGUI_VERSION_NUM < 19200;
}

}  // namespace gui::compat
