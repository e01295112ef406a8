#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each word of the API that a lesson uses has a card: the window explains it under the mouse, in both languages.

Functions, types and results of the driver have one anyway (api/generators/help.py). Here it is looked whether enumerators,
constants and structs of cuda.h, and the words of the runtime and of NVRTC, are explained where sources and notes use them.
"""

from __future__ import annotations

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "api"))

from generators import help, load  # noqa: E402
import lesson_files  # noqa: E402

APIS = load.load_all()
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
READ = (".cpp", ".cu", ".c", ".hpp", ".h", ".md")


def words_of_the_apis() -> set[str]:
    """Those that need a sentence of their own."""
    words: set[str] = set()
    for api in APIS:
        words |= help.Help.singles(api) | set(api.structs) | set(api.struct_aliases)
    for api in APIS[1:]:
        words |= {function.name for function in api.functions} | set(api.enums) | set(api.enum_aliases) | set(api.handles)
    return words


def used(words: set[str]) -> dict[str, str]:
    """By word: where it is used first."""
    places: dict[str, str] = {}
    for lesson in lesson_files.lessons(ROOT):
        for path in sorted(lesson.rglob("*")):
            if path.suffix not in READ or not path.is_file():
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for word in WORD.findall(line):
                    if word in words:
                        places.setdefault(word, f"{path.relative_to(ROOT)}:{number}")
    return places


class Cards(unittest.TestCase):
    def test_each_word_that_a_lesson_uses_is_explained_in_both_languages(self) -> None:
        texts = help.Help(APIS, help.FOLDER)
        explained = texts.functions | texts.types | texts.enumerators
        places = used(words_of_the_apis())
        self.assertGreater(len(places), 120, "the lessons' words are not found")
        missing = [f"{place}: {word}" for word, place in sorted(places.items(), key=lambda one: one[1])
                   if not all(explained.get(word, {}).get(language) for language in ("en", "zh"))]
        self.assertEqual(missing, [], "api/help has no sentence about these:\n" + "\n".join(missing))


if __name__ == "__main__":
    unittest.main()
