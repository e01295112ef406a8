#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--chrome-trace against the Trace Event Format, and --csv against RFC 4180 and --events; and all that a run writes against its
recording.

    timeline_test.py PROJECT DRIVERLAB PROGRAM

The rules are those of "Trace Event Format" (Google, 2016): ph, ts, pid and tid on every event, dur on complete ones,
metadata with args.name; Perfetto further wants complete events of one thread to nest.
"""
import csv
import html.parser
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT, DRIVERLAB, TRACED = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
MOST_ON_A_PAGE = 50_000  # calls
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


class Data(html.parser.HTMLParser):
    """The data of a page: the texts of its script elements, by their names."""

    def __init__(self, text):
        super().__init__()
        self.of, self.name = {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.name = dict(attributes).get("id") if tag == "script" else None

    def handle_data(self, data):
        if self.name is not None:
            self.of[self.name] = self.of.get(self.name, "") + data

    def handle_endtag(self, tag):
        self.name = None


class ReadAgain(unittest.TestCase):
    """Everything that a run writes is read by a parser that is not ours, and contains the calls of the recording."""

    PROGRAMS = [("linked",), ("arguments",), ("forks",), ("threads",), ("prints",), ("wild",), ("crashes",), ("children", "20"),
                ("crowd", "40"), ("many_copies",)]

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def lab(self, *words):
        return subprocess.run([DRIVERLAB, *map(str, words)], capture_output=True, text=True, timeout=300, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")})

    def told(self, path):
        """Of each call its name, thread, beginning and result, in order, as the events have it; and how many were lost."""
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        calls = [event for event in events if "event" not in event]
        return ([(call["name"], call["thread"], call["t_ns"], call["result"]) for call in calls],
                sum(event["number"] for event in events if event.get("event") == "lost"))

    def written(self, *words):
        names = {"--record": "r.dlrec", "--events": "e.jsonl", "--csv": "t.csv", "--chrome-trace": "c.json", "--html": "p.html"}
        paths = {option: self.folder / name for option, name in names.items()}
        done = self.lab("trace", "--driver", "embedded", "--quiet", *(word for pair in paths.items() for word in pair), *words)
        self.assertLess(done.returncode, 126, done.stderr)
        self.printed = done.stdout
        return paths

    def hold(self, paths):
        self.assertEqual(self.lab("replay", paths["--record"], "--events", self.folder / "again.jsonl").returncode, 0)
        calls, lost = self.told(self.folder / "again.jsonl")
        self.assertEqual(self.told(paths["--events"]), (calls, lost))
        with paths["--csv"].open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, strict=True))
        self.assertEqual([(row["name"], int(row["start_ns"])) for row in rows], [(name, start) for name, _, start, _ in calls])
        bars = [event for event in json.loads(paths["--chrome-trace"].read_text(encoding="utf-8"))["traceEvents"] if event["ph"] == "X"]
        self.assertEqual([(bar["name"], bar["tid"]) for bar in bars], [(name, thread) for name, thread, _, _ in calls])
        data = Data(paths["--html"].read_text(encoding="utf-8"))
        json.loads(data.of["head"])
        shown = [moment["i"] for moment in json.loads(data.of["moments"]) if "i" in moment]
        self.assertEqual(shown, list(range(1, len(shown) + 1)))
        self.assertEqual(len(shown), min(len(calls), MOST_ON_A_PAGE))
        given = self.folder / "g.dlrec"
        self.assertEqual(self.lab("export", given, "--recording", paths["--record"]).returncode, 0)
        self.assertEqual(self.lab("replay", given, "--events", self.folder / "given.jsonl").returncode, 0)
        self.assertEqual([call[0] for call in self.told(self.folder / "given.jsonl")[0]], [call[0] for call in calls])
        return calls, lost

    def test_what_a_run_writes_tells_of_the_same_calls(self):
        for program in self.PROGRAMS:
            with self.subTest(program=program):
                calls, lost = self.hold(self.written("--", TRACED, *program))
                self.assertGreater(len(calls), 0)
                self.assertEqual(lost, 0)

    def test_where_the_memory_for_a_run_is_full_all_files_have_the_same_calls(self):
        paths = self.written("--memory", "1", "--", TRACED, "many", "80000")
        calls, lost = self.hold(paths)
        self.assertGreater(len(calls), 1000)
        self.assertEqual(len(calls) + lost, int(self.printed), "calls made are calls recorded and calls lost")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
