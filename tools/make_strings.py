#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns assets/strings/*.toml into lab/text_keys.hpp (an enum) and text_table.cpp (both languages).

A sentence that lacks a language, is empty, repeats a key, or has other placeholders in one language than in
the other stops the build with file, line and key. --check-used FOLDER… also names keys that no code mentions.
Uses only the files' format, and does not depend on what the sentences are for.

    [lesson_unknown]            # Text::LessonUnknown
    en = "There is no lesson “{0}”."
    zh = "没有名为“{0}”的课程。"

`same = true` allows a Chinese text without a Chinese character (a name, a unit).
"""
import argparse
import pathlib
import re
import sys
import tomllib

KEY = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PLACEHOLDER = re.compile(r"\{(\d+)\}")
CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
FIELDS = {"en", "zh", "same"}


def enumerator(key):
    return "".join(part[0].upper() + part[1:] for part in key.split("_"))


def line_of(source, key):
    for number, line in enumerate(source.splitlines(), 1):
        if re.match(rf"\s*\[\s*{re.escape(key)}\s*\]", line):
            return number
    return 1


def check_entry(place, key, entry):
    """The mistakes of one entry, as sentences."""
    if not KEY.fullmatch(key):
        yield f"{place}: {key}: a key is snake_case"
    if not isinstance(entry, dict):
        yield f"{place}: {key}: expected a table with en and zh"
        return
    for field in sorted(set(entry) - FIELDS):
        yield f"{place}: {key}: unknown field {field}; expected en, zh, same"
    for language in ("en", "zh"):
        text = entry.get(language)
        if text is None:
            yield f"{place}: {key}: {language} is missing"
        elif not isinstance(text, str):
            yield f"{place}: {key}: {language} is not a string"
        elif not text.strip():
            yield f"{place}: {key}: {language} is empty"
    if not isinstance(entry.get("same", False), bool):
        yield f"{place}: {key}: same is not true or false"
    english, chinese = entry.get("en"), entry.get("zh")
    if not isinstance(english, str) or not isinstance(chinese, str):
        return
    numbers = [set(map(int, PLACEHOLDER.findall(text))) for text in (english, chinese)]
    if numbers[0] != numbers[1]:
        yield f"{place}: {key}: placeholders differ: en has {sorted(numbers[0])}, zh has {sorted(numbers[1])}"
    elif numbers[0] != set(range(len(numbers[0]))):
        yield f"{place}: {key}: placeholders are not numbered 0, 1, …: {sorted(numbers[0])}"
    if chinese.strip() and not CHINESE.search(chinese) and entry.get("same") is not True:
        yield f"{place}: {key}: zh has no Chinese character; write same = true where that is meant"


def read(paths):
    """Returns ({key: (en, zh)}, [mistake])."""
    entries, origin, mistakes = {}, {}, []
    for path in sorted(map(pathlib.Path, paths), key=lambda p: p.name):
        source = path.read_text(encoding="utf-8")
        try:
            tables = tomllib.loads(source)
        except tomllib.TOMLDecodeError as error:
            match = re.search(r"at line (\d+)", str(error))
            mistakes.append(f"{path}:{match.group(1) if match else 1}: {error}")
            continue
        for key, entry in tables.items():
            place = f"{path}:{line_of(source, key)}"
            name = enumerator(key) if KEY.fullmatch(key) else key
            if name in origin:
                mistakes.append(f"{place}: {key}: already in {origin[name]}")
                continue
            origin[name] = place
            found = list(check_entry(place, key, entry))
            mistakes += found
            if not found:
                entries[key] = (entry["en"], entry["zh"])
    return entries, mistakes


def literal(text):
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c) for c in text) + '"'


def write_if_changed(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    else:
        path.touch()


def keys_header(entries):
    names = "".join(f"  {enumerator(key)},\n" for key in entries)
    return ("// Made by tools/make_strings.py from assets/strings/*.toml. Do not edit.\n"
            "#pragma once\n#include <cstddef>\n#include <cstdint>\n\nnamespace lab {\n\n"
            f"enum class Text : std::uint16_t {{\n{names}}};\n"
            f"inline constexpr std::size_t kTextCount = {len(entries)};\n\n}}  // namespace lab\n")


def table_source(entries):
    rows = "".join(f"    {{{literal(en)},\n     {literal(zh)}}},\n" for en, zh in entries.values())
    return ("// Made by tools/make_strings.py from assets/strings/*.toml. Do not edit.\n"
            '#include "base/text_table.hpp"\n\nnamespace lab {\n\n'
            f"const TextRow kTextTable[kTextCount] = {{\n{rows}}};\n\n}}  // namespace lab\n")


def unused(entries, folders):
    words = set()
    for folder in folders:
        for path in pathlib.Path(folder).rglob("*"):
            if path.suffix in (".cpp", ".hpp"):
                words |= set(re.findall(r"\bText::(\w+)", path.read_text(encoding="utf-8")))
                words |= set(re.findall(r"\bT::(\w+)", path.read_text(encoding="utf-8")))
    return [key for key in entries if enumerator(key) not in words]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--keys", help="header to write")
    parser.add_argument("--table", help="source to write")
    parser.add_argument("--check-used", nargs="+", metavar="FOLDER", help="fail on keys that no code there mentions")
    arguments = parser.parse_args()
    entries, mistakes = read(arguments.files)
    if not entries and not mistakes:
        mistakes.append("no sentences: expected assets/strings/*.toml")
    if arguments.check_used:
        mistakes += [f"{key}: no code uses Text::{enumerator(key)}" for key in unused(entries, arguments.check_used)]
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    if mistakes:
        return 1
    if arguments.keys:
        write_if_changed(arguments.keys, keys_header(entries))
    if arguments.table:
        write_if_changed(arguments.table, table_source(entries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
