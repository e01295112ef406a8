// Every text role on every background it stands on, and every context's colours, held against WCAG's
// contrast.
#include "theme.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

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
  for (const ThemeName name : kThemes) EXPECT_EQ(parse_theme(theme_key(name)), name);
  for (const char* other : {"", "Dark", "solarized", "dark "}) EXPECT_FALSE(parse_theme(other)) << other;
}

TEST(Colours, mixing_ends_where_it_should) {
  EXPECT_EQ(mix(0xff102030u, 0xff405060u, 0), 0xff102030u);
  EXPECT_EQ(mix(0xff102030u, 0xff405060u, 1), 0xff405060u);
  EXPECT_EQ(with_alpha(0xff102030u, 0.5f) >> 24, 128u);
}

}  // namespace
}  // namespace gui
