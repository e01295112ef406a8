#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_window_pictures.py build/driverlab: the README's pictures of the window, docs/images/window_{en,zh}.png.

Opens the real window on a display of its own (Xvfb), runs lesson 05 in it, goes to its sixth call and takes what the
display shows, in both languages. Needs xvfb, xdotool and ImageMagick, which tools/test installs. Look at both before
committing them.
"""
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/app/gui/window"))
from window_driver import Lab  # noqa: E402

CALL = 6  # A is pushed once more: the stack is A, B, A


def take(lab, language):
    lab.tool("xdotool", "mousemove", "1599", "999")  # nothing is pointed at
    lab.picture(language)
    made = lab.pictures / f"{language}.png"
    lab.tool("convert", str(made), "-strip", "-colors", "255", "-define", "png:compression-level=9",
             str(ROOT / "docs" / "images" / f"window_{language}.png"))


def run_to_call(lab):
    lab.press("F5")
    lab.wait("the end of the run", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] > 20)
    lab.click("track left")
    lab.wait("the beginning", lambda s: s["call"] == 0)
    for call in range(1, CALL + 1):
        lab.press("F10")
        lab.wait(f"call {call}", lambda s, call=call: s["call"] == call)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.environ["DRIVERLAB_SMOKE_PICTURES"] = "yes"  # else the window's driver takes none
    (ROOT / "docs" / "images").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="driverlab_pictures_") as folder:
        lab = Lab(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        try:
            lab.start_display()
            lab.start_window()
            lab.click("tour skip")
            lab.wait("no tour", lambda s: s["tour"] == -1)
            lab.press("F2")
            lab.wait("no questions", lambda s: not s["predict"])
            lab.click("lesson")
            lab.click("lesson context_stack")
            lab.wait("lesson 05", lambda s: s["lesson"] == "context_stack" and s["popup"] == 0)
            run_to_call(lab)
            take(lab, "en")
            lab.press("ctrl+l")
            lab.wait("Chinese", lambda s: s["language"] == "zh")
            lab.press("ctrl+shift+F5")  # the program prints Chinese, too
            lab.wait("the new run", lambda s: s["phase"] == "held")
            run_to_call(lab)
            take(lab, "zh")
        finally:
            lab.end()


if __name__ == "__main__":
    main()
