# SPDX-License-Identifier: MIT
"""tools/test runs once more, one at a time, what failed beside other tests, says so, and fails where it fails again or
if too many failed. Tested with a replacement for ctest.

    tests_again_test.py PROJECT
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv.pop(1))
# FAILS: the names of the tests that fail at first, a line each; AGAIN: the status of the second attempt.
CTEST = """
kept=$2/Testing/Temporary; mkdir -p "$kept"; echo "$*" >>"$2/asked"
case "$*" in *" -R ^("*) exit "$AGAIN" ;; esac
[ -n "$FAILS" ] || exit 0
echo "$FAILS" | sed 's/^/7:/' >"$kept/LastTestsFailed.log"
exit 8
"""


class FailedTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        shutil.copytree(PROJECT / "tools", self.here / "tools")
        (self.here / "bin").mkdir()
        for name, text in (("ctest", CTEST), ("cmake", "exit 0"), ("dpkg-query", "echo installed"), ("apt-get", "exit 1")):
            path = self.here / "bin" / name
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)

    def run_tools_test(self, fails, again=0):
        environment = dict(os.environ, PATH=f"{self.here}/bin:{os.environ['PATH']}", LC_ALL="C", FAILS="\n".join(fails), AGAIN=str(again))
        done = subprocess.run([self.here / "tools/test", "start"], capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout + done.stderr, (self.here / "build/asked").read_text().splitlines()

    def test_what_passes_is_run_once(self):
        status, said, asked = self.run_tools_test([])
        self.assertEqual((status, len(asked)), (0, 1), said)
        self.assertNotIn("Once more", said)

    def test_what_passes_alone_is_named_in_the_last_line(self):
        status, said, asked = self.run_tools_test(["window", "server"])
        self.assertEqual((status, len(asked)), (0, 2), said)
        self.assertNotIn(" -j", asked[1])
        self.assertIn(" --no-tests=error -R ^(window|server)( |$)", asked[1])
        self.assertRegex(said.splitlines()[-1], "Passed only when run alone.*window server")

    def test_a_name_is_asked_for_as_it_is_and_without_its_parameter(self):
        _, said, asked = self.run_tools_test(['Each/Text.fits/3  # GetParam() = 0x5f "a"'])
        self.assertIn(" -R ^(Each/Text\\.fits/3)( |$)", asked[1], said)

    def test_what_fails_again_fails(self):
        status, said, _ = self.run_tools_test(["window"], again=8)
        self.assertEqual(status, 1, said)
        self.assertIn("tests failed; the log is", said)

    def test_many_failures_are_no_matter_of_time(self):
        status, said, asked = self.run_tools_test(list("abcdef"))
        self.assertEqual((status, len(asked)), (1, 1), said)


if __name__ == "__main__":
    unittest.main()
