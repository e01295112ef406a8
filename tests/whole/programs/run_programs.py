#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds and runs the programs of this folder on every toolkit and driver that is there; each must print what
expected/ says, wherever it runs. Prints the table of which ran where.

    run_programs.py [--embedded FOLDER] [--only COLUMN] [--but COLUMN] [--work FOLDER] [PROGRAM…]

FOLDER is build/embedded, COLUMN the name of a column of the table. Without it only the real driver is asked: the folder of this script, g++ and NVIDIA's toolkit
(CUDA_PATH, /usr/local/cuda) are all that it needs. Uses only Python's standard library; does not depend on any program.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS = 240
SKIP = 77


def options_of(source):
    """More options for the compiler, which "// options:" at the top of a source names."""
    lines = re.findall(r"^// options: ?(.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    return [word for line in lines for word in line.split()]


def kind_of(source):
    if source.suffix == ".cu":
        return "runtime"
    return "NVRTC" if source.name.startswith("nvrtc_") else "driver"


# Where it is there, it keeps what was compiled.
CCACHE = [found for found in [shutil.which("ccache")] if found]


def compiled_by_cxx(include, libraries):
    """The commands for a program of the driver API and NVRTC."""

    def commands(source, program):
        if source.suffix != ".cpp":
            return None
        object_file = program.with_name(program.name + ".o")
        return [[*CCACHE, "g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-pthread",
                 *[word for folder in include for word in ("-isystem", folder)], "-c", "-o", object_file, source],
                ["g++", "-pthread", "-o", program, object_file, *libraries]]

    return commands


def compiled_by(compiler, *options):
    """The commands for a program of the runtime."""

    def commands(source, program):
        if source.suffix != ".cu":
            return None
        return [[compiler, *options, *options_of(source), "-o", program, source, "-lcuda"]]

    return commands


def either(first, second):
    return lambda source, program: first(source, program) or second(source, program)


def embedded_columns(folder):
    """The toolkit as that of CUDA 13, and as that of 12: other headers, libcudart.so.12 and libnvrtc.so.12."""
    library = folder / "lib"
    for major in ("13", "12"):
        headers = [folder / "include"] if major == "13" else [folder / "include" / major, folder / "include"]
        yield ("embedded, " + major, str(library),
               either(compiled_by_cxx(headers, [f"-L{library}", f"-l:libnvrtc.so.{major}", "-lcuda"]),
                      compiled_by(folder / "bin" / "cuda++", f"--cuda={major}", "-Wall")))


def columns(embedded):
    """What there is to build with and to run on, as (name, folder of libraries, commands); and why something is missing."""
    found, missing = [], []
    if embedded is not None:
        found += embedded_columns(embedded)
    toolkit = Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    nvcc = compiled_by(toolkit / "bin" / "nvcc", "-std=c++17", "-cudart", "shared", "-gencode", "arch=compute_75,code=compute_75",
                       "-L", toolkit / "lib64" / "stubs")
    if embedded is not None:
        if (toolkit / "bin" / "nvcc").exists():
            found.append(("nvcc's, embedded", str(embedded / "lib"), nvcc))
        else:
            missing.append("nvcc's, embedded: no nvcc here")
    if not Path("/dev/nvidia0").exists():
        missing.append("real: no NVIDIA GPU here")
    elif not (toolkit / "bin" / "nvcc").exists():
        missing.append(f"real: no toolkit of NVIDIA's in {toolkit} (CUDA_PATH)")
    else:
        cxx = compiled_by_cxx([toolkit / "include"], [f"-L{toolkit}/lib64", f"-L{toolkit}/lib64/stubs", "-lnvrtc", "-lcuda"])
        found.append(("real", str(toolkit / "lib64"), either(cxx, nvcc)))
    return found, missing


def build(commands):
    """What is wrong with a build; nothing when all is well."""
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, LC_ALL="C"))
        if done.returncode != 0 or "warning" in done.stderr:
            return f"the build ended with {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return ""


def run(program, libraries, expected):
    """What is wrong with a run; nothing when all is well."""
    environment = dict(os.environ, LD_LIBRARY_PATH=libraries)
    try:
        done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired as ended:
        return f"did not end within {SECONDS} s, printed:\n{(ended.stdout or b'').decode()}"
    if done.returncode != 0 or done.stdout != expected:
        return f"ended with {done.returncode}, printed:\n{done.stdout}{done.stderr}instead of:\n{expected}"
    return ""


def ask(source, column, work):
    """The word for a cell of the table, and what is wrong."""
    name, libraries, commands_for = column
    program = work / (source.stem + "." + re.sub(r"\W+", "_", name))
    commands = commands_for(source, program)
    if commands is None:
        return "-", ""
    fault = build(commands)
    if fault:
        return "not built", fault
    fault = run(program, libraries, (HERE / "expected" / (source.stem + ".txt")).read_text(encoding="utf-8"))
    return ("differs" if fault else "same"), fault


def table(sources, found, work):
    """Prints the table row by row; what is wrong, in words."""
    faults = []
    print(f"{'program':28} {'API':8} " + " ".join(f"{name:17}" for name, _, _ in found))
    with ThreadPoolExecutor(max(1, os.cpu_count() or 1)) as pool:
        rows = [(source, [pool.submit(ask, source, column, work) for column in found]) for source in sources]
        for source, cells in rows:
            answers = [cell.result() for cell in cells]
            print(f"{source.stem:28} {kind_of(source):8} " + " ".join(f"{word:17}" for word, _ in answers), flush=True)
            faults += [f"{source.name}, {column[0]}: {fault}" for column, (_, fault) in zip(found, answers) if fault]
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--embedded", type=Path)
    parser.add_argument("--only", help="this column alone")
    parser.add_argument("--but", help="every column except this one")
    parser.add_argument("--work", type=Path)
    parser.add_argument("programs", nargs="*")
    wanted = parser.parse_args()
    sources = sorted([*HERE.glob("*.cpp"), *HERE.glob("*.cu")], key=lambda source: (kind_of(source), source.name))
    sources = [source for source in sources if not wanted.programs or source.stem in wanted.programs]
    found, missing = columns(wanted.embedded)
    for named in filter(None, (wanted.only, wanted.but)):
        if named not in [name for name, _, _ in found]:
            print(f"There is no column {named}; there are: {'; '.join(name for name, _, _ in found)}")
            return 2
    found = [column for column in found if wanted.only in (None, column[0]) and column[0] != wanted.but]
    if not found or not sources:
        print("nothing to build or nothing to run on:", *missing, sep="\n")
        return 1 if wanted.embedded else SKIP
    with tempfile.TemporaryDirectory() as folder:
        work = wanted.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        faults = table(sources, found, work)
    print(*missing, f"{len(sources)} programs, {len(faults)} faults", sep="\n")
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
