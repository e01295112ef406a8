#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The times that notes quote from a recording are those of the recording, in both languages.

    quoted_times_test.py PROJECT DRIVERLAB

A note names such a recording in its proof (`<!-- proof: recording NAME -->`); one that is named and quoted nowhere here fails.
"""
import json
import pathlib
import subprocess
import sys
import unittest

PROJECT, DRIVERLAB = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(PROJECT / "tests" / "lessons"))
import lesson_files as files  # noqa: E402  (found only after the path is set)

# Lesson, recording, call, which of its calls that succeeded, milliseconds, the words in each language.
ABOUT = (
    ("04_context", "h200_04_context", "cuCtxCreate", 0, 110, "about 110 ms", "约用 110 毫秒"),
    ("04_context", "h200_04_context", "cuCtxDestroy", 1, 65, "about 65 ms", "约用 65 毫秒"),
    ("04_context", "h200_04_context", "cuMemAlloc", 0, 0.1, "about 0.1 ms", "约 0.1 毫秒"),
    ("14_library_author", "h200_14_library_author", "cuCtxCreate", 1, 115, "about 115 ms", "约用 115 毫秒"),
    ("14_library_author", "h200_14_library_author", "cuCtxDestroy", 0, 70, "about 70 ms", "约用 70 毫秒"),
    ("14_library_author", "h200_14_library_author", "cuDevicePrimaryCtxRetain", 0, 130, "about 130 ms", "约用 130 毫秒"),
)
LOOKED_AT_BELOW = {"h200_pytorch_streams", "h200_00_runtime_calls", "h200_20_nvrtc_saxpy"}


def events_of(recording):
    path, = (PROJECT / "assets" / "recordings").rglob(f"{recording}.dlrec")
    done = subprocess.run([DRIVERLAB, "replay", path, "--events", "-"], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def milliseconds(recording, call):
    return [event["dur_ns"] / 1e6 for event in events_of(recording)
            if event.get("name") == call and event["result"] == "CUDA_SUCCESS"]


def notes(lesson):
    return [(PROJECT / "lessons" / lesson / name).read_text(encoding="utf-8") for name in ("notes.md", "notes.zh.md")]


class QuotedTimes(unittest.TestCase):
    def test_a_time_is_within_a_seventh_of_the_recordings(self):
        for lesson, recording, call, which, quoted, *words in ABOUT:
            with self.subTest(lesson=lesson, call=call):
                for text, phrase in zip(notes(lesson), words):
                    self.assertIn(phrase, text)
                self.assertAlmostEqual(milliseconds(recording, call)[which] / quoted, 1, delta=1 / 7)

    def test_a_context_that_is_there_is_retained_in_less_than_five_microseconds(self):
        for text, phrase in zip(notes("14_library_author"), ("less than 5 µs", "不到 5 微秒")):
            self.assertIn(phrase, text)
        others = milliseconds("h200_14_library_author", "cuDevicePrimaryCtxRetain")[1:]
        self.assertEqual(len(others), 2)
        self.assertLess(max(others), 0.005)

    def test_pytorch_retains_the_primary_context(self):
        self.assertTrue(milliseconds("h200_pytorch_streams", "cuDevicePrimaryCtxRetain"))

    def test_the_runtime_of_nvidia_makes_the_calls_that_lesson_00_names_and_asks_for_440_functions_first(self):
        inside, of, outside = [], {}, []  # a call of the runtime is recorded after the calls inside it
        for event in events_of("h200_00_runtime_calls"):
            if event.get("inside"):
                inside.append(event["name"])
            elif "name" in event:
                of.setdefault(event["name"], []).append(inside)
                outside.append((event["name"], event["result"]))
                inside = []
        counting = of["cudaGetDeviceCount"][0]
        self.assertEqual(counting[:counting.index("cuInit")].count("cuGetProcAddress"), 440)
        self.assertIn("cuDeviceGetCount", counting)
        for text in notes("00_runtime_calls"):
            self.assertIn(" 440 ", text)
        first, second, *_ = of["cudaMalloc"]
        self.assertLessEqual({"cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuMemAlloc"}, set(first))
        self.assertEqual(second, ["cuMemAlloc"])
        self.assertEqual(set(map(tuple, of["cudaLaunchKernel"])), {("cuLaunchKernel",)})
        names = [name for name, _ in outside]
        launch = names.index("cudaLaunchKernel")
        self.assertEqual(names[launch - 2:launch], ["cuLibraryLoadData", "cuLibraryGetKernel"])
        self.assertEqual(names.count("cuLibraryLoadData"), 1)
        self.assertEqual(outside[-1], ("cuLibraryUnload", "CUDA_ERROR_DEINITIALIZED"))

    def test_pytorch_loads_a_kernel_at_its_first_launch(self):
        made = [event for event in events_of("h200_pytorch_streams") if event.get("name", "").startswith(("cuLibrary", "cuLaunchKernel"))]
        self.assertEqual([event["name"] for event in made[:3]], ["cuLibraryLoadData", "cuLibraryGetKernel", "cuLaunchKernel"])
        kernel = made[2]["args"]["f"]
        launches = [event["args"]["f"] for event in made if event["name"] == "cuLaunchKernel"]
        found = [event["out"]["pKernel"] for event in made if event["name"] == "cuLibraryGetKernel"]
        self.assertGreater(len(launches), len(set(launches)))
        self.assertEqual(found.count(kernel), 1)

    def test_the_table_of_the_saxpy_has_its_recordings_times(self):
        events = events_of("h200_20_nvrtc_saxpy")
        kernel, = (float(event["out"]["pMilliseconds"]) for event in events if event.get("name") == "cuEventElapsedTime")
        whole = (events[-1]["t_ns"] - events[0]["t_ns"]) / 1e6
        self.assertEqual((events[0]["event"], events[-1]["event"]), ("process_start", "process_end"))
        for text in notes("20_nvrtc_saxpy"):
            self.assertIn(f"| 352 µs | 352 µs | {kernel * 1000:.0f} µs |", text)
            self.assertIn(f"| 1,076 ms | 1,080 ms | {whole:,.0f} ms |", text)

    def test_every_recording_that_notes_name_is_looked_at_here(self):
        named = {name for lesson in files.lessons(PROJECT) for text in notes(lesson.name)
                 for kind, name in files.proofs_in_notes(text) if kind == "recording"}
        self.assertEqual(named, {recording for _, recording, *_ in ABOUT} | LOOKED_AT_BELOW)


if __name__ == "__main__":
    unittest.main()
