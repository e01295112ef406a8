# SPDX-License-Identifier: MIT
"""Writes a compile database that names each source by itself, also for a build that compiles them in batches: what
clangd and other tools need that look up a source. Run by the build.

    compile_database.py COMPILE_COMMANDS RESULT
"""
import json
import os
import pathlib
import re
import sys


def sources_of(batch):
    """The sources of a batch, or nothing where this file is none."""
    if not re.search(r"/Unity/unity_\d+_c(xx)?\.c(xx)?$", batch):
        return []
    return re.findall(r'^#include "(/.*)"$', pathlib.Path(batch).read_text(encoding="utf-8"), re.M)


def for_clang(command):
    """The command without what only g++ knows."""
    only_gnu = r" (--param=|-finline-small-functions|-findirect-inlining)\S*"
    return command | {"command": re.sub(only_gnu, "", command["command"])}


def plain(commands):
    for command in map(for_clang, commands):
        batch = command["file"]
        sources = sources_of(batch)
        if not sources:
            yield command
        for source in sources:
            line = re.sub(r" -o \S+", f" -o {os.path.basename(source)}.o", command["command"]).replace(batch, source)
            yield {"directory": command["directory"], "file": source, "command": line}


def main():
    commands, result = map(pathlib.Path, sys.argv[1:3])
    text = json.dumps(list(plain(json.loads(commands.read_text(encoding="utf-8")))), indent=1)
    result.parent.mkdir(parents=True, exist_ok=True)
    unfinished = result.with_suffix(".tmp")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(result)


if __name__ == "__main__":
    main()
