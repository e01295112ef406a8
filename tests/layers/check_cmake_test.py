# SPDX-License-Identifier: MIT
"""check_cmake.py finds what it is for and nothing else; and look_for() itself, in a tiny project that is configured again
and again while programs, files and a package come and go.

    check_cmake_test.py CMAKE PROJECT
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import check_cmake

CMAKE, PROJECT = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))


class TheCheck(unittest.TestCase):
    def test_what_keeps_its_result_is_found(self):
        for text in ("find_program(nvcc nvcc)", "find_program(\n  nvcc\n  nvcc NO_CACHE)", "FIND_FILE(x y)", "find_path(x y)",
                     "find_library(x y)", "find_package(OpenCL QUIET)", "pkg_check_modules(mpfr mpfr)",
                     "check_cxx_source_compiles(\"\" works)", "try_compile(a b)", "set(WORKS ON CACHE INTERNAL \"\")"):
            with self.subTest(text):
                self.assertEqual([line for line, _ in check_cmake.mistakes(f"\n{text}\n")], [2])

    def test_what_is_required_or_our_own_is_not(self):
        text = ("# find_program(nvcc nvcc)\nlook_for(program nvcc NAMES nvcc)\nlook_for_package(OpenCL)\n"
                "find_package(PkgConfig REQUIRED)\npkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)\n"
                "set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING \"\" FORCE)\nset(x y)\n")
        self.assertEqual(check_cmake.mistakes(text), [])


class LookingFor(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.here = pathlib.Path(self.folder.name)
        (self.here / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(tiny NONE)\n"
            f"include({PROJECT}/cmake/look_for.cmake)\n"
            "look_for(program tool NAMES a-tool-of-this-test)\n"
            "look_for(file header NAMES a_header.h HINTS ${CMAKE_SOURCE_DIR}/include)\n"
            "look_for_package(Thing)\n"
            "message(STATUS \"tool=${tool} header=${header} thing=${Thing_FOUND} clang=${DRIVERLAB_CLANGXX}\")\n")
        (self.here / "bin").mkdir()

    def configure(self):
        environment = dict(os.environ, PATH=f"{self.here}/bin:/usr/bin:/bin", CMAKE_PREFIX_PATH=str(self.here))
        done = subprocess.run([CMAKE, "-G", "Ninja", "-S", self.here, "-B", self.here / "build"], capture_output=True, text=True,
                              env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        line = next(line for line in done.stdout.splitlines() if "tool=" in line)
        return dict(word.split("=", 1) for word in line[3:].split())

    def put(self, name, text="#!/bin/sh\n"):
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def test_each_configure_finds_what_is_there_then(self):
        for _ in range(2):
            found = self.configure()
            self.assertEqual((found["tool"], found["header"]), ("tool-NOTFOUND", "header-NOTFOUND"))
            self.assertNotIn(found["thing"], ("1", "TRUE"))
            made = [self.put("bin/a-tool-of-this-test"), self.put("include/a_header.h"), self.put("bin/clang++-19"),
                    self.put("lib/cmake/Thing/ThingConfig.cmake", "set(Thing_FOUND TRUE)\n")]
            found = self.configure()
            self.assertEqual([found["tool"], found["header"], found["clang"]], [str(path) for path in made[:3]])
            self.assertIn(found["thing"], ("1", "TRUE"))
            for path in made:
                path.unlink()

    def test_what_an_older_cache_kept_is_forgotten(self):
        self.configure()
        with open(self.here / "build/CMakeCache.txt", "a") as cache:
            cache.write("\ntool:FILEPATH=/no/longer/there\nDRIVERLAB_CLANGXX:FILEPATH=/usr/bin/clang++-14\n")
        found = self.configure()
        self.assertEqual(found["tool"], "tool-NOTFOUND")
        self.assertNotIn("14", found["clang"])

    def test_a_compiler_that_is_gone_is_looked_for_again(self):
        """By tools/lab and tools/test: CMake itself stops where the compiler in its cache is gone."""
        (self.here / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(tiny C)\n")
        (self.here / "CMakePresets.json").write_text(
            '{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build"}]}')
        compiler = self.here / "bin/a-compiler"
        compiler.symlink_to(shutil.which("cc"))
        script = f'. "{PROJECT}/tools/common.sh"; root={self.here}; configure release'
        for there in (True, False):
            environment = dict(os.environ, CC=str(compiler) if there else "cc")
            if not there:
                compiler.unlink()
            done = subprocess.run(["sh", "-c", script, f"{PROJECT}/tools/lab"], capture_output=True, text=True, env=environment)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Once more", done.stdout)


if __name__ == "__main__":
    unittest.main()
