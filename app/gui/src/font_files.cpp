// SPDX-License-Identifier: MIT
// See font_files.hpp. With DRIVERLAB_FONTS=latin it behaves as on a machine without Chinese fonts; tests use
// that.
#include "font_files.hpp"

#include <fcntl.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

namespace gui {
namespace {

bool has_outlines(std::string_view start) {
  using namespace std::string_view_literals;
  return start == "\0\1\0\0"sv || start == "OTTO"sv || start == "ttcf"sv || start == "true"sv;
}

// Height over em as ImGui's rasteriser computes it: from the hhea table, whatever else the font says.
std::optional<float> measure(const void* data, std::size_t size, int index) {
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) != 0) return std::nullopt;
  FT_Face face = nullptr;
  std::optional<float> ratio;
  if (FT_New_Memory_Face(library, static_cast<const FT_Byte*>(data), static_cast<FT_Long>(size), index,
                         &face) == 0) {
    const auto* hhea = static_cast<const TT_HoriHeader*>(FT_Get_Sfnt_Table(face, FT_SFNT_HHEA));
    if (hhea != nullptr && face->units_per_EM > 0 && hhea->Ascender > hhea->Descender)
      ratio = static_cast<float>(hhea->Ascender - hhea->Descender) / static_cast<float>(face->units_per_EM);
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
  return ratio;
}

struct Wish {
  const char* family;
  int weight;
  const char* language;  // "" for any
  FcChar32 must_have;    // a character that the font has to contain
  bool exact_family;     // refuse another family
};

std::optional<FontFile> match(const Wish& wish) {
  FcPattern* pattern = FcPatternCreate();
  FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(wish.family));
  FcPatternAddInteger(pattern, FC_WEIGHT, wish.weight);
  FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddBool(pattern, FC_OUTLINE, FcTrue);
  if (*wish.language != '\0')
    FcPatternAddString(pattern, FC_LANG, reinterpret_cast<const FcChar8*>(wish.language));
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  FcResult result = FcResultNoMatch;
  FcPattern* found = FcFontMatch(nullptr, pattern, &result);
  FcPatternDestroy(pattern);
  if (found == nullptr) return std::nullopt;

  std::optional<FontFile> file;
  FcChar8* path = nullptr;
  FcChar8* family = nullptr;
  FcCharSet* characters = nullptr;
  int index = 0;
  FcPatternGetInteger(found, FC_INDEX, 0, &index);
  const bool named = FcPatternGetString(found, FC_FAMILY, 0, &family) == FcResultMatch;
  const bool family_fits =
      !wish.exact_family || (named && std::strcmp(reinterpret_cast<const char*>(family), wish.family) == 0);
  const bool has_character = FcPatternGetCharSet(found, FC_CHARSET, 0, &characters) == FcResultMatch &&
                             FcCharSetHasChar(characters, wish.must_have) == FcTrue;
  if (family_fits && has_character && FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch)
    file = FontFile::open(reinterpret_cast<const char*>(path), index & 0xffff);
  FcPatternDestroy(found);
  return file;
}

// The first family that this machine has; at last whatever fontconfig thinks comes nearest.
std::optional<FontFile> first_of(std::initializer_list<const char*> families, int weight,
                                 const char* language, FcChar32 must_have) {
  const char* last = "sans-serif";
  for (const char* family : families) {
    if (auto file = match({family, weight, language, must_have, true})) return file;
    last = family;
  }
  return match({last, weight, language, must_have, false});
}

}  // namespace

std::optional<FontFile> FontFile::open(const std::string& path, int index) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct stat status{};
  std::optional<FontFile> file;
  if (::fstat(descriptor, &status) == 0 && status.st_size > 64 && status.st_size < (512 << 20)) {
    FontFile opened;
    opened.size_ = static_cast<std::size_t>(status.st_size);
    void* data = ::mmap(nullptr, opened.size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data != MAP_FAILED) {
      opened.data_ = data;
      opened.index_ = index;
      opened.path_ = path;
      const auto ratio = measure(data, opened.size_, index);
      if (ratio && has_outlines({static_cast<const char*>(data), 4})) {
        opened.height_per_em_ = *ratio;
        file = std::move(opened);
      }
    }
  }
  ::close(descriptor);
  return file;
}

FontFile::FontFile(FontFile&& other) noexcept {
  *this = std::move(other);
}

FontFile& FontFile::operator=(FontFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(index_, other.index_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(height_per_em_, other.height_per_em_);
  return *this;
}

FontFile::~FontFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

FontFiles find_font_files() {
  FontFiles files;
  if (FcInit() == FcFalse) return files;
  files.ui = first_of({"Inter", "Noto Sans", "DejaVu Sans", "sans-serif"}, FC_WEIGHT_REGULAR, "", 'a');
  files.bold = first_of({"Inter", "Noto Sans", "DejaVu Sans", "sans-serif"}, FC_WEIGHT_DEMIBOLD, "", 'a');
  files.mono = first_of({"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono", "monospace"},
                        FC_WEIGHT_REGULAR, "", 'a');
  const char* fonts = std::getenv("DRIVERLAB_FONTS");
  if (fonts != nullptr && std::string_view(fonts) == "latin") return files;
  constexpr FcChar32 kOn = 0x4e0a;  // 上
  const auto sans = {"Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei"};
  files.chinese = first_of(sans, FC_WEIGHT_REGULAR, "zh-cn", kOn);
  files.chinese_bold = first_of(sans, FC_WEIGHT_BOLD, "zh-cn", kOn);
  files.chinese_mono = first_of({"Noto Sans Mono CJK SC", "Noto Sans CJK SC", "WenQuanYi Micro Hei Mono"},
                                FC_WEIGHT_REGULAR, "zh-cn", kOn);
  return files;
}

}  // namespace gui
