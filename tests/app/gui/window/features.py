# SPDX-License-Identifier: MIT
"""Every feature of the window, driven as a student or a teacher drives it, with mouse and keys.

    features.py PROGRAM [--from TEST | --only TEST] GROUP…      groups: picture, code, study, classroom, trust; without one: all

The tests of a group lie in features_GROUP.py: functions that begin where the one before ended, whose names say
what must hold; README.md lists which feature has which. Exit status 77: a tool that it needs is not on this machine.
"""
import importlib
import os
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

from window_driver import SKIP, Lab, Skipped

GROUPS = ["picture", "code", "study", "classroom", "trust"]


def run_group(name, program, keep, first, only):
    """True when every test held. `first`, `only`: where to begin or what to run alone, for work on a test."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"driverlab_{name}_"))
    group = importlib.import_module(f"features_{name}")
    lab = Lab(program, folder)
    try:
        lab.start_display()
        group.prepare(lab)
        names = [test.__name__ for test in group.TESTS]
        for test in group.TESTS[names.index(first) if first in names else 0:]:
            if only and test.__name__ != only:
                continue
            began = time.monotonic()
            try:
                test(lab)
                print(f"ok      {name}: {test.__name__} ({time.monotonic() - began:.1f} s)", flush=True)
            except Skipped as why:
                print(f"skipped {name}: {test.__name__}: {why}", flush=True)
            except Exception:  # of whatever kind: the picture and the rest of the groups are wanted
                print(f"FAILED  {name}: {test.__name__}", flush=True)
                traceback.print_exc()
                lab.picture("failed")
                return False
        return True
    finally:
        lab.end()
        if keep:
            shutil.copytree(lab.pictures, keep, dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)


def main():
    for tool in ("Xvfb", "xdotool"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not on this machine")
            return SKIP
    program = pathlib.Path(sys.argv[1]).resolve()
    keep = os.environ.get("DRIVERLAB_SMOKE_PICTURES")
    words, first, only = sys.argv[2:], "", ""
    if words[:1] == ["--from"]:
        first, words = words[1], words[2:]
    if words[:1] == ["--only"]:
        only, words = words[1], words[2:]
    held = [run_group(name, program, keep, first, only) for name in words or GROUPS]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
