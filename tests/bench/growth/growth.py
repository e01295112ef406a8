#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The time and memory of the lab for 1, 10 and 100 times as much of everything, as ratios within one run.

    tests/bench/growth/growth.py BUILD [WHAT…]

A program makes so many calls (or pushes, contexts, …) under `driverlab trace --record`, here and over a connection, and as
a lesson in the window, which are the live paths; its recording is read by every reader. Figures are processor seconds of
the lab, least of two, less those of the smallest run of all: what starting takes. 10 and 100 are linear; more than 20 and
200 is marked. Behind them stands the most memory that one process of the lab had, in MB. "driver" is the program
without the lab.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

SIZES = {"calls": 3000, "pushes": 1000, "contexts": 100, "allocations": 1000, "streams": 300, "modules": 100, "texts": 1000,
         "threads": 20, "processes": 10, "contexts freed": 100, "allocations freed": 1000, "streams freed": 300,
         "modules freed": 100, "nodes freed": 300}
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
LESSON = """sources = ["main.cpp"]
teaches = ["cuInit"]
documents = []
[limits]
seconds = 600
[title]
en = "Growth"
zh = "增长"
[summary]
en = "Many calls."
zh = "很多调用。"
"""


def cost(words):
    """Processor seconds of the lab itself and the supervisor, not of the traced program's driver; and MB."""
    with open(os.devnull, "wb") as nowhere:
        child = subprocess.Popen([str(word) for word in words], stdout=nowhere, stderr=nowhere)
        _, status, used = os.wait4(child.pid, 0)
    return (used.ru_utime + used.ru_stime, used.ru_maxrss / 1024) if os.waitstatus_to_exitcode(status) in (0, 1) else None


def least(words):
    costs = [cost(words) for _ in range(2)]
    return None if None in costs else tuple(map(min, zip(*costs)))


def lesson(folder, what, count):
    """The same program as a lesson, which has no arguments."""
    text = (pathlib.Path(__file__).parent / "program.cpp").read_text(encoding="utf-8")
    text = text.replace("int main(int argc, char** argv) {",
                        f'int main() {{\n  const int argc = 3;\n  const char* argv[] = {{"", "{what}", "{count}"}};')
    place = pathlib.Path(folder) / "lessons/01_growth"
    place.mkdir(exist_ok=True)
    (place / "main.cpp").write_text(text, encoding="utf-8")
    (place / "lesson.toml").write_text(LESSON, encoding="utf-8")
    for notes in ("notes.md", "notes.zh.md"):
        (place / notes).write_text("# Growth\n", encoding="utf-8")
    return place.name


def measure(lab, build, folder, what):
    figures = {}
    for times in (0, 1, 10, 100):
        count = SIZES[what] * times
        recording = f"{folder}/{what}{times}.dlrec".replace(" ", "_")
        program = [build / "bench_growth_program", what, count]
        bare = least(program)
        figures.setdefault("driver", []).append(bare)
        for way, options in LIVE.items():
            live = least([lab, "trace", "--quiet", "--driver", "embedded", *options, "--record", recording, "--", *program])
            figures.setdefault(way, []).append(live and (live[0] - bare[0], live[1]))
        place = lesson(folder, what, count)
        window = [lab, "shot", f"{folder}/w.png", "--lesson", place]
        cost(window)  # compiles it
        drawn = least(window)
        figures.setdefault("window", []).append(drawn and (drawn[0] - bare[0], drawn[1]))
        for reader, form in READERS.items():
            calls = min(count + 3, MOST_ON_A_PAGE)
            words = [lab, *(word.format(r=recording, o=folder, calls=calls) for word in form)]
            figures.setdefault(reader, []).append(least(words))
    return figures


def show(what, figures):
    for reader, costs in figures.items():
        if None in costs:
            print(f"{what:17} {reader:11} failed: {costs}", flush=True)
            continue
        start, *took = (seconds for seconds, _ in costs)
        one, ten, hundred = (max(t - start, 0) for t in took)
        # If the time for one cannot be distinguished from the start, the time for ten is used instead.
        base, ratios = (one, (10, 100)) if one > 0.02 else (ten / 10, (None, 100)) if ten > 0.02 else (hundred / 100, (None, None))
        shown = [f"{t / base:7.1f}" if ratio and base else "      –" for t, ratio in zip((ten, hundred), ratios)]
        mark = "  <<<" if any(r and base and t / base > 2 * r for t, r in zip((ten, hundred), ratios)) else ""
        memory = " ".join(f"{megabytes:5.0f}" for _, megabytes in costs[1:])
        print(f"{what:17} {reader:11} {took[0]:7.2f} {took[1]:7.2f} {took[2]:7.2f} s   ×{shown[0]} ×{shown[1]}  {memory} MB{mark}", flush=True)


def main():
    build, wanted = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or SIZES
    lab = build / "driverlab"
    os.environ["DRIVERLAB_REMOTE"] = str(lab)  # the other side of --via
    os.environ["LD_LIBRARY_PATH"] = str(build / "embedded/lib")
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(__file__).resolve().parents[3]
        os.environ["DRIVERLAB_ROOT"] = folder  # lessons of our own
        (pathlib.Path(folder) / "assets").symlink_to(project / "assets")
        (pathlib.Path(folder) / "lessons").mkdir()
        for header in project.glob("lessons/*.hpp"):
            (pathlib.Path(folder) / "lessons" / header.name).symlink_to(header)
        for what in wanted:
            show(what, measure(lab, build, folder, what))


if __name__ == "__main__":
    main()
