# SPDX-License-Identifier: MIT
"""Every program of a lesson compiles without a warning, and the C of its libraries too: with the embedded toolkit's
cuda.h, with the three-argument cuCtxCreate that CUDA 12 had, with NVIDIA's headers of CUDA 12 where tools/cuda12_headers
has got them, and with those of a toolkit that is installed; with each compiler that is here.

    lesson_sources_test.py ROOT                    the embedded toolkit, with clang where it is here
    lesson_sources_test.py ROOT all                the same with the other compilers; cuCtxCreate of CUDA 12; an installed toolkit
    lesson_sources_test.py ROOT VERSION FOLDER     those headers only, status 77 where there are none
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import lesson_files as files

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
ALL = sys.argv[1:2] == ["all"] and sys.argv.pop(1)
VERSION, FOLDER = (sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))) if len(sys.argv) > 2 else (None, None)
EMBEDDED = [ROOT / "driver" / part for part in ("generated/include", "cudart/include", "cudart/generated/include", "nvrtc/include")]
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# What CUDA 12's header has in place of CUDA 13's cuCtxCreate_v4.
CUDA_12 = """#include <cuda.h>
#undef cuCtxCreate
#define cuCtxCreate cuda_12_create
extern "C" CUresult cuda_12_create(CUcontext* context, unsigned flags, CUdevice device);
#undef CUDA_VERSION
#define CUDA_VERSION 12040
"""


def compilers():
    return [path for name in ("g++", "clang++-19") if (path := shutil.which(name))]


def toolkit():
    for home in (os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/opt/cuda"):
        if home and (pathlib.Path(home) / "include" / "cuda.h").is_file():
            return pathlib.Path(home) / "include"
    return None


def language(name):
    return ["-x", "c", "-std=c11"] if name.endswith(".c") else ["-std=c++20"]


def read_ahead(compiler, folder, includes, before):
    """Options with which a compiler need not read check.hpp, with which nearly all begin, and what that includes anew.

    g++ takes it only in place of the first include, so a source that forgets to include what it uses is found.
    """
    header = folder / "check.hpp"
    header.write_text(f'{before}#include "{ROOT / "lessons/check.hpp"}"\n')
    gnu = "clang" not in pathlib.Path(compiler).name
    made = folder / ("check.hpp.gch" if gnu else "check.hpp.pch")
    subprocess.run([compiler, *FLAGS[1:], *language("check.hpp"), "-x", "c++-header", *includes, header, "-o", made],
                   check=True)
    return ["-I", folder] if gnu and not before else ["-include", header]


class Compiling(unittest.TestCase):
    def compile_all(self, includes, before="", programs=(), exercises=()):
        """Compiles the lessons' programs, with solutions and libraries, and the exercises, by the compilers given.

        What differs between headers is what lessons call; exercises call less, so one header is enough for them.
        """
        includes = [word for include in includes for word in ("-isystem", include)]
        scratch = self.enterContext(tempfile.TemporaryDirectory())
        ahead = {}
        for compiler in {*programs, *exercises}:
            folder = pathlib.Path(scratch, pathlib.Path(compiler).name)
            folder.mkdir()
            ahead[compiler] = read_ahead(compiler, folder, includes, before)
        jobs = []
        for lesson in files.lessons_and_template(ROOT):
            described = files.description(lesson)
            exercises_here = files.exercises(lesson)
            names = described["sources"] + [exercise["solution"] for exercise in exercises_here]
            names += [source for library in described.get("library", []) for source in library["sources"]]
            of_exercise = [name for exercise in exercises_here for name in files.programs_of(exercise)
                           if name != exercise["solution"]]
            # What holds kernels is compiled as the lab does it, when the lessons are run.
            jobs += [(lesson, name, compiler) for name in names for compiler in programs if not name.endswith(".cu")]
            jobs += [(lesson, name, compiler) for name in of_exercise for compiler in exercises
                     if not name.endswith(".cu")]
        self.assertTrue(jobs, "nothing to compile, or no compiler")

        def compiled(job):
            lesson, name, compiler = job
            first = [] if name.endswith(".c") else ahead[compiler]
            return subprocess.run([compiler, *FLAGS, *language(name), *first, "-I", ROOT / "lessons", "-I", lesson,
                                   *includes, lesson / name], capture_output=True, text=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (lesson, name, compiler), done in zip(jobs, pool.map(compiled, jobs)):
                with self.subTest(source=f"{lesson.name}/{name}", compiler=compiler):
                    self.assertEqual(done.returncode, 0, done.stderr)
        print(f"{len(jobs)} compilations")


@unittest.skipIf(VERSION or ALL, "something else is asked for")
class Sources(Compiling):
    def test_they_compile_with_the_embedded_toolkit(self):
        self.compile_all(EMBEDDED, programs=compilers()[-1:], exercises=compilers()[-1:])


@unittest.skipUnless(ALL, "not all is asked for")
class OtherWays(Compiling):
    @unittest.skipIf(len(compilers()) < 2, "there is one compiler here")
    def test_they_compile_with_the_other_compilers(self):
        self.compile_all(EMBEDDED, programs=compilers()[:-1], exercises=compilers()[:-1])

    def test_they_compile_where_cuCtxCreate_takes_three_arguments(self):
        self.compile_all(EMBEDDED, CUDA_12, programs=compilers())

    @unittest.skipUnless(toolkit(), "no CUDA Toolkit is installed here")
    def test_they_compile_with_the_installed_toolkit(self):
        self.compile_all([toolkit()], programs=compilers()[:1])


@unittest.skipUnless(VERSION, "no version is asked for")
class NvidiaHeaders(Compiling):
    def test_they_compile_with_the_headers_of_this_version(self):
        number = re.search(r"define CUDA_VERSION (\d+)", (FOLDER / VERSION / "cuda.h").read_text(encoding="latin-1"))
        self.assertEqual(VERSION, f"{int(number[1]) // 1000}.{int(number[1]) % 1000 // 10}")
        self.compile_all([FOLDER / VERSION], programs=compilers()[:1])


if __name__ == "__main__":
    if VERSION and not (FOLDER / VERSION / "cuda.h").is_file():
        print(f"skipped: no headers of CUDA {VERSION} in {FOLDER}; tools/cuda12_headers gets them")
        sys.exit(77)
    unittest.main()
