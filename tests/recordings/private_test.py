#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings that are given away name no folder where people have their files: neither those of assets/ nor what
`driverlab export NAME.dlrec` makes of one that does.

    private_test.py PROJECT DRIVERLAB
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT, DRIVERLAB = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
PRIVATE = re.compile(r"/(home|root|Users|tmp|var|work|mnt|media|srv|scratch|data)/[^\s\"]*")


class Private(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def lab(self, *arguments):
        return subprocess.run([DRIVERLAB, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    def all_of(self, recording):
        """Everything that it says: its events, its command line, its sources."""
        events, page = self.folder / "events", self.folder / "page.html"
        said = self.lab("replay", recording, "--events", events, "--keep-paths", "--html", page)
        return said.splitlines()[0] + events.read_text(encoding="utf-8") + page.read_text(encoding="utf-8")

    def test_the_recordings_of_assets_name_no_folder_of_a_person(self):
        recordings = sorted((PROJECT / "assets" / "recordings").rglob("*.dlrec"))
        self.assertGreater(len(recordings), 30)
        for recording in recordings:
            with self.subTest(recording=recording.name):
                found = PRIVATE.search(self.all_of(recording))
                self.assertIsNone(found, found and found.group(0))

    def test_a_run_that_is_exported_keeps_its_calls_and_not_its_folders(self):
        secret = self.folder / "ann"
        secret.mkdir()
        program = secret / "prog"
        program.write_text('#!/bin/sh\necho "reads $0"\nexec python3 -c "import ctypes; ctypes.CDLL(\'libcuda.so.1\').cuInit(0)"\n')
        program.chmod(0o755)
        recording = self.folder / "whole.dlrec"
        self.lab("trace", "--driver", "embedded", "--record", recording, "--", program, "--token", "SECRET")
        self.assertIn("SECRET", self.all_of(recording))
        for ending in ("dlrec", "html"):
            shared, whole = self.folder / f"shared.{ending}", self.folder / f"kept.{ending}"
            self.assertIn("--keep-paths", self.lab("export", shared, "--recording", recording, "--lang", "en"))
            self.lab("export", whole, "--recording", recording, "--keep-paths")
            texts = [self.all_of(path) if ending == "dlrec" else path.read_text(encoding="utf-8") for path in (shared, whole)]
            for secret_word in ("SECRET", "/ann/"):
                self.assertNotIn(secret_word, texts[0])
                self.assertIn(secret_word, texts[1])
            self.assertIn("cuInit", texts[0])
        # A picture is drawn of what may be given away: it is the same as of the recording that holds no more. The file's
        # name stands in it, so both have one name.
        (self.folder / "for_others").mkdir()
        for_others = (self.folder / "shared.dlrec").rename(self.folder / "for_others" / recording.name)
        pictures = [self.folder / f"{name}.png" for name in ("of_shared", "of_whole", "kept")]
        for picture, source, *keep in ((pictures[0], for_others, "--keep-paths"), (pictures[1], recording),
                                       (pictures[2], recording, "--keep-paths")):
            done = subprocess.run([DRIVERLAB, "export", picture, "--recording", source, "--size", "900x700", "--lang", "en", *keep],
                                  capture_output=True, text=True)
            if "has no window" in done.stderr:
                break
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{picture.name} contains", done.stdout)
        else:
            self.assertEqual(pictures[0].read_bytes(), pictures[1].read_bytes())
            self.assertNotEqual(pictures[1].read_bytes(), pictures[2].read_bytes())
        replayed = self.folder / "replayed.html"
        self.lab("replay", recording, "--html", replayed)
        self.assertNotIn("SECRET", replayed.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
