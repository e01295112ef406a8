# SPDX-License-Identifier: MIT
"""The rules that hold for the whole project, each a function that says what breaks it. Standard library only."""
import fnmatch
import itertools
import re

SUBJECT = re.compile(r"[a-z0-9][a-z0-9_ ,./+-]*: \S")
LONGEST_SUBJECT = 72


def version_of(cmake):
    """Of the top CMakeLists.txt."""
    return re.search(r"^project\(driverlab VERSION (\d+\.\d+\.\d+) ", cmake, re.MULTILINE)[1]


def versions_of(changelog):
    """The headings of CHANGELOG.md, newest first, as the file has them."""
    return re.findall(r"^## \[([^]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$", changelog, re.MULTILINE)


def wrong_with_changelog(changelog, version):
    found = []
    headings = versions_of(changelog)
    if len(headings) != len(re.findall(r"^## ", changelog, re.MULTILINE)):
        found.append("a heading is neither “## [Unreleased]” nor “## [1.2.3] - 2026-01-31”")
    if not headings or headings[0] != ("Unreleased", ""):
        found.append("“## [Unreleased]” is not the first heading")
    numbered = [heading for heading in headings if heading[0] != "Unreleased"]
    if not numbered or numbered[0][0] != version:
        found.append(f"the newest version is not {version}, that of the project")
    if any(not date for _, date in numbered):
        found.append("a version has no date")
    if any(tuple(map(int, newer.split("."))) <= tuple(map(int, older.split(".")))
           for (newer, _), (older, _) in itertools.pairwise(numbered)):
        found.append("versions do not stand newest first")
    return found


def wrong_with_subject(subject):
    if not SUBJECT.match(subject):
        return "does not begin with “area: ”"
    if len(subject) > LONGEST_SUBJECT:
        return f"has {len(subject)} characters, more than {LONGEST_SUBJECT}"
    return ""


def pattern_of(path):
    """A path of REUSE.toml: * is anything within a folder, ** anything at all."""
    parts = re.split(r"(\*\*|\*)", path)
    return re.compile("".join({"**": ".*", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts))


def licence_of(path, head, reuse):
    """What a file says in its first lines, or what the last table of REUSE.toml that knows its path says."""
    said = re.search(rb"SPDX-License-Identifier: ([A-Za-z0-9.-]+)", b"\n".join(head.split(b"\n")[:5]))
    if said:
        return said[1].decode()
    for table in reversed(reuse["annotations"]):
        paths = table["path"] if isinstance(table["path"], list) else [table["path"]]
        if any(pattern_of(one).fullmatch(path) for one in paths):
            return table.get("SPDX-License-Identifier", "")
    return ""


def sections_of(editorconfig):
    """Pattern and properties, in order. Braces and stars are all that the file uses."""
    sections = []
    for line in editorconfig.splitlines():
        line = line.strip()
        if line.startswith("["):
            sections.append((line[1:-1], {}))
        elif "=" in line and not line.startswith("#") and sections:
            key, value = (part.strip() for part in line.split("=", 1))
            sections[-1][1][key] = value
    return sections


def spelled_out(pattern):
    """Without braces: a{b,c} is ab and ac."""
    brace = re.search(r"\{([^{}]*)\}", pattern)
    if not brace:
        return [pattern]
    return [one for choice in brace[1].split(",")
            for one in spelled_out(pattern[:brace.start()] + choice + pattern[brace.end():])]


def properties_of(path, sections):
    properties = {}
    for pattern, values in sections:
        name = path if "/" in pattern else path.rsplit("/", 1)[-1]
        if any(fnmatch.fnmatchcase(name, one.replace("/**.", "/*.").replace("**", "*")) for one in spelled_out(pattern)):
            properties.update(values)
    return properties


def wrong_with_text(text, properties):
    """What an editor that reads .editorconfig would write otherwise. Long lines are clang-format's."""
    found = []
    if "\r" in text:
        found.append("has carriage returns")
    if properties.get("insert_final_newline") == "true" and text and not text.endswith("\n"):
        found.append("does not end with a new line")
    for number, line in enumerate(text.split("\n"), 1):
        if properties.get("trim_trailing_whitespace") == "true" and line != line.rstrip(" \t"):
            found.append(f"line {number} ends with white space")
        if properties.get("indent_style") == "space" and line[:len(line) - len(line.lstrip())].count("\t"):
            found.append(f"line {number} is indented with a tab")
    return found


LONGEST_HISTORY = 90


def wrong_with_benchmarks(text, targets):
    """docs/benchmarks.md: five columns, of which the last is a day and at most one clause, and commands that are built."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|") or line.startswith(("| benchmark |", "| --- |")):
            continue
        cells = [cell.strip() for cell in line.strip("|").split(" |")]
        if len(cells) != 5:
            found.append(f"line {number} has {len(cells)} columns")
            continue
        if not re.fullmatch(r"\d\d(; .+)?", cells[4]):
            found.append(f"line {number} does not end with a day and what was before")
        if len(cells[4]) > LONGEST_HISTORY:
            found.append(f"line {number} tells more history than a clause")
        for target in re.findall(r"(?:build/|--target )(\w+)", cells[1]):
            if target not in targets:
                found.append(f"line {number}: {target} is built by nothing")
    return found


TEST_OF_CPP = re.compile(r"^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\(\s*\w+,\s*(\w+)\)", re.MULTILINE)
TEST_OF_CMAKE = re.compile(r"\badd_test\(\s*NAME\s+(\S+)")
# Words of a name: lower case, or as the API and its libraries write them (cuInit, kernelParams, CU_JIT_FMA, NVRTC).
WORD_OF_TEST = re.compile(r"[a-z0-9]\w*|[A-Z0-9]+|OpenGL")


def wrong_with_tests(path, text):
    """A test of C++ is a sentence in snake_case, one of CMake a group in lower case and such a sentence."""
    found = []
    for name in TEST_OF_CPP.findall(text) if path.endswith(".cpp") else []:
        if not all(WORD_OF_TEST.fullmatch(word) for word in name.split("_")):
            found.append(f"{path}: the test {name} is no sentence in snake_case")
    for name in TEST_OF_CMAKE.findall(text) if path.endswith("CMakeLists.txt") else []:
        group, _, sentence = name.partition(".")
        if name != "${name}" and not (re.fullmatch(r"[a-z_0-9]+", group) and sentence):
            found.append(f"{path}: the test {name} does not begin with a group and a period")
    return found


def rows_of_tests(readme):
    """Folder -> what runs it alone, from the table in tests/README.md."""
    lines = itertools.dropwhile(lambda line: not line.startswith("| folder |"), readme.splitlines())
    rows = [line.split("|") for line in itertools.takewhile(lambda line: line.startswith("|"), lines) if line.startswith("| `")]
    return {row[1].strip(" `"): re.findall(r"`([^`]+)`", row[3]) for row in rows}


def wrong_with_folders_of_tests(paths, rows, lists):
    """`paths`: all files of the project; `lists`: path and text of each CMakeLists.txt of tests. A folder below one with a row
    belongs to it, unless that one's rooms have rows of their own; the rooms of the lab are those of app/lab/src."""
    found = []
    folders = {path.rsplit("/", 1)[0] for path in paths}
    split = {row for row in rows for other in rows if other.startswith(row + "/")}
    for folder in sorted(folders):
        above = ["/".join(folder.split("/")[:end]) for end in range(2, folder.count("/") + 1)]
        if folder.startswith("tests/") and folder not in rows and not any(one in rows and one not in split for one in above):
            found.append(f"{folder} has no row in tests/README.md")
    for row, names in rows.items():
        if not any(folder == row or folder.startswith(row + "/") for folder in folders):
            found.append(f"tests/README.md has a row for {row}, which is not there")
        said = "".join(text for path, text in lists.items() if f"{row}/".startswith(path.removesuffix("CMakeLists.txt")))
        found += [f"tests/README.md: {row} is to be run by {name}, but nothing is called {name} there" for name in names
                  if name not in said]
    rooms, mirrored = ({folder.removeprefix(root).split("/")[0] for folder in folders if folder.startswith(root)}
                       for root in ("app/lab/src/", "tests/app/lab/"))
    found += [f"app/lab/src/{room} has no tests/app/lab/{room}" for room in sorted(rooms - mirrored)]
    return found + [f"tests/app/lab/{room} mirrors no room of app/lab/src" for room in sorted(mirrored - rooms)]


SAYS_IT_IS_GENERATED = re.compile(r"\b(?:generated|made) by `?[\w/.-]+`?.*; do not edit", re.IGNORECASE)


def wrong_with_generated(heads, written):
    """`heads`: path and first lines of each file of the project; `written`: the paths of all files that a generator writes."""
    found = []
    for path, head in sorted(heads.items()):
        inside = "generated" in path.split("/")[:-1]
        generated = path in written or any(map(SAYS_IT_IS_GENERATED.search, head.splitlines()[:3]))
        if generated and not inside:
            found.append(f"{path} is generated, but lies in no folder named generated")
        if inside and path not in written and not path.endswith("/.clang-format"):
            found.append(f"{path} lies in a folder named generated, but no generator writes it")
    return found


LONGEST_HEAD = 10


def wrong_with_head(text):
    """What a source says of itself below the line of its licence. A source points to its header in two words."""
    lines = text.splitlines()[1:]
    head = list(itertools.takewhile(lambda line: line.startswith("//"), lines))
    words = " ".join(line[2:] for line in head).split()
    if not words:
        return "has no head"
    if len(head) > LONGEST_HEAD:
        return f"has a head of {len(head)} lines"
    if words[0] != "See" and len(words) < 8:
        return "has a head that says nothing: " + " ".join(words)
    return ""
