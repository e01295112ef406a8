# SPDX-License-Identifier: MIT
"""The real window on a display of its own, driven with mouse and keys, and asked for its line of state.

Starts Xvfb on a free display and the window in a home of its own; ends everything that it started. What is tested is
the business of smoke.py and features.py.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

SKIP = 77
WIDTH, HEIGHT = 1600, 1000
NO_BUTTON = 10  # of the mouse; the window counts its presses and does nothing else
PATIENCE = 120  # seconds; machines of classrooms and of CI are slow at times


class Skipped(Exception):
    """A test that this machine has not the tool for; says which."""


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
        # Headers that an earlier test compiled ahead are not compiled again; all else of the cache is this test's.
        headers = self.program.parent / "cache/driverlab/headers"
        headers.mkdir(parents=True, exist_ok=True)
        own = folder / ".cache/driverlab/headers"
        own.parent.mkdir(parents=True, exist_ok=True)
        own.symlink_to(headers)

    def start_display(self):
        reader, writer = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp",
             "-noreset",  # the keys and resources that a test sets outlive the window
             "-r"],  # on a busy machine a key is let go of so late that it would repeat
            pass_fds=[writer], stderr=subprocess.DEVNULL, env=self.environment)
        self.processes.append(server)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise AssertionError("Xvfb did not start")
        self.environment["DISPLAY"] = ":" + number

    def start_window(self, *arguments):
        self.window = subprocess.Popen([self.program, *arguments], env=self.environment, cwd=self.folder)
        self.processes.append(self.window)
        self.sent = 0
        self.wait("the first frame", lambda s: s["frames"] >= 2)
        ids = self.tool("xdotool", "search", "--sync", "--class", "driverlab").split()
        # Without a window manager nobody else gives it the keyboard.
        self.tool("xdotool", "windowfocus", "--sync", ids[-1])
        self.settle()

    def tool(self, *command, okay=(0,)):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode not in okay:
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

    def place(self, name):
        """Where something is, once it has come to rest: what has just opened still finds its size."""
        self.wait(f"the place of {name}", lambda s: name in s["places"])
        self.settle()
        return self.wait(f"the place of {name}", lambda s: name in s["places"])["places"][name]

    def click(self, place, at_rest=True):
        """`at_rest` is False for something that does not move while other things do."""
        for _ in range(5):
            x, y = self.place(place) if at_rest else \
                self.wait(f"the place of {place}", lambda s: place in s["places"])["places"][place]
            self.tool("xdotool", "mousemove", str(x), str(y))
            if at_rest:
                self.settle()
            # A banner that came or went meanwhile has moved it.
            if (self.state() or {}).get("places", {}).get(place, [x, y]) == [x, y]:
                break
        self.tool("xdotool", "click", "1")
        self.taken()

    def click_at(self, x, y):
        self.tool("xdotool", "mousemove", str(int(x)), str(int(y)), "click", "1")
        self.taken()

    def press(self, keys):
        self.tool("xdotool", "key", "--delay", "25", keys)
        self.taken()

    def type(self, text):
        # What the keyboard has no key for is bound to one on the way, which the window has to notice first.
        self.tool("xdotool", "type", "--delay", "12" if text.isascii() else "60", text)
        self.taken()

    def taken(self):
        """Until the window has taken all that was sent to it, or has ended. What it says before may be about what it was sent
        earlier; and it asks where the mouse is only when it takes a click."""
        self.sent += 1
        self.tool("xdotool", "click", str(NO_BUTTON))
        end = time.monotonic() + PATIENCE
        while self.window.poll() is None and (self.state() or {}).get("heard", 0) < self.sent:
            assert time.monotonic() < end, f"the window did not take what was sent; it says {self.state()}"
            time.sleep(0.02)

    def hover(self, place):
        x, y = self.place(place)
        self.tool("xdotool", "mousemove", str(x), str(y))
        self.settle()

    def hover_until(self, place, what, accept):
        """What scrolls late leaves the mouse beside its place: it is moved there again while `accept` waits."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.hover(place)
            again = time.monotonic() + 3
            while time.monotonic() < again:
                state = self.state()
                if state is not None and accept(state):
                    return state
                time.sleep(0.05)
        raise AssertionError(f"{what} did not come within {PATIENCE} s; the window says {self.state()}")

    def turn_wheel_down(self, place, notches=20):
        self.hover(place)
        self.tool("xdotool", "click", "--repeat", str(notches), "--delay", "20", "5")

    def picture(self, name):
        if shutil.which("import") and os.environ.get("DRIVERLAB_SMOKE_PICTURES"):
            time.sleep(0.5)  # motion comes to its end
            self.tool("import", "-window", "root", str(self.pictures / f"{name}.png"))

    def settle(self):
        """The same, and until it has come to rest: it draws only when something moves."""
        self.taken()
        end = time.monotonic() + 6  # while it works, something moves all the time
        while time.monotonic() < end and (self.state() or {}).get("moving", True):
            time.sleep(0.02)

    def stop_window(self):
        self.window.send_signal(signal.SIGTERM)
        assert self.window.wait(PATIENCE) == 0
        self.state_file.unlink(missing_ok=True)

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


# What many tests do.

def workspace(lab, lesson="05_context_stack"):
    return lab.folder / ".local/share/driverlab/workspace" / lesson


def open_lesson(lab, slug):
    lab.click("lesson")
    lab.wait("the list of lessons", lambda s: s["popup"] == 1)
    x, y = lab.place("lesson " + slug)
    lab.tool("xdotool", "mousemove", str(x), str(HEIGHT // 2))
    while not 160 < y < HEIGHT - 140:  # in the part of the list that the window does not show
        down, before = y > 160, y
        lab.tool("xdotool", "click", "5" if down else "4")
        y = lab.wait("the list scrolled", lambda s: (s["places"]["lesson " + slug][1] < before) == down
                     and s["places"]["lesson " + slug][1] != before)["places"]["lesson " + slug][1]
    lab.click("lesson " + slug)
    lab.wait(slug, lambda s: s["lesson"] == slug and s["popup"] == 0)
    lab.settle()


def open_window_at(lab, slug):
    """A window of its own at this lesson, without the tour of the first start."""
    lab.start_window()
    lab.click("tour skip")
    lab.wait("no tour", lambda s: s["tour"] == -1)
    open_lesson(lab, slug)


def look_at_the_keys(lab, picture):
    lab.press("F1")
    lab.wait("the list of keys", lambda s: s["popup"] == 4)
    lab.picture(picture)
    lab.press("Escape")
    lab.wait("no list", lambda s: s["popup"] == 0)


def put_caret_on_top(lab):
    lab.click("code")
    lab.wait("the focus in the editor", lambda s: s["editor"])
    lab.press("ctrl+Home")
    lab.wait("the first line", lambda s: s["caret"] == 1)


def find(lab, text):
    """The caret goes to the next place of the text, and the search is closed."""
    lab.press("ctrl+f")
    lab.type(text)
    lab.wait(text, lambda s: s["matches"] > 0)
    lab.press("Escape")
    lab.wait("no search", lambda s: s["matches"] == 0)


def leave_editor(lab):
    lab.click_at(*lab.place("panel picture"))
    lab.wait("the focus elsewhere", lambda s: not s["editor"])
