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
CUthing = "CUthing_st"
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
OBJECTS = """\
[Context]
type = "CUcontext"
[Thing]
type = "CUthing"
[Thread]
[Allocation]
address = true
"""
GOOD = """\
[cuThing]
effects = ["changes_current"]
[[cuThing.versions]]
symbol = "cuThing"
since = 2000
declared = "old"
parameters = ["out known: CUcontext *pctx", "in flags(CUflags): unsigned int flags"]
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
VARIANTS = """\
[cuThing]
[[cuThing.versions]]
symbol = "cuThing"
since = 2000
declared = "old"
per_thread = "ptds"
parameters = ["in: int number"]
[[cuThing.versions]]
symbol = "cuThing_v2"
since = 13000
per_thread = "ptds"
"""

MAKES = """\
[cuMake]
makes = { kind = "Thing", handle = "thing", of = "ctx", label = "name", size = "bytes" }
[[cuMake.versions]]
symbol = "cuMake"
since = 2000
parameters = ["out: CUthing *thing", "in: CUcontext ctx", "in: const char *name", "in: size_t bytes"]
"""
ENDS = """\
[cuEnd]
ends = { kind = "Thing", handle = "thing" }
[[cuEnd.versions]]
symbol = "cuEnd"
since = 2000
parameters = ["in: CUthing thing", "in: CUcontext ctx"]
"""
SILENT = "[cuGet]\n"
SILENT_VERSION = """\
[[cuGet.versions]]
symbol = "cuGet"
since = 2000
parameters = ["out: CUthing *thing"]
"""


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)

    def tearDown(self) -> None:
        self.temporary.cleanup()

    def load(self, functions: str = GOOD, types: str = TYPES, enums: str = ENUMS, structs: str = STRUCTS,
             objects: str = OBJECTS, forwarded: str = "") -> load.Api:
        for name, text in (("thing.toml", functions), ("types.toml", types), ("enums.toml", enums),
                           ("structs.toml", structs), ("objects.toml", objects), ("forwarded_names.txt", forwarded)):
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
        self.assertTrue(function.entry_points[0].parameters[0].known)

    def test_a_function_with_one_version_needs_no_list_of_versions(self) -> None:
        function = self.load('[cuThing]\nsince = 2000\nparameters = ["in: int number"]\n').function("cuThing")
        self.assertEqual([(point.symbol, point.since) for point in function.entry_points], [("cuThing", 2000)])

    def test_a_version_has_the_parameters_of_the_one_before_and_a_variant_those_of_its_version(self) -> None:
        points = self.load(VARIANTS).function("cuThing").entry_points
        self.assertEqual([(point.symbol, point.since, point.stream, point.declared) for point in points],
                         [("cuThing", 2000, "legacy", "old"), ("cuThing_ptds", 7000, "per_thread", "old"),
                          ("cuThing_v2", 13000, "legacy", "default"), ("cuThing_v2_ptds", 13000, "per_thread", "per_thread")])
        self.assertEqual({tuple(point.parameters) for point in points}, {tuple(points[0].parameters)})

    def test_a_library_without_look_up_by_version_says_once_since_when_it_has_its_functions(self) -> None:
        api = self.load("[cuThing]\nparameters = []\n", types=TYPES.replace("[constants]", "since = 12000\n[constants]"))
        self.assertEqual(api.by_symbol("cuThing").since, 12000)

    def test_what_a_call_makes_knows_the_kind_of_what_it_comes_from(self) -> None:
        makes = self.load(MAKES).function("cuMake").makes
        self.assertEqual((makes.kind, makes.handle, makes.of, makes.origin, makes.origin_kind, makes.label, makes.size),
                         ("Thing", "thing", "ctx", "ctx", "Context", "name", "bytes"))
        makes = self.load(MAKES.replace('of = "ctx"', 'of = "process", from = "ctx"')).function("cuMake").makes
        self.assertEqual((makes.of, makes.origin, makes.origin_kind), ("process", "ctx", "Context"))
        makes = self.load(MAKES.replace('of = "ctx"', 'of = "current"')).function("cuMake").makes
        self.assertEqual((makes.of, makes.origin, makes.origin_kind), ("current", "", ""))

    def test_what_a_call_ends_is_named_by_what_it_is_passed(self) -> None:
        ends = self.load(ENDS).function("cuEnd").ends
        self.assertEqual((ends.kind, ends.handle), ("Thing", "thing"))

    def test_a_call_is_forwarded_with_its_own_arguments_or_with_others(self) -> None:
        forwards = self.load(ENDS.replace("[[", 'forwards = "cuStop"\n[[', 1)).function("cuEnd").forwards
        self.assertEqual((forwards.function, forwards.arguments, forwards.needs_context), ("cuStop", ["thing", "ctx"], True))
        text = ENDS.replace("[[", 'forwards = "cuStop(ctx, CU_A)"\nwithout_context = true\n[[', 1)
        forwards = self.load(text).function("cuEnd").forwards
        self.assertEqual((forwards.function, forwards.arguments, forwards.needs_context), ("cuStop", ["ctx", "CU_A"], False))

    def test_an_output_of_a_call_that_is_not_followed_needs_no_more_words(self) -> None:
        self.assertEqual(self.load(SILENT + 'not_followed = "because"\n' + SILENT_VERSION).function("cuGet").not_followed,
                         "because")

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


    def test_a_struct_may_have_the_fields_of_another(self) -> None:
        structs = STRUCTS + '[CUtwin]\ntag = "CUtwin_st"\nfields = "CUpair"\n'
        api = self.load(structs=structs)
        self.assertEqual([field.declaration for field in api.structs["CUtwin"].fields],
                         [field.declaration for field in api.structs["CUpair"].fields])
        self.refused("structs.toml:6:", "'CUnone' is no struct", structs=structs.replace('"CUpair"', '"CUnone"'))


class RefusedDescriptions(Folder):
    def test_what_is_not_toml(self) -> None:
        self.refused("thing.toml:1:", "not TOML", functions="cuThing = = 3\n")

    def test_an_unknown_key(self) -> None:
        self.refused("thing.toml:2:", "unknown key 'efects'", "effects", functions="[cuThing]\nefects = []\nversions = []\n")

    def test_a_missing_key(self) -> None:
        self.refused("thing.toml:1:", "'parameters' is missing", functions="[cuThing]\neffects = []\nsince = 2000\n")
        self.refused("thing.toml:1:", "'since' is missing", functions="[cuThing]\nparameters = []\n")
        self.refused("'parameters' is missing", functions="[cuThing]\n[[cuThing.versions]]\nsymbol = \"cuThing\"\nsince = 2000\n")

    def test_a_key_of_the_wrong_type(self) -> None:
        self.refused("thing.toml:10:", "'since' must be a int", functions=GOOD.replace("13000", '"13.0"'))

    def test_an_unknown_effect(self) -> None:
        self.refused("thing.toml:2:", "explodes", "changes_current", functions=GOOD.replace("changes_current", "explodes"))

    def test_a_symbol_of_another_name(self) -> None:
        self.refused("cuOther", "must begin with the name", functions=GOOD.replace('"cuThing_v2"', '"cuOther"'))

    def test_the_same_function_twice(self) -> None:
        (self.folder / "again.toml").write_text(GOOD, encoding="utf-8")
        self.refused("thing.toml", "described twice", "again.toml")

    def test_the_same_symbol_twice(self) -> None:
        self.refused("cuThing_v2", "described twice", functions=GOOD + GOOD[GOOD.rindex("[[cuThing"):])

    def test_a_forwarded_name_that_is_described(self) -> None:
        self.refused("forwarded_names.txt", "cuThing", "one place", forwarded="# names\ncuThing\n")

    def test_a_variant_or_declaration_nobody_knows(self) -> None:
        self.refused("thing.toml:11:", "per_thread is 'mine'", "ptds or ptsz",
                     functions=GOOD.replace("since = 13000", 'since = 13000\nper_thread = "mine"'))
        self.refused("thing.toml:6:", "declared is 'new'", functions=GOOD.replace('"old"', '"new"'))

    def test_a_variant_that_is_described_as_a_version_too(self) -> None:
        self.refused("'cuThing_v2_ptds' is described twice",
                     functions=VARIANTS + '[[cuThing.versions]]\nsymbol = "cuThing_v2_ptds"\nsince = 13000\n')

    def test_a_version_that_is_the_same_as_none_with_its_parameters(self) -> None:
        same = VARIANTS.replace('declared = "old"', 'declared = "old"\nsame_as = "cuThing_v2"')
        points = self.load(same).function("cuThing").entry_points
        self.assertEqual([point.same_as for point in points], ["cuThing_v2", "cuThing_v2_ptds", "", ""])
        self.refused("thing.toml:6:", "'cuThing_v3' is no version", functions=same.replace('same_as = "cuThing_v2"', 'same_as = "cuThing_v3"'))
        self.refused("'cuThing_v2' is no version", functions=same + 'parameters = ["in: size_t number"]\n')

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

    def test_a_kind_of_object_with_a_type_that_is_none(self) -> None:
        self.refused("objects.toml:4:", "CUnone", "no type of handle", objects=OBJECTS.replace("CUthing", "CUnone"))
        self.refused("objects.toml:5:", "not known by its address", objects=OBJECTS.replace('"CUthing"', '"CUthing"\naddress = true'))


class RefusedLifetimes(Folder):
    def refused_makes(self, old: str, new: str, *words: str) -> None:
        self.refused("thing.toml:2:", "cuMake", *words, functions=MAKES.replace(old, new, 1))

    def test_a_kind_that_nobody_knows_or_that_no_call_makes(self) -> None:
        self.refused_makes('"Thing"', '"Thin"', "'Thin' is no kind of object", "Context, Thing, Allocation")
        self.refused_makes('"Thing"', '"Thread"', "'Thread' is no kind of object")

    def test_a_key_that_is_missing_or_unknown(self) -> None:
        self.refused("thing.toml:1:", "the key 'of' is missing", functions=MAKES.replace('of = "ctx", ', ""))
        self.refused_makes("label", "lable", "unknown key 'lable'", "label")

    def test_a_handle_that_is_no_parameter_or_of_another_type(self) -> None:
        self.refused_makes('handle = "thing"', 'handle = "thin"', "'thin' is no parameter of each version")
        self.refused_makes('handle = "thing"', 'handle = "ctx"', "'ctx' holds no CUthing")
        self.refused_makes('kind = "Thing"', 'kind = "Allocation", memory = "Host"', "'thing' holds no address")

    def test_a_parameter_that_only_one_version_has(self) -> None:
        younger = MAKES[MAKES.index("[["):].replace('"cuMake"', '"cuMake_v2"').replace("*name", "*path")
        self.refused("thing.toml:2:", "'name' is no parameter of each version", functions=MAKES + younger)

    def test_an_owner_that_is_no_handle_of_a_kind(self) -> None:
        self.refused_makes('of = "ctx"', 'of = "bytes"', "'bytes' is no handle of a kind")
        self.refused_makes('of = "ctx"', 'of = "nobody"', "'nobody' is no parameter", "current, driver, process")
        self.refused_makes('of = "ctx"', 'of = "ctx", from = "ctx"', "so that is what it comes from")

    def test_a_name_that_is_no_text_and_a_size_that_is_no_number(self) -> None:
        self.refused_makes('label = "name"', 'label = "bytes"', "'bytes' is no text")
        self.refused_makes('size = "bytes"', 'size = "name"', "'name' is no number")
        self.refused_makes('size = "bytes"', 'rows = "bytes"', "'rows' needs 'size'")

    def test_memory_of_what_is_no_allocation_and_of_no_kind(self) -> None:
        self.refused_makes('kind = "Thing"', 'kind = "Thing", memory = "Host"', "'memory' says of which kind an Allocation is")
        pointer = MAKES.replace("CUthing *thing", "void **thing").replace('"Thing"', '"Allocation"')
        self.refused("thing.toml:2:", "'memory' says", functions=pointer)
        self.refused("thing.toml:2:", "memory is 'Odd'", "Device, Host",
                     functions=pointer.replace('"Allocation"', '"Allocation", memory = "Odd"'))

    def test_an_end_of_what_the_call_writes_or_does_not_have(self) -> None:
        self.refused("thing.toml:2:", "cuEnd", "'thin' is no parameter", functions=ENDS.replace('handle = "thing"', 'handle = "thin"'))
        self.refused("thing.toml:2:", "cuEnd", "that is in", functions=ENDS.replace("in: CUthing thing", "out: CUthing *thing"))

    def test_an_output_of_which_nobody_says_whether_it_is_new(self) -> None:
        self.refused("thing.toml:5:", "'thing' receives a handle", "'makes'", "'known'", "'not_followed'",
                     functions=SILENT + SILENT_VERSION)

    def test_known_of_what_is_made_and_of_what_is_no_handle(self) -> None:
        self.refused("thing.toml:6:", "'thing' is 'known'", functions=MAKES.replace("out: CUthing", "out known: CUthing"))
        self.refused("thing.toml:6:", "'bytes' is 'known'", functions=MAKES.replace("in: size_t", "in known: size_t"))

    def test_a_reason_for_not_following_what_is_followed(self) -> None:
        self.refused("cuMake", "what it makes is followed", functions=MAKES.replace("[[", 'not_followed = "no"\n[[', 1))


class RefusedForwards(Folder):
    def refused_forwards(self, value: str, *words: str) -> None:
        self.refused("thing.toml:2:", "cuEnd", *words, functions=ENDS.replace("[[", f"{value}\n[[", 1).replace(
            'ends = { kind = "Thing", handle = "thing" }\n', ""))

    def test_what_is_no_call_of_the_driver(self) -> None:
        self.refused_forwards('forwards = "cudaEnd"', "no call of the driver", "cuNAME(ARGUMENTS)")

    def test_an_argument_that_is_neither_a_parameter_nor_a_constant(self) -> None:
        self.refused_forwards('forwards = "cuStop(thing, flags)"', "'flags' is neither", "thing, ctx")

    def test_without_context_alone(self) -> None:
        self.refused_forwards("without_context = true", "belongs to 'forwards'")


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
