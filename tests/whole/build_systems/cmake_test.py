# SPDX-License-Identifier: MIT
"""A project with a CMakeLists.txt of its own, which knows nothing of the embedded toolkit, is configured, built and run
with it: static library, separable compilation, shared library, program of C++, PTX. A variable names the toolkit, and
that is all.

    cmake_test.py EMBEDDED SCRATCH
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EMBEDDED, SCRATCH = Path(sys.argv[1]), Path(sys.argv[2])
# The temperatures are what the same steps give in Python's doubles; none lies near a half hundredth.
HEAT = "cudaSuccess, 10 steps: {:.2f} {:.2f} {:.2f} {:.2f}\n"
TOTAL = "500500, as of CUDA 13 and 13\n"
ONLY_CXX = """cmake_minimum_required(VERSION 3.22)
project(only_cxx LANGUAGES CXX)
find_package(CUDAToolkit 13.0 REQUIRED)
add_executable(versions versions.cpp)
target_link_libraries(versions PRIVATE CUDA::cudart_static CUDA::nvrtc CUDA::cuda_driver)
file(WRITE ${CMAKE_BINARY_DIR}/found "${CUDAToolkit_INCLUDE_DIRS}\\n${CUDAToolkit_LIBRARY_DIR}\\n")
"""
VERSIONS = """#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>
#include <cstdio>
int main() {
  int devices = 0, major = 0, minor = 0;
  nvrtcVersion(&major, &minor);
  std::printf("%d %d\\n", cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0, major);
}
"""
failures = 0


def say(good, sentence, words=""):
    global failures
    print("ok:" if good else "NOT ok:", sentence, "" if good else words, flush=True)
    failures += not good
    return good


def run(*command, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CUDA")}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=dict(clean, LC_ALL="C", **variables))
    return done.returncode, done.stdout, done.stdout + done.stderr


def temperatures():
    row = [100.0] + [0.0] * 63
    for _ in range(11):
        row = [row[i] + 0.25 * (row[max(i - 1, 0)] - 2 * row[i] + row[min(i + 1, 63)]) for i in range(64)]
    return row[:4]


def a_project(name, compiler):
    source, build = SCRATCH / name, SCRATCH / (name + ".build")
    shutil.copytree(HERE / "project", source)
    (source / "project.cmake").rename(source / "CMakeLists.txt")
    status, _, words = run("cmake", "-S", source, "-B", build, "-G", "Ninja", CUDACXX=str(compiler))
    if not say(status == 0, f"CMake knows {compiler.name} as the compiler of CUDA", words):
        return None
    status, _, words = run("ninja", "-C", build)
    return build if say(status == 0, f"and builds the project with {compiler.name}", words) else None


def whole_project():
    build = a_project("project", EMBEDDED / "bin/cuda++")
    if build is None:
        return
    _, printed, words = run(build / "heat")
    say(printed == HEAT.format(*temperatures()), "kernels use functions and variables of another file, in a static library", words)
    _, printed, words = run(build / "total", LD_LIBRARY_PATH=str(EMBEDDED / "lib"))
    say(printed == TOTAL, "a program of C++ calls kernels in a shared library", words)
    say(".entry twice" in (build / "twice.ptx").read_text(), "PTX is made where it is asked for")
    text = (build / "libsums.so").read_bytes()
    say(all(b".target sm_%d" % number in text for number in (75, 80, 90)), "each architecture of a target is in its library")
    status, _, words = run("ninja", "-C", build, "-n")
    say("no work to do" in words, "nothing is built twice", words)
    header = SCRATCH / "project/rules.hpp"
    header.write_text(header.read_text() + "// changed\n")
    status, _, words = run("ninja", "-C", build, "-n")
    say("rules.cu.o" in words and "main.cu.o" in words and "sums.cu.o" not in words,
        "what includes a changed header is compiled again, and nothing else", words)


def by_the_name_nvcc():
    build = a_project("by_name", EMBEDDED / "nvcc/bin/nvcc")
    if build is not None:
        _, printed, words = run(build / "heat")
        say(printed == HEAT.format(*temperatures()), "the program runs that nvcc's name has built", words)


def only_cxx(root, *options, **variables):
    source, build = SCRATCH / ("cxx_" + root.name), SCRATCH / (f"cxx_{root.name}.build")
    source.mkdir()
    (source / "CMakeLists.txt").write_text(ONLY_CXX)
    (source / "versions.cpp").write_text(VERSIONS)
    status, _, words = run("cmake", "-S", source, "-B", build, "-G", "Ninja", *options, **variables)
    if not say(status == 0, f"find_package(CUDAToolkit) finds {root.name}", words):
        return
    found = [Path(line).resolve() for line in (build / "found").read_text().splitlines()]
    say(found == [EMBEDDED / "include", EMBEDDED / "lib"], "and no other toolkit", str(found))
    status, _, words = run("ninja", "-C", build)
    say(status == 0, "its libraries link, the static runtime's name too", words)
    _, printed, words = run(build / "versions", LD_LIBRARY_PATH=str(EMBEDDED / "lib"))
    say(printed == "1 13\n", "and the program runs", words)


shutil.rmtree(SCRATCH, ignore_errors=True)
SCRATCH.mkdir(parents=True)
whole_project()
by_the_name_nvcc()
only_cxx(EMBEDDED, f"-DCUDAToolkit_ROOT={EMBEDDED}")
only_cxx(EMBEDDED / "nvcc", CUDAToolkit_ROOT=str(EMBEDDED / "nvcc"))  # CMake looks for nvcc in PATH otherwise
say(not (EMBEDDED / "bin/nvcc").exists(), "nobody who has the toolkit's bin in PATH gets an nvcc unasked")
sys.exit(1 if failures else 0)
