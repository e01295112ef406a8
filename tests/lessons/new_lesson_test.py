# SPDX-License-Identifier: MIT
"""tools/new-lesson: what it stamps passes the tests of lessons at once, and it never writes over anything."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
DRIVERLAB = pathlib.Path(sys.argv.pop(1))
TESTS = ROOT / "tests" / "lessons"


class NewLesson(unittest.TestCase):
    def setUp(self):
        """A root of its own, in which everything but the lessons is the real one."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for entry in ROOT.iterdir():
            if entry.name not in ("lessons", ".git"):
                (self.root / entry.name).symlink_to(entry)
        self.lessons = self.root / "lessons"
        self.lessons.mkdir()
        for name in ("_template", "check.hpp", "parts.toml"):
            (self.lessons / name).symlink_to(ROOT / "lessons" / name)

    def stamp(self, *arguments):
        return subprocess.run([ROOT / "tools" / "new-lesson", *arguments, self.lessons], capture_output=True, text=True,
                              env=dict(os.environ, LC_ALL="C.UTF-8"))

    def names(self):
        return sorted(p.name for p in self.lessons.iterdir() if p.name[0].isdigit() or p.name[0] == ".")

    def test_what_it_stamps_passes_the_tests_at_once(self):
        done = self.stamp("23", "my_topic")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.names(), ["23_my_topic"])
        text = (self.lessons / "23_my_topic" / "main.cpp").read_text()
        self.assertIn("Lesson 23", text)
        for test, more in (("lesson_texts_test.py", []), ("lesson_runs_test.py", [DRIVERLAB, self.root / "runs"]),
                           ("lesson_edits_test.py", [DRIVERLAB, self.root / "edits"])):
            done = subprocess.run([sys.executable, TESTS / test, self.root, *more], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_number_that_is_taken_is_refused_and_nothing_is_touched(self):
        self.assertEqual(self.stamp("7", "first").returncode, 0)
        source = self.lessons / "07_first" / "main.cpp"
        source.write_text("mine")
        done = self.stamp("07", "second")
        self.assertEqual(done.returncode, 1)
        self.assertIn("07_first", done.stderr)
        self.assertEqual(self.names(), ["07_first"])
        self.assertEqual(source.read_text(), "mine")

    def test_names_that_are_no_folder_are_refused(self):
        for arguments in (("x", "topic"), ("123", "topic"), ("23", "../up"), ("23", "My Topic"), ("23", "")):
            self.assertEqual(self.stamp(*arguments).returncode, 1, arguments)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
