// SPDX-License-Identifier: MIT
// See renderer.hpp. Uses the backend that comes with ImGui's package.
#include "renderer.hpp"

#include <GL/gl.h>
#include <GL/glext.h>
#include <backends/imgui_impl_opengl3.h>
#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>

#include "imgui_compat.hpp"

namespace gui {
namespace {

template <typename T>
void add(std::size_t& look, const ImVector<T>& values) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.Data),
                               static_cast<std::size_t>(values.size_in_bytes()));
  look = look * 31 + std::hash<std::string_view>()(bytes);
}
void add(std::size_t& look, std::size_t value) {
  look = look * 31 + std::hash<std::size_t>()(value);
}

}  // namespace

std::size_t look_of(const ImDrawData& data, int width, int height, ImU32 clear) {
  if (compat::texture_is_waiting(data)) return 0;
  std::size_t look = clear;
  add(look, static_cast<std::size_t>(width));
  add(look, static_cast<std::size_t>(height));
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    add(look, list.VtxBuffer);
    add(look, list.IdxBuffer);
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) return 0;
      for (const float edge :
           {command.ClipRect.x, command.ClipRect.y, command.ClipRect.z, command.ClipRect.w})
        add(look, std::bit_cast<std::uint32_t>(edge));
      add(look, (std::size_t)command.GetTexID());
      add(look, command.ElemCount);
      add(look, command.IdxOffset);
      add(look, command.VtxOffset);
    }
  }
  return look == 0 ? 1 : look;
}

namespace {

// ImGui would write through a null pointer. Out of the middle of a frame no exception leads back to where it
// could be said; what ends the program says it.
void* memory_for_imgui(std::size_t bytes, void*) noexcept {
  return ::operator new(bytes);
}

void release_of_imgui(void* memory, void*) noexcept {
  ::operator delete(memory);
}

}  // namespace

std::unique_ptr<Renderer> Renderer::create() {
  // The backend loads this library itself and stops the process where it is missing.
  if (::dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL) == nullptr) return nullptr;
  IMGUI_CHECKVERSION();
  std::unique_ptr<Renderer> renderer(new Renderer);
  ImGui::SetAllocatorFunctions(memory_for_imgui, release_of_imgui);
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) return nullptr;
  renderer->ready_ = true;
  return renderer;
}

Renderer::~Renderer() {
  if (ready_) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();  // with it every scroll position: the next picture starts from nothing
}

void Renderer::rebuild_fonts(Fonts& fonts, float scale) {
  compat::forget_font_texture();
  fonts.rebuild(scale);
  compat::make_font_texture();
  drawn_ = 0;  // the same places in the texture hold other glyphs now
}

void Renderer::begin_frame(int width, int height, double seconds_since_last) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = static_cast<float>(std::clamp(seconds_since_last, 1e-4, 1.0));
  ImGui_ImplOpenGL3_NewFrame();
}

bool Renderer::end_frame(int width, int height, ImU32 clear, bool always) {
  ImGui::Render();
  const std::size_t look = look_of(*ImGui::GetDrawData(), width, height, clear);
  if (!always && look != 0 && look == drawn_) return false;
  drawn_ = look;
  glViewport(0, 0, width, height);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(clear);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  return true;
}

std::vector<std::uint8_t> Renderer::read(int width, int height) {
  const auto row = static_cast<std::size_t>(width) * 4, rows = static_cast<std::size_t>(height);
  std::vector<std::uint8_t> upside_down(row * rows), pixels(row * rows);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  for (std::size_t y = 0; y < rows; ++y)
    std::copy_n(upside_down.begin() + static_cast<std::ptrdiff_t>((rows - 1 - y) * row), row,
                pixels.begin() + static_cast<std::ptrdiff_t>(y * row));
  return pixels;
}

}  // namespace gui
