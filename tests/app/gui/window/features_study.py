# SPDX-License-Identifier: MIT
"""Notes that follow the run, questions before a step, exercises and the progress over the course."""
import pathlib
import tomllib

import x11
from window_driver import (find, leave_editor, look_at_the_keys, open_lesson, open_window_at, put_caret_on_top,
                           workspace)


def prepare(lab):
    x11.bind_characters(lab.environment["DISPLAY"], "上下文栈")
    open_window_at(lab, "context_stack")


def hold_at_first_call(lab):
    lab.press("ctrl+shift+F5")
    lab.wait("the first call, held", lambda s: s["phase"] == "held" and s["calls"] == 0)


def ask_questions(lab, on):
    if lab.state()["predict"] != on:
        lab.press("F2")
    lab.wait("questions as wanted", lambda s: s["predict"] == on)


def step_until_asked(lab, most=12):
    for _ in range(most):
        state = lab.state()
        if state["asking"]:
            return state
        lab.press("F10")
        lab.wait("a step", lambda s: s["call"] == state["call"] + 1 and s["phase"] in ("held", "replaying"))
        lab.settle()
    raise AssertionError(f"nothing was asked: {lab.state()}")


def a_question_stands_beside_the_picture_and_a_number_answers_it(lab):
    hold_at_first_call(lab)
    before = step_until_asked(lab)
    lab.picture("question")
    assert before["asked"] == 0
    lab.press("1")
    state = lab.wait("the outcome", lambda s: s["call"] == before["call"] + 1
                     and s["prediction"] in ("right", "wrong") and s["asked"] == 1)
    assert state["right"] == (1 if state["prediction"] == "right" else 0), state
    lab.picture("answered")


def a_choice_is_answered_by_a_click_too(lab):
    before = step_until_asked(lab)
    lab.click("answer 2")
    lab.wait("the outcome", lambda s: s["call"] == before["call"] + 1 and s["asked"] == before["asked"] + 1)


def who_steps_on_is_not_held_up(lab):
    before = step_until_asked(lab)
    lab.press("F10")
    state = lab.wait("the step", lambda s: s["call"] == before["call"] + 1)
    assert state["asked"] == before["asked"], state


def in_the_editor_digits_are_text_and_alt_answers(lab):
    before = step_until_asked(lab)
    put_caret_on_top(lab)
    lab.press("1")
    lab.wait("a digit", lambda s: s["edited"] == 1 and s["asked"] == before["asked"])
    lab.press("ctrl+z")
    lab.wait("the original", lambda s: s["edited"] == 0)
    lab.press("alt+1")
    lab.wait("the outcome", lambda s: s["asked"] == before["asked"] + 1)
    leave_editor(lab)


def one_key_switches_the_questions_off_and_on(lab):
    step_until_asked(lab)
    lab.press("F2")
    lab.wait("no question", lambda s: not s["asking"] and not s["predict"])
    lab.press("F2")
    lab.wait("the question again", lambda s: s["asking"] and s["predict"])
    lab.click("predict off")
    lab.wait("no question", lambda s: not s["asking"] and not s["predict"])
    lab.press("F2")
    lab.press("F5")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"])


def the_past_is_asked_about_as_well(lab):
    state = lab.state()
    for _ in range(state["calls"]):
        if lab.state()["asking"]:
            break
        before = lab.state()["call"]
        lab.press("F9")
        lab.wait("the call before", lambda s: s["call"] == before - 1)
        lab.settle()
    before = lab.wait("a question", lambda s: s["asking"])
    lab.press("1")
    lab.wait("the outcome", lambda s: s["call"] == before["call"] + 1 and s["asked"] == before["asked"] + 1)


def code_that_the_student_wrote_is_asked_about(lab):
    put_caret_on_top(lab)
    find(lab, "int main() {")
    lab.press("End")
    lab.press("Return")
    lab.type("CUcontext own = nullptr; cuCtxPopCurrent(&own);")
    lab.wait("the edit", lambda s: s["edited"] == 1)
    leave_editor(lab)
    hold_at_first_call(lab)
    lab.wait("the question about it", lambda s: s["asking"])
    lab.picture("question_own_code")
    lab.press("F10")
    lab.wait("the call", lambda s: s["call"] == 1)
    lab.press("F5")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"])
    lab.click("restore")
    lab.wait("the original", lambda s: s["edited"] == 0)


def the_notes_follow_the_run(lab):
    ask_questions(lab, False)
    hold_at_first_call(lab)
    seen = set()
    for number in range(1, 9):
        lab.press("F10")
        state = lab.wait(f"call {number}", lambda s: s["call"] == number)
        assert state["notes_step"] == state["step"], state
        seen.add(state["notes_step"])
    assert len(seen) >= 3, seen
    lab.press("F5")
    lab.wait("the end", lambda s: s["phase"] == "ended" and s["call"] == s["calls"])


def a_click_on_a_paragraph_goes_to_its_step(lab):
    for _ in range(lab.state()["calls"]):
        before = lab.state()["call"]
        lab.press("F9")
        lab.wait("the call before", lambda s: s["call"] == before - 1)
        lab.settle()
        state = lab.state()
        others = [place[5:] for place in state["places"]
                  if place.startswith("note ") and place[5:] != state["step"]]
        if others:
            break
    wanted = others[0]
    lab.click("note " + wanted)
    lab.wait("its first call", lambda s: s["step"] == wanted and s["notes_step"] == wanted)


def a_term_explains_itself_under_the_mouse(lab):
    lab.settle()  # the notes still scroll to the step of the paragraph that was clicked
    state = lab.wait("a term", lambda s: any(place.startswith("term ") for place in s["places"]))
    places = state["places"]  # the one in the middle is not half hidden
    term = min((place for place in places if place.startswith("term ")),
               key=lambda place: abs(places[place][1] - places["panel notes"][1]))
    lab.hover_until(term, "the meaning", lambda s: s["hint"])
    lab.picture("term")


def a_box_says_what_the_driver_does_against_the_source(lab):
    for _ in range(lab.state()["calls"]):
        if any(place.startswith("claim ") for place in lab.state()["places"]):
            break
        before = lab.state()["call"]
        lab.press("F9")
        lab.wait("the call before", lambda s: s["call"] == max(0, before - 1))
        lab.settle()
    lab.wait("a box", lambda s: any(place.startswith("claim ") for place in s["places"]))
    lab.picture("box")


def questions_of_the_lesson():
    """(the step, numbers of its wrong answers, number of the right one) of each question of lesson 05."""
    file = pathlib.Path(__file__).parents[4] / "lessons/05_context_stack/questions.toml"
    found = []
    for question in tomllib.loads(file.read_text(encoding="utf-8"))["question"]:
        right = [answer.get("right", False) for answer in question["answer"]].index(True) + 1
        found.append((question["about"], [n for n in range(1, len(question["answer"]) + 1) if n != right], right))
    return found


def scroll_notes_to(lab, place):
    """With the wheel, from wherever the notes are."""
    x, y = lab.place("panel notes")
    lab.tool("xdotool", "mousemove", str(x), str(y))
    for button in ("5", "4"):
        for _ in range(60):
            lab.settle()
            if place in lab.state()["places"]:
                return
            lab.tool("xdotool", "click", button)
    raise AssertionError(f"{place} does not come into sight: {lab.state()}")


def a_wrong_answer_at_the_end_of_a_lesson_says_why_and_may_be_tried_again(lab):
    leave_editor(lab)
    _, wrong, right = questions_of_the_lesson()[0]
    scroll_notes_to(lab, f"quiz 1 answer {wrong[0]}")
    lab.click(f"quiz 1 answer {wrong[0]}")
    lab.wait("the explanation", lambda s: s["quiz_tried"] == 1 and s["quiz_answered"] == 1 and s["quiz_right"] == 0)
    lab.picture("quiz_wrong")
    scroll_notes_to(lab, f"quiz 1 answer {right}")
    lab.click(f"quiz 1 answer {right}")
    lab.wait("the right answer", lambda s: s["quiz_tried"] == 2 and s["quiz_answered"] == 1 and s["quiz_right"] == 0)
    lab.picture("quiz_right")


def the_step_of_a_question_is_one_click_away(lab):
    about, _, _ = questions_of_the_lesson()[0]
    scroll_notes_to(lab, "quiz 1 step")
    lab.click("quiz 1 step")
    lab.wait("the step in the run and in the notes", lambda s: s["step"] == about and "note " + about in s["places"])


def walk_to_the_notes(lab):
    while (before := lab.state()["focus"]) != "notes":
        lab.press("F6")
        lab.wait("the next panel", lambda s: s["focus"] != before)


def walk_to(lab, stop):
    """Tab, until the keyboard stands on what has this name."""
    for _ in range(40):
        if lab.state()["stop"] == stop:
            return
        lab.press("Tab")
        lab.settle()
    raise AssertionError(f"Tab does not come to {stop}: the window says {lab.state()}")


def questions_are_answered_by_the_keyboard_alone(lab):
    walk_to_the_notes(lab)
    lab.press("0")
    lab.wait("the first question that is not solved", lambda s: s["quiz_asked"] == 2)
    about, _, right = questions_of_the_lesson()[1]
    lab.press(str(right))
    lab.wait("the right answer", lambda s: s["quiz_tried"] == 3 and s["quiz_answered"] == 2 and s["quiz_right"] == 1)
    lab.press("0")
    lab.wait("its step", lambda s: s["step"] == about)


def search_finds_a_step_in_any_lesson(lab):
    lab.press("ctrl+shift+f")
    lab.wait("the search", lambda s: s["popup"] == 5)
    lab.type("nobody says this")
    lab.wait("nothing", lambda s: s["hits"] == 0)
    lab.press("ctrl+a")
    lab.type("cuCtxPopCurrent null")
    lab.wait("hits", lambda s: s["hits"] > 0)
    lab.picture("search")
    lab.press("ctrl+a")
    lab.type("上下文栈")
    lab.wait("hits in Chinese notes", lambda s: s["hits"] > 0)
    lab.picture("search_zh")
    lab.press("Return")
    lab.wait("the search to go", lambda s: s["popup"] == 0)
    if lab.state()["language"] == "zh":
        lab.press("ctrl+l")
    lab.wait("English", lambda s: s["language"] == "en")
    open_lesson(lab, "context_stack")


def an_exercise_opens_with_its_task_and_hints(lab):
    lab.click("side1")
    lab.click("exercise open")
    lab.wait("the exercise", lambda s: s["exercise"] == "repair")
    lab.picture("exercise")
    lab.click("exercise hint")
    lab.wait("a hint", lambda s: s["hints"] == 1)


def a_check_names_what_is_missing(lab):
    lab.click("exercise check")
    lab.wait("the verdict", lambda s: s["verdict"] == "failed")
    lab.picture("exercise_failed")


def another_exercise_of_the_lesson_is_chosen(lab):
    lab.click("exercise:predict")
    lab.wait("its program", lambda s: s["exercise"] == "predict" and s["verdict"] == "" and s["hints"] == 0)
    lab.press("ctrl+shift+Return")
    lab.wait("its verdict", lambda s: s["verdict"] == "failed")
    lab.picture("exercise_predict")
    lab.click("exercise:repair")
    lab.wait("the first again", lambda s: s["exercise"] == "repair" and s["verdict"] == "" and s["hints"] == 1)
    walk_to_the_notes(lab)
    walk_to(lab, "exercise:predict")
    lab.press("space")
    lab.wait("the other one, by keys", lambda s: s["exercise"] == "predict")
    walk_to(lab, "exercise:repair")
    lab.press("Return")
    lab.wait("the first again, by keys", lambda s: s["exercise"] == "repair")
    walk_to(lab, "exercise:predict")
    lab.press("space")
    lab.wait("the other one once more", lambda s: s["exercise"] == "predict")
    lab.click("exercise:repair")
    lab.wait("the first once more", lambda s: s["exercise"] == "repair")


def a_solution_is_compared_line_by_line(lab):
    lab.click("exercise solution")
    lab.wait("the solution", lambda s: s["comparing"])
    lab.picture("exercise_solution")
    lab.press("Escape")
    lab.wait("the editor", lambda s: not s["comparing"])


def the_solved_exercise_passes(lab):
    solution = pathlib.Path(__file__).parents[4] / "lessons/05_context_stack/exercise/solution.cpp"
    (workspace(lab) / "exercise/main.cpp").write_text(solution.read_text())
    lab.wait("the solved text", lambda s: s["edited"] == 1)
    lab.press("ctrl+shift+Return")
    lab.wait("the pass", lambda s: s["verdict"] == "passed")
    lab.picture("exercise_passed")


def the_progress_is_a_table_for_the_teacher(lab):
    lab.turn_wheel_down("panel exercise")  # below the findings
    lab.click("exercise export")
    lab.wait("the notice", lambda s: s["notices"] == 1)
    sheets = list((lab.folder / ".local/share/driverlab").glob("progress-*.csv"))
    assert len(sheets) == 1, sheets
    lines = sheets[0].read_text().splitlines()
    row = dict(zip(lines[0].split(","), next(line for line in lines if ",context_stack," in line).split(",")))
    assert (row["exercises_passed"], row["passed_exercises"]) == ("1", "repair"), row
    assert row["passed"] == "yes" and int(row["predicted"]) >= 4, row
    assert (row["questions"], row["questions_right"]) == ("2", "1"), row
    lab.wait("no notice, by itself", lambda s: s["notices"] == 0)


def everything_is_there_in_chinese_too(lab):
    lab.press("ctrl+l")
    lab.wait("Chinese", lambda s: s["language"] == "zh")
    lab.picture("exercise_zh")
    ask_questions(lab, True)
    hold_at_first_call(lab)
    step_until_asked(lab)
    lab.picture("question_zh")
    before = lab.state()["asked"]
    lab.press("1")
    lab.wait("the outcome", lambda s: s["asked"] == before + 1)
    lab.picture("answered_zh")
    lab.press("F5")
    look_at_the_keys(lab, "keys_zh")


TESTS = [a_question_stands_beside_the_picture_and_a_number_answers_it, a_choice_is_answered_by_a_click_too,
         who_steps_on_is_not_held_up, in_the_editor_digits_are_text_and_alt_answers,
         one_key_switches_the_questions_off_and_on, the_past_is_asked_about_as_well,
         code_that_the_student_wrote_is_asked_about, the_notes_follow_the_run,
         a_click_on_a_paragraph_goes_to_its_step, a_term_explains_itself_under_the_mouse,
         a_box_says_what_the_driver_does_against_the_source,
         a_wrong_answer_at_the_end_of_a_lesson_says_why_and_may_be_tried_again, the_step_of_a_question_is_one_click_away,
         questions_are_answered_by_the_keyboard_alone, search_finds_a_step_in_any_lesson,
         an_exercise_opens_with_its_task_and_hints, a_check_names_what_is_missing,
         another_exercise_of_the_lesson_is_chosen, a_solution_is_compared_line_by_line, the_solved_exercise_passes, the_progress_is_a_table_for_the_teacher,
         everything_is_there_in_chinese_too]
