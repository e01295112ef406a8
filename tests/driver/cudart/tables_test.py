#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/generated/supported_runtime.md and supported.md against what the libraries return.

    tables_test.py BUILD_FOLDER

Each function is called with nothing but zeros, in a process of its own: what a table calls not supported returns 801, and
nothing else does. That some end with a signal on null pointers, or wait, is no matter here. It names no function itself.
"""
import ctypes
import os
import re
import signal
import sys
from pathlib import Path

NOT_SUPPORTED = 801
DOCS = Path(__file__).resolve().parents[3] / "docs" / "generated"


def table(name):
    """The symbols of a page: implemented, and not. A row's last column has them where it has any."""
    done, missing = re.split(r"^## Answering", (DOCS / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    both = []
    for part in (done.split("## Implemented")[1], missing):
        rows = [line.split("|")[1:-1] for line in part.splitlines() if line.startswith("| ")]
        cells = [row[-1] if "`" in row[-1] else row[0] for row in rows]
        both.append({word for cell in cells for word in re.findall(r"`(cu\w+)`", cell)})
    # Versions in parentheses are not implemented although the function is.
    older = set(re.findall(r"\(`(cu\w+)`\)", done))
    return both[0] - older, both[1] | older


def returned(driver, library, name):
    """With a context current: what a function returns on zeros; None when it does not return."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(2)
        signal.alarm(20)
        context = ctypes.c_void_p()
        driver.cuInit(0)
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
        driver.cuCtxSetCurrent(context)
        function = getattr(library, name)
        function.restype = ctypes.c_int
        result = function(*[ctypes.c_void_p(0)] * 12)
        os.write(writer, str(result).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return int(text) if text else None


def main():
    libraries = Path(sys.argv[1]).resolve() / "embedded" / "lib"
    driver = ctypes.CDLL(str(libraries / "libcuda.so.1"), mode=ctypes.RTLD_GLOBAL)
    runtime = ctypes.CDLL(str(libraries / "libcudart.so.13"))
    wrong = []
    for page, library in (("supported_runtime.md", runtime), ("supported.md", driver)):
        done, missing = table(page)
        answers = {name: returned(driver, library, name) for name in done | missing}
        wrong += [f"{page}: {name} is called not supported, but returns {answers[name]}"
                  for name in sorted(missing - done) if answers[name] != NOT_SUPPORTED]
        wrong += [f"{page}: {name} is called implemented, but returns 801"
                  for name in sorted(done) if answers[name] == NOT_SUPPORTED]
        print(f"{page}: {len(done)} implemented, {len(missing)} not, "
              f"{sum(answer is None for answer in answers.values())} did not return")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
