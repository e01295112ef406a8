#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/seeds: what it packs, unpacks and leaves out, in a folder of its own; and the archives of the project."""
import contextlib
import hashlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import tarfile
import tempfile
import unittest

TOOL = str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "seeds")
# A fuzzer for which a seed reaches as much as it has different letters.
FUZZER = """#!/usr/bin/env python3
import hashlib, pathlib, sys
into, source = map(pathlib.Path, sys.argv[-2:])
if "-merge=1" not in sys.argv or any("seed_inputs" in word for word in sys.argv):
    sys.exit(3)
reached = {letter for file in into.iterdir() for letter in file.read_bytes()}
for file in sorted(source.iterdir(), key=lambda file: (file.stat().st_size, file.name)):
    content = file.read_bytes()
    if not set(content) <= reached:
        reached |= set(content)
        (into / hashlib.sha1(content).hexdigest()).write_bytes(content)
"""


def load():
    loader = importlib.machinery.SourceFileLoader("seeds", TOOL)
    spec = importlib.util.spec_from_loader("seeds", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class Seeds(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.seeds = load()
        self.seeds.ARCHIVES = self.folder / "archives"
        self.seeds.ARCHIVES.mkdir()

    def run_tool(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.seeds.main(list(map(str, words)))
        return printed.getvalue()

    def add(self, part, files):
        source = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, content in files.items():
            (source / name).write_bytes(content)
        return self.run_tool("add", part, source)

    def unpacked(self, part):
        self.run_tool("unpack", self.folder / "out", part)
        return {file.name: file.read_bytes() for file in (self.folder / "out" / part).iterdir()}

    def test_what_is_added_is_what_is_unpacked(self):
        files = {"whole": b"\0\xff\n", "empty": b"", "a" * 40: b"text"}
        self.add("ptx", files)
        self.assertEqual(sorted(self.unpacked("ptx").values()), sorted(files.values()))

    def test_a_seed_that_the_archive_lost_is_lost_where_it_was_unpacked(self):
        self.add("ptx", {"one": b"1", "two": b"2"})
        self.unpacked("ptx")
        self.seeds.write("ptx", {"two": b"2"})
        self.assertEqual(self.unpacked("ptx"), {"two": b"2"})

    def test_the_same_files_make_the_same_archive_whenever_and_in_whatever_order(self):
        first = self.seeds.pack({"one": b"1", "two": b"2"})
        self.assertEqual(first, self.seeds.pack({"two": b"2", "one": b"1"}))
        self.assertNotEqual(first, self.seeds.pack({"two": b"2", "one": b"3"}))

    def test_an_archive_is_not_written_when_nothing_is_new(self):
        self.add("ptx", {"one": b"1"})
        before = self.seeds.archive_of("ptx").stat()
        self.add("ptx", {"one": b"1", "another_name": b"1"})
        after = self.seeds.archive_of("ptx").stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_what_a_fuzzer_found_is_named_by_what_it_holds(self):
        self.add("ptx", {"crash-" + "0" * 40: b"boom"})
        self.assertEqual(self.unpacked("ptx"), {hashlib.sha1(b"boom").hexdigest(): b"boom"})

    def test_a_name_that_is_taken_is_not_given_to_something_else(self):
        self.add("ptx", {"one": b"1"})
        with self.assertRaisesRegex(SystemExit, "one"):
            self.add("ptx", {"one": b"2"})
        self.assertEqual(self.unpacked("ptx"), {"one": b"1"})

    def test_an_archive_that_would_write_elsewhere_is_refused(self):
        with tarfile.open(self.seeds.archive_of("ptx"), "w:xz") as archive:
            archive.addfile(tarfile.TarInfo("../outside"))
        with self.assertRaisesRegex(SystemExit, "outside"):
            self.unpacked("ptx")
        self.assertFalse((self.folder / "out" / "outside").exists())

    def test_minimising_keeps_what_reaches_more_and_what_has_a_name(self):
        found = {hashlib.sha1(text).hexdigest(): text for text in (b"a", b"aa", b"ab", b"ba")}
        self.add("ptx", found | {"by_hand": b"aaa"})
        build = self.folder / "build"
        state = build / "tests" / "fuzz"
        state.mkdir(parents=True)
        (build / "fuzz_text").write_text(FUZZER)
        (build / "fuzz_text").chmod(0o755)
        (state / "text.inputs").write_text(f"{state}/seeds/ptx/by_hand")
        (state / "fuzzers.txt").write_text(f"text|-timeout=20 -seed_inputs=@{state}/text.inputs\n")
        os.environ["BUILD"] = str(build)
        self.addCleanup(os.environ.pop, "BUILD")
        self.run_tool("minimise", "ptx")
        kept = self.unpacked("ptx")
        self.assertEqual(len(kept), 2)
        self.assertEqual(kept.pop("by_hand"), b"aaa")
        self.assertLess(set(kept.items()), set(found.items()))
        self.assertEqual(set(*kept.values()), set(b"ab"))

    def test_a_list_for_a_fuzzer_has_commas_between_and_no_end_of_line(self):
        for name in "ab":
            (self.folder / name).write_bytes(b"")
        self.run_tool("inputs", self.folder / "list", self.folder / "b", self.folder / "a")
        self.assertEqual((self.folder / "list").read_text(), f"{self.folder}/b,{self.folder}/a")


class Archives(unittest.TestCase):
    def test_every_archive_is_sorted_without_times_owners_or_seeds_that_are_there_twice(self):
        seeds = load()
        self.assertTrue(seeds.parts())
        for part in seeds.parts():
            with self.subTest(part), tarfile.open(seeds.archive_of(part), "r:xz") as archive:
                members = archive.getmembers()
                names = [member.name for member in members]
                self.assertEqual(names, sorted(names))
                self.assertEqual({(member.mtime, member.uid, member.gid, member.uname, member.gname, member.mode)
                                  for member in members}, {(0, 0, 0, "", "", 0o644)})
                contents = [archive.extractfile(member).read() for member in members]
                self.assertEqual(len(contents), len(set(contents)))


if __name__ == "__main__":
    unittest.main()
