# SPDX-License-Identifier: MIT
"""In front of a class: projector, clicker, keyboard only, big panels, pictures, pages and recordings to share."""
import pathlib
import shutil
import time

import x11
from window_driver import PATIENCE, Skipped, leave_editor, look_at_the_keys, open_lesson

FILES, TRACE = 10, 11  # pop-ups
RECORDINGS = pathlib.Path(__file__).resolve().parents[4] / "assets" / "recordings"


def prepare(lab):
    lab.start_window()


def the_first_start_shows_the_window_round(lab):
    lab.wait("the tour", lambda s: s["tour"] == 0)
    lab.click("tour next")
    lab.wait("its second card", lambda s: s["tour"] == 1)
    lab.picture("tour")
    lab.press("Escape")
    lab.wait("the end of the tour", lambda s: s["tour"] == -1)


def a_lesson_is_opened_and_run_with_the_keyboard_alone(lab):
    lab.press("ctrl+o")
    lab.wait("the list of lessons", lambda s: s["popup"] == 1)
    for _ in range(5):  # the tour of the first part comes before
        lab.press("Down")
    lab.press("Return")
    lab.wait("lesson 05", lambda s: s["lesson"] == "context_stack" and s["popup"] == 0)
    lab.press("F2")
    lab.press("F5")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] > 20)


def the_keyboard_reaches_every_panel_and_shows_where_it_is(lab):
    seen = []
    for _ in range(7):
        before = lab.state()["focus"]
        lab.press("F6")
        seen.append(lab.wait("the next panel", lambda s: s["focus"] not in ("", before))["focus"])
    assert sorted(seen) == ["bar", "calls", "code", "notes", "output", "picture", "time"], seen
    while lab.state()["focus"] != "code":
        before = lab.state()["focus"]
        lab.press("F6")
        lab.wait("the next panel", lambda s: s["focus"] != before)
    lab.wait("the editor", lambda s: s["editor"])
    lab.picture("focus_code")
    while lab.state()["focus"] != "bar":
        before = lab.state()["focus"]
        lab.press("F6")
        lab.wait("the next panel", lambda s: s["focus"] != before)
    lab.press("Right")
    lab.wait("a ring around a button alone", lambda s: s["rings"] == 1 and s["stop"] != "")
    lab.picture("focus_button")
    leave_editor(lab)


def give_the_keyboard_to(lab, panel):
    while lab.state()["focus"] != panel:
        before = lab.state()["focus"]
        lab.press("F6")
        lab.wait("the next panel", lambda s: s["focus"] != before)
    lab.settle()


def the_keys_walk_the_list_of_calls_and_enter_shows_the_line(lab):
    give_the_keyboard_to(lab, "calls")
    lab.press("Home")
    lab.wait("the first call", lambda s: s["call"] == 1)
    lab.press("Down")
    lab.press("Down")
    lab.press("Up")
    second = lab.wait("the second call", lambda s: s["call"] == 2)
    lab.press("Return")
    lab.wait("its line", lambda s: s["caret"] == second["line"])
    give_the_keyboard_to(lab, "calls")
    lab.press("End")
    lab.wait("the last call", lambda s: s["call"] == s["calls"])


def tab_walks_the_picture(lab):
    give_the_keyboard_to(lab, "calls")
    lab.press("Home")
    for call in range(2, 11):  # by then there are contexts
        lab.press("Down")
        lab.wait("the next call", lambda s: s["call"] == call)
    give_the_keyboard_to(lab, "picture")
    lab.press("Escape")
    lab.wait("nothing", lambda s: s["object"] == "")
    lab.press("Tab")
    first = lab.wait("the first thing", lambda s: s["object"] != "")["object"]
    lab.press("Tab")
    following = lab.wait("the next thing", lambda s: s["object"] not in ("", first))["object"]
    lab.picture("picture_by_keyboard")
    lab.press("shift+Tab")  # on a busy machine a key may repeat, so only that it moves is certain
    lab.wait("another thing", lambda s: s["object"] not in ("", following))
    lab.press("Escape")
    lab.wait("nothing", lambda s: s["object"] == "")
    give_the_keyboard_to(lab, "calls")
    lab.press("End")
    lab.wait("the last call", lambda s: s["call"] == s["calls"])


def a_clicker_steps_back_and_forth(lab):
    leave_editor(lab)
    calls = lab.state()["calls"]
    lab.press("Prior")
    lab.wait("the call before", lambda s: s["call"] == calls - 1)
    lab.press("Next")
    lab.wait("the last call", lambda s: s["call"] == calls)


def the_list_of_keys_opens_and_closes(lab):
    look_at_the_keys(lab, "keys")


def the_projectors_theme_is_chosen(lab):
    lab.click("look")
    lab.wait("the choices", lambda s: s["popup"] == 3)
    lab.click("theme projector")
    lab.wait("the projector's theme", lambda s: s["theme"] == "projector")
    lab.press("Escape")
    lab.wait("no choices", lambda s: s["popup"] == 0)
    lab.picture("projector")
    lab.press("ctrl+t")
    lab.wait("the dark theme", lambda s: s["theme"] == "dark")


def any_panel_fills_the_window_and_gives_it_back(lab):
    for place, number in (("panel notes", 1), ("code", 2), ("panel picture", 3), ("panel calls", 4)):
        lab.hover(place)
        lab.settle()
        lab.press("ctrl+m")
        lab.wait(f"{place} alone", lambda s: s["maximized"] == number)
        lab.picture("alone_" + place.split()[-1])
        lab.press("Escape")
        lab.wait("all panels", lambda s: s["maximized"] == 0)


def the_presenters_view_is_walked_with_two_keys(lab):
    lab.press("F12")
    lab.wait("the presenter's view", lambda s: s["maximized"] == 7)
    lab.press("Home")
    lab.wait("the beginning", lambda s: s["call"] == 0)
    seen = set()
    for _ in range(60):
        before = lab.state()
        lab.press("Next")
        after = lab.wait("the next stop", lambda s: (s["walk"], s["call"]) != (before["walk"], before["call"]))
        seen.add(after["walk"])
        if {0, 1, 2} <= seen and after["walk"] == 0:
            break
    assert {0, 1, 2} <= seen, seen
    lab.picture("presenter")
    lab.press("Prior")
    lab.wait("the answer", lambda s: s["walk"] == 2 and s["call"] == after["call"])
    lab.press("Left")
    lab.wait("the question", lambda s: s["walk"] == 1 and s["call"] == after["call"] - 1)
    lab.press("Escape")
    lab.wait("all panels", lambda s: s["maximized"] == 0)


def the_window_fills_the_screen(lab):
    lab.press("F11")
    lab.wait("the full screen", lambda s: s["full_screen"])
    lab.press("F11")
    lab.wait("the window", lambda s: not s["full_screen"])
    lab.settle()


def a_picture_is_saved(lab):
    lab.press("ctrl+shift+s")
    lab.wait("the notice", lambda s: s["notices"] == 1)
    pictures = list((lab.folder / ".local/share/driverlab/pictures").glob("*.png"))
    assert len(pictures) == 1 and pictures[0].read_bytes().startswith(b"\x89PNG"), pictures
    lab.wait("no notice, by itself", lambda s: s["notices"] == 0)


def a_picture_is_copied(lab):
    lab.press("ctrl+shift+c")
    lab.wait("a word about it", lambda s: s["notices"] + s["problems"] >= 1)
    if shutil.which("xclip") is None:
        assert "apt-get install xclip" in lab.state()["said"], lab.state()["said"]
        lab.click("dismiss")
        raise Skipped("xclip is not on this machine; the window says how to get it")
    end = time.monotonic() + PATIENCE
    while "image/png" not in lab.tool("xclip", "-selection", "clipboard", "-t", "TARGETS", "-o", okay=(0, 1)):
        assert time.monotonic() < end, "no picture on the clipboard"
        time.sleep(0.2)
    lab.wait("no notice, by itself", lambda s: s["notices"] == 0)


def enter_presses_what_the_keyboard_stands_on(lab):
    lab.press("ctrl+e")
    lab.wait("the choices", lambda s: s["popup"] == 6)
    lab.wait("the keyboard's place", lambda s: s["rings"] == 1 and s["stop"] == "share page")
    lab.press("Return")
    lab.wait("the page", lambda s: s["popup"] == 0 and s["notices"] == 1)
    for file in shared(lab, ".html"):
        file.unlink()
    lab.wait("no notice, by itself", lambda s: s["notices"] == 0)


def shared(lab, ending):
    return list((lab.folder / ".local/share/driverlab/shared").glob("*" + ending))


def share(lab, what):
    lab.press("ctrl+e")
    lab.wait("the choices", lambda s: s["popup"] == 6)
    lab.picture("share")
    lab.click("share " + what)


def a_recording_is_written_and_opens_when_it_is_dropped(lab):
    calls = lab.state()["calls"]
    share(lab, "recording")
    lab.wait("the notice", lambda s: s["notices"] == 1)
    files = shared(lab, ".trace")
    assert len(files) == 1, files
    lab.wait("no notice, by itself", lambda s: s["notices"] == 0)
    window = int(lab.tool("xdotool", "search", "--class", "driverlab").split()[-1])
    x11.drop_file(lab.environment["DISPLAY"], window, files[0], 800, 500, PATIENCE)
    lab.wait("the recording", lambda s: s["phase"] == "replaying" and s["calls"] == calls)
    lab.picture("dropped")
    lab.wait("no notice", lambda s: s["notices"] == 0)


def a_step_is_shared_as_an_animation(lab):
    for _ in range(60):
        state = lab.state()
        if "share step" in state["places"]:
            break
        if state["popup"] == 6:
            lab.press("Escape")
            lab.wait("no choices", lambda s: s["popup"] == 0)
        lab.press("F9")
        lab.settle()
        lab.press("ctrl+e")
        lab.wait("the choices", lambda s: s["popup"] == 6)
        lab.settle()
    lab.click("share step")
    lab.wait("the notice", lambda s: s["notices"] == 1)
    files = shared(lab, ".png")
    assert len(files) == 1 and b"acTL" in files[0].read_bytes()[:200], files
    lab.wait("no notice, by itself", lambda s: s["notices"] == 0)


def all_steps_are_shared_as_a_page(lab):
    share(lab, "page")
    lab.wait("the notice", lambda s: s["notices"] == 1)
    files = shared(lab, ".html")
    assert len(files) == 1 and "cuCtxCreate" in files[0].read_text(), files
    lab.wait("no notice, by itself", lambda s: s["notices"] == 0)


def the_window_takes_the_scale_of_the_display(lab):
    x11.set_dpi(lab.environment["DISPLAY"], 192)  # before the window ends: without python3-xlib the test ends here
    lab.stop_window()
    lab.start_window()
    lab.wait("twice the size", lambda s: s["display"] == 200 and s["scale"] == 100)
    lab.picture("display_200")
    lab.stop_window()
    x11.set_dpi(lab.environment["DISPLAY"], 96)
    lab.start_window()
    lab.wait("the plain size", lambda s: s["display"] == 100)


def a_recording_that_comes_along_opens_where_something_is_seen(lab):
    lab.press("ctrl+shift+o")
    lab.wait("the files", lambda s: s["popup"] == FILES and s["hits"] > 10)
    lab.picture("files")
    lab.click("gallery h200_01_hello_driver")
    lab.wait("the recording", lambda s: s["phase"] == "replaying" and s["calls"] > 1 and s["popup"] == 0)
    title = lab.tool("xdotool", "getwindowname", lab.tool("xdotool", "search", "--class", "driverlab").split()[-1])
    assert "h200_01_hello_driver.dlrec" in title, title


def a_path_is_typed_and_completed(lab):
    shutil.copy(RECORDINGS / "h200_04_context.dlrec", lab.folder / "my context.dlrec")
    lab.press("ctrl+shift+o")
    lab.wait("the files", lambda s: s["popup"] == FILES)
    lab.type(f"{lab.folder}/my")
    lab.wait("what can follow", lambda s: s["hits"] == 1)
    lab.press("Return")
    lab.wait("the recording", lambda s: s["phase"] == "replaying" and s["popup"] == 0 and
             0 < s["call"] < s["calls"])
    lab.press("ctrl+shift+o")
    lab.wait("it is recent", lambda s: "recent 0" in s["places"])
    lab.type("/no/such.dlrec")
    lab.press("Return")
    lab.wait("a message with the path", lambda s: "/no/such.dlrec" in s.get("said", "") and s["popup"] == 0)
    lab.press("Escape")
    lab.wait("no message", lambda s: s["problems"] == 0)


def a_recording_is_chosen_beside_the_shown_run(lab):
    lab.click("files")
    lab.wait("the files", lambda s: s["popup"] == FILES)
    lab.click("open beside")
    lab.click("recent 0")
    lab.wait("both", lambda s: s["maximized"] == 5 and s["beside"] == "recording" and s["pair"] == "same")
    lab.press("Escape")
    lab.wait("all panels", lambda s: s["maximized"] == 0)


def drop(lab, file):
    window = int(lab.tool("xdotool", "search", "--class", "driverlab").split()[-1])
    x11.drop_file(lab.environment["DISPLAY"], window, file, 800, 500, PATIENCE)


def what_is_no_recording_leaves_the_shown_run(lab):
    before = lab.state()
    for name, text in (("notes.txt", "no recording\n"), ("program.cu", "int main() {}\n")):
        file = lab.folder / name
        file.write_text(text)
        drop(lab, file)
        said = lab.wait("what it is", lambda s: name in s.get("said", ""))
        assert (said["phase"], said["calls"]) == (before["phase"], before["calls"]), said
        lab.picture("dropped_" + file.suffix[1:])
        lab.press("Escape")
        lab.wait("no message", lambda s: s["problems"] == 0)


def a_program_that_is_dropped_is_traced_with_its_variables(lab):
    program = lab.folder / "my program"
    program.write_text("#!/bin/sh\necho \"$WHAT\" > heard.txt\n")
    program.chmod(0o755)
    drop(lab, program)
    lab.wait("the fields", lambda s: s["popup"] == TRACE)
    lab.picture("dropped_program")
    lab.press("Tab")
    lab.press("Tab")
    lab.type("WHAT='two words'")
    lab.press("Return")
    lab.wait("its end", lambda s: s["phase"] == "ended" and s["popup"] == 0)
    assert (lab.folder / "heard.txt").read_text() == "two words\n"
    lab.press("Escape")
    lab.wait("no message", lambda s: s["problems"] == 0)


def variables_of_one_program_are_not_those_of_the_next(lab):
    program = lab.folder / "another program"
    program.write_text("#!/bin/sh\necho \"<$WHAT>\" > another.txt\n")
    program.chmod(0o755)
    drop(lab, program)
    lab.wait("the fields", lambda s: s["popup"] == TRACE)
    lab.press("Return")
    lab.wait("the run begins", lambda s: s["popup"] == 0)
    heard = lab.folder / "another.txt"
    lab.wait("its end", lambda s: s["phase"] == "ended" and heard.exists() and heard.read_text() != "")
    assert heard.read_text() == "<>\n", heard.read_text()
    lab.press("Escape")
    lab.wait("no message", lambda s: s["problems"] == 0)


def a_program_is_traced_like_a_lesson(lab):
    lab.click("files")
    lab.click("trace program")
    lab.wait("the fields", lambda s: s["popup"] == TRACE)
    lab.type("sh -c 'exec /bin/echo $WHAT'")
    lab.press("Tab")
    lab.type(str(lab.folder))
    lab.press("Tab")
    lab.type("WHAT=hello")
    lab.picture("trace")
    lab.press("Return")
    lab.wait("its end, and what it lacks", lambda s: s["phase"] == "ended" and "echo" in s.get("said", ""))
    lab.press("Escape")
    open_lesson(lab, "context_stack")


TESTS = [the_first_start_shows_the_window_round, a_lesson_is_opened_and_run_with_the_keyboard_alone,
         the_keyboard_reaches_every_panel_and_shows_where_it_is,
         the_keys_walk_the_list_of_calls_and_enter_shows_the_line, tab_walks_the_picture, a_clicker_steps_back_and_forth,
         the_list_of_keys_opens_and_closes, the_projectors_theme_is_chosen,
         any_panel_fills_the_window_and_gives_it_back, the_presenters_view_is_walked_with_two_keys,
         the_window_fills_the_screen, a_picture_is_saved,
         a_picture_is_copied, a_recording_is_written_and_opens_when_it_is_dropped,
         a_step_is_shared_as_an_animation, all_steps_are_shared_as_a_page, enter_presses_what_the_keyboard_stands_on,
         the_window_takes_the_scale_of_the_display,
         a_recording_that_comes_along_opens_where_something_is_seen, a_path_is_typed_and_completed,
         a_recording_is_chosen_beside_the_shown_run, what_is_no_recording_leaves_the_shown_run,
         a_program_that_is_dropped_is_traced_with_its_variables,
         variables_of_one_program_are_not_those_of_the_next, a_program_is_traced_like_a_lesson]
