#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_architecture.py finds a stop that is gone, and complains about none that is there."""
import pathlib
import tempfile
import unittest

import check_architecture

CODE = """
// gone(x) { was here once; "quoted
int called(int);
int first(int a, int (*then)(int)) {
  if (called(a)) { return other.method(a); }
  return called(a);
}
template <class T>
std::size_t Shelf<T>::Impl::size() const noexcept {
  return called(0);
}
Shelf::Shelf() : books_(0) {}
struct Record { int units() const { return 1; } int declared() const; };
ON_STREAM(cuThing, (int a), called(a))
"""


class Walks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.project = pathlib.Path(self.folder.name)
        (self.project / "trace/src").mkdir(parents=True)
        (self.project / "trace/src/live.cpp").write_text(CODE)
        (self.project / "api").mkdir()
        (self.project / "api/generate.py").write_text("def make(names):\n    return names\n")

    def found(self, *stops, text=""):
        rows = [f"| {n} | `{path}` | `{name}` | … |" for n, (path, name) in enumerate(stops, 1)]
        rows += ["| 8 | `api/generate.py` | `make` | … |"] * 2
        return check_architecture.findings("\n".join([text, *rows]), self.project)

    def test_a_function_that_is_defined_in_the_file_is_not_complained_about(self):
        for name in ("first", "Shelf::Shelf", "Record::units", "cuThing"):
            with self.subTest(name):
                self.assertEqual(self.found(("trace/src/live.cpp", name)), [])

    def test_a_method_of_a_template_or_an_inner_class_is_found_by_its_whole_name(self):
        code = CODE.replace("Shelf<T>::Impl::size", "Shelf::Impl::size")
        (self.project / "trace/src/live.cpp").write_text(code)
        self.assertEqual(self.found(("trace/src/live.cpp", "Shelf::Impl::size")), [])

    def test_what_is_only_called_declared_or_mentioned_is_named(self):
        for name in ("called", "gone", "method", "Record::declared", "Shelf::size", "nowhere"):
            with self.subTest(name):
                self.assertEqual(self.found(("trace/src/live.cpp", name)),
                                 [f"docs/architecture.md:2: trace/src/live.cpp defines no {name}"])

    def test_a_file_that_is_not_there_is_named_once_as_a_place_and_once_as_a_stop(self):
        self.assertEqual(self.found(("trace/src/dead.cpp", "first")),
                         ["docs/architecture.md:2: there is no trace/src/dead.cpp",
                          "docs/architecture.md:2: trace/src/dead.cpp is no file"])

    def test_a_file_or_folder_in_the_words_or_the_drawing_counts_too(self):
        self.assertEqual(self.found(text="trace/src/live.cpp and trace/src, trace/ and api/generate.py."), [])
        self.assertEqual(self.found(text="│ app/lab │"), ["docs/architecture.md:1: there is no app/lab"])

    def test_a_document_without_stops_proves_nothing_and_is_named(self):
        self.assertEqual(check_architecture.findings("Nothing here.\n", self.project),
                         ["docs/architecture.md: 0 stops are not a walk"])


if __name__ == "__main__":
    unittest.main()
