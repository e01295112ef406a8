# SPDX-License-Identifier: MIT
"""Every program of a lesson compiles without a warning, and the C of its libraries too: with the embedded toolkit's
cuda.h, with the three-argument cuCtxCreate that CUDA 12 had, with NVIDIA's headers of CUDA 12 where tools/cuda12_headers
has got them, and with those of a toolkit that is installed; with each compiler that is here.

    lesson_sources_test.py ROOT                    the embedded toolkit, with clang where it is here
    lesson_sources_test.py ROOT all                the same with the other compilers; cuCtxCreate of CUDA 12; an installed toolkit
    lesson_sources_test.py ROOT VERSION FOLDER     those headers only, status 77 where there are none

What compiled once is not compiled again while its source, all headers that it may include, the compiler and the options are
the same. An empty file in the folder of ccache, which outlives a build, stands for each such compilation.
"""
import concurrent.futures
import hashlib
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


CACHE = pathlib.Path(os.environ.get("CCACHE_DIR") or pathlib.Path.home() / ".cache/ccache") / "lessons_that_compile"


def digest(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "surrogateescape")).hexdigest()


def headers_digest(folders):
    """Of the names and contents of all headers in these folders and below."""
    headers = sorted(path for folder in folders for path in folder.rglob("*")
                     if path.suffix in (".h", ".hpp", ".inl", "") and path.is_file())
    return digest(*(word for path in headers for word in (path, hashlib.sha256(path.read_bytes()).hexdigest())))


class Compiling(unittest.TestCase):
    def compile_all(self, includes, before="", programs=(), starts=(), wrong_answers=()):
        """Compiles the lessons' programs, with solutions and libraries, and the exercises, by the compilers given.

        What differs between headers is what lessons call; exercises call less, so one header is enough for them.
        """
        headers = headers_digest([*includes, ROOT / "lessons"])
        includes = [word for include in includes for word in ("-isystem", include)]
        scratch = self.enterContext(tempfile.TemporaryDirectory())
        ahead, known = {}, {}
        for compiler in {*programs, *starts, *wrong_answers}:
            folder = pathlib.Path(scratch, pathlib.Path(compiler).name)
            folder.mkdir()
            ahead[compiler] = read_ahead(compiler, folder, includes, before)
            version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
            known[compiler] = digest(pathlib.Path(__file__).read_text(encoding="utf-8"), version, before, headers)
        jobs = []
        for lesson in files.lessons_and_template(ROOT):
            described = files.description(lesson)
            exercises_here = files.exercises(lesson)
            names = described["sources"] + [exercise["solution"] for exercise in exercises_here]
            names += [source for library in described.get("library", []) for source in library["sources"]]
            begun = [exercise["start"] for exercise in exercises_here]
            wrong = [answer["file"] for exercise in exercises_here for answer in exercise.get("wrong", [])]
            # What holds kernels is compiled as the lab does it, when the lessons are run.
            jobs += [(lesson, name, compiler)
                     for group, chosen in ((names, programs), (begun, starts), (wrong, wrong_answers))
                     for name in group for compiler in chosen if not name.endswith(".cu")]
        self.assertTrue(jobs, "nothing to compile, or no compiler")

        def compiled(job):
            lesson, name, compiler = job
            first = [] if name.endswith(".c") else ahead[compiler]
            remembered = CACHE / digest(known[compiler], lesson / name, (lesson / name).read_text(encoding="utf-8"))
            if remembered.exists():
                return None
            done = subprocess.run([compiler, *FLAGS, *language(name), *first, "-I", ROOT / "lessons", "-I", lesson,
                                   *includes, lesson / name], capture_output=True, text=True)
            if done.returncode == 0:
                remembered.touch()
            return done

        CACHE.mkdir(parents=True, exist_ok=True)
        made = 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (lesson, name, compiler), done in zip(jobs, pool.map(compiled, jobs)):
                with self.subTest(source=f"{lesson.name}/{name}", compiler=compiler):
                    made += done is not None
                    self.assertEqual(done.returncode if done else 0, 0, done and done.stderr)
        print(f"{made} compilations, {len(jobs) - made} known to compile")


@unittest.skipIf(VERSION or ALL, "something else is asked for")
class Sources(Compiling):
    def test_they_compile_with_the_embedded_toolkit(self):
        self.compile_all(EMBEDDED, programs=compilers()[-1:], starts=compilers()[-1:])


@unittest.skipUnless(ALL, "not all is asked for")
class OtherWays(Compiling):
    def test_wrong_answers_compile_too(self):
        self.compile_all(EMBEDDED, wrong_answers=compilers()[-1:])

    @unittest.skipIf(len(compilers()) < 2, "there is one compiler here")
    def test_they_compile_with_the_other_compilers(self):
        self.compile_all(EMBEDDED, programs=compilers()[:-1], starts=compilers()[:-1], wrong_answers=compilers()[:-1])

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
