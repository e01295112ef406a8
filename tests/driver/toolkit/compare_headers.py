#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds our own cuda.h against that of a CUDA Toolkit: every value, layout, signature and name must be equal.

    compare_headers.py COMPILER OURS [--toolkit FOLDER] [--runtime]

Where there is no toolkit, or one of another version, exit status 77 says that nothing was compared. The header
is compiled in its three modes: as programs get it, with a default stream per thread, and with all old versions. --runtime compares
cuda_runtime_api.h instead, which has no old versions.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
MODES = {
    "default": [],
    "default stream per thread": ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"],
    "all versions": ["-D__CUDA_API_VERSION_INTERNAL"],
}
RUNTIME_MODES = {"default": [], "default stream per thread": ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]}
# Types may be spelled in different ways that mean the same to every compiler on LP64.
SAME_TYPES = ((r"\blong unsigned int\b", "unsigned long"), (r"\blong long unsigned int\b", "unsigned long long"))


def find_toolkit(given: str | None) -> Path | None:
    nvcc = shutil.which("nvcc")
    candidates = [given] if given else [
        os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"),
        str(Path(nvcc).resolve().parent.parent) if nvcc else None, "/usr/local/cuda", "/opt/cuda", "/usr"]
    for folder in candidates:
        for include in ("include", "targets/x86_64-linux/include"):
            if folder and (Path(folder) / include / "cuda.h").exists():
                return Path(folder) / include
    return None


def version_of(include: Path, header: str) -> int:
    text = (include / header).read_text(encoding="utf-8", errors="replace")
    found = re.search(r"^\s*#\s*define\s+CUDA(?:RT)?_VERSION\s+(\d+)", text, re.MULTILINE)
    return int(found.group(1)) if found else 0


def answers(compiler: str, include: Path, mode: list[str]) -> dict[str, str]:
    """What the header says: 'size CUuuid' -> '16'."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "print_header"
        command = [compiler, "-std=c++20", "-O0", "-w", f"-isystem{include}", f"-I{HERE / 'generated'}", *mode,
                   str(HERE / "print_header.cpp"), "-o", str(program)]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\n{built.stderr[:4000]}")
        output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return dict(line.split(": ", 1) for line in output.splitlines())


def plain(answer: str) -> str:
    for pattern, replacement in SAME_TYPES:
        answer = re.sub(pattern, replacement, answer)
    return answer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("compiler")
    parser.add_argument("ours", type=Path)
    parser.add_argument("--toolkit")
    parser.add_argument("--runtime", action="store_true")
    options = parser.parse_args()
    header = "cuda_runtime_api.h" if options.runtime else "cuda.h"
    modes = {name: [*flags, "-DPRINT_RUNTIME"] for name, flags in RUNTIME_MODES.items()} if options.runtime else MODES
    theirs = find_toolkit(options.toolkit)
    if theirs is None:
        print(f"skipped: there is no CUDA Toolkit here to compare our {header} with")
        return SKIPPED
    if version_of(theirs, header) != version_of(options.ours, header):
        print(f"skipped: {theirs} is of version {version_of(theirs, header)}, our {header} of "
              f"{version_of(options.ours, header)}")
        return SKIPPED
    different = 0
    for name, mode in modes.items():
        a, b = answers(options.compiler, options.ours, mode), answers(options.compiler, theirs, mode)
        unequal = [key for key in a if plain(a[key]) != plain(b.get(key, "nothing"))]
        print(f"{name}: {len(a) - len(unequal)} of {len(a)} answers equal")
        for key in unequal[:50]:
            print(f"  {key}: ours {a[key]}, the toolkit's {b.get(key, 'nothing')}")
        different += len(unequal)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
