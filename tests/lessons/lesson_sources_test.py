"""Every program of a lesson compiles without a warning: with the embedded toolkit's cuda.h, with the three-argument
cuCtxCreate that CUDA 12 had, and with NVIDIA's header where a toolkit is installed; with each compiler that is here.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import lesson_files as files

ROOT = pathlib.Path(sys.argv.pop(1))
EMBEDDED = [ROOT / "driver" / part for part in ("include", "cudart/include", "nvrtc/include")]
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# What CUDA 12's header has in place of CUDA 13's cuCtxCreate_v4.
CUDA_12 = """#include <cuda.h>
#undef cuCtxCreate
#define cuCtxCreate cuda_12_create
extern "C" CUresult cuda_12_create(CUcontext* context, unsigned flags, CUdevice device);
#undef CUDA_VERSION
#define CUDA_VERSION 12040
"""


def compilers():
    return [path for name in ("g++", "clang++") if (path := shutil.which(name))]


def toolkit():
    for home in (os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/opt/cuda"):
        if home and (pathlib.Path(home) / "include" / "cuda.h").is_file():
            return pathlib.Path(home) / "include"
    return None


class Sources(unittest.TestCase):
    def compile_all(self, includes, extra=(), exercises=False, with_compilers=None):
        """What differs between headers is what lessons call; exercises call less, so one header is enough for them."""
        self.assertTrue(compilers(), "no compiler to test with")
        includes = [word for include in includes for word in ("-isystem", include)]
        jobs = []
        for lesson in files.lessons_and_template(ROOT):
            described = files.description(lesson)
            exercise = described["exercise"]
            names = described["sources"] + [exercise["solution"]]
            if exercises:
                names += [exercise["start"], *(wrong["file"] for wrong in exercise.get("wrong", []))]
            # What holds kernels is compiled as the lab does it, when the lessons are run.
            names = [name for name in names if not name.endswith(".cu")]
            jobs += [(lesson, name, compiler) for name in names for compiler in with_compilers or compilers()]

        def compiled(job):
            lesson, name, compiler = job
            return subprocess.run([compiler, *FLAGS, "-I", ROOT / "lessons", *includes, *extra, lesson / name],
                                  capture_output=True, text=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (lesson, name, compiler), done in zip(jobs, pool.map(compiled, jobs)):
                with self.subTest(source=f"{lesson.name}/{name}", compiler=compiler):
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_they_compile_with_the_embedded_toolkit(self):
        self.compile_all(EMBEDDED, exercises=True)

    def test_they_compile_where_cuCtxCreate_takes_three_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / "cuda_12.hpp"
            header.write_text(CUDA_12)
            self.compile_all(EMBEDDED, ["-include", header], with_compilers=compilers()[:1])

    @unittest.skipUnless(toolkit(), "no CUDA Toolkit is installed here")
    def test_they_compile_with_the_installed_toolkit(self):
        self.compile_all([toolkit()], with_compilers=compilers()[:1])


if __name__ == "__main__":
    unittest.main()
