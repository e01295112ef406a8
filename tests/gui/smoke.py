"""Walks through the real window on a display of its own, with mouse and keys, as a student would.

Starts Xvfb on a free display, the window in a home of its own, and asserts on the line of state that the window
writes to DRIVERLAB_UI_STATE: phase, cursor, language, and where buttons are. Takes pictures on the way. Ends
everything that it started. Exit status 77: a tool that it needs is not on this machine.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIP = 77
WIDTH, HEIGHT = 1600, 1000
PATIENCE = 60  # seconds; machines of classrooms and of CI are slow at times


class Lab:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.state_file = folder / "state.json"
        self.pictures = folder / "pictures"
        self.pictures.mkdir()
        self.processes = []
        self.environment = dict(os.environ, HOME=str(folder), LANG="en_US.UTF-8", LC_ALL="C.UTF-8",
                                LIBGL_ALWAYS_SOFTWARE="1", DRIVERLAB_UI_STATE=str(self.state_file))
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "WAYLAND_DISPLAY", "DRIVERLAB_ROOT"):
            self.environment.pop(name, None)

    def start_display(self):
        reader, writer = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"],
            pass_fds=[writer], stderr=subprocess.DEVNULL, env=self.environment)
        self.processes.append(server)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise AssertionError("Xvfb did not start")
        self.environment["DISPLAY"] = ":" + number

    def start_window(self):
        self.window = subprocess.Popen([self.program], env=self.environment, cwd=self.folder)
        self.processes.append(self.window)
        self.wait("the first frame", lambda s: s["frames"] >= 2)
        ids = self.tool("xdotool", "search", "--sync", "--class", "driverlab").split()
        # Without a window manager nobody else gives it the keyboard.
        self.tool("xdotool", "windowfocus", ids[-1])
        time.sleep(0.3)

    def tool(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def state(self):
        try:
            return json.loads(self.state_file.read_text())
        except (OSError, ValueError):
            return None

    def wait(self, what, accept):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.window.poll() is not None:
                raise AssertionError(f"the window ended with status {self.window.returncode} while waiting for {what}")
            state = self.state()
            if state is not None and accept(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"{what} did not come within {PATIENCE} s; the window says {self.state()}")

    def click(self, place):
        state = self.wait(f"the place of {place}", lambda s: place in s["places"])
        x, y = state["places"][place]
        self.tool("xdotool", "mousemove", str(x), str(y))
        time.sleep(0.1)
        self.tool("xdotool", "click", "1")

    def press(self, keys):
        self.tool("xdotool", "key", "--delay", "60", keys)

    def picture(self, name):
        if shutil.which("import"):
            time.sleep(0.5)  # motion comes to its end
            self.tool("import", "-window", "root", str(self.pictures / f"{name}.png"))

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def choose_lesson(lab):
    lab.click("lesson")
    lab.wait("the list of lessons", lambda s: s["popup"] == 1)
    lab.click("lesson context_stack")
    lab.wait("lesson 04", lambda s: s["lesson"] == "context_stack" and s["popup"] == 0)
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
    lab.press("F1")
    lab.wait("the list of keys", lambda s: s["popup"] == 4)
    lab.picture("5_keys")
    lab.press("Escape")
    lab.wait("no list", lambda s: s["popup"] == 0)


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
