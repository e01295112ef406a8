# CUDA Python's SAXPY under `driverlab trace` on the embedded toolkit: right values, and the calls in the order in
# which the article makes them.
#
# Needs the package cuda-bindings: of the Python that runs this, or of the one that DRIVERLAB_PYTHON names. Knows
# nothing of how either library works.
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIP = 77
STORY = """cuInit cuDeviceGet cuCtxCreate cuModuleLoadData cuModuleGetFunction cuMemAlloc cuMemAlloc cuMemAlloc
cuStreamCreate cuMemcpyHtoDAsync cuMemcpyHtoDAsync cuLaunchKernel cuMemcpyDtoHAsync cuStreamSynchronize
cuStreamDestroy cuMemFree cuMemFree cuMemFree cuModuleUnload cuCtxDestroy""".split()


def main():
    build = Path(sys.argv[1])
    python = os.environ.get("DRIVERLAB_PYTHON", sys.executable)
    there = subprocess.run([python, "-c", "import numpy, cuda.bindings"], capture_output=True, text=True)
    if there.returncode != 0:
        print(f"skipped: {python} has no numpy and cuda-bindings; DRIVERLAB_PYTHON names one that has")
        return SKIP
    if not (build / "driverlab").exists():
        print("skipped: driverlab is not built")
        return SKIP
    script = Path(__file__).with_name("cuda_python_saxpy.py")
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events.jsonl"
        environment = dict(os.environ, LD_LIBRARY_PATH=str(build / "embedded" / "lib"))
        run = subprocess.run(
            [build / "driverlab", "trace", "--driver", "embedded", "--events", events, "--", python, script, "64"],
            env=environment,
            capture_output=True,
            text=True,
        )
        print(run.stdout[-2000:], run.stderr[-2000:])
        if run.returncode != 0:
            return 1
        calls = [json.loads(line) for line in events.read_text().splitlines()]
    made = [call for call in calls if call.get("name", "").startswith("cu") and call["name"] != "cuGetProcAddress"]
    wrong = [call for call in made if call.get("result", "CUDA_SUCCESS") != "CUDA_SUCCESS"]
    names = [call["name"] for call in made]
    if names != STORY or wrong:
        print("the calls were", names, "failed:", wrong)
        return 1
    unknown = [
        call["args"]["symbol"]
        for call in calls
        if call.get("name") == "cuGetProcAddress" and call.get("out", {}).get("pfn") in (None, "0x0", "null")
    ]
    print("names that the bindings asked for in vain:", unknown)
    return 0 if "saxpy: all 32768 values are right" in run.stdout + run.stderr else 1


if __name__ == "__main__":
    sys.exit(main())
