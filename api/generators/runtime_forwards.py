# SPDX-License-Identifier: MIT
"""Makes the functions of the runtime that are one driver call and nothing else: driver/cudart/generated/**/forwards.cpp.

The key `forwards` in api/runtime/*.toml names these functions. One file is made for each folder of driver/cudart/src that is
compiled by itself: for the variants with a default stream for each thread, and for libcudart.so.12, which has other names. No
type is converted here: `pass()` in driver/cudart/src/runtime.hpp converts what differs between the two APIs.
"""

from __future__ import annotations

from . import load
from .load import Api, Function
from .runtime import GENERATED, variant, wrapped

FOLDER = "driver/cudart/generated/"
ABOUT = ("//\n// Functions of the runtime that are one driver call each, as api/runtime/*.toml describes them. They return the\n"
         "// errors of that driver call.\n#include \"runtime.hpp\"\n\nusing namespace cudart;\n")


def generate(driver: Api) -> dict[str, str]:
    api = load.load(load.RUNTIME_DATA)
    texts = {folder + part: GENERATED + ABOUT for folder in ("", "changed_in_13/") for part in ("", "on_stream/")}
    for function in api.functions:
        if function.forwards:
            texts[place_of(api, function)] += "\n" + definition(function, driver)
    return {f"{FOLDER}{place}forwards.cpp": text for place, text in texts.items()}


def place_of(api: Api, function: Function) -> str:
    changed = "changed_in_13/" if function.name in api.forwarded_12 else ""
    return changed + ("on_stream/" if variant(function) else "")


def definition(function: Function, driver: Api) -> str:
    forwards = function.forwards
    target = driver.function(forwards.function)
    newest = driver.default_entry_point(target) if target else None
    if newest is None or len(newest.parameters) != len(forwards.arguments):
        wanted = f"takes {len(newest.parameters)} arguments" if newest else "is no function of the driver"
        raise load.DescriptionError(f"{load.RUNTIME_DATA / function.group}.toml: {function.name} forwards to "
                                    f"{forwards.function}, which {wanted}")
    point = function.entry_points[0]
    text = wrapped(f"cudaError_t CUDARTAPI {function.name}(", [p.declaration for p in point.parameters] or [""], ") {")
    arguments = ", ".join([forwards.function, *forwards.arguments])
    around = "with_context" if forwards.needs_context else "with_driver"
    return text + f"  return {around}([&] {{ return pass({arguments}); }});\n}}\n"
