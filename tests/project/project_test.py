#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the project's rules against its files and its history, and the rules themselves against made-up ones.

  project_test.py SOURCE [CLASS…]
"""
import pathlib
import re
import subprocess
import sys
import tomllib
import unittest

import project

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
# The first commits whose subjects follow the rule come after this one.
BEFORE_THE_RULE = "4176e28"
PICTURES_AND_ARCHIVES = (".png", ".dlrec", ".xz", ".trace")
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.3.0] - 2026-02-01\n\n## [1.2.9] - 2026-01-31\n"


def git(*words):
    return subprocess.run(["git", "-C", SOURCE, *words], capture_output=True, text=True)


def tracked():
    if not (SOURCE / ".git").exists():
        raise unittest.SkipTest("this is no clone: which files belong to the project is not known")
    listed = git("ls-files", "-z")
    if listed.returncode != 0:
        raise unittest.SkipTest("git does not list the files: " + listed.stderr.strip())
    return [path for path in listed.stdout.split("\0") if path and (SOURCE / path).is_file()]


class Merges(unittest.TestCase):
    def test_no_file_holds_both_sides_of_a_merge(self):
        for path in tracked():
            if not path.endswith(PICTURES_AND_ARCHIVES):
                with self.subTest(path):
                    self.assertIsNone(re.search(rb"^(<{7} |>{7} )", (SOURCE / path).read_bytes(), re.M))


class Version(unittest.TestCase):
    def test_the_changelogs_newest_version_is_that_of_the_project(self):
        version = project.version_of((SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"))
        self.assertEqual(project.wrong_with_changelog((SOURCE / "CHANGELOG.md").read_text(encoding="utf-8"), version), [])

    def test_no_other_place_sets_the_number(self):
        self.assertRegex((SOURCE / "app/lab/CMakeLists.txt").read_text(), r'DRIVERLAB_VERSION="\$\{PROJECT_VERSION\}"')
        for path in tracked():
            if path.endswith((".cpp", ".hpp", "CMakeLists.txt", ".cmake")):
                text = (SOURCE / path).read_text(encoding="utf-8", errors="replace")
                with self.subTest(path):
                    self.assertIsNone(re.search(r"DRIVERLAB_VERSION\W{0,3}\d", text))

    def test_a_changelog_as_it_should_be_is_not_complained_about(self):
        self.assertEqual(project.wrong_with_changelog(CHANGELOG, "1.3.0"), [])

    def test_a_changelog_that_was_forgotten_is_named(self):
        for changelog, version, word in (
                (CHANGELOG, "1.4.0", "1.4.0"),
                (CHANGELOG.replace("## [Unreleased]\n", ""), "1.3.0", "Unreleased"),
                (CHANGELOG.replace(" - 2026-01-31", ""), "1.3.0", "date"),
                (CHANGELOG.replace("1.2.9", "1.10.0"), "1.3.0", "newest first"),
                (CHANGELOG + "## Later\n", "1.3.0", "heading")):
            with self.subTest(word):
                found = project.wrong_with_changelog(changelog, version)
                self.assertEqual(len(found), 1, found)
                self.assertIn(word, found[0])


class Licences(unittest.TestCase):
    REUSE = {"annotations": [{"path": "**", "SPDX-FileCopyrightText": "us"},
                             {"path": ["lessons/**", "**.md"], "SPDX-License-Identifier": "MIT"},
                             {"path": "lessons/*/other/*", "SPDX-License-Identifier": "BSD-2-Clause"}]}

    def test_every_file_is_under_the_projects_licence(self):
        reuse = tomllib.loads((SOURCE / "REUSE.toml").read_text(encoding="utf-8"))
        for path in tracked():
            if path.startswith("LICENSES/"):
                continue
            with (SOURCE / path).open("rb") as file:
                with self.subTest(path):
                    self.assertEqual(project.licence_of(path, file.read(1000), reuse), "MIT")

    def test_every_path_of_the_list_names_a_file(self):
        files = tracked()
        for table in tomllib.loads((SOURCE / "REUSE.toml").read_text(encoding="utf-8"))["annotations"]:
            for path in table["path"] if isinstance(table["path"], list) else [table["path"]]:
                with self.subTest(path):
                    self.assertTrue(any(map(project.pattern_of(path).fullmatch, files)))

    def test_the_licence_is_the_same_in_both_places(self):
        self.assertEqual((SOURCE / "LICENSE").read_text(), (SOURCE / "LICENSES/MIT.txt").read_text())

    def test_a_source_without_a_line_has_no_licence(self):
        self.assertEqual(project.licence_of("app/a.cpp", b"// What it is.\n", self.REUSE), "")

    def test_a_line_far_below_is_not_taken_for_the_files_own(self):
        self.assertEqual(project.licence_of("app/a.cpp", b"//\n" * 9 + b"// SPDX-License-Identifier: MIT\n", self.REUSE), "")

    def test_what_a_file_says_or_the_list_says_holds(self):
        self.assertEqual(project.licence_of("app/a.cpp", b"// SPDX-License-Identifier: MIT\n", self.REUSE), "MIT")
        self.assertEqual(project.licence_of("lessons/01/main.cpp", b"int main", self.REUSE), "MIT")
        self.assertEqual(project.licence_of("docs/a.md", b"# A", self.REUSE), "MIT")
        self.assertEqual(project.licence_of("lessons/01/other/b.cpp", b"int b", self.REUSE), "BSD-2-Clause")
        self.assertEqual(project.licence_of("lessons/01/main.cpp", b"// SPDX-License-Identifier: 0BSD", self.REUSE), "0BSD")


class Writing(unittest.TestCase):
    SECTIONS = project.sections_of((SOURCE / ".editorconfig").read_text(encoding="utf-8"))

    def test_files_are_written_as_editors_are_told_to(self):
        for path in tracked():
            if path.endswith(PICTURES_AND_ARCHIVES):
                continue
            text = (SOURCE / path).read_bytes().decode("utf-8")
            with self.subTest(path):
                self.assertEqual(project.wrong_with_text(text, project.properties_of(path, self.SECTIONS)), [])

    def test_clang_format_says_the_same(self):
        told = dict(re.findall(r"^(\w+): (\w+)$", (SOURCE / ".clang-format").read_text(), re.MULTILINE))
        properties = project.properties_of("app/lab/src/model/model.cpp", self.SECTIONS)
        self.assertEqual(properties["max_line_length"], told["ColumnLimit"])
        self.assertEqual(told["BasedOnStyle"], "Google")  # two spaces, no tabs
        self.assertEqual((properties["indent_style"], properties["indent_size"]), ("space", "2"))

    def test_each_kind_of_file_has_its_own(self):
        self.assertEqual(project.properties_of("tools/a.py", self.SECTIONS)["indent_size"], "4")
        self.assertEqual(project.properties_of("driver/generated/a.cpp", self.SECTIONS)["max_line_length"], "off")
        self.assertEqual(project.properties_of("tests/driver/core/truth/kernels.ptx", self.SECTIONS)["indent_style"], "unset")
        self.assertEqual(project.properties_of("tests/driver/ptx/wrong_texts.txt", self.SECTIONS)["trim_trailing_whitespace"], "false")

    def test_what_an_editor_would_change_is_named(self):
        properties = project.properties_of("app/a.cpp", self.SECTIONS)
        for text, words in (("int a;", "new line"), ("int a; \n", "line 1"), ("\n\tint a;\n", "line 2"),
                            ("int a;\r\n", "carriage")):
            with self.subTest(words):
                found = project.wrong_with_text(text, properties)
                self.assertEqual(len(found), 1, found)
                self.assertIn(words, found[0])

    def test_good_text_is_not_complained_about(self):
        self.assertEqual(project.wrong_with_text("int a;\n\n  \"\ttab\"\n", project.properties_of("a.cpp", self.SECTIONS)), [])
        self.assertEqual(project.wrong_with_text("", project.properties_of("a.cpp", self.SECTIONS)), [])


class Commits(unittest.TestCase):
    def test_every_subject_names_its_area_and_is_short(self):
        if git("merge-base", "--is-ancestor", BEFORE_THE_RULE, "HEAD").returncode != 0:
            self.skipTest(f"this clone's history does not reach back to {BEFORE_THE_RULE}")
        for line in git("log", "--no-merges", "--format=%h %s", f"{BEFORE_THE_RULE}..HEAD").stdout.splitlines():
            with self.subTest(line):
                self.assertEqual(project.wrong_with_subject(line.split(" ", 1)[1]), "")

    def test_a_good_subject_is_not_complained_about(self):
        for subject in ("trace: both ways of making a record have one interface", "tests/gui: wait for rest",
                        "cli, window: say by which version a recording was made", "a: " + "b" * 69):
            with self.subTest(subject):
                self.assertEqual(project.wrong_with_subject(subject), "")

    def test_a_subject_without_an_area_or_too_long_is_named(self):
        for subject, words in (("Mend the reader", "area"), ("trace:mend", "area"), ("Trace: mend", "area"),
                               (": mend", "area"), ("a: " + "b" * 70, "73")):
            with self.subTest(subject):
                self.assertIn(words, project.wrong_with_subject(subject))


class Benchmarks(unittest.TestCase):
    HEAD = "| benchmark | command | figure | goal | day; before |\n| --- | --- | --- | --- | --- |\n"

    def test_each_row_is_the_current_figure_and_names_a_command_that_is_built(self):
        targets = set()
        for path in tracked():
            if path.startswith("tests/") and path.endswith("CMakeLists.txt"):
                targets |= set(re.findall(r"add_(?:executable|custom_target)\((\w+)", (SOURCE / path).read_text()))
        text = (SOURCE / "docs/benchmarks.md").read_text(encoding="utf-8")
        self.assertEqual(project.wrong_with_benchmarks(text, targets), [])

    def test_a_row_as_it_should_be_is_not_complained_about(self):
        for row in ("| a jump | `build/bench_jump` | 1 ms | | 21 |", "| a jump | same | 1 ms | 2 ms | 21; 3 ms |",
                    "| a frame | `cmake --build build --target bench_jump` | 1 ms | | 22 |"):
            with self.subTest(row):
                self.assertEqual(project.wrong_with_benchmarks(self.HEAD + row + "\n", {"bench_jump"}), [])

    def test_a_row_that_grew_or_whose_command_is_gone_is_named(self):
        for row, word in (("| 21 | a jump | `build/bench_jump` | 1 ms | | 21 |", "6 columns"),
                          ("| a jump | same | 1 ms | | yesterday |", "a day"),
                          ("| a jump | same | 1 ms | | 21; " + "then, " * 20 + "|", "history"),
                          ("| a jump | `build/bench_leap` | 1 ms | | 21 |", "bench_leap")):
            with self.subTest(row):
                found = project.wrong_with_benchmarks(self.HEAD + row + "\n", {"bench_jump"})
                self.assertEqual(len(found), 1, found)
                self.assertIn(word, found[0])


class Generated(unittest.TestCase):
    # What `driverlab teach` prints; tests/lessons/teaching_test.py compares.
    PRINTED = {"docs/generated/teaching.md", "docs/generated/teaching.zh.md"}

    def test_generated_files_and_no_others_lie_in_folders_of_that_name(self):
        heads = {}
        for path in tracked():
            if not path.endswith(PICTURES_AND_ARCHIVES):
                with (SOURCE / path).open("rb") as file:
                    heads[path] = file.read(400).decode("utf-8", errors="ignore")
        listed = [subprocess.run([sys.executable, SOURCE / tool, "--list"], capture_output=True, text=True, check=True).stdout.split()
                  for tool in ("api/generate.py", "tools/make_lessons_page.py")]
        self.assertEqual(project.wrong_with_generated(heads, self.PRINTED.union(*listed)), [])

    def test_a_generated_file_elsewhere_and_another_in_its_folder_are_named(self):
        head = "// SPDX\n// Generated by api/generate.py from api/driver/*.toml; do not edit.\n"
        for path, text, word in (("driver/include/cuda.h", head, "lies in no folder"),
                                 ("docs/lessons.md", "# A\n\nMade by `tools/a.py`; do not edit.\n", "lies in no folder"),
                                 ("docs/plain.md", "# Written, and does not say so\n", "lies in no folder"),
                                 ("generated", head, "lies in no folder"),
                                 ("driver/generated/by_hand.cpp", "// By hand.\n", "no generator writes it"),
                                 ("driver/generated/old.cpp", head, "no generator writes it")):
            with self.subTest(path):
                found = project.wrong_with_generated({path: text}, {"docs/plain.md", "docs/lessons.md"})
                self.assertEqual(len(found), 1, found)
                self.assertIn(word, found[0])

    def test_files_that_lie_where_they_belong_are_not_complained_about(self):
        self.assertEqual(project.wrong_with_generated({
            "driver/generated/a.cpp": "", "driver/generated/.clang-format": "", "app/a.cpp": "// A generated table; do not edit it.\n",
            "api/generators/a.py": "# One\n# Two\n# Three\n// Generated by api/generate.py; do not edit.\n"},
            {"driver/generated/a.cpp"}), [])


class Tests(unittest.TestCase):
    def test_every_test_is_named_by_the_rule(self):
        for path in tracked():
            if path.startswith("tests/") and path.endswith((".cpp", "CMakeLists.txt")):
                with self.subTest(path):
                    self.assertEqual(project.wrong_with_tests(path, (SOURCE / path).read_text(encoding="utf-8")), [])

    def test_the_folders_mirror_the_rooms_and_each_has_a_row(self):
        paths = tracked()
        lists = {path: (SOURCE / path).read_text(encoding="utf-8") for path in paths
                 if path.startswith("tests/") and path.endswith("CMakeLists.txt")}
        rows = project.rows_of_tests((SOURCE / "tests/README.md").read_text(encoding="utf-8"))
        self.assertEqual(project.wrong_with_folders_of_tests(paths, rows, lists), [])

    PATHS = ["app/lab/src/base/a.cpp", "tests/README.md", "tests/app/lab/CMakeLists.txt", "tests/app/lab/base/a_test.cpp",
             "tests/api/CMakeLists.txt", "tests/api/data/a.txt"]
    ROWS = {"tests/app/lab": [], "tests/app/lab/base": ["lab_test"], "tests/api": ["api."]}
    LISTS = {"tests/app/lab/CMakeLists.txt": "add_executable(lab_test a_test.cpp)", "tests/api/CMakeLists.txt": "add_test(NAME api.a)"}

    def test_rows_are_read_from_their_table_alone(self):
        readme = ("| command | what |\n| --- | --- |\n| `a` | b |\n\n| folder | tests | alone |\n| --- | --- | --- |\n"
                  "| `tests/api` | `x` | `api_tests`, `api.` |\n| `tests/support` | y | |\n\n| test | reason |\n| `c` | d |\n")
        self.assertEqual(project.rows_of_tests(readme), {"tests/api": ["api_tests", "api."], "tests/support": []})

    def test_folders_as_they_should_be_are_not_complained_about(self):
        self.assertEqual(project.wrong_with_folders_of_tests(self.PATHS, self.ROWS, self.LISTS), [])

    def test_a_folder_a_row_a_room_and_a_program_that_lack_the_other_are_named(self):
        for paths, rows, word in (
                (["tests/new/a.cpp"], {}, "tests/new has no row"),
                ([], {"tests/gone": []}, "tests/gone, which is not there"),
                (["app/lab/src/run/a.cpp"], {}, "app/lab/src/run has no tests/app/lab/run"),
                (["tests/app/lab/old/a_test.cpp"], {"tests/app/lab/old": []}, "tests/app/lab/old mirrors no room"),
                ([], {"tests/api": ["api_tests"]}, "nothing is called api_tests")):
            with self.subTest(word):
                found = project.wrong_with_folders_of_tests(self.PATHS + paths, self.ROWS | rows, self.LISTS)
                self.assertEqual(len(found), 1, found)
                self.assertIn(word, found[0])

    def test_a_good_name_is_not_complained_about(self):
        for path, text in (("tests/a/a.cpp", "TEST(Model, a_pop_without_a_push_is_kept) {"),
                           ("tests/a/a.cpp", "  TEST_F(picture, before_cuInit_CU_JIT_FMA_and_OpenGL_are_2) {"),
                           ("tests/a/a.cpp", "TEST_P(Each,\n       of_kernelParams) {"),
                           ("tests/a/a.cpp", "INSTANTIATE_TEST_SUITE_P(Each, Golden, values);"),
                           ("tests/a/CMakeLists.txt", "add_test(NAME api.${part} COMMAND a)\nadd_test(NAME ${name} COMMAND b)")):
            with self.subTest(text):
                self.assertEqual(project.wrong_with_tests(path, text), [])

    def test_another_name_is_named_with_its_file(self):
        for path, text in (("tests/a/a.cpp", "TEST(Model, APopIsKept) {"), ("tests/a/a.cpp", "TEST_F(Model, a_Pop_is_kept) {"),
                           ("tests/a/a.cpp", "TEST_P(Each,\n       Golden) {"),
                           ("tests/a/CMakeLists.txt", "add_test(\n  NAME smoke COMMAND a)"),
                           ("tests/a/CMakeLists.txt", "add_test(NAME Gui.smoke COMMAND a)")):
            with self.subTest(text):
                found = project.wrong_with_tests(path, text)
                self.assertEqual(len(found), 1, found)
                self.assertIn(path, found[0])


class Heads(unittest.TestCase):
    def test_every_source_of_the_product_says_what_it_is_about(self):
        for path in tracked():
            if re.match(r"(api|app|driver|trace)/.*\.(cpp|hpp)$", path) and "/generated/" not in path:
                with self.subTest(path):
                    self.assertEqual(project.wrong_with_head((SOURCE / path).read_text(encoding="utf-8")), "")

    def test_a_good_head_is_not_complained_about(self):
        for head in ("// See live.hpp.\n", "// The reader's side of one ring: it copies records out.\n",
                     "// A sentence that has more than eight words in it.\n//\n// And more.\n"):
            with self.subTest(head):
                self.assertEqual(project.wrong_with_head(f"// SPDX\n{head}#pragma once\n"), "")

    def test_a_head_that_is_missing_too_long_or_empty_of_meaning_is_named(self):
        for head, words in (("", "no head"), ("//\n", "no head"), ("// Ir and Loop.\n", "Ir and Loop"),
                            ("// a b c d e f g h\n" * 11, "11 lines")):
            with self.subTest(head):
                self.assertIn(words, project.wrong_with_head(f"// SPDX\n{head}#pragma once\n"))


if __name__ == "__main__":
    unittest.main()
