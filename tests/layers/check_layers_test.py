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


if __name__ == "__main__":
    unittest.main()
