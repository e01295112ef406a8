#!/usr/bin/env python3
"""Compiles one .cu file with cuda++, runs it, and holds what it prints against the "// prints:" lines at its top.

    run_program.py CUDAXX FILE.cu

"// options:" are more options for cuda++. Standard library only; knows nothing of the program.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def comments(text, word):
    return re.findall(rf"^// {word}: ?(.*)$", text, re.MULTILINE)


def main():
    compiler, source = sys.argv[1], pathlib.Path(sys.argv[2])
    text = source.read_text(encoding="utf-8")
    expected = comments(text, "prints")
    if not expected:
        sys.exit(f"{source} does not say what it prints")
    library = pathlib.Path(compiler).resolve().parent.parent / "lib"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        options = [word for line in comments(text, "options") for word in line.split()]
        built = subprocess.run([compiler, *options, "-Wall", "-o", program, source], capture_output=True, text=True)
        if built.returncode != 0 or built.stderr:
            sys.exit(f"cuda++ ended with {built.returncode}:\n{built.stdout}{built.stderr}")
        environment = {**os.environ, "LD_LIBRARY_PATH": str(library)}
        ran = subprocess.run([program], capture_output=True, text=True, env=environment, timeout=240)
    printed = ran.stdout.splitlines()
    print(ran.stdout + ran.stderr, end="")
    for number in range(max(len(expected), len(printed))):
        want = expected[number] if number < len(expected) else None
        got = printed[number] if number < len(printed) else None
        if want != got:
            sys.exit(f"line {number + 1}: expected {want!r}, printed {got!r}")
    if ran.returncode != 0:
        sys.exit(f"the program ended with {ran.returncode}")
    print(f"{len(printed)} of {len(expected)} lines as expected")


if __name__ == "__main__":
    main()
