# SPDX-License-Identifier: MIT
"""Walks through the real window on a display of its own, with mouse and keys, as a student would.

Starts Xvfb on a free display, the window in a home of its own, and asserts on the line of state that the window
writes to DRIVERLAB_UI_STATE: phase, cursor, language, and where buttons are. Takes pictures on the way. Ends
everything that it started. Exit status 77: a tool that it needs is not on this machine.
"""
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

from window_driver import PATIENCE, SKIP, Lab, look_at_the_keys


def choose_lesson(lab):
    lab.click("lesson")
    lab.wait("the list of lessons", lambda s: s["popup"] == 1)
    lab.click("lesson context_stack")
    lab.wait("lesson 05", lambda s: s["lesson"] == "context_stack" and s["popup"] == 0)
    lab.picture("1_lesson")


def run_to_the_end(lab):
    lab.click("continue")  # its label is Run while nothing ran yet
    state = lab.wait("the end of the run", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] > 20)
    lab.picture("2_ended")
    return state["calls"]


def step_and_go_back(lab, all_calls):
    lab.press("ctrl+shift+F5")
    lab.wait("the first call, held", lambda s: s["phase"] == "held" and s["calls"] == 0)
    for number in range(1, 4):
        lab.press("F10")
        lab.wait(f"call {number}", lambda s: s["call"] == number and s["phase"] == "held")
    lab.picture("3_held")
    lab.press("F9")
    lab.wait("call 2 again", lambda s: s["call"] == 2 and s["calls"] == 3 and s["phase"] == "held")
    lab.press("F10")  # in the past: only the cursor moves
    lab.wait("call 3 again", lambda s: s["call"] == 3 and s["calls"] == 3)
    lab.press("F5")
    lab.wait("the end once more", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] == all_calls)


def scrub(lab):
    state = lab.state()
    left, right = state["places"]["track left"], state["places"]["track right"]
    lab.tool("xdotool", "mousemove", str((left[0] + right[0]) // 2), str(left[1]))
    time.sleep(0.1)
    lab.tool("xdotool", "click", "1")
    lab.wait("the middle of the run", lambda s: abs(s["call"] - s["calls"] / 2) <= 1)


def change_the_look(lab):
    lab.click("language1")
    lab.wait("Chinese", lambda s: s["language"] == "zh")
    lab.picture("4_chinese")
    lab.press("ctrl+l")
    lab.wait("English", lambda s: s["language"] == "en")
    lab.press("ctrl+l")
    lab.wait("Chinese again", lambda s: s["language"] == "zh")
    lab.press("ctrl+equal")
    lab.wait("125 %", lambda s: s["scale"] == 125)
    lab.press("ctrl+t")
    lab.wait("the light theme", lambda s: s["theme"] == "light")
    look_at_the_keys(lab, "5_keys")


def quit_and_come_back(lab):
    lab.press("ctrl+q")
    status = lab.window.wait(PATIENCE)
    assert status == 0, f"the window ended with status {status}"
    lab.state_file.unlink()
    lab.start_window()
    state = lab.wait("the settings of before", lambda s: s["lesson"] == "context_stack")
    assert (state["language"], state["scale"], state["theme"]) == ("zh", 125, "light"), state
    lab.window.send_signal(signal.SIGTERM)
    assert lab.window.wait(PATIENCE) == 0


def main():
    for tool in ("Xvfb", "xdotool"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not on this machine")
            return SKIP
    folder = pathlib.Path(tempfile.mkdtemp(prefix="driverlab_smoke_"))
    keep = os.environ.get("DRIVERLAB_SMOKE_PICTURES")
    lab = Lab(pathlib.Path(sys.argv[1]).resolve(), folder)
    try:
        lab.start_display()
        lab.start_window()
        lab.click("tour skip")
        lab.wait("no tour", lambda s: s["tour"] == -1)
        choose_lesson(lab)
        calls = run_to_the_end(lab)
        step_and_go_back(lab, calls)
        scrub(lab)
        change_the_look(lab)
        quit_and_come_back(lab)
    finally:
        lab.end()
        if keep:
            shutil.copytree(lab.pictures, keep, dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
    print(f"ok: {calls} calls run, stepped, gone back, scrubbed; Chinese, 125 %, light; left and come back")
    return 0


if __name__ == "__main__":
    sys.exit(main())
