#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""driverlab handout: each lesson on two pages of A4 in each language, with its figures, questions and exercise.

    handout_test.py PROJECT DRIVERLAB
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

PROJECT, PROGRAM = (pathlib.Path(word).resolve() for word in (sys.argv.pop(1), sys.argv.pop(1)))
LESSONS = sorted(path for path in (PROJECT / "lessons").iterdir() if path.name[:2].isdigit())
NOTES = {"en": "notes.md", "zh": "notes.zh.md"}


def shown(page):
    """What a reader sees: no tags, no ticks."""
    return html.unescape(re.sub(r"<[^>]*>", "", page))


def plain(markdown):
    return markdown.replace("`", "")


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
                    words, said = html.unescape(page), shown(page)
                    first, *others = description["exercise"]
                    self.assertIn(first["task"][language], words)
                    for other in others:
                        self.assertIn(other["title"][language], words)
                        self.assertIn(f"driverlab check {lesson.name[:2]} {other['name']}<", words)
                    for question in questions:
                        self.assertIn(plain(question["text"][language]), said)
                        self.assertNotIn(plain([a for a in question["answer"] if a.get("right")][0]["because"][language]), said)
                    self.assertEqual(page.count("<figure>"), len(re.findall(r"^!\[.*\]\(figures/", notes, re.M)))
                    steps = re.findall(r"^<!-- step: .*-->\n## ", notes, re.M)
                    self.assertEqual(page.partition('<ol class="steps">')[2].partition("</ol>")[0].count("<li>"), len(steps))
                    self.assertNotIn("&lt;!--", page)
                    self.assertNotIn("<script", page)

    def test_answers_are_there_for_who_asks(self):
        page = shown(self.write(LESSONS[3], "en", "--answers").read_text())
        for question in tomllib.loads((LESSONS[3] / "questions.toml").read_text())["question"]:
            self.assertIn(plain([a for a in question["answer"] if a.get("right")][0]["because"]["en"]), page)

    def pages_printed(self, browser, file):
        pdf = self.folder / "printed.pdf"
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                        f"--user-data-dir={self.folder}/browser", f"--print-to-pdf={pdf}", file.as_uri()],
                       check=True, capture_output=True, timeout=120)
        return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf.read_bytes()))

    def test_each_takes_two_pages(self):
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed (tools/test installs it)")
        for language in NOTES:
            written = [self.write(lesson, language) for lesson in LESSONS]
            # All in one page, which a browser prints in the time of one lesson.
            head, _, body = written[0].read_text().partition("<body>")
            for path in written[1:]:
                body = body.replace("</body>", path.read_text().partition("<body>")[2].partition("</body>")[0] + "</body>")
            together = self.folder / "all.html"
            together.write_text(head.replace("section:last-child { break-after: auto }", "") + "<body>" + body)
            if self.pages_printed(browser, together) == 2 * len(LESSONS):
                continue
            for path in written:
                with self.subTest(page=path.name):
                    self.assertEqual(self.pages_printed(browser, path), 2)
            self.fail("together they take another number of pages")


if __name__ == "__main__":
    unittest.main()
