// SPDX-License-Identifier: MIT
// From a source to a program: what is reused, what is said when it does not compile, and machines that lack
// something.
#include <atomic>
#include <filesystem>
#include <thread>

#include "fixture.hpp"

namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {

constexpr const char* kGoodSource =
    "#include <array>\n#include \"check.hpp\"\nint main() { check(cuInit(0)); }\n";
// Without includes: nothing is compiled ahead of it, for tests that ask about something else.
constexpr const char* kPlainSource = "extern \"C\" int cuInit(unsigned);\nint main() { return cuInit(0); }\n";

class Builder : public lab_test::Programs {
 protected:
  // These tests look into the cache, so each has its own.
  lab_test::TemporaryFolder cache_folder;
  lab_test::Variable own_cache{"XDG_CACHE_HOME", cache_folder.path().string()};
  std::vector<fs::path> precompiled() {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(cache_folder.path(), error))
      if (entry.path().extension() == ".pch" || entry.path().extension() == ".gch")
        found.push_back(entry.path());
    return found;
  }
  void clear_cache() {
    for (const auto& entry : fs::directory_iterator(cache_folder.path())) fs::remove_all(entry.path());
  }
  // Each compiler of the machine in turn.
  template <class Body>
  void with_each_compiler(Body body) {
    for (const char* name : {"clang++-19", "g++"}) {
      const lab_test::Variable compiler("DRIVERLAB_CXX", name);
      SCOPED_TRACE(name);
      body();
    }
  }
};

}  // namespace

TEST_F(Builder, builds_a_lesson_and_shows_the_command) {
  with_each_compiler([this] {
    const lab::BuildResult built = build(kGoodSource);
    ASSERT_TRUE(built.ok) << built.output;
    EXPECT_TRUE(fs::exists(built.program));
    EXPECT_FALSE(built.cached);
    EXPECT_TRUE(built.diagnostics.empty()) << built.output;
    for (const char* part : {"-std=c++20", "main.cpp", "-lcuda", "-g"})
      EXPECT_THAT(built.command, HasSubstr(part));
    EXPECT_THAT(built.command, testing::Not(HasSubstr("-include")));
  });
}

TEST_F(Builder, the_same_content_is_not_compiled_twice) {
  EXPECT_FALSE(build(kPlainSource).cached);
  const lab::BuildResult again = build(kPlainSource);
  EXPECT_TRUE(again.ok);
  EXPECT_TRUE(again.cached);
  EXPECT_FALSE(build(std::string(kPlainSource) + "// edited\n").cached);
}

TEST_F(Builder, a_changed_header_of_the_student_is_compiled_again) {
  folder.write("source/mine.hpp", "inline int mine() { return 1; }\n");
  const std::string source = "#include \"mine.hpp\"\nint main() { return mine(); }\n";
  EXPECT_FALSE(build(source).cached);
  EXPECT_TRUE(build(source).cached);
  folder.write("source/mine.hpp", "inline int mine() { return 2; }\n");
  EXPECT_FALSE(build(source).cached);
}

TEST_F(Builder, warnings_of_a_cached_program_are_still_there) {
  const std::string source = "int main() { int unused; }\n";
  ASSERT_EQ(build(source).diagnostics.size(), 1u);
  const lab::BuildResult again = build(source);
  EXPECT_TRUE(again.cached);
  ASSERT_EQ(again.diagnostics.size(), 1u);
  EXPECT_EQ(again.diagnostics[0].severity, lab::Diagnostic::Severity::Warning);
}

TEST_F(Builder, includes_are_compiled_once_for_all_builds) {
  with_each_compiler([this] {
    clear_cache();
    ASSERT_TRUE(build(kGoodSource).ok);
    const auto made = precompiled();
    ASSERT_EQ(made.size(), 1u);
    const auto when = fs::last_write_time(made[0]);
    const lab::BuildResult next = build(std::string(kGoodSource) + "// edited\n");
    EXPECT_TRUE(next.ok) << next.output;
    EXPECT_EQ(precompiled(), made) << "the same includes: the same header";
    EXPECT_EQ(fs::last_write_time(made[0]), when) << "it was made again";
  });
}

TEST_F(Builder, a_damaged_precompiled_header_is_replaced) {
  with_each_compiler([this] {
    clear_cache();
    ASSERT_TRUE(build(kGoodSource).ok);
    const auto made = precompiled();
    ASSERT_EQ(made.size(), 1u);
    std::ofstream(made[0], std::ios::trunc) << "damaged";
    const lab::BuildResult next = build(std::string(kGoodSource) + "// edited\n");
    EXPECT_TRUE(next.ok) << next.output;
    // g++ reads the headers themselves without a word; clang refuses what is damaged.
    if (made[0].extension() == ".pch") {
      EXPECT_GT(fs::file_size(made[0]), 1000u) << "it was not made again";
    }
  });
}

TEST_F(Builder, includes_that_cannot_be_compiled_ahead_are_compiled_with_the_source) {
  const lab::BuildResult built = build("#include \"check.hpp\"\n#include <no_such_header>\nint main() {}\n");
  EXPECT_FALSE(built.ok);
  EXPECT_TRUE(precompiled().empty());
  ASSERT_TRUE(built.problem);
  lab_test::expect_in_both(*built.problem, "main.cpp:2");
}

TEST_F(Builder, a_header_of_the_student_takes_the_lessons_place) {
  ASSERT_TRUE(build(kGoodSource).ok);
  folder.write("source/check.hpp", "#define check(x) 0\n");
  EXPECT_TRUE(build("#include \"check.hpp\"\nint main() { return check(no_such_thing); }\n").ok);
}

TEST_F(Builder, what_does_not_compile_is_named_by_file_and_line) {
  with_each_compiler([this] {
    const lab::BuildResult built = build("#include \"check.hpp\"\nint main() {\n  no_such_name;\n}\n");
    EXPECT_FALSE(built.ok);
    ASSERT_FALSE(built.diagnostics.empty());
    EXPECT_EQ(built.diagnostics[0].file, "main.cpp");
    EXPECT_EQ(built.diagnostics[0].line, 3);
    ASSERT_TRUE(built.problem);
    lab_test::expect_in_both(*built.problem, "main.cpp:3");
    lab_test::expect_in_both(*built.problem, "no_such_name");
    EXPECT_FALSE(built.command.empty());
  });
}

TEST_F(Builder, what_does_not_link_is_named_by_the_symbol) {
  with_each_compiler([this] {
    const lab::BuildResult built = build("int missing();\nint main() { return missing(); }\n");
    EXPECT_FALSE(built.ok);
    ASSERT_TRUE(built.problem);
    lab_test::expect_in_both(*built.problem, "missing()");
  });
}

TEST_F(Builder, several_sources_make_one_program) {
  lesson.sources = {"main.cpp", "other.cpp"};
  folder.write("source/other.cpp", "#include <vector>\nint other() { return 0; }\n");
  EXPECT_TRUE(build("#include <array>\nint other();\nint main() { return other(); }\n").ok);
}

TEST_F(Builder, kernels_lie_beside_the_program_as_ptx) {
  lesson.kernels = {"twice.cu", "hand.ptx"};
  folder.write("source/twice.cu", "extern \"C\" __global__ void twice(int* x) { *x *= 2; }\n");
  folder.write("source/hand.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n");
  const lab::BuildResult built = build(kPlainSource);
  ASSERT_TRUE(built.ok) << built.output;
  EXPECT_THAT(lab_test::read(built.program.parent_path() / "twice.ptx"), HasSubstr(".entry twice("));
  EXPECT_EQ(lab_test::read(built.program.parent_path() / "hand.ptx"),
            lab_test::read(lesson.folder / "hand.ptx"));
  EXPECT_THAT(built.command, HasSubstr("ptxcc -arch=sm_75 twice.cu -o twice.ptx && "));
  EXPECT_TRUE(build(kPlainSource).cached);
  folder.write("source/twice.cu", "extern \"C\" __global__ void thrice(int* x) { *x *= 3; }\n");
  const lab::BuildResult edited = build(kPlainSource);
  EXPECT_FALSE(edited.cached);
  EXPECT_THAT(lab_test::read(edited.program.parent_path() / "twice.ptx"), HasSubstr(".entry thrice("));
}

TEST_F(Builder, a_kernel_that_does_not_compile_is_named_by_file_and_line) {
  lesson.kernels = {"broken.cu"};
  folder.write("source/broken.cu", "extern \"C\" __global__ void broken() {\n  no_such_name;\n}\n");
  const lab::BuildResult built = build(kPlainSource);
  EXPECT_FALSE(built.ok);
  ASSERT_TRUE(built.problem);
  lab_test::expect_in_both(*built.problem, "broken.cu:2");
  lab_test::expect_in_both(*built.problem, "no_such_name");
}

TEST_F(Builder, without_a_compiler_for_kernels_ptxcc_says_what_it_looks_for) {
  lesson.kernels = {"twice.cu"};
  folder.write("source/twice.cu", "extern \"C\" __global__ void twice(int* x) { *x *= 2; }\n");
  const lab_test::Variable clang("PTXCC_CLANG", "/nowhere/clang++");
  const lab::BuildResult built = build(kPlainSource);
  EXPECT_FALSE(built.ok);
  ASSERT_TRUE(built.problem);
  EXPECT_THAT(built.output, HasSubstr("/nowhere/clang++"));
  lab_test::expect_in_both(*built.problem, "sudo apt-get install clang-19");
}

TEST_F(Builder, a_header_that_only_another_toolkit_has_is_not_found) {
  std::error_code error;
  std::string only_there;
  for (const auto& entry : fs::directory_iterator("/usr/local/include", error))
    if (entry.is_regular_file(error) && entry.path().extension() == ".h" &&
        !fs::exists(installation.embedded / "include" / entry.path().filename(), error))
      only_there = entry.path().filename().string();
  if (only_there.empty())
    GTEST_SKIP() << "no header lies in /usr/local/include that the embedded toolkit lacks";
  with_each_compiler([&] {
    const lab::BuildResult built = build("#include <string>\n#include <" + only_there + ">\nint main() {}\n");
    ASSERT_TRUE(built.problem) << only_there;
    lab_test::expect_in_both(*built.problem, "main.cpp:2");
    lab_test::expect_in_both(*built.problem, only_there);
  });
}

TEST_F(Builder, names_with_blanks_and_quotes_are_names) {
  lesson.folder = folder.path() / "a 'b' $(touch c)";
  lesson.sources = {"-x ; y.cpp"};
  folder.write("a 'b' $(touch c)/-x ; y.cpp", kPlainSource);
  const lab::BuildResult built = lab::build_lesson(lesson, lesson.folder, driver, installation);
  EXPECT_TRUE(built.ok) << built.output;
  EXPECT_THAT(built.command, HasSubstr("'./-x ; y.cpp'"));
}

TEST_F(Builder, a_source_whose_name_begins_with_an_at_sign_is_no_file_of_arguments) {
  with_each_compiler([&] {
    lesson.sources = {"@args.cpp"};
    folder.write("source/@args.cpp", kPlainSource);
    folder.write("source/args.cpp", "nowhere.cpp");  // what a compiler would read arguments from
    const lab::BuildResult built = lab::build_lesson(lesson, lesson.folder, driver, installation);
    EXPECT_TRUE(built.ok) << built.output;
    EXPECT_THAT(built.command, HasSubstr("./@args.cpp"));
  });
}

TEST_F(Builder, writes_nothing_into_the_source_folder) {
  ASSERT_TRUE(build(kGoodSource).ok);
  EXPECT_EQ(std::distance(fs::directory_iterator(lesson.folder), fs::directory_iterator()), 1);
}

TEST_F(Builder, without_a_compiler_says_what_installs_one) {
  const lab_test::Variable path("PATH", "");
  const lab::BuildResult built = build(kGoodSource);
  EXPECT_FALSE(built.ok);
  ASSERT_TRUE(built.problem);
  EXPECT_EQ(built.problem->key, lab::Text::NoCompiler);
  lab_test::expect_in_both(*built.problem, "apt-get install clang-19");
}

TEST_F(Builder, a_compiler_without_its_library_is_passed_over) {
  const fs::path broken =
      folder.write("bin/clang++-19", "#!/bin/sh\necho \"'string' file not found\" >&2\nexit 1\n");
  fs::permissions(broken, fs::perms::owner_all);
  const lab_test::Variable path("PATH", (folder.path() / "bin").string());
  const lab::BuildResult built = build(kPlainSource);
  ASSERT_TRUE(built.problem);
  EXPECT_EQ(built.problem->key, lab::Text::CompilersBroken);
  lab_test::expect_in_both(*built.problem, "'string' file not found");
  const lab_test::Variable both("PATH", (folder.path() / "bin").string() + ":/usr/bin:/bin");
  EXPECT_TRUE(build(kPlainSource).ok);
}

TEST_F(Builder, a_compiler_that_crashes_is_not_the_students_mistake) {
  const fs::path crashing =
      folder.write("bin/g++", "#!/bin/sh\ncase \"$*\" in *-fsyntax-only*) exit 0;; esac\nkill -SEGV $$\n");
  fs::permissions(crashing, fs::perms::owner_all);
  const lab_test::Variable compiler("DRIVERLAB_CXX", crashing.string());
  const lab::BuildResult built = build(kGoodSource);
  ASSERT_TRUE(built.problem);
  EXPECT_EQ(built.problem->key, lab::Text::CompilerCrashed);
  lab_test::expect_in_both(*built.problem, crashing.string());
}

TEST_F(Builder, without_the_drivers_header_says_which) {
  driver.include = folder.path() / "nowhere";
  const lab::BuildResult built = build(kGoodSource);
  ASSERT_TRUE(built.problem);
  lab_test::expect_in_both(*built.problem, "nowhere/cuda.h");
}

TEST_F(Builder, without_the_source_says_which) {
  lesson.sources = {"gone.cpp"};
  const lab::BuildResult built = build(kGoodSource);
  ASSERT_TRUE(built.problem);
  lab_test::expect_in_both(*built.problem, "gone.cpp");
}

TEST_F(Builder, a_build_can_be_cancelled_and_leaves_nothing) {
  const std::string endless =
      "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
      "template <int N> struct S { static constexpr int v = S<N-1>::v + f(12); };\n"
      "template <> struct S<0> { static constexpr int v = 0; };\n"
      "int main() { return S<800>::v + S<801>::v; }\n";
  folder.write("source/main.cpp", "#include <regex>\n#include <iostream>\n" + endless);
  fs::create_directory(folder.path() / "temporary");
  const lab_test::Variable temporary("TMPDIR", (folder.path() / "temporary").string());
  for (const int milliseconds : {0, 300}) {
    std::atomic<bool> cancel = milliseconds == 0;
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      cancel = true;
    });
    const auto begin = std::chrono::steady_clock::now();
    const lab::BuildResult built = lab::build_lesson(lesson, lesson.folder, driver, installation, &cancel);
    later.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    ASSERT_TRUE(built.problem);
    EXPECT_EQ(built.problem->key, lab::Text::BuildCancelled);
    for (const auto& left : fs::directory_iterator(folder.path() / "temporary"))
      ADD_FAILURE() << left.path() << " is still there";
  }
}

TEST_F(Builder, a_cache_that_cannot_be_written_is_replaced) {
  folder.write("file", "");
  const lab_test::Variable unwritable("XDG_CACHE_HOME", (folder.path() / "file/cache").string());
  const lab_test::Variable temporary("TMPDIR", folder.path().string());
  EXPECT_TRUE(build(kGoodSource).ok);
}
