#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--chrome-trace against the Trace Event Format, and --csv against RFC 4180 and --events.

    timeline_test.py PROJECT DRIVERLAB

The rules are those of "Trace Event Format" (Google, 2016): ph, ts, pid and tid on every event, dur on complete ones,
metadata with args.name; Perfetto further wants complete events of one thread to nest.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT, DRIVERLAB = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
RECORDINGS = sorted((PROJECT / "assets/recordings").glob("*.dlrec"))


def export(recording, folder):
    timeline, table = folder / "timeline.json", folder / "table.csv"
    done = subprocess.run([DRIVERLAB, "replay", recording, "--events", "-", "--chrome-trace", timeline, "--csv", table],
                          capture_output=True, text=True, timeout=300)
    calls = [event for event in map(json.loads, done.stdout.splitlines()) if "event" not in event]
    with table.open(newline="") as file:
        return done, json.loads(timeline.read_text()), list(csv.reader(file, strict=True)), calls


class Formats(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def hold_against_the_format(self, events, where):
        for event in events:
            self.assertIn(event["ph"], ("X", "M", "i"), where)
            for field, kind in (("name", str), ("ts", (int, float)), ("pid", int), ("tid", int)):
                self.assertIsInstance(event[field], kind, f"{where}: {event}")
            self.assertGreaterEqual(event["ts"], 0, where)
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0, where)
                self.assertIsInstance(event["args"], dict, where)
            elif event["ph"] == "M":
                self.assertIn(event["name"], ("process_name", "thread_name"), where)
                self.assertIsInstance(event["args"]["name"], str, where)
            else:
                self.assertIn(event["s"], ("t", "p", "g"), where)

    def hold_nested(self, events, where):
        bars = {}
        for event in events:
            if event["ph"] == "X":
                begin = round(event["ts"] * 1000)  # whole nanoseconds
                bars.setdefault((event["pid"], event["tid"]), []).append((begin, -(begin + round(event["dur"] * 1000)), event["name"]))
        for thread in bars.values():
            around = []
            for begin, negative_end, name in sorted(thread):
                while around and around[-1][0] <= begin:
                    around.pop()
                if around:
                    self.assertLessEqual(-negative_end, around[-1][0], f"{where}: {name} sticks out of {around[-1][1]}")
                around.append((-negative_end, name))

    def test_every_recording_makes_a_timeline_and_a_table(self):
        self.assertGreater(len(RECORDINGS), 10)
        nested = 0
        for recording in RECORDINGS:
            done, timeline, table, calls = export(recording, self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            events, where = timeline["traceEvents"], recording.name
            self.assertIn(timeline["displayTimeUnit"], ("ms", "ns"))
            self.hold_against_the_format(events, where)
            self.hold_nested(events, where)
            bars = [event for event in events if event["ph"] == "X"]
            self.assertEqual([bar["name"] for bar in bars], [call["name"] for call in calls], where)
            for bar, call in zip(bars, calls):
                self.assertEqual(bar["args"]["result"], None if call["result"] is None else str(call["result"]), where)
                self.assertEqual((bar["tid"], round(bar["ts"] * 1000), round(bar["dur"] * 1000)),
                                 (call["thread"], call["t_ns"], call["dur_ns"]), where)
            nested += sum("depth" in call for call in calls)
            header, rows = table[0], table[1:]
            self.assertEqual([len(row) for row in rows], [len(header)] * len(calls), where)
            for row, call in zip(rows, calls):
                named = dict(zip(header, row))
                self.assertEqual((named["name"], named["line"], named["stack"], int(named["start_ns"])),
                                 (call["name"], str(call["line"] or ""), " ".join(call["stack"]), call["t_ns"]), where)
        self.assertGreater(nested, 0, "no recording has calls inside calls: the nesting was not put to the test")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
