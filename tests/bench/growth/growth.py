#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the lab takes for 1, 10 and 100 times as much of everything, as ratios within one run.

    tests/bench/growth/growth.py BUILD [WHAT…]

A program makes so many calls (or pushes, contexts, …) under `driverlab trace --record`, here and over a connection, which are
the live paths; its recording is read by every reader. Figures are processor seconds of the lab, least of two, less those of the smallest run
of all: what starting takes. 10 and 100 are linear; more than 20 and 200 is marked.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

SIZES = {"calls": 3000, "pushes": 1000, "contexts": 100, "allocations": 1000, "streams": 300, "modules": 100, "texts": 1000,
         "threads": 20, "processes": 10}
LIVE = {"trace": [], "trace --via": ["--via", "env"]}
READERS = {
    "replay": ["replay", "{r}"],
    "events": ["replay", "{r}", "--events", "{o}/e"],
    "table": ["replay", "{r}", "--csv", "{o}/t"],
    "timeline": ["replay", "{r}", "--chrome-trace", "{o}/c"],
    "compare": ["compare", "{r}", "{r}"],
    "page": ["export", "{o}/p.html", "--recording", "{r}", "--to", "{calls}"],
    "give away": ["export", "{o}/g.dlrec", "--recording", "{r}"],
    "shot": ["shot", "{o}/s.png", "--recording", "{r}"],
}
MOST_ON_A_PAGE = 2000


def seconds(words):
    """Processor seconds of the lab itself and the keeper, not of the traced program's driver."""
    with open(os.devnull, "wb") as nowhere:
        child = subprocess.Popen([str(word) for word in words], stdout=nowhere, stderr=nowhere)
        _, status, used = os.wait4(child.pid, 0)
    return used.ru_utime + used.ru_stime if os.waitstatus_to_exitcode(status) < 3 else None


def main():
    build, wanted = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or SIZES
    lab = build / "driverlab"
    os.environ["DRIVERLAB_REMOTE"] = str(lab)  # the other side of --via
    with tempfile.TemporaryDirectory() as folder:
        for what in wanted:
            figures = {}
            for times in (0, 1, 10, 100):
                count = SIZES[what] * times
                recording = f"{folder}/{what}{times}.dlrec"
                program = [build / "bench_growth_program", what, count]
                bare = min(seconds(program) for _ in range(2))
                for way, options in LIVE.items():
                    words = [lab, "trace", "--quiet", "--driver", "embedded", *options, "--record", recording, "--", *program]
                    live = [seconds(words) for _ in range(2)]
                    figures.setdefault(way, []).append(None if None in live else min(live) - bare)
                for reader, form in READERS.items():
                    calls = min(count + 2, MOST_ON_A_PAGE)
                    words = [lab, *(word.format(r=recording, o=folder, calls=calls) for word in form)]
                    took = [seconds(words) for _ in range(2)]
                    figures.setdefault(reader, []).append(None if None in took else min(took))
            for reader, (start, *took) in figures.items():
                if None in (start, *took):
                    print(f"{what:12} {reader:11} failed: {start} {took}", flush=True)
                    continue
                one, ten, hundred = (max(t - start, 0) for t in took)
                # Where one is too short to be told from starting, ten stands for it.
                base, ratios = (one, (10, 100)) if one > 0.02 else (ten / 10, (None, 100)) if ten > 0.02 else (hundred / 100, (None, None))
                shown = [f"{t / base:7.1f}" if ratio and base else "      –" for t, ratio in zip((ten, hundred), ratios)]
                mark = "  <<<" if any(r and base and t / base > 2 * r for t, r in zip((ten, hundred), ratios)) else ""
                print(f"{what:12} {reader:11} {took[0]:7.2f} {took[1]:7.2f} {took[2]:7.2f} s   ×{shown[0]} ×{shown[1]}{mark}", flush=True)


if __name__ == "__main__":
    main()
