// SPDX-License-Identifier: MIT
// A student's file is sacred: copies, saves, restores, and homes that cannot be written.
#include <sys/stat.h>

#include "fixture.hpp"
#include "lab/files.hpp"

namespace fs = std::filesystem;

namespace {

class Workspace : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("lessons/04_stack/main.cpp", "original\n");
    lesson.folder = folder.path() / "lessons/04_stack";
    lesson.sources = {"main.cpp"};
    home.path = folder.path() / "home";
  }
  lab::Workspace open() {
    auto opened = lab::Workspace::open(lesson, home);
    EXPECT_TRUE(opened) << opened.error().in(lab::Language::English);
    return *opened;
  }
  std::size_t files_in(const fs::path& path) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
  lab_test::TemporaryFolder folder;
  lab::Lesson lesson;
  lab::DataHome home;
};

}  // namespace

TEST_F(Workspace, the_first_opening_copies_and_the_next_ones_leave_edits_alone) {
  lab::Workspace workspace = open();
  EXPECT_EQ(workspace.folder(), home.path / "workspace/04_stack");
  EXPECT_EQ(*workspace.read("main.cpp"), "original\n");
  EXPECT_FALSE(workspace.edited("main.cpp"));
  ASSERT_TRUE(workspace.write("main.cpp", "mine\n"));
  EXPECT_EQ(*open().read("main.cpp"), "mine\n");
  EXPECT_TRUE(open().edited("main.cpp"));
  EXPECT_EQ(lab_test::read(lesson.folder / "main.cpp"), "original\n");
}

TEST_F(Workspace, copies_that_were_made_under_another_number_are_found_by_their_slug) {
  ASSERT_TRUE(open().write("main.cpp", "mine\n"));
  const fs::path old = home.path / "workspace/04_stack";
  folder.write("lessons/11_stack/main.cpp", "original\n");
  lesson.folder = folder.path() / "lessons/11_stack";
  lab::Workspace workspace = open();
  EXPECT_EQ(workspace.folder(), old);
  EXPECT_EQ(*workspace.read("main.cpp"), "mine\n");
  ASSERT_TRUE(workspace.restore("main.cpp"));
  EXPECT_EQ(*workspace.read("main.cpp.before-reset-1"), "mine\n");
  // A copy that was never edited goes on following its original.
  folder.write("lessons/11_stack/main.cpp", "newer\n");
  EXPECT_EQ(*open().read("main.cpp"), "newer\n");
  EXPECT_EQ(files_in(home.path / "workspace"), 1u);
  EXPECT_EQ(files_in(home.path / "copied"), 1u);
}

TEST_F(Workspace, of_several_folders_the_one_with_todays_number_wins_and_nothing_is_deleted) {
  const fs::path workspaces = home.path / "workspace";
  for (const char* name : {"02_stack", "09_stack", "30_stackless", "stack_2"})
    folder.write(fs::path("home/workspace") / name / "main.cpp", std::string(name) + "\n");
  fs::last_write_time(workspaces / "02_stack", fs::file_time_type::clock::now());
  fs::last_write_time(workspaces / "09_stack", fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(*open().read("main.cpp"), "02_stack\n");  // without today's: the one that was changed last
  folder.write("home/workspace/04_stack/main.cpp", "today\n");
  EXPECT_EQ(*open().read("main.cpp"), "today\n");
  for (const char* name : {"02_stack", "09_stack", "30_stackless", "stack_2"})
    EXPECT_EQ(lab_test::read(workspaces / name / "main.cpp"), std::string(name) + "\n");
}

TEST_F(Workspace, a_file_with_the_name_of_another_number_is_no_folder_of_copies) {
  folder.write("home/workspace/09_stack", "no folder");
  EXPECT_EQ(open().folder(), home.path / "workspace/04_stack");
}

TEST_F(Workspace, restoring_keeps_every_edited_version) {
  lab::Workspace workspace = open();
  for (const char* version : {"first\n", "second\n"}) {
    ASSERT_TRUE(workspace.write("main.cpp", version));
    ASSERT_TRUE(workspace.restore("main.cpp"));
    EXPECT_EQ(*workspace.read("main.cpp"), "original\n");
  }
  EXPECT_EQ(*workspace.read("main.cpp.before-reset-1"), "first\n");
  EXPECT_EQ(*workspace.read("main.cpp.before-reset-2"), "second\n");
}

TEST_F(Workspace, restoring_what_was_not_edited_keeps_nothing) {
  lab::Workspace workspace = open();
  ASSERT_TRUE(workspace.restore("main.cpp"));
  EXPECT_EQ(files_in(workspace.folder()), 1u);
}

TEST_F(Workspace, restoring_brings_a_deleted_file_back) {
  lab::Workspace workspace = open();
  fs::remove(workspace.folder() / "main.cpp");
  ASSERT_TRUE(workspace.restore("main.cpp"));
  EXPECT_EQ(*workspace.read("main.cpp"), "original\n");
}

TEST_F(Workspace, saving_keeps_the_mode_and_leaves_no_temporary_file) {
  lab::Workspace workspace = open();
  const fs::path file = workspace.folder() / "main.cpp";
  ::chmod(file.c_str(), 0640);
  ASSERT_TRUE(workspace.write("main.cpp", "mine\n"));
  struct stat about{};
  ASSERT_EQ(::stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
  EXPECT_EQ(files_in(workspace.folder()), 1u);
}

TEST_F(Workspace, a_new_file_has_the_mode_that_the_user_wants) {
  lab::Workspace workspace = open();
  const mode_t mask = ::umask(027);
  ASSERT_TRUE(workspace.write("new.cpp", "x"));
  ::umask(mask);
  struct stat about{};
  ASSERT_EQ(::stat((workspace.folder() / "new.cpp").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
}

TEST_F(Workspace, a_save_that_fails_leaves_the_old_file) {
  folder.write("old/file", "old");
  fs::create_directory(folder.path() / "old/file.d");
  const auto saved = lab::write_file(folder.path() / "old/file.d", "new");  // a folder cannot be replaced
  ASSERT_FALSE(saved);
  lab_test::expect_in_both(saved.error(), "file.d");
  EXPECT_EQ(files_in(folder.path() / "old"), 2u);
}

TEST_F(Workspace, no_name_leads_out) {
  lab::Workspace workspace = open();
  folder.write("secret", "secret");
  fs::create_symlink(folder.path() / "secret", workspace.folder() / "link.cpp");
  for (const char* name : {"../../../secret", "/etc/passwd", "link.cpp", "", "."}) {
    EXPECT_FALSE(workspace.read(name)) << name;
    const auto written = workspace.write(name, "x");
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().key, lab::Text::WorkspaceOutside) << name;
  }
  EXPECT_EQ(lab_test::read(folder.path() / "secret"), "secret");
}

TEST_F(Workspace, a_link_that_stays_inside_is_kept_when_it_is_written_through) {
  lab::Workspace workspace = open();
  fs::create_symlink("main.cpp", workspace.folder() / "link.cpp");
  ASSERT_TRUE(workspace.write("link.cpp", "through\n"));
  EXPECT_TRUE(fs::is_symlink(workspace.folder() / "link.cpp"));
  EXPECT_EQ(*workspace.read("main.cpp"), "through\n");
}

TEST_F(Workspace, what_is_not_a_file_or_too_large_is_not_read) {
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  const auto pipe = lab::read_file(folder.path() / "pipe");
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().key, lab::Text::FileNotRegular);
  folder.write("large", std::string(100, 'x'));
  EXPECT_FALSE(lab::read_file(folder.path() / "large", 99));
  EXPECT_TRUE(lab::read_file(folder.path() / "large", 100));
}

TEST_F(Workspace, the_home_follows_the_variable) {
  const lab_test::Variable variable("XDG_DATA_HOME", (folder.path() / "data").string());
  const lab::DataHome found = lab::data_home();
  EXPECT_EQ(found.path, folder.path() / "data/driverlab");
  EXPECT_FALSE(found.temporary);
  EXPECT_FALSE(found.problem);
}

TEST_F(Workspace, a_home_that_cannot_be_written_is_replaced_and_said) {
  // A folder below a file can be made by nobody, root included.
  folder.write("file", "");
  const lab_test::Variable variable("XDG_DATA_HOME", (folder.path() / "file/data").string());
  const lab_test::Variable temporary("TMPDIR", folder.path().string());
  const lab::DataHome found = lab::data_home();
  EXPECT_TRUE(found.temporary);
  ASSERT_TRUE(found.problem);
  lab_test::expect_in_both(*found.problem, (folder.path() / "file/data/driverlab").string());
  lab_test::expect_in_both(*found.problem, found.path.string());
  ASSERT_TRUE(lab::Workspace::open(lesson, found));
  EXPECT_EQ(lab::data_home().path, found.path) << "work done there is found again";
}

TEST_F(Workspace, a_temporary_home_that_somebody_else_prepared_is_not_used) {
  folder.write("file", "");
  fs::create_directory_symlink(folder.path(), folder.path() / ("driverlab-" + std::to_string(::getuid())));
  const lab_test::Variable variable("XDG_DATA_HOME", (folder.path() / "file/data").string());
  const lab_test::Variable temporary("TMPDIR", folder.path().string());
  EXPECT_FALSE(fs::is_symlink(lab::data_home().path));
}

TEST_F(Workspace, a_changed_lesson_replaces_the_copy_that_was_never_edited) {
  (void)open();
  folder.write("lessons/04_stack/main.cpp", "better\n");
  EXPECT_EQ(*open().read("main.cpp"), "better\n");
  folder.write("lessons/04_stack/main.cpp", "best\n");
  EXPECT_EQ(*open().read("main.cpp"), "best\n");
}

TEST_F(Workspace, a_changed_lesson_leaves_an_edited_copy_alone) {
  ASSERT_TRUE(open().write("main.cpp", "mine\n"));
  folder.write("lessons/04_stack/main.cpp", "better\n");
  lab::Workspace workspace = open();
  EXPECT_EQ(*workspace.read("main.cpp"), "mine\n");
  EXPECT_TRUE(workspace.edited("main.cpp"));
  ASSERT_TRUE(workspace.restore("main.cpp"));
  EXPECT_EQ(*workspace.read("main.cpp"), "better\n");
  folder.write("lessons/04_stack/main.cpp", "best\n");
  EXPECT_EQ(*open().read("main.cpp"), "best\n");
}

TEST_F(Workspace, a_copy_of_unknown_origin_counts_as_edited) {
  folder.write("home/workspace/04_stack/main.cpp", "from long ago\n");
  EXPECT_EQ(*open().read("main.cpp"), "from long ago\n");
}

namespace {

class WorkspaceInTwoLanguages : public Workspace {
 protected:
  void SetUp() override {
    Workspace::SetUp();
    folder.write("lessons/04_stack/main.cpp", kEnglish);
    folder.write("lessons/04_stack/words.zh.toml", "[[comment]]\nen = 'One.'\nzh = '一。'\n");
  }
  lab::Workspace open_in(lab::Language language) {
    auto opened = lab::Workspace::open(lesson, home, language);
    EXPECT_TRUE(opened) << opened.error().in(lab::Language::English);
    return *opened;
  }
  static constexpr const char *kEnglish = "// One.\nint a;\n", *kChinese = "// 一。\nint a;\n";
};

}  // namespace

TEST_F(WorkspaceInTwoLanguages, a_copy_that_was_never_edited_follows_the_language) {
  for (const auto& [language, text] : {std::pair{lab::Language::Chinese, kChinese},
                                       {lab::Language::English, kEnglish},
                                       {lab::Language::Chinese, kChinese}}) {
    const lab::Workspace workspace = open_in(language);
    EXPECT_EQ(*workspace.read("main.cpp"), text);
    EXPECT_FALSE(workspace.edited("main.cpp"));
    EXPECT_EQ(workspace.language_of("main.cpp"), language);
  }
}

TEST_F(WorkspaceInTwoLanguages, a_copy_of_an_older_lab_follows_too) {
  folder.write("home/workspace/04_stack/main.cpp", kEnglish);  // it left no note of what it copied
  EXPECT_EQ(*open_in(lab::Language::Chinese).read("main.cpp"), kChinese);
}

TEST_F(WorkspaceInTwoLanguages, an_edited_copy_stays_in_its_language) {
  for (const auto& [begun, other] : {std::pair{lab::Language::Chinese, lab::Language::English},
                                     {lab::Language::English, lab::Language::Chinese}}) {
    const std::string mine = "int mine;\n" + *open_in(begun).read("main.cpp");
    ASSERT_TRUE(open_in(begun).write("main.cpp", mine));
    lab::Workspace workspace = open_in(other);
    EXPECT_EQ(*workspace.read("main.cpp"), mine);
    EXPECT_TRUE(workspace.edited("main.cpp"));
    EXPECT_EQ(workspace.language_of("main.cpp"), begun);
    ASSERT_TRUE(workspace.restore("main.cpp"));
    EXPECT_EQ(*workspace.read("main.cpp"), other == lab::Language::Chinese ? kChinese : kEnglish);
  }
}

TEST_F(WorkspaceInTwoLanguages, a_changed_lesson_is_taken_over_in_the_other_language_as_well) {
  (void)open_in(lab::Language::English);
  folder.write("lessons/04_stack/main.cpp", "// One.\nint better;\n");
  EXPECT_EQ(*open_in(lab::Language::Chinese).read("main.cpp"), "// 一。\nint better;\n");
}

TEST_F(WorkspaceInTwoLanguages, restoring_what_is_the_other_original_keeps_nothing) {
  lab::Workspace workspace = open_in(lab::Language::English);
  workspace.set_language(lab::Language::Chinese);
  ASSERT_TRUE(workspace.restore("main.cpp"));
  EXPECT_EQ(*workspace.read("main.cpp"), kChinese);
  EXPECT_EQ(files_in(workspace.folder()), 1u);
}

TEST_F(WorkspaceInTwoLanguages, words_that_cannot_be_read_are_told_and_the_files_are_english) {
  folder.write("lessons/04_stack/words.zh.toml", "[[comment]]\nen = 'One.'\n");
  const lab::Workspace workspace = open_in(lab::Language::Chinese);
  ASSERT_TRUE(workspace.problem_of_words());
  lab_test::expect_in_both(*workspace.problem_of_words(), "words.zh.toml:1");
  EXPECT_EQ(*workspace.read("main.cpp"), kEnglish);
}

TEST_F(WorkspaceInTwoLanguages, a_run_without_a_workspace_has_a_folder_in_each_language) {
  const lab_test::Variable cache("XDG_CACHE_HOME", (folder.path() / "cache").string());
  EXPECT_EQ(*lab::lesson_in(lab::Language::English, lesson), lesson.folder);
  for (const char* text : {"// One.\n", "// One.\nint later;\n"}) {
    folder.write("lessons/04_stack/main.cpp", text);
    const auto there = lab::lesson_in(lab::Language::Chinese, lesson);
    ASSERT_TRUE(there) << there.error().in(lab::Language::English);
    EXPECT_EQ(lab_test::read(*there / "main.cpp"), "// 一。" + std::string(text).substr(7));
  }
  fs::remove(lesson.folder / "words.zh.toml");
  EXPECT_EQ(*lab::lesson_in(lab::Language::Chinese, lesson), lesson.folder);
}
