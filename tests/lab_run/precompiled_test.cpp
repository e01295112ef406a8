// SPDX-License-Identifier: MIT
// Which includes of a lesson may be compiled ahead.
#include "precompiled.hpp"

#include "fixture.hpp"

TEST(Precompiled, TakesTheBlockThatASourceBeginsWith) {
  EXPECT_EQ(
      lab::leading_includes("// what it is\n/* more\n text */\n#include <array>\n\n#include \"check.hpp\"\n"
                            "int x;\n#include <late>\n"),
      "#include <array>\n#include \"check.hpp\"\n");
}
TEST(Precompiled, StopsAtWhatCouldChangeAHeadersMeaning) {
  EXPECT_EQ(lab::leading_includes("#define NDEBUG\n#include <cassert>\n"), "");
  EXPECT_EQ(lab::leading_includes("#include <array>\n#define X\n#include <vector>\n"), "#include <array>\n");
}
TEST(Precompiled, StopsAtAHeaderThatDependsOnThePlace) {
  EXPECT_EQ(lab::leading_includes("#include \"mine.hpp\"\n#include <array>\n"), "");
}
TEST(Precompiled, CodeAfterACommentEndsTheBlock) {
  EXPECT_EQ(lab::leading_includes("/* a */ int x;\n#include <array>\n"), "");
  EXPECT_EQ(lab::leading_includes("#include <array> // why\n"), "");
}
TEST(Precompiled, NothingComesOfNothing) {
  EXPECT_EQ(lab::leading_includes(""), "");
  EXPECT_EQ(lab::leading_includes("/* never closed\n#include <array>\n"), "");
}
