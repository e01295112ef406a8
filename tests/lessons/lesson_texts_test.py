# SPDX-License-Identifier: MIT
"""Notes in both languages, sources and lesson.toml of each lesson say the same things in the same order."""
import pathlib
import re
import sys
import tomllib
import unittest

import corrected_claims
import lesson_files as files
import plain_words

ROOT = pathlib.Path(sys.argv.pop(1))


def text_of(lesson, name):
    return (lesson / name).read_text(encoding="utf-8")


def of_each_lesson(test):
    """Runs the test once for each lesson, and goes on after a failure."""
    def run(self):
        for lesson in files.lessons_and_template(ROOT):
            with self.subTest(lesson=lesson.name):
                test(self, lesson)
    run.__name__ = test.__name__
    return run


class Lessons(unittest.TestCase):

    @of_each_lesson
    def test_every_file_of_a_lesson_is_there(self, lesson):
        described = files.description(lesson)
        programs = [name for exercise in files.exercises(lesson) for name in files.programs_of(exercise)]
        for name in ("lesson.toml", *described["sources"], "notes.md", "notes.zh.md", *programs):
            self.assertTrue((lesson / name).is_file(), name)
        # A program that no exercise names would be tested by nothing.
        there = {str(path.relative_to(lesson)) for path in (lesson / "exercise").rglob("*.c*")}
        self.assertEqual(there - set(programs), set())

    @of_each_lesson
    def test_the_first_exercise_is_the_repair_and_the_others_have_folders_of_their_names(self, lesson):
        for number, exercise in enumerate(files.exercises(lesson)):
            folder = "exercise/" + (exercise["name"] + "/" if number else "")
            self.assertEqual(exercise["name"] == "repair", number == 0)
            for name in files.programs_of(exercise):
                self.assertEqual(name.rpartition("/")[0] + "/", folder)
            for language, most in (("en", 40), ("zh", 16)):
                self.assertLessEqual(len(exercise["title"][language]), most, exercise["title"])

    @of_each_lesson
    def test_every_lesson_says_where_it_stands_and_why_it_is_worth_the_time(self, lesson):
        described, parts = files.description(lesson), [part["name"] for part in files.parts(ROOT)]
        self.assertIn(described["part"], parts)
        self.assertIn(described["level"], ("basic", "core", "advanced"))
        self.assertIn(described["minutes"], range(10, 61))
        for language, longest, end in (("en", 110, "."), ("zh", 50, "。")):
            why = described["why"][language]
            self.assertLessEqual(len(why), longest, why)
            self.assertRegex(why, rf"^[^{end}]+[{end}?？]$")  # one sentence

    @of_each_lesson
    def test_a_lesson_needs_earlier_lessons_only_and_each_at_most_once(self, lesson):
        needs = files.description(lesson)["needs"]
        self.assertEqual(sorted(needs), sorted(set(needs)))
        earlier = {other.name[3:] for other in files.lessons(ROOT) if other.name < lesson.name}
        self.assertEqual(set(needs) - earlier, set())

    def test_lessons_come_in_the_order_of_the_parts(self):
        names = [part["name"] for part in files.parts(ROOT)]
        places = [names.index(files.description(lesson)["part"]) for lesson in files.lessons(ROOT)]
        self.assertEqual(places, sorted(places))

    def test_nothing_is_called_before_the_lesson_that_teaches_it(self):
        self.assertEqual(files.called_too_early(ROOT), [])

    def test_every_part_has_lessons_and_both_languages(self):
        used = {files.description(lesson)["part"] for lesson in files.lessons(ROOT)}
        parts = files.parts(ROOT)
        self.assertLessEqual(used, {part["name"] for part in parts})
        if len(files.lessons(ROOT)) > 1:  # not a root with one new lesson
            self.assertEqual(used, {part["name"] for part in parts})
        for part in parts:
            for key in ("title", "about"):
                self.assertTrue(part[key]["en"] and part[key]["zh"], part["name"])
                self.assertEqual(files.half_width_mistakes(part[key]["zh"]), [])

    @of_each_lesson
    def test_steps_stand_in_the_same_order_in_the_source_and_in_both_notes(self, lesson):
        source = [step for name in files.description(lesson)["sources"]
                  for step in files.steps_in_source(text_of(lesson, name))]
        self.assertTrue(source, "no steps")
        self.assertEqual(len(source), len(set(source)), "a step's name repeats")
        self.assertEqual(source, files.steps_in_notes(text_of(lesson, "notes.md")))
        self.assertEqual(source, files.steps_in_notes(text_of(lesson, "notes.zh.md")))

    @of_each_lesson
    def test_every_step_has_a_heading_and_a_paragraph_in_both_notes(self, lesson):
        for name in ("notes.md", "notes.zh.md"):
            for part in text_of(lesson, name).split("<!-- step: ")[1:]:
                lines = [line for line in part.splitlines()[1:] if line.strip()]
                self.assertTrue(lines and lines[0].startswith("## "), f"{name}: {part[:30]}")
                self.assertGreater(len(lines), 1, f"{name}: {part[:30]}")

    @of_each_lesson
    def test_both_notes_name_the_same_parts_of_the_api(self, lesson):
        english, chinese = (files.code_words(text_of(lesson, n)) for n in ("notes.md", "notes.zh.md"))
        self.assertEqual(english ^ chinese, set())

    @of_each_lesson
    def test_both_notes_set_the_same_beliefs_right(self, lesson):
        counts = [[text_of(lesson, name).count(f"> **{words}**") for words in pair] for name, pair in (
            ("notes.md", ("What people believe", "What the driver does")),
            ("notes.zh.md", ("常见的说法", "驱动的实际行为")))]
        self.assertEqual(counts[0], counts[1])
        self.assertEqual(counts[0][0], counts[0][1], "a belief without an answer")

    @of_each_lesson
    def test_figures_stand_in_their_step_and_are_there_in_both_languages(self, lesson):
        named = []
        for name, ending in (("notes.md", "svg"), ("notes.zh.md", "zh.svg")):
            text = text_of(lesson, name)
            self.assertEqual(len(re.findall(r"!\[", text)), len(files.figures_in_notes(text)), name)
            found = []
            for part in text.split("<!-- step: ")[1:]:
                step = part.partition(" ")[0]
                found += [step] * len(files.figures_in_notes(part))
                for _, figure, of_language in files.figures_in_notes(part):
                    self.assertEqual((figure, of_language), (step, ending), name)
                    self.assertTrue((lesson / "figures" / f"{figure}.{ending}").is_file(), figure)
            self.assertEqual(len(found), len(files.figures_in_notes(text)), f"{name}: a figure outside of steps")
            named.append(found)
        self.assertEqual(named[0], named[1])

    @of_each_lesson
    def test_notes_have_aims_the_reason_for_them_and_a_recap_of_five_lines(self, lesson):
        for name, language in (("notes.md", "en"), ("notes.zh.md", "zh")):
            self.assertEqual(files.frame_mistakes(text_of(lesson, name), language), [], name)

    @of_each_lesson
    def test_both_notes_have_as_many_aims(self, lesson):
        english, chinese = (files.aims_in_notes(text_of(lesson, name), language)
                            for name, language in (("notes.md", "en"), ("notes.zh.md", "zh")))
        self.assertEqual(len(english), len(chinese))

    @of_each_lesson
    def test_notes_end_with_five_lines_three_edits_to_try_the_sources_and_the_terms(self, lesson):
        for name, recap, edits, sources in (("notes.md", files.FRAME["en"][2], "## Try it", "## Sources"),
                                            ("notes.zh.md", files.FRAME["zh"][2], "## 试一试", "## 资料")):
            tail = text_of(lesson, name).partition("<!-- end of steps -->")[2]
            self.assertEqual(re.findall(r"^## .*$", tail, re.M), [recap, edits, sources], name)
            self.assertGreaterEqual(len(re.findall(r"^\d\. ", tail, re.M)), 3, name)
            self.assertTrue(files.terms_in_notes(tail), name)

    @of_each_lesson
    def test_every_proof_that_the_notes_name_exists(self, lesson):
        known = files.known_proofs(ROOT, lesson)
        for kind in ("step", "conformance", "truth", "recording"):
            self.assertTrue(any(of == kind for of, _ in known), f"no {kind} to name")
        for name in ("notes.md", "notes.zh.md"):
            unknown = [proof for proof in files.proofs_in_notes(text_of(lesson, name)) if proof not in known]
            self.assertEqual(unknown, [], name)

    @of_each_lesson
    def test_both_notes_name_the_same_proofs_in_the_same_order(self, lesson):
        english, chinese = (files.proofs_in_notes(text_of(lesson, n)) for n in ("notes.md", "notes.zh.md"))
        self.assertEqual(english, chinese)

    @of_each_lesson
    def test_what_the_driver_does_is_followed_by_its_proof(self, lesson):
        for name in ("notes.md", "notes.zh.md"):
            self.assertEqual(files.boxes_without_proof(text_of(lesson, name)), [], name)

    @of_each_lesson
    def test_terms_are_those_of_the_glossary_in_the_same_order(self, lesson):
        terms = files.glossary(ROOT)["term"]
        numbers = [[[term[language][0] for term in terms].index(word)
                    for word in files.terms_in_notes(text_of(lesson, name))]
                   for name, language in (("notes.md", "en"), ("notes.zh.md", "zh"))]
        self.assertEqual(numbers[0], numbers[1])

    @of_each_lesson
    def test_three_questions_with_one_right_answer_each_are_about_steps_of_the_lesson(self, lesson):
        steps = [step for name in files.description(lesson)["sources"] for step in files.steps_in_source(text_of(lesson, name))]
        self.assertEqual(files.question_mistakes(files.questions(lesson), steps), [])

    def test_nothing_is_called_by_a_name_that_the_glossary_avoids(self):
        for place, language, text in files.read_by_students(ROOT):
            if language == "zh" and place != "glossary.toml":  # which says what else a thing is called
                with self.subTest(place=place, text=text[:40]):
                    self.assertEqual(files.avoided_words(ROOT, files.without_code(text)), [])

    def test_what_students_read_is_in_plain_words(self):
        for place, language, text in files.read_by_students(ROOT):
            if language:
                with self.subTest(place=place, text=text[:40]):
                    self.assertEqual(plain_words.riddles(language, text), [])

    def test_comments_and_sentences_of_programs_are_in_plain_words(self):
        for place, text in files.programs(ROOT):
            for words in files.words_of_program(text):
                with self.subTest(place=place, text=words[:40]):
                    self.assertEqual(plain_words.riddles("en", words), [])

    def test_statements_that_were_wrong_do_not_come_back(self):
        for place, language, text in files.read_by_students(ROOT):
            if language:
                with self.subTest(place=place, text=text[:40]):
                    self.assertEqual(corrected_claims.false_claims(language, text), [])
        for place, text in files.programs(ROOT):
            for words in files.words_of_program(text):
                with self.subTest(place=place, text=words[:40]):
                    self.assertEqual(corrected_claims.false_claims("en", words), [])

    def test_notes_keep_what_corrects_them(self):
        if not (ROOT / "lessons" / "coverage.toml").is_file():
            self.skipTest("these are other lessons")
        lessons = {lesson.name: lesson for lesson in files.lessons(ROOT)}
        for slug in corrected_claims.CORRECTED:
            with self.subTest(lesson=slug):
                notes = [text_of(lessons[slug], name) for name in ("notes.md", "notes.zh.md")]
                self.assertEqual(corrected_claims.lost_corrections(slug, *notes), [])

    def test_sources_are_named_in_words_wherever_a_student_reads(self):
        for place, _, text in files.read_by_students(ROOT):
            with self.subTest(place=place, text=text[:40]):
                self.assertEqual(files.names_a_document_by_number(text), [])

    def test_every_term_has_one_name_and_no_form_belongs_to_two(self):
        for language in ("en", "zh"):
            forms = [form.lower() for term in files.glossary(ROOT)["term"] for form in term[language]]
            self.assertEqual(sorted(forms), sorted(set(forms)), language)

    @of_each_lesson
    def test_both_notes_have_as_many_headings_and_list_items(self, lesson):
        shapes = [[re.match(r"#+|[-*]|\d+\.", line).group().rstrip("123456789.") or "1"
                   for line in text_of(lesson, name).splitlines() if re.match(r"#+ |[-*] |\d+\. ", line)]
                  for name in ("notes.md", "notes.zh.md")]
        self.assertEqual(shapes[0], shapes[1])

    @of_each_lesson
    def test_emphasis_opens_and_closes_as_commonmark_has_it(self, lesson):
        for name in ("notes.md", "notes.zh.md"):
            self.assertEqual(files.emphasis_mistakes(text_of(lesson, name)), [], name)

    @of_each_lesson
    def test_chinese_is_set_with_chinese_punctuation(self, lesson):
        self.assertEqual(files.half_width_mistakes(text_of(lesson, "notes.zh.md")), [])
        described = files.description(lesson)
        chinese = [described[key]["zh"] for key in ("title", "summary", "why")]
        for exercise in files.exercises(lesson):
            chinese += [exercise["title"]["zh"], exercise["task"]["zh"], *(hint["zh"] for hint in exercise["hints"])]
        for sentence in chinese:
            self.assertEqual(files.half_width_mistakes(sentence), [])

    @of_each_lesson
    def test_every_name_of_the_api_in_the_notes_is_described(self, lesson):
        described = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "api").glob("*/*.toml"))
        header = "\n".join((ROOT / "driver" / name).read_text(encoding="utf-8") for name in (
            "generated/include/cuda.h", "nvrtc/include/nvrtc.h"))
        self.assertTrue(described, "api/driver is empty")
        words = files.code_words(text_of(lesson, "notes.md")) | set(files.description(lesson)["teaches"])
        unknown = {w for w in words if w not in described and w not in header}
        self.assertEqual(unknown, set())

    @of_each_lesson
    def test_every_call_that_a_lesson_teaches_is_in_its_source(self, lesson):
        source = "\n".join(text_of(lesson, name) for name in files.description(lesson)["sources"]).replace("create_context(", "cuCtxCreate(")
        for name in files.description(lesson)["teaches"]:
            self.assertIn(name + "(", source)

    @of_each_lesson
    def test_every_exercise_knows_a_wrong_answer_and_says_in_it_what_it_is(self, lesson):
        for exercise in files.exercises(lesson):
            wrong = exercise.get("wrong", [])
            self.assertTrue(wrong, exercise["name"])
            for answer in wrong:
                self.assertRegex(text_of(lesson, answer["file"]), r"\A// Exercise (\d\d|NN), an? ")

    @of_each_lesson
    def test_what_an_exercise_wants_several_times_it_does_not_want_once_as_well(self, lesson):
        for exercise in files.exercises(lesson):
            expected = exercise["expect"]
            often = [wanted.split(" = ")[0] for wanted in expected.get("at_least", [])]
            twice = [name for name in often if name in expected.get("calls", [])]
            self.assertEqual(twice, [], f"{exercise['name']}: at_least says more than calls, and each makes a finding")

    @of_each_lesson
    def test_every_step_makes_a_call_itself_before_a_helper_makes_one(self, lesson):
        described = files.description(lesson)
        helpers = set()
        for library in described.get("library", []):
            helpers |= set(re.findall(r"\b(\w+)\(", re.sub(r"/\*.*?\*/", "", text_of(lesson, library["header"]), flags=re.S)))
        for name in described["sources"]:
            text = text_of(lesson, name)
            self.assertEqual(files.steps_that_begin_in_a_helper(text, helpers | files.helpers_that_call(text)), [], name)

    @of_each_lesson
    def test_no_claim_depends_on_what_a_neighbour_on_the_gpu_allocates(self, lesson):
        for path in sorted(lesson.rglob("*.c*")):
            self.assertEqual(files.claims_on_free_memory(path.read_text(encoding="utf-8")), [], path.name)

    @of_each_lesson
    def test_programs_are_short_enough_to_read(self, lesson):
        for name in files.description(lesson)["sources"]:
            self.assertLess(len(text_of(lesson, name).splitlines()), 150)

    @of_each_lesson
    def test_chinese_says_about_as_much_as_english(self, lesson):
        english, chinese = len(text_of(lesson, "notes.md")), len(text_of(lesson, "notes.zh.md"))
        self.assertTrue(0.3 < chinese / english < 0.75, f"{chinese} of {english} characters")

    def test_both_readmes_show_the_same_commands_and_chinese_punctuation(self):
        readme = ROOT / "README.md"
        if not readme.is_file():
            self.skipTest("these are lessons without one")
        english, chinese = readme.read_text(encoding="utf-8"), (ROOT / "README.zh.md").read_text(encoding="utf-8")
        commands = [re.findall(r"^    ((?:build/driverlab|tools/).*?)(?:  .*)?$", text, re.M) for text in (english, chinese)]
        self.assertTrue(commands[0])
        self.assertEqual(sorted(commands[0]), sorted(commands[1]))
        self.assertEqual(files.half_width_mistakes(chinese), [])

    def test_what_the_course_covers_is_where_the_table_says(self):
        table = ROOT / "lessons" / "coverage.toml"
        if not table.is_file():
            self.skipTest("these are lessons without such a table")
        items = tomllib.loads(table.read_text(encoding="utf-8"))["item"]
        steps = {f"{lesson.name}/{step}" for lesson in files.lessons(ROOT) for name in files.description(lesson)["sources"]
                 for step in files.steps_in_source(text_of(lesson, name))}
        explained = tomllib.loads((ROOT / "assets" / "strings" / "explain.toml").read_text(encoding="utf-8"))
        known = {f"{kind} {name}" for kind, name in files.known_proofs(ROOT, files.lessons(ROOT)[0]) if kind != "step"}
        known |= {f"explain {name.removeprefix('explain_')}" for name in explained}
        for item in items:
            self.assertEqual(set(item) - {"group", "item", "taught", "checked", "reason"}, set(), item["item"])
            self.assertTrue(item.get("taught") or item.get("reason"), f"neither taught nor a reason: {item['item']}")
            self.assertEqual(set(item.get("taught", [])) - steps, set(), item["item"])
            self.assertEqual(set(item.get("checked", [])) - known, set(), item["item"])
        groups = {item["group"].partition(":")[0] for item in items}
        self.assertLessEqual({f"Document {number}" for number in range(5)}, groups)

    def test_the_table_says_of_arrays_and_textures_what_the_pages_of_the_toolkit_say(self):
        """docs/supported.md is compared with what the library returns, docs/ptxcc.md with what the compiler refuses."""
        table = ROOT / "lessons" / "coverage.toml"
        if not table.is_file():
            self.skipTest("these are lessons without such a table")
        supported, ptxcc = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("generated/supported.md", "ptxcc.md"))
        implemented, _ = supported.split("\n## Answering CUDA_ERROR_NOT_SUPPORTED\n")
        [said] = [item["reason"] for item in tomllib.loads(table.read_text(encoding="utf-8"))["item"] if "texture" in item["item"]]
        self.assertIn("It can create and copy arrays", said)
        for call in ("cuArrayCreate", "cuArray3DCreate", "cuMemcpyHtoA", "cuMemcpyAtoH", "cuMemcpy2D", "cuMemcpy3D"):
            self.assertIn(f"\n| `{call}` |", implemented)
        self.assertIn("It has texture and surface objects", said)
        for call in ("cuTexObjectCreate", "cuSurfObjectCreate", "cuModuleGetTexRef", "cuModuleGetSurfRef"):
            self.assertIn(f"\n| `{call}` |", implemented)
        self.assertIn("its compilers refuse the functions of CUDA C++ for it", said)
        self.assertRegex(ptxcc, r"\n\| textures, surfaces \| not part of this toolkit; the error says so")


if __name__ == "__main__":
    unittest.main()
