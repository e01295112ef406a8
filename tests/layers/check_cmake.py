# SPDX-License-Identifier: MIT
"""Nothing that one configure finds outlives what the next one installs: a CMakeLists looks for what a machine may lack by
look_for() and look_for_package() of cmake/look_for.cmake only, and keeps no result of its own in the cache.

    check_cmake.py PROJECT      prints FILE:LINE: what, and ends with 1, where something would be kept
"""
import pathlib
import re
import sys

# What is required stops the configure where it is missing, so no "not found" is kept.
KEEPS = re.compile(r"\b(find_program|find_library|find_path|find_file|find_package|pkg_check_modules|pkg_search_module|"
                   r"try_compile|try_run|check_[a-z0-9_]+)\s*\(", re.IGNORECASE)
CACHED = re.compile(r"\bset\s*\([^)]*\bCACHE\s+(?!STRING\b)", re.DOTALL)


def without_comments(text):
    return re.sub(r"#[^\n]*", "", text)


def call_at(text, start):
    """The call's words, to the bracket that ends it."""
    depth = 0
    for at in range(text.index("(", start), len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at]
    return text[start:]


def mistakes(text):
    text = without_comments(text)
    found = []
    for match in KEEPS.finditer(text):
        call = call_at(text, match.start())
        required = match.group(1).lower() in ("find_package", "pkg_check_modules") and re.search(r"\bREQUIRED\b", call)
        if not required:
            found.append((text.count("\n", 0, match.start()) + 1, match.group(1)))
    found += [(text.count("\n", 0, match.start()) + 1, "set(… CACHE …)") for match in CACHED.finditer(text)]
    return found


def main(project):
    bad = 0
    root = pathlib.Path(project)
    files = [root / "CMakeLists.txt"]
    for folder in ("api", "app", "cmake", "driver", "lessons", "tests", "trace"):
        files += sorted((root / folder).rglob("CMakeLists.txt")) + sorted((root / folder).rglob("*.cmake"))
    for file in files:
        if file.name == "look_for.cmake":
            continue
        for line, what in mistakes(file.read_text()):
            print(f"{file.relative_to(root)}:{line}: {what} keeps its result in the cache; use cmake/look_for.cmake")
            bad += 1
    if len(files) < 20:
        print(f"only {len(files)} files were looked at")
        bad += 1
    said = {}
    for file, pattern in (("cmake/look_for.cmake", r"set\(DRIVERLAB_CLANG (\d+)\)"), ("tools/common.sh", r"^clang=(\d+)$")):
        match = re.search(pattern, (root / file).read_text(), re.MULTILINE)
        said[file] = match and match.group(1)
    if len(set(said.values())) != 1 or None in said.values():
        print(f"the version of clang is said differently: {said}")
        bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
