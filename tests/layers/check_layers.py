#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the layer table of CONTRIBUTING.md and holds it against the folders and every #include.

Exit status 1 and a line per finding: file, line, what was included, what may be. Standard library only.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')
ROW = re.compile(r"^\|\s*`([a-z/_]+)`\s*\|[^|]*\|\s*([^|]*)\|")


def read_table(text):
    """Folder -> (allowed include roots, forbidden headers), from rows of three columns: folder, holds, may include."""
    table, inside = {}, False
    for line in text.splitlines():
        inside = line.startswith("|") and (inside or line.startswith("| folder |"))  # other tables name layers too
        match = ROW.match(line)
        if inside and match:
            table[match[1].rstrip("/")] = set(re.findall(r"`([a-z_./]+)`", match[2]))
    return table


# Include root (first folder of an include path) -> the layer that owns it.
OWNERS = {"api": "api", "trace": "trace", "driver": "driver", "lab": "app/lab", "gui": "app/gui", "cli": "app/cli"}


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1]


def check(project):
    findings = []
    contributing = project / "CONTRIBUTING.md"
    table = read_table(contributing.read_text(encoding="utf-8"))
    for folder in table:
        if not (project / folder).is_dir():
            findings.append(f"CONTRIBUTING.md: the table names {folder}/, which is not there")
    for folder in list(OWNERS.values()) + ["lessons", "tests", "tools", "assets"]:
        if folder not in table:
            findings.append(f"CONTRIBUTING.md: the table has no row for {folder}/")
    for folder in OWNERS.values():
        allowed = table.get(folder, set())
        for path in sorted((project / folder).rglob("*")):
            if path.suffix not in {".cpp", ".hpp", ".h", ".inc"}:
                continue
            for number, name in includes(path):
                owner = OWNERS.get(name.split("/")[0]) if "/" in name else None
                where = f"{path.relative_to(project)}:{number}"
                if owner and owner != folder and owner not in allowed:
                    findings.append(f"{where}: includes {name} of {owner}/, but {folder}/ may include only "
                                    f"{', '.join(sorted(allowed)) or 'nothing'}")
                if name in ("cuda.h", "cudaTypedefs.h") and folder not in ("driver", "trace"):
                    findings.append(f"{where}: includes {name}; only driver/, trace/ and lessons may")
                if name.startswith(("llvm", "llvm-c")) and not str(path.relative_to(project)).startswith("driver/compiler"):
                    findings.append(f"{where}: includes {name}; LLVM stays in driver/compiler/")
    return findings


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found) if found else "layers: the table, the folders and the includes agree")
    sys.exit(1 if found else 0)
