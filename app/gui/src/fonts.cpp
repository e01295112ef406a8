// SPDX-License-Identifier: MIT
// See fonts.hpp. One atlas holds every face; Chinese is merged into each at the same em, so that both scripts
// share size and baseline (ImGui sets merged glyphs on the first font's ascent).
#include "fonts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "font_files.hpp"
#include "glyphs.hpp"
#include "imgui_compat.hpp"

namespace gui {
namespace {

constexpr std::array<float, 4> kEm = {12, 14, 17, 22};  // by Size, pixels at 100 %
constexpr char32_t kFirstChinese = 0x2e80;              // below: letters and signs of the Latin font

struct Slot {
  Face face;
  Size size;
};
// The existing slots. For all others, a neighbour is used (see slot_of).
constexpr Slot kSlots[] = {{Face::Ui, Size::Small},   {Face::Ui, Size::Body},    {Face::Bold, Size::Small},
                           {Face::Bold, Size::Body},  {Face::Bold, Size::Title}, {Face::Bold, Size::Large},
                           {Face::Mono, Size::Small}, {Face::Mono, Size::Body}};

std::size_t slot_of(Face face, Size size) {
  if (size == Size::Title || size == Size::Large) {
    if (face == Face::Mono)
      size = Size::Body;
    else
      face = Face::Bold;
  }
  for (std::size_t i = 0; i < std::size(kSlots); ++i)
    if (kSlots[i].face == face && kSlots[i].size == size) return i;
  return 1;
}

const std::optional<FontFile>& latin_of(const FontFiles& files, Face face) {
  if (face == Face::Mono) return files.mono;
  return face == Face::Bold ? files.bold : files.ui;
}

const std::optional<FontFile>& chinese_of(const FontFiles& files, Face face) {
  if (face == Face::Mono && files.chinese_mono) return files.chinese_mono;
  return face == Face::Bold && files.chinese_bold ? files.chinese_bold : files.chinese;
}

}  // namespace

struct Fonts::Impl {
  FontFiles files = find_font_files();
  GlyphSet glyphs;
  bool stale = true;
  float scale = 1;
  std::array<ImFont*, std::size(kSlots)> fonts{};
  std::vector<std::string> names;
  std::vector<ImWchar> latin_ranges, chinese_ranges, sign_ranges;  // ImGui reads them until the build is done

  ImFont* add(ImFontAtlas& atlas, const FontFile& file, float em, const ImWchar* ranges, bool merge) {
    ImFontConfig config;
    config.FontData = file.data();
    config.FontDataSize = static_cast<int>(file.bytes().size());
    config.FontDataOwnedByAtlas = true;  // or ImGui copies the file
    config.FontNo = file.index();
    config.SizePixels = em * file.height_per_em();
    config.OversampleH = em < 24 ? 2 : 1;
    config.OversampleV = 1;
    config.GlyphRanges = ranges;
    config.MergeMode = merge;
    ImFont* font = atlas.AddFont(&config);
    compat::keep_font_data(atlas);  // the mapping is ours
    return font;
  }
};

Fonts::Fonts() : impl_(std::make_unique<Impl>()) {
  for (const auto* file : {&impl_->files.ui, &impl_->files.bold, &impl_->files.mono, &impl_->files.chinese})
    if (*file) impl_->names.push_back((*file)->path());
}

Fonts::~Fonts() = default;

ImFont* Fonts::get(Face face, Size size) const {
  return impl_->fonts[slot_of(face, size)];
}

float Fonts::height(Face face, Size size) const {
  return compat::size_of(*get(face, size));
}

bool Fonts::add_text(std::string_view utf8) {
  if (impl_->glyphs.add(utf8)) impl_->stale = true;
  return impl_->stale;
}

bool Fonts::stale() const {
  return impl_->stale;
}
float Fonts::scale() const {
  return impl_->scale;
}
bool Fonts::has_chinese() const {
  return impl_->files.chinese.has_value();
}
const std::vector<std::string>& Fonts::files() const {
  return impl_->names;
}

void Fonts::rebuild(float scale) {
  Impl& impl = *impl_;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoPowerOfTwoHeight;
  atlas.TexGlyphPadding = 1;
  impl.latin_ranges = impl.glyphs.ranges(0x20, kFirstChinese - 1);
  impl.chinese_ranges = impl.glyphs.ranges(kFirstChinese, 0xffff);
  impl.sign_ranges = impl.glyphs.ranges(0x2000, kFirstChinese - 1);
  for (std::size_t i = 0; i < std::size(kSlots); ++i) {
    const Slot& slot = kSlots[i];
    const float em = std::round(kEm[static_cast<std::size_t>(slot.size)] * scale);
    const auto& latin = latin_of(impl.files, slot.face);
    if (!latin) {  // no outline font on this machine at all: ImGui's own, readable if not pretty
      ImFontConfig config;
      config.SizePixels = em;
      impl.fonts[i] = atlas.AddFontDefault(&config);
      continue;
    }
    impl.fonts[i] = impl.add(atlas, *latin, em, impl.latin_ranges.data(), false);
    const auto& chinese = chinese_of(impl.files, slot.face);
    if (!chinese) continue;
    if (impl.chinese_ranges.size() > 1) impl.add(atlas, *chinese, em, impl.chinese_ranges.data(), true);
    if (impl.sign_ranges.size() > 1) impl.add(atlas, *chinese, em, impl.sign_ranges.data(), true);
  }
  compat::build(atlas, impl.glyphs.size() > 700 ? 2048 : 1024);
  ImGui::GetIO().FontDefault = get(Face::Ui, Size::Body);
  impl.scale = scale;
  impl.stale = false;
}

}  // namespace gui
