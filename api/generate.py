#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes every generated file of the project from the description of the API in api/driver/*.toml.

    api/generate.py            writes what has changed
    api/generate.py --check    changes nothing; exit status 1 if a file is stale, naming it
    api/generate.py --list     the names of all generated files

A generator is a module in api/generators/ with generate(api) -> {path: text}; no list names it.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENERATORS = ROOT / "api" / "generators"
sys.dont_write_bytecode = True
sys.path.insert(0, str(GENERATORS.parent))

from generators import load  # noqa: E402  (found only after the path is set)


def generate_all(api: load.Api) -> dict[str, str]:
    """Path below the project's root -> text."""
    files: dict[str, str] = {}
    for path in sorted(GENERATORS.glob("*.py")):
        module = importlib.import_module(f"generators.{path.stem}")
        if hasattr(module, "generate"):
            files |= module.generate(api)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say which files are stale")
    parser.add_argument("--list", action="store_true", help="only print the names of the files")
    options = parser.parse_args()
    try:
        files = generate_all(load.load())
    except load.DescriptionError as error:
        print(error, file=sys.stderr)
        return 1
    stale = 0
    for name, text in sorted(files.items()):
        path = ROOT / name
        if options.list:
            print(name)
            continue
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if options.check:
            print(f"{name} is stale: run api/generate.py and commit what it changes", file=sys.stderr)
            stale += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
