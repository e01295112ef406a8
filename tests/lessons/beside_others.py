#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lessons hold what they claim on a GPU that others use: runs them several at a time, beside a program that allocates and
frees device memory all the time. Each run has to end with status 0 and to make the calls of its recording.

    beside_others.py DRIVERLAB NEIGHBOUR [--driver real] [--devices 2] [--rounds 10] [--at-once 8] [LESSON…]

NEIGHBOUR is neighbour.cpp, compiled with the headers and libcuda of the driver that is tried. Lessons are named by their
folders, all without a name. With the embedded driver each process has devices of its own: that shows only that this
script works.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent / "recordings")]
import compare_recordings  # noqa: E402  (found only after the path is set)
import lesson_files  # noqa: E402

RECORDINGS = ROOT / "assets" / "recordings"


def recording_of(lesson, devices):
    """With one GPU some lessons do something else than with two."""
    with_one = RECORDINGS / f"h200x1_{lesson.name}.dlrec"
    if devices == 1 and with_one.exists():
        return with_one
    h200 = RECORDINGS / f"h200_{lesson.name}.dlrec"
    return h200 if h200.exists() else RECORDINGS / f"h100_{lesson.name}.dlrec"


class Lesson:
    def __init__(self, folder, driverlab, driver):
        self.folder, self.driverlab, self.driver = folder, driverlab, driver
        self.files = {path.name for path in folder.rglob("*")} | compare_recordings.HEADERS
        self.kernels = compare_recordings.lines_of_kernels(folder)
        self.expected = None

    def calls(self, events):
        return compare_recordings.calls(events, self.files, self.kernels)

    def run(self, scratch):
        """What is wrong, in a sentence; nothing if all is well."""
        events = pathlib.Path(tempfile.mkdtemp(dir=scratch), "events.jsonl")
        done = subprocess.run([self.driverlab, "run", self.folder.name, "--driver", self.driver, "--lang", "en", "--events", events],
                              capture_output=True, text=True, env=lesson_files.environment_for(ROOT, scratch), timeout=300)
        if done.returncode != 0:
            return f"ended with status {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        if self.expected is None:
            recording = recording_of(self.folder, ARGUMENTS.devices)
            if not recording.exists():
                return f"no recording {recording.name}"
            self.expected = self.calls(compare_recordings.replayed(self.driverlab, recording))
        found = self.calls(lines)
        for number, (a, b) in enumerate(zip(self.expected, found), 1):
            if a != b:
                return f"call {number} differs: recorded {a}, now {b}"
        return "" if len(found) == len(self.expected) else f"{len(found)} calls, recorded {len(self.expected)}"


def main():
    lessons = [Lesson(folder, ARGUMENTS.driverlab, ARGUMENTS.driver) for folder in lesson_files.lessons(ROOT)
               if not ARGUMENTS.lessons or folder.name in ARGUMENTS.lessons]
    neighbour = subprocess.Popen([ARGUMENTS.neighbour], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if neighbour.stdout.readline() != "begun\n":
        sys.exit(f"{ARGUMENTS.neighbour} cannot allocate")
    runs, wrong = 0, 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(ARGUMENTS.at_once) as pool:
        for number in range(1, ARGUMENTS.rounds + 1):
            for lesson, fault in zip(lessons, pool.map(lambda lesson: lesson.run(scratch), lessons)):
                runs += 1
                if fault:
                    wrong += 1
                    print(f"round {number}, {lesson.folder.name}: {fault}", flush=True)
    neighbours, _ = neighbour.communicate()
    print(f"{runs} runs of {len(lessons)} lessons, {ARGUMENTS.at_once} at a time; beside them {neighbours.strip()}; {wrong} wrong")
    return 1 if wrong or neighbour.returncode else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("driverlab", type=pathlib.Path)
    parser.add_argument("neighbour", type=pathlib.Path)
    parser.add_argument("--driver", default="real")
    parser.add_argument("--devices", type=int, default=2, help="as many as there are")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("lessons", nargs="*")
    ARGUMENTS = parser.parse_intermixed_args()
    sys.exit(main())
