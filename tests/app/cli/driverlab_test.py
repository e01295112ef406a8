# SPDX-License-Identifier: MIT
"""driverlab as its users have it: whole processes, both languages, good input and bad."""
import csv
import html
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

import laboratory

SOURCE, DRIVERLAB = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
CHINESE = re.compile("[\u4e00-\u9fff]")


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.lab = laboratory.Laboratory(SOURCE, DRIVERLAB, cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def real(self, *arguments, **extra):
        return self.lab(*arguments, real_lessons=True, **extra)

    def assert_says(self, done, status, *words, stream="stderr"):
        text = getattr(done, stream)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, text)

    def assert_both_languages(self, status, *words, arguments, **extra):
        """The same failure in English and in Chinese, each naming the same values."""
        english, chinese = (self.lab(*arguments, "--lang", language, **extra) for language in ("en", "zh"))
        self.assert_says(english, status, *words)
        self.assert_says(chinese, status, *words)
        self.assertIsNone(CHINESE.search(english.stderr), english.stderr)
        self.assertIsNotNone(CHINESE.search(chinese.stderr), chinese.stderr)

    def has_window(self):
        items = json.loads(self.lab("doctor", "--json", "--lang", "en").stdout)
        return "has no window" not in next(item for item in items if item["id"] == "window")["found"]

    def lines(self, path):
        return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]

    def calls(self, path):
        return [line for line in self.lines(path) if "event" not in line]


class List(Case):
    def test_lessons_are_listed_in_both_languages(self):
        self.assert_says(self.real("list"), 0, "05  context_stack", "The context stack", "Exercises: repair, predict",
                         stream="stdout")
        self.assert_says(self.real("list", LANG="zh_CN.UTF-8"), 0, "上下文栈", stream="stdout")

    def test_lessons_are_listed_by_part_with_level_minutes_and_why(self):
        for language, title, about, lesson in (("en", "Contexts", "A call works in the context", "core · 40 min · The top of the stack"),
                                               ("zh", "上下文", "调用在所在线程的当前上下文里工作", "核心 · 40 分钟 · 栈顶决定")):
            lines = self.real("list", "--lang", language).stdout.splitlines()
            part, = (at for at, line in enumerate(lines) if line == title)
            self.assertTrue(lines[part + 1].startswith(about), lines[part + 1])
            stack, = (at for at, line in enumerate(lines) if "  context_stack  " in line)
            self.assertGreater(stack, part)
            self.assertTrue(lines[stack + 2].strip().startswith(lesson), lines[stack + 2])

    def test_lessons_without_a_part_are_listed_without_a_heading_where_there_is_no_other(self):
        lines = self.lab("list", "--lang", "en").stdout.splitlines()
        self.assertRegex(lines[0], r"^01  ")
        self.assertNotIn("Other lessons", lines)

    def test_json_has_the_place_of_a_lesson_in_the_course(self):
        lessons = {lesson["slug"]: lesson for lesson in json.loads(self.real("list", "--json").stdout)}
        stack = lessons["context_stack"]
        self.assertEqual([stack[key] for key in ("part", "level", "minutes", "needs")], ["contexts", "core", 40, ["context"]])
        self.assertTrue(stack["why"]["en"] and CHINESE.search(stack["why"]["zh"]))
        own = json.loads(self.lab("list", "--json").stdout)[0]
        self.assertEqual([own[key] for key in ("part", "level", "minutes", "needs")], [None, None, None, []])

    def test_json_has_numbers_slugs_and_both_titles(self):
        done = self.real("list", "--json")
        lessons = json.loads(done.stdout)
        folders = sorted(path.name for path in (SOURCE / "lessons").iterdir() if path.name[0].isdigit())
        self.assertEqual([f"{lesson['number']:02}_{lesson['slug']}" for lesson in lessons], folders)
        self.assertEqual(lessons[0]["title"]["en"], "What cudaMalloc and <<<>>> call")
        self.assertTrue(CHINESE.search(lessons[0]["title"]["zh"]))

    def test_a_broken_lesson_is_named_with_its_line_and_the_others_are_listed(self):
        broken = self.lab.add("50_broken", "sources = [\"main.cpp\"]\nteaches = 3\n", "int main() {}\n")
        try:
            done = self.lab("list")
            self.assert_says(done, 1, "50_broken/lesson.toml:")
            self.assertIn("exits_with_7", done.stdout)
            self.assert_both_languages(1, "lesson.toml:", arguments=["list"])
        finally:
            shutil.rmtree(broken)

    def test_a_mistake_in_the_questions_of_a_lesson_is_named_with_its_line(self):
        questions = self.lab.root / "lessons" / "01_good" / "questions.toml"
        try:
            questions.write_text("[[question]]\nabuot = \"start\"\n", encoding="utf-8")
            done = self.lab("list")
            self.assert_says(done, 1, "01_good/questions.toml:2", "abuot")
            self.assertIn("exits_with_7", done.stdout)
            self.assert_both_languages(1, "questions.toml:2", arguments=["list"])
        finally:
            questions.unlink()


class Run(Case):
    def test_the_stack_of_lesson_4_is_what_the_driver_says(self):
        events = self.folder / "e.jsonl"
        done = self.real("run", "05", "--driver", "embedded", "--events", events)
        self.assert_says(done, 0, "[A, B, A]", "main.cpp:", "▸ three_pops", stream="stdout")
        calls = self.calls(events)
        changing = [c for c in calls if c["name"] in ("cuCtxCreate", "cuCtxPushCurrent", "cuCtxPopCurrent")][:4]
        self.assertEqual([c["name"] for c in changing],
                         ["cuCtxCreate", "cuCtxCreate", "cuCtxPushCurrent", "cuCtxPopCurrent"])
        self.assertEqual([c["stack"] for c in changing], [["A"], ["A", "B"], ["A", "B", "A"], ["A", "B"]])
        self.assertTrue(all(c["agree"] is True for c in calls))
        self.assertTrue(all(c["file"] in ("main.cpp", "check.hpp") or c["file"].endswith("/check.hpp") for c in calls))

    def test_a_lesson_is_found_by_number_by_slug_and_by_folder(self):
        for name in ("1", "01", "hello_driver", "01_hello_driver", "14_hello_driver"):
            self.assert_says(self.real("run", name, "--driver", "embedded"), 0)

    def test_events_on_standard_output_are_nothing_but_json(self):
        done = self.real("run", "01", "--driver", "embedded", "--events", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([json.loads(line)["seq"] for line in done.stdout.splitlines()],
                         list(range(len(done.stdout.splitlines()))))

    def test_the_programs_own_output_stands_between_its_calls(self):
        events = self.folder / "o.jsonl"
        self.real("run", "05", "--driver", "embedded", "--events", events)
        lines = self.lines(events)
        said = next(i for i, line in enumerate(lines) if "B is current: it was" in line.get("text", ""))
        before = [line["name"] for line in lines[:said] if "event" not in line]
        after = [line["name"] for line in lines[said:] if "event" not in line]
        self.assertEqual((before[-1], after[0]), ("cuCtxGetCurrent", "cuCtxPushCurrent"))

    def test_the_lessons_own_exit_status_is_passed_on(self):
        self.assert_says(self.lab("run", "2", "--driver", "embedded"), 7, "7", stream="stdout")

    def test_a_crash_names_signal_call_and_line(self):
        for language, word in (("en", "crashed"), ("zh", "崩溃")):
            done = self.lab("run", "3", "--driver", "embedded", "--lang", language)
            self.assert_says(done, 139, word, "SIGSEGV", "cuDriverGetVersion", "main.cpp:6", stream="stdout")

    def test_the_report_of_a_failed_check_has_the_line_of_the_program(self):
        for number, statement in enumerate(("check(cuCtxSynchronize());",
                                            "expect(CUDA_ERROR_NOT_FOUND, cuCtxSynchronize());"), 11):
            name = f"{number}_fails_{number}"
            self.lab.add(name, laboratory.TOML.format(title=name, limits=""),
                         '#include "check.hpp"\nnamespace library {\nvoid work() {\n  ' + statement + "\n}\n}\n"
                         "int main() {\n  check(cuInit(0));\n  library::work();\n}\n")
            events = self.folder / f"{name}.jsonl"
            self.assert_says(self.lab("run", name, "--driver", "embedded", "--events", events), 1, "main.cpp:4: cuCtxSynchronize()", stream="stdout")
            made = [(call["name"], pathlib.Path(call["file"]).name, call["line"]) for call in self.calls(events)]
            self.assertEqual(made, [("cuInit", "main.cpp", 8)] + [(called, "main.cpp", 4) for called in (
                "cuCtxSynchronize", "cuGetErrorName", "cuGetErrorString")])

    def test_everything_before_a_crash_is_kept(self):
        events, recording = self.folder / "c.jsonl", self.folder / "c.rec"
        self.lab("run", "3", "--driver", "embedded", "--events", events, "--record", recording)
        calls = self.calls(events)
        self.assertEqual([c["name"] for c in calls], ["cuInit", "cuDriverGetVersion"])
        self.assertIsNone(calls[-1]["result"])
        self.assert_says(self.lab("replay", recording), 0, "SIGSEGV", "main.cpp:6", stream="stdout")

    def test_an_endless_loop_is_stopped_and_named(self):
        for language, word in (("en", "limit of 1 s"), ("zh", "1 秒")):
            self.assert_says(self.lab("run", "4", "--driver", "embedded", "--lang", language), 124, word,
                             stream="stdout")

    def test_of_endless_calls_those_that_wait_at_the_end_are_counted_and_not_printed(self):
        for language, words in (("en", r"The (\d+) calls before this"), ("zh", r"此前已完成的 (\d+) 次调用")):
            done = self.lab("run", "10", "--driver", "embedded", "--lang", language)
            self.assert_says(done, 124, stream="stdout")
            numbers = [int(line.split()[0]) for line in done.stdout.splitlines() if re.match(r" *\d+ +0  cu", line)]
            left_out = [int(number) for number in re.findall(words, done.stdout)]
            self.assertEqual(len(left_out), 1, done.stdout[-2000:])
            self.assertEqual(len(numbers) + left_out[0], numbers[-1], "each call is printed or counted")
            self.assertGreater(left_out[0], 1000)
            self.assertEqual(numbers[-15:], list(range(numbers[-1] - 14, numbers[-1] + 1)))

    def test_a_flood_of_output_is_stopped_and_named(self):
        self.assert_says(self.lab("run", "6", "--driver", "embedded"), 124, "1 MiB", stream="stdout")

    def test_a_compile_error_is_shown_with_its_place(self):
        self.assert_both_languages(125, "main.cpp:6:", "no_such_name",
                                   arguments=["run", "5", "--driver", "embedded"])

    def test_a_lesson_and_its_reports_speak_the_readers_language(self):
        program = laboratory.HEAD + ('  // One comment.\n  claim("one claim", true);\n'
                                     '  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());\n'
                                     '  check(cuCtxSynchronize());\n}\n')
        lesson = self.lab.add("51_speaks", laboratory.TOML.format(title="speaks", limits=""), program)
        self.addCleanup(shutil.rmtree, lesson)
        words = lesson / "words.zh.toml"
        words.write_text("[[string]]\nen = 'one claim'\nzh = '一条断言'\n", encoding="utf-8")
        events = {language: self.folder / f"speaks_{language}.jsonl" for language in ("en", "zh")}
        for language, said in (
                ("en", ("one claim", "returns 201 CUDA_ERROR_INVALID_CONTEXT", "returned 201", "What to do: make a context")),
                ("zh", ("一条断言", "返回 201 CUDA_ERROR_INVALID_CONTEXT", "怎么办：先在这个线程上设置当前上下文"))):
            done = self.lab("run", "51", "--driver", "embedded", "--lang", language, "--events", events[language])
            self.assert_says(done, 1, *said, "main.cpp:9: cuCtxSynchronize()", stream="stdout")
        english, chinese = ([(call["name"], call["file"], call["line"]) for call in self.calls(events[language])]
                            for language in ("en", "zh"))
        self.assertEqual(english, chinese)
        self.assertEqual((lesson / "main.cpp").read_text(encoding="utf-8"), program)
        words.write_text("[[string]]\nen = 'one claim'\n", encoding="utf-8")
        self.assert_says(self.lab("run", "51", "--driver", "embedded", "--lang", "zh"), 2, "words.zh.toml:1")
        self.assert_says(self.lab("run", "51", "--driver", "embedded", "--lang", "en"), 1, "one claim", stream="stdout")

    def test_advice_names_every_usual_cause_of_an_error(self):
        program = laboratory.HEAD + ('  for (const CUresult error : {CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_INVALID_DEVICE})\n'
                                     '    std::puts(lesson::remedy(error));\n}\n')
        lesson = self.lab.add("52_advises", laboratory.TOML.format(title="advises", limits=""), program)
        self.addCleanup(shutil.rmtree, lesson)
        for language, said in (
                ("en", ("the current one of this thread, or the one in which an object such as a stream was made",
                        "make it before the context is destroyed", "cuDeviceGetCount returns, minus 1",
                        "the same device twice, the pool's own device, or a prefetch to a device without concurrent access",
                        "the host is a type of its own")),
                ("zh", ("它是这个线程的当前上下文，或者是创建流等对象时的上下文", "就应当放在销毁上下文之前",
                        "cuDeviceGetCount 返回的个数减 1", "两个参数是同一个设备，它就是内存池自己的设备，或者预取到不支持同时访问",
                        "主机是单独的一种类型"))):
            self.assert_says(self.lab("run", "52", "--driver", "embedded", "--lang", language), 0, *said, stream="stdout")

    def test_what_the_machine_lacks_is_said_without_a_place_in_a_file(self):
        done = self.real("run", "10", "--driver", "embedded", PTXCC_CLANG="/nowhere/clang++")
        self.assert_says(done, 125, "/nowhere/clang++")
        self.assertNotIn(":0:0:", done.stderr)

    def test_an_unknown_lesson_is_named_and_so_is_the_list(self):
        self.assert_both_languages(2, "no_such_lesson", "driverlab list", arguments=["run", "no_such_lesson"])

    def test_output_of_a_program_cannot_steer_the_terminal(self):
        done = self.lab("run", "7", "--driver", "embedded")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\x1b", done.stdout)
        self.assertIn("\\x1b[2J", done.stdout)

    def test_a_folder_of_ones_own_is_run_instead(self):
        own = self.folder / "own"
        own.mkdir(exist_ok=True)
        (own / "main.cpp").write_text(laboratory.HEAD + "  return 9;\n}\n")
        self.assert_says(self.lab("run", "1", "--driver", "embedded", "--source", own), 9, stream="stdout")
        self.assert_both_languages(2, "/no/such/folder",
                                   arguments=["run", "1", "--source", "/no/such/folder"])

    def test_a_launcher_is_put_in_front(self):
        done = self.lab("run", "8", "--driver", "embedded", "--via", "env 'VIA=by a launcher'")
        self.assert_says(done, 0, "VIA=by a launcher", stream="stdout")
        self.assertIn("cuInit", done.stdout)

    def test_an_interrupt_stops_the_program_and_keeps_what_was_seen(self):
        events = self.folder / "i.jsonl"
        lab = subprocess.Popen([DRIVERLAB, "run", "9", "--driver", "embedded", "--events", events],
                               env=self.lab.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (events.exists() and "cuInit" in events.read_text()):
            time.sleep(0.05)
        lab.send_signal(signal.SIGINT)
        output = lab.communicate(timeout=120)[0].decode()
        self.assertEqual(lab.returncode, 130, output)
        self.assertEqual(self.lines(events)[-1]["event"], "process_end")

    def test_a_program_that_nobody_reads_any_more_is_stopped(self):
        number = self.folder / "number"
        loop = f"echo $$ > {number}; while :; do echo word; sleep 0.05; done"
        lab = subprocess.Popen([DRIVERLAB, "trace", "--driver", "embedded", "--", "sh", "-c", loop], bufsize=0,
                               env=self.lab.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while b"word" not in lab.stdout.readline():
            self.assertIsNone(lab.poll())
        lab.stdout.close()
        complaint = lab.stderr.read()
        self.assertNotEqual(lab.wait(120), 0)
        self.assertNotIn(b"written", complaint, "who has gone is told nothing")
        self.assertFalse(pathlib.Path("/proc", number.read_text().strip()).exists(), "the program runs on")

    def test_files_that_cannot_be_written_are_named(self):
        for option in ("--events", "--record"):
            self.assert_both_languages(125, "/proc/no/such/file",
                                       arguments=["run", "1", "--driver", "embedded", option, "/proc/no/such/file"])

    def test_colours_are_for_terminals_only(self):
        self.assertNotIn("\x1b", self.lab("run", "1", "--driver", "embedded").stdout)
        self.assertIn("\x1b[", self.on_a_terminal())
        self.assertNotIn("\x1b[", self.on_a_terminal(NO_COLOR="1"))

    def on_a_terminal(self, **extra):
        ours, theirs = pty.openpty()
        lab = subprocess.Popen([DRIVERLAB, "run", "1", "--driver", "embedded"], stdout=theirs, stderr=theirs,
                               env=self.lab.environment(**extra))
        os.close(theirs)
        text = b""
        try:
            while chunk := os.read(ours, 4096):
                text += chunk
        except OSError:
            pass  # the terminal's other end is gone
        os.close(ours)
        lab.wait(timeout=120)
        return text.decode("utf-8", "replace")

    def test_without_a_compiler_the_mending_command_is_named(self):
        self.assert_both_languages(125, "apt-get install",
                                   arguments=["run", "1", "--driver", "embedded"], PATH="/nowhere",
                                   XDG_CACHE_HOME=str(self.folder / "empty"))


class Replay(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.recording, cls.events = cls.folder / "4.rec", cls.folder / "4.jsonl"
        cls.done = cls.lab("run", "05", "--driver", "embedded", "--record", cls.recording, "--events", cls.events,
                           real_lessons=True)

    def test_a_replay_says_what_the_run_said(self):
        again = self.folder / "again.jsonl"
        done = self.lab("replay", self.recording, "--events", again)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(again.read_text(), self.events.read_text())
        said = [line for line in self.done.stdout.splitlines() if not line.startswith(f"{self.recording} contains")]
        self.assertEqual(done.stdout.splitlines()[1:], said[2:])

    def test_a_recording_says_which_driverlab_made_it_in_both_languages(self):
        version = self.lab("--version").stdout.strip()
        english, chinese = (self.lab("replay", self.recording, "--lang", language) for language in ("en", "zh"))
        self.assertTrue(english.stdout.splitlines()[0].endswith(f" · made by {version}"), english.stdout)
        self.assertTrue(chinese.stdout.splitlines()[0].endswith(f" · 由 {version} 录制"), chinese.stdout)

    def test_a_recording_from_before_that_is_read_and_claims_nothing(self):
        done = self.lab("replay", SOURCE / "assets" / "recordings" / "programs" / "h200_numba_kernels.dlrec")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("H200", done.stdout.splitlines()[0])
        self.assertNotIn("made by", done.stdout)

    def test_two_runs_of_a_lesson_are_the_same_and_another_lesson_parts(self):
        again, other = self.folder / "again.rec", self.folder / "other.rec"
        self.lab("run", "05", "--driver", "embedded", "--record", again, real_lessons=True)
        self.lab("run", "04", "--driver", "embedded", "--record", other, real_lessons=True)
        self.assert_says(self.lab("compare", self.recording, again), 0, "The same in both", stream="stdout")
        self.assert_says(self.lab("compare", self.recording, other), 1, "Then they differ", str(other), stream="stdout")
        self.assert_says(self.lab("compare", self.recording, self.folder / "missing.rec"), 2, "missing.rec")

    def test_a_recording_that_is_cut_off_shows_what_came_before(self):
        whole = self.recording.read_bytes()
        total, shown_at_last = len(self.lines(self.events)), 0
        for part in range(1, 20):
            cut = self.folder / "cut.rec"
            cut.write_bytes(whole[:len(whole) * part // 20])
            done = self.lab("replay", cut, "--events", "-")
            self.assertIn("cut.rec", done.stderr)
            shown = [json.loads(line)["seq"] for line in done.stdout.splitlines()]
            self.assertEqual(shown, list(range(len(shown))))
            self.assertLessEqual(shown_at_last, len(shown))
            self.assertLessEqual(len(shown), total)
            shown_at_last = len(shown)
            self.assertEqual(done.returncode, 1 if shown else 2, done.stderr)
            self.assertNotIn(" 0 events", done.stderr)

    def test_what_is_wrong_with_a_recording_has_one_status_and_one_sentence_in_all_commands(self):
        whole = self.recording.read_bytes()
        for size, status, words in ((len(whole) - 20, 1, "events before that are shown"), (40, 2, "nothing can be shown")):
            cut, made = self.folder / "one_status.rec", self.folder / "made"
            cut.write_bytes(whole[:size])
            commands = [["replay", cut], ["compare", cut, self.recording], ["compare", self.recording, cut]]
            for ending in ("html", "dlrec") + (("png",) if self.has_window() else ()):
                commands += [["export", f"{made}.{ending}", "--recording", cut, *keep] for keep in ([], ["--keep-paths"])]
            if self.has_window():
                commands.append(["shot", f"{made}.png", "--recording", cut])
            for command in commands:
                with self.subTest(command=command[0], file=command[1], size=size):
                    self.assert_says(self.lab(*command, "--lang", "en"), status, "one_status.rec", words)
        self.assert_both_languages(2, "one_status.rec", arguments=["replay", cut])

    def test_a_page_says_what_it_holds(self):
        page = self.folder / "holds.html"
        done = self.lab("replay", self.recording, "--html", page, "--lang", "en")
        self.assert_says(done, 0, "holds.html contains", "--keep-paths", stream="stdout")
        done = self.lab("replay", self.recording, "--html", page, "--keep-paths", "--events", "-", "--lang", "en")
        self.assert_says(done, 0, "holds.html contains", "full command line", stream="stderr")
        self.assertNotIn("holds.html", done.stdout)

    def test_a_cut_is_named_in_both_languages(self):
        cut = self.folder / "cut_once.rec"
        cut.write_bytes(self.recording.read_bytes()[:-20])
        self.assert_both_languages(1, "cut_once.rec", arguments=["replay", cut])

    def test_a_recording_to_give_away_is_whole_and_a_run_without_calls_has_nothing_to_show(self):
        given = self.folder / "given.dlrec"
        self.assert_both_languages(2, "--from", arguments=["export", given, "--recording", self.recording, "--from", "2"])
        self.assertFalse(given.exists())
        self.assertEqual(self.lab("export", given, "--recording", self.recording).returncode, 0)
        empty = self.folder / "empty.rec"
        self.lab("trace", "--driver", "embedded", "--record", empty, "--", "true")
        for file in ("none.html", "none.png"):
            self.assert_says(self.lab("export", self.folder / file, "--recording", empty), 2, "no driver calls")

    def test_damage_never_crashes_the_reader(self):
        whole = self.recording.read_bytes()
        for place in range(0, len(whole), max(1, len(whole) // 40)):
            bad = bytearray(whole)
            bad[place] ^= 0xff
            damaged = self.folder / "damaged.rec"
            damaged.write_bytes(bad)
            done = self.lab("replay", damaged)
            self.assertIn(done.returncode, (0, 1, 2), f"byte {place}: {done.stderr}")

    def test_what_is_no_recording_is_named_in_both_languages(self):
        for name, content in (("empty.rec", b""), ("text.rec", b"not a recording\n" * 100), ("noise.rec", os.urandom(5000))):
            made_up = self.folder / name
            made_up.write_bytes(content)
            self.assert_both_languages(2, name, arguments=["replay", made_up])
        self.assert_both_languages(2, "missing.rec", arguments=["replay", self.folder / "missing.rec"])
        self.assert_both_languages(2, str(self.folder), arguments=["replay", self.folder])
        said = self.lab("replay", self.folder / "missing.rec", "--lang", "zh").stderr
        self.assertNotRegex(said.replace("driverlab:", "").replace(str(self.folder), "").replace("missing.rec", ""), "[a-z]{4}", "no English in it")


class Trace(Case):
    def test_any_program_is_traced_with_its_arguments_and_status(self):
        done = self.lab("trace", "--driver", "embedded", "--", "sh", "-c", "echo --events; exit 3")
        self.assert_says(done, 3, "--events", stream="stdout")

    def test_what_a_program_writes_in_pieces_is_shown_in_whole_lines(self):
        pieces = r'printf "栈的"; sleep .2; printf "\344\270"; sleep .2; printf "\200半\n"; printf oh >&2'
        done = self.lab("trace", "--driver", "embedded", "--", "sh", "-c", pieces)
        self.assert_says(done, 0, "│ 栈的一半\n", "┆ oh\n", stream="stdout")

    def node(self, name, minor):
        """A device of the test's own, so that no mistake can harm the system's."""
        path = self.folder / name
        try:
            os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, minor))
            path.open("wb").close()
        except PermissionError:
            self.skipTest("only root makes devices")
        return path

    def test_what_cannot_be_written_is_named_and_is_no_success(self):
        full = self.node("full", 7)
        for option in ("--record", "--events", "--csv", "--chrome-trace", "--html"):
            for language, word in (("en", "cannot be written"), ("zh", "无法写入")):
                done = self.lab("trace", option, full, "--lang", language, "--", "true")
                self.assertNotEqual(done.returncode, 0, option + done.stderr)
                self.assertIn(str(full), done.stderr)
                self.assertIn(word, done.stderr)

    MANY_CALLS = ("import ctypes, os, sys, time\n"
                  "cuda, number = ctypes.CDLL('libcuda.so.1'), ctypes.c_int()\n"
                  "cuda.cuInit(0)\n"
                  "while not os.path.exists(sys.argv[1]): time.sleep(0.01)\n"
                  "for _ in range(150000): cuda.cuDriverGetVersion(ctypes.byref(number))\n")

    def recorded_with_room_for(self, folder, most, language):
        """A run of many calls, from whose first one on no file of the lab's may have more than so many bytes."""
        go = folder / "go"
        go.unlink(missing_ok=True)
        lab = subprocess.Popen([DRIVERLAB, "trace", "--driver", "embedded", "--quiet", "--lang", language, "--record",
                                folder / "run.dlrec", "--", sys.executable, "-c", self.MANY_CALLS, go],
                               env=self.lab.environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while lab.poll() is None and not list(folder.glob("*.part")):
            time.sleep(0.01)
        resource.prlimit(lab.pid, resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        go.touch()
        out, error = lab.communicate(timeout=120)
        return lab.returncode, out, error

    def test_a_recording_for_which_there_is_no_room_is_kept_as_far_as_it_was_written(self):
        folder = self.folder / "no_room"
        folder.mkdir()
        status, _, error = self.recorded_with_room_for(folder, 1 << 30, "en")
        self.assertEqual(status, 0, error)
        size = (folder / "run.dlrec").stat().st_size
        (folder / "run.dlrec").write_text("of last week")
        for language, name, full, says in (("en", "run.cut.dlrec", "cannot be written", "recording is incomplete"),
                                           ("zh", "run.cut-2.dlrec", "无法写入", "不完整")):
            status, _, error = self.recorded_with_room_for(folder, size // 3, language)
            cut = folder / name
            self.assertEqual(status, 2, error)
            for words in (full, "File too large", says, f"driverlab replay {cut}"):
                self.assertIn(words, error)
            self.assertNotIn("export NAME.dlrec", error, "there is no whole one to speak of")
            replay = self.lab("replay", cut, "--csv", folder / "cut.csv", "--lang", language)
            self.assert_says(replay, 1, cut.name, "events" if language == "en" else "个事件")
            calls = len((folder / "cut.csv").read_text().splitlines()) - 1
            self.assertRegex(error, rf"\b{calls}\b.*\b150001\b" if language == "en" else rf"{calls} .*150001 ")
            self.assertGreater(calls, 1000)
            self.assertLess(calls, 150000)
        for language, words in (("en", "no recording is left"), ("zh", "没有留下")):
            status, _, error = self.recorded_with_room_for(folder, 1000, language)
            self.assertEqual(status, 2, error)
            self.assertIn(words, error)
        self.assertEqual((folder / "run.dlrec").read_text(), "of last week")
        self.assertEqual(sorted(path.name for path in folder.iterdir()),
                         ["cut.csv", "go", "run.cut-2.dlrec", "run.cut.dlrec", "run.dlrec"])

    def test_what_a_recording_holds_is_said_at_the_end_of_the_run(self):
        recording = self.folder / "holds.dlrec"
        for language, words in (("en", ["command line", "paths", "secrets"]), ("zh", ["命令行", "路径", "机密"])):
            for quiet, stream in ((["--quiet"], "stderr"), ([], "stdout")):
                done = self.lab("trace", *quiet, "--driver", "embedded", "--record", recording, "--lang", language,
                                "--", "true", "--password=secret")
                self.assert_says(done, 0, f"export NAME.dlrec --recording {recording}", *words, stream=stream)
        self.assertIn("--password=secret", self.lab("replay", recording, "--events", "-").stdout +
                      self.lab("replay", recording).stdout + recording.read_bytes().decode("latin-1"))
        for arguments in ([], ["--record", "/dev/null"], ["--events", self.folder / "holds.jsonl"]):
            done = self.lab("trace", "--driver", "embedded", *arguments, "--lang", "en", "--", "true")
            self.assertNotIn("secrets", done.stdout + done.stderr)

    def test_devices_and_links_stay_what_they_are(self):
        null = self.node("null", 3)
        out = self.folder / "links"
        out.mkdir()
        for option in ("--record", "--html", "--events", "--csv"):
            (out / "file").write_text("old")
            (out / "link").unlink(missing_ok=True)
            (out / "link").symlink_to("file")
            for target in (null, out / "link"):
                self.assert_says(self.lab("trace", option, target, "--", "true"), 0)
            self.assertTrue(null.is_char_device())
            self.assertTrue((out / "link").is_symlink())
            self.assertNotEqual((out / "file").read_bytes(), b"old")
            self.assertEqual(sorted(path.name for path in out.iterdir()), ["file", "link"])
        shown = SOURCE / "assets" / "recordings" / "h200_01_hello_driver.dlrec"
        for command, ending in (("export", "html"), ("export", "dlrec"), ("export", "png"), ("shot", "png")):
            if ending == "png" and not self.has_window():
                continue
            link = self.folder / f"link.{ending}"
            # OpenGL keeps memory until the end, which a sanitized lab would take for a leak.
            keeps = {"ASAN_OPTIONS": "detect_leaks=0"} if ending == "png" else {}
            (out / "file").write_text("old")
            for target in (null, out / "file"):
                link.unlink(missing_ok=True)
                link.symlink_to(target)
                self.assert_says(self.lab(command, link, "--recording", shown, **keeps), 0)
                self.assertTrue(link.is_symlink())
            self.assertTrue(null.is_char_device())
            self.assertNotEqual((out / "file").read_bytes(), b"old")

    def test_standard_output_that_is_full_is_said_and_no_crash(self):
        recording, shown = self.folder / "whole.rec", SOURCE / "assets" / "recordings" / "h200_01_hello_driver.dlrec"
        for arguments in (["list"], ["--version"], ["--help"], ["doctor"], ["describe"], ["progress"], ["check", "1"],
                          ["progress", "--csv", "-"], ["replay", shown], ["compare", shown, shown], ["run", "1"],
                          ["export", self.folder / "x.html", "--recording", shown],
                          ["run", "1", "--driver", "embedded", "--events", "-", "--record", recording],
                          ["trace", "--", "/bin/echo", "word"], ["trace", "--quiet", "--", "/bin/echo", "word"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([DRIVERLAB, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True,
                                      env=self.lab.environment(real_lessons=True), timeout=60, check=False)
                self.assertGreater(done.returncode, 0)
                self.assertEqual(done.stderr.count("cannot be written"), 1, done.stderr)
                self.assertIn("Standard output cannot be written: No space left on device", done.stderr)
        self.assertEqual(self.lab("replay", recording).returncode, 0, "other files are whole")

    def test_what_is_printed_lands_in_no_file_where_standard_output_is_closed(self):
        shown, table = SOURCE / "assets" / "recordings" / "h200_01_hello_driver.dlrec", self.folder / "closed.csv"
        events = self.folder / "closed.jsonl"
        for arguments in (["replay", shown, "--csv", table], ["trace", "--events", events, "--", "/bin/echo", "word"]):
            done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", DRIVERLAB, *arguments], stderr=subprocess.PIPE, text=True,
                                  env=self.lab.environment(), timeout=60, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("Standard output cannot be written", done.stderr)
        self.assertTrue(table.read_text().startswith("call,process,"), table.read_text()[:200])
        self.assertEqual([line["text"] for line in self.lines(events) if line["event"] == "output"], ["word\n"])

    def test_a_program_without_calls_is_said_to_have_none(self):
        for language, word in (("en", "No driver call was recorded"), ("zh", "没有记录到任何驱动调用")):
            self.assert_says(self.lab("trace", "--lang", language, "--driver", "embedded", "--", "true"), 0, word)

    @unittest.skipUnless(shutil.which("g++"), "no g++ to make a foreign program with")
    def test_a_foreign_program_shows_its_calls(self):
        program, source = self.folder / "foreign", self.folder / "foreign.cpp"
        source.write_text('#include <cuda.h>\nint main() { return cuInit(0); }\n')
        toolkit = pathlib.Path(os.environ.get("DRIVERLAB_LIBRARIES", DRIVERLAB.parent)) / "embedded"
        subprocess.run(["g++", "-g", source, "-o", program, "-I", toolkit / "include", "-L", toolkit / "lib", "-lcuda"],
                       check=True)
        done = self.lab("trace", "--driver", "embedded", "--", program)
        self.assert_says(done, 0, "cuInit", "CUDA_SUCCESS", "foreign.cpp:2", stream="stdout")
        recording, page = self.folder / "foreign.rec", self.folder / "foreign.html"
        subprocess.run([DRIVERLAB, "trace", "--driver", "embedded", "--record", recording, "--", program], cwd=self.folder,
                       env=self.lab.environment(), check=True, stdout=subprocess.DEVNULL)
        source.unlink()  # from here on the recording has it
        self.assert_says(self.lab("replay", recording, "--html", page), 0)
        self.assertIn("int main() { return cuInit(0); }", html.unescape(page.read_text()))

    def test_a_program_finds_the_rest_of_the_embedded_toolkit(self):
        program = ("import ctypes; count = ctypes.c_int(); ctypes.CDLL('libnvrtc.so.13'); ctypes.CDLL('libnvrtc.so.12');"
                   "error = ctypes.CDLL('libcudart.so.13').cudaGetDeviceCount(ctypes.byref(count));"
                   "print('devices', count.value, 'error', error)")
        done = self.lab("trace", "--driver", "embedded", "--", sys.executable, "-c", program, DRIVERLAB_DEVICES="3")
        self.assertIn("devices 3 error 0", done.stdout, done.stderr)
        self.assertIn("cuDeviceGetCount", done.stdout)

    def test_a_program_has_to_be_named(self):
        self.assert_both_languages(2, "--", arguments=["trace"])

    def test_a_program_that_does_not_exist_is_named(self):
        done = self.lab("trace", "--driver", "embedded", "--", "/no/such/program")
        self.assertIn(done.returncode, (125, 126, 127), done.stdout + done.stderr)
        self.assertIn("/no/such/program", done.stdout + done.stderr)


class Progress(Case):
    def test_a_check_counts_and_is_told_as_csv(self):
        self.real("check", "01")
        done = self.real("progress", "--csv", "-")
        self.assert_says(done, 0, "number,lesson,title", "1,hello_driver,", ",no,no,1,0,no,no,", stream="stdout")
        file = self.folder / "class.csv"
        self.assert_says(self.real("progress", "--csv", str(file)), 0, str(file), stream="stdout")
        self.assertEqual(file.read_text(encoding="utf-8").splitlines(), done.stdout.splitlines())

    def test_a_foreign_folder_does_not_count(self):
        exercise = SOURCE / "lessons" / "02_errors"
        self.real("check", "02", "--source", str(exercise))
        self.assert_says(self.real("progress", "--csv", "-"), 0, "2,errors,Errors,no,no,0,", stream="stdout")

    def test_first_answers_to_the_questions_of_a_lesson_are_counted(self):
        data = self.folder / "answered" / "driverlab"
        data.mkdir(parents=True)
        (data / "progress.json").write_text('{"lessons": {"01_hello_driver": {"quiz": "rw-"}}}', encoding="utf-8")
        for language, words in (("en", "questions answered 2, right at the first try 1"), ("zh", "答过 2 道题，第一次就答对 1 道")):
            self.assert_says(self.real("progress", "--lang", language, XDG_DATA_HOME=str(data.parent)), 0, words, stream="stdout")
        done = self.real("progress", "--csv", "-", XDG_DATA_HOME=str(data.parent))
        [row] = [row for row in csv.DictReader(done.stdout.splitlines()) if row["lesson"] == "hello_driver"]
        self.assertEqual((row["questions"], row["questions_right"]), ("2", "1"))

    def test_a_person_is_told_in_both_languages(self):
        for language, word in (("en", "exercises passed"), ("zh", "已通过")):
            self.assert_says(self.real("progress", "--lang", language), 0, word, stream="stdout")

    def test_a_file_that_cannot_be_written_is_named(self):
        done = self.real("progress", "--csv", "/no/such/folder/x.csv")
        self.assert_says(done, 2, "/no/such/folder/x.csv")


class Export(Case):
    def test_mistakes_are_named_in_both_languages(self):
        for arguments, words in ((["export", "x.gif", "--lesson", "1"], ["x.gif", ".html"]),
                                 (["export", "x.html", "--lesson", "1", "--from", "0"], ["--from", "0"]),
                                 (["export", "x.html"], ["--lesson", "--recording"])):
            self.assert_both_languages(2, *words, arguments=arguments)


class Check(Case):
    def test_the_start_of_an_exercise_is_found_wanting_in_both_languages(self):
        for language, word in (("en", "Not yet"), ("zh", "还没有通过")):
            done = self.real("check", "05", "--lang", language)
            self.assert_says(done, 1, word, "✗", "driverlab check 05", stream="stdout")

    def test_one_of_several_exercises_is_checked_by_its_name_and_counted_by_it(self):
        self.assert_says(self.real("check", "05"), 1, "driverlab check 05 predict", stream="stdout")
        done = self.real("check", "05", "predict")
        self.assert_says(done, 1, "your answer unanswered is wrong", "exercise/predict/main.cpp",
                         "`driverlab check 05 predict`", "Other exercises of this lesson: driverlab check 05\n",
                         stream="stdout")
        table = csv.DictReader(self.real("progress", "--csv", "-").stdout.splitlines())
        row = next(row for row in table if row["lesson"] == "context_stack")
        self.assertGreaterEqual(int(row["exercises"]), 2)
        self.assertEqual((row["exercises_passed"], row["passed_exercises"]), ("0", ""))
        self.assert_says(self.real("progress"), 0, "predict ", "checked 1×", stream="stdout")

    def test_the_copy_of_each_exercise_is_a_file_of_its_own(self):
        self.real("check", "05")
        self.real("check", "05", "predict")
        copy = self.folder / "data" / "driverlab" / "workspace" / "05_context_stack" / "exercise"
        for name in ("main.cpp", "predict/main.cpp"):
            self.assertIn("int main()", (copy / name).read_text(encoding="utf-8"))

    def test_a_hint_that_there_is_not_is_named(self):
        for number in ("0", "4", "next"):
            for language in ("en", "zh"):
                self.assert_says(self.real("check", "04", "--hint", number, "--lang", language), 2, "--hint", f"{number}", "1", "3")

    def test_an_exercise_that_a_lesson_has_not_is_named_with_those_that_it_has(self):
        for language, word in (("en", "has no exercise"), ("zh", "没有练习")):
            done = self.real("check", "05", "nobody", "--lang", language)
            self.assert_says(done, 2, word, "nobody", "repair, predict")

    def test_hints_are_given_one_more_each_time_and_counted(self):
        done = self.real("check", "04")
        self.assert_says(done, 1, "Hint 1 of 3: ", "Next hint: `driverlab check 04 --hint 2`", stream="stdout")
        self.assertNotIn("Hint 2", done.stdout)
        done = self.real("check", "04", "predict", "--hint", "2")
        self.assert_says(done, 0, "Hint 1 of 3: ", "Hint 2 of 3: ", "Next hint: `driverlab check 04 predict --hint 3`",
                         stream="stdout")
        self.assertEqual(len(done.stdout.splitlines()), 3, "it is not checked")
        done = self.real("check", "04", "--hint", "3", "--lang", "zh")
        self.assert_says(done, 0, "提示 1/3：", "提示 3/3：", stream="stdout")
        self.assertNotIn("--hint", done.stdout)
        self.real("check", "04", "--hint", "1")
        table = csv.DictReader(self.real("progress", "--csv", "-").stdout.splitlines())
        row = next(row for row in table if row["lesson"] == "context")
        self.assertEqual(row["hints"], "3")

    def test_a_lesson_without_an_exercise_says_so(self):
        self.assert_both_languages(2, "good", arguments=["check", "1"])

    def test_a_workspace_copy_is_made_and_the_original_left_alone(self):
        original = SOURCE / "lessons" / "01_hello_driver" / "exercise" / "main.cpp"
        before = original.read_bytes()
        self.real("check", "01")
        copies = list((self.folder / "data").rglob("main.cpp"))
        self.assertTrue(any(copy.read_bytes() == before for copy in copies), copies)
        self.assertEqual(original.read_bytes(), before)

    def test_an_unwritable_home_is_said_and_work_goes_on(self):
        nowhere = "/proc/no/such/home"
        done = self.real("check", "01", XDG_DATA_HOME=nowhere, HOME=nowhere, XDG_CACHE_HOME=nowhere)
        self.assert_says(done, 1, nowhere)
        self.assertIn("✗", done.stdout)


class Doctor(Case):
    IDS = {"embedded_driver", "real_driver", "toolkit", "compiler", "linker", "window", "chinese_font", "sans_font",
           "mono_font"}

    def test_every_part_is_reported(self):
        done = self.real("doctor", "--json")
        self.assertEqual({item["id"] for item in json.loads(done.stdout)}, self.IDS)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_person_is_told_in_his_language(self):
        self.assert_says(self.real("doctor", "--lang", "zh"), 0, "内嵌驱动", "编译器", stream="stdout")

    def test_chinese_has_no_english_in_it_and_a_number_of_devices_that_is_none_is_said(self):
        for value, said in (("abc", True), ("9", True), ("3", False), ("", False)):
            done = self.real("doctor", "--json", "--lang", "zh", DRIVERLAB_DEVICES=value)
            item = next(item for item in json.loads(done.stdout) if item["id"] == "embedded_driver")
            self.assertNotIn("Embedded", item["found"])
            self.assertNotIn("device", item["found"].split("（")[0])
            self.assertIn("3" if value == "3" else "2", item["found"].split("（")[0])
            self.assertEqual("DRIVERLAB_DEVICES" in item.get("follows", ""), said, item)
            self.assertEqual((item["state"], "command" in item), ("good", said))

    def test_the_chosen_device_is_named_and_a_word_that_names_none_is_said_with_those_that_there_are(self):
        for value, found, said in (("t4", "2 × Tesla T4", False), ("T4", "2", True), ("", "2", False)):
            done = self.real("doctor", "--json", "--lang", "en", DRIVERLAB_DEVICE=value)
            item = next(item for item in json.loads(done.stdout) if item["id"] == "embedded_driver")
            self.assertTrue(item["found"].startswith(f"devices: {found} ("), item)
            self.assertEqual((item["state"], item.get("command")), ("good", "unset DRIVERLAB_DEVICE" if said else None))
            self.assertEqual(all(word in item.get("follows", "") for word in ("“T4”", "t4", "a100")), said, item)

    def test_what_is_missing_comes_with_the_command_that_mends_it(self):
        empty = self.folder / "empty_path"
        empty.mkdir(exist_ok=True)
        (empty / "apt-get").symlink_to("/bin/true")
        done = self.real("doctor", "--json", PATH=str(empty))
        compiler = next(item for item in json.loads(done.stdout) if item["id"] == "compiler")
        self.assertEqual((done.returncode, compiler["state"]), (1, "needed"))
        self.assertIn("apt-get install", compiler["command"])

    def test_what_is_there_is_not_called_missing(self):
        done = self.real("doctor", "--json", DISPLAY=":7")
        for item in json.loads(done.stdout):
            if item["id"] in ("embedded_driver", "compiler"):
                self.assertEqual(item["state"], "good", item)
                self.assertNotIn("command", item)


class Usage(Case):
    def test_what_was_meant_is_said(self):
        self.assert_both_languages(2, "driverlab trace -- ./x", arguments=["trace", "./x"])
        self.assert_both_languages(2, "trace --help", arguments=["trace", "--no-such-option"])
        nowhere = self.folder / "nowhere"
        for command in ("run", "check"):
            done = self.real(command, "4", "--source", nowhere, "--lang", "en")
            self.assert_says(done, 2, f"--source {nowhere}", "no such folder")
        empty = self.folder / "no_files"
        empty.mkdir()
        self.assert_says(self.real("run", "4", "--source", empty, "--lang", "en"), 2, "has no main.cpp")

    def test_a_file_is_not_called_by_a_dash(self):
        for option in ("--record", "--csv", "--chrome-trace", "--html"):
            done = self.lab("trace", "--driver", "embedded", option, "-", "--lang", "en", "--", "true")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"{option} -", done.stderr)
            self.assertIn("only --events", done.stderr)
        self.assertFalse(pathlib.Path("-").exists())
        self.assertEqual(self.lab("trace", "--driver", "embedded", "--events", "-", "--", "true").returncode, 0)

    def test_mistakes_on_the_command_line_are_named_in_both_languages(self):
        for arguments, words in (
                (["fly"], ["fly", "driverlab --help"]),
                (["run"], ["LESSON", "driverlab run --help"]),
                (["run", "1", "--no-such"], ["--no-such", "driverlab run --help"]),
                (["run", "1", "2"], ["2", "driverlab run --help"]),
                (["run", "1", "--events"], ["--events"]),
                (["run", "1", "--driver", "fast"], ["fast", "embedded, real, auto"]),
                (["run", "1", "--via", "ssh 'x"], ["ssh 'x"]),
                (["list", "--", "x"], ["--"]),
                (["handout", "1"], ["FILE", "driverlab handout --help"]),
                (["handout", "1", "x.pdf"], ["x.pdf", ".html"]),
                (["handout", "99", "x.html"], ["99", "driverlab list"]),
                (["shot", "x.png"], ["--lesson", "--recording"]),
                (["shot", "x.png", "--lesson", "1", "--recording", "r"], ["--lesson", "--recording"]),
                (["shot", "x.png", "--lesson", "1", "--ghost", "r", "--beside", "r"], ["--ghost", "--beside"]),
                (["shot", "x.png", "--lesson", "1", "--scale", "74"], ["--scale", "74", "75", "250"]),
                (["shot", "x.png", "--lesson", "1", "--scale", "251"], ["251"]),
                (["shot", "x.png", "--lesson", "1", "--size", "100x100"], ["100x100", "320x240"]),
                (["shot", "x.png", "--lesson", "1", "--size", "wide"], ["wide"]),
                (["shot", "x.png", "--lesson", "1", "--call", "0"], ["--call", "0"]),
                (["shot", "x.png", "--lesson", "1", "--panel", "cellar"], ["--panel", "cellar", "share"]),
                (["shot", "x.png", "--lesson", "1", "--theme", "pink"], ["pink", "projector"])):
            with self.subTest(arguments=arguments):
                at = arguments.index("--") if "--" in arguments else len(arguments)
                for language, chinese in (("en", False), ("zh", True)):
                    done = self.lab(*arguments[:at], "--lang", language, *arguments[at:])
                    self.assert_says(done, 2, *words)
                    self.assertEqual(CHINESE.search(done.stderr) is not None, chinese, done.stderr)

    def test_a_language_that_is_not_spoken_is_named(self):
        self.assert_says(self.lab("list", "--lang", "fr"), 2, "fr", "en, zh")

    def test_help_is_in_the_readers_language(self):
        english, chinese = self.lab("--help"), self.lab("--help", LANG="zh_CN.UTF-8")
        for name in ("list", "run", "trace", "replay", "shot", "export", "check", "progress", "teach", "handout", "doctor"):
            self.assertIn(name, english.stdout)
            self.assertIn(name, chinese.stdout)
            self.assertEqual(self.lab(name, "--help").returncode, 0)
        self.assertIsNone(CHINESE.search(english.stdout))
        self.assertIn("用法", chinese.stdout)

    def test_the_version_is_told(self):
        project = re.search(r"^project\(driverlab VERSION (\d+\.\d+\.\d+) ", (SOURCE / "CMakeLists.txt").read_text(), re.M)
        self.assertEqual(self.lab("--version").stdout, f"driverlab {project[1]}\n")


if __name__ == "__main__":
    unittest.main()
