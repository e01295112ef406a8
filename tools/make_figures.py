#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the figures of the notes as files, for readers outside of the window: lessons/NN_slug/figures/STEP.svg.

    tools/make_figures.py build/driverlab            writes those that are not there or no longer right
    tools/make_figures.py build/driverlab --check    changes nothing; exit status 1 if one is missing or stale
    … --runs FOLDER                                  takes the runs' events from there (lesson_runs_test.py)

A figure shows what the window draws in its place: each thread's stack and the contexts, as they are at the end of the
step that the figure is named after, in a run on the embedded driver. It uses the events of docs/events.md and the
form of notes, and does not depend on the window.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "lessons"))
sys.dont_write_bytecode = True
import lesson_files as files  # noqa: E402  (found only after the path is set)

WORDS = {"svg": {"main": "main", "empty": "empty", "dead": "destroyed",
                 "inactive": "not active", "active": "active", "floating": "floating"},
         "zh.svg": {"main": "主线程", "empty": "空栈", "dead": "已销毁",
                    "inactive": "未激活", "active": "已激活", "floating": "游离"}}
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]  # of created contexts, in order; after Okabe and Ito
PRIMARY, GREY, INK = "#8a5a00", "#8c8c8c", "#404040"


class World:
    """The state after the events so far: contexts in order of appearance, memory and stacks. Each process counts its objects
    from the beginning, so a context is its process and its name."""

    def __init__(self):
        self.contexts, self.memory, self.stacks, self.process = {}, {}, {0: []}, 0
        self.greens = {}  # (process, green context) -> its primary context

    def context(self, name):
        return self.known((self.process, name))

    def known(self, shown):
        return self.contexts.setdefault(shown, {"dead": False, "uses": 1, "retains": 0})

    def end(self, name):
        self.context(name)["dead"] = True
        ended = (self.process, name)
        self.memory = {number: (owner, size) for number, (owner, size) in self.memory.items() if owner != ended}

    def take(self, event):
        name, given, out = event["name"], event["args"], event["out"]
        self.process = event.get("process", 0)
        self.stacks[event["thread"]] = [(self.process, context) for context in event["stack"]]
        if event["result"] not in ("CUDA_SUCCESS", "cudaSuccess"):
            return
        primary = f"P{given.get('dev', 0)}"
        if name == "cuCtxCreate":
            self.context(out["pctx"])
        elif name == "cuCtxAttach":
            self.context(out["pctx"])["uses"] += 1
        elif name == "cuCtxDestroy":
            self.end(given["ctx"])
        elif name == "cuCtxDetach":
            self.context(given["ctx"])["uses"] -= 1
            if self.context(given["ctx"])["uses"] == 0:
                self.end(given["ctx"])
        elif name == "cuDevicePrimaryCtxRetain":
            self.context(primary)["retains"] += 1
            self.context(primary)["dead"] = False
        elif name == "cuDevicePrimaryCtxRelease":
            self.context(primary)["retains"] -= 1
            if self.context(primary)["retains"] == 0:
                self.end(primary)
        elif name in ("cuDevicePrimaryCtxReset", "cudaDeviceReset"):
            self.end(primary)
        elif name == "cuGreenCtxCreate":
            self.greens[self.process, out["phCtx"]] = primary
        elif name == "cuCtxFromGreenCtx":
            self.context(out["pContext"])["green"] = given["hCtx"]
        elif name == "cuGreenCtxDestroy":
            for process, context in list(self.contexts):
                if process == self.process and self.context(context).get("green") == given["hCtx"]:
                    self.end(context)
        elif name in ("cuMemAlloc", "cuMemAllocManaged"):
            owner = event["stack"][-1]
            green = self.contexts.get((self.process, owner), {}).get("green")
            self.memory[self.process, out["dptr"]] = ((self.process, self.greens.get((self.process, green), owner)), given["bytesize"])
        elif name == "cuMemFree":
            self.memory.pop((self.process, given["dptr"]), None)


def size_words(count):
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.4g} {unit}"
    return f"{count} B"


def box(x, y, width, height, name, dead, strong, lines=()):
    number = ord(name[0]) - ord("A")
    colour = GREY if dead else PRIMARY if name.startswith("P") else COLOURS[number % len(COLOURS)]
    dash = ' stroke-dasharray="5 3"' if name.startswith("P") else ""
    struck = ' text-decoration="line-through"' if dead else ""
    text = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{"#f4f4f4" if dead else "#ffffff"}" '
            f'stroke="{colour}" stroke-width="{2.5 if strong else 1.2}"{dash}/>',
            f'<text x="{x + 9}" y="{y + 15}" font-weight="bold" fill="{colour}"{struck}>{name}</text>']
    text += [f'<text x="{x + 9}" y="{y + 31 + 15 * n}" font-size="11" fill="{INK}">{line}</text>'
             for n, line in enumerate(lines)]
    return text


def drawn(world, caption, words):
    stacks = [(thread, stack) for thread, stack in sorted(world.stacks.items()) if thread == 0 or stack]
    width = 24 + 86 * len(stacks) + 12 + max(1, len(world.contexts)) * 98 + 6
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="136" viewBox="0 0 {width} 136" '
            'font-family="sans-serif" font-size="13">',
            f"<title>{caption}</title>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="135" rx="8" fill="#fafafa" stroke="#d0d0d0"/>']
    x = 14
    for thread, stack in stacks:
        text.append(f'<path d="M{x} 110H{x + 74}" stroke="{INK}"/>')
        label = f"{thread} {words['main']}" if thread == 0 else str(thread)
        text.append(f'<text x="{x}" y="126" font-size="11" fill="{INK}">{label}</text>')
        if not stack:
            text.append(f'<text x="{x + 8}" y="104" font-size="11" fill="{GREY}">{words["empty"]}</text>')
        for place, shown in enumerate(stack[-4:]):
            text += box(x, 86 - 24 * place, 74, 21, shown[1], world.known(shown)["dead"], place + 1 == len(stack[-4:]))
        x += 86
    text.append(f'<path d="M{x} 10V126" stroke="#d0d0d0"/>')
    x += 12
    for shown, context in world.contexts.items():
        name, lines = shown[1], []
        if context["dead"]:
            lines.append(words["inactive" if name.startswith("P") else "dead"])
        elif name.startswith("P"):
            lines.append(words["active"])
        elif not any(shown in stack for stack in world.stacks.values()):
            lines.append(words["floating"])
        owned = sum(size for owner, size in world.memory.values() if owner == shown)
        lines += [size_words(owned)] if owned else []
        text += box(x, 12, 88, 54, name, context["dead"], False, lines)
        x += 98
    return "\n".join(text) + "\n</svg>\n"


def states(lesson, given):
    """The world at the end of each step of a run, by the rule of CONTRIBUTING.md."""
    calls = [event for event in files.events_of_run(lesson, given.driverlab, ROOT, given.runs) if "name" in event]
    return calls, files.steps_of_calls(lesson, calls)


def figures_of(lesson, given):
    """(path, text) of each figure that the notes show."""
    wanted = [figure for notes in ("notes.md", "notes.zh.md")
              for figure in files.figures_in_notes((lesson / notes).read_text(encoding="utf-8"))]
    if not wanted:
        return []
    calls, steps = states(lesson, given)
    made = []
    for caption, step, ending in wanted:
        world = World()
        so_far = calls[:len(steps) - steps[::-1].index(step)]
        for call in so_far:  # of the first process, and of the one that has made the step
            if call.get("process", 0) in (0, so_far[-1].get("process", 0)):
                world.take(call)
        made.append((lesson / "figures" / f"{step}.{ending}", drawn(world, caption, WORDS[ending])))
    return made


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("driverlab", type=lambda path: pathlib.Path(path).resolve())
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--runs", type=pathlib.Path)
    given = arguments.parse_args()
    made = [figure for lesson in files.lessons(ROOT) for figure in figures_of(lesson, given)]
    stale = [(path, text) for path, text in made if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path, text in stale if not given.check else []:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if stale and given.check:
        sys.exit("".join(f"{path} is missing or stale: tools/make_figures.py build/driverlab\n" for path, _ in stale))
    print(f"{len(made)} figures, {len(stale)} written")


if __name__ == "__main__":
    main()
