// SPDX-License-Identifier: MIT
// lesson.toml is read strictly, and every mistake is named by file, line and what was expected.
#include "lab/catalogue.hpp"

#include <algorithm>
#include <cstring>

#include "fixture.hpp"

using lab::Language;

namespace {

constexpr const char* kGoodLesson = R"(sources = ["main.cpp"]
teaches = ["cuInit"]
documents = ["4"]

[title]
en = "The stack"
zh = "栈"

[summary]
en = "Pushes and pops."
zh = "压栈与弹栈。"
)";

class Catalogue : public testing::Test {
 protected:
  void add(const std::string& folder_name, const std::string& toml) {
    folder.write(folder_name + "/lesson.toml", toml);
    folder.write(folder_name + "/main.cpp", "int main() {}\n");
  }
  // The only problem there is; its file is the lesson's.
  lab::Problem problem_of(const std::string& toml) {
    add("04_stack", toml);
    const lab::Catalogue read = lab::read_catalogue(folder.path());
    EXPECT_TRUE(read.lessons.empty());
    EXPECT_EQ(read.problems.size(), 1u);
    if (read.problems.empty()) return {};
    lab_test::expect_in_both(read.problems[0], "04_stack/lesson.toml");
    return read.problems[0];
  }
  void expect_problem(const std::string& toml, const std::string& place, const std::string& words) {
    const lab::Problem problem = problem_of(toml);
    lab_test::expect_in_both(problem, place);
    lab_test::expect_in_both(problem, words);
  }
  static std::string with(const std::string& extra) { return std::string(kGoodLesson) + extra; }
  static std::string without(const std::string& part) {
    std::string text = kGoodLesson;
    text.erase(text.find(part), part.size());
    return text;
  }
  lab_test::TemporaryFolder folder;
};

}  // namespace

TEST_F(Catalogue, a_good_lesson_is_read_whole) {
  add("04_stack",
      with("[limits]\nseconds = 2.5\nmemory_mib = 64\noutput_mib = 1\n[exercise]\nanything = 1\n"));
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_TRUE(read.problems.empty()) << read.problems[0].in(Language::English);
  ASSERT_EQ(read.lessons.size(), 1u);
  const lab::Lesson& lesson = read.lessons[0];
  EXPECT_EQ(lesson.number, 4);
  EXPECT_EQ(lesson.slug, "stack");
  EXPECT_EQ(lesson.title[0], "The stack");
  EXPECT_EQ(lesson.summary[1], "压栈与弹栈。");
  EXPECT_THAT(lesson.sources, testing::ElementsAre("main.cpp"));
  EXPECT_THAT(lesson.teaches, testing::ElementsAre("cuInit"));
  EXPECT_THAT(lesson.documents, testing::ElementsAre("4"));
  EXPECT_DOUBLE_EQ(lesson.limits.seconds, 2.5);
  EXPECT_EQ(lesson.limits.memory_bytes, 64u << 20);
  EXPECT_EQ(lesson.limits.output_bytes, 1u << 20);
  EXPECT_EQ(lesson.notes(Language::Chinese).filename(), "notes.zh.md");
}

// What else the tables say is read by read_exercises().
TEST_F(Catalogue, the_names_of_the_exercises_are_known) {
  add("04_stack", with("[exercise]\nanything = 1\n"));
  add("05_several", with("[[exercise]]\nname = \"repair\"\n[[exercise]]\nname = \"predict\"\n"));
  add("06_none", kGoodLesson);
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_EQ(read.lessons.size(), 3u);
  EXPECT_THAT(read.lessons[0].exercises, testing::ElementsAre("repair"));
  EXPECT_THAT(read.lessons[1].exercises, testing::ElementsAre("repair", "predict"));
  EXPECT_THAT(read.lessons[2].exercises, testing::IsEmpty());
}

TEST_F(Catalogue, lessons_come_by_number_and_the_template_is_none) {
  add("10_late", kGoodLesson);
  add("2_early", kGoodLesson);
  add("_template", kGoodLesson);
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_EQ(read.lessons.size(), 2u);
  EXPECT_EQ(read.lessons[0].slug, "early");
  EXPECT_EQ(read.lessons[1].number, 10);
}

TEST_F(Catalogue, a_lesson_is_found_by_every_name_it_has) {
  add("04_stack", kGoodLesson);
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  for (const char* name : {"4", "04", "stack", "04_stack"}) EXPECT_TRUE(read.find(name)) << name;
  for (const char* name : {"", "5", "stac", "4x", "-4", "../04_stack", "9_4", "9_stac"}) {
    const auto found = read.find(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().key, lab::Text::LessonUnknown);
  }
}

// As a recording or a command names it that is older than today's order.
TEST_F(Catalogue, a_lesson_is_found_by_its_slug_whatever_number_stands_before_it) {
  add("04_stack", kGoodLesson);
  add("14_heap", "title = ");
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  const auto found = read.find("14_stack");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, 4);
  const auto broken = read.find("3_heap");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().key, lab::Text::LessonTomlSyntax);
}

TEST(Slug, is_a_name_without_its_number) {
  EXPECT_EQ(lab::slug_of("04_context_stack"), "context_stack");
  EXPECT_EQ(lab::slug_of("context_stack"), "context_stack");
  EXPECT_EQ(lab::slug_of("04"), "04");
  EXPECT_EQ(lab::slug_of(""), "");
}

TEST_F(Catalogue, an_unknown_lesson_is_named_in_both_languages) {
  lab_test::expect_in_both(lab::read_catalogue(folder.path()).find("99_nowhere").error(), "99_nowhere");
}

TEST_F(Catalogue, a_broken_lesson_hides_no_other_and_says_what_is_broken_when_asked_for) {
  add("04_stack", "title = ");
  add("05_good", kGoodLesson);
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  EXPECT_TRUE(read.find("5"));
  for (const char* name : {"4", "stack"}) {
    const auto broken = read.find(name);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().key, lab::Text::LessonTomlSyntax);
  }
}

TEST_F(Catalogue, what_is_not_toml_is_named_by_its_line) {
  expect_problem("sources = [\"main.cpp\"]\n= 4\n", ":2", "TOML");
}
TEST_F(Catalogue, an_unknown_key_is_named_with_the_known_ones) {
  expect_problem("titel = 1\n" + std::string(kGoodLesson), ":1", "“titel”");
}
TEST_F(Catalogue, an_unknown_key_inside_a_table_is_named_by_its_line) {
  expect_problem(with("[limits]\nsecond = 3\n"), ":13", "seconds, memory_mib, output_mib");
}
TEST_F(Catalogue, a_missing_field_is_named) {
  expect_problem(without("sources = [\"main.cpp\"]\n"), ":1", "“sources”");
}
TEST_F(Catalogue, a_missing_language_is_named) {
  expect_problem(without("zh = \"栈\"\n"), ":5", "“title.zh”");
}
TEST_F(Catalogue, an_empty_title_is_no_title) {
  std::string text = kGoodLesson;
  text.replace(text.find("The stack"), 9, "");
  expect_problem(text, ":6", "“title.en”");
}
TEST_F(Catalogue, a_wrong_type_is_named_by_its_line) {
  std::string text = kGoodLesson;
  text.replace(text.find("[\"cuInit\"]"), 10, "\"cuInit\"");
  expect_problem(text, ":2", "teaches = [\"cuInit\"]");
}
TEST_F(Catalogue, a_list_of_the_wrong_type_is_named) {
  std::string text = kGoodLesson;
  text.replace(text.find("\"cuInit\""), 8, "4");
  expect_problem(text, ":2", "“teaches”");
}
TEST_F(Catalogue, no_sources_at_all_are_a_mistake) {
  std::string text = kGoodLesson;
  text.replace(text.find("[\"main.cpp\"]"), 12, "[]");
  expect_problem(text, ":1", "“sources”");
}
TEST_F(Catalogue, a_source_that_is_not_there_is_named) {
  std::string text = kGoodLesson;
  text.replace(text.find("main.cpp"), 8, "gone.cpp");
  expect_problem(text, ":1", "gone.cpp");
}
TEST_F(Catalogue, a_source_outside_the_folder_is_refused) {
  std::string text = kGoodLesson;
  text.replace(text.find("main.cpp"), 8, "../../etc/passwd");
  expect_problem(text, ":1", "“sources”");
}
TEST_F(Catalogue, kernels_are_read_and_belong_to_what_a_reader_edits) {
  folder.write("04_stack/a.cu", "");
  folder.write("04_stack/sub/b.ptx", "");
  add("04_stack", "kernels = [\"a.cu\", \"sub/b.ptx\"]\n" + std::string(kGoodLesson));
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_TRUE(read.problems.empty()) << read.problems[0].in(Language::English);
  EXPECT_THAT(read.lessons[0].kernels, testing::ElementsAre("a.cu", "sub/b.ptx"));
  EXPECT_THAT(read.lessons[0].files(), testing::ElementsAre("main.cpp", "a.cu", "sub/b.ptx"));
}
TEST_F(Catalogue, a_kernel_that_is_not_there_is_named) {
  expect_problem("kernels = [\"gone.cu\"]\n" + std::string(kGoodLesson), ":1", "gone.cu");
}
TEST_F(Catalogue, kernels_that_are_none_or_lie_outside_or_would_make_one_file_are_refused) {
  folder.write("04_stack/a.cu", "");
  folder.write("04_stack/a.ptx", "");
  for (const char* bad :
       {"[\"main.cpp\"]", "[\"../a.cu\"]", "[\"/a.ptx\"]", "[\"a.cu\", \"a.ptx\"]", "\"a.cu\""})
    expect_problem("kernels = " + std::string(bad) + "\n" + kGoodLesson, ":1", "“kernels”");
}
TEST_F(Catalogue, limits_beyond_reason_are_refused) {
  for (const char* bad :
       {"seconds = 0", "seconds = -1", "seconds = 1e9", "seconds = nan", "memory_mib = \"1\""})
    expect_problem(with(std::string("[limits]\n") + bad + "\n"), ":13", "“limits.");
}

TEST_F(Catalogue, a_folder_without_lesson_toml_is_a_problem) {
  folder.write("07_empty/main.cpp", "");
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems[0].key, lab::Text::LessonTomlMissing);
  lab_test::expect_in_both(read.problems[0], "07_empty/lesson.toml");
}

TEST_F(Catalogue, a_lesson_toml_that_cannot_be_read_is_not_called_missing) {
  std::filesystem::create_directories(folder.path() / "07_folder/lesson.toml");
  std::string text = "sources = [";
  for (int i = 0; i < 200'000; ++i) text += "\"main.cpp\",";
  add("08_large", text + "]\n" + without("sources = [\"main.cpp\"]\n"));
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_EQ(read.problems.size(), 2u);
  EXPECT_EQ(read.problems[0].key, lab::Text::FileNotRegular);
  EXPECT_EQ(read.problems[1].key, lab::Text::FileTooLarge);
  for (const std::string& part :
       {std::string("08_large/lesson.toml"),
        std::to_string(std::filesystem::file_size(folder.path() / "08_large/lesson.toml")),
        std::string("1 MiB")})
    lab_test::expect_in_both(read.problems[1], part);
}

TEST_F(Catalogue, a_number_that_is_taken_is_a_problem) {
  add("04_one", kGoodLesson);
  add("4_two", kGoodLesson);
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  EXPECT_EQ(read.lessons.size(), 1u);
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems[0].key, lab::Text::LessonNumberTwice);
}

TEST_F(Catalogue, a_slug_that_is_taken_is_a_problem) {
  add("04_one", kGoodLesson);
  add("05_one", kGoodLesson);
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_EQ(read.lessons.size(), 1u);
  EXPECT_EQ(read.lessons[0].number, 4);
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems[0].key, lab::Text::LessonSlugTwice);
}

TEST_F(Catalogue, a_folder_that_cannot_be_read_is_a_problem) {
  const lab::Catalogue read = lab::read_catalogue(folder.path() / "nowhere");
  ASSERT_EQ(read.problems.size(), 1u);
  lab_test::expect_in_both(read.problems[0], "nowhere");
}

TEST_F(Catalogue, libraries_are_read_and_a_kernel_file_brings_the_runtime) {
  add("04_both", with("libraries = [\"nvrtc\", \"cudart\"]\n"));
  EXPECT_EQ(lab::read_catalogue(folder.path()).problems.size(), 1u);  // below [summary] it is no key of ours
  const auto at_the_top = [](const std::string& line, std::string text = kGoodLesson) { return line + text; };
  add("04_both", at_the_top("libraries = [\"nvrtc\", \"cudart\"]\n"));
  add("05_none", kGoodLesson);
  add("06_kernels", at_the_top("", "sources = [\"main.cu\"]\n" + without("sources = [\"main.cpp\"]\n")));
  folder.write("06_kernels/main.cu", "int main() {}\n");
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_EQ(read.lessons.size(), 3u) << read.problems.at(0).in(Language::English);
  EXPECT_THAT(read.lessons[0].libraries, testing::ElementsAre("nvrtc", "cudart"));
  EXPECT_THAT(read.lessons[1].libraries, testing::IsEmpty());
  EXPECT_THAT(read.lessons[2].libraries, testing::ElementsAre("cudart"));
}

TEST_F(Catalogue, an_unknown_library_is_named_with_the_ones_there_are) {
  expect_problem("libraries = [\"cublas\"]\n" + std::string(kGoodLesson), ":1", "[\"cudart\", \"nvrtc\"]");
}

TEST_F(Catalogue, a_list_of_more_than_can_be_meant_is_a_mistake_and_a_long_one_is_not) {
  const auto sources = [](int count) {
    std::string text = "sources = [";
    for (int i = 0; i < count; ++i) text += "\"main.cpp\",";
    return text + "]\n" + without("sources = [\"main.cpp\"]\n");
  };
  expect_problem(sources(257), ":1", "256");
  expect_problem(sources(257), "sources", "257");
  std::filesystem::remove_all(folder.path());
  add("04_long", sources(256));
  EXPECT_EQ(lab::read_catalogue(folder.path()).lessons.size(), 1u);
}

TEST_F(Catalogue, a_library_twice_is_a_mistake) {
  expect_problem("libraries = [\"nvrtc\", \"nvrtc\"]\n" + std::string(kGoodLesson), ":1", "libraries");
}

namespace {

constexpr const char* kOwnLibrary =
    "[[library]]\nname = \"foreign\"\nsources = [\"foreign.c\"]\nheader = \"foreign.h\"\n";

std::string library_with(const std::string& from, const std::string& to) {
  std::string text = kOwnLibrary;
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_F(Catalogue, a_lesson_may_have_a_library_of_its_own) {
  folder.write("04_stack/foreign.c", "");
  folder.write("04_stack/foreign.h", "");
  add("04_stack", with(kOwnLibrary));
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_TRUE(read.problems.empty()) << read.problems[0].in(Language::English);
  const lab::Lesson& lesson = read.lessons.at(0);
  ASSERT_EQ(lesson.own_libraries.size(), 1u);
  EXPECT_EQ(lesson.own_libraries[0].name, "foreign");
  EXPECT_EQ(lesson.own_libraries[0].header, "foreign.h");
  EXPECT_THAT(lesson.files(), testing::ElementsAre("main.cpp", "foreign.c", "foreign.h"));
}

TEST_F(Catalogue, a_library_that_is_described_wrongly_is_named_with_line_and_key) {
  folder.write("04_stack/foreign.c", "");
  folder.write("04_stack/foreign.h", "");
  const std::string first =
      std::to_string(std::count(kGoodLesson, kGoodLesson + std::strlen(kGoodLesson), '\n') + 1);
  expect_problem(with(library_with("name = \"foreign\"\n", "")), ":" + first, "library.name");
  expect_problem(with(library_with("\"foreign\"", "\"../foreign\"")), "lesson.toml:", "library.name");
  expect_problem(with(library_with("\"foreign\"", "\"cuda\"")), "lesson.toml:", "library.name");
  expect_problem(with(library_with("\"foreign\"", "7")), "lesson.toml:", "library.name");
  expect_problem(with(std::string(kOwnLibrary) + kOwnLibrary), "lesson.toml:", "library.name");
  expect_problem(with(library_with("foreign.c", "foreign.cpp")), "lesson.toml:", "library.sources");
  expect_problem(with(library_with("foreign.c", "../foreign.c")), "lesson.toml:", "library.sources");
  expect_problem(with(library_with("foreign.c", "gone.c")), "lesson.toml:", "gone.c");
  expect_problem(with(library_with("[\"foreign.c\"]", "[]")), "lesson.toml:", "library.sources");
  expect_problem(with(library_with("foreign.h", "gone.h")), "lesson.toml:", "gone.h");
  expect_problem(with(library_with("header", "headers")), "lesson.toml:", "headers");
  expect_problem(with("library = 3\n"), "lesson.toml:", "library");
}

namespace {

constexpr const char* kParts = R"([[part]]
name = "first"
title.en = "First"
title.zh = "第一部分"
about.en = "How to begin."
about.zh = "怎样开始。"

[[part]]
name = "second"
title.en = "Second"
title.zh = "第二部分"
about.en = "How to go on."
about.zh = "怎样继续。"
)";
constexpr const char* kPlace = "part = \"second\"\nlevel = \"core\"\nminutes = 30\nneeds = [\"early\"]\n";
constexpr const char* kWhy = "[why]\nen = \"It pays.\"\nzh = \"值得学。\"\n";

class Course : public Catalogue {
 protected:
  void SetUp() override {
    folder.write("parts.toml", kParts);
    add("02_early", kGoodLesson);
  }
  void expect_mistake(const std::string& toml, const std::string& place, const std::string& words) {
    add("04_stack", toml);
    const lab::Catalogue read = lab::read_catalogue(folder.path());
    ASSERT_EQ(read.problems.size(), 1u) << toml;
    for (const std::string& part : {"04_stack/lesson.toml" + place, words})
      lab_test::expect_in_both(read.problems[0], part);
  }
  void expect_mistake_of_parts(const std::string& toml, const std::string& place, const std::string& words) {
    folder.write("parts.toml", toml);
    const lab::Catalogue read = lab::read_catalogue(folder.path());
    ASSERT_EQ(read.problems.size(), 1u) << toml;
    for (const std::string& part : {"parts.toml" + place, words})
      lab_test::expect_in_both(read.problems[0], part);
    EXPECT_TRUE(read.parts.empty());
    EXPECT_EQ(read.lessons.size(), 1u);
  }
  static std::string changed(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
};

}  // namespace

TEST_F(Course, a_lesson_says_where_it_stands_and_why_it_is_worth_the_time) {
  add("04_stack", kPlace + with(kWhy));
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_TRUE(read.problems.empty()) << read.problems[0].in(Language::English);
  const lab::Lesson lesson = *read.find("stack");
  EXPECT_EQ(lesson.part, "second");
  EXPECT_EQ(lesson.level, lab::Level::Core);
  EXPECT_EQ(lesson.minutes, 30);
  EXPECT_THAT(lesson.needs, testing::ElementsAre("early"));
  EXPECT_EQ(lesson.why[0], "It pays.");
  EXPECT_EQ(lesson.why[1], "值得学。");
}

TEST_F(Course, a_lesson_of_a_users_own_may_lack_all_of_this) {
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_TRUE(read.problems.empty()) << read.problems[0].in(Language::English);
  const lab::Lesson& lesson = read.lessons.at(0);
  EXPECT_EQ(lesson.part, "");
  EXPECT_FALSE(lesson.level);
  EXPECT_EQ(lesson.minutes, 0);
  EXPECT_TRUE(lesson.needs.empty());
  EXPECT_EQ(lesson.why[0], "");
}

TEST_F(Course, a_place_that_is_described_wrongly_is_named_with_line_key_and_what_is_possible) {
  const auto place = [this](const std::string& from, const std::string& to) {
    return changed(kPlace, from, to) + with(kWhy);
  };
  expect_mistake(place("\"second\"", "\"third\""), ":1", "part = \"first\" | \"second\"");
  expect_mistake(place("\"second\"", "2"), ":1", "“part”");
  expect_mistake(place("\"core\"", "\"easy\""), ":2", "\"basic\" | \"core\" | \"advanced\"");
  for (const char* bad : {"0", "-5", "601", "2.5", "\"30\""})
    expect_mistake(place("30", bad), ":3", "minutes = 1 … 600");
  expect_mistake(place("[\"early\"]", "\"early\""), ":4", "“needs”");
  expect_mistake(place("[\"early\"]", "[\"early\", 3]"), ":4", "“needs”");
  expect_mistake(kPlace + with("[why]\nen = \"It pays.\"\n"), ":16", "“why.zh”");
  expect_mistake(kPlace + with("[why]\nen = \"\"\nzh = \"值得学。\"\n"), ":17", "“why.en”");
}

TEST_F(Course, a_lesson_needs_only_what_comes_before_it) {
  for (const char* bad : {"late", "nowhere", "02_early", "stack"}) {
    add("05_late", kGoodLesson);
    expect_mistake(changed(kPlace, "early", bad) + with(kWhy), ":4", bad);
  }
}

TEST_F(Course, without_parts_a_lesson_may_name_any) {
  std::filesystem::remove(folder.path() / "parts.toml");
  add("04_stack", kPlace + with(kWhy));
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  ASSERT_TRUE(read.problems.empty()) << read.problems[0].in(Language::English);
  EXPECT_EQ(read.lessons.at(1).part, "second");
}

TEST_F(Course, a_mistake_in_the_parts_is_named_with_its_line_and_the_lessons_are_read_all_the_same) {
  expect_mistake_of_parts("[[part]\n", ":1", "TOML");
  expect_mistake_of_parts("part = 3\n", ":1", "[[part]]");
  expect_mistake_of_parts(changed(kParts, "about.en = \"How to begin.\"\n", ""), ":5", "“en”");
  expect_mistake_of_parts(changed(kParts, "name = \"first\"\n", ""), ":1", "“name”");
  expect_mistake_of_parts(changed(kParts, "name = \"second\"", "name = \"first\""), ":9", "first");
  expect_mistake_of_parts(changed(kParts, "title.en", "titel.en"), ":3", "“titel”");
}

TEST_F(Course, lessons_come_part_by_part_and_those_of_none_last) {
  add("03_mine", kGoodLesson);
  add("04_second", "part = \"second\"\n" + std::string(kGoodLesson));
  add("05_first", "part = \"first\"\n" + std::string(kGoodLesson));
  add("06_second_too", "part = \"second\"\n" + std::string(kGoodLesson));
  const lab::Catalogue read = lab::read_catalogue(folder.path());
  std::vector<std::string> names;
  for (const lab::LessonsOfPart& part : lab::by_part(read)) {
    names.push_back(part.part == nullptr ? "-" : part.part->title[0]);
    for (const lab::Lesson* lesson : part.lessons) names.push_back(lesson->slug);
  }
  EXPECT_THAT(names,
              testing::ElementsAre("First", "first", "Second", "second", "second_too", "-", "early", "mine"));
}
