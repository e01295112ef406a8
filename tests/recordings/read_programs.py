#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the recordings of foreign programs (assets/recordings/programs) and folds them: at every call the followed stack must
end in what the driver called current, nothing may be lost, and what each program is known to do has to be there.

Recordings are h200_PROGRAM.dlrec, made on a machine with two GPUs, and h200x1_PROGRAM.dlrec with one, for each program of
tests/whole/python_programs. Prints a count a recording.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# What the programs say of themselves: calls that have to be in the recording, with their result.
MUST = {
    "cuda_python_contexts": [("cuCtxPushCurrent", "CUDA_SUCCESS"), ("cuCtxPopCurrent", "CUDA_SUCCESS"),
                             ("cuGraphLaunch", "CUDA_SUCCESS"), ("cuMemFree", "CUDA_ERROR_INVALID_VALUE"),
                             ("cuCtxDestroy", "CUDA_SUCCESS")],
    "cupy_kernels": [("cuLaunchKernel", "CUDA_SUCCESS"), ("cuGraphLaunch", "CUDA_SUCCESS"), ("cuEventRecord", None)],
    "numba_kernels": [("cuCtxPushCurrent", "CUDA_SUCCESS"), ("cuLaunchKernel", "CUDA_SUCCESS"),
                      ("cuStreamSynchronize", "CUDA_SUCCESS")],
    "pytorch_streams": [("cuLaunchKernel", "CUDA_SUCCESS"), ("cuGraphLaunch", "CUDA_SUCCESS"),
                        ("cuStreamWaitEvent", "CUDA_SUCCESS")],
}
PRIVATE = re.compile(r"/(home|tmp|work|mnt|root)/")


def flaws(events, program, devices):
    """What is wrong with the events of one recording, in words."""
    calls = [event for event in events if "name" in event]
    found = []
    for event in calls:
        top = event["stack"][-1] if event["stack"] else None
        if not event["agree"] or ("current" in event and event["current"] != top):
            found.append(f"seq {event['seq']}: the driver says {event.get('current')}, the model {event['stack']}")
    found += [f"seq {event['seq']}: records are lost" for event in events if event.get("event") == "lost"]
    for name, result in MUST[program]:
        if not any(call["name"].startswith(name) and result in (None, call["result"]) for call in calls):
            found.append(f"no {name} that answered {result or 'anything'}")
    ends = [event for event in events if event.get("event") in ("exit", "end", "process_end")]
    if not ends:
        found.append("no end")
    counts = [next(iter(call["out"].values())) for call in calls if call["name"] == "cuDeviceGetCount" and call["out"]]
    if counts and set(counts) != {devices}:
        found.append(f"{counts} devices, not {devices}")
    return found


def main(driverlab, folder, programs):
    names = sorted(path.stem for path in pathlib.Path(programs).glob("*.py") if path.stem in MUST)
    failures, total = 0, 0
    if names != sorted(MUST):
        sys.exit(f"{programs}: programs are {names}, known are {sorted(MUST)}")
    for name in names:
        for prefix, devices in (("h200", 2), ("h200x1", 1)):
            recording = pathlib.Path(folder, f"{prefix}_{name}.dlrec")
            with tempfile.TemporaryDirectory() as scratch:
                events_file = pathlib.Path(scratch, "events")
                subprocess.run([driverlab, "replay", recording, "--events", events_file], check=True,
                               stdout=subprocess.DEVNULL)
                text = events_file.read_text(encoding="utf-8")
            events = [json.loads(line) for line in text.splitlines()]
            wrong = flaws(events, name, devices)
            wrong += [f"names a private path: {place.group(0)}" for place in PRIVATE.finditer(text)]
            size = recording.stat().st_size
            if size > 200_000:
                wrong.append(f"takes {size} bytes")
            calls = sum("name" in event for event in events)
            total += calls
            failures += bool(wrong)
            print(f"{recording.name}: {calls} calls, {devices} device(s), {size / max(calls, 1):.1f} bytes a call: "
                  f"{'agrees at every call' if not wrong else 'BAD'}")
            for line in wrong[:5]:
                print("  " + line)
    print(f"{total} calls of {2 * len(names)} recordings")
    return failures


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
