# SPDX-License-Identifier: MIT
"""What comments and documents name has to be there: files, folders, functions. Standard library only."""
import fnmatch
import re

# A comment, or in group 1 a text, in which nothing is a comment.
C_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.DOTALL)
HASH_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*")
QUOTED = re.compile(r'"[^"]*"')
FOLDERS = "api|app|assets|cmake|docs|driver|lessons|packaging|tests|tools|trace"
ENDINGS = "c|cmake|cpp|cu|h|hpp|inc|map|md|py|S|toml"
FILE = re.compile(rf"(?<![\w./<>*…$%-])((?:\w[\w.-]*/)*\w[\w-]*(?:\.\w+)*\.(?:{ENDINGS}))(?!\w|\.\w|[/*(-])")
PLACE = re.compile(rf"(?<![\w./<>…$-])((?:{FOLDERS})/\w[\w/.-]*\w)(?!\w|\.?\*|[{{<…])")
PATTERN = re.compile(rf"`((?:[\w.*-]+/)+[\w.*-]*\*[\w.*-]*|[\w.-]*\*[\w.*-]*\.(?:{ENDINGS}))`")
FUNCTION = re.compile(r"(?<![\w:.>-])((?:\w+::)*[A-Za-z_]\w*)\(\)|(?<![\w:])((?:[A-Z]\w+::)+\w+)")
# NAME.html, PART_fuzz.cpp, lessons/NN_slug: whoever reads it puts a name there.
TO_BE_FILLED_IN = re.compile(r"(?:^|[/_])[A-Z]{2,}(?:_\w+)?(?:\.|/|$)|/NN_")
C_SOURCES = (".c", ".cpp", ".cu", ".h", ".hpp", ".inc", ".S")
HASH_SOURCES = (".py", ".cmake", "CMakeLists.txt", ".toml")


def parted(path, text):
    """A source's code and its comments, each of these with the number of its line."""
    pattern = C_TOKEN if path.endswith(C_SOURCES) else HASH_COMMENT
    comments = []

    def take(found):
        if found.re is C_TOKEN and found[1]:
            return found[1]
        for number, line in enumerate(found[0].splitlines(), text.count("\n", 0, found.start()) + 1):
            comments.append((number, line))
        return " "
    return pattern.sub(take, text), comments


def endings_of(paths):
    """All ways to say a path from some folder on, and all folders: trace/src/live.cpp, src/live.cpp, live.cpp, trace/src."""
    known = set()
    for path in paths:
        parts = path.split("/")
        known.update("/".join(parts[i:]) for i in range(len(parts)))
        known.update("/".join(parts[:i]) for i in range(1, len(parts)))
    return known


def missing_files(line, known):
    line = QUOTED.sub(" ", line)
    named = FILE.findall(line) + PLACE.findall(line)
    return sorted({name for name in named if name not in known and not TO_BE_FILLED_IN.search(name)})


def missing_in_document(line, known):
    """Places, sources, and patterns of sources that match nothing. Other names may be files that the reader makes."""
    named = PLACE.findall(line) + [name for name in FILE.findall(line) if name.endswith((".cpp", ".hpp", ".py", ".cmake"))]
    gone = {name for name in named if name not in known and not TO_BE_FILLED_IN.search(name)}
    patterns = {name for name in PATTERN.findall(line) if not any(fnmatch.fnmatchcase(one, name) for one in known)}
    return sorted(gone | patterns)


def missing_functions(line, identifiers):
    named = [one or other for one, other in FUNCTION.findall(QUOTED.sub(" ", line))]
    return sorted({name for name in named if any(part not in identifiers for part in name.split("::"))})


def wrong_with_comments(sources, known):
    """`sources`: path and text of everything that has comments. Functions are looked for in the comments of C++ only."""
    split = {path: parted(path, text) for path, text in sources.items()}
    identifiers = set()
    for code, _ in split.values():
        identifiers.update(re.findall(r"[A-Za-z_]\w*", code))
    found = []
    for path, (code, comments) in split.items():
        for number, line in comments:
            # What the file's own code names may be something that it makes.
            found += [f"{path}:{number}: there is no {name}" for name in missing_files(line, known) if name not in code]
            if path.endswith(C_SOURCES):
                found += [f"{path}:{number}: nothing is called {name}" for name in missing_functions(line, identifiers)]
    return found
