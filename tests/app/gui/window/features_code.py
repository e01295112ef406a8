# SPDX-License-Identifier: MIT
"""The editor in daily use: typing, finding, comparing, building, what is shown next to the lines."""
import pathlib

import x11
from window_driver import find, leave_editor, open_lesson, open_window_at, put_caret_on_top, workspace


def prepare(lab):
    script = lab.folder / "other editor.sh"  # a name with a blank: the student's may have one
    plain = lab.folder / "other_editor"
    plain.write_text('#!/bin/sh\nprintf "// elsewhere\\n" >> "$1"\n')
    plain.chmod(0o755)
    script.write_text("")
    lab.environment["VISUAL"] = str(plain)
    x11.bind_characters(lab.environment["DISPLAY"], "上下文栈")
    open_window_at(lab, "context_stack")


def restored(lab):
    lab.click("restore")
    lab.wait("the original", lambda s: s["edited"] == 0)


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


def restore_brings_the_original_back(lab):
    lab.click("panel picture")  # the keys are elsewhere
    restored(lab)
    lab.press("ctrl+z")
    lab.wait("the edit again, as the button says", lambda s: s["edited"] == 1)
    restored(lab)


def results_move_with_the_text(lab):
    lab.press("ctrl+Return")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["calls"] > 20)
    put_caret_on_top(lab)
    find(lab, "cuCtxPopCurrent")
    lab.press("Home")
    before = lab.wait("the result at the line", lambda s: "cuCtxPopCurrent" in s["text"] and s["badge"])
    put_caret_on_top(lab)
    lab.press("Return")
    find(lab, "cuCtxPopCurrent")
    lab.wait("it moved along", lambda s: s["caret"] == before["caret"] + 1 and s["badge"] == before["badge"])
    lab.picture("moved")
    lab.press("ctrl+z")
    lab.wait("the original", lambda s: s["edited"] == 0)


def words_numbers_and_comments_have_their_colours(lab):
    put_caret_on_top(lab)
    lab.type('int x = 42; // y')
    lab.wait("a keyword, a number, a comment", lambda s: {"k", "n", "c"} <= set(s["kinds"]))
    lab.picture("colours")


def a_line_is_made_a_comment_and_code_again(lab):
    lab.press("ctrl+slash")
    lab.wait("a comment", lambda s: set(s["kinds"]) == {"c"})
    lab.press("ctrl+slash")
    lab.wait("code", lambda s: "k" in s["kinds"])


def undo_and_redo_go_step_by_step(lab):
    typed = lab.state()["bytes"]
    while lab.state()["edited"]:
        before = lab.state()["bytes"]
        lab.press("ctrl+z")
        lab.wait("one change less", lambda s: s["bytes"] != before or s["edited"] == 0)
    lab.press("ctrl+y")
    lab.wait("the change again", lambda s: s["edited"] == 1)
    assert lab.state()["bytes"] <= typed
    restored(lab)


def brackets_find_their_partner_and_new_lines_their_depth(lab):
    put_caret_on_top(lab)
    find(lab, "int main() {")
    lab.press("End")
    state = lab.wait("the partner", lambda s: s["bracket"] > s["caret"])
    line = state["caret"]
    lab.picture("brackets")
    lab.press("Return")
    lab.wait("a line inside", lambda s: s["caret"] == line + 1 and s["column"] == 2)
    lab.press("Tab")
    lab.wait("one step deeper", lambda s: s["column"] == 4)
    lab.press("shift+Tab")
    lab.wait("and back", lambda s: s["column"] == 2)
    restored(lab)


def chinese_is_typed_like_anything_else(lab):
    put_caret_on_top(lab)
    before = lab.state()["bytes"]
    lab.type("// 上下文 ")
    lab.wait("the characters", lambda s: s["bytes"] == before + 3 + 9 + 1 and "上下文" in s["text"])
    lab.wait("the saved file", lambda s: (workspace(lab) / "main.cpp").read_text().startswith("// 上下文 "))
    lab.picture("chinese")
    restored(lab)


def a_call_explains_itself_under_the_mouse(lab):
    put_caret_on_top(lab)
    find(lab, "cuCtxPushCurrent(")
    lab.settle()
    lab.hover_until("code cuCtxPushCurrent", "its card", lambda s: s["hint"] == "CUresult cuCtxPushCurrent(CUcontext ctx)")
    lab.picture("help in the editor")


def ctrl_and_a_click_open_the_lesson_that_teaches_a_call(lab):
    open_lesson(lab, "context_stack")
    put_caret_on_top(lab)
    find(lab, "cuInit(")
    lab.settle()
    lab.hover_until("code cuInit", "its card", lambda s: s["hint"] == "CUresult cuInit(unsigned int Flags)")
    lab.tool("xdotool", "click", "1")
    lab.settle()
    assert lab.state()["lesson"] == "context_stack", "a click without Ctrl stays"
    lab.tool("xdotool", "keydown", "ctrl", "click", "1", "keyup", "ctrl")
    lab.wait("the lesson", lambda s: s["lesson"] == "hello_driver")
    lab.settle()
    leave_editor(lab)
    open_lesson(lab, "context_stack")


def a_name_of_the_api_is_completed_while_it_is_typed(lab):
    put_caret_on_top(lab)
    before = lab.state()["bytes"]
    lab.type("cuCtxPu")
    lab.wait("the list", lambda s: s["hint"] == "cuCtxPushCurrent")
    lab.picture("completion")
    lab.press("Return")
    lab.wait("the whole name", lambda s: s["bytes"] == before + len("cuCtxPushCurrent"))
    lab.press("ctrl+space")
    lab.wait("no list for what is whole", lambda s: not s["hint"])
    for _ in range(5):
        lab.press("BackSpace")
    lab.press("ctrl+space")
    lab.wait("the list again", lambda s: s["hint"] == "cuCtxPushCurrent")
    lab.press("Escape")
    lab.wait("no list", lambda s: not s["hint"])
    restored(lab)


def find_counts_and_walks_the_places(lab):
    put_caret_on_top(lab)
    lab.press("ctrl+f")
    lab.type("cuCtxPushCurrent")
    first = lab.wait("the places", lambda s: s["matches"] > 1)["caret"]
    lab.press("Return")
    lab.wait("the next one", lambda s: s["caret"] != first or s["matches"] > 1)
    lab.picture("find")
    lab.press("Escape")
    lab.wait("no search", lambda s: s["matches"] == 0)


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


def what_another_editor_saves_appears(lab):
    file = workspace(lab) / "main.cpp"
    text = (pathlib.Path(__file__).parents[4] / "lessons/05_context_stack/main.cpp").read_text()
    put_caret_on_top(lab)  # what was typed before is on the disk once this is
    lab.type("// saved ")
    lab.wait("the saved file", lambda s: file.read_text().startswith("// saved "))
    restored(lab)
    lab.wait("the original on the disk", lambda s: file.read_text() == text)
    file.write_text("// from outside\n" + text)
    lab.wait("the other text", lambda s: s["edited"] == 1)
    file.write_text(text)
    lab.wait("the text of before", lambda s: s["edited"] == 0)


def the_students_own_editor_opens_the_file(lab):
    lab.click("outside")
    lab.wait("what it saved", lambda s: s["edited"] == 1)
    assert (workspace(lab) / "main.cpp").read_text().endswith("// elsewhere\n")
    restored(lab)


def a_compiler_error_is_shown_at_its_line(lab):
    put_caret_on_top(lab)
    lab.type("nonsense; ")
    lab.press("ctrl+Return")
    lab.wait("the failed build", lambda s: s["phase"] == "build_failed")
    lab.wait("the message beside the line", lambda s: s["messages"] >= 1 and s["message"])
    lab.picture("error")
    lab.press("BackSpace")
    lab.wait("no message on words that are others now", lambda s: s["messages"] == 0)
    restored(lab)
    lab.click("dismiss")


def a_run_starts_from_the_editor_and_writes_results_at_the_lines(lab):
    put_caret_on_top(lab)
    lab.press("ctrl+Return")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] > 20)
    put_caret_on_top(lab)
    find(lab, "cuMemAlloc(&memory, 16)")
    lab.wait("its answer", lambda s: "201" in s["badge"] or "→" in s["badge"])
    lab.picture("results")


def the_line_of_the_call_is_lit_up(lab):
    leave_editor(lab)
    lab.press("F9")
    state = lab.wait("a line", lambda s: s["current"] > 0)
    lab.press("F9")
    lab.wait("another line", lambda s: 0 < s["current"] != state["current"] or s["call"] < state["call"] - 1)


def a_breakpoint_holds_the_run(lab):
    put_caret_on_top(lab)
    find(lab, "cuCtxPushCurrent(a)")
    lab.press("ctrl+b")
    lab.wait("the breakpoint", lambda s: s["breakpoints"] == 1)
    lab.press("ctrl+Return")
    lab.wait("the held run", lambda s: s["phase"] == "held" and s["calls"] > 0)
    lab.picture("breakpoint")
    lab.press("ctrl+b")
    lab.wait("no breakpoint", lambda s: s["breakpoints"] == 0)
    lab.press("F5")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"])


def a_click_beside_the_number_sets_a_breakpoint(lab):
    lab.click("gutter")
    lab.wait("the breakpoint", lambda s: s["breakpoints"] == 1)
    lab.click("gutter")
    lab.wait("no breakpoint", lambda s: s["breakpoints"] == 0)


def a_kernel_is_edited_broken_mended_and_rerun_in_its_tab(lab):
    open_lesson(lab, "vector_add")
    lab.click("file vec_add.cu")
    lab.wait("the kernel's tab", lambda s: s["file"] == "vec_add.cu")
    put_caret_on_top(lab)
    lab.press("ctrl+Return")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["calls"] > 5)
    lab.click("file vec_add.cu")
    put_caret_on_top(lab)
    lab.type("nonsense; ")
    lab.press("ctrl+Return")
    lab.wait("the failed build", lambda s: s["phase"] == "build_failed")
    lab.wait("its message", lambda s: s["file"] == "vec_add.cu" and s["messages"] >= 1 and s["message"])
    lab.picture("kernel_error")
    restored(lab)
    lab.click("dismiss")
    put_caret_on_top(lab)
    lab.press("ctrl+h")
    lab.type("a[i] + b[i]")
    lab.press("Tab")
    lab.type("a[i] - b[i]")
    lab.press("alt+Return")
    lab.press("Escape")
    lab.wait("the other kernel", lambda s: s["edited"] == 1)
    lab.press("ctrl+Return")
    lab.wait("another end", lambda s: s["phase"] == "ended" and s["calls"] > 5 and s["end"] != "exit status 0")
    lab.picture("kernel_changed")
    lab.click("file vec_add.cu")
    restored(lab)


def ptx_by_hand_is_edited_and_rerun_the_same_way(lab):
    open_lesson(lab, "ptx_link")
    lab.click("file square.ptx")
    lab.wait("the tab", lambda s: s["file"] == "square.ptx")
    put_caret_on_top(lab)
    lab.type("// mine ")
    lab.wait("the edit", lambda s: s["edited"] == 1)
    lab.press("ctrl+Return")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["calls"] > 5)
    lab.click("file square.ptx")
    restored(lab)


def comments_and_claims_follow_the_language_and_an_edited_file_stays(lab):
    file = workspace(lab) / "main.cpp"
    english = file.read_text(encoding="utf-8")
    lab.press("ctrl+Return")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] > 20)
    put_caret_on_top(lab)
    find(lab, "cuCtxPushCurrent(a)")
    lab.press("ctrl+b")
    before = lab.wait("a breakpoint, a result", lambda s: s["breakpoints"] == 1 and s["badge"])
    lab.press("ctrl+l")
    kept = ("caret", "breakpoints", "badge", "current", "edited", "lines")
    lab.wait("the Chinese text, with everything on its line", lambda s: s["language"] == "zh"
             and s["bytes"] != before["bytes"] and [s[key] for key in kept] == [before[key] for key in kept])
    assert "栈：" in file.read_text(encoding="utf-8")
    lab.picture("code_zh")
    lab.press("ctrl+z")  # there is nothing to take back
    lab.press("ctrl+b")
    lab.press("ctrl+Return")
    lab.wait("the same run", lambda s: s["phase"] == "ended" and s["call"] == s["calls"] == before["calls"])
    put_caret_on_top(lab)
    lab.type("// mine ")
    lab.wait("the edit", lambda s: s["edited"] == 1)
    lab.settle()  # all of it was typed
    mine = lab.state()["bytes"]
    lab.press("ctrl+l")
    lab.wait("the student's text", lambda s: s["language"] == "en" and s["edited"] == 1 and s["bytes"] == mine)
    lab.click("compare")
    lab.wait("what was edited, and not the language", lambda s: s["comparing"])
    lab.picture("difference_of_languages")
    lab.press("Escape")
    restored(lab)
    lab.wait("English again", lambda s: file.read_text(encoding="utf-8") == english)


def the_run_before_stays_where_a_run_parts_from_it(lab):
    for text in ("", "cuInit(0);"):
        if text:
            put_caret_on_top(lab)
            find(lab, "int main() {")
            lab.press("End")
            lab.press("Return")
            lab.type(text)
            lab.wait("the edit", lambda s: text in s["text"])
        lab.press("ctrl+Return")
        lab.wait("a run", lambda s: s["phase"] in ("building", "running"))
        lab.wait("its end", lambda s: s["phase"] == "ended")
    lab.wait("where it parts, and why", lambda s: "ghost" in s["places"] and s["pair"] == "differ" and
             "cuInit" in s.get("said", ""))
    lab.settle()
    lab.picture("ghost")


TESTS = [typing_marks_the_file_and_reaches_the_disk, the_difference_to_the_original_is_shown_and_closed,
         restore_brings_the_original_back, words_numbers_and_comments_have_their_colours,
         a_line_is_made_a_comment_and_code_again, undo_and_redo_go_step_by_step,
         brackets_find_their_partner_and_new_lines_their_depth, chinese_is_typed_like_anything_else,
         a_call_explains_itself_under_the_mouse, a_name_of_the_api_is_completed_while_it_is_typed,
         find_counts_and_walks_the_places, replace_all_is_one_change, what_another_editor_saves_appears,
         the_students_own_editor_opens_the_file, a_compiler_error_is_shown_at_its_line,
         a_run_starts_from_the_editor_and_writes_results_at_the_lines, the_line_of_the_call_is_lit_up, results_move_with_the_text,
         a_breakpoint_holds_the_run, a_click_beside_the_number_sets_a_breakpoint,
         comments_and_claims_follow_the_language_and_an_edited_file_stays,
         a_kernel_is_edited_broken_mended_and_rerun_in_its_tab, ptx_by_hand_is_edited_and_rerun_the_same_way,
         the_run_before_stays_where_a_run_parts_from_it, ctrl_and_a_click_open_the_lesson_that_teaches_a_call]
