#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever call fails in the process that runs kernels, the program gets its results or one of the API's errors.

    runner_test.py BUILD FAIL_NTH PROGRAM [--all [--share K/N]] [-v]

libfail_nth.so makes the N-th allocation, mapping or wait of driverlab-runner fail, where kernels come from the cache, are
compiled and are interpreted; and lets it have no more than 200 mappings. Without --all: a sample.
"""
import argparse
import contextlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

HOW = {"memory": ["12", "12+"], "map": ["12", "12+"], "wait": ["11", "4+"]}
SECONDS = 30
FIRST, SAMPLE = 3, 3  # without --all
MAPPINGS = 200
RUNNER = """#!/bin/sh
export LD_PRELOAD='{fail_nth}' FAIL_PROGRAM=driverlab-runner FAIL_KIND={kind} FAIL_AT={at} FAIL_HOW={how} FAIL_SAID='{said}'
exec '{runner}' "$@"
"""


@contextlib.contextmanager
def one_core():
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


class Runner(unittest.TestCase):
    errors = "OUT_OF_MEMORY|OPERATING_SYSTEM"

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.said, self.runner = self.folder / "said", self.folder / "runner"
        self.random = random.Random(7)

    def run_it(self, *words, kind="none", at=0, how="12", **variables):
        """The run, and whether a call failed in it."""
        self.said.unlink(missing_ok=True)
        self.runner.write_text(RUNNER.format(fail_nth=OPTIONS.fail_nth, kind=kind, at=at, how=how, said=self.said,
                                             runner=OPTIONS.build / "embedded/libexec/driverlab-runner"))
        self.runner.chmod(0o700)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("DRIVERLAB_", "CUDA_", "FAIL_"))}
        environment.update(DRIVERLAB_RUNNER=str(self.runner), CUDA_CACHE_PATH=str(self.folder / "cache"), **variables)
        done = subprocess.run([OPTIONS.program, *map(str, words)], capture_output=True, text=True, env=environment,
                              timeout=SECONDS, stdin=subprocess.DEVNULL, check=False)
        self.assertNotIn("terminate called", done.stderr)
        return done, self.said.exists()

    def is_right(self, done):
        """All of it, or an error that says what was missing."""
        if done.returncode == 0:
            self.assertEqual(done.stdout.splitlines()[-1], "right")
        else:
            self.assertEqual(done.returncode, 3, done)
            self.assertRegex(done.stdout.splitlines()[-1], f"CUDA_ERROR_({self.errors})$")

    def fails(self, kind, how, **variables):
        def reached(at):
            with self.subTest(kind=kind, how=how, at=at, **variables):
                done, failed = self.run_it("works", kind=kind, at=at, how=how, **variables)
                self.is_right(done)
                return failed
            return False
        if OPTIONS.all:
            at = 1 + OPTIONS.share[0]
            while reached(at):
                at += OPTIONS.share[1]
            return
        first = 1
        while first <= FIRST and reached(first):
            first += 1
        if first <= FIRST:
            return
        # How many there are is not known beforehand: the process is ended, and differs from run to run.
        last = 2 * FIRST
        while reached(last):
            last *= 2
        for at in sorted(self.random.sample(range(FIRST + 1, last), min(SAMPLE, last - FIRST - 1))):
            reached(at)

    def hold(self, kinds=tuple(HOW), **variables):
        done, _ = self.run_it("works", **variables)
        self.assertEqual(done.stdout.splitlines()[-1], "right", done)
        for kind in kinds:
            for how in HOW[kind]:
                self.fails(kind, how, **variables)

    def test_kernels_of_the_cache(self):
        self.hold()

    def test_kernels_that_are_compiled(self):
        # Where no memory at all is left, the system's loader ends the process by itself, and nobody knows why.
        self.errors += "|LAUNCH_FAILED"
        self.hold(kinds=("memory", "map"), CUDA_CACHE_DISABLE="1")

    def test_a_compiler_that_had_no_memory_is_not_asked_again(self):
        # While it registers its passes it holds a lock, and keeps it where memory ends there.
        self.errors += "|LAUNCH_FAILED"
        for at in range(2000, 4000, 100):
            with self.subTest(at=at):
                done, _ = self.run_it("works", kind="memory", at=at, CUDA_CACHE_DISABLE="1")
                self.is_right(done)

    def test_kernels_that_are_interpreted(self):
        self.hold(kinds=("memory",), DRIVERLAB_KERNELS="interpreted")

    def test_modules_come_and_go_without_end_within_a_limit_of_mappings(self):
        done, failed = self.run_it("modules", 3 * MAPPINGS, kind="mappings", at=MAPPINGS)
        self.assertEqual(done.stdout, "right\n", done)
        self.assertFalse(failed, "the code of modules that are gone is still mapped")

    def test_modules_beyond_the_limit_of_mappings_are_interpreted(self):
        self.enterContext(one_core())  # each worker maps memory of its own, how much differs from run to run
        done, failed = self.run_it("held", MAPPINGS + 50, kind="mappings", at=MAPPINGS)
        self.assertEqual(done.stdout, "right\n", done)
        self.assertTrue(failed)

    def test_memory_beyond_the_limit_of_mappings_is_out_of_memory_for_the_kernel_that_uses_it(self):
        self.enterContext(one_core())  # and so one worker
        done, failed = self.run_it("memory", MAPPINGS + 20, kind="mappings", at=MAPPINGS)
        self.assertEqual(done.stdout, "right\n", done)
        self.assertTrue(failed)
        done, _ = self.run_it("memory", MAPPINGS + 20, "last", kind="mappings", at=MAPPINGS)
        self.assertEqual(done.returncode, 3, done)
        self.assertRegex(done.stdout, "CUDA_ERROR_OUT_OF_MEMORY\n$")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for place in ("build", "fail_nth", "program"):
        parser.add_argument(place, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--share", type=lambda text: [int(number) for number in text.split("/")], default=[0, 1])
    OPTIONS, REST = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *REST])
