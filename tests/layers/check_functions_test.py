#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check for names compared as text finds each way of doing so, and nothing else."""
import pathlib
import tempfile
import unittest

import check_functions


class Functions(unittest.TestCase):
    def findings(self, code, name="app/lab/src/a.cpp"):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(code)
        return check_functions.check(folder)

    def test_each_comparison_is_found_at_its_line(self):
        for line in ('if (event.name == wanted) return;',
                     'if (wanted != event.symbol) return;',
                     'return a.call.name == b.call.name;',
                     'const bool library = failure.event.name.starts_with(prefix);',
                     'if (store.at(index).name != wanted.call) continue;',
                     'return std::find(names.begin(), names.end(), event.name) != names.end();',
                     'return known.contains(call.name);',
                     'if (event->inside == wanted) return;'):
            with self.subTest(line):
                found = self.findings(f"int a;\n{line}\n")
                self.assertEqual(len(found), 1)
                self.assertIn("app/lab/src/a.cpp:2: a call's name", found[0])

    def test_an_event_of_any_name_is_known_by_its_type(self):
        code = "void f(const trace::Event& mine) {\n  if (mine.name ==\n      wanted) return;\n}\n"
        self.assertIn("a.cpp:2", "".join(self.findings(code)))

    def test_a_copy_of_the_name_is_not_compared_either(self):
        code = "const std::string_view asked = event.name;\nreturn asked.find(word) != std::string_view::npos;\n"
        self.assertIn("a.cpp:2", "".join(self.findings(code)))

    def test_a_function_or_a_family_named_as_text_is_found(self):
        for text in ("cuCtxCreate", "cudaMalloc", "nvrtcVersion", "cuMemcpyHtoD"):
            self.assertIn(f"the function {text} is named", "".join(self.findings(f'use("{text}");\n')))

    def test_other_names_texts_and_comments_are_fine(self):
        self.assertEqual(self.findings(
            "for (const trace::Argument& argument : event.arguments)\n"
            '  if (argument.name == "dev") use(event.name);\n'
            "// event.name == wanted, as in \"cuInit\"\n"
            'use("cudart", "cuda", "cudaErrorInvalidValue", "cuMemAlloc = 3");\n'
            "text += event.name;\n"
            "if (event.symbol != event.name) use(event.symbol);\n"
            "if (event.function == trace::Function::cuInit) return;\n"), [])

    def test_the_probe_may_look_functions_up(self):
        self.assertEqual(self.findings('entry(library, "cuInit");\n', "app/lab/supervisor/probe.cpp"), [])


if __name__ == "__main__":
    unittest.main()
