#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of the runtime and of NVRTC in the trace: programs that were built for the embedded toolkit, traced on the embedded
driver, and judged by the lines of --events, of a recording, and of the terminal.

Usage: runtime_trace_test.py DRIVERLAB. It does not depend on how calls are recorded.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from home import environment_at

DRIVERLAB = pathlib.Path(sys.argv.pop(1)).resolve()
BUILD = DRIVERLAB.parent
EMBEDDED = pathlib.Path(os.environ.get("DRIVERLAB_LIBRARIES", BUILD)) / "embedded"
TRACER = EMBEDDED.parent / "trace"
TOOLKIT = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))

RUNTIME = r"""
#include <cstdio>
#include <thread>
#include <cuda_runtime.h>
__global__ void twice(int* at) { *at *= 2; }
int main() {
  int *at = nullptr, value = 21;
  if (cudaMalloc(&at, 1024) != cudaSuccess) return 1;
  cudaMemcpy(at, &value, sizeof value, cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(at);
  cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost);
  cudaSetDevice(99);
  std::thread([] { cudaFree(nullptr); }).join();
  cudaFree(at);
  std::printf("%d %s\n", value, cudaGetErrorString(cudaGetLastError()));
  return value == 42 ? 0 : 2;
}
"""
NVRTC = r"""
#include <cstdio>
#include <string>
#include <nvrtc.h>
int main() {
  nvrtcProgram program = nullptr;
  const char* source = "template <class T> __global__ void k(T* p) { *p = 1; }";
  if (nvrtcCreateProgram(&program, source, "k.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) return 1;
  nvrtcAddNameExpression(program, "k<int>");
  const char* options[] = {"--gpu-architecture=compute_75", "-DX=1"};
  if (nvrtcCompileProgram(program, 2, options) != NVRTC_SUCCESS) return 2;
  const char* lowered = nullptr;
  nvrtcGetLoweredName(program, "k<int>", &lowered);
  std::printf("%s\n", lowered);
  const char* wrong[] = {"--no-such-option"};
  if (nvrtcCompileProgram(program, 1, wrong) != NVRTC_ERROR_INVALID_OPTION) return 3;
  return nvrtcDestroyProgram(&program);
}
"""


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].replace("@@", "@") for line in lines.splitlines() if " A " not in line}


def spans(calls):
    return [(call["t_ns"], call["t_ns"] + call["dur_ns"]) for call in calls]


class RuntimeTrace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="driverlab_runtime_")
        cls.home = pathlib.Path(cls.folder.name)
        cls.environment = environment_at(cls.home)
        for name, text in (("runtime.cu", RUNTIME), ("nvrtc.cpp", NVRTC)):
            (cls.home / name).write_text(text, encoding="utf-8")
        cls.run_tool([EMBEDDED / "bin/cuda++", "-std=c++17", "-g", "-O0", "runtime.cu", "-o", "runtime", "-pthread"])
        compiler = shutil.which("g++") or shutil.which("clang++-19")
        cls.run_tool([compiler, "-g", "-I", EMBEDDED / "include", "nvrtc.cpp", "-o", "nvrtc", "-L", EMBEDDED / "lib",
                      "-lnvrtc", f"-Wl,--enable-new-dtags,-rpath,{EMBEDDED / 'lib'}"])
        cls.runtime, cls.runtime_calls, cls.runtime_words = cls.trace("runtime")
        cls.nvrtc, cls.nvrtc_calls, _ = cls.trace("nvrtc")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_tool(cls, command):
        done = subprocess.run(command, cwd=cls.home, env=cls.environment, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")

    @classmethod
    def trace(cls, program):
        events = cls.home / f"{program}.jsonl"
        done = subprocess.run(
            [DRIVERLAB, "trace", "--driver", "embedded", "--events", events, "--record", cls.home / f"{program}.rec",
             "--", f"./{program}"], cwd=cls.home, env=cls.environment, capture_output=True, text=True, timeout=120)
        lines = [json.loads(line) for line in events.read_text("utf-8").splitlines()]
        return done, [line for line in lines if "event" not in line], lines

    def inside_of(self, outer):
        """The calls that the next call of that name on thread 0 was made of, by the rule of docs/events.md."""
        found = []
        for call in (call for call in self.runtime_calls if call["thread"] == 0):
            if call.get("depth", 0) > 0:
                found.append(call)
            elif call["name"] == outer:
                return found, call
            else:
                found = []
        self.fail(f"no {outer}")

    def test_the_program_does_what_it_does_untraced(self):
        self.assertEqual(self.runtime.returncode, 0, self.runtime.stdout + self.runtime.stderr)
        self.assertEqual(self.nvrtc.returncode, 0, self.nvrtc.stdout + self.nvrtc.stderr)
        untraced = subprocess.run([self.home / "runtime"], capture_output=True, text=True, timeout=120)
        output = "".join(line["text"] for line in self.runtime_words if line.get("event") == "output")
        self.assertEqual(output, untraced.stdout)

    def test_runtime_calls_stand_in_the_order_of_the_program(self):
        # cudaGetErrorString returns a text, so it is not recorded; the driver calls of library and program are listed as they are.
        outer = [call["name"] for call in self.runtime_calls
                 if call["thread"] == 0 and "depth" not in call and call["name"].startswith("cuda")]
        self.assertEqual(outer, ["cudaMalloc", "cudaMemcpy", "cudaLaunchKernel", "cudaMemcpy", "cudaSetDevice", "cudaFree",
                                 "cudaGetLastError"])

    def test_driver_calls_stand_inside_the_call_that_made_them(self):
        inside, outer = self.inside_of("cudaMalloc")
        self.assertIn("cuMemAlloc", [call["name"] for call in inside])
        for call in inside:
            self.assertEqual((call["inside"], call["depth"]), ("cudaMalloc", 1), call)
            self.assertEqual((call["file"], call["line"]), (outer["file"], outer["line"]), call)
            self.assertGreaterEqual(call["t_ns"], outer["t_ns"])
            self.assertLessEqual(call["t_ns"] + call["dur_ns"], outer["t_ns"] + outer["dur_ns"] + 1)
        self.assertIn("cuLaunchKernel", [call["name"] for call in self.inside_of("cudaLaunchKernel")[0]])

    def test_the_place_is_that_of_the_runtime_call(self):
        line = 1 + RUNTIME.splitlines().index("  if (cudaMalloc(&at, 1024) != cudaSuccess) return 1;")
        _, outer = self.inside_of("cudaMalloc")
        self.assertEqual((outer["file"], outer["line"]), ("runtime.cu", line))

    def test_arguments_and_results_are_those_of_the_runtime(self):
        _, malloc = self.inside_of("cudaMalloc")
        self.assertEqual((malloc["args"]["size"], malloc["result"]), (1024, "cudaSuccess"))
        self.assertEqual(malloc["out"]["devPtr"], "#1")
        copies = [call["args"]["kind"] for call in self.runtime_calls if call["name"] == "cudaMemcpy"]
        self.assertEqual(copies, ["cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"])
        _, launch = self.inside_of("cudaLaunchKernel")
        self.assertEqual(launch["args"]["gridDim"], "{x=1, y=1, z=1}")
        _, wrong = self.inside_of("cudaSetDevice")
        self.assertEqual(wrong["result"], "cudaErrorInvalidDevice")

    def test_the_context_that_the_runtime_took_is_the_primary_and_no_disagreement(self):
        self.assertTrue(all(call["agree"] for call in self.runtime_calls))
        _, malloc = self.inside_of("cudaMalloc")
        self.assertEqual((malloc["current"], malloc["stack"]), ("P0", ["P0"]))

    def test_another_thread_has_calls_of_its_own(self):
        others = [call for call in self.runtime_calls if call["thread"] != 0]
        self.assertEqual([call["name"] for call in others if "depth" not in call], ["cudaFree"])

    def test_a_recording_keeps_what_lies_inside_what(self):
        replayed = self.home / "replayed.jsonl"
        done = subprocess.run([DRIVERLAB, "replay", self.home / "runtime.rec", "--events", replayed], env=self.environment,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        calls = [line for line in map(json.loads, replayed.read_text("utf-8").splitlines()) if "event" not in line]
        self.assertEqual(calls, self.runtime_calls)

    def test_the_terminal_shows_driver_calls_indented_below_their_parent(self):
        lines = [re.sub(r"^\s*\d+\s+\d+  ", "", line) for line in self.runtime.stdout.splitlines()]
        at = next(i for i, line in enumerate(lines) if line.startswith("cudaMalloc("))
        self.assertRegex(lines[at + 1], r"^  cu[A-Z]")
        self.assertTrue(any(line.startswith("  cuMemAlloc(") for line in lines[at + 1:]))

    def test_nvrtc_calls_have_texts_and_results_of_their_own(self):
        self.assertEqual([call["name"] for call in self.nvrtc_calls],
                         ["nvrtcCreateProgram", "nvrtcAddNameExpression", "nvrtcCompileProgram", "nvrtcGetLoweredName",
                          "nvrtcCompileProgram", "nvrtcDestroyProgram"])
        create, expression, compiled, lowered, wrong, _ = self.nvrtc_calls
        self.assertIn("__global__", create["args"]["src"])
        self.assertEqual(create["args"]["name"], "k.cu")
        self.assertEqual(expression["args"]["name_expression"], "k<int>")
        self.assertEqual(compiled["args"]["options"], "--gpu-architecture=compute_75 -DX=1")
        self.assertEqual((compiled["result"], wrong["result"]), ("NVRTC_SUCCESS", "NVRTC_ERROR_INVALID_OPTION"))
        self.assertTrue(all(call["file"] == "nvrtc.cpp" for call in self.nvrtc_calls))

    def test_the_interposed_libraries_export_all_that_ours_export(self):
        for name in ("libcudart.so.12", "libcudart.so.13", "libnvrtc.so.12", "libnvrtc.so.13"):
            missing = exported(EMBEDDED / "lib" / name) - exported(TRACER / name)
            self.assertEqual(missing, set(), name)

    @unittest.skipUnless((TOOLKIT / "lib64/libcudart.so.13").exists(), "no CUDA Toolkit 13 is installed here")
    def test_the_interposed_libraries_export_all_that_nvidias_export_with_their_versions(self):
        for name in ("libcudart.so.13", "libnvrtc.so.13"):
            missing = exported(TOOLKIT / "lib64" / name) - exported(TRACER / name)
            self.assertEqual(missing, set(), name)

    @unittest.skipUnless((TOOLKIT / "bin/nvcc").exists(), "no CUDA Toolkit is installed here")
    def test_what_nvcc_linked_with_the_shared_runtime_is_traced_too(self):
        self.run_tool([TOOLKIT / "bin/nvcc", "-std=c++17", "-g", "-cudart", "shared", "runtime.cu", "-o", "by_nvcc",
                       "-gencode", "arch=compute_75,code=compute_75"])
        done, calls, _ = self.trace("by_nvcc")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        launches = [call for call in calls if call["name"] == "cuLaunchKernel"]
        self.assertEqual([call.get("inside") for call in launches], ["cudaLaunchKernel"])

    def test_a_program_whose_library_is_nowhere_says_which(self):
        # Started by hand, with the tracer's folder in front and nothing behind it.
        (self.home / "alone.cpp").write_text("extern \"C\" int cudaDeviceSynchronize();\n"
                                             "int main() { return cudaDeviceSynchronize(); }\n", encoding="utf-8")
        self.run_tool([shutil.which("g++") or shutil.which("clang++-19"), "alone.cpp", "-o", "alone", "-L", EMBEDDED / "lib",
                       "-lcudart"])
        environment = self.environment | {"LD_LIBRARY_PATH": str(TRACER)}
        if (TOOLKIT / "lib64").exists():
            cache = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
            if "libcudart.so.13" in cache:
                self.skipTest("the loader knows a libcudart.so.13 of the system")
        done = subprocess.run([self.home / "alone"], env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 127)
        self.assertIn("libcudart.so.13", done.stderr)
        self.assertIn("LD_LIBRARY_PATH", done.stderr)


if __name__ == "__main__":
    unittest.main()
