# SPDX-License-Identifier: MIT
"""In a real run every step of a lesson makes a call, the program holds what it claims, and model and driver agree.
Each exercise's start fails for the reason that its lesson.toml states, and its solution passes.

    lesson_runs_test.py ROOT DRIVERLAB RUNS [Runs | Exercises | Starts | WrongAnswers]     the events of each run are left in the folder RUNS
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import lesson_files as files

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
DRIVERLAB = pathlib.Path(sys.argv.pop(1))
RUNS = pathlib.Path(sys.argv.pop(1))


def driverlab(command, lesson, *arguments, home):
    return subprocess.run([DRIVERLAB, command, lesson.name, *map(str, arguments)],
                          env=files.environment_for(ROOT, home, lesson), capture_output=True, text=True, timeout=120)


class WithAHome(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = RUNS.with_name(f"{RUNS.name}_{cls.__name__}")
        shutil.rmtree(cls.home, ignore_errors=True)
        cls.home.mkdir(parents=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home)


class Runs(WithAHome):
    def test_each_step_makes_a_call_and_each_claim_holds(self):
        shutil.rmtree(RUNS, ignore_errors=True)
        RUNS.mkdir(parents=True)
        for lesson in files.lessons(ROOT):
            with self.subTest(lesson=lesson.name):
                events = RUNS / f"{lesson.name}.jsonl"
                done = driverlab("run", lesson, "--driver", "embedded", "--events", events, home=self.home)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                lines = [json.loads(line) for line in events.read_text().splitlines()]
                calls = [line for line in lines if "event" not in line]
                self.assertEqual([c for c in calls if c.get("agree") is not True], [])
                self.assert_steps(lesson, [call for call in calls if not call.get("inside")], done.stdout)
                self.assertEqual(files.left_behind(calls), {}, "made and never given back")

    def assert_steps(self, lesson, calls, printed):
        """Every step makes a call, every call has a step, and the lab prints them in that order."""
        steps = files.steps_of_calls(lesson, calls)
        named = {step for name in files.description(lesson)["sources"]
                 for step in files.steps_in_source((lesson / name).read_text(encoding="utf-8"))}
        self.assertEqual(named - set(steps), set(), "steps without a call")
        self.assertNotIn(None, steps)
        order = [step for i, step in enumerate(steps) if i == 0 or step != steps[i - 1]]
        self.assertEqual([line[2:] for line in printed.splitlines() if line.startswith("▸ ")], order)


class Checks(WithAHome):
    def check(self, lesson, exercise, file):
        """driverlab check with this file in place of the student's."""
        folder = self.home / "exercise" / lesson.name / pathlib.Path(file).with_suffix("")
        (folder / exercise["start"]).parent.mkdir(parents=True)
        shutil.copy(lesson / file, folder / exercise["start"])
        described = files.description(lesson)
        beside = described.get("kernels", []) + [name for library in described.get("library", [])
                                                 for name in (*library["sources"], library["header"])]
        for name in beside:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(lesson / name, folder / name)
        return driverlab("check", lesson, exercise["name"], "--source", folder, "--lang", "en", home=self.home)

    def check_all(self, files_of, verify):
        """Checks each file that files_of(exercise) names, as many at once as there are processors; verify(exercise,
        file, done) says what is wrong."""
        jobs = [(lesson, exercise, file) for lesson in files.lessons(ROOT) for exercise in files.exercises(lesson)
                for file in files_of(exercise)]
        self.assertTrue(jobs)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (lesson, exercise, file), done in zip(jobs, pool.map(lambda job: self.check(*job), jobs)):
                with self.subTest(lesson=lesson.name, file=file):
                    verify(exercise, file, done)

    def assert_fails_with(self, done, words):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        # What the check found, and what the program said itself before it gave up.
        failed = [line for line in done.stdout.splitlines() if line.lstrip().startswith(("✗", "│"))]
        self.assertTrue(any(words in line for line in failed), failed)


class Exercises(Checks):
    def test_each_solution_passes(self):
        def verify(_exercise, _file, done):
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertNotIn("✗", done.stdout)
        self.check_all(lambda exercise: [exercise["solution"]], verify)


class Starts(Checks):
    def test_each_start_fails_for_the_reason_that_is_stated(self):
        self.check_all(lambda exercise: [exercise["start"]],
                       lambda exercise, _, done: self.assert_fails_with(done, exercise["start_fails_with"]))


class WrongAnswers(Checks):
    def test_each_wrong_answer_is_told_why(self):
        def verify(exercise, file, done):
            self.assert_fails_with(done, next(w["fails_with"] for w in exercise["wrong"] if w["file"] == file))
        self.check_all(lambda exercise: [wrong["file"] for wrong in exercise.get("wrong", [])], verify)


if __name__ == "__main__":
    unittest.main()
