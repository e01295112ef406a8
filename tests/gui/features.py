"""One test for each thing that a student or a teacher does in the window, with mouse and keys.

Each test is a function that begins where the one before ended: lesson 04 is open. The names say what must hold.
Exit status 77: a tool that it needs is not on this machine.
"""
import os
import pathlib
import shutil
import signal
import sys
import time
import tempfile
import traceback

from window_driver import SKIP, Lab


def workspace(lab):
    return lab.folder / ".local/share/driverlab/workspace/04_context_stack"


def put_caret_on_top(lab):
    lab.click("code")
    lab.wait("the focus in the editor", lambda s: s["editor"])
    lab.press("ctrl+Home")


def leave_editor(lab):
    lab.tool("xdotool", "mousemove", "1250", "500")  # into the picture
    time.sleep(0.2)
    lab.tool("xdotool", "click", "1")
    lab.wait("the focus elsewhere", lambda s: not s["editor"])


def the_first_start_shows_the_window_round(lab):
    lab.wait("the tour", lambda s: s["tour"] == 0)
    lab.click("tour next")
    lab.wait("its second card", lambda s: s["tour"] == 1)
    lab.picture("tour")
    lab.press("Escape")
    lab.wait("the end of the tour", lambda s: s["tour"] == -1)


def search_finds_a_step_in_any_lesson(lab):
    lab.press("ctrl+shift+f")
    lab.wait("the search", lambda s: s["popup"] == 5)
    lab.type("nobody says this")
    lab.wait("nothing", lambda s: s["hits"] == 0)
    lab.press("ctrl+a")
    lab.type("cuCtxPopCurrent null")
    lab.wait("hits", lambda s: s["hits"] > 0)
    lab.picture("search")
    lab.press("Return")
    lab.wait("the search to go", lambda s: s["popup"] == 0)
    lab.press("ctrl+o")
    lab.wait("the list of lessons", lambda s: s["popup"] == 1)
    lab.click("lesson context_stack")
    lab.wait("lesson 04", lambda s: s["lesson"] == "context_stack")


def typing_marks_the_file_and_reaches_the_disk(lab):
    before = lab.state()["bytes"]
    put_caret_on_top(lab)
    lab.type("// mine ")
    lab.wait("the edit", lambda s: s["edited"] == 1 and s["bytes"] == before + 8)
    lab.wait("the saved file", lambda s: (workspace(lab) / "main.cpp").read_text().startswith("// mine "))


def the_difference_to_the_original_is_shown_and_closed(lab):
    lab.click("compare")
    lab.wait("the difference", lambda s: s["comparing"])
    lab.picture("difference")
    lab.press("Escape")
    lab.wait("the editor again", lambda s: not s["comparing"])


def killed_at_once_nothing_is_lost(lab):
    lab.window.send_signal(signal.SIGKILL)
    lab.window.wait()
    lab.state_file.unlink()
    lab.start_window()
    lab.click("lesson")
    lab.click("lesson context_stack")
    lab.wait("the edit of before", lambda s: s["lesson"] == "context_stack" and s["edited"] == 1)


def restore_brings_the_original_back(lab):
    lab.click("restore")
    lab.wait("the original", lambda s: s["edited"] == 0)


def what_another_editor_saves_appears(lab):
    file = workspace(lab) / "main.cpp"
    text = file.read_text()
    file.write_text("// from outside\n" + text)
    lab.wait("the other text", lambda s: s["edited"] == 1)
    file.write_text(text)
    lab.wait("the text of before", lambda s: s["edited"] == 0)


def replace_all_is_one_change(lab):
    before = lab.state()["bytes"]
    put_caret_on_top(lab)
    lab.press("ctrl+h")
    lab.type("cuInit")
    lab.press("Tab")
    lab.type("cuInitX")
    lab.picture("replace")
    lab.press("alt+Return")
    lab.wait("the replacement", lambda s: s["bytes"] > before)
    lab.press("Escape")
    lab.press("ctrl+z")
    lab.wait("the undo", lambda s: s["bytes"] == before and s["edited"] == 0)


def a_compiler_error_is_shown_at_its_line(lab):
    put_caret_on_top(lab)
    lab.type("nonsense; ")
    lab.press("ctrl+Return")
    lab.wait("the failed build", lambda s: s["phase"] == "build_failed")
    lab.picture("error")
    lab.click("code")
    lab.press("ctrl+z")
    lab.wait("the undo", lambda s: s["edited"] == 0)
    lab.click("dismiss")


def a_breakpoint_holds_the_run(lab):
    put_caret_on_top(lab)
    lab.press("ctrl+f")
    lab.type("cuCtxPushCurrent(a)")
    lab.press("Escape")
    lab.press("ctrl+b")
    lab.wait("the breakpoint", lambda s: s["breakpoints"] == 1)
    lab.press("F5")
    lab.wait("the held run", lambda s: s["phase"] == "held" and s["calls"] > 0)
    lab.picture("breakpoint")
    lab.press("ctrl+b")
    lab.wait("no breakpoint", lambda s: s["breakpoints"] == 0)
    lab.press("F5")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"])


def a_clicker_steps_back_and_forth(lab):
    leave_editor(lab)
    calls = lab.state()["calls"]
    lab.press("Prior")
    lab.wait("the call before", lambda s: s["call"] == calls - 1)
    lab.press("Next")
    lab.wait("the last call", lambda s: s["call"] == calls)


def a_panel_fills_the_window_and_gives_it_back(lab):
    lab.hover("code")
    lab.press("ctrl+m")
    lab.wait("the code alone", lambda s: s["maximized"] == 2)
    lab.picture("maximized")
    lab.press("Escape")
    lab.wait("all panels", lambda s: s["maximized"] == 0)


def a_picture_is_saved(lab):
    lab.press("ctrl+shift+s")
    lab.wait("the notice", lambda s: s["notices"] == 1)
    pictures = list((lab.folder / ".local/share/driverlab/pictures").glob("*.png"))
    assert len(pictures) == 1 and pictures[0].read_bytes().startswith(b"\x89PNG"), pictures
    lab.click("dismiss")
    lab.wait("no notice", lambda s: s["notices"] == 0)


def an_exercise_is_checked_until_it_passes(lab):
    lab.click("side1")
    lab.click("exercise open")
    lab.wait("the exercise", lambda s: s["exercise"])
    lab.click("exercise hint")
    lab.wait("a hint", lambda s: s["hints"] == 1)
    lab.click("exercise check")
    lab.wait("the verdict", lambda s: s["verdict"] == "failed")
    lab.picture("exercise_failed")
    lab.click("exercise solution")
    lab.wait("the solution", lambda s: s["comparing"])
    lab.picture("exercise_solution")
    lab.press("Escape")
    lab.wait("the editor", lambda s: not s["comparing"])
    solution = pathlib.Path(__file__).parents[2] / "lessons/04_context_stack/exercise/solution.cpp"
    (workspace(lab) / "exercise/main.cpp").write_text(solution.read_text())
    lab.wait("the solved text", lambda s: s["edited"] == 1)
    lab.press("ctrl+shift+Return")
    lab.wait("the pass", lambda s: s["verdict"] == "passed")
    lab.picture("exercise_passed")
    lab.click("exercise export")
    lab.wait("the notice", lambda s: s["notices"] == 1)
    sheets = list((lab.folder / ".local/share/driverlab").glob("progress-*.csv"))
    assert len(sheets) == 1 and "context_stack" in sheets[0].read_text(), sheets
    lab.click("dismiss")


def go_to_part(lab, part):
    """Click on the track at this part of the run."""
    places = lab.wait("the track", lambda s: "track left" in s["places"])["places"]
    (left, y), (right, _) = places["track left"], places["track right"]
    lab.click_at(left + (right - left) * part, y)
    # One pixel is a part of a call; nothing else may move the mouse before the click is seen.
    lab.wait("the place on the track", lambda s: abs(s["call"] - s["calls"] * part) <= 1)


def a_click_on_the_track_goes_there(lab):
    go_to_part(lab, 0.5)
    go_to_part(lab, 0.2)


def a_click_on_an_object_tells_its_life_and_goes_to_its_calls(lab):
    go_to_part(lab, 0.3)
    state = lab.wait("a context", lambda s: any(p.startswith("picture context") for p in s["places"]))
    box = sorted(p for p in state["places"] if p.startswith("picture context"))[-1]
    lab.click(box)
    name = lab.wait("the card", lambda s: s["object"] != "" and "life created" in s["places"])["object"]
    lab.picture("life")
    before = lab.state()["call"]
    lab.click("life created")
    born = lab.wait("the call that made it", lambda s: s["call"] != before)
    assert born["object"] == name, born
    lab.press("ctrl+shift+F10")
    lab.wait("its next change", lambda s: s["call"] > born["call"])
    lab.press("ctrl+shift+F9")
    lab.wait("the change before", lambda s: s["call"] == born["call"])


def the_bytes_in_an_allocation_are_shown(lab):
    lab.click("life close")
    lab.wait("no card", lambda s: "life close" not in s["places"])
    go_to_part(lab, 0.3)
    state = lab.wait("an allocation", lambda s: any(p.startswith("picture allocation") for p in s["places"]))
    lab.click(next(p for p in state["places"] if p.startswith("picture allocation")))
    lab.click("life contents")
    lab.wait("its bytes", lambda s: "reading 0" in s["places"])
    lab.picture("contents")
    lab.click("reading 4")
    lab.picture("contents_image")
    lab.click("life contents")
    lab.wait("its life", lambda s: "life created" in s["places"])


def the_difference_from_a_pinned_moment_is_shown(lab):
    lab.press("ctrl+p")
    pinned = lab.wait("the pin", lambda s: s["pin"] >= 0)
    go_to_part(lab, 0.8)
    lab.wait("another moment", lambda s: s["call"] > pinned["call"])
    lab.picture("since")
    lab.press("ctrl+p")
    lab.wait("no pin", lambda s: s["pin"] == -1)


def a_name_is_found_in_the_picture(lab):
    go_to_part(lab, 0.3)
    lab.press("F7")
    lab.wait("the field", lambda s: "picture find" in s["places"])
    lab.type("B")
    lab.wait("the context", lambda s: "picture found" in s["places"])
    lab.picture("find")
    lab.press("Escape")
    lab.wait("no field", lambda s: "picture find" not in s["places"])


def what_is_not_wanted_is_left_out_of_the_picture(lab):
    has_context = lambda s: any(p.startswith("picture context") for p in s["places"])
    lab.wait("contexts", has_context)
    lab.click("picture filter")
    lab.click("picture kind 0")
    lab.picture("filter")
    lab.click("picture all")
    lab.wait("everything", lambda s: "picture all" not in s["places"])
    lab.click("picture filter")
    lab.click("picture fit")
    lab.picture("fit")
    lab.click("picture fit")


def the_run_is_stepped_by_lines(lab):
    go_to_part(lab, 0.3)
    start = lab.state()
    lab.press("ctrl+F10")
    further = lab.wait("the next line", lambda s: s["call"] > start["call"] and s["line"] != start["line"])
    lab.press("ctrl+F9")
    lab.wait("the line before", lambda s: s["call"] < further["call"] and s["line"] != further["line"])


def the_run_plays_to_its_end(lab):
    calls = lab.state()["calls"]
    go_to_part(lab, 0.9)
    for _ in range(4):  # 4, 10, 30, 60, 1, 2 calls a second
        lab.click("speed")
    lab.press("F8")
    lab.wait("the end", lambda s: s["call"] == calls and not s["playing"])


def two_runs_are_held_against_each_other(lab):
    lab.press("ctrl+Return")
    lab.wait("another run", lambda s: s["phase"] in ("building", "running"))
    lab.wait("its end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"])
    lab.press("F4")
    lab.wait("the run before beside it", lambda s: s["maximized"] == 5 and s["other_calls"] == s["calls"])
    lab.wait("the answer", lambda s: s["pair"] == "same")
    lab.picture("compare_same")
    lab.click("compare hardware")
    lab.wait("the recording", lambda s: s["beside"] == "recording" and s["other_calls"] > 0 and s["pair"] != "")
    go_to_part(lab, 0.5)
    lab.picture("compare_hardware")
    lab.press("Escape")
    lab.wait("all panels", lambda s: s["maximized"] == 0)


def everything_is_there_in_chinese_too(lab):
    lab.press("ctrl+l")
    lab.wait("Chinese", lambda s: s["language"] == "zh")
    lab.picture("exercise_zh")
    lab.press("F1")
    lab.wait("the list of keys", lambda s: s["popup"] == 4)
    lab.picture("keys_zh")
    lab.press("Escape")


TESTS = [search_finds_a_step_in_any_lesson, typing_marks_the_file_and_reaches_the_disk,
         the_difference_to_the_original_is_shown_and_closed, killed_at_once_nothing_is_lost,
         restore_brings_the_original_back, what_another_editor_saves_appears, replace_all_is_one_change,
         a_compiler_error_is_shown_at_its_line, a_breakpoint_holds_the_run, a_clicker_steps_back_and_forth,
         a_click_on_the_track_goes_there, a_click_on_an_object_tells_its_life_and_goes_to_its_calls,
         the_bytes_in_an_allocation_are_shown, the_difference_from_a_pinned_moment_is_shown, a_name_is_found_in_the_picture,
         what_is_not_wanted_is_left_out_of_the_picture, the_run_is_stepped_by_lines, the_run_plays_to_its_end,
         two_runs_are_held_against_each_other]
# With --all: not seen to pass every time yet.
MORE = [a_panel_fills_the_window_and_gives_it_back, a_picture_is_saved, an_exercise_is_checked_until_it_passes,
        everything_is_there_in_chinese_too]


def main():
    for tool in ("Xvfb", "xdotool"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not on this machine")
            return SKIP
    folder = pathlib.Path(tempfile.mkdtemp(prefix="driverlab_features_"))
    keep = os.environ.get("DRIVERLAB_SMOKE_PICTURES")
    lab = Lab(pathlib.Path(sys.argv[1]).resolve(), folder)
    status = 0
    try:
        lab.start_display()
        lab.start_window()
        the_first_start_shows_the_window_round(lab)
        lab.click("lesson")
        lab.click("lesson context_stack")
        lab.wait("lesson 04", lambda s: s["lesson"] == "context_stack")
        chosen = TESTS + (MORE if "--all" in sys.argv else [])
        if "--from" in sys.argv:  # the name of the first one
            first = sys.argv[sys.argv.index("--from") + 1]
            chosen = chosen[[test.__name__ for test in chosen].index(first):]
            lab.press("ctrl+Return")
            lab.wait("a run", lambda s: s["phase"] == "ended" and s["call"] == s["calls"])
        for test in chosen:
            try:
                test(lab)
                print(f"ok      {test.__name__}", flush=True)
            except AssertionError:
                print(f"FAILED  {test.__name__}", flush=True)
                traceback.print_exc()
                lab.picture("failed")
                status = 1
                break
    finally:
        lab.end()
        if keep:
            shutil.copytree(lab.pictures, keep, dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
