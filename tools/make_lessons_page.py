#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes docs/generated/lessons.md, for each lesson its sources, the calls of its run, and each claim with its proof; and
docs/generated/coverage.md, for each thing that the documents teach and each mistake that users make where it is treated.

    tools/make_lessons_page.py build/driverlab            writes the pages
    tools/make_lessons_page.py build/driverlab --check    changes nothing; exit status 1 if it is stale
    tools/make_lessons_page.py --list                     the names of the pages
    … --runs FOLDER                                       takes the runs' events from there (lesson_runs_test.py)

The calls come from a run on the embedded driver, the claims from the markers in notes.md. It uses the form of
a lesson's folder and of the events, and does not depend on how the lab reads them.
"""
import argparse
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "lessons"))
sys.dont_write_bytecode = True
import lesson_files as files  # noqa: E402  (found only after the path is set)

PAGE, COVERAGE = (ROOT / "docs" / "generated" / name for name in ("lessons.md", "coverage.md"))
# The documents of lessons/README.md as the notes call them, and the guide's sections by the names that they have now.
DOCUMENTS = {"0": "the question of lesson 15", "1": "the programming guide", "2": "NVIDIA's article on context-independent loading",
             "3": "NVIDIA's article on CUDA Python", "4": "the tutorial on context management"}
SECTIONS = {"L": "The CUDA Driver API", "L.1": "Context", "L.2": "Module", "L.3": "Kernel Execution",
            "L.4": "Interoperability between Runtime and Driver APIs", "L.5": "Driver Entry Point Access",
            "L.5.3.3": "Retrieve Per-thread Default Stream Versions"}
COVERAGE_HEAD = """# What the course covers

Made by `tools/make_lessons_page.py` of `lessons/coverage.toml`; do not edit. "Document N" is explained in
[lessons/README.md](../../lessons/README.md), checks and measured results in [lessons.md](lessons.md); an *explanation* is what
the lab says to a call that failed (`assets/strings/explain.toml`). A test follows each name."""
HEAD = """# The lessons

Made by `tools/make_lessons_page.py`; do not edit.
The proofs have four kinds. A *step* of the lesson's own program ends the program if the claim is false. A *check* is a test of the
[conformance suite](../../tests/whole/conformance/README.md). *Measured* names a call whose result was measured on an H200
([driver](../../tests/driver/core/truth/), [runtime](../../tests/driver/cudart/truth/)). A *recording* is a run on an H200 with the times of its
calls ([recordings](../../assets/recordings/README.md)). A test looks up each name.
"""


def calls_of(lesson, given):
    """Names of the API's functions that the lesson's run calls, in the order of their first call."""
    names = [event.get("name") for event in files.events_of_run(lesson, given.driverlab, ROOT, given.runs)]
    return list(dict.fromkeys(name for name in names if name))


def claims_of(notes):
    """(claim, proofs) of each marker: the paragraph or box before it."""
    blocks = [block.strip() for block in re.split(r"\n\s*\n", notes)]
    found = []
    for before, block in zip(blocks, blocks[1:]):
        marker = re.fullmatch(r"<!-- proof: (.*?) -->", block, re.S)
        if marker:
            found.append((claim_in(before), [proof.strip() for proof in marker.group(1).split(";")]))
    return found


def claim_in(block):
    """What a paragraph says, or of a box what the driver does, in one line."""
    text = re.sub(r"^> ?", "", block, flags=re.M).split("**What the driver does**")[-1]
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|")


def linked(proof):
    kind, _, name = proof.partition(" ")
    return {"step": "step", "conformance": "check", "truth": "measured", "recording": "recording", "explain": "explanation"}[kind] + f" `{name}`"


def named(document):
    """"1 L.2" in words: the document, and its section by the name of today."""
    number, _, place = document.partition(" ")
    return DOCUMENTS[number] + (f', "{SECTIONS[place]}"' if place in SECTIONS else "")


def section(lesson, given):
    described = tomllib.loads((lesson / "lesson.toml").read_text(encoding="utf-8"))
    calls = calls_of(lesson, given)
    documents = "; ".join(map(named, described["documents"])) or "reports of users"
    lines = [f"\n## {lesson.name[:2]} [{described['title']['en']}](../../lessons/{lesson.name}/notes.md)"
             f" · [{described['title']['zh']}](../../lessons/{lesson.name}/notes.zh.md)\n",
             described["summary"]["en"] + "\n",
             f"- Sources: {documents}",
             "- Teaches: " + ", ".join(f"`{name}`" for name in described["teaches"]),
             f"- Calls in its run ({len(calls)}): " + ", ".join(f"`{name}`" for name in calls),
             *(f"- Exercise `{exercise['name']}`, {exercise['title']['en']}: {exercise['task']['en']}"
               f" ({len(exercise.get('wrong', []))} known wrong answers)" for exercise in described["exercise"])]
    claims = claims_of((lesson / "notes.md").read_text(encoding="utf-8"))
    if claims:
        lines += ["", "| claim | proof |", "| --- | --- |"]
        lines += [f"| {claim} | {', '.join(map(linked, proofs))} |" for claim, proofs in claims]
    return "\n".join(lines) + "\n"


def coverage():
    """docs/generated/coverage.md: what the documents teach and what users get wrong, beside where it is treated."""
    items = tomllib.loads((ROOT / "lessons" / "coverage.toml").read_text(encoding="utf-8"))["item"]
    lines, group = [COVERAGE_HEAD], None
    for item in items:
        if item["group"] != group:
            group = item["group"]
            lines += ["", f"## {group}", "", "| what | where | beside it |", "| --- | --- | --- |"]
        where = ", ".join(f"[{step[:2]}](../../lessons/{step.partition('/')[0]}/notes.md) `{step.partition('/')[2]}`"
                          for step in item.get("taught", []))
        reason = ("in no lesson: " if not where else "but: ") + item["reason"] if "reason" in item else ""
        cells = [item["item"], "; ".join(filter(None, [where, reason])), ", ".join(map(linked, item.get("checked", [])))]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def written(page, text, check):
    """Whether the page is as it should be, after it was written unless it was only to be checked."""
    if not check:
        page.write_text(text, encoding="utf-8")
    return page.is_file() and page.read_text(encoding="utf-8") == text


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("driverlab", nargs="?", type=lambda path: pathlib.Path(path).resolve())
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--runs", type=pathlib.Path)
    given = arguments.parse_args()
    if given.list:
        print(*(page.relative_to(ROOT) for page in (PAGE, COVERAGE)), sep="\n")
        return
    if not given.driverlab:
        arguments.error("the program is missing: build/driverlab")
    lessons = files.lessons(ROOT)
    page = HEAD + "".join(section(lesson, given) for lesson in lessons)
    for path, text in ((PAGE, page), (COVERAGE, coverage())):
        if not written(path, text, given.check):
            sys.exit(f"{path} is stale: tools/make_lessons_page.py build/driverlab")
    print(f"{len(lessons)} lessons in {PAGE} and {COVERAGE}")


if __name__ == "__main__":
    main()
