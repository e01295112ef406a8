#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tracing adds to driver calls and to whole programs, as differences and ratios within one run.

    tests/bench/trace_cost/trace_cost.py [--build FOLDER] [--driver real|embedded] [--rounds N] [--only PART]...

Every round runs each program untraced, traced (`driverlab trace --quiet`), and, where CUPTI is installed, under a
callback subscriber that keeps the same record, one after the other, so that whatever else the machine does meets
all of them. Of loops the least time counts, of whole programs the median of the ratios of neighbours; SAXPY is
shown by its parts too, whose least times, added up, are the figure that says most: making a context takes a third
of it and varies by a tenth. Meanwhile another program uses every device, or each cuInit would wake them anew.
Parts: loops, saxpy, pytorch. What is not installed is left out with a message.
"""

from __future__ import annotations

import argparse
import contextlib
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PYTORCH = HERE / "pytorch_launches.py"
PARTS = ("loops", "saxpy", "pytorch")


def find_cupti() -> tuple[Path, Path] | None:
    """Folders of cupti.h and of libcupti.so."""
    roots = ["/usr/local/cuda/extras/CUPTI", "/usr/local/cuda", "/usr/local/cuda/targets/x86_64-linux"]
    for path in sys.path:
        roots += glob.glob(f"{path}/nvidia/cuda_cupti") + glob.glob(f"{path}/nvidia/cu1*")
    headers = [Path(r) / "include" for r in roots if (Path(r) / "include/cupti.h").exists()]
    libraries = [Path(r) / part for r in roots for part in ("lib64", "lib") if glob.glob(f"{r}/{part}/libcupti.so*")]
    return (headers[0], libraries[0]) if headers and libraries else None


def build_recorder(folder: Path) -> Path | None:
    cupti = find_cupti()
    compiler = shutil.which("g++") or shutil.which("c++")
    if cupti is None or compiler is None:
        print("CUPTI or a compiler is not installed here: no comparison with it")
        return None
    library = sorted(cupti[1].glob("libcupti.so*"), key=lambda p: len(p.name))[0]
    recorder = folder / "libcupti_recorder.so"
    command = [compiler, "-O2", "-shared", "-fPIC", "-std=c++17", f"-I{cupti[0]}", "-I/usr/local/cuda/include",
               str(HERE / "cupti_recorder.cpp"), str(library), f"-Wl,-rpath,{cupti[1]}", "-o", str(recorder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return recorder
    print(f"the subscriber does not compile: {done.stderr.strip()[:2000]}")
    return None


class Bench:
    def __init__(self, options: argparse.Namespace, folder: Path):
        self.options, self.folder = options, folder
        build = Path(options.build).resolve()
        self.program = build / "bench_trace_program"
        self.driverlab = build / "driverlab"
        self.environment = dict(os.environ)
        if options.driver == "embedded":
            self.environment["LD_LIBRARY_PATH"] = f"{build}/embedded/lib"
        self.recorder = build_recorder(folder) if options.driver == "real" else None

    @contextlib.contextmanager
    def awake(self):
        """As long as it is open, a program uses every device."""
        if self.options.driver != "real":
            yield
            return
        said = self.folder / "held"
        holder = subprocess.Popen([str(self.program), "hold", str(said)], env=self.environment)
        try:
            while not (said.exists() and said.read_text()):
                if holder.poll() is not None:
                    raise SystemExit(f"the devices cannot be used: {self.program} hold ended with {holder.returncode}")
                time.sleep(0.05)
            yield
        finally:
            holder.kill()
            holder.wait()

    def run(self, way: str, command: list[str]) -> dict[str, float]:
        """The figures that the command wrote; `way` is untraced, traced or cupti."""
        result = self.folder / "result"
        result.unlink(missing_ok=True)
        whole = [*command[:2], str(result), *command[2:]]
        if way == "traced":
            whole = [str(self.driverlab), "trace", "--quiet", "--driver", self.options.driver, "--", *whole]
        if way == "cupti":
            whole += [str(self.recorder)]
        done = subprocess.run(whole, env=self.environment, capture_output=True, text=True, timeout=600)
        if done.returncode != 0 or not result.exists():
            raise SystemExit(f"{' '.join(whole)}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        if way == "traced" and self.options.verbose:
            print("   ", done.stderr.strip().splitlines()[-1])
        return {name: float(value) for name, value in (line.split() for line in result.read_text().splitlines())}

    def rounds(self, ways: list[str], command: list[str]) -> dict[str, list[dict[str, float]]]:
        found: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
        for number in range(self.options.rounds):
            for way in ways if number % 2 == 0 else reversed(ways):  # neither is always the first
                found[way].append(self.run(way, command))
        return found

    def loops(self) -> None:
        ways = ["untraced", "traced"] + (["cupti"] if self.recorder else [])
        found = self.rounds(ways, [str(self.program), "loops"])
        for name in found["untraced"][0]:
            least = {way: min(one[name] for one in runs) for way, runs in found.items()}
            added = least["traced"] - least["untraced"]
            line = f"{name:12} untraced {least['untraced']:9.1f} ns   traced {least['traced']:9.1f} ns (+{added:.1f})"
            if self.recorder:
                cupti = least["cupti"] - least["untraced"]
                line += f"   CUPTI {least['cupti']:9.1f} ns (+{cupti:.1f})   of CUPTI's {added / cupti:.2f}"
            print(line)

    def whole(self, name: str, command: list[str], goals: dict[str, str]) -> None:
        found = self.rounds(["untraced", "traced"], command)
        for key in found["untraced"][0]:
            pairs = [(t[key], u[key]) for t, u in zip(found["traced"], found["untraced"])]
            ratio = statistics.median(t / u for t, u in pairs)
            traced, untraced = min(t for t, _ in pairs), min(u for _, u in pairs)
            print(f"{name:8} {key:10} untraced {statistics.median(u for _, u in pairs):12.6g} ns   ratio {ratio:.4f} "
                  f"(median of {len(pairs)}; of the least times {traced / untraced:.4f}, {traced - untraced:+.6g} ns)"
                  + (f"   goal: {goals[key]}" if key in goals else ""))
        parts = [key for key in found["untraced"][0] if key not in goals]
        if parts:
            sums = {way: sum(min(one[key] for one in runs) for key in parts) for way, runs in found.items()}
            print(f"{name:8} least times of its parts, added up: untraced {sums['untraced']:.6g} ns, traced "
                  f"{sums['traced']:.6g} ns, ratio {sums['traced'] / sums['untraced']:.4f}")

    def saxpy(self) -> None:
        with self.awake():
            self.whole("SAXPY", [str(self.program), "saxpy"], {"saxpy": "at most 1.004"})

    def pytorch(self) -> None:
        if subprocess.run([sys.executable, "-c", "import torch; assert torch.cuda.is_available()"],
                          capture_output=True).returncode != 0:
            print("PyTorch with a GPU is not installed here: left out")
            return
        self.whole("PyTorch", [sys.executable, str(PYTORCH)],
                   dict.fromkeys(("launch_ns", "use_ns", "train_ns"), "at most 1.02"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--driver", choices=("real", "embedded"), default="real")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--verbose", action="store_true", help="show what each traced run was summed up as")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, Path(folder))
        for part in options.only or PARTS:
            getattr(bench, part)()


if __name__ == "__main__":
    main()
