#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds code of app/ that asks by text which function a call is of; Event::function is the number to ask.

Found are names of a call in comparisons and searches, and string literals that are a function's name or the
beginning of one. Exit status 1 and a line per finding. Standard library only.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"//[^\n]*")
EVENT = re.compile(r"\btrace::Event\s*[&*]?\s*(\w+)\s*[;,)=({:]")
MEMBERS = {"event", "call"}  # of structs that hold an event: failure.event, pending.call
SEARCHES = r"(?:starts_with|ends_with|find|rfind|find_first_of|substr|compare|contains)\b"
LITERAL = re.compile(r'"((?:cu|cuda|nvrtc)[A-Z]\w*)"')
RESULT = re.compile(r"cuda(?:Error|Success)|CUDA_")  # begins the name of a result, not of a function
VERSIONED = re.compile(r"\b(\w+)\.symbol != \1\.name\b")  # whether a call's entry point has a name of its own
# Looks the functions up in a library, by their names.
LOOKS_UP = {"app/lab/supervisor/probe.cpp"}


def comparisons(code):
    """The places in this code where a call's name, or a copy of it, is compared or searched."""
    events = "|".join(sorted(set(EVENT.findall(code)) | MEMBERS))
    name = rf"(?:\b(?:{events})|\bat\([^;]*?\))(?:\.|->)(?:name|symbol|inside)\b"
    copies = re.findall(rf"\bstd::string(?:_view)?\s+(\w+)(?:\s*=\s*|[({{]){name}\s*[;)}}]", code)
    for pattern in (*(rf"\b{copy}\s*(?:==|!=|\.{SEARCHES})" for copy in copies),
                    rf"{name}\s*(?:==|!=|<(?!<)|\.{SEARCHES})", rf"(?:==|!=)\s*(?:\w+(?:\.|->))*{name}",
                    rf"\b(?:find|count|contains)\([^;]*?{name}\s*\)"):
        yield from re.finditer(pattern, code)


def check(project):
    findings = []
    for path in sorted((project / "app").rglob("*")):
        if path.suffix not in {".cpp", ".hpp"}:
            continue
        where = path.relative_to(project).as_posix()
        code = VERSIONED.sub("", COMMENT.sub("", path.read_text(encoding="utf-8")))
        lines = {code.count("\n", 0, found.start()) + 1: "a call's name is compared as text" for found in comparisons(code)}
        if where not in LOOKS_UP:
            for found in LITERAL.finditer(code):
                if not RESULT.match(found[1]):
                    lines[code.count("\n", 0, found.start()) + 1] = f"the function {found[1]} is named as text"
        findings += [f"{where}:{line}: {what}; use Event::function and trace::Function"
                     for line, what in sorted(lines.items())]
    return findings


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found) if found else "functions: no code of app/ compares a call's name as text")
    sys.exit(1 if found else 0)
