# SPDX-License-Identifier: MIT
"""What the tests of the lessons share: finding lessons, their steps, and text outside of code.

Uses the form of lessons/NN_slug/, and does not depend on how the lab reads it.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile
import tomllib

CHINESE = "\u3400-\u9fff"
FULL_WIDTH = "\u3001\u3002\uff01-\uff5e"


def lessons(root):
    found = sorted(p for p in (pathlib.Path(root) / "lessons").iterdir() if re.match(r"\d\d_", p.name))
    assert found, f"no lessons below {root}"
    return found


def lessons_and_template(root):
    return lessons(root) + [pathlib.Path(root) / "lessons" / "_template"]


def description(lesson):
    return tomllib.loads((lesson / "lesson.toml").read_text(encoding="utf-8"))


def exercises(lesson):
    """The tables [[exercise]] of a lesson."""
    return description(lesson)["exercise"]


def programs_of(exercise):
    """Its start, its solution and its wrong answers: files relative to the lesson."""
    return [exercise["start"], exercise["solution"], *(wrong["file"] for wrong in exercise.get("wrong", []))]


def parts(root):
    """The parts of the course, in their order."""
    return tomllib.loads((pathlib.Path(root) / "lessons" / "parts.toml").read_text(encoding="utf-8"))["part"]


def questions(lesson):
    return tomllib.loads((lesson / "questions.toml").read_text(encoding="utf-8"))["question"]


def steps_in_source(text):
    return re.findall(r"^\s*// step: (\w+)\s*$", text, re.M)


def steps_in_notes(text):
    return re.findall(r"^<!-- step: (\w+) -->\s*$", text, re.M)


CALL = r"\b(?:cu[A-Z]\w*|cuda[A-Z]\w*|nvrtc[A-Z]\w*|create_context)\("


def steps_of_lines(text):
    """The step of each line, None before the first."""
    step, found = None, []
    for line in text.splitlines():
        step = (steps_in_source(line) or [step])[0]
        found.append(step)
    return found


def steps_of_calls(lesson, calls):
    """The step of each recorded call: its line's, or of code outside of steps that from which it was called."""
    places = {(name, number): step for name in description(lesson)["sources"]
              for number, step in enumerate(steps_of_lines((lesson / name).read_text(encoding="utf-8")), 1)}
    last, found = {}, []
    for call in calls:
        step = places.get((call["file"], call["line"]))
        if step:
            last[call["thread"]] = last["any"] = step
        found.append(step or last.get(call["thread"], last.get("any")))
    return found


def environment_for(root, home, lesson=None):
    """For a driverlab that runs a lesson of `root`: one language, the usual devices, its files below `home`.

    Of a `lesson`, what was compiled is kept beside that of no other: the lab keeps so many programs in a cache, and the
    tests make more of them. A program compiled before is found by its path too, so tests put it where they did before.
    """
    environment = dict(os.environ, LC_ALL="C.UTF-8", DRIVERLAB_ROOT=str(root), XDG_DATA_HOME=str(home))
    caches = os.environ.get("XDG_CACHE_HOME")
    if lesson is not None:
        environment["XDG_CACHE_HOME"] = str(pathlib.Path(caches, "lessons", lesson.name) if caches else home)
    environment.pop("DRIVERLAB_DEVICES", None)
    environment.pop("DRIVERLAB_DEVICE", None)
    return environment


def events_of_run(lesson, driverlab, root, kept=None, devices=None):
    """The events of a run of the lesson on the embedded driver, with the usual devices or so many.

    `kept` is a folder in which lesson_runs_test.py has left those of every lesson; without it the lesson runs here.
    """
    if kept:
        return [json.loads(line) for line in (kept / f"{lesson.name}.jsonl").read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        events = pathlib.Path(folder, "events.jsonl")
        environment = environment_for(root, folder, lesson) | ({"DRIVERLAB_DEVICES": str(devices)} if devices else {})
        done = subprocess.run([driverlab, "run", lesson.name, "--driver", "embedded", "--events", events],
                              env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{lesson.name} does not run:\n{done.stdout}{done.stderr}")
        return [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]


# Which lesson teaches the functions that begin so.
TAUGHT_BY = {"cuModule": "module", "cuLaunch": "launch", "cuLink": "ptx_link", "cuLibrary": "library", "cuKernel": "library",
             "cuStream": "streams_events", "cuEvent": "streams_events"}


def called_in(lesson):
    """The functions of the driver that a lesson's program calls."""
    return {name for source in description(lesson)["sources"]
            for name in re.findall(r"\b(cu[A-Z]\w*)\(", (lesson / source).read_text(encoding="utf-8"))}


def lessons_needed(lesson, by_slug):
    """Those that a lesson needs, and that these need in turn."""
    found = set()
    waiting = list(description(lesson)["needs"])
    while waiting:
        slug = waiting.pop()
        if slug not in found:
            found.add(slug)
            waiting += description(by_slug[slug])["needs"]
    return [by_slug[slug] for slug in found]


def called_too_early(root, taught_by=None):
    """(lesson, function, the lesson that teaches it) of each call that comes too early.

    A lesson that needs another one may call what that one calls. Whatever else comes too early has to be announced before the
    first step, in both languages, with the number of the lesson that teaches it, and the notes have to name the function: so
    does a guided tour.
    """
    by_slug = {lesson.name[3:]: lesson for lesson in lessons(root)}
    found = []
    for lesson in lessons(root):
        known = {name for other in lessons_needed(lesson, by_slug) for name in called_in(other)}
        notes = [(lesson / name).read_text(encoding="utf-8").partition("<!-- step: ") for name in ("notes.md", "notes.zh.md")]
        for name in sorted(called_in(lesson) - known):
            teacher = next((by_slug[slug] for start, slug in (taught_by or TAUGHT_BY).items()
                            if name.startswith(start) and slug in by_slug), None)
            if teacher is None or teacher.name <= lesson.name:
                continue
            if not all(re.search(rf"(?:[Ll]essons?|and|第|、) ?{teacher.name[:2]}\b", opening, re.A)
                       and f"`{name}`" in steps.partition("<!-- end of steps -->")[0] for opening, _, steps in notes):
                found.append((lesson.name, name, teacher.name))
    return found


def helpers_that_call(text):
    """Names of the functions above the first step that call the API, themselves or through one another."""
    above = "\n".join(line for line, step in zip(text.splitlines(), steps_of_lines(text)) if step is None)
    bodies = dict(re.findall(r"^[^\s/#][^\n;={]*?\b(\w+)\([^;{]*\)(?: const)? \{\n(.*?)^\}", above, re.M | re.S))
    bodies.pop("main", None)
    calling = {name for name, body in bodies.items() if re.search(CALL, body)}
    while more := {name for name, body in bodies.items()
                   if name not in calling and any(re.search(rf"\b{other}\(", body) for other in calling)}:
        calling |= more
    return calling


def steps_that_begin_in_a_helper(text, helpers):
    """Steps whose first call is made by one of these: it would be taken for the step before."""
    found = []
    for part in re.split(r"^\s*// step: ", text, flags=re.M)[1:]:
        name, _, body = part.partition("\n")
        body = re.sub(r"//.*", "", body)
        names = "|".join(rf"\b{helper}\b" for helper in sorted(helpers))
        first = re.search(f"{CALL}|{names}" if names else CALL, body)
        if first and not re.fullmatch(CALL, first.group()):
            found.append(name.strip())
    return found


def claims_on_free_memory(text):
    """Claims that what cuMemGetInfo counted is so or so: on a shared GPU a neighbour changes it at any time."""
    counted = {name for names in re.findall(r"\bcuMemGetInfo\(&(\w+), &(\w+)\)", text) for name in names}
    return [line for line in re.findall(r"^\s*claim\(.*?\);$", text, re.M | re.S)
            if counted & set(re.findall(r"\w+", re.sub(r'"(?:\\.|[^"\\])*"', "", line)))]


MADE_AND_ENDED = {"cuCtxCreate": "cuCtxDestroy", "cuLibraryLoadFromFile": "cuLibraryUnload",
                  "cuLibraryLoadData": "cuLibraryUnload", "cuLinkCreate": "cuLinkDestroy",
                  "cuDevicePrimaryCtxRetain": "cuDevicePrimaryCtxRelease", "cuMemAllocHost": "cuMemFreeHost"}


def left_behind(calls):
    """Counts by name of what calls made, and no call ended: of what does not go along with a context."""
    counts = collections.Counter(call["name"] for call in calls if call["result"] == "CUDA_SUCCESS" and not call.get("inside"))
    # An attached context ends with the last detach, as if that had destroyed it.
    counts["cuCtxDestroy"] += (counts["cuCtxDetach"] - counts["cuCtxAttach"]) if counts["cuCtxAttach"] else 0
    left = collections.Counter()
    for made, ended in MADE_AND_ENDED.items():
        left[ended] += counts[made]
    return {ended: count - counts[ended] for ended, count in left.items() if count != counts[ended]}


def proofs_in_notes(text):
    """What the markers name, in order: ("step", "pop"), ("conformance", "context.x"), ("truth", "primary/7")."""
    named = []
    for inside in re.findall(r"<!-- proof: (.*?) -->", text, re.S):
        for proof in re.split(r";\s*", inside):
            kind, _, name = proof.strip().partition(" ")
            named.append((kind, name.strip()))
    return named


def figures_in_notes(text):
    """(caption, step, "svg" or "zh.svg") of each figure."""
    return re.findall(r"^!\[(.+?)\]\(figures/(\w+)\.((?:zh\.)?svg)\)$", text, re.M)


def terms_in_notes(text):
    """The bold words of the line that lists terms; each must be the name of a term in assets/glossary.toml."""
    line = re.search(r"^(?:Terms: |术语：)(.*)$", text, re.M)
    return re.findall(r"\*\*(.+?)\*\*", line.group(1)) if line else []


def avoided_words(root, chinese):
    """(word, what the glossary calls it) for each word of the text that the glossary avoids."""
    read = glossary(root)
    for phrase in (phrase for term in read["term"] for phrase in term.get("not_zh", [])):
        chinese = chinese.replace(phrase, "\u25a1")
    avoided = [(word, term["zh"][0]) for term in read["term"] for word in term.get("avoid_zh", [])]
    avoided += [(other["zh"], other["use"]) for other in read["avoid"]]
    return [(word, name) for word, name in avoided
            if re.search(rf"(?<![\w.(]){word}(?![\w.])" if word.isascii() else word, chinese, re.A)]


def glossary(root):
    """The terms and the words to avoid, of the one file that has them."""
    return tomllib.loads((pathlib.Path(root) / "assets" / "glossary.toml").read_text(encoding="utf-8"))


def names_a_document_by_number(text):
    """"Document 4", "文档 4": numbers that only the maintainers' table explains."""
    return re.findall(r"\b[Dd]ocuments? \d|文档 ?\d", text)


def strings_in(toml):
    """All strings of one language in a file of strings or a lesson.toml: ("en", …), ("zh", …)."""
    found = []
    for key, value in (toml.items() if isinstance(toml, dict) else enumerate(toml)):
        if isinstance(value, (dict, list)):
            found += strings_in(value)
        elif key in ("en", "zh") and isinstance(value, str):
            found.append((key, value))
    return found


def read_by_students(root):
    """(place, language or None, text) of everything that a student reads: lessons, strings, the window's glossary, READMEs, docs.

    No language: code, and docs/ but for the table of the documents, which are for maintainers too.
    """
    root = pathlib.Path(root)
    for lesson in lessons_and_template(root):
        for path in sorted(lesson.rglob("*")):
            if path.suffix in (".md", ".cpp", ".cu", ".ptx", ".c", ".h"):
                language = {".md": "zh" if path.name.endswith(".zh.md") else "en"}.get(path.suffix)
                yield f"{lesson.name}/{path.relative_to(lesson)}", language, path.read_text(encoding="utf-8")
        for language, text in strings_in(tomllib.loads((lesson / "lesson.toml").read_text(encoding="utf-8"))):
            yield f"{lesson.name}/lesson.toml", language, text
        for entries in tomllib.loads((lesson / "words.zh.toml").read_text(encoding="utf-8")).values():
            for chinese in (entry["zh"] for entry in entries):
                yield f"{lesson.name}/words.zh.toml", "zh", chinese if isinstance(chinese, str) else "".join(chinese)
        if (lesson / "questions.toml").is_file():
            for language, text in strings_in(questions(lesson)):
                yield f"{lesson.name}/questions.toml", language, text
    for language, text in strings_in(parts(root)):
        yield "parts.toml", language, text
    for path in sorted((root / "lessons").glob("*.hpp")):
        for words in words_of_program(path.read_text(encoding="utf-8")):
            if re.search("[\u4e00-\u9fff]", words):
                yield path.name, "zh", words
    for path in sorted((root / "assets" / "strings").glob("*.toml")):
        for language, text in strings_in(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield path.name, language, text
    for term in glossary(root)["term"]:
        yield "glossary.toml", "en", term["means_en"]
        yield "glossary.toml", "zh", term["means_zh"]
    for name, language in (("README.md", "en"), ("README.zh.md", "zh")):
        yield name, language, (root / name).read_text(encoding="utf-8")
    for path in sorted((root / "docs").rglob("*.md")):
        if path.name != "coverage.md":
            yield str(path.relative_to(root)), None, path.read_text(encoding="utf-8")


# Strings and characters first, so that "//" in one begins no comment; adjacent ones, and lines of comment, are one text.
WORDS = re.compile(r"""(?P<raw>R"\((?:.|\n)*?\)")|(?P<strings>"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)"""
                   r"""|'(?:\\.|[^'\\\n])'|(?P<lines>//[^\n]*(?:\n[ \t]*//[^\n]*)*)|(?P<block>/\*(?:.|\n)*?\*/)""")


def words_of_program(text):
    """The comments and strings of a source, each in one line: what is in a reader's language and not in the compiler's."""
    found = []
    for match in WORDS.finditer(text):
        words = match.group()
        if match.lastgroup == "strings":
            words = re.sub(r'"\s*"', "", words)[1:-1].replace("\\n", " ")
        elif match.lastgroup == "lines":
            words = re.sub(r"^[ \t]*//", "", words, flags=re.M)
        elif match.lastgroup is None:
            continue
        found.append(re.sub(r"\s+", " ", words).strip())
    return found


def programs(root):
    """(place, text) of each source of the lessons, of their exercises, and of the headers that all include."""
    folder = pathlib.Path(root) / "lessons"
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".cpp", ".hpp", ".h", ".c", ".cu", ".ptx"):
            yield str(path.relative_to(folder)), path.read_text(encoding="utf-8")


def boxes_without_proof(text):
    """First words of each "What the driver does" that no marker follows."""
    bare = []
    for block, behind in re.findall(r"((?:^>.*\n?)+)\s*(.*)", text, re.M):
        if re.search(r"^> \*\*(?:What the driver does|驱动的实际行为)\*\*", block, re.M) and \
                not behind.startswith("<!-- proof: "):
            bare.append(block[:60])
    return bare


def known_proofs(root, lesson):
    """All that a marker in this lesson may name."""
    root = pathlib.Path(root)
    known = {("step", step) for name in description(lesson)["sources"]
             for step in steps_in_source((lesson / name).read_text(encoding="utf-8"))}
    for source in sorted((root / "tests/whole/conformance").glob("*.cpp")):
        known |= {("conformance", f"{group}.{name}") for group, name in
                  re.findall(r"^TEST\w*\(\s*(\w+),\s*(\w+)", source.read_text(encoding="utf-8"), re.M)}
    for recorded in sorted((root / "tests/driver").glob("*/truth/h[12]00_*.jsonl")):
        for line in recorded.read_text(encoding="utf-8").splitlines():
            try:
                answer = json.loads(line)
            except ValueError:  # what the probe's kernels printed between the lines
                continue
            known.add(("truth", f"{answer.get('scenario')}/{answer.get('step')}"))
    return known | {("recording", path.stem) for path in (root / "assets" / "recordings").rglob("*.dlrec")}


FRAME = {"en": ("**After this lesson you can**", "**Why it matters.**", "## In five lines"),
         "zh": ("**学完本课，你能**", "**为什么要学。**", "## 五句话小结")}


def list_items(block):
    """The items of a block that is a list and nothing else, otherwise none."""
    lines = block.splitlines()
    return [line[2:] for line in lines] if lines and all(line.startswith("- ") for line in lines) else []


def opening_blocks(notes):
    """Title, opening paragraph, and the paragraphs and lists after it, up to the first step."""
    return re.split(r"\n\s*\n", notes.partition("<!-- step: ")[0].strip())


def aims_in_notes(notes, language):
    """The things that a reader is able to do after the lesson."""
    blocks = opening_blocks(notes)
    return list_items(blocks[3]) if blocks[2:3] == [FRAME[language][0]] and len(blocks) > 3 else []


def frame_mistakes(notes, language):
    """What a lesson's frame lacks: aims and their reason below the opening paragraph, five lines after the steps."""
    can, why, recap = FRAME[language]
    mistakes = []
    blocks = opening_blocks(notes)
    if not 2 <= len(aims_in_notes(notes, language)) <= 4:
        mistakes.append(f"{can} with two to four things is not what stands below the opening paragraph")
    if len(blocks) < 5 or not re.fullmatch(rf"{re.escape(why)} \S.*", blocks[4], re.S):
        mistakes.append(f"{why} is not the paragraph below the aims")
    after = notes.partition("<!-- end of steps -->\n")[2]
    if not after.startswith(recap + "\n\n"):
        return mistakes + [f"{recap} is not what stands first after the steps"]
    lines = list_items(re.split(r"^## ", after[len(recap):], flags=re.M)[0].strip())
    if len(lines) != 5:
        mistakes.append(f"{recap} is followed by something else than a list of five: {len(lines)} lines")
    for line in lines:
        if language == "en" and len(line.split()) > 25:
            mistakes.append(f"{len(line.split())} words: {line}")
        if not line.endswith({"en": ".", "zh": "。"}[language]):
            mistakes.append(f"no full stop: {line}")
        if not re.search(r"`[^`]+`", line):
            mistakes.append(f"names no function and no error: {line}")
    return mistakes


# Characters of a question, of an answer and of what is said to it.
LONGEST = {"question": 140, "answer": 110, "because": 240}


def without_quotes(words):
    return re.sub(r'`[^`]*`|"[^"]*"|“[^”]*”', " ", words)


def steps_by_name(words, steps):
    """Steps by the name that they have in the code; quoted is the heading of a step."""
    step = "|".join(map(re.escape, steps))
    of_two_words = "|".join(re.escape(name) for name in steps if "_" in name) or "(?!)"
    return [f"a step has a heading: {''.join(found)}" for found in
            re.findall(rf"\b(?:[Ss]teps?|[Rr]un on to|back to) ({step})\b|\b({step}) ?(?:[这那]一|两)步|\b({of_two_words})\b(?!\()",
                       without_quotes(words), re.A)]


def names_out_of_place(words, steps):
    """Names of the API without ticks, and steps by the name that they have in the code."""
    return [f"without ticks: {name}" for name in sorted(code_words(without_quotes(words)))] + steps_by_name(words, steps)


def question_mistakes(questions, steps):
    """What the questions of a lesson lack: three of them, each about a step, with one right answer and both languages."""
    mistakes = [] if len(questions) == 3 else [f"{len(questions)} questions instead of three"]
    places = []
    for number, question in enumerate(questions, 1):
        answers = question.get("answer", [])
        right = [at for at, answer in enumerate(answers) if answer.get("right") is True]
        places += right
        if question.get("about") not in steps:
            mistakes.append(f"question {number}: no step is called {question.get('about')}")
        if not 3 <= len(answers) <= 4:
            mistakes.append(f"question {number}: {len(answers)} answers instead of three or four")
        if len(right) != 1:
            mistakes.append(f"question {number}: {len(right)} right answers instead of one")
        texts = [("question", question.get("text", {}))]
        for answer in answers:
            texts += [("answer", answer), ("because", answer.get("because", {}))]
        for kind, text in texts:
            for language in ("en", "zh"):
                words = text.get(language, "")
                if not words.strip():
                    mistakes.append(f"question {number}: {kind} without {language}")
                elif len(words.replace("`", "")) > LONGEST[kind]:
                    mistakes.append(f"question {number}: {len(words)} characters: {words}")
            for language in ("en", "zh"):
                mistakes += [f"question {number}: {found}" for found in names_out_of_place(text.get(language, ""), steps)]
            prose = re.sub(r"\w+\([^()]*\)", "\u4ee3", text.get("zh", ""), flags=re.A)  # a call, with or without ticks
            mistakes += [f"question {number}: {found}" for found in half_width_mistakes(prose)]
        english, chinese = (code_words(re.sub(f"[{CHINESE}{FULL_WIDTH}]", " ", " ".join(text.get(language, "") for _, text in texts)))
                            for language in ("en", "zh"))
        if english != chinese:
            mistakes.append(f"question {number}: in one language only: {', '.join(sorted(english ^ chinese))}")
    if len(questions) > 1 and len(set(places)) == 1:
        mistakes.append(f"the right answer is always number {places[0] + 1}")
    return mistakes


def without_code(markdown):
    """Prose only: code is replaced by one letter, so that the words around it keep a neighbour."""
    text = re.sub(r"^```.*?^```", "", markdown, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    return re.sub(r"`[^`\n]*`", "\u4ee3", text)


def code_words(markdown):
    """Names of the API that a note mentions."""
    found = re.findall(r"\b(?:cu[A-Z]\w+|CUDA_\w+|CU_\w+|CU[a-z]\w+)", markdown)
    return set(found) - {"cuBLAS", "cuFFT", "cuDNN"} - {  # products; variables of the environment
        "CUDA_CACHE_DISABLE", "CUDA_CACHE_PATH", "CUDA_COREDUMP_FILE", "CUDA_COREDUMP_GENERATION_FLAGS",
        "CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "CUDA_FORCE_PTX_JIT", "CUDA_LAUNCH_BLOCKING", "CUDA_LOG_FILE", "CUDA_MODULE_LOADING", "CUDA_VISIBLE_DEVICES"}


def _is_punctuation(c):
    import unicodedata
    return unicodedata.category(c)[0] in "PS"


def emphasis_mistakes(markdown):
    """Runs of `*` that CommonMark does not take for what the writer meant.

    A run opens if no space follows it, and, where punctuation follows, space or punctuation precedes; closing is
    the mirror image. So in 「**注意:**后面」 the second run cannot close: a colon before it, a letter behind.
    """
    mistakes = []
    for number, line in enumerate(without_code(markdown).split("\n"), 1):
        opened = []
        body = re.sub(r"^\s*([*+-]|\d+\.)\s+", "", line)
        for match in re.finditer(r"\*+", body):
            before = body[match.start() - 1] if match.start() > 0 else " "
            after = body[match.end()] if match.end() < len(body) else " "
            left = not after.isspace() and (not _is_punctuation(after) or before.isspace() or _is_punctuation(before))
            right = not before.isspace() and (not _is_punctuation(before) or after.isspace() or _is_punctuation(after))
            if opened and opened[-1] == match.group():
                if not right:
                    mistakes.append(f"line {number}: {match.group()} does not close: {body[:match.end() + 4]}")
                opened.pop()
            elif left:
                opened.append(match.group())
            else:
                mistakes.append(f"line {number}: {match.group()} does not open: {body[match.start():][:12]}")
        mistakes += [f"line {number}: {run} is never closed" for run in opened]
    return mistakes


def half_width_mistakes(chinese):
    """Latin punctuation beside a Chinese character or beside Chinese punctuation."""
    prose = re.sub(r"\]\([^)\s]*\)", "]", without_code(chinese))  # the target of a link is no text
    beside = f"[{CHINESE}{FULL_WIDTH}]"
    return [f"…{m.group()}…" for m in re.finditer(rf"{beside}[,:;?!()]|[,:;?!()]{beside}", prose)]
