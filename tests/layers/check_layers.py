#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the tables of layers and of rooms in CONTRIBUTING.md and holds them against the folders and every #include.

Exit status 1 and a line per finding: file, line, what was included, what may be. Standard library only.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')
ROW = re.compile(r"^\|\s*`([a-z/_]+)`\s*\|[^|]*\|\s*([^|]*)\|")


def read_table(text, heading="| folder |"):
    """Folder -> allowed include roots, from rows of three columns: folder, holds, may include."""
    table, inside = {}, False
    for line in text.splitlines():
        inside = line.startswith("|") and (inside or line.startswith(heading))  # other tables name layers too
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


# Of the lab's public headers, which lie in one folder, each belongs to the room of the source of its name; these have none.
WITHOUT_SOURCE = {"result": "base", "letters": "base", "text_keys": "base", "alive_list": "model", "handle_index": "model",
                  "shot_request": "workbench"}


def rooms_of_lab(project, table):
    """Include path -> room."""
    sources, headers = project / "app/lab/src", project / "app/lab/include/lab"
    owners = {f"{path.parent.name}/{path.name}": path.parent.name for path in sources.glob("*/*.hpp")}
    owners |= {f"lab/{name}.hpp": room for name, room in WITHOUT_SOURCE.items()}
    for header in headers.glob("*.hpp"):
        for room in table:
            if (sources / room / f"{header.stem}.cpp").is_file():
                owners[f"lab/{header.name}"] = room
    return owners


def rooms_of_driver(project, table):
    """Include path -> room; what is generated for the driver itself belongs to the driver's own room."""
    owners = {}
    for room in table:
        for root in ("include", "src"):
            for path in (project / "driver" / room / root).rglob("*.h*"):
                owners[str(path.relative_to(project / "driver" / room / root))] = room
    for path in (project / "driver/src").rglob("*.hpp"):
        owners[str(path.relative_to(project / "driver/src"))] = "src"
    return {name: room for name, room in owners.items() if "/" in name}


def wrong_with_rooms(project, folder, table, places, owners):
    """`places`: (path, its room) of every file of these rooms. A room includes itself and what its row allows."""
    findings, above = [], set()
    for room, allowed in table.items():
        if not (project / folder / room).is_dir():
            findings.append(f"CONTRIBUTING.md: the table of {folder}/ names {room}/, which is not there")
        for other in sorted(allowed - above):
            findings.append(f"CONTRIBUTING.md: in the table of {folder}/ {room} may include {other}, which does not stand above it")
        above.add(room)
    for path, room in places:
        where = str(path.relative_to(project))
        if room not in table:
            findings.append(f"{where}: belongs to no room in the table of {folder}/")
            continue
        for number, name in includes(path):
            other = owners.get(name)
            if other and other != room and other not in table[room]:
                findings.append(f"{where}:{number}: includes {name} of {other}, but {room} may include only "
                                f"{', '.join(sorted(table[room])) or 'nothing'}")
    return findings


def check_rooms(project):
    text = (project / "CONTRIBUTING.md").read_text(encoding="utf-8")
    lab, driver = (read_table(text, f"| room of `{folder}` |") for folder in ("app/lab/src", "driver"))
    owners = rooms_of_lab(project, lab)
    sources = sorted((project / "app/lab/src").rglob("*.[ch]pp"))
    places = [(path, path.parent.name) for path in sources]
    places += [(path, owners.get(f"lab/{path.name}")) for path in sorted((project / "app/lab/include/lab").glob("*.hpp"))]
    findings = wrong_with_rooms(project, "app/lab/src", lab, places, owners)
    for path in sources:
        for number, name in includes(path):
            if "/" not in name and (path.parent / name).is_file():
                findings.append(f"{path.relative_to(project)}:{number}: includes {name}, not {path.parent.name}/{name}")
    places = []
    for path in sorted((project / "driver").rglob("*")):
        if path.suffix in {".cpp", ".hpp", ".h", ".inc"}:
            room = path.relative_to(project / "driver").parts[0]
            places.append((path, "src" if room == "generated" else room))
    return findings + wrong_with_rooms(project, "driver", driver, places, rooms_of_driver(project, driver))


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
    source = pathlib.Path(sys.argv[1])
    found = check(source) + check_rooms(source)
    print("\n".join(found) if found else "layers: the tables, the folders and the includes agree")
    sys.exit(1 if found else 0)
