# SPDX-License-Identifier: MIT
"""Each tool of tools/ prints its usage for --help and does nothing else, and refuses an unknown argument.

    tools_help_test.py PROJECT
"""
import pathlib
import subprocess
import sys
import unittest

PROJECT = pathlib.Path(sys.argv.pop(1))
# tools/lab passes its arguments on to the lab, which has a --help of its own.
TOOLS = [path for path in sorted((PROJECT / "tools").iterdir())
         if path.is_file() and path.suffix == "" and path.name != "lab" and "/common.sh" in path.read_text(encoding="utf-8")]


def call(tool, *words):
    return subprocess.run([tool, *words], capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)


class Tools(unittest.TestCase):
    def test_each_tells_its_use(self):
        self.assertGreater(len(TOOLS), 4)
        for tool in TOOLS:
            for word in ("--help", "-h"):
                with self.subTest(tool=tool.name, word=word):
                    done = call(tool, word)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertIn(f"tools/{tool.name}", done.stdout)
                    self.assertNotIn("·", done.stdout, "it began to work")

    def test_a_word_that_is_unknown_is_refused_by_name(self):
        for name in ("lint", "test"):
            with self.subTest(tool=name):
                done = call(PROJECT / "tools" / name, "nonsense")
                self.assertEqual(done.returncode, 1)
                self.assertIn("nonsense", done.stderr)


if __name__ == "__main__":
    unittest.main()
