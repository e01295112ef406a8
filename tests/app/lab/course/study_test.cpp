// SPDX-License-Identifier: MIT
// Progress, glossary, search, differences, and exercises as the window uses them.
#include <gmock/gmock.h>

#include "bench_fixture.hpp"
#include "lab/glossary.hpp"
#include "lab/search.hpp"
#include "lab/text_difference.hpp"

namespace {

using testing::HasSubstr;
using testing::Not;
constexpr auto kEnglish = lab::Language::English, kChinese = lab::Language::Chinese;

TEST(difference, lines_that_stay_are_kept_and_removed_ones_come_first) {
  using Kind = lab::DifferenceLine::Kind;
  const auto lines = lab::difference_of("a\nb\nc\n", "a\nx\nc\ny\n");
  const std::vector<lab::DifferenceLine> expected = {{Kind::Same, 1, 1, "a"},
                                                     {Kind::Removed, 2, 0, "b"},
                                                     {Kind::Added, 0, 2, "x"},
                                                     {Kind::Same, 3, 3, "c"},
                                                     {Kind::Added, 0, 4, "y"}};
  EXPECT_EQ(lines, expected);
}

TEST(difference, equal_and_empty_texts_differ_nowhere) {
  for (const auto& line : lab::difference_of("a\r\nb", "a\nb\n"))
    EXPECT_EQ(line.kind, lab::DifferenceLine::Kind::Same);
  EXPECT_TRUE(lab::difference_of("", "").empty());
  EXPECT_EQ(lab::difference_of("", "a\n").size(), 1u);
}

TEST(difference, both_texts_can_be_had_back_from_it) {
  std::string a, b;
  for (int i = 0; i < 4000; ++i) {
    a += std::to_string(i % 7 == 0 ? i : i / 3) + "\n";
    b += std::to_string(i % 5 == 0 ? -i : i / 3) + "\n";
  }
  std::string before, after;
  for (const auto& line : lab::difference_of(a, b)) {
    if (line.before > 0) before += line.text + "\n";
    if (line.after > 0) after += line.text + "\n";
  }
  EXPECT_EQ(before, a);
  EXPECT_EQ(after, b);
}

class study : public lab_model_test::BenchTest {
 protected:
  void put_exercise() {
    put_lesson("03_task", lab_model_test::kSource,
               "[exercise]\nstart = \"exercise/main.cpp\"\nstart_fails_with = \"cuInit\"\n"
               "solution = \"exercise/solution.cpp\"\n[exercise.task]\nen = \"Call it.\"\nzh = \"调用它。\"\n"
               "[[exercise.hints]]\nen = \"One.\"\nzh = \"一。\"\n"
               "[exercise.expect]\nexit = 0\ncalls = [\"cuInit\"]\nno_errors = true\n");
    put(folder_ / "lessons/03_task/exercise/main.cpp", "int main() {}\n");
    put(folder_ / "lessons/03_task/exercise/solution.cpp", kSolution);
  }
  // The same, and a second exercise that its start solves.
  void put_two_exercises() {
    put_exercise();
    const auto lesson = folder_ / "lessons/03_task";
    std::string described = content(lesson / "lesson.toml");
    const std::string single = "[exercise]\n";
    described.replace(
        described.find(single), single.size(),
        "[[exercise]]\nname = \"repair\"\ngrade = \"repair\"\ntitle = {en = \"One\", zh = \"一\"}\n");
    put(lesson / "lesson.toml",
        described +
            "[[exercise]]\nname = \"second\"\ngrade = \"write\"\ntitle = {en = \"Two\", zh = \"二\"}\n"
            "start = \"exercise/second/main.cpp\"\nstart_fails_with = \"x\"\n"
            "solution = \"exercise/second/solution.cpp\"\n[exercise.task]\nen = \"Say.\"\nzh = \"说。\"\n"
            "[[exercise.hints]]\nen = \"A.\"\nzh = \"甲。\"\n[[exercise.hints]]\nen = \"B.\"\nzh = \"乙。\"\n"
            "[exercise.expect]\nexit = 0\n");
    put(lesson / "exercise/second/main.cpp", "int main() { return 0; }\n");
    put(lesson / "exercise/second/solution.cpp", "int main() {}\n// second\n");
  }
  static constexpr const char* kSolution = "#include <cuda.h>\nint main() { cuInit(0); }\n";
  bool judged() {
    return wait_for([&] { return bench().verdict() != nullptr; });
  }
};

TEST_F(study, a_glossary_finds_whole_words_and_the_longest) {
  put(folder_ / "glossary.toml",
      "[[term]]\nen = [\"context\", \"contexts\"]\nzh = [\"上下文\"]\nmeans_en = \"m\"\nmeans_zh = \"义\"\n"
      "[[term]]\nen = [\"context stack\"]\nzh = [\"上下文栈\"]\nmeans_en = \"s\"\nmeans_zh = \"栈\"\n");
  const lab::Glossary glossary = lab::read_glossary(folder_ / "glossary.toml");
  EXPECT_TRUE(glossary.problems.empty());
  using Places = std::vector<lab::Glossary::Place>;
  EXPECT_EQ(glossary.find("Contexts, a context stack, contextual", kEnglish),
            (Places{{0, 8, 0}, {12, 25, 1}}));
  EXPECT_EQ(glossary.find("上下文栈里的上下文", kChinese), (Places{{0, 12, 1}, {18, 27, 0}}));
}

TEST_F(study, a_chinese_term_is_found_as_a_word_and_not_inside_of_another) {
  const lab::Glossary glossary = lab::read_glossary(installation_.assets / "glossary.toml");
  const auto found = [&](std::string_view text) {
    std::vector<std::string> names;
    for (const auto& place : glossary.find(text, kChinese))
      names.push_back(glossary.terms[place.term].words[1][0]);
    return names;
  };
  using Names = std::vector<std::string>;
  for (const char* other : {"一篇流传较广的笔记", "工作流程", "彼此交流", "轮流来", "一旦启动，就不能停下",
                            "换个地方启动程序", "名字就原样保留", "数据库"})
    EXPECT_EQ(found(other), Names{}) << other;
  EXPECT_EQ(found("同一个流里，不同的流之间，默认流，流与流"), (Names{"流", "流", "流", "流", "流"}));
  EXPECT_EQ(found("启动核函数，第一次启动返回 1"), (Names{"启动", "核函数", "启动"}));
  EXPECT_EQ(found("保留主上下文，保留之后，再释放引用"), (Names{"保留", "主上下文", "保留", "释放引用"}));
  EXPECT_EQ(found("流程不同，流也不同；写库的人不用数据库"), (Names{"流", "库"}));
}

TEST_F(study, an_english_term_is_not_found_where_the_words_mean_something_else) {
  put(folder_ / "glossary.toml",
      "[[term]]\nen = [\"floats\"]\nzh = [\"游离\"]\nmeans_en = \"m\"\nmeans_zh = \"义\"\nnot_en = [\"plain "
      "floats\"]\navoid_zh = [\"漂浮\"]\n");
  const lab::Glossary glossary = lab::read_glossary(folder_ / "glossary.toml");
  EXPECT_TRUE(glossary.problems.empty());
  using Places = std::vector<lab::Glossary::Place>;
  EXPECT_EQ(glossary.find("A struct of Plain floats. A floats.", kEnglish), (Places{{28, 34, 0}}));
}

TEST_F(study, an_unknown_key_of_a_term_and_an_empty_list_are_named) {
  for (const char* more : {"wrong = [\"x\"]\n", "not_zh = []\n", "avoid_zh = \"x\"\n"}) {
    put(folder_ / "glossary.toml",
        std::string("[[term]]\nen = [\"a\"]\nzh = [\"一\"]\nmeans_en = \"m\"\nmeans_zh = \"义\"\n") + more);
    EXPECT_EQ(lab::read_glossary(folder_ / "glossary.toml").problems.size(), 1u) << more;
  }
}

TEST_F(study, a_term_that_cannot_be_read_is_named_and_hides_no_other) {
  put(folder_ / "glossary.toml",
      "[[term]]\nen = [\"context\"]\nzh = []\nmeans_en = \"m\"\nmeans_zh = \"义\"\n"
      "[[term]]\nen = [\"stack\"]\nzh = [\"栈\"]\nmeans_en = \"s\"\nmeans_zh = \"栈\"\n");
  const lab::Glossary glossary = lab::read_glossary(folder_ / "glossary.toml");
  EXPECT_EQ(glossary.terms.size(), 1u);
  ASSERT_EQ(glossary.problems.size(), 1u);
  EXPECT_THAT(glossary.problems[0].in(kEnglish), HasSubstr("line 1"));
  EXPECT_EQ(lab::read_glossary(folder_ / "nowhere.toml").problems.size(), 1u);
}

TEST_F(study, the_glossary_of_the_course_can_be_read) {
  const lab::Glossary glossary = lab::read_glossary(installation_.assets / "glossary.toml");
  EXPECT_TRUE(glossary.problems.empty());
  EXPECT_GT(glossary.terms.size(), 10u);
}

TEST_F(study, search_finds_notes_titles_and_calls_in_both_languages) {
  put(folder_ / "lessons/01_first/notes.md",
      "Intro\n\n<!-- step: start -->\n## Begin\n\nThe *dead* entry\nstays.\n\n<!-- step: create "
      "-->\nOther\n");
  const lab::LessonSearch search = lab::LessonSearch::create(bench().catalogue());
  const auto hits = search.find("STAYS dead", kEnglish);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits[0].lesson, "first");
  EXPECT_EQ(hits[0].step, "start");
  EXPECT_EQ(hits[0].excerpt, "The dead entry stays.");
  EXPECT_EQ(search.find("讲义", kEnglish).size(), 2u);  // the reader's language first, the other one too
  EXPECT_FALSE(search.find("cuinit", kChinese).empty());
  EXPECT_TRUE(search.find("dead unheard", kEnglish).empty());
  EXPECT_TRUE(search.find("  ", kEnglish).empty());
}

TEST_F(study, search_finds_no_marks_and_names_no_step_after_the_last) {
  put(folder_ / "lessons/01_first/notes.md",
      "Intro\n\n<!-- step: start -->\n## Begin\n\nThe entry\n<!-- proof: step start -->\n\n"
      "<!-- end of steps -->\n## Try it\n\nRename the entry.\n");
  const lab::LessonSearch search = lab::LessonSearch::create(bench().catalogue());
  EXPECT_TRUE(search.find("proof", kEnglish).empty());
  EXPECT_TRUE(search.find("end of steps", kEnglish).empty());
  const auto hits = search.find("entry", kEnglish);
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].step, "start");
  EXPECT_EQ(hits[0].excerpt, "The entry");
  EXPECT_EQ(hits[1].step, "");
}

TEST_F(study, search_reads_the_words_of_figures_and_links_and_marks_what_it_found) {
  put(folder_ / "lessons/01_first/notes.md",
      "![The stack of primaries](figures/primary.svg)\n\nSee [the manual](https://primary.example) on "
      "stacks.\n");
  const lab::LessonSearch search = lab::LessonSearch::create(bench().catalogue());
  EXPECT_TRUE(search.find("svg", kEnglish).empty());
  EXPECT_TRUE(search.find("example", kEnglish).empty());
  const auto hits = search.find("stack", kEnglish);
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].excerpt, "The stack of primaries");
  EXPECT_EQ(hits[0].found, (std::vector<std::pair<std::size_t, std::size_t>>{{4, 5}}));
  EXPECT_EQ(hits[1].excerpt, "See the manual on stacks.");
}

TEST_F(study, search_reads_the_titles_and_tasks_of_exercises) {
  put_two_exercises();
  const lab::LessonSearch search = lab::LessonSearch::create(bench().catalogue());
  for (const char* words : {"two", "say"}) {
    const auto hits = search.find(words, kEnglish);
    ASSERT_EQ(hits.size(), 1u) << words;
    EXPECT_EQ(hits[0].lesson, "task");
    EXPECT_EQ(hits[0].exercise, "second");
    EXPECT_EQ(hits[0].exercise_title, "Two");
    EXPECT_EQ(hits[0].excerpt, "Two · Say.");
  }
  const auto chinese = search.find("调用它", kChinese);
  ASSERT_EQ(chinese.size(), 1u);
  EXPECT_EQ(chinese[0].exercise, "repair");
  EXPECT_EQ(chinese[0].excerpt, "一 · 调用它。");
}

TEST_F(study, search_names_a_lesson_about_it_before_those_that_mention_it) {
  put(folder_ / "lessons/01_first/notes.md", "A word on queues.\n");
  put(folder_ / "lessons/02_second/notes.md", "Much about queues.\n");
  std::string about = content(folder_ / "lessons/02_second/lesson.toml");
  about.replace(about.find("\"First\""), 7, "\"Queues\"");
  put(folder_ / "lessons/02_second/lesson.toml", about);
  const auto hits = lab::LessonSearch::create(bench().catalogue()).find("queues", kEnglish);
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].lesson, "second");
  EXPECT_EQ(hits[1].lesson, "second");
  EXPECT_EQ(hits[2].lesson, "first");
}

TEST_F(study, progress_is_written_read_and_told_as_csv) {
  lab::Progress progress;
  progress.lessons["first"] = {
      true, true, {{"repair", {3, 1, false, "2026-01-02T03:04:05Z"}}, {"second", {2, 0, true, ""}}},
      5,    4,    "rw-r"};
  const auto path = lab::progress_path(folder_ / "data");
  put(path, "{\"later\": 1, \"lessons\": {\"01_first\": {\"sooner\": 2}}}");
  progress.unknown = lab::read_progress(path).unknown;
  progress.lessons["first"].unknown = lab::read_progress(path).lessons["first"].unknown;
  ASSERT_TRUE(lab::write_progress(path, progress));
  const lab::Progress again = lab::read_progress(path);
  EXPECT_EQ(again.lessons, progress.lessons);
  EXPECT_THAT(content(path), HasSubstr("later"));
  EXPECT_THAT(content(path), HasSubstr("sooner"));
  put_lesson("01_first", lab_model_test::kSource);
  const std::string csv = lab::progress_csv(again, bench().catalogue(), kEnglish);
  EXPECT_THAT(csv, HasSubstr("1,first,First,yes,yes,3,1,no,yes,2026-01-02T03:04:05Z,5,4,3,2,0,0,\r\n"));
  EXPECT_THAT(csv, HasSubstr("2,second,First,no,no,0,0,no,no,,0,0,0,0,0,0,\r\n"));
}

TEST_F(study, the_table_for_a_teacher_says_which_exercises_are_passed) {
  put_two_exercises();
  lab::Progress progress;
  auto& exercises = progress.lessons["task"].exercises;
  exercises["second"] = {2, 1, false, "2026-01-02T03:04:05Z"};
  exercises["gone"] = {1, 0, false, "2026-01-02T03:04:05Z"};
  std::string csv = lab::progress_csv(progress, bench().catalogue(), kEnglish);
  EXPECT_THAT(csv, HasSubstr("3,task,First,no,no,0,0,no,no,,0,0,0,0,2,1,second\r\n"));
  exercises["repair"] = {4, 0, true, "2026-01-03T03:04:05Z"};
  csv = lab::progress_csv(progress, bench().catalogue(), kEnglish);
  EXPECT_THAT(csv, HasSubstr("no,no,4,0,yes,yes,2026-01-03T03:04:05Z,0,0,0,0,2,2,repair second\r\n"));
}

// Written when a lesson had one exercise.
TEST_F(study, the_keys_of_an_earlier_progress_are_of_the_first_exercise) {
  const auto path = lab::progress_path(folder_ / "data");
  put(path, R"({"lessons": {"a": {"opened": true, "checks": 3, "hints": 2, "solution_seen": true,
                                  "passed_at": "2026-01-02T03:04:05Z"}}})");
  const lab::Progress read = lab::read_progress(path);
  EXPECT_EQ(read.lessons.at("a"),
            (lab::LessonProgress{true, false, {{"repair", {3, 2, true, "2026-01-02T03:04:05Z"}}}}));
  ASSERT_TRUE(lab::write_progress(path, read));
  EXPECT_THAT(content(path), HasSubstr("\"checks\": 3"));
  EXPECT_THAT(content(path), Not(HasSubstr("exercises")));
}

TEST_F(study, progress_under_another_number_is_found_by_its_slug_and_what_was_achieved_under_several_counts) {
  const auto path = lab::progress_path(folder_ / "data");
  put(path, R"({"lessons": {"14_first": {"ran": true, "checks": 2, "passed_at": "2026-01-02T03:04:05Z"},
      "07_second": {"opened": true, "quiz": "r"}, "02_second": {"ran": true, "quiz": "ww"}}})");
  const lab::Progress read = lab::read_progress(path);
  EXPECT_EQ(read.lessons.size(), 2u);
  EXPECT_EQ(read.lessons.at("first").exercises.at("repair").passed_at, "2026-01-02T03:04:05Z");
  EXPECT_TRUE(read.lessons.at("second").opened && read.lessons.at("second").ran);
  EXPECT_EQ(read.lessons.at("second").quiz.size(), 2u);
  put_lesson("01_first", lab_model_test::kSource);
  EXPECT_THAT(lab::progress_csv(read, bench().catalogue(), kEnglish),
              HasSubstr("1,first,First,no,yes,2,0,no,yes,2026-01-02T03:04:05Z"));
  ASSERT_TRUE(lab::write_progress(path, read));
  EXPECT_EQ(lab::read_progress(path).lessons, read.lessons);
  EXPECT_THAT(content(path), HasSubstr("\"first\""));
}

TEST_F(study, the_next_lesson_is_the_first_that_was_not_run) {
  const lab::Catalogue& catalogue = bench().catalogue();
  lab::Progress progress;
  ASSERT_NE(lab::next_lesson(progress, catalogue), nullptr);
  EXPECT_EQ(lab::next_lesson(progress, catalogue)->slug, "first");
  progress.lessons["second"].ran = true;
  EXPECT_EQ(lab::next_lesson(progress, catalogue)->slug, "first");
  progress.lessons["first"].ran = true;
  EXPECT_FALSE(lab::is_done(progress, catalogue.lessons.front()));
  progress.lessons["first"].exercises["repair"].passed_at = "2026-01-02T03:04:05Z";
  EXPECT_TRUE(lab::is_done(progress, catalogue.lessons.front()));
  for (const lab::Lesson& lesson : catalogue.lessons) progress.lessons[lesson.slug].ran = true;
  EXPECT_EQ(lab::next_lesson(progress, catalogue), nullptr);
}

TEST(progress, what_two_programs_wrote_is_taken_together) {
  lab::Progress a, b;
  a.lessons["x"] = {true, false, {{"repair", {3, 0, false, ""}}, {"mine", {1, 0, false, ""}}}};
  b.lessons["x"] = {
      true, true, {{"repair", {1, 2, false, "2026-01-01T00:00:00Z"}}, {"theirs", {4, 0, true, ""}}}};
  b.lessons["y"].opened = true;
  lab::merge(a, b);
  EXPECT_EQ(a.lessons["x"], (lab::LessonProgress{true,
                                                 true,
                                                 {{"mine", {1, 0, false, ""}},
                                                  {"repair", {3, 2, false, "2026-01-01T00:00:00Z"}},
                                                  {"theirs", {4, 0, true, ""}}}}));
  EXPECT_TRUE(a.lessons["y"].opened);
}

TEST(progress, a_pass_keeps_its_first_day) {
  lab::ExerciseProgress one;
  lab::count_check(one, false);
  EXPECT_TRUE(one.passed_at.empty());
  lab::count_check(one, true);
  const std::string first = one.passed_at;
  EXPECT_EQ(first.size(), 20u);
  one.passed_at = "2026-01-01T00:00:00Z";
  lab::count_check(one, true);
  EXPECT_EQ(one.passed_at, "2026-01-01T00:00:00Z");
  EXPECT_EQ(one.checks, 3);
}

TEST_F(study, a_broken_progress_is_kept_beside) {
  const auto path = lab::progress_path(folder_ / "data");
  put(path, "not json");
  EXPECT_TRUE(lab::read_progress(path).lessons.empty());
  EXPECT_EQ(content(path.string() + ".broken"), "not json");
}

TEST_F(study, an_exercise_is_checked_until_it_passes_and_the_progress_says_so) {
  put_exercise();
  bench().open_lesson("task");
  ASSERT_NE(bench().exercise(), nullptr) << problems();
  EXPECT_FALSE(bench().in_exercise());
  bench().check();
  EXPECT_TRUE(bench().in_exercise());
  EXPECT_EQ(bench().files(), std::vector<std::string>{"exercise/main.cpp"});
  ASSERT_TRUE(judged()) << problems();
  EXPECT_FALSE(bench().verdict()->passed());
  bench().set_file_text("exercise/main.cpp", bench().solution());
  bench().check();
  ASSERT_TRUE(wait_for([&] { return bench().verdict() != nullptr && !bench().checking(); })) << problems();
  EXPECT_TRUE(bench().verdict()->passed());
  const auto saved = lab::progress_path(folder_ / "data");
  EXPECT_TRUE(wait_for(
      [&] { return !lab::read_progress(saved).lessons["task"].exercises["repair"].passed_at.empty(); }));
  const lab::ExerciseProgress mine = lab::read_progress(saved).lessons["task"].exercises["repair"];
  EXPECT_EQ(mine.checks, 2);
  EXPECT_TRUE(mine.solution_seen);
  bench().enter_exercise(false);
  EXPECT_EQ(bench().files(), std::vector<std::string>{"main.cpp"});
}

TEST_F(study, one_of_several_exercises_is_chosen_and_has_files_hints_and_progress_of_its_own) {
  put_two_exercises();
  bench().open_lesson("task");
  ASSERT_EQ(bench().exercises().size(), 2u) << problems();
  EXPECT_EQ(bench().exercise()->name, "repair");
  bench().enter_exercise(true);
  bench().show_hint();
  bench().set_file_text("exercise/main.cpp", "int main() { return 7; }\n");
  bench().check();
  ASSERT_TRUE(judged()) << problems();
  EXPECT_FALSE(bench().verdict()->passed());

  bench().choose_exercise("second");
  EXPECT_EQ(bench().exercise()->name, "second");
  EXPECT_TRUE(bench().in_exercise());
  EXPECT_EQ(bench().files(), std::vector<std::string>{"exercise/second/main.cpp"});
  EXPECT_EQ(bench().verdict(), nullptr);
  EXPECT_EQ(bench().phase(), lab::RunPhase::Idle);
  EXPECT_EQ(bench().hints_shown(), 0u);
  EXPECT_THAT(bench().solution(), HasSubstr("second"));
  bench().check();
  ASSERT_TRUE(judged()) << problems();
  EXPECT_TRUE(bench().verdict()->passed());

  bench().choose_exercise("nobody");
  EXPECT_EQ(bench().exercise()->name, "second");
  bench().choose_exercise("repair");
  EXPECT_EQ(bench().hints_shown(), 1u);
  EXPECT_EQ(bench().file_text("exercise/main.cpp"), "int main() { return 7; }\n");
  const auto& done = bench().progress().lessons.at("task").exercises;
  EXPECT_EQ(done.at("repair").checks, 1);
  EXPECT_EQ(done.at("repair").hints, 1);
  EXPECT_EQ(done.at("repair").passed_at, "");
  EXPECT_EQ(done.at("second").checks, 1);
  EXPECT_TRUE(done.at("second").solution_seen);
  EXPECT_NE(done.at("second").passed_at, "");
  bench().enter_exercise(false);
  bench().choose_exercise("second");
  EXPECT_FALSE(bench().in_exercise()) << "choosing opens nothing";
}

TEST_F(study, a_run_that_is_no_check_is_not_judged) {
  put_exercise();
  bench().open_lesson("task");
  bench().enter_exercise(true);
  bench().run(false);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Ended; })) << problems();
  EXPECT_EQ(bench().verdict(), nullptr);
  EXPECT_TRUE(bench().progress().lessons.at("task").exercises.empty());
}

TEST_F(study, a_lesson_without_exercise_offers_none) {
  bench().open_lesson("first");
  EXPECT_EQ(bench().exercise(), nullptr);
  bench().check();
  EXPECT_EQ(bench().phase(), lab::RunPhase::Idle);
}

TEST_F(study, what_another_editor_saves_appears) {
  bench().open_lesson("first");
  const auto copy = folder_ / "data/workspace/01_first/main.cpp";
  EXPECT_FALSE(wait_for([&] { return !problems().empty(); }, 1));  // looked at once, nothing said
  put(copy, "int from_outside;\n");
  EXPECT_TRUE(wait_for([&] { return bench().file_text("main.cpp") == "int from_outside;\n"; }));
  EXPECT_THAT(problems(), Not(HasSubstr("from-outside")));
}

// A window draws only when poll() says that there is something new.
TEST_F(study, what_another_editor_saves_of_an_exercise_is_news) {
  put_exercise();
  bench().open_lesson("task");
  bench().enter_exercise(true);
  const std::string file = bench().files().front();
  EXPECT_FALSE(wait_for([&] { return bench().edited(file); }, 1));
  put(folder_ / "data/workspace/03_task" / file, "int from_outside;\n");
  bool news = false;
  for (int round = 0; round < 12000 && bench().file_text(file) != "int from_outside;\n"; ++round) {
    news = bench().poll();
    if (!news) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(bench().file_text(file), "int from_outside;\n");
  EXPECT_TRUE(news);
  EXPECT_TRUE(bench().edited(file));
}

TEST_F(study, changed_here_and_outside_at_once_both_are_kept) {
  bench().open_lesson("first");
  const auto folder = folder_ / "data/workspace/01_first";
  EXPECT_FALSE(wait_for([&] { return !problems().empty(); }, 1));
  put(folder / "main.cpp", "theirs\n");
  int typed = 0;  // typing goes on, so that it is not saved before the other text is seen
  EXPECT_TRUE(wait_for([&] {
    bench().set_file_text("main.cpp", "mine " + std::to_string(++typed) + "\n");
    return !problems().empty();
  }));
  EXPECT_EQ(content(folder / "main.cpp.from-outside-1"), "theirs\n");
  EXPECT_THAT(bench().file_text("main.cpp"), HasSubstr("mine"));
}

}  // namespace
