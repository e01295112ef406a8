#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The loader takes what api/README.md allows and refuses everything else with file, line and what was expected."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "api"))

from generators import load  # noqa: E402

TYPES = """\
version = 13000
[constants]
CU_LENGTH = "4"
[integers]
CUdevice = "int"
[handles]
CUcontext = "CUctx_st"
[callbacks]
CUhostFn = "void (void *userData)"
"""
ENUMS = """\
[CUresult]
tag = "cudaError_enum"
[CUresult.values]
CUDA_SUCCESS = 0
[CUflags]
tag = "CUflags_enum"
flags = true
[CUflags.values]
CU_A = 0x01
CU_B = 0x02
"""
STRUCTS = """\
[CUpair]
tag = "CUpair_st"
fields = ["char first", "size_t second[CU_LENGTH]", { union = true, name = "u", fields = ["int a", "double b"] }]
"""
GOOD = """\
[cuThing]
effects = ["changes_current", "creates CUcontext"]
[[cuThing.versions]]
symbol = "cuThing"
since = 2000
declared = "old"
parameters = ["out: CUcontext *pctx", "in flags(CUflags): unsigned int flags"]
[[cuThing.versions]]
symbol = "cuThing_v2"
since = 13000
parameters = [
  "out string(len): char *name",
  "in: int len",
  "in array(len): const int *values",
  "in struct: const CUpair *pair",
]
"""


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)

    def tearDown(self) -> None:
        self.temporary.cleanup()

    def load(self, functions: str = GOOD, types: str = TYPES, enums: str = ENUMS, structs: str = STRUCTS,
             forwarded: str = "") -> load.Api:
        for name, text in (("thing.toml", functions), ("types.toml", types), ("enums.toml", enums),
                           ("structs.toml", structs), ("forwarded_names.txt", forwarded)):
            (self.folder / name).write_text(text, encoding="utf-8")
        return load.load(self.folder)

    def refused(self, *words: str, **files: str) -> None:
        with self.assertRaises(load.DescriptionError) as caught:
            self.load(**files)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def refused_parameter(self, parameter: str, *words: str) -> None:
        self.refused("thing.toml:6:", "cuThing", *words, functions="[cuThing]\n\n[[cuThing.versions]]\n"
                     f'symbol = "cuThing"\nsince = 2000\nparameters = ["{parameter}"]\n')


class GoodDescriptions(Folder):
    def test_versions_come_oldest_first_and_the_default_is_the_one_not_marked(self) -> None:
        api = self.load()
        function = api.function("cuThing")
        self.assertEqual([point.symbol for point in function.entry_points], ["cuThing", "cuThing_v2"])
        self.assertEqual(api.default_entry_point(function).symbol, "cuThing_v2")
        self.assertTrue(function.changes_current)
        self.assertEqual(function.created(), ["CUcontext"])

    def test_indices_follow_the_order_of_symbols(self) -> None:
        self.assertEqual([(p.index, p.symbol) for p in self.load().entry_points], [(0, "cuThing"), (1, "cuThing_v2")])

    def test_parameters_carry_role_kind_and_length(self) -> None:
        point = self.load().by_symbol("cuThing_v2")
        name, _, values, pair = point.parameters
        self.assertEqual((name.role, name.kind, name.length, point.length_index(name)), ("out", "string", "len", 1))
        self.assertEqual((values.role, values.kind, values.array, values.value.bytes), ("in", "signed", True, 4))
        self.assertEqual((pair.kind, pair.pointer, pair.value.name), ("struct", True, "CUpair"))

    def test_structs_are_laid_out_as_c_does(self) -> None:
        pair = self.load().structs["CUpair"]
        self.assertEqual([(field.name, field.offset, field.bytes) for field in pair.fields],
                         [("first", 0, 1), ("second", 8, 32), ("u", 40, 8)])
        self.assertEqual((pair.bytes, pair.alignment), (48, 8))

    def test_the_projects_own_description_loads(self) -> None:
        api = load.load()
        self.assertEqual(api.version, 13000)
        self.assertGreater(len(api.entry_points), 600)


class RefusedDescriptions(Folder):
    def test_what_is_not_toml(self) -> None:
        self.refused("thing.toml:1:", "not TOML", functions="cuThing = = 3\n")

    def test_an_unknown_key(self) -> None:
        self.refused("thing.toml:2:", "unknown key 'efects'", "effects", functions="[cuThing]\nefects = []\nversions = []\n")

    def test_a_missing_key(self) -> None:
        self.refused("thing.toml:1:", "'versions' is missing", functions="[cuThing]\neffects = []\n")

    def test_a_key_of_the_wrong_type(self) -> None:
        self.refused("thing.toml:10:", "'since' must be a int", functions=GOOD.replace("13000", '"13.0"'))

    def test_an_unknown_effect(self) -> None:
        self.refused("thing.toml:2:", "explodes", "changes_current", functions=GOOD.replace("changes_current", "explodes"))

    def test_an_effect_on_something_that_is_no_handle(self) -> None:
        self.refused("CUnone", "no handle type", functions=GOOD.replace("creates CUcontext", "creates CUnone"))

    def test_a_symbol_of_another_name(self) -> None:
        self.refused("cuOther", "must begin with the name", functions=GOOD.replace('"cuThing_v2"', '"cuOther"'))

    def test_the_same_function_twice(self) -> None:
        (self.folder / "again.toml").write_text(GOOD, encoding="utf-8")
        self.refused("thing.toml", "described twice", "again.toml")

    def test_the_same_symbol_twice(self) -> None:
        self.refused("cuThing_v2", "described twice", functions=GOOD + GOOD[GOOD.rindex("[[cuThing"):])

    def test_a_forwarded_name_that_is_described(self) -> None:
        self.refused("forwarded_names.txt", "cuThing", "one place", forwarded="# names\ncuThing\n")

    def test_a_stream_or_declaration_nobody_knows(self) -> None:
        self.refused("stream is 'mine'", "legacy or per_thread",
                     functions=GOOD.replace("since = 13000", 'since = 13000\nstream = "mine"'))
        self.refused("declared is 'new'", functions=GOOD.replace('"old"', '"new"'))

    def test_an_enumerator_that_is_no_number(self) -> None:
        self.refused("enums.toml:9:", "CU_A", "must be a number", enums=ENUMS.replace("0x01", '"one"'))

    def test_a_text_for_no_enumerator(self) -> None:
        self.refused("CU_C", "no value", enums=ENUMS + '[CUflags.texts]\nCU_C = "see"\n')

    def test_a_field_that_is_no_declaration(self) -> None:
        self.refused("structs.toml:3:", "CUpair", "C declaration", structs=STRUCTS.replace("char first", "first"))

    def test_a_field_of_unknown_type(self) -> None:
        self.refused("structs.toml:3:", "CUodd", structs=STRUCTS.replace("char first", "CUodd first"))

    def test_an_unknown_section_of_types(self) -> None:
        self.refused("types.toml:", "unknown section 'floats'", types=TYPES + '[floats]\nCUf = "float"\n')


class RefusedParameters(Folder):
    def test_no_role(self) -> None:
        self.refused_parameter("CUcontext *pctx", "ROLE [KIND]: C DECLARATION")

    def test_an_unknown_role(self) -> None:
        self.refused_parameter("result: CUcontext *pctx", "the role must be one of in, out, inout")

    def test_an_unknown_kind(self) -> None:
        self.refused_parameter("in colour: int x", "unknown kind 'colour'")

    def test_a_kind_without_its_argument(self) -> None:
        self.refused_parameter("in flags: unsigned int x", "needs an argument")

    def test_an_output_that_is_no_pointer(self) -> None:
        self.refused_parameter("out: int x", "must be a pointer")

    def test_an_output_that_is_const(self) -> None:
        self.refused_parameter("out: const int *x", "const cannot be 'out'")

    def test_a_length_that_is_no_parameter(self) -> None:
        self.refused_parameter("in array(count): const int *x", "length 'count'")

    def test_an_unknown_enumeration(self) -> None:
        self.refused_parameter("in flags(CUnone): unsigned int x", "no enumeration 'CUnone'")

    def test_an_unknown_type(self) -> None:
        self.refused_parameter("in: CUnone x", "'CUnone' is no type")

    def test_a_struct_that_is_none(self) -> None:
        self.refused_parameter("in struct: const int *x", "'int' is no struct")

    def test_a_declaration_that_is_none(self) -> None:
        self.refused_parameter("in: int", "not a C declaration")


if __name__ == "__main__":
    unittest.main()
