#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what comments and documents name against what is there.

  names_test.py SOURCE
"""
import pathlib
import subprocess
import sys
import unittest

import names

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
KNOWN = names.endings_of(["trace/src/live.cpp", "trace/FORMAT.md", "docs/events.md", "app/lab/supervisor/supervisor.hpp"])


def tracked():
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], capture_output=True, text=True)
    if not (SOURCE / ".git").exists() or listed.returncode != 0:
        raise unittest.SkipTest("which files belong to the project is not known: this is no clone, or git says nothing")
    return [path for path in listed.stdout.split("\0") if path and (SOURCE / path).is_file()]


class Project(unittest.TestCase):
    def test_comments_name_files_and_functions_that_are_there(self):
        paths = tracked()
        sources = {path: (SOURCE / path).read_text(encoding="utf-8") for path in paths
                   if path.endswith(names.C_SOURCES + names.HASH_SOURCES) and not path.startswith("tests/fuzz/seeds/")}
        self.assertEqual(names.wrong_with_comments(sources, names.endings_of(paths)), [])

    def test_documents_name_places_that_are_there(self):
        paths = tracked()
        known = names.endings_of(paths) | {"lessons/32_my_topic"}  # CONTRIBUTING.md makes it
        for path in paths:
            if path.endswith(".md"):
                for number, line in enumerate((SOURCE / path).read_text(encoding="utf-8").splitlines(), 1):
                    with self.subTest(f"{path}:{number}"):
                        self.assertEqual(names.missing_in_document(line, known), [])


class Rules(unittest.TestCase):
    def found(self, comment, path="app/a.cpp", code="void poll(); class Live;"):
        mark = "//" if path.endswith(".cpp") else "#"
        return names.wrong_with_comments({path: f"{code}\n{mark} {comment}\n"}, KNOWN)

    def test_a_file_that_is_gone_is_named_with_its_line(self):
        for comment, name in (("See dead.cpp.", "dead.cpp"), ("is the business of dead.hpp", "dead.hpp"),
                              ("(trace/src/dead.cpp)", "trace/src/dead.cpp"), ("lies in trace/dead now", "trace/dead"),
                              ("src/live.hpp, which is gone", "src/live.hpp")):
            with self.subTest(comment):
                self.assertEqual(self.found(comment), [f"app/a.cpp:2: there is no {name}"])
                self.assertEqual(self.found(comment, "tools/a.py"), [f"tools/a.py:2: there is no {name}"])

    def test_a_function_that_is_gone_is_named_with_its_line(self):
        for comment, name in (("see dead().", "dead"), ("Live::dead says why", "Live::dead"), ("in Dead::poll()", "Dead::poll")):
            with self.subTest(comment):
                self.assertEqual(self.found(comment), [f"app/a.cpp:2: nothing is called {name}"])

    def test_what_is_there_is_not_complained_about(self):
        for comment in ("See live.cpp, src/live.cpp and trace/src/live.cpp.", "trace/FORMAT.md; trace/src", "supervisor/supervisor.hpp",
                        "poll() and Live::poll", "poll(1) takes dead(2)", "lists docs/*.md and trace/src/*.hpp"):
            with self.subTest(comment):
                self.assertEqual(self.found(comment), [])

    def test_what_the_reader_fills_in_or_another_library_has_is_no_name_of_ours(self):
        for comment in ("NAME.cu becomes NAME.ptx", "lessons/NN_slug/lesson.toml", "PART_fuzz.cpp", "<math.h> and <dead.h>",
                        "says \"dead.cpp:7: error\"", "dead.cpp is written by this test"):
            with self.subTest(comment):
                self.assertEqual(self.found(comment, code='write("dead.cpp is written");'), [])

    def test_a_document_is_held_to_its_places_sources_and_patterns_of_sources(self):
        for line, gone in (("see `trace/src/live.cpp`, `live.cpp` and `trace/src/*.cpp`", []), ("`run.html`, `prog.cu`", []),
                           ("`features_GROUP.py`", []), ("`dead.cpp`", ["dead.cpp"]), ("in trace/dead", ["trace/dead"]),
                           ("`trace/src/dead_*.cpp`", ["trace/src/dead_*.cpp"])):
            with self.subTest(line):
                self.assertEqual(names.missing_in_document(line, KNOWN), gone)

    def test_code_and_texts_are_no_comments(self):
        self.assertEqual(names.wrong_with_comments({"app/a.cpp": 'auto a = "// dead.cpp";\n#include "dead.hpp"\n'}, KNOWN), [])


if __name__ == "__main__":
    unittest.main()
