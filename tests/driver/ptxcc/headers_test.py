# SPDX-License-Identifier: MIT
"""An installed toolkit is not read: replacements for its headers, each with an #error, are in the folders of toolkits and
in the variables that compilers read, and ptxcc, cuda++ and NVRTC compile as if they were not there.

    headers_test.py EMBEDDED

It mounts these headers in a namespace of its own, over /usr/local/include and before /usr/include, so it needs no rights and
leaves nothing. Ends with 77, "skipped", if the machine does not allow that.
"""
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NAMES = ["cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuda_fp16.h", "cuda_bf16.h", "cooperative_groups.h", "nvrtc.h",
         "vector_types.h", "math_constants.h", "crt/host_defines.h", "only_nvidia_has_this.h"]
KERNEL = """#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cmath>
#include <type_traits>
extern "C" __global__ void k(float* p, __half* h) { p[0] = std::sqrt(p[1]) + __half2float(h[0]); }
"""
PROGRAM = KERNEL + """#include <cuda.h>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>
int main() { std::vector<int> v{2, 1}; std::sort(v.begin(), v.end()); std::printf("%d\\n", v[0]); }
"""
failures = 0


def say(good, sentence, words=""):
    global failures
    print("ok:" if good else "NOT ok:", sentence, "" if good else words, flush=True)
    failures += not good


def run(*command, **variables):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, LC_ALL="C", **variables))


def stand_ins(folder):
    for name in NAMES:
        header = folder / name
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text("#error stand-in was read\n")
    return folder


def nvrtc(embedded, source, options=()):
    library = ctypes.CDLL(str(embedded / "lib/libnvrtc.so.13"))
    program = ctypes.c_void_p()
    library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"x.cu", 0, None, None)
    words = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
    result = library.nvrtcCompileProgram(program, len(options), words)
    size = ctypes.c_size_t()
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    return result, log.value.decode()


def each_compiler(embedded, where, work, **variables):
    """What compiles, and what is not found, whatever lies in `where`."""
    (work / "k.cu").write_text(KERNEL)
    (work / "p.cu").write_text(PROGRAM)
    (work / "plain.cpp").write_text("#include <cuda.h>\n#include <vector>\nint plain() { return CUDA_VERSION; }\n")
    done = run(embedded / "bin/ptxcc", work / "k.cu", "-o", work / "k.ptx", **variables)
    say(done.returncode == 0, f"ptxcc does not read {where}", done.stderr)
    done = run(embedded / "bin/cuda++", work / "p.cu", work / "plain.cpp", "-o", work / "p", **variables)
    say(done.returncode == 0, f"neither half of cuda++ reads {where}", done.stderr)
    result, log = nvrtc(embedded, "#include <cuda_fp16.h>\n__global__ void k(__half* h) { h[0] = h[1]; }\n", ["-no-cache"])
    say(result == 0, f"NVRTC does not read {where}", log)


def hidden(embedded, name, work):
    (work / "h.cu").write_text(f"#include <{name}>\nint main() {{}}\n")
    for tool in ("ptxcc", "cuda++"):
        done = run(embedded / "bin" / tool, work / "h.cu", "-o", work / "h")
        say("file not found" in done.stderr and "stand-in" not in done.stderr,
            f"{tool} does not find {name}, which only the other toolkit has", done.stderr)
    result, log = nvrtc(embedded, f"#include <{name}>\n", ["-no-cache"])
    say(result != 0 and "could not open source file" in log, f"NVRTC does not find {name}", log)


def mount(*arguments):
    return subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True)


def inside(embedded):
    """In a mount namespace of its own."""
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        toolkit = stand_ins(work / "cuda/include")
        if mount("--bind", toolkit, "/usr/local/include").returncode != 0:
            print("skipped: nothing can be mounted here")
            return 77
        # A compiler without our care reads it: otherwise the rest would prove nothing.
        (work / "probe.cpp").write_text("#include <only_nvidia_has_this.h>\n")
        done = run("clang++-19", "-fsyntax-only", work / "probe.cpp")
        say("stand-in was read" in done.stderr, "clang by itself reads /usr/local/include", done.stderr)
        each_compiler(embedded, "/usr/local/include", work)
        hidden(embedded, "only_nvidia_has_this.h", work)
        hidden(embedded, "crt/host_defines.h", work)
        (work / "mine").mkdir()
        (work / "mine/only_mine.h").write_text("#define MINE 3\n")
        (work / "m.cu").write_text("#include <only_mine.h>\n__global__ void k(int* p) { *p = MINE; }\nint main() {}\n")
        for tool in ("ptxcc", "cuda++"):
            done = run(embedded / "bin" / tool, "-I", work / "mine", work / "m.cu", "-o", work / "m")
            say(done.returncode == 0, f"{tool} reads the folder of -I", done.stderr)
        for variable in ("CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH"):
            os.environ[variable] = str(toolkit)
            each_compiler(embedded, variable, work)
            del os.environ[variable]
        for variable in ("CUDA_PATH", "CUDA_HOME"):
            os.environ[variable] = str(toolkit.parent)
        each_compiler(embedded, "CUDA_PATH and CUDA_HOME", work)
        layers = f"lowerdir={toolkit}:/usr/include"
        if mount("-t", "overlay", "overlay", "-o", layers, "/usr/include").returncode != 0:
            print("left out: /usr/include cannot be laid over here")
        else:
            each_compiler(embedded, "/usr/include, though ours come first", work)
    return 1 if failures else 0


if len(sys.argv) > 2:
    sys.exit(inside(pathlib.Path(sys.argv[1])))
if shutil.which("unshare") is None:
    print("skipped: no unshare(1)")
    sys.exit(77)
# Root may mount in a namespace of mounts; anybody else is root in a namespace of users, where the kernel allows it.
space = ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]
if subprocess.run(["unshare", *space, "true"], capture_output=True).returncode != 0 or not os.path.isdir("/usr/local/include"):
    print("skipped: no namespace of mounts for this user, or no /usr/local/include")
    sys.exit(77)
os.execvp("unshare", ["unshare", *space, sys.executable, *sys.argv, "inside"])
