// SPDX-License-Identifier: MIT
// Every difference between the versions of Dear ImGui that the window is built with: 1.86 (Debian 12)
// to 1.92, which makes its glyphs when they are first drawn.
//
// The rest of app/gui calls these and never tests a version; tools/try-imgui compiles it against any version.
// Uses only ImGui and its backends.
#pragma once
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#if IMGUI_VERSION_NUM < 18600
#error "Dear ImGui 1.86 or later is needed"
#endif
#if IMGUI_VERSION_NUM >= 18900
#include <imgui_internal.h>
#endif

#include <algorithm>

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

// The content of a window ends where the cursor was left, even below the last item. Up to 1.88 ImGui itself
// does so; later versions need an item there, and 1.92 asserts one.
inline void count_cursor_as_content() {
#if IMGUI_VERSION_NUM >= 18900
  ImGuiWindowTempData& window = ImGui::GetCurrentWindow()->DC;
  if (!window.IsSetPos) return;
  window.IsSetPos = false;
  window.CursorMaxPos.x = std::max(window.CursorMaxPos.x, window.CursorPos.x);
  window.CursorMaxPos.y = std::max(window.CursorMaxPos.y, window.CursorPos.y);
#endif
}

inline void end_child() {
  count_cursor_as_content();
  ImGui::EndChild();
}
inline void end_window() {
  count_cursor_as_content();
  ImGui::End();
}

// The height that a font was added with, in pixels.
inline float size_of(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

// One line of text; `rest`, where given, is where `most` ends it. From 1.92 on measuring may make glyphs.
inline ImVec2 measure(ImFont& font, const char* begin, const char* end, float most = 1e9f,
                      const char** rest = nullptr) {
  return font.CalcTextSizeA(size_of(font), most, 0, begin, end, rest);
}

// The font that was added last stays ours: the atlas neither copies nor frees its bytes, which have to
// outlive it.
inline void keep_font_data(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  atlas.Sources.back().FontDataOwnedByAtlas = false;
#else
  atlas.ConfigData.back().FontDataOwnedByAtlas = false;
#endif
}

// Glyphs are drawn into the atlas now, at the given width; from 1.92 on as they are needed, where the backend
// can add to its texture.
inline void build(ImFontAtlas& atlas, [[maybe_unused]] int width) {
#if IMGUI_VERSION_NUM >= 19200
  if ((ImGui::GetIO().BackendFlags & ImGuiBackendFlags_RendererHasTextures) == 0) atlas.Build();
#else
  atlas.TexDesiredWidth = width;
  atlas.Build();
#endif
}

// An atlas of our own, for several contexts one after another. 1.92 deletes an atlas with the last context
// that uses it, so we count as a user; and the owner has to begin each of its frames.
inline ImFontAtlas* make_shared_atlas() {
  ImFontAtlas* atlas = IM_NEW(ImFontAtlas)();
#if IMGUI_VERSION_NUM >= 19200
  ++atlas->RefCount;
#endif
  return atlas;
}
inline void begin_frame_of([[maybe_unused]] ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  const bool has_textures = (ImGui::GetIO().BackendFlags & ImGuiBackendFlags_RendererHasTextures) != 0;
  ImFontAtlasUpdateNewFrame(&atlas, atlas.Builder == nullptr ? 1 : atlas.Builder->FrameCount + 1,
                            has_textures);
#endif
}
inline void delete_shared_atlas(ImFontAtlas* atlas) {
#if IMGUI_VERSION_NUM >= 19200
  --atlas->RefCount;
#endif
  IM_DELETE(atlas);
}

// The backend's copy of the atlas has to be made again after a rebuild. 1.92 notifies the backend itself.
inline void forget_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
#endif
}
inline void make_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

// A glyph or a font that the backend does not have yet is passed to it with a frame that is drawn.
inline bool texture_is_waiting([[maybe_unused]] const ImDrawData& data) {
#if IMGUI_VERSION_NUM >= 19200
  if (data.Textures == nullptr) return false;
  for (const ImTextureData* texture : *data.Textures)
    if (texture->Status != ImTextureStatus_OK) return true;
#endif
  return false;
}

// 1.86 has the state of a key only under the backend's own code, 1.87 and later by name. The window uses
// KeyPress lists instead (input.hpp); only the modifiers are read here.
inline bool shift_held() {
  return ImGui::GetIO().KeyShift;
}
inline bool ctrl_held() {
  return ImGui::GetIO().KeyCtrl;
}
// For tests, before a frame.
inline void hold_ctrl(ImGuiIO& io, bool down) {
#if IMGUI_VERSION_NUM >= 18890
  io.AddKeyEvent(ImGuiMod_Ctrl, down);
#elif IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(ImGuiKey_ModCtrl, down);
#else
  io.KeyCtrl = down;
#endif
}

// From 1.87 on the mouse comes with the other events, in their order; before, the backend asks for it.
inline void mouse_at([[maybe_unused]] GLFWwindow* window, [[maybe_unused]] double x,
                     [[maybe_unused]] double y) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui_ImplGlfw_CursorPosCallback(window, x, y);
#endif
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
