# SPDX-License-Identifier: MIT
"""Options that build systems give nvcc, in tables: what each does with cuda++ and ptxcc.

    options_test.py EMBEDDED SCRATCH

An option is ignored, which is checked by the commands that a dry run shows; or it reaches the half that it is for; or it is
refused in one line, in both languages, with what to do instead; or something is made, which is looked at or run.
"""
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EMBEDDED, SCRATCH = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
CUDAXX, PTXCC = EMBEDDED / "bin/cuda++", EMBEDDED / "bin/ptxcc"

IGNORED_BY_BOTH = """
-Xptxas -v|-Xptxas=-O3|--ptxas-options=-v|-maxrregcount 32|-maxrregcount=32|--maxrregcount=64|-ccbin g++|-ccbin=/usr/bin/g++
--compiler-bindir=/usr/bin|--threads 4|--threads=4|-t 2|-split-compile 0|--split-compile=2|-diag-suppress 177
--diag-suppress=177,20012|-diag-warn=20012|-diag-error 20012|-dlto|-Xnvlink -v|-Xfatbin -compress-all|-Xcudafe --display_error_number
-res-usage|--resource-usage|-extra-device-vectorization|--expt-relaxed-constexpr|--extended-lambda|-expt-extended-lambda
-Wno-deprecated-gpu-targets|-allow-unsupported-compiler|-restrict|-m64|-compress-mode=size|-time times.csv|-dopt=on|-err-no
-src-in-ptx|-opt-info inline|-objtemp|-Xarchive v|--brief-diagnostics=true|-static-global-template-stub=false|-code=sm_75
"""
IGNORED_BY_CUDAXX = "-lcudart|-lcudart_static|-lcudadevrt|-cudart static|-cudart=shared|-forward-unknown-to-host-compiler|-rdc=false"
IGNORED_BY_PTXCC = "-fPIC|-Xcompiler -Wall|-Xcompiler=-fPIC,-Wall|-Xlinker=-Map=x|--keep|-keep-dir .|-pthread|--machine=64"

# The option, the word that must be in the command of that step and of no other; steps: kernels, host, link.
REACHES = [
    ("-fPIC", "-fPIC", "host link"), ("-Xcompiler -fPIC", "-fPIC", "host link"), ("-Xcompiler=-fno-inline,-Wall", "-fno-inline", "host link"),
    ("-fopenmp", "-fopenmp", "host link"), ("-fvisibility=hidden", "-fvisibility=hidden", "host link"),
    ("-forward-unknown-to-host-compiler -some-flag", "-some-flag", "host link"), ("-shared", "-shared", "link"),
    ("-rdynamic", "-rdynamic", "link"), ("-Xlinker=-Map=x", "-Wl,-Map=x", "link"), ("-L=/somewhere", "-L/somewhere", "link"),
    ("--library=m", "-lm", "link"), ("-std=c++14", "-std=c++14", "kernels host"), ("--std=c++20", "-std=c++20", "kernels host"),
    ("-isystem=/somewhere", "/somewhere", "kernels host link"), ("-I=/somewhere", "-I/somewhere", "kernels host link"),
    ("-Werror all-warnings", "-Werror", "kernels host link"), ("-Werror=all-warnings", "-Werror", "kernels host link"),
    ("-gencode arch=compute_80,code=sm_80", "arch=compute_80,code=sm_80", "kernels"), ("-arch=all-major", "-arch=all-major", "kernels"),
    ("-use_fast_math", "-use_fast_math", "kernels"), ("-rdc=true", "-fgpu-rdc", "host"),
    ("-MD -MF x.d -MT t", "x.d", "host"), ("-MMD", "-MMD", "host"), ("-O3", "-O3", "host"), ("-pthread", "-pthread", "host link"),
]
# The tool, its options, a word of the one line in English, one in Chinese.
REFUSED = [
    (CUDAXX, "-optix-ir", "-ptx makes PTX", "-ptx"), (PTXCC, "-optix-ir", "-ptx makes PTX", "-ptx"),
    (CUDAXX, "-cuda", "-E shows", "-E"), (CUDAXX, "-cudalib=cublas", "with -L and -l", "-L"), (CUDAXX, "-m32", "leave it out", "请去掉"),
    (CUDAXX, "-clean", "remove the files", "请自行删除"), (CUDAXX, "-cudart sometimes", "none, shared or static", "只能是"),
    (CUDAXX, "-x fortran", "cu, c or c++", "只能是"), (CUDAXX, "--no-such", "-Xcompiler '--no-such'", "-Xcompiler"),
    (CUDAXX, "-arch=fast", "write -arch=sm_75", "应写"), (PTXCC, "-arch=sm_50", "sm_60 is the oldest", "最低支持"),
    (PTXCC, "-ptx -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80", "with -fatbin", "-fatbin"),
    (PTXCC, "-cubin -arch=all", "with -fatbin", "-fatbin"), (PTXCC, "-shared", "cuda++ makes", "cuda++"),
    (PTXCC, "-c", "cuda++ makes", "cuda++"), (PTXCC, "-dlink", "cuda++ makes", "cuda++"), (PTXCC, "--no-such", "-Xclang-option '--no-such'", "-Xclang-option"),
    (CUDAXX, "--options-file nowhere.rsp", "no file 'nowhere.rsp'", "没有文件"),
]
PROGRAM = """#include <cstdio>
#include "value.h"
__global__ void add(int* x) { *x += VALUE; }
int main() {
  int *x, back = 0;
  cudaMalloc(&x, 4);
  cudaMemset(x, 0, 4);
  add<<<1, 1>>>(x);
  cudaMemcpy(&back, x, 4, cudaMemcpyDeviceToHost);
  printf("%d\\n", back);
}
"""
failures = 0


def say(good, sentence, words=""):
    global failures
    print("ok:" if good else "NOT ok:", sentence, "" if good else words, flush=True)
    failures += not good
    return good


def run(*command, where=SCRATCH, language="C", **variables):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=where, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, LC_ALL=language, **variables))


def rows(text):
    return [row.split() for row in re.split(r"[|\n]", text.strip())]


def commands(tool, options):
    """The commands of a dry run, without what differs from run to run."""
    done = run(tool, *options, "--dryrun", "program.cu")
    if done.returncode != 0:
        return done.stderr
    shown = re.sub(r"/tmp/(cudaxx|ptxcc)\.\w+", "TMP", done.stderr)
    return [line for line in shown.splitlines() if not line.startswith("#$")]


def ignored():
    work = [(tool, row) for tool, more in ((CUDAXX, IGNORED_BY_CUDAXX), (PTXCC, IGNORED_BY_PTXCC))
            for row in rows(IGNORED_BY_BOTH) + rows(more)]
    plain = {tool: commands(tool, []) for tool in (CUDAXX, PTXCC)}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (tool, row), shown in zip(work, pool.map(lambda item: commands(*item), work)):
            # -code belongs to ptxcc, which cuda++ hands it to.
            if row == ["-code=sm_75"] and isinstance(shown, list):
                shown = [line.replace(" -code=sm_75", "") for line in shown]
            same = shown == plain[tool]
            say(same, f"{tool.name} ignores {' '.join(row)}", shown)


def reaches():
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        shown = pool.map(lambda row: commands(CUDAXX, row[0].split()), REACHES)
        for (options, word, steps), lines in zip(REACHES, shown):
            named = dict(zip(("kernels", "host", "link"), lines)) if isinstance(lines, list) and len(lines) == 3 else {}
            there = " ".join(step for step, line in named.items() if word in line.replace("'", "").split() or f"={word}" in line)
            say(there == steps, f"{options} reaches {steps}", f"it reaches: {there or lines}")


def refused():
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        def ask(row):
            return [run(row[0], *row[1].split(), "program.cu", language=language) for language in ("C", "zh_CN.UTF-8")]
        for (tool, options, english, chinese), answers in zip(REFUSED, pool.map(ask, REFUSED)):
            for done, word in zip(answers, (english, chinese)):
                one_line = done.returncode == 1 and done.stderr.count("\n") == 1
                say(one_line and word in done.stderr, f"{tool.name} refuses {options}: {word}", done.stderr)


def targets(file):
    return sorted(int(number) for number in re.findall(rb"^\.target sm_(\d+)", (SCRATCH / file).read_bytes(), re.MULTILINE))


def made_by(tool, options, files, sentence, **variables):
    done = run(tool, *options.split(), **variables)
    there = all((SCRATCH / file).exists() for file in files)
    return say(done.returncode == 0 and there, sentence, done.stderr) and done


def kinds_and_architectures():
    two = "-gencode arch=compute_75,code=sm_75 --generate-code=arch=compute_86,code=[sm_86,compute_86]"
    for tool in (CUDAXX, PTXCC):
        source = "program.cu" if tool == CUDAXX else "kernel.cu"
        made_by(tool, f"-ptx {source} -o {tool.name}.ptx", [tool.name + ".ptx"], f"{tool.name} -ptx makes PTX")
        made_by(tool, f"-cubin -arch=sm_80 {source} -o {tool.name}.cubin", [tool.name + ".cubin"], f"{tool.name} -cubin makes an image")
        say((SCRATCH / f"{tool.name}.cubin").read_bytes()[:4] == b"\x7fELF", "which is an ELF file")
        made_by(tool, f"-fatbin {two} {source} -o {tool.name}.fatbin", [tool.name + ".fatbin"], f"{tool.name} -fatbin takes two architectures")
        say(targets(f"{tool.name}.fatbin") == [75, 86], "and both are in it", str(targets(f"{tool.name}.fatbin")))
    made_by(CUDAXX, "-ptx program.cu", ["program.ptx"], "without -o the result has the source's name")
    for name, numbers in (("all", [75, 80, 86, 87, 89, 90]), ("all-major", [75, 80, 90])):
        made_by(PTXCC, f"-fatbin -arch={name} kernel.cu -o {name}.fatbin", [name + ".fatbin"], f"-arch={name} is known")
        say(targets(name + ".fatbin") == numbers, f"and means {numbers}", str(targets(name + ".fatbin")))
    for device, number in (("a100", 80), ("h200", 90), ("t4", 75), ("", 89)):
        made_by(PTXCC, "-arch=native kernel.cu -o native.ptx", ["native.ptx"], f"-arch=native is known for '{device}'", DRIVERLAB_DEVICE=device)
        say(targets("native.ptx") == [number], f"and means {number}", str(targets("native.ptx")))
    made_by(PTXCC, "-fatbin -gencode=arch=compute_52,code=sm_52 -gencode=arch=compute_80,code=sm_80 kernel.cu -o old.fatbin",
            ["old.fatbin"], "an old architecture among others is left out")
    say(targets("old.fatbin") == [80], "and only that", str(targets("old.fatbin")))
    for device, answer in (("t4", "75\n"), ("a100", "80\n"), ("l4", "86\n")):
        made_by(CUDAXX, f"{two} -gencode arch=compute_80,code=sm_80 which.cu -o which", ["which"], "a program for three architectures is made")
        done = run("./which", DRIVERLAB_DEVICE=device)
        say(done.stdout == answer, f"of which {device} takes the newest that it can run", done.stdout + done.stderr)


def files_beside():
    made_by(CUDAXX, "-c program.cu -o beside.o -MD", ["beside.d"], "-MD writes dependencies beside the object")
    text = (SCRATCH / "beside.d").read_text()
    say(text.startswith("beside.o:") and "value.h" in text and "cuda_runtime.h" in text, "of the object, with all headers", text)
    made_by(CUDAXX, "-c program.cu -o beside.o -MMD -MF named.d -MT goal", ["named.d"], "-MMD, -MF and -MT name them")
    text = (SCRATCH / "named.d").read_text()
    say(text.startswith("goal:") and "value.h" in text and "cuda_runtime.h" not in text, "without the toolkit's headers", text)
    done = made_by(CUDAXX, "-M program.cu", [], "-M writes dependencies only")
    say(done and done.stdout.startswith("program.o:") and "value.h" in done.stdout, "of the object that there would be")
    made_by(PTXCC, "kernel.cu -MD -MF kernel.d -MT goal -o kernel.ptx", ["kernel.d"], "ptxcc writes dependencies")
    say((SCRATCH / "kernel.d").read_text().startswith("goal:"), "by the name that it is given")
    done = made_by(CUDAXX, "-E program.cu", [], "-E shows what the preprocessor makes")
    say(done and "*x += 5" in done.stdout and "int main()" in done.stdout, "of the host's half")
    done = made_by(PTXCC, "-E kernel.cu", [], "and ptxcc")
    say(done and "*x += 5" in done.stdout, "of the kernels'")
    (SCRATCH / "kept").mkdir()
    made_by(CUDAXX, "--keep --keep-dir kept program.cu -o program", ["kept/program.ptx", "kept/program.fatbin"], "--keep keeps what lies between")
    before = sorted(SCRATCH.iterdir())
    done = made_by(CUDAXX, "-dryrun program.cu -o never", [], "-dryrun is known")
    say(done and len(done.stderr.splitlines()) == 3 and sorted(SCRATCH.iterdir()) == before, "and makes nothing")


def programs():
    done = made_by(CUDAXX, "-run program.cu -o program", ["program"], "-run starts the program")
    say(done and done.stdout == "5\n", "which prints what it should")
    (SCRATCH / "more.rsp").write_text('-DVALUE=7 "-DUNUSED=a b"\n-O1\n')
    done = made_by(CUDAXX, "--options-file more.rsp -run program.cu -o program", ["program"], "options come from a file")
    say(done and done.stdout == "7\n", "and act")
    shutil.copy(SCRATCH / "program.cu", SCRATCH / "named.cpp")
    done = made_by(CUDAXX, "-x cu -run named.cpp -o named", ["named"], "-x cu says that a file is CUDA C++")
    say(done and done.stdout == "5\n", "and it is compiled as that")
    made_by(CUDAXX, "-lib half.cu -o libhalf.a", ["libhalf.a"], "-lib makes an archive")
    made_by(CUDAXX, "-shared -Xcompiler -fPIC half.cu -o libhalf.so", ["libhalf.so"], "-shared makes a shared library")
    for library in ("libhalf.a", "libhalf.so"):
        done = made_by(CUDAXX, f"rest.cu {library} -o rest", ["rest"], f"{library} links")
        say(run("./rest", LD_LIBRARY_PATH=".").stdout == "42\n", "and runs")


def device_code_of_several_files():
    for name in ("one", "two"):
        made_by(CUDAXX, f"-dc {name}.cu -o {name}.o", [name + ".o"], f"-dc compiles {name}.cu")
    made_by(CUDAXX, "one.o two.o -o linked", ["linked"], "device code is linked with the program")
    say(run("./linked").stdout == "33 3\n", "and kernels use what is in the other file")
    made_by(CUDAXX, "-rdc=true one.cu two.cu -o at_once", ["at_once"], "-rdc=true does so at once")
    say(run("./at_once").stdout == "33 3\n", "with the same result")
    made_by(CUDAXX, "-dlink one.o two.o -o device.o", ["device.o"], "-dlink links device code alone")
    made_by("clang++-19", f"one.o two.o device.o -o by_hand -L{EMBEDDED}/lib -lcudart_static -lcudadevrt -Wl,-rpath,{EMBEDDED}/lib", ["by_hand"],
            "what it makes goes to another linker")
    say(run("./by_hand").stdout == "33 3\n", "with the same result")
    made_by(CUDAXX, "-lib -rdc=true two.cu -o libtwo.a", ["libtwo.a"], "an archive may hold device code")
    made_by(CUDAXX, "one.o libtwo.a -o archived", ["archived"], "which is linked, too")
    say(run("./archived").stdout == "33 3\n", "with the same result")
    made_by(CUDAXX, "-rdc=true -arch=all-major one.cu two.cu -o for_all", ["for_all"], "for several architectures")
    say(run("./for_all", DRIVERLAB_DEVICE="t4").stdout == "33 3\n" and run("./for_all", DRIVERLAB_DEVICE="h200").stdout == "33 3\n",
        "each device has its own")
    made_by(CUDAXX, "-rdc=true own_one.cu own_two.cu -o own", ["own"], "files with names of their own are linked")
    say(run("./own").stdout == "240 4060 cudaSuccess\n", "and host and kernels mean the same by a static name, and by a template's once",
        run("./own").stdout)
    done = run(CUDAXX, "one.o", "-o", "lacking")
    say(done.returncode == 1 and done.stderr.count("\n") == 1 and "device code uses '_Z6triplei'" in done.stderr,
        "a device function that is in no file is named in one line", done.stderr)


shutil.rmtree(SCRATCH, ignore_errors=True)
SCRATCH.mkdir(parents=True)
for name, text in {
        "value.h": "#ifndef VALUE\n#define VALUE 5\n#endif\n",
        "program.cu": PROGRAM,
        "kernel.cu": '#include "value.h"\n__global__ void add(int* x) { *x += VALUE; }\n',
        "which.cu": "#include <cstdio>\n__global__ void k() {\n#ifdef __CUDA_ARCH__\n  printf(\"%d\\n\", __CUDA_ARCH__ / 10);\n#endif\n}\nint main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }\n",
        "half.cu": "__global__ void k(int* x) { *x = 21; }\nint half() { int* x; int b; cudaMalloc(&x, 4); k<<<1, 1>>>(x);\n"
                   "  cudaMemcpy(&b, x, 4, cudaMemcpyDeviceToHost); return b; }\n",
        "rest.cu": "#include <cstdio>\nint half();\nint main() { printf(\"%d\\n\", 2 * half()); }\n",
        "one.cu": "#include <cstdio>\n__device__ int triple(int);\nextern __device__ int calls;\nstatic __device__ int own(int x) { return x + 1; }\n"
                  "__global__ void k(int* x) { *x = triple(own(10)); x[1] = calls; }\n"
                  "int main() { int* x; cudaMallocManaged(&x, 8); for (int i = 0; i < 3; ++i) k<<<1, 1>>>(x);\n"
                  "  cudaDeviceSynchronize(); printf(\"%d %d\\n\", x[0], x[1]); }\n",
        "own.hpp": "#include <cstdio>\ntemplate <class T> __global__ void twice(T* p) { *p *= 2; }\nint other();\n"
                   "inline __device__ int helper(int x) { return x + 100; }\n"
                   "struct Shape { __device__ virtual int area() const { return 1; } };\n",
        "own_one.cu": "#include \"own.hpp\"\nstatic __device__ int own = 1;\nstatic __constant__ int fixed = 5;\n"
                      "static __global__ void k(int* p) { Shape s; *p = own + helper(*p) + s.area() + fixed; }\n"
                      "int main() { int* p; cudaMallocManaged(&p, 4); *p = 3; int v = 10; cudaMemcpyToSymbol(own, &v, 4);\n"
                      "  v = 6; cudaMemcpyToSymbol(fixed, &v, 4); k<<<1, 1>>>(p); twice<<<1, 1>>>(p); cudaDeviceSynchronize();\n"
                      "  const int here = *p, there = other(); printf(\"%d %d %s\\n\", here, there, cudaGetErrorName(cudaGetLastError())); }\n",
        "own_two.cu": "#include \"own.hpp\"\nstatic __device__ int own = 2;\nstatic __constant__ int fixed = 7;\n"
                      "static __global__ void k(int* p) { Shape s; *p = own * helper(*p) + s.area() + fixed; }\n"
                      "int other() { int* p; cudaMallocManaged(&p, 4); *p = 1; int v = 20; cudaMemcpyToSymbol(own, &v, 4);\n"
                      "  v = 9; cudaMemcpyToSymbol(fixed, &v, 4); k<<<1, 1>>>(p); twice<<<1, 1>>>(p); cudaDeviceSynchronize(); return *p; }\n",
        "two.cu": "__device__ int calls;\nstatic __device__ int own(int x) { return x * 3; }\n"
                  "__device__ int triple(int x) { ++calls; return own(x); }\n"}.items():
    (SCRATCH / name).write_text(text)
ignored()
reaches()
refused()
kinds_and_architectures()
files_beside()
programs()
device_code_of_several_files()
sys.exit(1 if failures else 0)
