// SPDX-License-Identifier: MIT
// The table of the three themes, and the colours of contexts after Okabe and Ito.
//
// tests/app/gui/window checks the contrast of every text role with each of its backgrounds: 4.5:1 in dark and
// light, 7:1 in projector. After a change of a colour, the test shows whether the text can still be read.
// Draws nothing.
#include "theme.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gui {
namespace {

constexpr ImU32 rgb(std::uint32_t hex) {
  return 0xff000000u | ((hex & 0xffu) << 16) | (hex & 0xff00u) | ((hex >> 16) & 0xffu);
}

struct RoleRow {
  Role role;
  std::uint32_t dark, light, projector;
};

// clang-format off
constexpr RoleRow kRows[] = {
  {Role::Window,           0x14171c, 0xeceff3, 0xffffff},
  {Role::Panel,            0x1b2027, 0xffffff, 0xffffff},
  {Role::Raised,           0x222932, 0xf3f5f8, 0xffffff},
  {Role::Hover,            0x2b343f, 0xe7ebf0, 0xe8eef6},
  {Role::Sunken,           0x161a20, 0xf7f8fa, 0xf7f7f7},
  {Role::Line,             0x2e3742, 0xd9dfe6, 0x000000},
  {Role::LineStrong,       0x46525f, 0xa9b3be, 0x000000},
  {Role::Text,             0xe6eaf0, 0x1a2027, 0x000000},
  {Role::Muted,            0x95a1b0, 0x566270, 0x333333},
  {Role::Accent,           0x56b4e9, 0x0b6aa8, 0x003f73},
  {Role::AccentText,       0x0c1a24, 0xffffff, 0xffffff},
  {Role::AccentSoft,       0x233644, 0xdcebf7, 0xd6e8fa},
  {Role::Good,             0x5cc08f, 0x0a7048, 0x00482c},
  {Role::Bad,              0xff7b72, 0xb3261e, 0x8c0000},
  {Role::BadSoft,          0x3b2326, 0xfbe6e4, 0xffe4e1},
  {Role::Caution,          0xe9ab2c, 0x7f5200, 0x533300},
  {Role::CautionSoft,      0x2c2519, 0xfdf3dd, 0xfff3d6},
  {Role::Shadow,           0x0b0d10, 0xb9c2cc, 0xbbbbbb},
  {Role::CodeText,         0xdfe4eb, 0x1a2027, 0x000000},
  {Role::CodeKeyword,      0xc79bea, 0x7a2fb0, 0x4b0082},
  {Role::CodeType,         0xc79bea, 0x7a2fb0, 0x4b0082},
  {Role::CodeFunction,     0x7cb7ff, 0x0a5cae, 0x003f87},
  {Role::CodeString,       0x9bd08c, 0x2f6b1c, 0x1f4a10},
  {Role::CodeNumber,       0xf0926f, 0xa5400f, 0x7a2900},
  {Role::CodeComment,      0x96a1ae, 0x5b6773, 0x404040},
  {Role::CodePreprocessor, 0xd7b27c, 0x7a5200, 0x553600},
  {Role::Selection,        0x2f4a63, 0xbfdcf5, 0xb7d6f5},
};

// Identity colours, after Okabe and Ito, each changed as little as needed to differ clearly from the panel,
// from the others and from the red of errors, also for eyes that lack one of the three kinds of cones
// (tests/app/gui/window/theme_test.cpp computes that). Vermilion comes last among the created ones.
struct Identity {
  std::uint32_t dark, light, projector;
};
constexpr Identity kCreated[] = {
  {0xe8ac07, 0xe6a004, 0x976000},  // orange
  {0x59c0fd, 0x39b9fb, 0x3294c4},  // sky
  {0x009050, 0x10996f, 0x01a175},  // green
  {0xf0e442, 0xb4ad47, 0x959242},  // yellow
  {0x0072b2, 0x0072b2, 0x0071b1},  // blue
  {0xd55e00, 0xd55e00, 0xe46e00},  // vermilion
};
constexpr Identity kPrimary[] = {
  {0xcc79a7, 0xcc79a7, 0xc3729e},  // purple
  {0x7892ce, 0x7692cc, 0x4f648e},  // slate
  {0x8ab039, 0x739d43, 0x5e7f3a},  // olive
  {0xe9b49a, 0xd9a37e, 0xb97267},  // clay
};
// clang-format on

double channel(ImU32 colour, int shift) {
  const double c = static_cast<double>((colour >> shift) & 0xffu) / 255.0;
  return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(ImU32 colour) {
  return 0.2126 * channel(colour, 0) + 0.7152 * channel(colour, 8) + 0.0722 * channel(colour, 16);
}

// Moves `colour` towards `to` until it can be read on both backgrounds.
ImU32 readable(ImU32 colour, ImU32 on, ImU32 also_on, ImU32 to, double wanted) {
  for (int percent = 0; percent <= 100; percent += 4) {
    const ImU32 tried = mix(colour, to, static_cast<float>(percent) / 100.0f);
    if (contrast(tried, on) >= wanted && contrast(tried, also_on) >= wanted) return tried;
  }
  return to;
}

// "A" is 0, "Z" 25, "AA" 26; nothing for other words.
std::optional<std::size_t> letter_index(std::string_view name) {
  if (name.empty() || name.size() > 6) return std::nullopt;
  std::size_t index = 0;
  for (const char c : name) {
    if (c < 'A' || c > 'Z') return std::nullopt;
    index = index * 26 + static_cast<std::size_t>(c - 'A') + 1;
  }
  return index - 1;
}

std::optional<std::size_t> primary_index(std::string_view name) {
  if (name.size() < 2 || name.size() > 6 || name[0] != 'P') return std::nullopt;
  std::size_t index = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  return index;
}

}  // namespace

struct ThemeTable {
  std::array<Theme, 3> themes;

  ThemeTable() {
    for (std::size_t i = 0; i < themes.size(); ++i) {
      Theme& theme = themes[i];
      theme.name_ = static_cast<ThemeName>(i);
      for (const RoleRow& row : kRows) {
        const std::uint32_t hex = i == 0 ? row.dark : i == 1 ? row.light : row.projector;
        theme.roles_[static_cast<std::size_t>(row.role)] = rgb(hex);
      }
    }
    Theme& projector = themes[static_cast<std::size_t>(ThemeName::Projector)];
    projector.line_width_ = 1.5f;
    projector.strong_width_ = 4;
  }
};

const Theme& Theme::get(ThemeName name) {
  static const ThemeTable table;
  return table.themes[static_cast<std::size_t>(name)];
}

ContextColour Theme::context(std::string_view context_name) const {
  Identity own{};
  if (const auto primary = primary_index(context_name)) {
    own = kPrimary[*primary % std::size(kPrimary)];
  } else if (const auto letter = letter_index(context_name)) {
    own = kCreated[*letter % std::size(kCreated)];
  } else {
    const ImU32 muted = (*this)[Role::Muted];
    return {muted, muted, (*this)[Role::Raised], (*this)[Role::Panel]};
  }
  const ImU32 panel = (*this)[Role::Panel];
  const ImU32 towards = (*this)[Role::Text];
  const double wanted = name_ == ThemeName::Projector ? 7.0 : 4.5;
  ContextColour colour;
  colour.line = rgb(dark() ? own.dark : name_ == ThemeName::Light ? own.light : own.projector);
  colour.fill = mix(panel, colour.line, dark() ? 0.28f : 0.2f);
  colour.text = readable(colour.line, colour.fill, (*this)[Role::Raised], towards, wanted);
  const ImU32 black = rgb(0x0c0f13), white = rgb(0xffffff);
  colour.on_line = contrast(black, colour.line) >= contrast(white, colour.line) ? black : white;
  return colour;
}

ImU32 mix(ImU32 from, ImU32 to, float amount) {
  ImU32 mixed = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const auto a = static_cast<float>((from >> shift) & 0xffu), b = static_cast<float>((to >> shift) & 0xffu);
    mixed |= static_cast<ImU32>(std::lround(a + (b - a) * std::clamp(amount, 0.0f, 1.0f))) << shift;
  }
  return mixed;
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  const auto old = static_cast<float>(colour >> 24);
  return (colour & 0x00ffffffu) |
         (static_cast<ImU32>(std::lround(old * std::clamp(alpha, 0.0f, 1.0f))) << 24);
}

double contrast(ImU32 a, ImU32 b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace gui
