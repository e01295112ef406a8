#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The layer check raises what it should and nothing else."""
import pathlib
import tempfile
import unittest

import check_layers

TABLE = """
| folder | holds | may include |
| --- | --- | --- |
| `api` | data | nothing |
| `trace` | tracer | `api` |
| `driver` | driver | `api` |
| `app/lab` | heart | `trace` |
| `app/gui` | window | `app/lab` |
| `app/cli` | commands | `app/lab` |
| `lessons` | lessons | nothing |
| `tests` | tests | all |
| `tools` | tools | nothing |
| `assets` | assets | nothing |
"""


class Layers(unittest.TestCase):
    def project(self, files):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in check_layers.read_table(TABLE):
            (folder / name).mkdir(parents=True)
        (folder / "CONTRIBUTING.md").write_text(TABLE)
        for name, text in files.items():
            (folder / name).write_text(text)
        return folder

    def test_a_downward_include_is_not_complained_about(self):
        self.assertEqual(check_layers.check(self.project({"trace/a.cpp": '#include "api/x.hpp"\n'})), [])

    def test_an_include_of_the_own_layer_is_not_complained_about(self):
        self.assertEqual(check_layers.check(self.project({"app/lab/a.cpp": '#include "lab/x.hpp"\n'})), [])

    def test_an_upward_include_is_named_with_its_place(self):
        found = check_layers.check(self.project({"trace/a.cpp": '\n#include "lab/model.hpp"\n'}))
        self.assertEqual(len(found), 1)
        self.assertIn("trace/a.cpp:2", found[0])
        self.assertIn("lab/model.hpp", found[0])

    def test_cuda_h_in_the_window_is_named(self):
        self.assertEqual(len(check_layers.check(self.project({"app/gui/a.cpp": "#include <cuda.h>\n"}))), 1)

    def test_another_table_that_names_a_layer_is_not_taken_for_the_first(self):
        folder = self.project({"trace/a.cpp": '#include "api/x.hpp"\n'})
        (folder / "CONTRIBUTING.md").write_text(TABLE + "\n| layer | errors | and |\n| --- | --- | --- |\n| `trace` | none | none |\n")
        self.assertEqual(check_layers.check(folder), [])

    def test_a_folder_that_the_table_invents_is_named(self):
        folder = self.project({})
        (folder / "CONTRIBUTING.md").write_text(TABLE + "| `ghost` | gone | nothing |\n")
        self.assertEqual(len(check_layers.check(folder)), 1)


ROOMS = TABLE + """
| room of `app/lab/src` | holds | may include |
| --- | --- | --- |
| `base` | files | nothing |
| `model` | states | `base` |
| `run` | sessions | `base` |

| room of `driver` | holds | may include |
| --- | --- | --- |
| `ptx` | front end | nothing |
| `runner` | kernels | `ptx` |
| `src` | driver | `runner` |
"""


class Rooms(unittest.TestCase):
    FILES = {"app/lab/src/base/files.cpp": "", "app/lab/src/base/lines.hpp": "", "app/lab/src/model/apply.hpp": "",
             "app/lab/src/run/session.cpp": "", "app/lab/include/lab/files.hpp": "", "app/lab/include/lab/result.hpp": "",
             "app/lab/include/lab/session.hpp": "", "driver/ptx/include/ptx/parse.hpp": "",
             "driver/runner/include/runner/control.hpp": "", "driver/src/core/stream.hpp": ""}

    def found(self, files, table=ROOMS):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "CONTRIBUTING.md").write_text(table)
        for name, text in (self.FILES | files).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        return check_layers.check_rooms(folder)

    def test_includes_of_the_own_room_and_of_those_allowed_are_not_complained_about(self):
        self.assertEqual(self.found({
            "app/lab/src/model/a.cpp": '#include "model/apply.hpp"\n#include "base/lines.hpp"\n#include "lab/files.hpp"\n'
                                       '#include "lab/result.hpp"\n#include <vector>\n',
            "driver/src/a.cpp": '#include "core/stream.hpp"\n#include "runner/control.hpp"\n',
            "driver/generated/b.cpp": '#include "core/stream.hpp"\n'}), [])

    def test_an_include_of_another_room_is_named_with_its_place(self):
        for path, name in (("app/lab/src/run/a.cpp", "model/apply.hpp"), ("app/lab/src/base/a.cpp", "lab/session.hpp"),
                           ("app/lab/include/lab/files.hpp", "lab/session.hpp"), ("driver/ptx/src/a.cpp", "runner/control.hpp"),
                           ("driver/runner/src/a.cpp", "core/stream.hpp"), ("driver/src/a.cpp", "ptx/parse.hpp")):
            with self.subTest(path):
                found = self.found({path: f'\n#include "{name}"\n'})
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"{path}:2: includes {name} of ", found[0])

    def test_a_private_header_without_its_room_is_named(self):
        found = self.found({"app/lab/src/model/a.cpp": '#include "apply.hpp"\n'})
        self.assertEqual(found, ["app/lab/src/model/a.cpp:1: includes apply.hpp, not model/apply.hpp"])

    def test_a_file_of_no_room_is_named(self):
        for path in ("app/lab/src/a.cpp", "app/lab/src/attic/a.cpp", "app/lab/include/lab/a.hpp", "driver/attic/src/a.cpp"):
            with self.subTest(path):
                found = self.found({path: ""})
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"{path}: belongs to no room", found[0])

    def test_a_room_that_is_not_there_and_a_circle_are_named(self):
        found = self.found({}, ROOMS + "| `attic` | gone | nothing |\n")
        self.assertEqual(len(found), 1, found)
        self.assertIn("names attic/", found[0])
        found = self.found({}, ROOMS.replace("| `ptx` | front end | nothing |", "| `ptx` | front end | `runner` |"))
        self.assertEqual(len(found), 1, found)
        self.assertIn("ptx may include runner, which does not stand above it", found[0])


if __name__ == "__main__":
    unittest.main()
