"""Every feature of the window, driven as a student or a teacher drives it, with mouse and keys.

    features.py PROGRAM [--all] [--from TEST] GROUP…      groups: picture, code, study, classroom, trust; without one: all of them;
    --all: those, too, that do not pass every time yet

The tests of a group lie in features_GROUP.py: functions that begin where the one before ended, whose names say
what must hold; README.md lists which feature has which. Exit status 77: a tool that it needs is not on this machine.
"""
import importlib
import os
import pathlib
import shutil
import sys
import tempfile
import traceback

from window_driver import SKIP, Lab, Skipped

GROUPS = ["picture", "code", "study", "classroom", "trust"]


def run_group(name, program, keep, first, everything):
    """True when every test held. `first`: where to begin, for work on a test."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"driverlab_{name}_"))
    group = importlib.import_module(f"features_{name}")
    lab = Lab(program, folder)
    try:
        lab.start_display()
        group.prepare(lab)
        tests = group.TESTS + (getattr(group, "MORE", []) if everything else [])
        names = [test.__name__ for test in tests]
        for test in tests[names.index(first) if first in names else 0:]:
            try:
                test(lab)
                print(f"ok      {name}: {test.__name__}", flush=True)
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
    words, first = [word for word in sys.argv[2:] if word != "--all"], ""
    if words[:1] == ["--from"]:
        first, words = words[1], words[2:]
    held = [run_group(name, program, keep, first, "--all" in sys.argv) for name in words or GROUPS]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
