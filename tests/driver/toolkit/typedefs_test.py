#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our cudaTypedefs.h: it compiles as C and C++ in every mode, and each of its types is the one of a CUDA Toolkit's.

    typedefs_test.py C-COMPILER C++-COMPILER OURS        status 77: compiled, but there is no toolkit to compare with
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import compare_headers

MODES = ([], ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"], ["-D__CUDA_API_VERSION_INTERNAL"])
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def names(compiler, include):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "names.cpp")
        source.write_text("#include <cudaTypedefs.h>\n")
        done = subprocess.run([compiler, "-E", "-D__CUDA_API_VERSION_INTERNAL", "-I", include, source],
                              capture_output=True, text=True, check=True)
    return set(re.findall(r"\bPFN_cu\w+", done.stdout))


def types(compiler, include, wanted):
    """Each name with the type behind it, as the compiler writes it."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "types.cpp"), pathlib.Path(folder, "types")
        source.write_text("#include <cudaTypedefs.h>\n#include <cstdio>\n#include <typeinfo>\nint main() {\n" + "".join(
            f'  std::printf("%s %s\\n", "{name}", typeid({name}).name());\n' for name in sorted(wanted)) + "}\n")
        subprocess.run([compiler, "-w", "-D__CUDA_API_VERSION_INTERNAL", "-I", include, source, "-o", program], check=True)
        return dict(line.split(" ", 1) for line in subprocess.run([program], capture_output=True, text=True,
                                                                  check=True).stdout.splitlines())


def main():
    c_compiler, cpp_compiler, ours = sys.argv[1:4]
    for language, compiler in (("-xc -std=c11", c_compiler), ("-xc++ -std=c++20", cpp_compiler)):
        for mode in MODES:
            subprocess.run([compiler, *language.split(), *WARNINGS, *mode, "-fsyntax-only", "-I", ours, "-"],
                           input="#include <cudaTypedefs.h>\nPFN_cuMemAlloc_v3020 allocate;\n", text=True, check=True)
    toolkit = compare_headers.find_toolkit(None)
    if not toolkit or compare_headers.version_of(toolkit, "cuda.h") != compare_headers.version_of(pathlib.Path(ours), "cuda.h"):
        print("compiled; compared with nothing: no CUDA Toolkit of this version is installed here")
        return 77
    mine, theirs = names(cpp_compiler, ours), names(cpp_compiler, toolkit)
    if mine != theirs:
        print(f"only ours: {sorted(mine - theirs)}\nonly the toolkit's: {sorted(theirs - mine)}")
        return 1
    first, second = types(cpp_compiler, ours, mine), types(cpp_compiler, toolkit, theirs)
    different = [name for name in sorted(mine) if first[name] != second[name]]
    for name in different:
        print(f"{name}: ours {first[name]}, the toolkit's {second[name]}")
    print(f"{len(mine) - len(different)} of {len(mine)} types are those of {toolkit}")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
