// SPDX-License-Identifier: MIT
// The contrast of every text role with each of its backgrounds, and of every context's colours, compared with
// WCAG; and how different contexts look for every reader, including those with two kinds of cones.
#include "theme.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "colour_vision.hpp"

namespace gui {
namespace {

constexpr ThemeName kThemes[] = {ThemeName::Dark, ThemeName::Light, ThemeName::Projector};
constexpr Role kTexts[] = {Role::Text,        Role::Muted,           Role::Accent,     Role::Good,
                           Role::Bad,         Role::Caution,         Role::CodeText,   Role::CodeKeyword,
                           Role::CodeType,    Role::CodeFunction,    Role::CodeString, Role::CodeNumber,
                           Role::CodeComment, Role::CodePreprocessor};

double wanted(ThemeName theme) {
  return theme == ThemeName::Projector ? 7.0 : 4.5;
}

TEST(Theme, text_can_be_read_on_panels_cards_and_the_current_row) {
  for (const ThemeName name : kThemes) {
    const Theme& theme = Theme::get(name);
    for (const Role text : kTexts)
      for (const Role ground : {Role::Window, Role::Panel, Role::Raised, Role::Sunken, Role::AccentSoft})
        EXPECT_GE(contrast(theme[text], theme[ground]), wanted(name))
            << theme_key(name) << ": role " << static_cast<int>(text) << " on " << static_cast<int>(ground);
  }
}

TEST(Theme, errors_and_cautions_can_be_read_on_their_own_boxes) {
  for (const ThemeName name : kThemes) {
    const Theme& theme = Theme::get(name);
    for (const auto& [text, ground] : {std::pair{Role::Bad, Role::BadSoft},
                                       {Role::Text, Role::BadSoft},
                                       {Role::Caution, Role::CautionSoft},
                                       {Role::Text, Role::CautionSoft},
                                       {Role::AccentText, Role::Accent},
                                       {Role::Text, Role::Hover},
                                       {Role::CodeFunction, Role::BadSoft}})
      EXPECT_GE(contrast(theme[text], theme[ground]), wanted(name))
          << theme_key(name) << ": role " << static_cast<int>(text) << " on " << static_cast<int>(ground);
  }
}

TEST(Theme, the_name_of_every_context_can_be_read_on_its_badge_and_on_a_card) {
  for (const ThemeName name : kThemes) {
    const Theme& theme = Theme::get(name);
    for (const char* context : {"A", "B", "C", "D", "E", "F", "G", "Z", "AA", "P0", "P1", "P2", "P7"}) {
      const ContextColour colour = theme.context(context);
      EXPECT_GE(contrast(colour.text, colour.fill), wanted(name)) << theme_key(name) << " " << context;
      EXPECT_GE(contrast(colour.text, theme[Role::Raised]), wanted(name))
          << theme_key(name) << " " << context;
      EXPECT_GE(contrast(colour.on_line, colour.line), 4.5) << theme_key(name) << " " << context;
    }
  }
}

TEST(Theme, a_border_of_a_context_stands_out_from_the_panel) {
  for (const ThemeName name : kThemes) {
    const Theme& theme = Theme::get(name);
    for (const char* context : {"A", "B", "C", "D", "E", "F", "P0", "P1"})
      EXPECT_GE(contrast(theme.context(context).line, theme[Role::Panel]),
                name == ThemeName::Light ? 2.0 : 3.0)
          << theme_key(name) << " " << context;
  }
}

TEST(Theme, the_first_contexts_of_a_run_have_colours_of_their_own) {
  const Theme& theme = Theme::get(ThemeName::Dark);
  std::set<ImU32> seen;
  for (const char* context : {"A", "B", "C", "D", "E", "F", "P0", "P1"})
    EXPECT_TRUE(seen.insert(theme.context(context).line).second) << context;
}

TEST(Theme, no_context_is_red_like_an_error) {
  for (const ThemeName name : kThemes)
    for (const char* context : {"A", "B", "C", "D", "E", "F", "P0", "P1", "P2", "P3"})
      EXPECT_NE(Theme::get(name).context(context).line, Theme::get(name)[Role::Bad]) << context;
}

TEST(Theme, a_name_that_is_no_context_is_muted) {
  const Theme& theme = Theme::get(ThemeName::Light);
  for (const char* other : {"", "null", "0x7f00", "P-", "Pa", "a"})
    EXPECT_EQ(theme.context(other).line, theme[Role::Muted]) << other;
}

TEST(Theme, the_projector_is_black_on_white) {
  const Theme& theme = Theme::get(ThemeName::Projector);
  EXPECT_DOUBLE_EQ(contrast(theme[Role::Text], theme[Role::Panel]), 21.0);
}

TEST(Theme, names_are_read_back_and_others_refused) {
  for (const ThemeName name : kThemes) EXPECT_EQ(lab::parse_theme(theme_key(name)), name);
  for (const char* other : {"", "Dark", "solarized", "dark "}) EXPECT_FALSE(lab::parse_theme(other)) << other;
}

// A difference of 2.3 is just noticed when two fields touch; these are apart on the screen.
TEST(Theme, contexts_stay_apart_for_every_reader) {
  const char* const contexts[] = {"A", "B", "C", "D", "E", "F", "P0", "P1", "P2", "P3"};
  for (const ThemeName name : kThemes)
    for (const Vision vision : kVisions)
      for (std::size_t i = 0; i < std::size(contexts); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const Theme& theme = Theme::get(name);
          const bool many = i > 7;  // more than two primary contexts
          EXPECT_GE(difference(theme.context(contexts[i]).line, theme.context(contexts[j]).line, vision),
                    many ? 11 : 13)
              << theme_key(name) << " " << contexts[j] << " " << contexts[i] << " vision "
              << static_cast<int>(vision);
        }
}

TEST(Theme, errors_stay_apart_from_contexts_and_from_success) {
  for (const ThemeName name : kThemes)
    for (const Vision vision : kVisions) {
      const Theme& theme = Theme::get(name);
      for (const char* context : {"A", "B", "C", "D", "E", "F", "P0", "P1", "P2", "P3"})
        EXPECT_GE(difference(theme.context(context).line, theme[Role::Bad], vision), 11)
            << theme_key(name) << " " << context << " vision " << static_cast<int>(vision);
      EXPECT_GE(difference(theme[Role::Good], theme[Role::Bad], vision), 11)
          << theme_key(name) << " vision " << static_cast<int>(vision);
      EXPECT_GE(difference(theme[Role::Accent], theme[Role::Bad], vision), 40)
          << theme_key(name) << " vision " << static_cast<int>(vision);
    }
}

// The basis of the two above.
TEST(ColourVision, red_and_green_fall_together_without_red_or_green_cones_and_blue_and_yellow_do_not) {
  const ImU32 red = 0xff4040c0u, green = 0xff308060u, blue = 0xffc04020u, yellow = 0xff20c0e0u;
  EXPECT_GT(difference(red, green, Vision::Usual), 60);
  EXPECT_LT(difference(red, green, Vision::NoGreen), 30);
  for (const Vision vision : kVisions) EXPECT_GT(difference(blue, yellow, vision), 80);
  EXPECT_EQ(difference(red, red, Vision::NoRed), 0);
  EXPECT_NEAR(difference(0xff000000u, 0xffffffffu, Vision::NoRed), 100, 0.5);
}

std::string css_colour(ImU32 colour) {
  char words[8];
  std::snprintf(words, sizeof words, "#%02x%02x%02x", colour & 0xff, colour >> 8 & 0xff, colour >> 16 & 0xff);
  return words;
}

TEST(Theme, contexts_have_the_same_colours_on_an_exported_page) {
  std::ifstream file(GUI_TESTS "/../../../../assets/page/viewer.css");
  const std::string css{std::istreambuf_iterator<char>(file), {}};
  const std::size_t dark = css.find(":root[data-theme=\"dark\"]"), other = css.find("@media", dark);
  ASSERT_NE(other, std::string::npos);
  const auto stands = [&](const std::string& words, std::size_t from, std::size_t to) {
    return css.find(words, from) < to;
  };
  for (const std::string context : {"A", "B", "C", "D", "E", "F", "P0", "P1", "P2", "P3"}) {
    const std::string name = context[0] == 'P' ? context : std::to_string(context[0] - 'A');
    const auto said = [&](ThemeName theme) {
      return "--of" + name + ": " + css_colour(Theme::get(theme).context(context).line) + ";";
    };
    EXPECT_TRUE(stands(said(ThemeName::Light), 0, dark)) << said(ThemeName::Light);
    EXPECT_TRUE(stands(said(ThemeName::Dark), dark, other)) << said(ThemeName::Dark);
    EXPECT_TRUE(stands(said(ThemeName::Dark), other, css.size())) << said(ThemeName::Dark);
  }
}

TEST(Colours, mixing_ends_where_it_should) {
  EXPECT_EQ(mix(0xff102030u, 0xff405060u, 0), 0xff102030u);
  EXPECT_EQ(mix(0xff102030u, 0xff405060u, 1), 0xff405060u);
  EXPECT_EQ(with_alpha(0xff102030u, 0.5f) >> 24, 128u);
}

}  // namespace
}  // namespace gui
