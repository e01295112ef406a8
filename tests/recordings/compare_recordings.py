#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs each recorded lesson on the embedded driver: names, results, stacks, objects and lines must equal the recording.
Recordings are h200_NN_slug.dlrec, or h100_NN_slug.dlrec, by the card; lessons that use a second GPU where there is one, and
are recorded with two, have h200x1_NN_slug.dlrec as well, recorded with one.

The embedded driver gets as many devices as the recording machine had. What is called inside a call of
the CUDA runtime or NVRTC is not the lesson's and differs between theirs and ours: it is left out. So are the calls
that a compiler writes for <<<>>>: nvcc's are in its own headers, and those of cuda++ in the line of the kernel.
Prints a count a lesson.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lessons"))
sys.dont_write_bytecode = True
import lesson_files  # noqa: E402  (found only after the path is set)

USUAL_DEVICES = 2
HEADERS = {"check.hpp", "check_runtime.hpp"}  # what lessons share
# The model's names: contexts, allocations with an offset, and "M1", "L2.kernel" for everything else.
OBJECT = re.compile(r"[A-Z]{1,2}|#\d+(\+\d+)?|[A-Z][A-Za-z]*\d+(\.\w+)?")


def objects(event):
    """Which objects a call was given and gave out."""
    values = {**event["args"], **event["out"]}
    return {name: value for name, value in values.items() if isinstance(value, str) and OBJECT.fullmatch(value)}


def lines_of_kernels(lesson):
    """(file, line) of each kernel's head in the program's sources."""
    return {(source, number) for source in lesson_files.description(lesson)["sources"]
            for number, line in enumerate((lesson / source).read_text(encoding="utf-8").splitlines(), 1)
            if line.startswith("__global__")}


def calls(events, files, kernels):
    """(name, result, stack, line, objects) of each call that the lesson makes itself, in one of its files."""
    events = [event for event in events
              if "name" in event and not event.get("inside") and event.get("file")
              and pathlib.Path(event["file"]).name in files
              and (pathlib.Path(event["file"]).name, event["line"]) not in kernels]
    return [(e["name"], e["result"], e["stack"], e["line"], objects(e)) for e in events]


def devices(events):
    """How many devices the recorded machine had: as cuDeviceGetCount said, or 1 where the lesson never asked."""
    for event in events:
        if event.get("name") == "cuDeviceGetCount" and event["out"]:
            return next(iter(event["out"].values()))
    return 1


def replayed(driverlab, recording):
    with tempfile.TemporaryDirectory() as scratch:
        events = pathlib.Path(scratch, "events.jsonl")
        subprocess.run([driverlab, "replay", recording, "--events", events], check=True, stdout=subprocess.DEVNULL)
        return [json.loads(line) for line in events.read_text().splitlines()]


def main(driverlab, folder, runs):
    failures, compared = 0, 0
    lessons = pathlib.Path(folder).parents[1] / "lessons"
    recordings = sorted(pathlib.Path(folder).glob("*.dlrec"))
    if not recordings:
        sys.exit(f"{folder}: no recordings")
    for recording in recordings:
        recorded = replayed(driverlab, recording)
        # With the usual two devices each lesson has run already (tests/lessons/lesson_runs_test.py).
        lesson, count = lessons / recording.stem.split("_", 1)[1], devices(recorded)
        kept = pathlib.Path(runs) if count == USUAL_DEVICES else None
        embedded = lesson_files.events_of_run(lesson, driverlab, lessons.parent, kept, count)
        files = {path.name for path in lesson.rglob("*")} | HEADERS
        kernels = lines_of_kernels(lesson)
        expected, found = calls(recorded, files, kernels), calls(embedded, files, kernels)
        equal = sum(a == b for a, b in zip(expected, found))
        compared += equal
        print(f"{recording.name}: {equal} of {len(expected)} calls equal, {devices(recorded)} device(s)")
        if expected != found:
            failures += 1
            for number, (a, b) in enumerate(zip(expected, found), 1):
                if a != b:
                    print(f"  call {number}: recorded {a}\n  {' ' * len(str(number))}      embedded {b}")
                    break
            else:
                print(f"  the recording has {len(expected)} calls, the embedded run {len(found)}")
    recorded_lessons = {recording.stem.split("_", 1)[1] for recording in recordings}
    names = sorted(path.name for path in lessons.iterdir() if re.match(r"\d\d_", path.name))
    missing = [name for name in names if name not in recorded_lessons]
    # Lessons that do something else where there is a second GPU are recorded with one GPU as well.
    for name in names:
        uses_second = re.search(r"devices (?:- 1|> 1)", "\n".join(
            (lessons / name / source).read_text(encoding="utf-8") for source in lesson_files.description(lessons / name)["sources"]))
        if uses_second and not (pathlib.Path(folder) / f"h200x1_{name}.dlrec").is_file():
            failures += 1
            print(f"{name} uses a second GPU and has no recording of a machine with one")
    print(f"{compared} calls of {len(recordings)} recordings equal")
    print(f"{len(names) - len(missing)} of {len(names)} lessons have a recording"
          + (f"; none yet: {', '.join(missing)}" if missing else ""))
    return failures


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
