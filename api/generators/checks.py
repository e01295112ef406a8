# SPDX-License-Identifier: MIT
"""Makes what the tests of the description compile: lists of everything that cuda.h must have.

tests/api compares the tables with our own header; tests/driver/toolkit prints what each header declares, so that ours can
be compared with that of a CUDA Toolkit. The lists are generated because a list kept by hand would become incomplete.
"""

from __future__ import annotations

from .descriptions import GENERATED, leaves
from .load import Api


def generate(api: Api) -> dict[str, str]:
    return {
        "tests/api/generated/layout.inc": layout(api),
        "tests/driver/toolkit/generated/everything.inc": everything(api),
    }


def layout(api: Api) -> str:
    text = GENERATED + "//\n// STRUCT(name) and FIELD(struct, field) for every struct, ENUMERATOR(enum, name) for every one.\n"
    for struct in api.structs.values():
        text += f"STRUCT({struct.name})\n"
        text += "".join(f"FIELD({struct.name}, {name})\n" for name, _, _ in leaves(struct))
    for enum in api.enums.values():
        text += "".join(f"ENUMERATOR({enum.name}, {name})\n" for name in enum.values)
    return text


def everything(api: Api) -> str:
    text = GENERATED + ("//\n// What tests/driver/toolkit/print_header.cpp prints of a header. VALUE: a constant or enumerator, "
                        "TYPE: a type that has a size,\n// FIELD: a member of one, HANDLE: a type, FUNCTION: a symbol, "
                        "NAME: a plain name that may be a macro.\n")
    text += "".join(f"VALUE({name})\n" for name in api.constants)
    for enum in api.enums.values():
        text += "".join(f"VALUE({name})\n" for name in enum.values)
        text += "".join(f"TYPE({name})\n" for name in ([] if enum.macros else [enum.name, *enum.aliases]))
    text += "".join(f"TYPE({name})\n" for name in [*api.integers, *api.handles, *api.callbacks])
    new, old = "", "".join(f"TYPE({name})\n" for name in api.old_integers)
    for struct in api.structs.values():
        part = "".join(f"TYPE({name})\n" for name in [struct.name, *struct.aliases])
        part += "".join(f"FIELD({struct.name}, {name})\n" for name, _, _ in leaves(struct))
        new, old = (new, old + part) if struct.old else (new + part, old)
    symbols = {kind: "".join(f"FUNCTION({point.symbol})\n" for point in api.entry_points if point.declared == kind)
               for kind in ("default", "per_thread", "old")}
    names = "".join(f"NAME({function.name})\n" for function in api.functions)
    names += "".join(f"NAME({point.symbol})\n" for point in api.entry_points
                     if point.declared == "default" and point.symbol != point.function.name)
    return (text + new + names
            + "#ifndef __CUDA_API_VERSION_INTERNAL\n"  # here plain names go through the header's macros
            + "".join(f"FUNCTION({function.name})\n" for function in api.functions
                      if api.default_entry_point(function))
            + "#else\n" + old + symbols["default"] + symbols["per_thread"] + symbols["old"] + "#endif\n")
