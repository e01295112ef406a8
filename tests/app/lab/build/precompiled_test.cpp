// SPDX-License-Identifier: MIT
// Which includes of a lesson may be compiled ahead.
#include "build/precompiled.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "fixture.hpp"

namespace fs = std::filesystem;

TEST(Precompiled, takes_the_block_that_a_source_begins_with) {
  EXPECT_EQ(
      lab::leading_includes("// what it is\n/* more\n text */\n#include <array>\n\n#include \"check.hpp\"\n"
                            "int x;\n#include <late>\n"),
      "#include <array>\n#include \"check.hpp\"\n");
}
TEST(Precompiled, stops_at_what_could_change_a_headers_meaning) {
  EXPECT_EQ(lab::leading_includes("#define NDEBUG\n#include <cassert>\n"), "");
  EXPECT_EQ(lab::leading_includes("#include <array>\n#define X\n#include <vector>\n"), "#include <array>\n");
}
TEST(Precompiled, stops_at_a_header_that_depends_on_the_place) {
  EXPECT_EQ(lab::leading_includes("#include \"mine.hpp\"\n#include <array>\n"), "");
}
TEST(Precompiled, code_after_a_comment_ends_the_block) {
  EXPECT_EQ(lab::leading_includes("/* a */ int x;\n#include <array>\n"), "");
  EXPECT_EQ(lab::leading_includes("#include <array> // why\n"), "");
}
// A header of its own for each text. The compiler is whatever writes its output.
class PrecompiledHeaders : public testing::Test {
 protected:
  lab_test::TemporaryFolder cache;
  fs::path compiler =
      cache.write("compiler", "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\necho made > \"$1\"\n");
  void SetUp() override { fs::permissions(compiler, fs::perms::owner_all); }

  fs::path precompile(const std::string& includes) {
    lab::PrecompileRequest request;
    request.toolchain.compiler = compiler;
    request.toolchain.clang = true;
    request.includes = includes;
    const lab::Precompiled made = lab::precompile(request, cache.path(), nullptr);
    EXPECT_FALSE(made.arguments.empty());
    return made.folder;
  }
  std::size_t kept() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(cache.path() / "headers"), fs::directory_iterator()));
  }
};

TEST_F(PrecompiledHeaders, only_those_that_were_used_last_are_kept) {
  const fs::path used = precompile("#include <used>\n");
  const fs::path unused = precompile("#include <unused>\n");
  for (int i = 0; i < 60; ++i) {
    precompile("#include <number_" + std::to_string(i) + ">\n");
    EXPECT_EQ(precompile("#include <used>\n"), used);
  }
  EXPECT_LE(kept(), 32u);
  EXPECT_GE(kept(), 24u);
  EXPECT_TRUE(fs::exists(used / "includes.pch"));
  EXPECT_FALSE(fs::exists(unused));
}

// Two labs that build the same lesson at the same time both find no result.
TEST_F(PrecompiledHeaders, the_text_is_not_written_again_while_another_lab_compiles_it) {
  const fs::path folder = precompile("#include <array>\n");
  const auto written = fs::last_write_time(folder / "includes.hpp");
  fs::remove(folder / "includes.pch");
  EXPECT_EQ(precompile("#include <array>\n"), folder);
  EXPECT_EQ(fs::last_write_time(folder / "includes.hpp"), written);
}

TEST_F(PrecompiledHeaders, what_a_killed_lab_left_is_removed_at_the_next_start) {
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ::waitpid(dead, nullptr, 0);
  const std::string left = "headers/some/making-" + std::to_string(dead) + "-0";
  const fs::path plain = cache.write(left, "half"), of_clang = cache.write(left + "-1a2b3c.tmp", "half");
  const fs::path in_the_making =
      cache.write("headers/some/making-" + std::to_string(::getpid()) + "-7", "half");
  const fs::path whole = cache.write("headers/some/includes.pch", "whole");
  precompile("#include <array>\n");
  EXPECT_FALSE(fs::exists(plain));
  EXPECT_FALSE(fs::exists(of_clang));
  EXPECT_TRUE(fs::exists(in_the_making));
  EXPECT_TRUE(fs::exists(whole));
}

TEST(Precompiled, nothing_comes_of_nothing) {
  EXPECT_EQ(lab::leading_includes(""), "");
  EXPECT_EQ(lab::leading_includes("/* never closed\n#include <array>\n"), "");
}
