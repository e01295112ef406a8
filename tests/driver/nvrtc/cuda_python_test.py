#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CUDA Python's SAXPY under `driverlab trace`: right values, and the calls in the order in which the article makes them.

    cuda_python_test.py BUILD MAJOR [--driver embedded|real]

Needs numpy and cuda-bindings of that major: of the Python that DRIVERLAB_PYTHON names, or in BUILD/cuda_python/MAJOR,
which tools/cuda_python fills. It does not depend on how any library works.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIP = 77
# The calls in the trace, on every driver. The bindings fetch their functions by cuGetProcAddress, before and between;
# NVRTC's calls are the compiler's. NVIDIA's own asks the driver for a private table, behind a cuInit (seen on an H200
# with cuda-bindings 13.3); that is not the program's story.
STORY = """cuInit cuDeviceGet cuCtxCreate cuModuleLoadData cuModuleGetFunction cuMemAlloc cuMemAlloc cuMemAlloc
cuStreamCreate cuMemcpyHtoDAsync cuMemcpyHtoDAsync cuLaunchKernel cuMemcpyDtoHAsync cuStreamSynchronize
cuStreamDestroy cuMemFree cuMemFree cuMemFree cuModuleUnload cuCtxDestroy""".split()


def python_with_bindings(build, major):
    """The Python to use; or None, and why."""
    question = "import numpy, cuda.bindings; print(cuda.bindings.__version__)"
    tried = []
    for python in (os.environ.get("DRIVERLAB_PYTHON"), build / "cuda_python" / major / "bin" / "python"):
        if python is None:
            continue
        try:
            answer = subprocess.run([python, "-c", question], capture_output=True, text=True)
        except OSError as error:
            tried.append(f"{python}: {error.strerror}")
            continue
        if answer.returncode == 0 and answer.stdout.startswith(major + "."):
            return python, ""
        tried.append(f"{python}: {answer.stdout.strip() or (answer.stderr.strip().splitlines() or ['?'])[-1]}")
    return None, f"no numpy and cuda-bindings {major} ({'; '.join(tried)}); tools/cuda_python gets them where there is a network"


def trace(build, python, driver):
    """The run and its events."""
    script = Path(__file__).with_name("cuda_python_saxpy.py")
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events.jsonl"
        run = subprocess.run([build / "driverlab", "trace", "--driver", driver, "--events", events, "--", python, script, "64"],
                             capture_output=True, text=True)
        lines = events.read_text(encoding="utf-8").splitlines() if events.exists() else []
    return run, [json.loads(line) for line in lines]


def without_private_table(calls):
    names = [call["name"] for call in calls]
    return calls[2:] if names[:2] == ["cuInit", "cuGetExportTable"] else calls


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("major", choices=("12", "13"))
    parser.add_argument("--driver", default="embedded")
    wanted = parser.parse_args()
    python, why = python_with_bindings(wanted.build.resolve(), wanted.major)
    if python is None or not (wanted.build / "driverlab").exists():
        print("skipped:", why or "driverlab is not built")
        return SKIP
    run, events = trace(wanted.build.resolve(), python, wanted.driver)
    calls = [call for call in events if "event" not in call and call.get("name", "").startswith("cu")]
    made = without_private_table([call for call in calls if call["name"] != "cuGetProcAddress"])
    wrong = [call for call in made if call.get("result") != "CUDA_SUCCESS" or call.get("agree") is False]
    names = [call["name"] for call in made]
    print(len(calls) - len(made), "functions fetched, then:", *names)
    faults = []
    if run.returncode != 0:
        faults.append(f"ended with {run.returncode}: {run.stdout[-2000:]} {run.stderr[-2000:]}")
    if "saxpy: all 32768 values are right" not in run.stdout:
        faults.append("the values were not right")
    if names != STORY:
        faults.append("the story should be: " + " ".join(STORY))
    if wrong:
        faults.append(f"failed, or model and driver did not agree: {wrong}")
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
