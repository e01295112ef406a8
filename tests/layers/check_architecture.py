# SPDX-License-Identifier: MIT
"""docs/architecture.md is true: every file that it names exists, and every function that a stop of its walks
names is defined in that stop's file.

    check_architecture.py PROJECT      prints FILE:LINE: what, and ends with 1, where something is named that is not there

A stop is a row of a table: number, `file`, `function`, what happens there. Standard library only.
"""
import pathlib
import re
import sys

DOCUMENT = "docs/architecture.md"
STOP = re.compile(r"^\|\s*\d+\s*\|\s*`([^`]+)`\s*\|\s*`([^`]+)`\s*\|")
PLACE = re.compile(r"\b(?:api|app|assets|cmake|docs|driver|lessons|tests|tools|trace)/[\w./-]*\w")


def without_comments(code):
    """C++ without its comments, which may name anything. A quote inside of a comment ends nothing."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.DOTALL)
    return token.sub(lambda found: found[1] or " ", code)


def end_of_brackets(code, at):
    depth = 0
    for place in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return place + 1
    return len(code)


def has_body_after(code, name):
    """Whether `name(…)` is followed by a body somewhere, not by the end of a statement as a call or a declaration is."""
    for found in re.finditer(rf"(?<![\w:.>~]){re.escape(name)}\s*\(", code):
        rest = code[end_of_brackets(code, found.end() - 1):]
        if re.match(r"\s*(?:const\b|noexcept\b|override\b|try\b|\s)*(?:\{|:(?!:))", rest):
            return True
    return False


def defines(path, name, text):
    if path.endswith(".py"):
        return re.search(rf"^\s*def {re.escape(name)}\(", text, re.MULTILINE) is not None
    code = without_comments(text)
    if has_body_after(code, name):
        return True
    # A macro that writes entry points is given their name first.
    if re.search(rf"^[A-Z_]+\({re.escape(name)},", code, re.MULTILINE):
        return True
    kind, colons, method = name.rpartition("::")
    # In the class itself, as headers have it.
    inside = re.search(rf"\b(?:class|struct)\s+{re.escape(kind.rpartition('::')[2])}\b[^;]*?\{{", code) if colons else None
    return inside is not None and has_body_after(code[inside.end():], method)


def findings(document, project):
    found, stops = [], 0
    for number, line in enumerate(document.splitlines(), 1):
        for place in PLACE.findall(line):
            if not (project / place).exists():
                found.append(f"{DOCUMENT}:{number}: there is no {place}")
        stop = STOP.match(line)
        if not stop:
            continue
        stops += 1
        path, name = stop.groups()
        if not (project / path).is_file():
            found.append(f"{DOCUMENT}:{number}: {path} is no file")
        elif not defines(path, name, (project / path).read_text(encoding="utf-8")):
            found.append(f"{DOCUMENT}:{number}: {path} defines no {name}")
    if stops < 2:
        found.append(f"{DOCUMENT}: {stops} stops are not a walk")
    return found


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    mistakes = findings((root / DOCUMENT).read_text(encoding="utf-8"), root)
    print("\n".join(mistakes) if mistakes else "architecture: every file and function that it names is there")
    sys.exit(1 if mistakes else 0)
