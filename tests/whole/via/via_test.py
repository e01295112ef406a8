#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--via over a real sshd on loopback and a real Slurm of one node: the same run as here, nothing left behind there,
and a connection that breaks keeps what arrived.

    via_test.py PROJECT DRIVERLAB Ssh|Slurm      exit status 77: this machine cannot have one, and why
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import cluster

PROJECT, DRIVERLAB = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
TOOLKIT = DRIVERLAB.parent / "embedded"
VARY = ("t_ns", "dur_ns", "pid")
ENDLESS = """#include <cuda.h>
#include <cstdio>
#include <unistd.h>
int main() {
  cuInit(0);
  int count = 0;
  for (int i = 0;; ++i) {
    cuDeviceGetCount(&count);
    if (i == 50) std::printf("here\\n"), std::fflush(stdout);
    usleep(2000);
  }
}
"""


def events(text):
    """Without what differs from run to run: times, addresses, what the machine did besides, and in how many pieces the
    lines that are written between two calls are seen."""
    kept = []
    for line in text.splitlines():
        event = json.loads(line)
        if event.get("event") in ("module_mapped", "process_start", "thread_start", "thread_end"):
            continue
        for name in (*VARY, "seq"):
            event.pop(name, None)
        for values in (event.get("args", {}), event.get("out", {})):
            for name, value in values.items():
                if name in ("free", "total") or isinstance(value, str) and ("0x" in value or "/" in value):
                    values[name] = "varies"
        before = kept[-1] if kept else {}
        if event.get("event") == "output" and event == before | {"text": event["text"]}:
            before["text"] += event["text"]
        else:
            kept.append(event)
    return kept


def eventually(condition):
    until = time.monotonic() + cluster.PATIENCE
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def children(process):
    """Every process below this one, by the numbers in /proc."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            pass
    found = {process}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


def with_command(*words):
    """Process ids whose command line holds all of these."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if all(word in line for word in words):
            found.append(int(folder.name))
    return found


class Via(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        # What the test before has left to end may take until silence is noticed.
        self.assertTrue(eventually(lambda: self.servers() == ([], [])), "somebody still serves")

    def tearDown(self):
        self.temporary.cleanup()

    def lab(self, *arguments, **options):
        return subprocess.run([DRIVERLAB, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, **options)

    def assert_nothing_is_left(self):
        left = lambda: list(SIDE.scratch.iterdir())
        self.assertTrue(eventually(lambda: not left()), f"left there: {left()}")

    def endless(self):
        source, program = self.folder / "endless.cpp", self.folder / ("endless_" + self.folder.name)
        source.write_text(ENDLESS)
        subprocess.run(["g++", "-g", "-I", TOOLKIT / "include", source, "-o", program, "-L", TOOLKIT / "lib", "-lcuda"],
                       check=True)
        return program

    def start_endless(self):
        """driverlab tracing a program without end over there, once it is well under way: the process, the program's
        name, where its recording goes."""
        program, recording = self.endless(), self.folder / "cut.dlrec"
        lab = subprocess.Popen([DRIVERLAB, "trace", "--driver", "embedded", "--via", SIDE.launcher, "--lang", "en", "--record", recording,
                                "--events", self.folder / "events", "--", program], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lab.stderr.close)
        self.addCleanup(lab.wait)
        self.addCleanup(lab.kill)
        written = self.folder / "events"
        self.assertTrue(eventually(lambda: written.exists() and '"here' in written.read_text()), "the program does not start")
        return lab, program.name, recording

    def test_a_lesson_runs_there_as_it_does_here(self):
        for lesson in ("05", "08"):
            here = self.lab("run", lesson, "--driver", "embedded", "--events", "-")
            there = self.lab("run", lesson, "--driver", "embedded", "--events", "-", "--via", SIDE.launcher)
            self.assertEqual(there.returncode, 0, there.stderr)
            self.assertEqual(events(there.stdout), events(here.stdout))
            self.assertGreater(len(events(here.stdout)), 20)
            self.assert_nothing_is_left()

    def test_the_exit_status_comes_back(self):
        program = self.folder / "seven"
        program.write_text("#!/bin/sh\necho said \"<$LD_PRELOAD>\"\nexit 7\n")
        program.chmod(0o755)
        for options, preloaded in (((), "said <>"), (("--preload", "--stacks", "--memory", "8"), "/libcuda.so.1")):
            done = self.lab("trace", "--driver", "embedded", *options, "--via", SIDE.launcher, "--", program, "an argument")
            self.assertEqual(done.returncode, 7, done.stderr)
            self.assertIn(preloaded, done.stdout)
        self.assert_nothing_is_left()

    def test_what_does_not_compile_there_is_told_by_file_and_line(self):
        lesson = next((PROJECT / "lessons").glob("03_*"))
        for file in lesson.iterdir():
            if file.is_file():
                (self.folder / file.name).write_bytes(file.read_bytes())
        main = self.folder / "main.cpp"
        main.write_text(main.read_text().replace("int main() {", "int main() {\n  no_such_thing();", 1))
        line = main.read_text()[:main.read_text().index("no_such_thing")].count("\n") + 1
        done = self.lab("run", "3", "--driver", "embedded", "--source", self.folder, "--via", SIDE.launcher)
        self.assertEqual(done.returncode, 125)
        self.assertIn(f"main.cpp:{line}:", done.stderr)
        self.assertIn("no_such_thing", done.stderr)
        self.assert_nothing_is_left()

    def test_an_interrupt_stops_the_program_there(self):
        lab, name, recording = self.start_endless()
        lab.send_signal(signal.SIGINT)
        self.assertEqual(lab.wait(cluster.PATIENCE), 130, lab.stderr.read())
        self.assertTrue(eventually(lambda: not with_command(name)), "the program runs on")
        self.assert_nothing_is_left()
        self.assertEqual(self.lab("replay", recording).returncode, 0)

    def test_when_this_side_is_killed_nothing_stays_there(self):
        lab, name, _ = self.start_endless()
        lab.kill()
        lab.wait()
        self.assertTrue(eventually(lambda: not with_command(name)), f"runs on: {with_command(name)}")
        self.assert_nothing_is_left()

    def check_broken(self, lab, name, recording):
        self.assertEqual(lab.wait(cluster.PATIENCE), 1)
        self.assertIn("What had arrived until then is kept", lab.stderr.read())
        self.assertTrue(eventually(lambda: not with_command(name)), f"runs on: {with_command(name)}")
        replayed = self.lab("replay", recording, "--events", "-")
        lines = replayed.stdout.splitlines()
        self.assertGreater(len(lines), 50, replayed.stderr)
        self.assertEqual(json.loads(lines[-1])["end"], "trace_lost")

    def servers(self):
        """Those that serve this test, and their guardians, who have no input."""
        found = {True: [], False: []}
        for pid in with_command("driverlab", "serve"):
            try:
                its = pathlib.Path(f"/proc/{pid}")
                if f"TMPDIR={SIDE.scratch}".encode() in (its / "environ").read_bytes() and (its / "exe").resolve() == DRIVERLAB:
                    found[(its / "fd/0").exists() or (its / "fd/0").is_symlink()].append(pid)
            except OSError:
                pass
        return found[True], found[False]

    def test_when_the_other_side_is_killed_what_arrived_is_kept(self):
        lab, name, recording = self.start_endless()
        servers, guardians = self.servers()
        self.assertEqual((len(servers), len(guardians)), (1, 1))
        os.kill(servers[0], signal.SIGKILL)
        self.check_broken(lab, name, recording)
        if KIND == "Slurm":  # which may kill the guardian too: then the next one tidies up
            self.lab("trace", "--driver", "embedded", "--via", SIDE.launcher, "--", "true")
        self.assert_nothing_is_left()

    def test_what_is_killed_with_its_guardian_is_tidied_up_by_the_next(self):
        lab, name, recording = self.start_endless()
        servers, guardians = self.servers()
        for pid in guardians + servers:
            os.kill(pid, signal.SIGKILL)
        self.check_broken(lab, name, recording)
        self.assertTrue(list(SIDE.scratch.iterdir()), "somebody else tidied up")
        self.lab("trace", "--driver", "embedded", "--via", SIDE.launcher, "--", "true")
        self.assert_nothing_is_left()

    def test_when_the_launcher_is_killed_what_arrived_is_kept(self):
        lab, name, recording = self.start_endless()
        launchers = [pid for pid in children(lab.pid)
                     if pathlib.Path(f"/proc/{pid}/exe").resolve().name == SIDE.launcher.split()[0]]
        self.assertTrue(launchers)
        for pid in launchers:
            os.kill(pid, signal.SIGKILL)
        self.check_broken(lab, name, recording)
        self.assert_nothing_is_left()


class Mistakes(unittest.TestCase):
    lab = Via.lab

    def test_a_launcher_that_does_not_exist(self):
        for language, word in (("en", "could not be started"), ("zh", "无法启动")):
            done = self.lab("run", "1", "--via", "no-such-launcher x", "--lang", language)
            self.assertEqual(done.returncode, 3)
            self.assertIn(word, done.stderr)
            self.assertIn("no-such-launcher x", done.stderr)

    def test_a_machine_without_driverlab(self):
        done = self.lab("run", "1", "--via", SIDE.launcher, "--lang", "en", env=dict(os.environ, DRIVERLAB_REMOTE="/no/such/driverlab"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("DRIVERLAB_REMOTE", done.stderr)
        self.assertIn("/no/such/driverlab", done.stderr, "what the other side said")


class TheSide(unittest.TestCase):
    def test_nothing_that_was_started_for_it_outlives_it(self):
        side = cluster.Side()
        started = [side.daemon("sleep", "600")]
        environment = dict(os.environ, OF=str(side.folder))
        started.append(subprocess.Popen(["sleep", "600"], env=environment, start_new_session=True))
        stubborn = ["sh", "-c", "trap '' TERM; while :; do sleep 600; done"]  # and what it starts
        started.append(subprocess.Popen(stubborn, env=environment, start_new_session=True))
        stranger = subprocess.Popen(["sleep", "600"])
        self.addCleanup(stranger.wait)
        self.addCleanup(stranger.kill)
        self.assertTrue(eventually(lambda: set(side.left()) >= {process.pid for process in started[1:]}))
        side.stop()
        for process in started:
            self.assertNotEqual(process.wait(cluster.PATIENCE), 0)
        self.assertEqual(side.left(), [])
        self.assertIsNone(stranger.poll(), "it belongs to nobody's side")


if __name__ == "__main__":
    KIND = sys.argv[3]
    SIDE = getattr(cluster, KIND)
    reason = SIDE.why()
    if not reason:
        SIDE = SIDE()
        reason = SIDE.start()
    if reason:
        print("skipped:", reason)
        if not isinstance(SIDE, type):
            SIDE.stop()
        sys.exit(77)
    try:
        result = unittest.main(argv=[sys.argv[0], *sys.argv[4:]], exit=False).result
    finally:
        SIDE.stop()
    sys.exit(0 if result.wasSuccessful() else 1)
