"""What the tests of the lessons share: finding lessons, their steps, and text outside of code.

Knows the form of lessons/NN_slug/, nothing of how the lab reads it.
"""
import pathlib
import re
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


def steps_in_source(text):
    return re.findall(r"^\s*// step: (\w+)\s*$", text, re.M)


def steps_in_notes(text):
    return re.findall(r"^<!-- step: (\w+) -->\s*$", text, re.M)


def without_code(markdown):
    """Prose only: code becomes a letter, so that what stands beside it keeps its neighbour."""
    text = re.sub(r"^```.*?^```", "", markdown, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    return re.sub(r"`[^`\n]*`", "\u4ee3", text)


def code_words(markdown):
    """Names of the API that a note mentions."""
    return set(re.findall(r"\b(?:cu[A-Z]\w+|CUDA_\w+|CU_\w+|CU[a-z]\w+)", markdown))


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
    prose = without_code(chinese)
    beside = f"[{CHINESE}{FULL_WIDTH}]"
    return [f"…{m.group()}…" for m in re.finditer(rf"{beside}[,:;?!()]|[,:;?!()]{beside}", prose)]
