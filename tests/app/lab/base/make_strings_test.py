# SPDX-License-Identifier: MIT
"""tools/make_strings.py: what it makes, and every mistake that must stop a build, each by file, line and key."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[4] / "tools" / "make_strings.py"


class MakeStrings(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def run_on(self, *texts, used=None):
        files = []
        for number, text in enumerate(texts):
            file = self.path / f"area{number}.toml"
            file.write_text(text, encoding="utf-8")
            files.append(str(file))
        extra = []
        if used is not None:
            (self.path / "code").mkdir()
            (self.path / "code" / "a.cpp").write_text(used)
            extra = ["--check-used", str(self.path / "code"), "--"]
        self.keys, self.table = self.path / "keys.hpp", self.path / "table.cpp"
        command = [sys.executable, str(TOOL), "--keys", str(self.keys), "--table", str(self.table)]
        return subprocess.run(command + extra + files, capture_output=True, text=True)

    def assert_stops(self, *texts, saying):
        run = self.run_on(*texts)
        self.assertEqual(run.returncode, 1)
        self.assertIn(saying, run.stderr)
        self.assertFalse(self.keys.exists())

    def test_keys_become_enumerators_and_both_texts_rows(self):
        run = self.run_on('[lesson_unknown]\nen = "no “{0}” \\"x\\"\\n"\nzh = "没有“{0}”"\n')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("LessonUnknown,", self.keys.read_text())
        self.assertIn('"no “{0}” \\"x\\"\\n"', self.table.read_text())

    def test_a_missing_language_names_file_line_and_key(self):
        self.assert_stops('\n[a_key]\nen = "text"\n', saying="area0.toml:2: a_key: zh is missing")

    def test_an_empty_text_stops(self):
        self.assert_stops('[a]\nen = " "\nzh = "文"\n', saying="area0.toml:1: a: en is empty")

    def test_different_placeholders_stop(self):
        self.assert_stops('[a]\nen = "{0} {1}"\nzh = "文 {0}"\n', saying="a: placeholders differ")

    def test_a_gap_in_the_placeholders_stops(self):
        self.assert_stops('[a]\nen = "{1}"\nzh = "文 {1}"\n', saying="not numbered 0, 1")

    def test_other_order_of_placeholders_is_fine(self):
        self.assertEqual(self.run_on('[a]\nen = "{0} {1}"\nzh = "{1} 文 {0}"\n').returncode, 0)

    def test_a_key_in_two_files_stops_and_names_both(self):
        entry = '[a]\nen = "x"\nzh = "文"\n'
        self.assert_stops(entry, entry, saying="area1.toml:1: a: already in")

    def test_two_keys_with_one_enumerator_stop(self):
        self.assert_stops('[a_1b]\nen="x"\nzh="文"\n[A]\nen="x"\nzh="文"\n', saying="a key is snake_case")

    def test_a_key_twice_in_one_file_stops_with_its_line(self):
        self.assert_stops('[a]\nen = "x"\nzh = "文"\n[a]\nen = "x"\nzh = "文"\n', saying="area0.toml:4")

    def test_an_unknown_field_stops(self):
        self.assert_stops('[a]\nen = "x"\nzh = "文"\nfr = "y"\n', saying="unknown field fr")

    def test_chinese_without_chinese_stops_unless_it_is_meant(self):
        self.assert_stops('[a]\nen = "CPU"\nzh = "CPU"\n', saying="no Chinese character")
        self.assertEqual(self.run_on('[a]\nen = "CPU"\nzh = "CPU"\nsame = true\n').returncode, 0)

    def test_no_sentences_at_all_stop(self):
        self.assert_stops("", saying="no sentences")

    def test_a_key_that_no_code_uses_is_named(self):
        entry = '[a_b]\nen = "x"\nzh = "文"\n[c]\nen = "x"\nzh = "文"\n'
        run = self.run_on(entry, used="f(Text::AB);")
        self.assertEqual(run.returncode, 1)
        self.assertIn("c: no code uses Text::C", run.stderr)
        self.assertNotIn("a_b", run.stderr)


if __name__ == "__main__":
    unittest.main()
