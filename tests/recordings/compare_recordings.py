#!/usr/bin/env python3
"""Runs each recorded lesson on the embedded driver: names, results, stacks and lines must equal the recording.

The embedded driver gets as many devices as the recording machine had. Prints a count a lesson.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def calls(lines):
    """(name, result, stack, line) of each call."""
    events = map(json.loads, lines)
    return [(e["name"], e["result"], e["stack"], e.get("line")) for e in events if "name" in e]


def devices(lines):
    """How many devices the recorded machine had: as cuDeviceGetCount said, or 1 where the lesson never asked."""
    for event in map(json.loads, lines):
        if event.get("name") == "cuDeviceGetCount" and event["out"]:
            return next(iter(event["out"].values()))
    return 1


def main(driverlab, folder):
    failures = 0
    recordings = sorted(pathlib.Path(folder).glob("*.dlrec"))
    if not recordings:
        sys.exit(f"{folder}: no recordings")
    for recording in recordings:
        with tempfile.TemporaryDirectory() as scratch:
            real, embedded = pathlib.Path(scratch, "real"), pathlib.Path(scratch, "embedded")
            subprocess.run([driverlab, "replay", recording, "--events", real], check=True, stdout=subprocess.DEVNULL)
            recorded = real.read_text().splitlines()
            slug = recording.stem.split("_", 2)[2]
            environment = {**os.environ, "DRIVERLAB_DEVICES": str(devices(recorded)), "XDG_DATA_HOME": scratch}
            subprocess.run([driverlab, "run", slug, "--driver", "embedded", "--events", embedded], check=True,
                           stdout=subprocess.DEVNULL, env=environment)
            expected, found = calls(recorded), calls(embedded.read_text().splitlines())
        equal = sum(a == b for a, b in zip(expected, found))
        print(f"{recording.name}: {equal} of {len(expected)} calls equal")
        if expected != found:
            failures += 1
            for number, (a, b) in enumerate(zip(expected, found), 1):
                if a != b:
                    print(f"  call {number}: recorded {a}\n  {' ' * len(str(number))}      embedded {b}")
                    break
            else:
                print(f"  the recording has {len(expected)} calls, the embedded run {len(found)}")
    recorded_lessons = {recording.stem.split("_", 1)[1] for recording in recordings}
    lessons = sorted(p.name for p in (pathlib.Path(folder).parents[1] / "lessons").iterdir() if re.match(r"\d\d_", p.name))
    missing = [name for name in lessons if name not in recorded_lessons]
    print(f"{len(lessons) - len(missing)} of {len(lessons)} lessons have a recording"
          + (f"; none yet: {', '.join(missing)}" if missing else ""))
    return failures


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
