#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--stacks on programs as they are: plain, optimised and inlined, through a library that is not the user's, from
threads, and from Python; and a run without it, which has none.

    stacks_test.py PROJECT DRIVERLAB
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT, DRIVERLAB = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
TOOLKIT = pathlib.Path(os.environ.get("DRIVERLAB_LIBRARIES", DRIVERLAB.parent)) / "embedded"
MAIN = """#include <cuda.h>
extern "C" void library_call(void (*back)()), *dlsym(void*, const char*);
static inline __attribute__((always_inline)) void inlined() {
  int count = 0;
  cuDeviceGetCount(&count);  // line 5
}
__attribute__((noinline)) void outer() {
  inlined();  // line 8
  asm volatile("");
}
void called_back() {
  int version = 0;
  cuDriverGetVersion(&version);  // line 13
  asm volatile("");
}
int main() {
  cuInit(0);  // line 17
  outer();  // line 18
  library_call(nullptr);  // line 19
  library_call(called_back);  // line 20
  // A function that no description has: recorded by its name alone.
  auto by_name = reinterpret_cast<int (*)()>(dlsym(nullptr, "cuGLInit"));
  by_name();  // line 23
}
"""
LIBRARY = """#include <cuda.h>
extern "C" void library_call(void (*back)()) {
  CUdevice device;
  if (back) back();
  else cuDeviceGet(&device, 0);
  asm volatile("");
}
"""
PYTHON = """import ctypes
cuda = ctypes.{loader}("libcuda.so.1")
def inner():
    cuda.cuInit(0)  # line 4
def outer():
    inner()  # line 6
outer()  # line 7
"""


class Stacks(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.mine, self.theirs = self.folder / "mine", self.folder / "theirs"
        self.mine.mkdir()
        self.theirs.mkdir()

    def tearDown(self):
        self.temporary.cleanup()

    def trace(self, *command, stacks=True):
        """Pairs of a call and the frames of the stack before it, or None."""
        done = subprocess.run([DRIVERLAB, "trace", "--driver", "embedded", "--events", "-", *(["--stacks"] if stacks else []),
                               "--record", self.folder / "run.dlrec", "--", *map(str, command)],
                              cwd=self.mine, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        replayed = subprocess.run([DRIVERLAB, "replay", self.folder / "run.dlrec", "--events", "-"], capture_output=True, text=True)
        self.assertEqual(replayed.stdout, done.stdout, "a recording says the same")
        self.assertEqual([line["seq"] for line in lines], list(range(len(lines))))
        return [(line, before.get("frames") if before.get("event") == "stack" else None)
                for before, line in zip([{}] + lines, lines) if "event" not in line]

    def program(self, *options):
        (self.mine / "main.cpp").write_text(MAIN)
        (self.theirs / "library.cpp").write_text(LIBRARY)
        common = ["-g", "-I", TOOLKIT / "include", "-L", TOOLKIT / "lib", *options]
        subprocess.run(["g++", *common, "-shared", "-fPIC", "library.cpp", "-o", "libtheirs.so", "-lcuda"], cwd=self.theirs, check=True)
        subprocess.run(["g++", *common, "main.cpp", "-o", "main", "-L", self.theirs, "-ltheirs", f"-Wl,-rpath,{self.theirs}", "-lcuda"],
                       cwd=self.mine, check=True)
        return self.mine / "main"

    def check_frames(self, *options):
        calls = {call["name"]: (call, frames) for call, frames in self.trace(self.program(*options))}
        places = lambda name: [(frame["function"], frame["line"]) for frame in calls[name][1] if frame["file"] == "main.cpp"]
        self.assertEqual(places("cuInit"), [("main", 17)])
        self.assertEqual(places("cuDeviceGetCount"), [("inlined", 5), ("outer", 8), ("main", 18)])
        self.assertEqual(places("cuDeviceGet"), [("main", 19)])
        self.assertEqual(places("cuDriverGetVersion"), [("called_back", 13), ("main", 20)])
        self.assertEqual(places("cuGLInit"), [("main", 23)])
        for name in ("cuDeviceGet", "cuDriverGetVersion"):
            functions = [frame["function"] for frame in calls[name][1]]
            self.assertIn("library_call", functions)
            self.assertLess(functions.index("library_call"), functions.index("main"))
        # The innermost frame in the user's code is the line that is shown.
        self.assertEqual([(calls[name][0]["file"], calls[name][0]["line"]) for name in calls],
                         [("main.cpp", line) for line in (17, 5, 19, 13, 23)])

    def test_plain(self):
        self.check_frames("-O0")

    def test_optimised_without_frame_pointers(self):
        self.check_frames("-O2", "-fomit-frame-pointer", "-fno-optimize-sibling-calls")

    def test_a_library_without_debug_information_has_function_names(self):
        program = self.program("-O1", "-fno-optimize-sibling-calls")
        subprocess.run(["strip", "--strip-debug", self.theirs / "libtheirs.so"], check=True)
        calls = {call["name"]: frames for call, frames in self.trace(program)}
        self.assertEqual([(frame["function"], frame["line"]) for frame in calls["cuDeviceGet"]][:2], [("library_call", None), ("main", 19)])

    def test_nothing_is_recorded_unasked(self):
        self.assertTrue(all(frames is None for _, frames in self.trace(self.program(), stacks=False)))

    def test_python_by_function_and_line_where_it_may_be_asked(self):
        (self.mine / "script.py").write_text(PYTHON.format(loader="PyDLL"))
        [(call, frames)] = self.trace(sys.executable, "script.py")
        self.assertEqual([(frame["function"], frame["file"], frame["line"]) for frame in frames if frame["file"] == "script.py"],
                         [("inner", "script.py", 4), ("outer", "script.py", 6), ("<module>", "script.py", 7)])
        self.assertEqual((call["file"], call["line"]), ("script.py", 4))

    def test_python_is_left_alone_where_the_thread_does_not_hold_its_lock(self):
        (self.mine / "script.py").write_text(PYTHON.format(loader="CDLL"))
        [(call, frames)] = self.trace(sys.executable, "script.py")
        self.assertFalse([frame for frame in frames if frame["file"] == "script.py"])
        self.assertGreater(len(frames), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
