# SPDX-License-Identifier: MIT
"""Nothing is lost and nothing hangs: kills, crashes, half-done saves, work that takes long."""
import contextlib
import os
import pathlib
import random
import resource
import signal
import subprocess
import threading
import time

from window_driver import PATIENCE, find, leave_editor, open_lesson, open_window_at, put_caret_on_top, workspace
from x11 import close_by_the_window_manager

CALLS = 200_000  # of the large recording
UNKEPT = 7  # the question about text that could not be saved
LOADING = 30  # seconds that it takes from far away


def prepare(lab):
    open_window_at(lab, "context_stack")
    lab.press("F2")
    lab.wait("no questions", lambda s: not s["predict"])


def kill_window(lab):
    lab.window.send_signal(signal.SIGKILL)
    lab.window.wait()
    lab.state_file.unlink(missing_ok=True)


def insert_in_main(lab, text):
    put_caret_on_top(lab)
    find(lab, "int main() {")
    lab.press("End")
    lab.press("Return")
    lab.type(text)
    lab.wait("the edit", lambda s: s["edited"] == 1 and text.strip()[:20] in s["text"])


def restored(lab):
    lab.click("restore")
    lab.wait("the original", lambda s: s["edited"] == 0)


def programs_of(lab):
    """Processes that run in the lesson's workspace."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(workspace(lab)):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def killed_at_once_everything_is_where_it_was(lab):
    put_caret_on_top(lab)
    lab.type("// mine ")
    find(lab, "cuCtxPushCurrent(a)")
    lab.press("ctrl+b")
    before = lab.wait("the breakpoint", lambda s: s["breakpoints"] == 1)
    lab.press("ctrl+l")
    lab.wait("Chinese", lambda s: s["language"] == "zh")
    settings = lab.folder / ".config/driverlab/settings.json"
    end = time.monotonic() + PATIENCE
    while not settings.exists() or '"zh"' not in settings.read_text() or "cuCtx" in settings.read_text() \
            or f'"line": {before["caret"]}' not in settings.read_text():
        assert time.monotonic() < end, settings.read_text()
        time.sleep(0.1)
    kill_window(lab)
    lab.start_window()
    lab.wait("all of it", lambda s: s["lesson"] == "context_stack" and s["edited"] == 1 and s["language"] == "zh"
             and s["breakpoints"] == 1 and s["caret"] == before["caret"] and s["file"] == "main.cpp")
    lab.picture("where_it_was")
    lab.press("ctrl+l")
    lab.wait("English", lambda s: s["language"] == "en")
    put_caret_on_top(lab)
    find(lab, "cuCtxPushCurrent(a)")
    lab.press("ctrl+b")
    lab.wait("no breakpoint", lambda s: s["breakpoints"] == 0)
    restored(lab)


def killed_while_it_saves_the_file_is_whole(lab):
    file = workspace(lab) / "main.cpp"
    original = file.read_text()
    chance = random.Random(5)
    for round_number in range(4):
        put_caret_on_top(lab)
        lab.type(f"// round {round_number} ")
        time.sleep(chance.uniform(0.3, 1.4))  # around the moment of the save
        kill_window(lab)
        text = file.read_text()
        assert text.endswith(original), f"round {round_number}: {len(text)} bytes"
        assert set(text[:-len(original)]) <= set("// round0123456789 "), text[:100]
        lab.start_window()
        lab.wait("the lesson", lambda s: s["lesson"] == "context_stack")
        lab.settle()
    if lab.state()["edited"]:
        restored(lab)


def a_lesson_that_crashes_is_told_and_the_window_goes_on(lab):
    insert_in_main(lab, "*(volatile int*)nullptr = 1;")
    leave_editor(lab)
    lab.press("F5")
    lab.wait("the crash", lambda s: s["phase"] == "ended" and "SIGSEGV" in s.get("end", ""))
    lab.picture("crash")
    restored(lab)


def an_endless_lesson_is_stopped_and_the_window_stays_awake(lab):
    insert_in_main(lab, "for (;;) {}")
    leave_editor(lab)
    lab.press("F5")
    lab.wait("the run", lambda s: s["phase"] == "running")
    frames = lab.state()["frames"]
    lab.press("ctrl+l")
    lab.wait("Chinese", lambda s: s["language"] == "zh" and s["frames"] > frames)
    lab.press("ctrl+l")
    lab.press("shift+F5")
    lab.wait("the end", lambda s: s["phase"] == "ended" and "stopped" in s["end"])


def a_lesson_that_somebody_kills_is_told(lab):
    lab.press("F5")
    lab.wait("the run", lambda s: s["phase"] == "running")
    end = time.monotonic() + PATIENCE
    while not programs_of(lab):
        assert time.monotonic() < end, "no program in the workspace"
        time.sleep(0.05)
    for process in programs_of(lab):
        os.kill(process, signal.SIGKILL)
    lab.wait("the end", lambda s: s["phase"] == "ended" and "SIGKILL" in s["end"])
    lab.picture("killed")
    restored(lab)
    lab.press("F5")
    lab.wait("a whole run again", lambda s: s["phase"] == "ended" and s["calls"] > 20)


def a_message_names_the_line_and_the_mistake(lab):
    insert_in_main(lab, "cuCtxPopCurent(nullptr);")
    lab.press("ctrl+Return")
    lab.wait("the failed build", lambda s: s["phase"] == "build_failed" and "cuCtxPopCurent" in s["message"])
    lab.picture("message")
    restored(lab)
    lab.click("dismiss")
    lab.wait("no message", lambda s: s["problems"] == 0)


def a_long_build_is_cancelled_and_blocks_no_frame(lab):
    # Any compiler waits for a pipe that nobody writes to, and takes no core meanwhile.
    pipe = workspace(lab) / "slow.hpp"
    os.mkfifo(pipe)
    put_caret_on_top(lab)
    lab.press("Return")
    lab.press("Up")
    lab.type('#include "slow.hpp" ')
    leave_editor(lab)
    lab.press("F5")
    lab.wait("the strip of work", lambda s: s["phase"] == "building" and s["working"])
    frames = lab.state()["frames"]
    lab.picture("building")
    lab.press("ctrl+l")
    lab.wait("frames meanwhile", lambda s: s["frames"] > frames and s["language"] == "zh")
    lab.press("ctrl+l")
    lab.click("cancel work", at_rest=False)
    state = lab.wait("no build", lambda s: s["phase"] != "building" and not s["working"])
    assert state["problems"] == 0, state["said"]
    pipe.unlink()
    restored(lab)


def record_many_calls(lab, calls):
    """A recording of as many calls as asked for, made by the command line."""
    source = lab.folder / "many"
    source.mkdir(exist_ok=True)
    (source / "main.cpp").write_text(
        '#include "check.hpp"\nint main() {\n  // step: start\n  cuInit(0);\n'
        f"  for (int i = 0; i < {calls}; ++i) {{ int n; cuDriverGetVersion(&n); }}\n}}\n")
    recording = lab.folder / "many.trace"
    subprocess.run([lab.program, "run", "05", "--driver", "embedded", "--source", source, "--record", recording],
                   env=lab.environment, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE * 3)
    return recording


def written_slowly(pipe, content, over):
    """Half at once, so that there are calls; the rest in small pieces until the reader goes or `over` is set."""
    half, piece = len(content) // 2, 1024
    pause = LOADING / (half / piece)  # however short the calls have become
    with open(pipe, "wb", buffering=0) as writer, contextlib.suppress(BrokenPipeError):
        writer.write(content[:half])
        for start in range(half, len(content), piece):
            if over.wait(pause):
                return
            writer.write(content[start:start + piece])


def a_large_recording_loads_with_progress_and_can_be_cancelled(lab):
    content = record_many_calls(lab, CALLS).read_bytes()
    pipe = lab.folder / "slow.trace"  # as slow as from a far machine, on any
    os.mkfifo(pipe)
    over = threading.Event()
    writer = threading.Thread(target=written_slowly, args=(pipe, content, over))
    writer.start()
    try:
        lab.stop_window()
        lab.start_window(str(pipe))
        lab.wait("the first calls and the strip of work", lambda s: s["working"] and s["calls"] > 0)
        lab.picture("loading")
        lab.click("cancel work", at_rest=False)
        state = lab.wait("what was read by then", lambda s: not s["working"] and s["problems"] == 1)
        assert state["calls"] < CALLS + 1 and "cancelled" in state["said"], state["said"]
        lab.click("dismiss")
        lab.stop_window()
    finally:
        over.set()
        writer.join()
    lab.start_window()


def an_export_shows_its_progress_and_can_be_cancelled(lab):
    open_lesson(lab, "context_stack")
    lab.press("F5")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["calls"] > 20)
    lab.press("ctrl+e")
    lab.wait("the choices", lambda s: s["popup"] == 6)
    lab.click("share run")
    lab.wait("the strip of work", lambda s: s["working"])
    lab.picture("exporting")
    frames = lab.state()["frames"]
    lab.wait("frames meanwhile", lambda s: s["frames"] > frames + 5)
    lab.click("cancel work", at_rest=False)
    lab.wait("no work", lambda s: not s["working"])
    left = list((lab.folder / ".local/share/driverlab/shared").glob("*"))
    assert left == [], left


@contextlib.contextmanager
def unwritable(lab):
    """The workspace's folder gone, and a file in its place: nothing can be saved there, by nobody."""
    folder = workspace(lab)
    aside = folder.with_name("aside")
    folder.rename(aside)
    folder.write_text("in the way")
    try:
        yield folder
    finally:
        folder.unlink()
        aside.rename(folder)


@contextlib.contextmanager
def full_disk(lab, bytes_of_a_file=48 << 10):
    """No file of the window's may have more bytes, as on a disk that is full; what lies there already stays."""
    _, most = resource.prlimit(lab.window.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(lab.window.pid, resource.RLIMIT_FSIZE, (bytes_of_a_file, most))
    try:
        yield
    finally:
        if lab.window.poll() is None:
            resource.prlimit(lab.window.pid, resource.RLIMIT_FSIZE, (most, most))


def a_full_disk_loses_nothing_and_runs_nothing_old(lab):
    file = workspace(lab) / "main.cpp"
    original = file.read_text()
    # Small files find room, this one does not.
    file.write_text(original + "// a long comment of the student's\n" * 2000)
    lab.wait("the long text", lambda s: s["bytes"] > 60000)
    lab.press("F5")
    lab.wait("a run of it", lambda s: s["phase"] == "ended" and s["calls"] > 20 and "status 0" in s["end"])
    with full_disk(lab):
        insert_in_main(lab, "return 7;")
        lab.press("ctrl+Return")
        state = lab.wait("the refusal", lambda s: s["problems"] > 0 and "Nothing was run" in s["said"])
        assert "File too large" in state["said"] and "status 0" in state["end"], state["said"]
        lab.press("ctrl+q")
        lab.wait("the question", lambda s: s["popup"] == UNKEPT)
        lab.press("Escape")
        lab.wait("no question", lambda s: s["popup"] == 0)
        file.unlink()
        time.sleep(1.5)  # it looks at the disk twice in that time
        assert not file.exists() and "return 7;" in lab.state()["text"]
        lab.press("ctrl+q")
        lab.wait("the question again", lambda s: s["popup"] == UNKEPT)
        lab.picture("full_disk")
        lab.press("Escape")
        lab.wait("no question", lambda s: s["popup"] == 0)
        assert [path.name for path in workspace(lab).glob("*.part")] == []
    lab.press("ctrl+Return")  # there is room again
    lab.wait("the new text runs", lambda s: s["phase"] == "ended" and "status 7" in s["end"] and s["problems"] == 0)
    assert "return 7;" in file.read_text() and len(file.read_text()) > 60000
    restored(lab)


def type_on_top(lab, text):
    put_caret_on_top(lab)
    lab.type(text)
    lab.wait("the edit", lambda s: s["edited"] == 1 and s["text"].startswith(text))


def what_cannot_be_saved_is_not_run(lab):
    with unwritable(lab):
        type_on_top(lab, "// mine ")
        lab.press("ctrl+Return")
        state = lab.wait("the refusal", lambda s: s["problems"] > 0 and "Nothing was run" in s["said"])
        assert state["phase"] != "building" and state["edited"] == 1, state
        time.sleep(1.5)  # it is tried again by itself
        assert "Nothing was run" in lab.state()["said"], lab.state()["said"]
        lab.picture("not_run")
    # Saved a moment later, the banner goes, and all below it moves up.
    lab.wait("the text is kept", lambda s: s["problems"] == 0)
    restored(lab)


def closing_asks_while_text_is_kept_nowhere(lab):
    with unwritable(lab):
        type_on_top(lab, "// mine ")
        lab.press("ctrl+q")
        lab.wait("the question", lambda s: s["popup"] == UNKEPT)
        lab.picture("unkept")
        lab.press("ctrl+l")
        lab.wait("the same in Chinese", lambda s: s["language"] == "zh" and s["popup"] == UNKEPT)
        lab.picture("unkept_zh")
        lab.press("ctrl+l")
        lab.press("Escape")
        lab.wait("the text is there", lambda s: s["popup"] == 0 and s["edited"] == 1)
        lab.press("ctrl+o")
        lab.press("Down")
        lab.press("Return")
        lab.wait("the question again", lambda s: s["popup"] == UNKEPT and s["lesson"] == "context_stack")
        lab.press("Down")
        lab.press("Down")
        lab.press("Return")  # stay
        lab.wait("the lesson still", lambda s: s["popup"] == 0 and s["lesson"] == "context_stack")
        close_by_the_window_manager(lab)
        lab.wait("the question once more", lambda s: s["popup"] == UNKEPT)
        elsewhere = lab.folder / "elsewhere"
        lab.press("ctrl+a")
        lab.type(str(elsewhere))
        lab.press("Return")
        assert lab.window.wait(PATIENCE) == 0
        kept = list(elsewhere.rglob("main.cpp"))
        assert len(kept) == 1 and kept[0].read_text().startswith("// mine "), kept
        lab.state_file.unlink(missing_ok=True)
    lab.start_window()
    lab.wait("the lesson as it was saved", lambda s: s["lesson"] == "context_stack" and s["edited"] == 0)


def text_that_is_let_go_closes_the_window(lab):
    with unwritable(lab):
        type_on_top(lab, "// mine ")
        lab.press("ctrl+q")
        lab.wait("the question", lambda s: s["popup"] == UNKEPT)
        lab.press("Down")
        lab.press("Return")
        assert lab.window.wait(PATIENCE) == 0
        lab.state_file.unlink(missing_ok=True)
    lab.start_window()
    lab.wait("the lesson", lambda s: s["lesson"] == "context_stack")


def ended_by_a_signal_the_text_is_rescued(lab):
    with unwritable(lab):
        type_on_top(lab, "// mine ")
        lab.window.send_signal(signal.SIGTERM)
        assert lab.window.wait(PATIENCE) == 0
        kept = list((lab.folder / "driverlab-unsaved").rglob("main.cpp"))
        assert len(kept) == 1 and kept[0].read_text().startswith("// mine "), kept
        lab.state_file.unlink(missing_ok=True)
    lab.start_window()
    lab.wait("the lesson", lambda s: s["lesson"] == "context_stack")


def saved_text_closes_without_a_question(lab):
    (workspace(lab) / "main.cpp").unlink()  # is written back
    lab.press("ctrl+q")
    assert lab.window.wait(PATIENCE) == 0
    assert (workspace(lab) / "main.cpp").exists()
    lab.state_file.unlink(missing_ok=True)
    lab.start_window()
    lab.wait("the lesson", lambda s: s["lesson"] == "context_stack")


def the_run_is_there_when_the_window_is_opened_again(lab):
    open_lesson(lab, "context_stack")
    lab.press("F5")
    calls = lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] > 20)["calls"]
    for _ in range(3):
        lab.press("F9")
    here = lab.wait("three calls back", lambda s: s["call"] == calls - 3)
    lab.press("ctrl+q")
    assert lab.window.wait(PATIENCE) == 0
    lab.state_file.unlink(missing_ok=True)
    lab.start_window()
    lab.wait("the run and the place in it", lambda s: s["phase"] == "ended" and s["calls"] == calls
             and s["call"] == here["call"] and s["step"] == here["step"] and s["badge"] == here["badge"])
    lab.picture("run_brought_back")
    # It is a run like any other: the end of it, then a new one.
    lab.press("F5")
    lab.wait("its end", lambda s: s["call"] == calls)
    lab.press("ctrl+shift+F5")
    lab.wait("a new one, held", lambda s: s["phase"] == "held")
    for call in (1, 2):  # pressed while the call still runs, it would hold the program instead
        lab.press("F10")
        lab.wait(f"call {call}", lambda s, call=call: s["phase"] == "held" and s["call"] == call)
    lab.press("ctrl+q")
    assert lab.window.wait(PATIENCE) == 0
    lab.state_file.unlink(missing_ok=True)
    lab.start_window()
    lab.wait("as far as it went", lambda s: s["phase"] == "ended" and 2 <= s["calls"] <= 3 and "stopped" in s["end"])
    open_lesson(lab, "hello_driver")
    lab.stop_window()
    lab.start_window()
    lab.wait("a lesson that was not run", lambda s: s["lesson"] == "hello_driver" and s["phase"] == "idle")
    lab.settle()
    assert lab.state()["calls"] == 0


TESTS = [what_cannot_be_saved_is_not_run, a_full_disk_loses_nothing_and_runs_nothing_old, closing_asks_while_text_is_kept_nowhere,
         text_that_is_let_go_closes_the_window, ended_by_a_signal_the_text_is_rescued,
         saved_text_closes_without_a_question, killed_at_once_everything_is_where_it_was, killed_while_it_saves_the_file_is_whole,
         a_lesson_that_crashes_is_told_and_the_window_goes_on,
         an_endless_lesson_is_stopped_and_the_window_stays_awake, a_lesson_that_somebody_kills_is_told,
         a_message_names_the_line_and_the_mistake, a_long_build_is_cancelled_and_blocks_no_frame,
         a_large_recording_loads_with_progress_and_can_be_cancelled,
         an_export_shows_its_progress_and_can_be_cancelled, the_run_is_there_when_the_window_is_opened_again]
