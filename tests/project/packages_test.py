# SPDX-License-Identifier: MIT
"""tools/lab and tools/test install packages: as root without sudo, as a user with it. If there is no sudo or it refuses,
they print what an administrator has to run. Tested with replacements for these commands; nothing is installed.

    packages_test.py PROJECT
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv.pop(1))
SCRIPT = '. "$1/tools/common.sh"; logs=$2; need_packages there missing'


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        (self.here / "bin").mkdir()
        for name in ("sh", "env", "dirname", "nproc", "grep", "printf", "mkdir", "tr", "cut", "date", "sleep", "tail", "cat"):
            (self.here / "bin" / name).symlink_to(shutil.which(name))
        self.program("dpkg-query", 'case "$*" in *there) echo installed ;; *) exit 1 ;; esac')
        self.program("apt-get", f'echo "apt-get $*" >>{self.here}/done')

    def program(self, name, text):
        path = self.here / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def need(self, user, language="C"):
        self.program("id", f"echo {user}")
        done = subprocess.run(["sh", "-c", SCRIPT, f"{PROJECT}/tools/lab", PROJECT, self.here / "logs"], capture_output=True,
                              text=True, env={"PATH": str(self.here / "bin"), "LC_ALL": language})
        installed = self.here / "done"
        return done.returncode, done.stdout + done.stderr, installed.read_text() if installed.exists() else ""

    def test_root_needs_no_sudo(self):
        status, said, done = self.need(0)
        self.assertEqual(status, 0, said)
        self.assertIn("install -y -q --no-install-recommends missing", done)
        self.assertNotIn("there", done.replace("missing", ""))

    def test_a_user_has_sudo(self):
        self.program("sudo", f'echo "sudo $*" >>{self.here}/done; [ "$1" = -v ] || "$@"')
        status, said, done = self.need(1000)
        self.assertEqual(status, 0, said)
        self.assertIn("sudo asks for your password", said)
        self.assertIn("apt-get install", done)

    def test_without_sudo_an_administrator_is_told_what_to_run(self):
        status, said, done = self.need(1000)
        self.assertEqual((status, done), (1, ""), said)
        self.assertIn("Ask an administrator to run: apt-get install missing", said)
        self.assertRegex(self.need(1000, "zh_CN.UTF-8")[1], "请管理员执行. ?apt-get install missing")

    def test_a_sudo_that_refuses_is_the_same(self):
        self.program("sudo", "exit 1")
        status, said, done = self.need(1000)
        self.assertEqual((status, done), (1, ""), said)
        self.assertIn("Ask an administrator to run: apt-get install missing", said)

    def test_nothing_is_asked_where_nothing_is_missing(self):
        self.program("dpkg-query", "echo installed")
        status, said, done = self.need(1000)
        self.assertEqual((status, done), (0, ""), said)
        self.assertIn("all there", said)


if __name__ == "__main__":
    unittest.main()
