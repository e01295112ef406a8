#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""driverlab handout: each lesson on two pages of A4 in each language, with its figures, questions and exercise.

    handout_test.py PROJECT DRIVERLAB [--all]

A browser prints the longest and the shortest notes of each language; with --all those of every lesson.
"""
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
PROJECT, PROGRAM = (pathlib.Path(word).resolve() for word in (sys.argv.pop(1), sys.argv.pop(1)))
LESSONS = sorted(path for path in (PROJECT / "lessons").iterdir() if path.name[:2].isdigit())
NOTES = {"en": "notes.md", "zh": "notes.zh.md"}


class Handout(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, lesson, language, *options):
        path = self.folder / f"{lesson.name}.{language}.html"
        done = subprocess.run([PROGRAM, "handout", lesson.name, path, "--lang", language, *options],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(str(path), done.stdout)
        return path

    def test_it_has_what_the_lesson_has(self):
        for lesson in LESSONS:
            description = tomllib.loads((lesson / "lesson.toml").read_text())
            questions = tomllib.loads((lesson / "questions.toml").read_text())["question"]
            for language, name in NOTES.items():
                with self.subTest(lesson=lesson.name, language=language):
                    notes = (lesson / name).read_text()
                    page = self.write(lesson, language).read_text()
                    words = html.unescape(page)
                    self.assertIn(description["exercise"]["task"][language], words)
                    for question in questions:
                        self.assertIn(question["text"][language], words)
                        self.assertNotIn([a for a in question["answer"] if a.get("right")][0]["because"][language], words)
                    self.assertEqual(page.count("<figure>"), len(re.findall(r"^!\[.*\]\(figures/", notes, re.M)))
                    steps = re.findall(r"^<!-- step: .*-->\n## ", notes, re.M)
                    self.assertEqual(page.partition('<ol class="steps">')[2].partition("</ol>")[0].count("<li>"), len(steps))
                    self.assertNotIn("&lt;!--", page)
                    self.assertNotIn("<script", page)

    def test_answers_are_there_for_who_asks(self):
        page = html.unescape(self.write(LESSONS[3], "en", "--answers").read_text())
        for question in tomllib.loads((LESSONS[3] / "questions.toml").read_text())["question"]:
            self.assertIn([a for a in question["answer"] if a.get("right")][0]["because"]["en"], page)

    def test_it_takes_two_pages(self):
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed (tools/test installs it)")
        for language, name in NOTES.items():
            by_length = sorted(LESSONS, key=lambda lesson, name=name: len((lesson / name).read_text().partition("<!-- step:")[0]))
            for lesson in LESSONS if ALL else (by_length[0], by_length[-1]):
                with self.subTest(lesson=lesson.name, language=language):
                    pdf = self.folder / "page.pdf"
                    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                                    f"--user-data-dir={self.folder}/browser", f"--print-to-pdf={pdf}",
                                    self.write(lesson, language).as_uri()],
                                   check=True, capture_output=True, timeout=120)
                    self.assertEqual(len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf.read_bytes())), 2)


if __name__ == "__main__":
    unittest.main()
