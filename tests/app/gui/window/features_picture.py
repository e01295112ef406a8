# SPDX-License-Identifier: MIT
"""The picture and the time: what a click shows, what is found, pinned, left out, stepped, played and compared."""
import shutil
import time

from window_driver import PATIENCE, Skipped, leave_editor, open_lesson, open_window_at

FIND = 9  # pop-up


def prepare(lab):
    open_window_at(lab, "context_stack")
    lab.press("F2")
    lab.wait("no questions", lambda s: not s["predict"])
    lab.press("F5")
    lab.wait("a run", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] > 20)


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
    lab.hover("panel picture")
    lab.press("ctrl+f")
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


def a_frame_that_shows_nothing_new_is_not_drawn(lab):
    leave_editor(lab)
    go_to_part(lab, 0.5)
    # A tooltip may still come or go: of several keys without a meaning one at least shows nothing new.
    for _ in range(10):
        lab.settle()
        before = lab.state()
        lab.press("ctrl+shift+alt+F12")
        after = lab.wait("frames of a key without a meaning", lambda s: s["frames"] >= before["frames"] + 3)
        if after["drawn"] == before["drawn"]:
            break
    assert after["drawn"] == before["drawn"], (before["drawn"], after["drawn"])
    go_to_part(lab, 0.2)
    moved = lab.wait("a new picture", lambda s: s["drawn"] > before["drawn"])
    # What lay over the window is gone: it has to be shown again though nothing changed.
    lab.settle()
    window = lab.tool("xdotool", "search", "--class", "driverlab").split()[-1]
    shown = lab.state()["drawn"]
    lab.tool("xdotool", "windowunmap", "--sync", window, "windowmap", "--sync", window)
    lab.wait("the picture again", lambda s: s["drawn"] > shown >= moved["drawn"])
    lab.tool("xdotool", "windowfocus", window)


def the_timeline_opens_zooms_and_a_click_in_it_goes_to_the_call(lab):
    open_lesson_with_streams(lab)
    assert lab.state()["timeline"] == 0
    lab.press("F3")
    lab.wait("all of the run", lambda s: s["timeline"] == 1000 and "timeline work" in s["places"])
    lab.picture("timeline")
    lab.click("timeline work")
    there = lab.wait("the call that enqueued it", lambda s: 0 < s["call"] < s["calls"])
    lab.press("plus")
    lab.press("plus")
    closer = lab.wait("less than half of it", lambda s: s["timeline"] < 500 and "timeline moment" in s["places"])
    assert closer["call"] == there["call"], closer
    lab.press("minus")
    lab.wait("more of it", lambda s: closer["timeline"] < s["timeline"] < 1000)
    lab.press("Home")
    lab.wait("all of it", lambda s: s["timeline"] == 1000)
    lab.hover("timeline moment")
    x, y = lab.place("timeline work")
    lab.tool("xdotool", "mousemove", str(x), str(y))
    lab.tool("xdotool", "click", "--repeat", "4", "--delay", "30", "4")
    wheel = lab.wait("closer by the wheel", lambda s: s["timeline"] < 250)
    lab.picture("timeline_closer")
    for command in (["mousemove", str(x), str(y)], ["mousedown", "1"], ["mousemove", str(x - 20), str(y)],
                    ["mousemove", str(x - 300), str(y)], ["mouseup", "1"]):
        lab.tool("xdotool", *command)
        lab.settle()
    dragged = lab.wait("the same width", lambda s: abs(s["timeline"] - wheel["timeline"]) <= 3)
    assert dragged["call"] == there["call"], dragged
    lab.click("timeline fit")
    lab.wait("all of it by the button", lambda s: s["timeline"] == 1000)
    # The ruler goes to its moment, wherever it is pressed.
    left, right = lab.state()["places"]["timeline left"], lab.state()["places"]["timeline right"]
    lab.click_at(right[0] - 2, right[1])
    lab.wait("the end", lambda s: s["call"] == s["calls"])
    lab.click_at(left[0] + (right[0] - left[0]) / 3, left[1])
    lab.wait("the first third", lambda s: 0 < s["call"] < s["calls"] * 0.6)
    lab.press("F3")
    lab.wait("no timeline", lambda s: s["timeline"] == 0)


def a_held_call_is_open_in_its_lane_up_to_the_right_end(lab):
    lab.press("ctrl+shift+F5")
    lab.wait("the first call, held", lambda s: s["phase"] == "held" and s["calls"] == 0)
    for number in range(1, 4):
        lab.press("F10")
        lab.wait(f"call {number}", lambda s: s["call"] == number and s["phase"] == "held")
    lab.press("F3")
    there = lab.wait("the lane with the fourth call", lambda s: s["timeline"] > 0 and "timeline pending ends" in s["places"])
    places = there["places"]
    held = [name for name in places if name.startswith("timeline pending cu")]
    assert len(held) == 1, held
    assert abs(places["timeline pending ends"][0] - places["timeline right"][0]) <= 1, places
    assert places["timeline left"][0] < places[held[0]][0] < places["timeline right"][0], places
    lab.picture("timeline_held")
    lab.press("F5")
    lab.wait("its end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] and
             "timeline pending ends" not in s["places"])
    lab.press("F3")
    lab.wait("no timeline", lambda s: s["timeline"] == 0)


def open_lesson_with_streams(lab):
    leave_editor(lab)
    open_lesson(lab, "streams_events")
    lab.press("F5")
    lab.wait("a run", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] > 20)


def copied_text(lab):
    if shutil.which("xclip") is None:
        raise Skipped("xclip is not on this machine")
    return lab.tool("xclip", "-selection", "clipboard", "-o", okay=(0, 1))


def calls_are_found_by_a_query_and_only_these_listed(lab):
    leave_editor(lab)
    lab.hover("panel calls")
    lab.press("ctrl+f")
    lab.wait("the field", lambda s: "find calls" in s["places"])
    lab.type("name:cuStream*")
    lab.settle()  # all of it was typed
    found = lab.wait("calls", lambda s: s["hits"] > 1)
    lab.picture("calls_found")
    lab.press("Return")
    first = lab.wait("the first of them", lambda s: s["call"] != found["call"])
    lab.press("F3")
    lab.wait("the next one", lambda s: s["call"] > first["call"])
    lab.click("find only")
    lab.wait("only these", lambda s: s["listed"] == s["hits"] == found["hits"] < s["calls"])
    lab.picture("only_these")


def the_calls_that_are_listed_are_copied_as_a_table(lab):
    hits = lab.wait("only these", lambda s: 1 < s["listed"] == s["hits"])["hits"]
    lab.click("calls columns")
    lab.wait("the menu", lambda s: "copy calls" in s["places"])
    lab.picture("columns")
    lab.click("copy calls")
    end = time.monotonic() + PATIENCE
    lines = []
    while len(lines) != hits + 1:  # and the heads
        assert time.monotonic() < end, lines
        lines = copied_text(lab).splitlines()
        time.sleep(0.2)
    assert all("cuStream" in line and line.count("\t") == lines[0].count("\t") >= 5 for line in lines[1:]), lines
    lab.wait("no menu", lambda s: "copy calls" not in s["places"])


def a_column_is_hidden_and_shown_again(lab):
    lab.click("calls columns")
    lab.wait("the column", lambda s: "calls sort 4" in s["places"])
    lab.click("column 3")
    lab.wait("no column", lambda s: "calls sort 4" not in s["places"])
    lab.click("column 3")
    lab.wait("the column again", lambda s: "calls sort 4" in s["places"])
    lab.press("Escape")
    lab.wait("no menu", lambda s: "copy calls" not in s["places"])
    lab.click("find close")
    lab.wait("no search", lambda s: "find calls" not in s["places"])


def what_is_found_is_marked_on_the_strip_and_the_timeline(lab):
    lab.press("F3")
    lab.wait("the timeline", lambda s: s["timeline"] == 1000)
    lab.hover("panel calls")
    lab.press("ctrl+f")
    lab.type("name:cuEventRecord")
    lab.wait("calls", lambda s: s["hits"] > 0)
    lab.picture("marks")
    lab.press("Escape")
    lab.wait("no search", lambda s: "find calls" not in s["places"])
    lab.press("F3")
    lab.wait("no timeline", lambda s: s["timeline"] == 0)


def f7_finds_calls_objects_terms_and_notes(lab):
    lab.press("F7")
    lab.wait("the card", lambda s: s["popup"] == FIND)
    lab.type("stream")
    lab.wait("calls, a term and notes", lambda s: s["hits"] > 7)  # of each kind at most 6
    lab.picture("find_anything")
    lab.press("ctrl+a")
    lab.type("cuEventRecord")
    before = lab.state()["call"]
    lab.press("Return")
    there = lab.wait("the call", lambda s: s["popup"] == 0 and s["call"] != before)
    assert there["line"] == 71, there  # its first
    lab.press("F7")
    lab.wait("the card", lambda s: s["popup"] == FIND)
    lab.type("S1")
    lab.press("Return")
    lab.wait("no card", lambda s: s["popup"] == 0)
    lab.settle()
    lab.wait("its life, which stays", lambda s: s["object"] == "S1" and "life created" in s["places"])
    lab.picture("found_object")
    lab.click("life close")


def words_are_found_in_the_notes_and_in_the_output(lab):
    lab.hover("panel notes")
    lab.press("ctrl+f")
    lab.wait("the field", lambda s: "notes find" in s["places"])
    lab.type("stream")
    lab.wait("places", lambda s: s["hits"] > 3)
    lab.press("Return")
    lab.picture("notes_found")
    lab.press("Escape")
    lab.wait("no field", lambda s: "notes find" not in s["places"])
    lab.hover("panel output")
    lab.press("ctrl+f")
    lab.wait("the field", lambda s: "output find" in s["places"])
    lab.type("stream")
    lab.wait("places", lambda s: s["hits"] > 0)
    lab.picture("output_found")
    lab.press("Escape")
    lab.wait("no field", lambda s: "output find" not in s["places"])


def in_the_code_panel_the_same_keys_find_in_the_code(lab):
    lab.hover("code")
    lab.press("ctrl+f")
    lab.wait("the editor's search", lambda s: s["editor"])
    lab.type("cuStreamCreate")
    lab.wait("places", lambda s: s["matches"] > 0)
    lab.picture("code_found")
    lab.press("Escape")
    lab.wait("no search", lambda s: s["matches"] == 0)
    leave_editor(lab)


TESTS = [a_click_on_the_track_goes_there, a_click_on_an_object_tells_its_life_and_goes_to_its_calls,
         the_bytes_in_an_allocation_are_shown, the_difference_from_a_pinned_moment_is_shown,
         a_name_is_found_in_the_picture, what_is_not_wanted_is_left_out_of_the_picture,
         the_run_is_stepped_by_lines, the_run_plays_to_its_end, two_runs_are_held_against_each_other,
         a_frame_that_shows_nothing_new_is_not_drawn,
         the_timeline_opens_zooms_and_a_click_in_it_goes_to_the_call,
         a_held_call_is_open_in_its_lane_up_to_the_right_end,
         calls_are_found_by_a_query_and_only_these_listed, the_calls_that_are_listed_are_copied_as_a_table,
         a_column_is_hidden_and_shown_again, what_is_found_is_marked_on_the_strip_and_the_timeline,
         f7_finds_calls_objects_terms_and_notes, words_are_found_in_the_notes_and_in_the_output,
         in_the_code_panel_the_same_keys_find_in_the_code]
