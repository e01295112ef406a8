#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Python programs that use CUDA under the tracer: they must end as they do without it, and the model of every
context stack must agree with the driver at every call.

    tests/whole/python_programs/trace_them.py [--build FOLDER] [--driver real] [--keep FOLDER] [PROGRAM.py]...

Prints one line for each and ends with 1 where one of them fails. What is not installed is left out with a word.
With --keep the recordings stay in that folder. This needs a GPU and those packages, so it is no part of the suite.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEEDS = {"pytorch_streams.py": "torch", "cupy_kernels.py": "cupy", "numba_kernels.py": "numba.cuda",
         "cuda_python_contexts.py": "cuda.bindings.driver"}


def installed(package: str) -> bool:
    return subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True).returncode == 0


def summary(output: str) -> dict[str, int]:
    found = re.findall(r"([a-z ]+): (\d+)", output.strip().splitlines()[-1] if output.strip() else "")
    return {name.strip(): int(number) for name, number in found}


def judge(program: Path, options: argparse.Namespace, folder: Path) -> bool:
    package = NEEDS.get(program.name)
    if package is not None and not installed(package):
        print(f"{program.name}: left out, {package} cannot be imported here")
        return True
    plain = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=600)
    if plain.returncode != 0:
        print(f"{program.name}: fails without the tracer, too: {plain.stderr.strip()[-1500:]}")
        return False
    recording = folder / (program.stem + ".dlrec")
    traced = subprocess.run(
        [str(Path(options.build).resolve() / "driverlab"), "trace", "--quiet", "--driver", options.driver, "--record",
         str(recording), "--", sys.executable, str(program)], capture_output=True, text=True, timeout=600)
    seen = summary(traced.stderr)
    same = plain.stdout == traced.stdout
    good = (traced.returncode == 0 and same and seen.get("calls", 0) > 0 and seen.get("disagreements") == 0
            and seen.get("lost records") == 0)
    size = recording.stat().st_size if recording.exists() else 0
    each = size / seen["calls"] if seen.get("calls") else 0
    print(f"{program.name}: {'good' if good else 'BAD'}: {traced.stdout.strip().splitlines()[-1:]} status "
          f"{traced.returncode}, output {'same' if same else 'other'}, recording {size} bytes, {each:.1f} a call")
    if not good:
        print(traced.stdout[-1500:], traced.stderr[-1500:])
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", type=Path)
    parser.add_argument("--build", default=str(HERE.parents[2] / "build"))
    parser.add_argument("--driver", default="real")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    programs = options.programs or [HERE / name for name in NEEDS]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        results = [judge(program, options, folder) for program in programs]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
