# SPDX-License-Identifier: MIT
"""The lints themselves: each finds the mistake it is for, and stays quiet where there is none."""
import pathlib
import tempfile
import unittest

import corrected_claims
import lesson_files as files
import plain_words


class Emphasis(unittest.TestCase):
    def test_a_colon_inside_bold_before_a_letter_does_not_close(self):
        self.assertTrue(files.emphasis_mistakes("**注意\uff1a**后面"))

    def test_a_colon_outside_closes(self):
        self.assertEqual(files.emphasis_mistakes("**注意**\uff1a后面"), [])

    def test_bold_between_letters_is_fine(self):
        self.assertEqual(files.emphasis_mistakes("它*不做*的事"), [])

    def test_a_quote_after_the_opening_between_letters_does_not_open(self):
        self.assertTrue(files.emphasis_mistakes("说**“当前”**的意思"))

    def test_an_unclosed_run_is_found(self):
        self.assertTrue(files.emphasis_mistakes("**Careful: here"))

    def test_stars_in_code_are_no_emphasis(self):
        self.assertEqual(files.emphasis_mistakes("`CUcontext*` and `2 * 3`"), [])

    def test_a_bullet_is_no_emphasis(self):
        self.assertEqual(files.emphasis_mistakes("* one\n* two"), [])


class Punctuation(unittest.TestCase):
    def test_a_latin_comma_after_chinese_is_found(self):
        self.assertTrue(files.half_width_mistakes("一课,一课"))

    def test_chinese_punctuation_is_fine(self):
        self.assertEqual(files.half_width_mistakes("一课\uff0c又一课\uff08`a, b`\uff09。"), [])

    def test_the_brackets_of_a_link_are_no_punctuation_and_those_of_a_text_are(self):
        self.assertEqual(files.half_width_mistakes("见 [手册](https://a.b/c.html)\uff0c第一节"), [])
        self.assertTrue(files.half_width_mistakes("见手册(第一节)\uff0c再看"))

    def test_latin_punctuation_inside_latin_is_fine(self):
        self.assertEqual(files.half_width_mistakes("用 open(1, 2) 打开"), [])


class LeftBehind(unittest.TestCase):
    @staticmethod
    def calls(*names, result="CUDA_SUCCESS"):
        return [{"name": name, "result": result} for name in names]

    def test_what_nobody_ended_is_counted_and_what_somebody_ended_is_not(self):
        self.assertEqual(files.left_behind(self.calls("cuCtxCreate", "cuCtxCreate", "cuCtxDestroy")), {"cuCtxDestroy": 1})
        self.assertEqual(files.left_behind(self.calls("cuCtxCreate", "cuCtxDestroy")), {})

    def test_what_failed_and_what_is_inside_of_another_call_does_not_count(self):
        self.assertEqual(files.left_behind(self.calls("cuCtxCreate", result="CUDA_ERROR_INVALID_VALUE")), {})
        self.assertEqual(files.left_behind([{"name": "cuCtxCreate", "result": "CUDA_SUCCESS", "inside": "cudaFree"}]), {})

    def test_the_last_detach_ends_a_context_that_was_attached_to(self):
        self.assertEqual(files.left_behind(self.calls("cuCtxCreate", "cuCtxAttach", "cuCtxDetach", "cuCtxDetach")), {})
        self.assertEqual(files.left_behind(self.calls("cuCtxCreate", "cuCtxAttach", "cuCtxDetach")), {"cuCtxDestroy": 1})


class SharedGpu(unittest.TestCase):
    ASKS = "  check(cuMemGetInfo(&after, &total));\n"

    def test_a_claim_on_free_memory_is_found(self):
        self.assertTrue(files.claims_on_free_memory(self.ASKS + '  claim("it came back", after >= before);\n'))
        self.assertTrue(files.claims_on_free_memory(self.ASKS + '  claim("it came back",\n        total == after);\n'))

    def test_printing_it_and_claims_on_one_s_own_objects_are_fine(self):
        self.assertEqual(files.claims_on_free_memory(self.ASKS + '  std::printf("%zu", after);\n'), [])
        self.assertEqual(files.claims_on_free_memory(self.ASKS + '  claim("after all, B owns it", owner == b);\n'), [])
        self.assertEqual(files.claims_on_free_memory('  claim("it is more", after > before);\n'), [])


class Words(unittest.TestCase):
    ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

    def test_a_word_that_the_glossary_avoids_is_found(self):
        self.assertEqual(files.avoided_words(self.ROOT, "空闲显存"), [("显存", "设备内存")])
        self.assertEqual(files.avoided_words(self.ROOT, "这个 kernel 很慢"), [("kernel", "核函数")])
        self.assertEqual(files.avoided_words(self.ROOT, "祝您好运"), [("您", "你")])

    def test_its_own_words_are_fine(self):
        self.assertEqual(files.avoided_words(self.ROOT, "空闲的设备内存，核函数，锁页内存，内核驱动，文件 kernels.cu"), [])

    def test_a_document_that_is_named_by_its_number_is_found(self):
        for text in ("as document 4 says", "Documents 0 to 4", "文档 1 里", "文档2"):
            self.assertTrue(files.names_a_document_by_number(text), text)

    def test_other_documents_are_fine(self):
        for text in ("the document says 4", "a documented 4", "这份文档有 4 节", "documents of CUDA 13"):
            self.assertEqual(files.names_a_document_by_number(text), [], text)

    def test_what_students_read_is_notes_code_strings_and_readmes_in_both_languages(self):
        places = {place for place, _, _ in files.read_by_students(self.ROOT)}
        for place in ("01_hello_driver/notes.zh.md", "05_context_stack/main.cpp", "04_context/lesson.toml",
                      "05_context_stack/exercise/solution.cpp", "05_context_stack/words.zh.toml", "check.hpp", "explain.toml",
                      "glossary.toml", "README.zh.md", "docs/generated/lessons.md"):
            self.assertIn(place, places)
        self.assertNotIn("docs/generated/coverage.md", places)  # the table of the documents
        self.assertIn(("zh", "一"), files.strings_in({"exercise": {"hints": [{"en": "one", "zh": "一"}]}}))


class Questions(unittest.TestCase):
    def three(self, **changes):
        """Three good questions about the step `pop`, the second of which is changed."""
        def answer(right):
            return {"en": "It pops A.", "zh": "它弹出 A。", "because": {"en": "See `cuCtxPopCurrent`.", "zh": "见 `cuCtxPopCurrent`。"},
                    **({"right": True} if right else {})}
        found = [{"about": "pop", "text": {"en": "Why?", "zh": "为什么？"}, "answer": [answer(at == right) for at in range(3)]}
                 for right in range(3)]
        found[1] |= changes
        return found

    def mistakes(self, found):
        return files.question_mistakes(found, ["push", "pop", "push_again"])

    def test_three_good_ones_are_fine(self):
        self.assertEqual(self.mistakes(self.three()), [])

    def test_more_or_fewer_are_found(self):
        self.assertEqual(len(self.mistakes(self.three()[:2])), 1)
        self.assertEqual(len(self.mistakes(self.three() + self.three()[:1])), 1)

    def test_a_step_that_the_lesson_has_not_is_found(self):
        self.assertEqual(len(self.mistakes(self.three(about="three_pops"))), 1)

    def test_a_text_without_one_of_the_languages_or_too_long_is_found(self):
        for text in ({"en": "Why?"}, {"en": "", "zh": "为什么？"}, {"en": "w" * 141, "zh": "为什么？"}):
            self.assertEqual(len(self.mistakes(self.three(text=text))), 1, text)

    def test_too_few_answers_and_none_or_two_right_ones_are_found(self):
        answers = self.three()[1]["answer"]
        wrong, right = answers[0], answers[1]
        for changed in ([wrong, right], [wrong] * 3, [wrong, right, right]):
            self.assertEqual(len(self.mistakes(self.three(answer=changed))), 1, changed)

    def test_half_width_punctuation_and_another_name_in_chinese_are_found(self):
        self.assertEqual(len(self.mistakes(self.three(text={"en": "Why?", "zh": "为什么?"}))), 1)
        self.assertEqual(len(self.mistakes(self.three(text={"en": "Why `cuInit`?", "zh": "为什么用 `cuCtxCreate`？"}))), 1)
        self.assertEqual(self.mistakes(self.three(text={"en": "Why `cuInit`?", "zh": "为什么用`cuInit`？"})), [])

    def test_a_name_of_the_api_without_ticks_is_found(self):
        self.assertEqual(self.mistakes(self.three(text={"en": "Why cuInit?", "zh": "为什么用 `cuInit`？"})),
                         ["question 2: without ticks: cuInit"])

    def test_a_step_by_its_name_in_the_code_is_found_and_by_its_heading_is_not(self):
        for text in ({"en": "Why the step push?", "zh": "为什么？"}, {"en": "Why?", "zh": "为什么有 push 这一步？"},
                     {"en": "Why go back to push?", "zh": "为什么？"}, {"en": "Why call push_again?", "zh": "为什么？"}):
            self.assertEqual(len(self.mistakes(self.three(text=text))), 1, text)
        self.assertEqual(self.mistakes(self.three(text={"en": 'Why the step "Popping"?', "zh": "为什么有“弹出”这一步？"})), [])
        self.assertEqual(self.mistakes(self.three(text={"en": "Why `pop` in this step?", "zh": "这一步为什么用 `pop`？"})), [])

    def test_a_right_answer_that_is_always_at_the_same_place_is_found(self):
        one = self.three()[0]
        self.assertEqual(len(self.mistakes([one, one, one])), 1)


class CorrectedClaims(unittest.TestCase):
    # As the lessons once said it.
    ONCE = (("A warp is the group of threads that the hardware runs in step; a block", "warp 是硬件步调一致地执行的一组线程"),
            ("and the driver keeps no record of a last error.", "驱动也不会替你记着“最近一次错误”。"),
            ("If it lacks a function, the program does not even start.", "如果缺少某个函数，程序连启动都启动不了。"),
            ("The runtime has no call to initialise it;", "运行时没有初始化用的调用；"),
            ("This is all a library needs to know before it trusts", "一个库要信任陌生人的指针，该知道的就是这些。"),
            ("that only wants to know whether somebody uses the device", "如果只想知道有没有人在用这个设备"))

    def test_each_statement_is_found_as_it_was(self):
        self.assertEqual(len(self.ONCE), len(corrected_claims.FALSE))
        for english, chinese in self.ONCE:
            for language, text in (("en", english), ("zh", chinese)):
                self.assertEqual(len(corrected_claims.false_claims(language, text)), 1, text)

    def test_other_sentences_with_such_words_are_fine(self):
        for text in ("In step 9 the main thread destroys A.", "The library keeps no record of it.",
                     "Nothing says whether somebody uses the pointer."):
            self.assertEqual(corrected_claims.false_claims("en", text), [])

    def test_a_correction_that_was_lost_is_found_in_each_language(self):
        for slug, pairs in corrected_claims.CORRECTED.items():
            english, chinese = (" ".join(words) for words in zip(*pairs))
            self.assertEqual(corrected_claims.lost_corrections(slug, english, chinese), [])
            self.assertEqual(corrected_claims.lost_corrections(slug, "", chinese), [words for words, _ in pairs])
            self.assertEqual(corrected_claims.lost_corrections(slug, english, ""), [words for _, words in pairs])


class PlainWords(unittest.TestCase):
    EXAMPLES = plain_words.examples((Words.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))

    def test_the_style_page_has_examples_in_both_languages(self):
        for language in ("en", "zh"):
            self.assertGreaterEqual(sum(of == language for of, _, _ in self.EXAMPLES), 6, language)

    def test_each_example_before_is_found_and_after_is_not(self):
        for language, before, after in self.EXAMPLES:
            with self.subTest(before=before):
                self.assertTrue(plain_words.riddles(language, before))
                self.assertEqual(plain_words.riddles(language, after), [])

    def test_every_listed_phrase_is_found(self):
        for language, text in (
                ("en", "The call answers 201."), ("en", "It answers `CUDA_ERROR_NOT_FOUND`."), ("en", "{0} answers {1}."),
                ("en", "It makes a line through them."), ("en", "There is an order to them."), ("en", "It is not to be had."),
                ("en", "Why is seen below."), ("en", "You had better leave it."), ("en", "It forbids to touch it."),
                ("en", "The driver has not looked into it yet."), ("en", "It is held against the host's."),
                ("en", "What stands behind the launch"), ("en", "The caller loses his context."),
                ("en", "Mend the call."), ("en", "It mended itself."), ("en", "It works by luck."),
                ("en", "Whoever retains has to release."), ("en", "It is on nobody's stack."), ("en", "The file lies beside it."),
                ("en", "P0 comes to life."), ("en", "One of them points nowhere."), ("en", "Its handle names nothing any more."),
                ("en", "to the first place where they part"), ("en", "No walls between contexts"),
                ("en", "The call answers %d"), ("en", "It answered %d %s."), ("en", "This program counts on %d here."),
                ("en", "Said to be impossible."), ("en", "It sleeps again."), ("en", "Retaining wakes it."),
                ("en", "Its dead entry is popped."), ("en", "The last one has closed the door."),
                ("en", "The work was done over there."), ("en", "That is not so on this machine."),
                ("en", "A library is looked into when a call needs it."),
                ("zh", "是世界太小"), ("zh", "赶不走的错误"), ("zh", "不声不响地换掉"), ("zh", "它又睡着了"),
                ("zh", "再也没有人能叫出它的名字"), ("zh", "一张兜底的网"), ("zh", "第 23 课对此没有意见"),
                ("zh", "由它代劳"), ("zh", "才不会出岔子"), ("zh", "从哪儿都够得着"), ("zh", "两者不是一家"),
                ("zh", "一般意义上的那个核函数"), ("zh", "过去就算了的错误"), ("zh", "只会数字节"), ("zh", "通过指针写出"),
                ("zh", "上下文之间没有围墙"), ("zh", "不靠运气"), ("zh", "浏览器会吃不消"), ("zh", "名下的一切"),
                ("zh", "这次调用无处可做"), ("zh", "单击可查看它的一生"), ("zh", "还活着，但不在栈上")):
            self.assertEqual(len(plain_words.riddles(language, text)), 1, text)

    def test_plain_sentences_are_fine(self):
        for language, text in (
                ("en", "Pick one of the answers. The answers are on page 4."), ("en", "There are 3 answers: 1, 2 and 3."),
                ("en", "The second copy had better luck."), ("en", "This context, and the stack of this thread"),
                ("en", "The page behind the launcher"), ("en", "The host had it already."), ("en", "It forbids writing to it."),
                ("en", "What can be seen below the list"), ("en", "We recommend it, and amended it."),
                ("en", "Two runs side by side"), ("en", "read the notes beside it"), ("en", "The handle names a context."),
                ("en", "It held 4 KiB against a fault."), ("en", "The answer is 42."), ("en", "It counts one more user."),
                ("en", "The driver is said to be loaded."), ("en", "It is awake."),
                ("zh", "这不是一家公司的专利"), ("zh", "线程睡眠一毫秒"), ("zh", "意见相同"), ("zh", "这些代码的劳动量"),
                ("zh", "把结果写到指针指向的内存"), ("zh", "线程还在运行"), ("zh", "没有名为 x 的变量")):
            self.assertEqual(plain_words.riddles(language, text), [], text)


class WordsOfPrograms(unittest.TestCase):
    PROGRAM = """// A head that
// has two lines.
int whoever = 1;  // beside it
  /* a block
     of C */
claim("a \\"quoted\\" http://sentence " "in two\\n"
      "literals", nobody == 'x');
f('"', 1'000);  // after a quote
const char* code = R"(mov.u32 %r1, 6;)";
"""

    def test_comments_and_strings_are_found_and_code_is_not(self):
        self.assertEqual(files.words_of_program(self.PROGRAM), [
            "A head that has two lines.", "beside it", "/* a block of C */",
            'a \\"quoted\\" http://sentence in two literals', "after a quote", 'R"(mov.u32 %r1, 6;)"'])

    def test_a_phrase_that_is_broken_over_two_lines_is_found(self):
        for program in ("// It is checked and held\n  // against the rest.\n", '"It is held "\n  "against it"', "/* held\n   against */"):
            self.assertEqual(len([riddle for words in files.words_of_program(program)
                                  for riddle in plain_words.riddles("en", words)]), 1, program)

    def test_sources_kernels_exercises_and_the_headers_of_all_are_read(self):
        places = {place for place, _ in files.programs(Words.ROOT)}
        for place in ("check.hpp", "check_runtime.hpp", "01_hello_driver/main.cpp", "15_foreign_pointer/foreign.c",
                      "15_foreign_pointer/foreign.h", "10_module/kernels.cu", "13_ptx_link/apply.ptx",
                      "05_context_stack/exercise/wrong_only_open.cpp", "_template/main.cpp"):
            self.assertIn(place, places)


class Proofs(unittest.TestCase):
    BOX = "> **What people believe** Yes.\n>\n> **What the driver does** No.\n\n"

    def test_a_box_with_its_proof_is_fine(self):
        self.assertEqual(files.boxes_without_proof(self.BOX + "<!-- proof: step pop -->\n"), [])

    def test_a_box_without_is_found(self):
        self.assertTrue(files.boxes_without_proof(self.BOX + "Then more.\n"))
        self.assertTrue(files.boxes_without_proof(self.BOX))

    def test_a_quote_that_is_no_box_needs_none(self):
        self.assertEqual(files.boxes_without_proof("> **Note** Well.\n\nMore.\n"), [])

    def test_one_marker_may_name_several(self):
        self.assertEqual(files.proofs_in_notes("<!-- proof: step pop; truth primary/7 -->"),
                         [("step", "pop"), ("truth", "primary/7")])


class Frame(unittest.TestCase):
    NOTES = {
        "en": "# T\n\nOpening.\n\n**After this lesson you can**\n\n- say a\n- do b\n\n**Why it matters.** A bug.\n\nMore.\n\n"
              "<!-- step: a -->\n## A\n\n- no aim\n\n<!-- end of steps -->\n## In five lines\n\n"
              + "- One word about `cuInit`.\n" * 5 + "\n## Try it\n\n1. Run.\n",
        "zh": "# 题\n\n开头。\n\n**学完本课，你能**\n\n- 说出甲\n- 做到乙\n\n**为什么要学。** 一个错误。\n\n"
              "<!-- step: a -->\n## 甲\n\n正文。\n\n<!-- end of steps -->\n## 五句话小结\n\n"
              + "- `cuInit` 成功。\n" * 5 + "\n## 试一试\n\n1. 运行。\n",
    }

    def mistakes(self, language, *changes):
        text = self.NOTES[language]
        for before, after in changes:
            self.assertIn(before, text)
            text = text.replace(before, after, 1)
        return files.frame_mistakes(text, language)

    def test_a_complete_frame_is_fine_in_both_languages(self):
        for language, aims in (("en", ["say a", "do b"]), ("zh", ["说出甲", "做到乙"])):
            self.assertEqual(self.mistakes(language), [])
            self.assertEqual(files.aims_in_notes(self.NOTES[language], language), aims)

    def test_two_to_four_aims_are_fine_and_one_or_five_are_found(self):
        for aims in (2, 4):
            self.assertEqual(self.mistakes("en", ("- say a\n- do b\n", "- do b\n" * aims)), [])
        for aims in (1, 5):
            self.assertEqual(len(self.mistakes("en", ("- say a\n- do b\n", "- do b\n" * aims))), 1, aims)

    def test_aims_that_are_missing_or_no_list_or_elsewhere_are_found(self):
        for language, can in (("en", "**After this lesson you can**"), ("zh", "**学完本课，你能**")):
            self.assertTrue(self.mistakes(language, (can + "\n\n", "")))
            self.assertTrue(self.mistakes(language, (can, "**Aims**")))
        self.assertEqual(len(self.mistakes("en", ("- say a\n- do b", "say a"))), 1)
        self.assertTrue(self.mistakes("en", ("Opening.\n\n", "")))

    def test_a_missing_empty_or_displaced_reason_is_found(self):
        for change in (("**Why it matters.** A bug.\n\n", ""), ("**Why it matters.** A bug.", "**Why it matters.**"),
                       ("**Why it matters.**", "**Why.**"), ("do b\n\n", "do b\n\nMore.\n\n")):
            self.assertEqual(len(self.mistakes("en", change)), 1, change)
        self.assertEqual(len(self.mistakes("zh", ("**为什么要学。** 一个错误。\n\n", ""))), 1)

    def test_a_recap_that_is_missing_or_has_another_number_of_lines_is_found(self):
        line = {"en": "- One word about `cuInit`.\n", "zh": "- `cuInit` 成功。\n"}
        for language, recap in (("en", "## In five lines"), ("zh", "## 五句话小结")):
            self.assertEqual(len(self.mistakes(language, (recap, "## Recap"))), 1)
            self.assertEqual(len(self.mistakes(language, (line[language], ""))), 1)
            self.assertEqual(len(self.mistakes(language, (line[language], line[language] * 2))), 1)
        self.assertEqual(len(self.mistakes("en", ("## In five lines\n\n", "## In five lines\n\nShown:\n\n"))), 1)

    def test_a_line_of_more_than_25_english_words_is_found(self):
        line = "One word about `cuInit`."
        self.assertEqual(self.mistakes("en", (line, "so " * 21 + line)), [])
        self.assertEqual(len(self.mistakes("en", (line, "so " * 22 + line))), 1)

    def test_a_line_without_full_stop_or_name_is_found(self):
        for language, line in (("en", "One word about `cuInit`."), ("zh", "`cuInit` 成功。")):
            self.assertEqual(len(self.mistakes(language, (line, line[:-1]))), 1)
            self.assertEqual(len(self.mistakes(language, (line, line.replace("`", "")))), 1)


class Order(unittest.TestCase):
    def early(self, openings, needs=(), named="`cuModuleLoad`, `cuLaunchKernel`"):
        """What is called too early where 02_first launches a kernel of a module and 03_module and 04_launch teach both."""
        with tempfile.TemporaryDirectory() as folder:
            for name, calls, of in (("01_tour", ["cuModuleLoad"], ()), ("02_first", ["cuInit", "cuModuleLoad", "cuLaunchKernel"], needs),
                                    ("03_module", ["cuModuleLoad"], ()), ("04_launch", ["cuLaunchKernel"], ())):
                lesson = pathlib.Path(folder, "lessons", name)
                lesson.mkdir(parents=True)
                (lesson / "lesson.toml").write_text(f'sources = ["main.cpp"]\nneeds = {list(of)}\n')
                (lesson / "main.cpp").write_text("".join(f"check({call}());\n" for call in calls))
                both = openings if name == "02_first" else ("Lesson 03.", "第 03 课")
                for notes, opening in zip(("notes.md", "notes.zh.md"), both):
                    (lesson / notes).write_text(f"{opening}\n<!-- step: a -->\nLesson 04, 第 04 课: {named}.\n")
            return files.called_too_early(folder)

    def test_a_call_before_the_lesson_that_teaches_it_is_found(self):
        module, launch = (("02_first", "cuModuleLoad", "03_module"), ("02_first", "cuLaunchKernel", "04_launch"))
        self.assertEqual(self.early(("", "")), [launch, module])
        self.assertEqual(self.early(("Lesson 03.", "")), [launch, module])  # in one language only
        self.assertEqual(self.early(("See lesson 03.", "见第 03 课。")), [launch])
        self.assertEqual(self.early(("", ""), ["tour"]), [launch])

    def test_a_call_that_is_announced_but_not_named_is_found(self):
        self.assertEqual(self.early(("Lessons 03 and 04.", "第 03 课和第 04 课。"), named="`cuModuleLoad`"),
                         [("02_first", "cuLaunchKernel", "04_launch")])

    def test_what_is_announced_or_needed_is_not(self):
        self.assertEqual(self.early(("Lessons 03 and 04.", "第 03 课和第 04 课。")), [])
        self.assertEqual(self.early(("Lesson 04.", "第 04 课。"), ["tour"]), [])


class Steps(unittest.TestCase):
    def test_steps_are_read_in_order_from_source_and_notes(self):
        self.assertEqual(files.steps_in_source("  // step: b\nx();\n// step: a\n"), ["b", "a"])
        self.assertEqual(files.steps_in_notes("<!-- step: b -->\ntext\n<!-- step: a -->\n"), ["b", "a"])

    PROGRAM = """int read_it() {
  check(cuMemcpyDtoH(&it, at, 4));
}
int twice() {
  return 2 * read_it();
}
int harmless() {
  return 1;
}
int main() {
  // step: a
  check(cuInit(0));  // twice() may follow
  twice();
  // step: b
  claim("", harmless() == 1 && twice() == 4);
  check(cuCtxSynchronize());
}
"""

    def test_helpers_that_call_are_found_and_others_are_not(self):
        self.assertEqual(files.helpers_that_call(self.PROGRAM), {"read_it", "twice"})

    def test_a_step_that_begins_in_a_helper_is_found_and_others_are_not(self):
        self.assertEqual(files.steps_that_begin_in_a_helper(self.PROGRAM, {"read_it", "twice"}), ["b"])
        self.assertEqual(files.steps_that_begin_in_a_helper(self.PROGRAM, set()), [])


if __name__ == "__main__":
    unittest.main()
