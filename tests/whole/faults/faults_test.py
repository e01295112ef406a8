#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever call fails, the lab ends by itself, says so, and leaves whole files only.

    faults_test.py BUILD FAIL_NTH PROGRAM [--all [--share K/N]] [-v]

libfail_nth.so makes the N-th allocation, mapping, write or wait of one program fail. Each command below is run with
N = 1, 2, 3 … until a run ends in which no call failed; without --all, with the first ones and a sample of the others.
--share 0/4 to 3/4 run a quarter of the calls each, for several processes at a time.
A run is right if it is killed by nothing, ends in time, and either did all that the run without a failure did or says
in a sentence that it did not and returns another status than 0.
"""
import argparse
import errno
import hashlib
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

OLD = b"what was there before\n"
HOW = {"memory": ["12", "12+"], "map": ["12", "12+"], "wait": ["11", "4+"],
       "write": [str(errno.ENOSPC), f"{errno.ENOSPC}+", str(errno.EIO), str(errno.EINTR), "short", "short+"]}
SECONDS = 60
FIRST, SAMPLE = 6, 6  # without --all: how many of the first calls, and of the others


def digest(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def said(output):
    """The calls and the end. Places in sources come from a library that does without memory in silence."""
    return [re.sub(r"  \S+:\d+  ", " ", line).split() for line in output.splitlines()]


class Faults(unittest.TestCase):
    sample = SAMPLE

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.kept, self.out = self.folder / "kept", self.folder / "out"
        self.kept.mkdir()
        self.out.mkdir()
        self.said = self.folder / "said"
        self.random = random.Random(7)
        for name in ("linked", "prints"):
            made = self.run_it(self.trace(name, "--record", self.kept / f"{name}.dlrec"))
            self.assertEqual(made.returncode, 0, made.stderr)

    def trace(self, what, *options):
        return [OPTIONS.build / "driverlab", "trace", "--driver", "embedded", *options, "--", OPTIONS.program, what]

    def run_it(self, words, **fail):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("DRIVERLAB_", "FAIL_", "LC_"))}
        environment.update(LANG="C.UTF-8", XDG_CACHE_HOME=str(self.folder / "cache"), TMPDIR=str(self.folder))
        if fail:
            environment.update(LD_PRELOAD=str(OPTIONS.fail_nth), FAIL_SAID=str(self.said), FAIL_PROGRAM=fail["program"],
                               FAIL_KIND=fail["kind"], FAIL_AT=str(fail["at"]), FAIL_HOW=fail["how"])
            if "whose" in fail:
                environment["FAIL_WHOSE"] = fail["whose"]
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, encoding="utf-8",
                              errors="replace", env=environment, timeout=SECONDS, stdin=subprocess.DEVNULL, check=False)

    def one(self, words, outputs, **fail):
        """The run, and whether a call failed in it. Outputs lie there before, as what must not be harmed."""
        for path in self.out.iterdir():
            path.unlink()
        for path in outputs:
            path.write_bytes(OLD)
        self.said.unlink(missing_ok=True)
        return self.run_it(words, **fail)

    def calls(self, words, outputs, **fail):
        """How many calls of a kind there are, and at which of them to fail."""
        self.one(words, outputs, at=0, how="12", **fail)
        count = int(self.said.read_text() or 0) if self.said.exists() else 0
        if OPTIONS.all or count <= FIRST + self.sample:
            return range(1 + OPTIONS.share[0], count + 1, OPTIONS.share[1])
        return [*range(1, FIRST + 1), *sorted(self.random.sample(range(FIRST + 1, count + 1), self.sample))]

    def hold(self, words, whole, *names, complete=lambda path: True, streams=(), kinds=("memory", "map", "write", "wait"), **more):
        """`whole(path)` says whether what was written is whole, `complete(path)` whether a success holds all. Streams are written while the program runs, for whoever
        watches them: where the run fails they end where it did."""
        outputs = [self.out / name for name in names]
        before = digest(self.kept)
        sound = self.one(words, outputs)
        self.assertEqual(sound.returncode, 0, sound.stderr)
        for path in outputs:
            self.assertTrue(whole(path), path)
        for kind in kinds:
            for how in HOW[kind]:
                for at in self.calls(words, outputs, program="driverlab", kind=kind, **more):
                    with self.subTest(words=" ".join(map(str, words[1:3])), kind=kind, at=at, how=how):
                        done = self.one(words, outputs, program="driverlab", kind=kind, at=at, how=how, **more)
                        self.assertGreaterEqual(done.returncode, 0, done.stderr)
                        self.assertLess(done.returncode, 126, done.stderr)
                        self.assertNotIn("terminate called", done.stderr)
                        left = [path.name for path in self.out.iterdir() if not self.is_kept_part(path, done)]
                        self.assertEqual(sorted(left), sorted(names), done.stderr)
                        self.assertEqual(digest(self.kept), before)
                        written = [path.read_bytes() != OLD for path in outputs]
                        for path, new in zip(outputs, written):
                            if new and (done.returncode == 0 or path.name not in streams):
                                self.assertTrue(whole(path), f"{path.name} is half a file: {done.stderr}")
                        if done.returncode == 0:
                            self.assertEqual(written, [True] * len(written), done.stderr)
                            for path in outputs:
                                self.assertTrue(complete(path), path)
                            self.assertEqual(said(done.stdout), said(sound.stdout))
                        else:
                            self.assertRegex(done.stderr, r"driverlab: .+[.。!]")

    def is_kept_part(self, path, done):
        """Of a recording that could not be written to its end: it is said, no success, and shows what it holds."""
        if not path.name.endswith(".cut.dlrec"):
            return False
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(str(path), done.stderr)
        shown = self.run_it([OPTIONS.build / "driverlab", "replay", path])
        self.assertEqual(shown.returncode, 1, shown.stderr)
        self.assertIn("cuInit", shown.stdout)
        return True

    def reads_again(self, path):
        return self.run_it([OPTIONS.build / "driverlab", "replay", path]).returncode == 0

    def test_a_trace(self):
        self.hold(self.trace("linked", "--record", self.out / "r.dlrec"), self.reads_again, "r.dlrec")

    def test_a_trace_into_every_kind_of_file(self):
        self.hold(self.trace("linked", "--html", self.out / "p.html", "--events", self.out / "e.jsonl", "--csv", self.out / "t.csv",
                             "--chrome-trace", self.out / "c.json"),
                  lambda path: len(path.read_bytes()) > 100, "p.html", "e.jsonl", "t.csv", "c.json",
                  streams=("e.jsonl", "t.csv", "c.json"))

    def test_a_replay(self):
        self.hold([OPTIONS.build / "driverlab", "replay", self.kept / "linked.dlrec"], None)

    def test_a_comparison(self):
        words = [OPTIONS.build / "driverlab", "compare", self.kept / "linked.dlrec", self.kept / "linked.dlrec"]
        self.hold(words, None)

    def test_an_export(self):
        words = [OPTIONS.build / "driverlab", "export", self.out / "x.html", "--recording", self.kept / "linked.dlrec"]
        self.assertEqual(self.one(words, []).returncode, 0)
        page = (self.out / "x.html").read_bytes()
        # Where memory ends while the recording is read, the page shows what was read, which is said.
        self.hold(words, lambda path: path.read_bytes().endswith(b"</html>\n"), "x.html", complete=lambda path: path.read_bytes() == page)

    def test_a_recording_to_give_away(self):
        words = [OPTIONS.build / "driverlab", "export", self.out / "x.dlrec", "--recording", self.kept / "linked.dlrec"]
        self.hold(words, self.reads_again, "x.dlrec")

    # The window's own code, in its states. What fails in Mesa, which draws, is not ours to mend.
    PICTURES = [["--call", "3"], ["--panel", "share"], ["--lang", "zh", "--theme", "light"], ["--beside", "{prints}"]]

    def test_pictures_of_the_window(self):
        self.sample = 30  # of some thousand allocations
        for options in self.PICTURES if OPTIONS.all else self.PICTURES[:1]:
            self.hold([OPTIONS.build / "driverlab", "shot", self.out / "s.png", "--recording", self.kept / "linked.dlrec",
                       *(word.format(prints=self.kept / "prints.dlrec") for word in options)],
                      self.is_picture, "s.png", kinds=("memory", "map", "write") if OPTIONS.all else ("memory",), whose="imgui")

    def is_picture(self, path):
        """A PNG whose parts are whole: lengths and checksums, and all rows of pixels."""
        bytes_, at, pixels = path.read_bytes(), 8, b""
        if not bytes_.startswith(b"\x89PNG\r\n\x1a\n"):
            return False
        while at < len(bytes_):
            size, kind = struct.unpack_from(">I4s", bytes_, at)
            part = bytes_[at + 8:at + 8 + size]
            if zlib.crc32(kind + part) != struct.unpack_from(">I", bytes_, at + 8 + size)[0]:
                return False
            pixels += part if kind == b"IDAT" else b""
            at += size + 12
        return kind == b"IEND" and len(zlib.decompress(pixels)) == 1000 * (1 + 1600 * 3)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for place in ("build", "fail_nth", "program"):
        parser.add_argument(place, type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--share", type=lambda text: [int(number) for number in text.split("/")], default=[0, 1])
    OPTIONS, REST = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *REST])
