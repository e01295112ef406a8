#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `driverlab export` and `--html` in a headless browser: it steps, scrubs, searches, has both
languages, shows at every call what --events prints, and nothing in a recording becomes markup or script.

    page_test.py PROJECT DRIVERLAB      exit status 77: no Chromium here
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import browser

PROJECT, DRIVERLAB = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
RECORDINGS = PROJECT / "assets/recordings"
HOSTILE = """#include <cuda.h>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
// </script><script>document.title = "taken"</script><img src=x onerror="document.title='taken'">
int main() {
  cuInit(0);
  CUcontext context;
  CUdevice device;
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, nullptr, 0, device);
  CUmodule module;
  const char* name = "</script><script>document.title='taken'</script><!--\\"'`";
  cuModuleGetFunction(nullptr, nullptr, name);
  std::puts("</pre><script>document.title='taken'</script> \\xe2\\x80\\xae" "esrever \\x1b[31m \\xff");
  std::fflush(stdout);
  cuModuleLoad(&module, "\\xe2\\x80\\xae" "</script><b id=taken>x</b>");
  cuCtxDestroy(context);
  if (fork() == 0) {
    int count;
    cuDeviceGetCount(&count);
    _exit(0);
  }
  wait(nullptr);
}
"""

# What the page shows at each of its moments, in one go.
SHOWN = """moments.map((moment, at) => {
  show(at);
  const text = (root, what) => [...root.querySelectorAll(what)].map(one => one.firstChild.textContent);
  const threads = [...document.querySelectorAll('.thread')].map(one =>
      [one.dataset.key, text(one, '.card:not(.none)').reverse()]);
  return {threads: Object.fromEntries(threads), line: document.querySelector('.code li.now')?.textContent ?? null,
          result: document.querySelector('.result')?.textContent ?? null, call: moment.i ?? null};
})"""


def driverlab(*arguments, cwd=None):
    return subprocess.run([DRIVERLAB, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=300)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.temporary.cleanup()

    def page_of(self, recording, *options):
        page = self.folder / (pathlib.Path(recording).stem + ".html")
        done = driverlab("export", page, "--recording", recording, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.browser.open(page)
        return page

    def at(self):
        return self.browser.evaluate("now")

    def text(self, what):
        return self.browser.evaluate(f"document.querySelector({json.dumps(what)})?.textContent ?? null")

    def tearDown(self):
        self.assertEqual(self.browser.problems(), [])


class Viewer(Case):
    def test_every_call_shows_the_stacks_that_the_events_say(self):
        for name in ("h200_05_context_stack", "h200_06_threads", "h200_07_primary_context", "h200_23_when_it_breaks"):
            recording = RECORDINGS / (name + ".dlrec")
            self.page_of(recording, "--lang", "en")
            lines = driverlab("replay", recording, "--events", "-").stdout.splitlines()
            calls = [event for event in map(json.loads, lines) if "event" not in event]
            shown = [moment for moment in self.browser.evaluate(SHOWN) if moment["call"]]
            self.assertEqual(len(shown), len(calls))
            self.assertGreater(len(calls), 10)
            for event, moment in zip(calls, shown):
                where = f"{name}, call {moment['call']}"
                if event["result"] is not None:
                    self.assertEqual(moment["threads"].get(f"t{event['thread']}", []), event["stack"], where)
                    self.assertIn(event["result"], moment["result"], where)

    def test_the_line_of_the_call_stands_out_in_the_source(self):
        self.page_of(RECORDINGS / "h200_05_context_stack.dlrec")
        shown = [moment["line"] for moment in self.browser.evaluate(SHOWN) if moment["call"]]
        self.assertTrue(any("cuCtxPushCurrent" in (line or "") for line in shown), shown)

    def test_the_call_and_its_line_are_in_sight_wherever_one_jumps(self):
        self.page_of(RECORDINGS / "h200_05_context_stack.dlrec")
        for place in ("30", "moments.length - 2", "3", "20"):
            hidden = self.browser.evaluate(f"""show({place}), ['.row.now', '.code li.now'].filter(what => {{
              const one = document.querySelector(what)?.getBoundingClientRect(), around = document.querySelector(what)?.closest('.list, .source').getBoundingClientRect();
              return !one || one.top < around.top || one.bottom > around.bottom; }})""")
            self.assertEqual(hidden, [], f"moment {place}")

    def test_it_steps_forward_and_back_by_keys_buttons_and_the_slider(self):
        self.page_of(RECORDINGS / "h200_05_context_stack.dlrec")
        last = self.browser.evaluate("moments.length - 1")
        for key, place in (("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("PageDown", 11), ("PageUp", 1),
                           ("End", last), ("ArrowRight", last), ("Home", 0), ("ArrowLeft", 0)):
            self.browser.press(key)
            self.assertEqual(self.at(), place, key)
        for name, place in (("forward", 1), ("last", last), ("back", last - 1), ("first", 0)):
            self.browser.evaluate(f"document.querySelector('button.{name}').click()")
            self.assertEqual(self.at(), place, name)
        self.browser.evaluate("slider.value = 7; slider.dispatchEvent(new Event('input'))")
        self.assertEqual(self.at(), 7)
        self.browser.evaluate("document.querySelector('.row[data-at=\"3\"]').click()")
        self.assertEqual(self.at(), 3)

    def test_a_moment_is_the_same_from_either_side(self):
        self.page_of(RECORDINGS / "h200_09_managed.dlrec")
        self.assertTrue(self.browser.evaluate("""(() => {
          const picture = () => document.querySelector('.picture').innerHTML;
          const there = moments.map((_, at) => { show(at); return picture(); });
          for (let at = moments.length - 1; at >= 0; --at) { show(at); if (picture() !== there[at]) return false; }
          return true; })()"""))

    def test_it_speaks_both_languages(self):
        self.page_of(RECORDINGS / "h200_05_context_stack.dlrec", "--lang", "zh")
        self.assertEqual(self.browser.evaluate("document.documentElement.lang"), "zh")
        self.browser.press("ArrowRight")
        self.assertIn("主线程", self.text(".thread h3"))
        chinese = self.text("h1")
        self.browser.press("l")
        self.assertEqual(self.browser.evaluate("document.documentElement.lang"), "en")
        self.assertIn("main", self.text(".thread h3"))
        self.assertNotEqual(self.text("h1"), chinese)
        self.assertEqual(self.at(), 1, "where the reader was")
        self.browser.evaluate("document.querySelector('button.language').click()")
        self.assertIn("主线程", self.text(".thread h3"))

    def test_a_failed_call_is_explained_in_both_languages(self):
        self.page_of(RECORDINGS / "h200_02_errors.dlrec", "--lang", "en")
        self.browser.press("e")
        self.assertIn("CUDA_ERROR", self.text(".result.meant"), "the lesson asks for it: expect(…)")
        self.assertIn("as expected", self.text(".result.meant"))
        self.assertIsNone(self.browser.evaluate("document.querySelector('.result.bad')"))
        reasons = self.browser.evaluate("""moments.filter(one => one.why).map(one => {
          show(moments.indexOf(one)); const en = document.querySelector('.why').textContent;
          speak('zh'); const zh = document.querySelector('.why').textContent; speak('en'); return [en, zh]; })""")
        self.assertGreater(len(reasons), 0)
        for english, chinese in reasons:
            self.assertRegex(chinese, "[\u4e00-\u9fff]")
            self.assertNotRegex(english, "[\u4e00-\u9fff]")

    def test_a_search_finds_calls_and_goes_round(self):
        self.page_of(RECORDINGS / "h200_05_context_stack.dlrec", "--lang", "en")
        self.browser.press("/")
        for letter in "pushcurrent":
            self.browser.press(letter)
        found = self.browser.evaluate("found")
        wanted = self.browser.evaluate("moments.map((one, at) => [one, at]).filter(([one]) => "
                                       "/pushcurrent/i.test(one.t ?? '')).map(([, at]) => at)")
        self.assertEqual(found, wanted)
        self.assertGreater(len(found), 1)
        self.assertEqual(self.at(), found[0])
        self.assertIn(f"1 of {len(found)}", self.text(".matches"))
        self.browser.press("Enter")
        self.assertEqual(self.at(), found[1])
        self.browser.press("N")
        self.browser.press("N")
        self.assertEqual(self.at(), found[-1])
        self.browser.evaluate("field.value = 'no such call'; field.dispatchEvent(new Event('input'))")
        self.assertEqual(self.text(".matches"), "not found")

    def test_light_and_dark(self):
        self.page_of(RECORDINGS / "h200_05_context_stack.dlrec", "--theme", "light")
        colour = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.evaluate(colour)
        self.browser.press("t")
        self.assertNotEqual(self.browser.evaluate(colour), light)
        self.browser.press("t")
        self.assertEqual(self.browser.evaluate(colour), light)

    def test_a_part_of_a_run_begins_with_all_that_was_there(self):
        recording = RECORDINGS / "h200_08_memory.dlrec"
        self.page_of(recording)
        whole = self.browser.evaluate("[...stateAfter(19)].sort()")
        self.page_of(recording, "--from", "20", "--to", "25")
        self.assertEqual(self.browser.evaluate("[...stateAfter(0)].sort()"), whole)
        self.assertEqual(self.browser.evaluate("[moments[0].i, moments.length]"), [20, 6])


class Hostile(Case):
    def test_nothing_of_a_program_becomes_markup_or_script(self):
        source, program, page = self.folder / "hostile.cpp", self.folder / "hostile", self.folder / "traced.html"
        source.write_text(HOSTILE)
        toolkit = PROJECT / "build/embedded" if not DRIVERLAB.parent.joinpath("embedded").is_dir() else DRIVERLAB.parent / "embedded"
        subprocess.run(["g++", "-g", "-I", toolkit / "include", source, "-o", program, "-L", toolkit / "lib", "-lcuda"], check=True)
        recording = self.folder / "hostile.dlrec"
        done = driverlab("trace", "--driver", "embedded", "--html", page, "--record", recording, "--",
                         program, "</title></script><script>document.title='taken'</script>", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        for one in (page, self.page_of(recording)):
            self.browser.open(one)
            shown = self.browser.evaluate(SHOWN)
            self.assertGreater(len(shown), 5)
            self.assertIsNone(self.browser.evaluate("document.getElementById('taken')"))
            self.assertNotEqual(self.browser.evaluate("document.title"), "taken")
            self.assertEqual(self.browser.evaluate("document.scripts.length"), 3)
            self.assertEqual(self.browser.evaluate("document.images.length"), 0)
            self.assertIn("</script>", self.text(".output"))
            self.assertNotIn("\u202e", self.browser.evaluate("document.body.innerText"))
            self.assertIn("\\u{202e}", self.browser.evaluate("document.body.innerText"))
        self.browser.open(page)
        self.assertIn("document.title = \"taken\"", self.browser.evaluate("show(5), document.querySelector('.code').textContent"))

        self.assertEqual(self.browser.evaluate("head.processes"), 2)
        child = self.browser.evaluate("moments.findIndex(moment => moment.p === 1)")
        for at, process in ((0, "process 0"), (child, "process 1")):
            self.browser.evaluate(f"show({at})")
            self.assertIn(process, self.text(".facts"))
            self.assertIn(process, self.text(".thread h3"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.thread').length"), 1, "threads of two processes")
        self.assertIn("forked", self.text(".why"))

    def test_a_script_that_got_in_would_not_run(self):
        page = self.page_of(RECORDINGS / "h200_05_context_stack.dlrec")
        page.write_text(page.read_text().replace("</body>", "<script>document.title = 'taken'</script></body>"))
        self.browser.open(page)
        self.assertNotEqual(self.browser.evaluate("document.title"), "taken")
        refused = self.browser.problems()
        self.assertTrue(any("Content Security Policy" in problem for problem in refused), refused)
        self.browser.events.clear()


if __name__ == "__main__":
    if not browser.program():
        print("skipped: no Chromium here (apt-get install chromium)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
