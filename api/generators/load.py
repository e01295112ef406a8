# SPDX-License-Identifier: MIT
"""Reads the description of an API (api/driver/*.toml, api/runtime/*.toml, api/nvrtc/*.toml) into dataclasses, strictly.

Every generator reads the description through this module, so that a mistake in the data is reported once, with
file, line and what was expected, and never reaches generated code. The grammar is in api/README.md. Nothing here
depends on what the generators make of the description.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "driver"
RUNTIME_DATA = DATA.parent / "runtime"
NVRTC_DATA = DATA.parent / "nvrtc"

ROLES = ("in", "out", "inout")
PLAIN_KINDS = ("boolean", "known", "pointer", "string", "struct", "size")
KINDS_WITH_ARGUMENT = ("flags", "enum", "handle", "array", "string", "strings", "bytes", "sample", "struct", "default")
EFFECTS = ("answers_before_init", "changes_current", "frequent", "initializes", "needs_context", "quick", "writes")
# What an object that a call makes ends with; any other word names the argument with the object that owns it.
LIFETIMES = ("current", "driver", "process")
MEMORY = ("Device", "Host", "Imported", "Managed", "Mapped", "Pooled", "Registered")
VARIANTS = ("ptds", "ptsz")  # what the symbols end with that have a default stream for each thread
FIRST_VARIANTS = 7000  # the CUDA version that brought them
BASE_TYPES = {  # size in bytes on LP64, kind of value
    "char": (1, "signed"), "signed char": (1, "signed"), "unsigned char": (1, "unsigned"),
    "short": (2, "signed"), "unsigned short": (2, "unsigned"), "int": (4, "signed"),
    "unsigned int": (4, "unsigned"), "unsigned": (4, "unsigned"), "long": (8, "signed"), "unsigned long": (8, "unsigned"), "long long": (8, "signed"),
    "unsigned long long": (8, "unsigned"), "uint32_t": (4, "unsigned"), "uint64_t": (8, "unsigned"),
    "size_t": (8, "size"), "bool": (1, "boolean"), "float": (4, "float"), "double": (8, "float"), "void": (0, "pointer"),
}


class DescriptionError(Exception):
    """A mistake in the data: file:line: what is wrong and what was expected."""


@dataclass(frozen=True)
class Type:
    """The type of a value without its pointers: `kind` is one of unsigned, signed, float, size, boolean,
    enum, flags, handle, device, device_pointer, pointer, string, struct, result, bytes."""

    kind: str
    bytes: int  # 0: not known or not fixed
    name: str = ""  # of the handle, enum or struct; otherwise the C type


@dataclass(frozen=True)
class Parameter:
    name: str
    declaration: str  # as in the header: "const char *name"
    c_type: str  # "const char *"
    role: str  # in, out, inout
    kind: str  # as Type.kind, of the value (of the pointee where `pointer`)
    pointer: bool  # the word is an address, the value lies there
    array: bool = False  # several values lie there
    length: str = ""  # of an array, string or bytes: a parameter's name, a number, or ""
    value: Type = Type("unsigned", 4)
    sample: bool = False  # the program's own data, `length` bytes, of which a part is kept
    default: str = ""  # in C++, its value if a program leaves it out
    known: bool = False  # receives the handle of something that existed before the call

    @property
    def length_number(self) -> int | None:
        return int(self.length) if self.length.isdigit() else None


@dataclass
class EntryPoint:
    """One version of a function: one exported symbol."""

    function: "Function"
    symbol: str
    since: int
    stream: str  # "", "legacy", "per_thread"
    declared: str  # "default": by plain cuda.h; "per_thread": there too, as a variant; "old": only on demand
    parameters: list[Parameter]
    index: int = -1  # position in Api.entry_points, the number that records carry
    returns: str = ""  # the return type, if it is not that of all other functions
    same_as: str = ""  # the symbol of another version, for which the embedded driver does the same

    def length_index(self, parameter: Parameter) -> int:
        """Index of the parameter that holds the length, or -1."""
        names = [other.name for other in self.parameters]
        return names.index(parameter.length) if parameter.length in names else -1


@dataclass(frozen=True)
class ObjectKind:
    """A kind of object that calls make and end. A handle of its type or an address identifies it, or its number."""

    name: str
    type: str
    address: bool


@dataclass(frozen=True)
class Makes:
    """What a successful call makes. All fields but `kind`, `memory` and `of` are names of parameters."""

    kind: str
    handle: str
    of: str  # one of LIFETIMES, or the parameter with the object that owns it
    origin: str  # the parameter with the object that it was made from; the same as `of` if `of` is a parameter
    origin_kind: str
    memory: str
    label: str
    size: str
    rows: str


@dataclass(frozen=True)
class Ends:
    kind: str
    handle: str


@dataclass(frozen=True)
class Forwards:
    """The one driver call that a function of the runtime consists of."""

    function: str
    arguments: list[str]  # the runtime's parameters, or constants of the driver
    needs_context: bool


@dataclass
class Function:
    """A function under its name in the manual, with all its versions, oldest first."""

    name: str
    group: str
    effects: list[str]
    entry_points: list[EntryPoint]
    makes: Makes | None = None
    ends: Ends | None = None
    not_followed: str = ""  # why the description does not say what it makes
    unsupported: str = ""  # why the embedded driver does not have it
    forwards: Forwards | None = None

    @property
    def quick(self) -> bool:
        return "quick" in self.effects

    @property
    def frequent(self) -> bool:
        return "frequent" in self.effects

    @property
    def writes(self) -> bool:
        return "writes" in self.effects

    @property
    def changes_current(self) -> bool:
        return "changes_current" in self.effects


@dataclass
class Enum:
    name: str
    tag: str
    flags: bool
    values: dict[str, int]
    texts: dict[str, str]
    aliases: list[str]
    macros: bool = False  # no C type: the header has macros
    header: str = "cuda.h"


@dataclass
class Field:
    declaration: str  # "" for a nested union or struct
    name: str
    type: Type | None
    count: int  # of an array; 0: a single value
    offset: int
    bytes: int
    nested: "Struct | None" = None


@dataclass
class Struct:
    name: str  # "" when nested
    tag: str
    union: bool
    fields: list[Field]
    aliases: list[str]
    bytes: int = 0
    alignment: int = 1
    old: bool = False  # declared only on demand
    aligned: int = 0  # alignment asked for explicitly


@dataclass
class Api:
    version: int = 0
    since: int = 0  # of all functions that do not say it; 0: each says it
    constants: dict[str, str] = field(default_factory=dict)
    integers: dict[str, str] = field(default_factory=dict)
    old_integers: dict[str, str] = field(default_factory=dict)
    handles: dict[str, str] = field(default_factory=dict)
    callbacks: dict[str, str] = field(default_factory=dict)
    objects: dict[str, ObjectKind] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)  # plain names that mean another function
    enums: dict[str, Enum] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    entry_points: list[EntryPoint] = field(default_factory=list)
    forwarded: list[str] = field(default_factory=list)
    forwarded_12: list[str] = field(default_factory=list)  # instead of what is described, for CUDA 12's library
    enum_aliases: dict[str, str] = field(default_factory=dict)
    struct_aliases: dict[str, str] = field(default_factory=dict)

    def by_symbol(self, symbol: str) -> EntryPoint | None:
        return next((e for e in self.entry_points if e.symbol == symbol), None)

    def object_of(self, value: Type) -> ObjectKind | None:
        """The kind of the objects that handles of this type refer to."""
        return next((kind for kind in self.objects.values() if kind.type and kind.type == value.name), None)

    def function(self, name: str) -> Function | None:
        return next((f for f in self.functions if f.name == name), None)

    def default_entry_point(self, function: Function) -> EntryPoint | None:
        """The version that the plain name means in a program made with cuda.h."""
        return next((e for e in function.entry_points if e.declared == "default"), None)

    def enum_index(self, name: str) -> int:
        return list(self.enums).index(self.enum_aliases.get(name, name))

    def struct_index(self, name: str) -> int:
        return list(self.structs).index(self.struct_aliases.get(name, name))


class Source:
    """One TOML file, with functions that find the line of something in it."""

    def __init__(self, path: Path):
        self.path = path
        self.lines = path.read_text(encoding="utf-8").splitlines()
        try:
            self.data = tomllib.loads("\n".join(self.lines) + "\n")
        except tomllib.TOMLDecodeError as error:
            match = re.search(r"line (\d+)", str(error))
            line = match.group(1) if match else "1"
            raise DescriptionError(f"{path}:{line}: this is not TOML: {error}") from None

    def fail(self, needle: str, message: str, after: str = "") -> DescriptionError:
        start = next((n for n, line in enumerate(self.lines) if after and after in line), 0)
        found = next((n for n in range(start, len(self.lines)) if needle in self.lines[n]), start)
        return DescriptionError(f"{self.path}:{found + 1}: {message}")

    def check_keys(self, table: dict, required: dict[str, type], optional: dict[str, type], where: str) -> None:
        if not isinstance(table, dict):
            raise self.fail(where, f"{where}: a table was expected")
        for key, kind in required.items():
            if key not in table:
                raise self.fail(f"[{where}]", f"{where}: the key '{key}' is missing")
            if not isinstance(table[key], kind):
                raise self.fail(f"{key} = {json.dumps(table[key])}", f"{where}: '{key}' must be a {kind.__name__}",
                                f"[{where}")
        for key, value in table.items():
            if key in required:
                continue
            if key not in optional:
                expected = ", ".join([*required, *optional])
                raise self.fail(key, f"{where}: unknown key '{key}', expected one of: {expected}", f"[{where}]")
            if not isinstance(value, optional[key]):
                raise self.fail(f"{key} = {json.dumps(value)}", f"{where}: '{key}' must be a {optional[key].__name__}",
                                f"[{where}")


def split_declaration(text: str) -> tuple[str, str, list[str]]:
    """'CUdevice devs[2]' -> ('CUdevice', 'devs', ['2']). Function pointers are left to typedefs."""
    match = re.fullmatch(r"(.*?[\s*])([A-Za-z_]\w*)((?:\[\w+\])*)", text.strip())
    if not match:
        raise ValueError(f"'{text}' is not a C declaration such as 'const char *name'")
    return match[1].strip(), match[2], re.findall(r"\[(\w+)\]", match[3])


def strip_const(c_type: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\b(const|struct|enum|union|volatile)\b", " ", c_type)).strip()


class Loader:
    def __init__(self, folder: Path):
        self.folder = folder
        self.api = Api()
        self.places: dict[str, Source] = {}

    def load(self) -> Api:
        if not self.folder.is_dir():
            raise DescriptionError(f"{self.folder}: there is no such folder")
        sources = [Source(path) for path in sorted(self.folder.glob("*.toml"))]
        def kind_of(source: Source) -> str:
            stem = source.path.stem
            for kind in ("types", "enums", "structs", "objects"):
                if stem == kind or stem.startswith(kind + "_"):
                    return kind
            return "functions"
        steps = (("types", self.load_types), ("enums", self.load_enums), ("structs", self.load_structs),
                 ("objects", self.load_objects), ("functions", self.load_functions))
        for kind, load_one in steps:
            for source in sources:
                if kind_of(source) == kind:
                    load_one(source)
            if kind == "structs":
                self.lay_out_structs()
        self.number_entry_points()
        self.api.forwarded = self.load_names("forwarded_names.txt")
        for name in self.api.forwarded:
            described = self.api.by_symbol(name)
            if described and not described.returns:  # a call that returns no error code cannot be recorded
                raise DescriptionError(f"{self.folder}/forwarded_names.txt: '{name}' is described too; list it in one place")
        self.api.forwarded_12 = self.load_names("forwarded_names_12.txt")
        return self.api

    def load_names(self, file: str) -> list[str]:
        path = self.folder / file
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line for line in lines if line and not line.startswith("#")]

    def claim(self, source: Source, name: str) -> None:
        if name in self.places:
            raise source.fail(f"[{name}]", f"'{name}' is described twice, first in {self.places[name].path}")
        self.places[name] = source

    # types.toml ------------------------------------------------------------------------------------------
    def load_types(self, source: Source) -> None:
        for section, table in source.data.items():
            if section in ("version", "since"):
                if not isinstance(table, int):
                    raise source.fail(section, f"'{section}' must be a number such as 13000")
                setattr(self.api, section, table)
                continue
            targets = {"constants": self.api.constants, "integers": self.api.integers,
                       "old_integers": self.api.old_integers, "handles": self.api.handles,
                       "callbacks": self.api.callbacks, "renamed": self.api.renamed}
            if section not in targets:
                raise source.fail(section, f"unknown section '{section}', expected: version, since, " + ", ".join(targets))
            for name, value in table.items():
                if not isinstance(value, str):
                    raise source.fail(name, f"'{name}' must be a string", f"[{section}]")
                if section != "renamed":
                    self.claim(source, name)
                targets[section][name] = value

    # enums*.toml -----------------------------------------------------------------------------------------
    def load_enums(self, source: Source) -> None:
        for name, table in source.data.items():
            source.check_keys(table, {"tag": str, "values": dict},
                              {"flags": bool, "texts": dict, "aliases": list, "macros": bool,
                               "header": str}, name)
            self.claim(source, name)
            for enumerator, value in table["values"].items():
                if not isinstance(value, int) or isinstance(value, bool):
                    raise source.fail(enumerator, f"{name}: the value of '{enumerator}' must be a number", name)
                self.claim(source, enumerator)
            texts = table.get("texts", {})
            for enumerator in texts:
                if enumerator not in table["values"]:
                    raise source.fail(enumerator, f"{name}: a text for '{enumerator}', which has no value",
                                      f"[{name}.texts]")
            aliases = table.get("aliases", [])
            self.api.enum_aliases |= {alias: name for alias in aliases}
            self.api.enums[name] = Enum(name, table["tag"], table.get("flags", False), table["values"], texts,
                                        aliases, table.get("macros", False), table.get("header", "cuda.h"))

    # structs*.toml ---------------------------------------------------------------------------------------
    def load_structs(self, source: Source) -> None:
        for name, table in source.data.items():
            if isinstance(table, dict) and isinstance(of := table.get("fields"), str):
                if of not in source.data or not isinstance(source.data[of].get("fields"), list):
                    raise source.fail(f'fields = "{of}"', f"{name}: '{of}' is no struct of this file with fields", f"[{name}]")
                table = table | {"fields": source.data[of]["fields"]}
            source.check_keys(table, {"tag": str, "fields": list},
                              {"union": bool, "aliases": list, "old": bool, "aligned": int}, name)
            self.claim(source, name)
            struct = self.make_struct(source, name, table, name)
            self.api.structs[name] = struct
            self.api.struct_aliases |= {alias: name for alias in struct.aliases}

    def make_struct(self, source: Source, name: str, table: dict, where: str) -> Struct:
        fields = []
        for entry in table["fields"]:
            if isinstance(entry, dict):
                source.check_keys(entry, {"fields": list}, {"union": bool, "name": str, "tag": str}, where)
                nested = self.make_struct(source, "", entry, where)
                fields.append(Field("", entry.get("name", ""), None, 0, 0, 0, nested))
                continue
            try:
                _, field_name, _ = split_declaration(entry)
            except (ValueError, AttributeError, TypeError) as error:
                raise source.fail(str(entry), f"{where}: {error}", f"[{where}]") from None
            fields.append(Field(entry, field_name, None, 0, 0, 0))
        return Struct(name, table.get("tag", ""), table.get("union", False), fields, table.get("aliases", []),
                      old=table.get("old", False), aligned=table.get("aligned", 0))

    def lay_out_structs(self) -> None:
        done: set[str] = set()

        def lay_out(struct: Struct, where: str) -> None:
            end = 0
            for member in struct.fields:
                alignment = 1
                if member.nested:
                    lay_out(member.nested, where)
                    size, alignment = member.nested.bytes, member.nested.alignment
                else:
                    c_type, _, dimensions = split_declaration(member.declaration)
                    size, alignment = self.size_of(c_type, where, ready)
                    member.type = self.type_of(c_type, where)
                    for dimension in dimensions:
                        count = int(self.api.constants.get(dimension, dimension), 0)
                        member.count = max(member.count, 1) * count
                        size *= count
                start = 0 if struct.union else (end + alignment - 1) // alignment * alignment
                member.offset, member.bytes = start, size
                end = max(end, start + size)
                struct.alignment = max(struct.alignment, alignment, struct.aligned)
            struct.bytes = (end + struct.alignment - 1) // struct.alignment * struct.alignment

        def ready(name: str) -> Struct:
            struct = self.api.structs[name]
            if name not in done:
                done.add(name)
                lay_out(struct, name)
            return struct

        for name in self.api.structs:
            ready(name)

    def size_of(self, c_type: str, where: str, ready) -> tuple[int, int]:
        value = self.type_of(c_type, where)
        if value.kind == "struct":
            struct = ready(value.name)
            return struct.bytes, struct.alignment
        if value.bytes == 0:
            raise self.places[where].fail(c_type, f"{where}: the size of '{c_type}' is not known", f"[{where}]")
        return value.bytes, value.bytes

    def type_of(self, c_type: str, where: str) -> Type:
        """The value that a C type without arrays holds."""
        plain = strip_const(c_type)
        if plain.endswith("*"):
            return Type("string" if plain == "char *" else "pointer", 8, plain)
        base = plain
        api = self.api
        if base in ("CUdevice", "CUdevice_v1"):
            return Type("device", 4, base)
        if base in ("CUdeviceptr", "CUdeviceptr_v2"):
            return Type("device_pointer", 8, base)
        if base == "CUdeviceptr_v1":
            return Type("device_pointer", 4, base)
        if base in api.handles:
            return Type("handle", 8, base)
        if base in api.callbacks:
            return Type("pointer", 8, base)
        if base in api.enums or base in api.enum_aliases:
            name = api.enum_aliases.get(base, base)
            kind = "result" if name in ("CUresult", "cudaError", "nvrtcResult") else "flags" if api.enums[name].flags else "enum"
            return Type(kind, 4, name)
        if base in api.structs or base in api.struct_aliases:
            name = api.struct_aliases.get(base, base)
            return Type("struct", api.structs[name].bytes, name)
        typedefs = api.integers | api.old_integers
        while base in typedefs:
            base = typedefs[base]
        if base in BASE_TYPES:
            size, kind = BASE_TYPES[base]
            return Type(kind, size, plain)
        tags = {struct.tag: name for name, struct in api.structs.items()}
        if base in tags:
            return Type("struct", api.structs[tags[base]].bytes, tags[base])
        raise self.places[where].fail(c_type, f"{where}: '{plain}' is no type that the description knows",
                                      f"[{where}]")

    # objects.toml ----------------------------------------------------------------------------------------
    def load_objects(self, source: Source) -> None:
        for name, table in source.data.items():
            source.check_keys(table, {}, {"type": str, "address": bool}, name)
            kind = ObjectKind(name, table.get("type", ""), table.get("address", False))
            if kind.type and kind.address:
                raise source.fail("address", f"{name}: what has a type of handle is not known by its address", f"[{name}]")
            if kind.type and kind.type not in self.api.handles | self.api.integers:
                raise source.fail(kind.type, f"{name}: '{kind.type}' is no type of handle", f"[{name}]")
            self.api.objects[name] = kind

    # functions -------------------------------------------------------------------------------------------
    def load_functions(self, source: Source) -> None:
        group = source.path.stem
        optional = {"effects": list, "makes": dict, "ends": dict, "not_followed": str, "unsupported": str, "forwards": str, "without_context": bool}
        of_version = {"per_thread": str, "declared": str, "returns": str, "same_as": str}
        required = {"parameters": list}
        (of_version if self.api.since else required)["since"] = int
        for name, table in source.data.items():
            if isinstance(table, dict) and "versions" in table:
                source.check_keys(table, {"versions": list}, optional, name)
                versions, same = [], {}
                for version in table["versions"]:
                    source.check_keys(same | version, {"symbol": str} | required, of_version, name)
                    versions.append(same | version)
                    same = {"parameters": versions[-1]["parameters"]}
            else:
                source.check_keys(table, required, {"symbol": str} | of_version | optional, name)
                versions = [table]
            self.claim(source, name)
            effects = table.get("effects", [])
            for effect in effects:
                if effect not in EFFECTS:
                    raise source.fail(str(effect), f"{name}: unknown effect '{effect}', expected one of: "
                                      + ", ".join(EFFECTS), f"[{name}]")
            function = Function(name, group, effects, [], not_followed=table.get("not_followed", ""), unsupported=table.get("unsupported", ""))
            for version in versions:
                function.entry_points += self.make_entry_points(source, function, version)
            for point in function.entry_points:
                other = next((p for p in function.entry_points if p.symbol == point.same_as), None)
                if point.same_as and (other is None or other.same_as or other.parameters != point.parameters):
                    raise source.fail(f'same_as = "{point.same_as}"', f"{point.symbol}: '{point.same_as}' is no version of it with the "
                                      "same parameters that does something itself", f"[{name}")
            self.load_lifetimes(source, function, table)
            if "forwards" in table:
                function.forwards = self.make_forwards(source, function, table)
            elif "without_context" in table:
                raise source.fail("without_context", f"{name}: 'without_context' belongs to 'forwards'", f"[{name}]")
            self.api.functions.append(function)

    def load_lifetimes(self, source: Source, function: Function, table: dict) -> None:
        """What the function makes and ends. Refuses any other output that could be a new object."""
        name = function.name
        if "makes" in table:
            function.makes = self.make_makes(source, function, table["makes"])
        if "ends" in table:
            ends = table["ends"]
            source.check_keys(ends, {"kind": str, "handle": str}, {}, name)
            self.check_object(source, function, "ends", ends, {"in"})
            function.ends = Ends(ends["kind"], ends["handle"])
        if function.makes and function.not_followed:
            raise source.fail("not_followed", f"{name}: what it makes is followed, 'makes' says how", f"[{name}]")
        for point in function.entry_points:
            for parameter in point.parameters:
                made = function.makes is not None and function.makes.handle == parameter.name
                new = parameter.role != "in" and (
                    self.api.object_of(parameter.value) or self.api.objects and parameter.value.kind == "device_pointer")
                if parameter.known and (made or not new):
                    raise source.fail(parameter.declaration, f"{point.symbol}: '{parameter.name}' is 'known', which is "
                                      "for handles and addresses of what the call has not made", f"[{name}]")
                if new and not (made or parameter.known or function.not_followed):
                    raise source.fail(parameter.declaration, f"{point.symbol}: '{parameter.name}' receives a handle or "
                                      "an address; expected 'makes' with it, or 'known' before the colon, or "
                                      "'not_followed' with the reason", f"[{name}]")

    def make_forwards(self, source: Source, function: Function, table: dict) -> Forwards:
        """'cuEventCreate' with the same arguments, or 'cuEventCreate(event, CU_EVENT_DEFAULT)'."""
        text = table["forwards"]
        names = [parameter.name for parameter in function.entry_points[0].parameters]
        match = re.fullmatch(r"(cu[A-Z]\w*)(?:\((.*)\))?", text)
        if not match:
            raise source.fail(text, f"{function.name}: '{text}' is no call of the driver, expected cuNAME or cuNAME(ARGUMENTS)",
                              f"[{function.name}]")
        arguments = names if match[2] is None else [argument.strip() for argument in match[2].split(",")]
        for argument in arguments:
            if argument not in names and not re.fullmatch(r"CU_[A-Z_0-9]+", argument):
                raise source.fail(text, f"{function.name}: '{argument}' is neither one of its parameters nor a constant: "
                                  + ", ".join(names), f"[{function.name}]")
        return Forwards(match[1], arguments, not table.get("without_context", False))

    def make_makes(self, source: Source, function: Function, makes: dict) -> Makes:
        name = function.name
        source.check_keys(makes, {"kind": str, "handle": str, "of": str},
                          {"memory": str, "from": str, "label": str, "size": str, "rows": str}, name)

        def refuse(key: str, message: str) -> DescriptionError:
            return source.fail(f'{key} = "{makes.get(key, "")}"', f"{name}: in 'makes': {message}", f"[{name}]")

        self.check_object(source, function, "makes", makes, {"in", "out", "inout"})
        if (makes["kind"] == "Allocation") != ("memory" in makes):
            raise refuse("kind", "'memory' says of which kind an Allocation is, and belongs to nothing else")
        if makes.get("memory", MEMORY[0]) not in MEMORY:
            raise refuse("memory", f"memory is '{makes['memory']}', expected one of: " + ", ".join(MEMORY))
        if "rows" in makes and "size" not in makes:
            raise refuse("rows", "'rows' needs 'size', the bytes of one")
        origin = makes.get("from", "")
        if makes["of"] not in LIFETIMES:
            if origin:
                raise refuse("from", f"it goes with '{makes['of']}', so that is what it comes from")
            origin = makes["of"]
        origin_kind = ""
        for key, parameters in self.parameters_named(function, makes, "of", "from", "label", "size", "rows"):
            if key == "of" and makes["of"] in LIFETIMES:
                continue
            if not parameters:
                also = ", or one of " + ", ".join(LIFETIMES) if key == "of" else ""
                raise refuse(key, f"'{makes[key]}' is no parameter of each version{also}")
            if key in ("of", "from"):
                kinds = {self.api.object_of(parameter.value) for parameter in parameters}
                if None in kinds:
                    raise refuse(key, f"'{makes[key]}' is no handle of a kind that objects.toml has")
                origin_kind = next(iter(kinds)).name
            elif key == "label" and any(p.kind != "string" or p.role != "in" for p in parameters):
                raise refuse(key, f"'{makes[key]}' is no text that is passed")
            elif key in ("size", "rows") and any(p.kind not in ("size", "unsigned") for p in parameters):
                raise refuse(key, f"'{makes[key]}' is no number")
        return Makes(makes["kind"], makes["handle"], makes["of"], origin, origin_kind, makes.get("memory", ""),
                     makes.get("label", ""), makes.get("size", ""), makes.get("rows", ""))

    @staticmethod
    def parameters_named(function: Function, table: dict, *keys: str):
        """For each key that is present: the parameter of that name in each version; [] if a version lacks it."""
        for key in keys:
            if key in table:
                found = [p for point in function.entry_points for p in point.parameters if p.name == table[key]]
                yield key, found if len(found) == len(function.entry_points) else []

    def check_object(self, source: Source, function: Function, key: str, table: dict, roles: set[str]) -> None:
        kind = self.api.objects.get(table["kind"])
        where = f"{function.name}: in '{key}': "
        if kind is None or not (kind.type or kind.address):
            known = ", ".join(k.name for k in self.api.objects.values() if k.type or k.address) or "none"
            raise source.fail(f'kind = "{table["kind"]}"', f"{where}'{table['kind']}' is no kind of object, expected one of: "
                              f"{known}", f"[{function.name}]")
        for _, parameters in self.parameters_named(function, table, "handle"):
            needle = f'handle = "{table["handle"]}"'
            if not parameters or any(p.role not in roles for p in parameters):
                raise source.fail(needle, f"{where}'{table['handle']}' is no parameter of each version that is "
                                  + " or ".join(sorted(roles)), f"[{function.name}]")
            addresses = ("device_pointer", "pointer")
            if any(p.value.name != kind.type if kind.type else p.value.kind not in addresses for p in parameters):
                raise source.fail(needle, f"{where}'{table['handle']}' holds no "
                                  + (kind.type or "address"), f"[{function.name}]")

    def make_entry_points(self, source: Source, function: Function, version: dict) -> list[EntryPoint]:
        """A version, and its variant with a default stream for each thread if it has one."""
        symbol = version.get("symbol", function.name)
        if not symbol.startswith(function.name):
            raise source.fail(symbol, f"{function.name}: the symbol '{symbol}' must begin with the name")
        suffix = version.get("per_thread", "")
        if suffix and suffix not in VARIANTS:
            raise source.fail(f'per_thread = "{suffix}"', f"{symbol}: per_thread is '{suffix}', expected " + " or ".join(VARIANTS),
                              f"[{function.name}")
        declared = version.get("declared", "default")
        if declared not in ("default", "old"):
            raise source.fail(f'declared = "{declared}"', f"{symbol}: declared is '{declared}', expected old or nothing",
                              f"[{function.name}")
        parameters = [self.parse_parameter(source, function.name, symbol, text) for text in version["parameters"]]
        names = [parameter.name for parameter in parameters]
        for parameter, text in zip(parameters, version["parameters"]):
            if names.count(parameter.name) > 1:
                raise source.fail(text, f"{symbol}: two parameters are called '{parameter.name}'", symbol)
            if parameter.length and not parameter.length.isdigit() and parameter.length not in names:
                raise source.fail(text, f"{symbol}: the length '{parameter.length}' of '{parameter.name}' is "
                                  "neither a number nor one of its parameters: " + ", ".join(names), symbol)
        point = EntryPoint(function, symbol, version.get("since", self.api.since), "legacy" if suffix else "", declared,
                           parameters, returns=version.get("returns", ""), same_as=version.get("same_as", ""))
        points = [point]
        if suffix:
            points.append(replace(point, symbol=f"{symbol}_{suffix}", since=max(point.since, FIRST_VARIANTS), stream="per_thread",
                                  declared="old" if declared == "old" else "per_thread",
                                  same_as=point.same_as and f"{point.same_as}_{suffix}"))
        for each in points:
            if each.symbol in self.places and each.symbol != function.name:
                raise source.fail(symbol, f"the symbol '{each.symbol}' is described twice")
            self.places[each.symbol] = source
        return points

    def parse_parameter(self, source: Source, function: str, symbol: str, text: str) -> Parameter:
        """'out array(count) flags(CUx): unsigned int *values' -> Parameter. The grammar is in api/README.md."""
        def fail(message: str) -> DescriptionError:
            return source.fail(str(text), f"{symbol}: in '{text}': {message}", f"[{function}]")

        head, colon, declaration = text.partition(":") if isinstance(text, str) else ("", "", "")
        if not colon:
            raise fail("expected 'ROLE [KIND]: C DECLARATION', such as 'out: CUcontext *pctx'")
        words = head.split()
        if not words or words[0] not in ROLES:
            raise fail("the role must be one of " + ", ".join(ROLES))
        try:
            c_type, name, dimensions = split_declaration(declaration)
        except ValueError as error:
            raise fail(str(error)) from None
        if dimensions:
            c_type += " *"
        kinds: dict[str, str] = {}
        for word in words[1:]:
            match = re.fullmatch(r"([a-z]+)(?:\((\w*)\))?", word)
            if not match or match[1] not in PLAIN_KINDS + KINDS_WITH_ARGUMENT:
                raise fail(f"unknown kind '{word}', expected " + ", ".join(PLAIN_KINDS) + " or one of "
                           + ", ".join(f"{kind}(…)" for kind in KINDS_WITH_ARGUMENT))
            if match[2] is None and match[1] not in PLAIN_KINDS:
                raise fail(f"'{match[1]}' needs an argument: {match[1]}(…)")
            kinds[match[1]] = match[2] or ""
        parameter = self.interpret(symbol, function, name, declaration.strip(), c_type, words[0], kinds, fail)
        return replace(parameter, default=kinds.get("default", ""), known="known" in kinds)

    def interpret(self, symbol, function, name, declaration, c_type, role, kinds, fail) -> Parameter:
        plain = strip_const(c_type)
        is_pointer = plain.endswith("*")
        if role != "in" and not is_pointer:
            raise fail(f"an '{role}' parameter must be a pointer")
        if role != "in" and re.fullmatch(r"const\b[^*]*\*", c_type):
            raise fail(f"what is const cannot be '{role}'")
        if "sample" in kinds:  # the program's own bytes, of which a part is kept once the call has succeeded
            if not is_pointer:
                raise fail("a sample must be a pointer")
            return Parameter(name, declaration, c_type, role, "pointer", False, False, kinds["sample"],
                             Type("pointer", 8, plain), sample=True)
        if "pointer" in kinds:
            value = Type("pointer", 8, plain)
            return Parameter(name, declaration, c_type, role, "pointer", role != "in", False, "", value)
        array = "array" in kinds
        if "string" in kinds or (role == "in" and plain == "char *" and not array):
            if not is_pointer:
                raise fail("a string must be a pointer")
            # An output string is either a buffer (char *, with a length) or the address of a text (char **).
            return Parameter(name, declaration, c_type, role, "string", True, False, kinds.get("string", ""),
                             Type("string", 0, plain))
        if "strings" in kinds:  # several texts, which are kept as one
            return Parameter(name, declaration, c_type, role, "string", True, False, kinds["strings"],
                             Type("string", 0, plain))
        if "bytes" in kinds:
            return Parameter(name, declaration, c_type, role, "bytes", True, True, kinds["bytes"],
                             Type("bytes", 1, plain))
        follow = role != "in" or array or "struct" in kinds
        target = plain[:-1].strip() if is_pointer and follow else plain
        if (array or "struct" in kinds) and not is_pointer:
            if not ("struct" in kinds and self.type_of(target, function).kind == "struct"):
                raise fail("an array or struct must be a pointer")
        value = self.type_of(target, function)
        for kind in ("flags", "enum"):
            if kind in kinds:
                if kinds[kind] not in self.api.enums and kinds[kind] not in self.api.enum_aliases:
                    raise fail(f"there is no enumeration '{kinds[kind]}'")
                value = Type(kind, value.bytes, kinds[kind])
        if "handle" in kinds:
            value = Type("handle", 8, kinds["handle"])
        if "boolean" in kinds:
            value = Type("boolean", value.bytes, value.name)
        if "size" in kinds:
            value = Type("size", value.bytes, value.name)
        if "struct" in kinds and value.kind != "struct":
            raise fail(f"'{target}' is no struct")
        if value.kind == "pointer" and not follow and is_pointer:
            return Parameter(name, declaration, c_type, role, "pointer", False, False, "", value)
        return Parameter(name, declaration, c_type, role, value.kind, follow and is_pointer, array,
                         kinds.get("array", ""), value)

    def number_entry_points(self) -> None:
        points = [point for function in self.api.functions for point in function.entry_points]
        points.sort(key=lambda point: point.symbol)
        for index, point in enumerate(points):
            point.index = index
        self.api.entry_points = points
        self.api.functions.sort(key=lambda function: function.name)


def load(folder: Path = DATA) -> Api:
    """The whole description, or a DescriptionError that says where the mistake is."""
    return Loader(folder).load()


def load_all() -> tuple[Api, Api, Api]:
    """Driver, runtime and NVRTC: in the order in which their functions are numbered."""
    return load(), load(RUNTIME_DATA), load(NVRTC_DATA)


def merged(apis: tuple[Api, ...]) -> Api:
    """One table of all of them. Entry points stay sorted by symbol, because cu[A-Z]* < cuda* < nvrtc*."""
    all_of = Api(apis[0].version)
    for api in apis:
        all_of.enums |= api.enums
        all_of.enum_aliases |= api.enum_aliases
        all_of.structs |= {name: struct for name, struct in api.structs.items() if name not in all_of.structs}
        all_of.struct_aliases |= api.struct_aliases
        all_of.objects |= api.objects
        all_of.functions += api.functions
        all_of.entry_points += api.entry_points
    symbols = [point.symbol for point in all_of.entry_points]
    assert symbols == sorted(symbols), "a symbol breaks the order of driver, runtime and NVRTC"
    return all_of
