"""In a real run every step of a lesson makes a call, the program holds what it claims, and model and driver agree.
Each exercise's start fails for the reason that its lesson.toml states, and its solution passes.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import lesson_files as files

ROOT = pathlib.Path(sys.argv.pop(1))
DRIVERLAB = pathlib.Path(sys.argv.pop(1))


def driverlab(*arguments, home):
    environment = dict(os.environ, LC_ALL="C.UTF-8", DRIVERLAB_ROOT=str(ROOT), XDG_DATA_HOME=str(home),
                       XDG_CACHE_HOME=str(home))
    environment.pop("DRIVERLAB_DEVICES", None)
    return subprocess.run([DRIVERLAB, *map(str, arguments)], env=environment, capture_output=True, text=True,
                          timeout=120)


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.home = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_each_step_makes_a_call_and_each_claim_holds(self):
        for lesson in files.lessons(ROOT):
            with self.subTest(lesson=lesson.name):
                events = self.home / f"{lesson.name}.jsonl"
                done = driverlab("run", lesson.name, "--driver", "embedded", "--events", events, home=self.home)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                lines = [json.loads(line) for line in events.read_text().splitlines()]
                calls = [line for line in lines if "event" not in line]
                self.assertEqual([c for c in calls if c.get("agree") is not True], [])
                self.assert_every_step_called(lesson, calls)
                self.assert_every_call_has_a_step(lesson, calls, done.stdout)
                self.assertEqual(files.left_behind(calls), {}, "made and never given back")

    def steps_of_places(self, lesson):
        return {(name, number): step for name in files.description(lesson)["sources"]
                for number, step in enumerate(files.steps_of_lines((lesson / name).read_text()), 1)}

    def assert_every_step_called(self, lesson, calls):
        places = self.steps_of_places(lesson)
        reached = {places.get((call["file"], call["line"])) for call in calls}
        self.assertEqual({step for step in places.values() if step} - reached, set(), "steps without a call")

    def assert_every_call_has_a_step(self, lesson, calls, printed):
        """By the rule that code outside of steps belongs to the step that it was called from; and so the lab prints it."""
        places, last, order = self.steps_of_places(lesson), {}, []
        for call in calls:
            if call.get("inside"):
                continue
            step = places.get((call["file"], call["line"])) or last.get(call["thread"], last.get("any"))
            self.assertIsNotNone(step, f"{call['name']}, {call['file']}:{call['line']}")
            if places.get((call["file"], call["line"])):
                last[call["thread"]] = last["any"] = step
            order += [] if order[-1:] == [step] else [step]
        self.assertEqual([line[2:] for line in printed.splitlines() if line.startswith("▸ ")], order)

    def check(self, lesson, file):
        exercise = files.description(lesson)["exercise"]
        folder = self.home / "exercise" / lesson.name / pathlib.Path(file).stem
        (folder / exercise["start"]).parent.mkdir(parents=True)
        shutil.copy(lesson / file, folder / exercise["start"])
        described = files.description(lesson)
        beside = described.get("kernels", []) + [name for library in described.get("library", [])
                                                 for name in (*library["sources"], library["header"])]
        for name in beside:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(lesson / name, folder / name)
        return driverlab("check", lesson.name, "--source", folder, "--lang", "en", home=self.home)

    def assert_fails_with(self, lesson, file, words):
        done = self.check(lesson, file)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        # What the check found, and what the program said itself before it gave up.
        failed = [line for line in done.stdout.splitlines() if line.lstrip().startswith(("✗", "│"))]
        self.assertTrue(any(words in line for line in failed), failed)

    def test_each_solution_passes(self):
        for lesson in files.lessons(ROOT):
            with self.subTest(lesson=lesson.name):
                done = self.check(lesson, files.description(lesson)["exercise"]["solution"])
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertNotIn("✗", done.stdout)

    def test_each_start_fails_for_the_reason_that_is_stated(self):
        for lesson in files.lessons(ROOT):
            with self.subTest(lesson=lesson.name):
                exercise = files.description(lesson)["exercise"]
                self.assert_fails_with(lesson, exercise["start"], exercise["start_fails_with"])

    def test_each_wrong_answer_is_told_why(self):
        for lesson in files.lessons(ROOT):
            for wrong in files.description(lesson)["exercise"].get("wrong", []):
                with self.subTest(lesson=lesson.name, file=wrong["file"]):
                    self.assert_fails_with(lesson, wrong["file"], wrong["fails_with"])


if __name__ == "__main__":
    unittest.main()
