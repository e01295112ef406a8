# SPDX-License-Identifier: MIT
"""Each edit that a lesson's notes suggest under "Try it" does what the notes say: edits.toml makes it mechanically in a
copy of the lesson, which then runs, on the embedded driver unless an option names another. Of the notes, it uses only the number of edits.

    lesson_edits_test.py ROOT DRIVERLAB COPIES [--driver real] [LESSON…]     COPIES is a folder for the edited copies
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import lesson_files as files

KEYS = {"exit", "says", "never", "stack", "left", "change"}


def edits_of(lesson):
    path = lesson / "edits.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))["edit"] if path.is_file() else []


def edited_copy(lesson, edit, folder):
    """Copies what the lesson is built from and makes the changes; a Problem's text where one does not fit."""
    shutil.copytree(lesson, folder, ignore=shutil.ignore_patterns("exercise", "notes*"))
    for change in edit["change"]:
        path = folder / change.get("file", "main.cpp")
        text = path.read_text(encoding="utf-8")
        if text.count(change["from"]) != 1:
            return f"{path.name} has {text.count(change['from'])} times: {change['from']!r}"
        path.write_text(text.replace(change["from"], change["to"]), encoding="utf-8")
    return None


def contexts_left(calls):
    """Contexts that were created and never destroyed."""
    alive = set()
    for call in calls:
        if call["result"] == "CUDA_SUCCESS" and call["name"] == "cuCtxCreate":
            alive |= set(call["out"].values())
        if call["result"] == "CUDA_SUCCESS" and call["name"] == "cuCtxDestroy":
            alive -= set(call["args"].values())
    return alive


def run(given, lesson, number, edit):
    """What is wrong with this edit, as lines."""
    if unknown := set(edit) - KEYS:
        return [f"unknown keys: {unknown}"]
    scratch = given.copies / f"{lesson.name}_{number}"
    shutil.rmtree(scratch, ignore_errors=True)
    folder, events = scratch / "lesson", scratch / "events.jsonl"
    if problem := edited_copy(lesson, edit, folder):
        return [problem]
    done = subprocess.run([given.driverlab, "run", lesson.name, "--driver", given.driver, "--source", folder,
                           "--events", events], env=files.environment_for(given.root, scratch, lesson),
                          capture_output=True, text=True, timeout=500)
    shown = done.stdout + done.stderr
    lines = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()] if events.is_file() else []
    shutil.rmtree(scratch)
    calls = [line for line in lines if "name" in line]
    wrong = []
    if done.returncode != edit.get("exit", 0):
        wrong.append(f"exit status {done.returncode} instead of {edit.get('exit', 0)}")
    wrong += [f"never shown: {words}" for words in edit.get("says", []) if words not in shown]
    wrong += [f"shown: {words}" for words in edit.get("never", []) if words in shown]
    wrong += [f"model and driver disagree at {call['name']}" for call in calls if call.get("agree") is False]
    stacks = [call["stack"] for call in calls if call["thread"] == 0] or [[]]
    if "stack" in edit and stacks[-1] != edit["stack"]:
        wrong.append(f"the last stack is {stacks[-1]}")
    if "left" in edit and contexts_left(calls) != set(edit["left"]):
        wrong.append(f"left are {contexts_left(calls)}")
    return wrong + [shown] if wrong else []


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("root", type=lambda given: pathlib.Path(given).resolve())
    arguments.add_argument("driverlab", type=lambda given: pathlib.Path(given).resolve())
    arguments.add_argument("copies", type=lambda given: pathlib.Path(given).resolve())
    arguments.add_argument("--driver", default="embedded")
    arguments.add_argument("lessons", nargs="*")
    given = arguments.parse_args()
    lessons = [lesson for lesson in files.lessons(given.root) if not given.lessons or lesson.name in given.lessons]
    jobs = [(lesson, number, edit) for lesson in lessons for number, edit in enumerate(edits_of(lesson), 1)]
    failures = 0
    for lesson in lessons:
        for notes in ("notes.md", "notes.zh.md"):
            tail = (lesson / notes).read_text(encoding="utf-8").partition("<!-- end of steps -->")[2]
            if len(re.findall(r"^\d\. ", tail, re.M)) != len(edits_of(lesson)):
                failures += 1
                print(f"{lesson.name}: {notes} suggests another number of edits than edits.toml makes")
    # One after the other: ctest runs other tests beside this one, and on a real device a lesson that runs takes memory.
    for lesson, number, edit in jobs:
        wrong = run(given, lesson, number, edit)
        failures += bool(wrong)
        if wrong:
            print(f"{lesson.name}, edit {number}: " + "\n  ".join(wrong))
    print(f"{len(jobs)} edits of {len(lessons)} lessons made and run, {failures} wrong")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
