#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plan for a teacher: every lesson once, sessions of 90 minutes, texts in plain words, and docs/generated/teaching.md as the
lab prints it.

    teaching_test.py PROJECT DRIVERLAB
"""
import pathlib
import re
import subprocess
import sys
import tomllib
import unittest

import lesson_files as files
import plain_words

PROJECT, PROGRAM = (pathlib.Path(word).resolve() for word in (sys.argv.pop(1), sys.argv.pop(1)))
LESSONS = sorted(path for path in (PROJECT / "lessons").iterdir() if path.name[:2].isdigit())
LONGEST = 240


def pairs(value, name=""):
    """Each text in both languages, with the name of its key."""
    if isinstance(value, dict):
        if set(value) == {"en", "zh"}:
            yield name, value
        else:
            for key, inner in value.items():
                yield from pairs(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from pairs(inner, name)


def without_names(text):
    return re.sub(r"[A-Za-z_][\w.:()*&<>]*", "□", text)


def quoted_steps(words):
    """What stands in quotes as the name of a step, or of two."""
    return {name for found in re.findall(r'\bsteps? ("[^"]+"(?: and "[^"]+")?)|(“[^”]+”(?:和“[^”]+”)?) ?(?:[这那]一|两)步', words)
            for name in re.findall(r'["“]([^"”]+)["”]', "".join(found))}


class Plan(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sessions = tomllib.loads((PROJECT / "lessons/sessions.toml").read_text())["session"]
        cls.notes = {lesson: tomllib.loads((lesson / "teaching.toml").read_text()) for lesson in LESSONS}

    def test_every_lesson_is_taught_once(self):
        taught = sorted(number for session in self.sessions for number in session["lessons"])
        self.assertEqual(taught, [lesson.name[:2] for lesson in LESSONS])

    def test_sixteen_sessions_take_90_minutes_each(self):
        self.assertEqual([sum(part["minutes"] for part in session["part"]) for session in self.sessions], [90] * 16)

    def test_every_lesson_has_something_to_show_and_two_questions_with_what_people_answer(self):
        for lesson, notes in self.notes.items():
            with self.subTest(lesson=lesson.name):
                self.assertGreaterEqual(len(notes["show"]), 2)
                self.assertEqual(len(notes["ask"]), 2)
                self.assertTrue(all(ask["wrong"] for ask in notes["ask"]))

    def test_texts_are_short_and_plain_in_both_languages(self):
        for place, data in [("sessions.toml", self.sessions), *((lesson.name, notes) for lesson, notes in self.notes.items())]:
            for name, text in pairs(data):
                with self.subTest(place=place, name=name, text=text["en"][:40]):
                    self.assertLessEqual(max(map(len, text.values())), LONGEST)
                    for language in text:
                        self.assertEqual(list(plain_words.riddles(language, text[language])), [])
                    self.assertEqual(list(files.half_width_mistakes(text["zh"])), [])
                    self.assertEqual(files.avoided_words(PROJECT, without_names(text["zh"])), [])
                    self.assertEqual(files.code_words(text["en"]), files.code_words(text["zh"]))

    def test_a_step_is_called_by_its_heading_in_the_notes(self):
        notes = {language: [(lesson / name).read_text() for lesson in LESSONS]
                 for language, name in (("en", "notes.md"), ("zh", "notes.zh.md"))}
        steps = {step for text in notes["en"] for step in files.steps_in_notes(text)}
        headings = {language: set(re.findall(r"^## (.+)$", "\n".join(texts), re.M)) for language, texts in notes.items()}
        for name, text in pairs([self.sessions, *self.notes.values()]):
            for language, words in text.items():
                with self.subTest(name=name, text=words):
                    self.assertEqual(files.steps_by_name(words, sorted(steps)), [])
                    self.assertEqual(quoted_steps(words) - headings[language], set())

    def test_the_pages_are_what_the_lab_prints(self):
        for language, page in (("en", "docs/generated/teaching.md"), ("zh", "docs/generated/teaching.zh.md")):
            done = subprocess.run([PROGRAM, "teach", "--lang", language], capture_output=True, text=True, check=True)
            self.assertEqual((PROJECT / page).read_text(), done.stdout,
                             f"stale: run build/driverlab teach --lang {language} > {page}")

    def test_one_session_can_be_printed(self):
        done = subprocess.run([PROGRAM, "teach", "3"], capture_output=True, text=True, check=True)
        self.assertTrue(done.stdout.startswith("## Session 3: "), done.stdout[:80])
        self.assertEqual(done.stdout.count("\n## "), 0)

    def test_a_session_that_is_not_there_is_named(self):
        for word in ("17", "0", "last"):
            for language, said in (("en", "1 to 16"), ("zh", "16 次课")):
                done = subprocess.run([PROGRAM, "teach", word, "--lang", language], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(word, done.stderr)
                self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
