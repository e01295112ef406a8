#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the lab is for, in one test: lesson 05 on the embedded driver gives the stacks that a real driver gives.

Usage: goal_test.py DRIVERLAB. It checks only the lines of --events, and does not depend on how they are made.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from home import environment_at

DRIVERLAB = pathlib.Path(sys.argv.pop(1)).resolve()
CHANGING = {"cuCtxCreate", "cuCtxDestroy", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxSetCurrent"}


class Goal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="driverlab_goal_")
        home = pathlib.Path(cls.folder.name)
        environment = environment_at(home)
        cls.events = home / "e.jsonl"
        cls.finished = subprocess.run(
            [DRIVERLAB, "run", "05", "--driver", "embedded", "--events", cls.events],
            env=environment, capture_output=True, text=True, timeout=120)
        cls.lines = [json.loads(line) for line in cls.events.read_text("utf-8").splitlines()]
        cls.calls = [line for line in cls.lines if "event" not in line]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_lesson_ends_well(self):
        self.assertEqual(self.finished.returncode, 0, self.finished.stdout + self.finished.stderr)

    def test_the_first_four_stacks_are_those_of_a_real_driver(self):
        changing = [(call["name"], call["stack"]) for call in self.calls if call["name"] in CHANGING]
        self.assertEqual(changing[:4], [
            ("cuCtxCreate", ["A"]),
            ("cuCtxCreate", ["A", "B"]),
            ("cuCtxPushCurrent", ["A", "B", "A"]),
            ("cuCtxPopCurrent", ["A", "B"]),
        ])

    def test_model_and_driver_agree_after_every_call(self):
        self.assertGreater(len(self.calls), 30)
        for call in self.calls:
            self.assertIs(call["agree"], True, call)
            if call["name"] in CHANGING and call["result"] == "CUDA_SUCCESS":
                self.assertEqual(call["current"], call["stack"][-1] if call["stack"] else None, call)

    def test_every_call_knows_its_line(self):
        source = (pathlib.Path(__file__).parents[3] / "lessons/05_context_stack/main.cpp").read_text("utf-8")
        text = source.splitlines()
        for call in self.calls:
            self.assertEqual(call["file"], "main.cpp", call)
            short = "create_context" if call["name"] == "cuCtxCreate" else call["name"]
            self.assertIn(short, text[call["line"] - 1], call)

    def test_positions_have_no_gaps_and_the_end_is_written_down(self):
        self.assertEqual([line["seq"] for line in self.lines], list(range(len(self.lines))))
        self.assertEqual(self.lines[-1]["event"], "process_end")
        self.assertEqual((self.lines[-1]["end"], self.lines[-1]["number"]), ("exit", 0))


if __name__ == "__main__":
    unittest.main()
