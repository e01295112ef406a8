# SPDX-License-Identifier: MIT
# Our nvrtc.h against NVIDIA's, where a toolkit of 13.0 is installed: the same results with the same values, the same
# functions with the same parameters.
#
# usage: compare_header.py OURS
import os
import re
import sys
from pathlib import Path

SKIP = 77


def said(text):
    """Values by name and prototypes by name, however they are spaced."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    values = dict(re.findall(r"(NVRTC_\w+)\s*=\s*(\d+)", text))
    prototypes = {}
    for result, name, parameters in re.findall(r"([\w ]+?[\s*]+)(nvrtc\w+)\s*\(([^;{]*)\)\s*;", text):
        if name != "nvrtcGetTypeName" and "return" not in result:
            whole = " ".join((result + name + "(" + parameters + ")").split())
            prototypes[name] = re.sub(r"\s*([*,()])\s*", r"\1", whole)
    return values, prototypes


def main():
    theirs = Path(os.environ.get("CUDA_PATH", "/usr/local/cuda")) / "include" / "nvrtc.h"
    version = theirs.with_name("cuda.h")
    if not theirs.exists() or "define CUDA_VERSION 13000" not in version.read_text():
        print("skipped: no CUDA Toolkit 13.0 here")
        return SKIP
    ours = said(Path(sys.argv[1]).read_text())
    wanted = said(theirs.read_text())
    if len(wanted[0]) < 18 or len(wanted[1]) < 24:
        print("their header could not be read:", len(wanted[0]), len(wanted[1]))
        return 1
    faults = 0
    for mine, its in zip(ours, wanted):
        for name in sorted(set(mine) | set(its)):
            if mine.get(name) != its.get(name):
                print(name, "is", mine.get(name), "and should be", its.get(name))
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
