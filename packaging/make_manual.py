#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes manual pages and completions from what the programs say of themselves, in both languages.

    make_manual.py --driverlab PROGRAM --ptxcc SCRIPT --cudaxx SCRIPT --version V --date D --into FOLDER

`driverlab describe` prints the command line as JSON from the tables of --help; ptxcc and cuda++ print their --help.
FOLDER gets man1/, zh_CN/man1/, driverlab.bash, _driverlab (zsh) and driverlab.fish. Nothing about an option is
written here: only headings and the forms of the files.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import unicodedata

LANGUAGES = {"en": "C.UTF-8", "zh": "zh_CN.UTF-8"}
HEADINGS = {
    "en": {"name": "NAME", "synopsis": "SYNOPSIS", "description": "DESCRIPTION", "options": "OPTIONS", "commands": "COMMANDS",
           "status": "EXIT STATUS", "see": "SEE ALSO", "manual": "CUDA Driver Lab", "command": "COMMAND", "option": "OPTION",
           "file": "FILE"},
    "zh": {"name": "名称", "synopsis": "概要", "description": "描述", "options": "选项", "commands": "命令",
           "status": "退出状态", "see": "参见", "manual": "CUDA Driver Lab", "command": "命令", "option": "选项", "file": "文件"},
}


def said(program, *arguments, language):
    environment = dict(os.environ, LC_ALL=LANGUAGES[language], LANG=LANGUAGES[language])
    return subprocess.run([program, *arguments], env=environment, check=True, capture_output=True, encoding="utf-8").stdout


# ---- manual pages

def wide(character):
    return unicodedata.east_asian_width(character) in "WF"


def roff(text, breaks=True):
    """Text as it is: nothing in it is a request, and a line of Chinese may be broken between its characters."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    out = []
    for i, character in enumerate(text):
        out.append(character)
        following = text[i + 1:i + 2]
        # Not before a closing sign, not behind an opening one.
        if breaks and wide(character) and following.strip() and character not in "（“《" and following not in "，。；：、？！）”》…":
            out.append("\\:")
    text = "".join(out)
    return "\\&" + text if text[:1] in (".", "\\") else text


def bold(text):
    return "\\fB" + roff(text).removeprefix("\\&") + "\\fR"


def spelled(option):
    value = f" \\fI{roff(option['value'])}\\fR" if option["value"] else ""
    return ", ".join(bold(name) for name in option["names"]) + value


def first_sentence(text):
    return re.split(r"(?<=[.。;；])(?:\s|$)|。", text, maxsplit=1)[0].rstrip(".。;；")


class Page:
    def __init__(self, name, language, version, date):
        self.words = HEADINGS[language]
        self.lines = [".\\\" Made by packaging/make_manual.py from the program's own descriptions.",
                      f'.TH "{name.upper()}" 1 "{date}" "driverlab {version}" "{self.words["manual"]}"',
                      # The macros of some versions go back to AD at each paragraph.
                      ".ds AD l", ".ad l", ".nh"]

    def section(self, key):
        self.lines.append(f'.SH "{self.words[key]}"')

    def paragraph(self, text):
        self.lines += [".PP", text]

    def entry(self, tag, text):
        self.lines += [".TP", tag, roff(text) or "\\&"]

    def write(self, file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def synopsis(app, words):
    parts = [bold("driverlab " + app["name"])]
    if app["options"]:
        parts.append(f"[\\fI{words['option']}\\fR…]")
    parts += [f"\\fI{roff(argument['names'][0])}\\fR" for argument in app["arguments"]]
    return " ".join(parts)


def page_of_driverlab(app, language, version, date):
    page = Page("driverlab", language, version, date)
    words = page.words
    # "CUDA Driver Lab: lessons …": the first sentence, without the program's name.
    page.section("name")
    name = re.split(r"[:：]\s*", first_sentence(app["text"]), maxsplit=1)[-1]
    page.lines.append(f"driverlab \\- {roff(name, breaks=False)}")
    page.section("synopsis")
    for line in (f"[\\fI{words['file']}\\fR]", f"\\fI{words['command']}\\fR [\\fI{words['option']}\\fR…]"):
        page.lines += [bold("driverlab") + " " + line, ".br"]
    page.lines.pop()
    page.section("description")
    page.paragraph(roff(app["text"]))
    page.section("options")
    for option in app["options"]:
        page.entry(spelled(option), option["text"])
    page.section("commands")
    for command in app["commands"]:
        page.lines += [f'.SS {bold(command["name"])}', synopsis(command, words)]
        page.paragraph(roff(command["text"]))
        if command["footer"].strip() and command["footer"] != app["footer"]:
            page.paragraph(roff(command["footer"]))
        for argument in command["arguments"]:
            page.entry(f"\\fI{roff(argument['names'][0])}\\fR", argument["text"])
        for option in command["options"]:
            if "--help" not in option["names"]:
                page.entry(spelled(option), option["text"])
    page.section("status")
    page.paragraph(roff(re.split(r"[:：]\s*", app["footer"], maxsplit=1)[-1]))
    page.section("see")
    page.paragraph(", ".join(bold(name) + "(1)" for name in ("ptxcc", "cuda++")))
    return page


def columns(text):
    return sum(2 if wide(character) else 1 for character in text)


def two_columns(lines):
    """Options and what is said of them: behind the widest gap; where all are one blank wide, where most others begin."""
    gaps = [max(re.finditer(r"(?<=\S) +(?=\S)", line), key=lambda gap: len(gap[0]), default=None) for line in lines]
    starts = [columns(line[:gap.end()]) for line, gap in zip(lines, gaps) if gap and len(gap[0]) > 1]
    usual = max(set(starts), key=starts.count, default=0)
    for line, gap in zip(lines, gaps):
        at = gap.end() if gap and len(gap[0]) > 1 else len(line)
        if gap and len(gap[0]) == 1:
            at = next((i for i in range(len(line)) if columns(line[:i]) == usual and line[i - 1] == " "), at)
        yield line[:at].strip(), line[at:].strip()


def page_of_script(name, text, language, version, date):
    lines = text.strip("\n").split("\n")
    usage = re.split(r"[:：]\s*", lines[0], maxsplit=1)[-1]
    blocks = re.split(r"\n\s*\n", "\n".join(lines[1:]))
    page = Page(name, language, version, date)
    page.section("name")
    page.lines.append(f"{name} \\- {roff(first_sentence(' '.join(blocks[0].split())), breaks=False)}")
    page.section("synopsis")
    page.lines.append(bold(name) + ' ' + roff(usage.removeprefix(name)))
    options = [block for block in blocks if block.startswith("  ")]
    page.section("description")
    for block in blocks:
        if block not in options:
            page.paragraph(roff(block))
    page.section("options")
    for block in options:
        for tag, about in two_columns(block.split("\n")):
            page.entry(bold(re.sub(r" {2,}", "  ", tag)), about)
    page.section("see")
    page.paragraph(bold("driverlab") + "(1), " + bold({"ptxcc": "cuda++", "cuda++": "ptxcc"}[name]) + "(1)")
    return page


# ---- completions

LESSONS = "driverlab list 2>/dev/null | sed -n 's/^\\([0-9][0-9]*\\) .*/\\1/p'"


def exercises(lesson):
    """A command that prints the exercises of the lesson that the shell's expression names, by number or by slug."""
    return (f"driverlab list --json 2>/dev/null | awk -v lesson={lesson} "
            "'$1 ~ /\"number\":/ { its = $2 + 0 == lesson } $1 ~ /\"slug\":/ { gsub(/[\",]/, \"\", $2); if ($2 == lesson) its = 1 } "
            "$1 ~ /\"exercises\":/ { inside = its; next } /\\]/ { inside = 0 } inside { gsub(/[ \",]/, \"\"); print }'")


def kind_of(option):
    """What completes a value: 'lesson', 'exercise' (of the lesson before it), 'file', 'folder', a list of words, or nothing."""
    what = option["value"] or option["names"][0]
    if "|" in what:
        return what.split("|")
    if what == "LESSON":
        return "lesson"
    if what == "EXERCISE":
        return "exercise"
    if what == "DIR":
        return "folder"
    if what.startswith("FILE") or what in ("FIRST", "SECOND"):
        return "file"
    return None


def long_or_first(option):
    return next((name for name in option["names"] if name.startswith("--")), option["names"][0])


def bash(app):
    of_first = exercises('"$first"')

    def reply(kind):
        if kind == "lesson":
            return f'COMPREPLY=($(compgen -W "$({LESSONS})" -- "$current"))'
        if kind == "exercise":
            return f'COMPREPLY=($(compgen -W "$({of_first})" -- "$current"))'
        if kind == "folder":
            return 'compopt -o filenames; COMPREPLY=($(compgen -d -- "$current"))'
        if kind == "file":
            return 'compopt -o filenames; COMPREPLY=($(compgen -f -- "$current"))'
        return f'COMPREPLY=($(compgen -W "{" ".join(kind)}" -- "$current"))' if kind else "COMPREPLY=()"

    names = [command["name"] for command in app["commands"]]
    everywhere = [long_or_first(option) for option in app["options"] if option["value"]]
    with_values = [f'"{command["name"]} {long_or_first(option)}"' for command in app["commands"]
                   for option in command["options"] if option["value"]] + [f'*" {option}"' for option in everywhere]
    lines = ["# bash completion for driverlab; made by packaging/make_manual.py", "_driverlab() {",
             "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= word last= first= place=0",
             '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
             f'    if [[ ! $command ]]; then case $word in {"|".join(names)}) command=$word ;; esac; last=; continue; fi',
             '    case "$command $last" in',
             f'      {"|".join(with_values)}) ;;',
             '      *) [[ $word == -* ]] || { place=$((place + 1)); [[ $place == 1 ]] && first=$word; } ;;',
             "    esac", "    last=$word", "  done",
             '  case "$command $before" in']
    for command in [None, *app["commands"]]:
        for option in (command or app)["options"]:
            if option["value"]:
                pattern = f'"{command["name"]} {long_or_first(option)}"' if command else f'*" {long_or_first(option)}"'
                lines.append(f"    {pattern}) {reply(kind_of(option))}; return ;;")
    lines += ["  esac", '  case "$command" in']
    own = [long_or_first(option) for option in app["options"]]
    lines.append(f'    "") [[ $current == -* ]] && {reply(own)} || {{ compopt -o filenames; '
                 f'COMPREPLY=($(compgen -W "{" ".join(names)}" -- "$current") $(compgen -f -X "!*.dlrec" -- "$current")); }} ;;')
    for command in app["commands"]:
        options = [long_or_first(option) for option in command["options"]] + everywhere
        kinds = [kind_of(argument) for argument in command["arguments"]]
        otherwise = reply(kinds[0] if kinds else "file" if command["name"] == "trace" else None)
        if any(kind != kinds[0] for kind in kinds):
            cases = [f"{place}) {reply(kind)} ;;" for place, kind in enumerate(kinds)]
            otherwise = f"case $place in {' '.join(cases)} esac"
        lines.append(f'    {command["name"]}) if [[ $current == -* ]]; then {reply(options)}; else {otherwise}; fi ;;')
    return "\n".join(lines + ["  esac", "}", "complete -F _driverlab driverlab", ""])


def shell_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(both):
    of_first = exercises('"$line[1]"')

    def action(kind):
        if kind == "lesson":
            return "_driverlab_lessons"
        if kind == "exercise":
            return "_driverlab_exercises"
        if kind == "folder":
            return "_files -/"
        if kind == "file":
            return "_files"
        return f"({' '.join(kind)})" if kind else " "

    def plain(text):
        return re.sub(r"([\[\]:\\])", r"\\\1", " ".join(text.split()))

    def specification(option):
        first = long_or_first(option)
        value = f":{plain(option['value'])}:{action(kind_of(option))}" if option["value"] else ""
        return shell_quoted(f"{first}[{plain(option['text'])}]{value}")

    lines = ["#compdef driverlab", "# Made by packaging/make_manual.py", "",
             "_driverlab_lessons() {", "  local -a lessons",
             "  lessons=(${(f)\"$(driverlab list 2>/dev/null | sed -n 's/^\\([0-9][0-9]*\\)  *\\([^ ]*\\) *\\(.*\\)/\\1:\\2 \\3/p')\"})",
             "  _describe lesson lessons", "}", "",
             "_driverlab_exercises() {", "  local -a exercises",
             f"  exercises=(${{(f)\"$({of_first})\"}})",
             "  _describe exercise exercises", "}", ""]
    for language, app in both.items():
        everywhere = [specification(option) for option in app["options"] if option["value"]]
        lines += [f"_driverlab_{language}() {{", "  local context state line", "  local -a commands", "  commands=("]
        lines += ["    " + shell_quoted(f"{command['name']}:{plain(command['text'])}") for command in app["commands"]]
        lines += ["  )", "  _arguments -C -A '-*' \\"]
        lines += [f"    {specification(option)} \\" for option in app["options"]]
        lines += ["    '1: :->command' '*:: :->rest'", "  case $state in",
                  "    command) _describe command commands; _files -g '*.dlrec' ;;", "    rest)", "      case $words[1] in"]
        for command in app["commands"]:
            words = [specification(option) for option in command["options"]] + everywhere
            words += [shell_quoted(f"{number}:{plain(argument['names'][0])}:{action(kind_of(argument))}")
                      for number, argument in enumerate(command["arguments"], 1)]
            if command["name"] == "trace":
                words.append("'*:: :_normal'")
            lines.append(f"        {command['name']}) _arguments {' '.join(words)} ;;")
        lines += ["      esac ;;", "  esac", "}", ""]
    lines += ["case ${LC_ALL:-${LC_MESSAGES:-$LANG}} in", '  zh*) _driverlab_zh "$@" ;;', '  *) _driverlab_en "$@" ;;', "esac", ""]
    return "\n".join(lines)


def fish(both):
    of_first = "(" + exercises("(commandline -opc)[3]") + ")"

    def quoted(text):
        return "'" + " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'") + "'"

    def values(option):
        kind = kind_of(option)
        if kind == "lesson":
            return f" -x -a \"({LESSONS})\""
        if kind == "exercise":
            return f" -x -a {quoted(of_first)}"
        if kind == "folder":
            return " -x -a '(__fish_complete_directories)'"
        if kind == "file":
            return " -r -F"
        return f" -x -a {quoted(' '.join(kind))}" if kind else " -x"

    def option_line(condition, option):
        names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option["names"])
        return f"  complete -c driverlab{condition}{names}{values(option) if option['value'] else ''} -d {quoted(option['text'])}"

    lines = ["# fish completion for driverlab; made by packaging/make_manual.py",
             "set -l words (string join '' -- $LC_ALL)", "test -n \"$words\"; or set words \"$LC_MESSAGES\"",
             "test -n \"$words\"; or set words \"$LANG\"", "complete -c driverlab -f"]
    for language, app in reversed(both.items()):  # Chinese first: the other is what remains
        names = " ".join(command["name"] for command in app["commands"])
        lines.append("if string match -q 'zh*' -- $words" if language == "zh" else "else")
        nothing_yet = f" -n 'not __fish_seen_subcommand_from {names}'"
        lines += [option_line("", option) for option in app["options"]]
        lines.append(f"  complete -c driverlab{nothing_yet} -k -a '(__fish_complete_suffix .dlrec)'")
        for command in app["commands"]:
            lines.append(f"  complete -c driverlab{nothing_yet} -a {command['name']} -d {quoted(command['text'])}")
            seen = f" -n '__fish_seen_subcommand_from {command['name']}'"
            lines += [option_line(seen, option) for option in command["options"] if "--help" not in option["names"]]
            # A lesson's exercises behind the lesson, which is the first word behind the command here.
            has_exercises = "exercise" in map(kind_of, command["arguments"])
            for argument in command["arguments"][:2 if has_exercises else 1]:
                counted = f"; and test (count (commandline -opc)) {'-eq' if kind_of(argument) == 'exercise' else '-ne'} 3'"
                lines.append(f"  complete -c driverlab{seen[:-1] + counted if has_exercises else seen}{values(argument)}")
            if command["name"] == "trace":
                lines.append(f"  complete -c driverlab{seen} -F")
    return "\n".join([*lines, "end", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("driverlab", "ptxcc", "cudaxx", "version", "date", "into"):
        parser.add_argument(f"--{option}", required=True)
    given = parser.parse_args()
    into = pathlib.Path(given.into)
    both = {}
    for language in LANGUAGES:
        app = both[language] = json.loads(said(given.driverlab, "describe", "--lang", language, language=language))
        folder = into / ("man1" if language == "en" else "zh_CN/man1")
        page_of_driverlab(app, language, given.version, given.date).write(folder / "driverlab.1")
        for name, script in (("ptxcc", given.ptxcc), ("cuda++", given.cudaxx)):
            text = said(script, "--help", language=language)
            page_of_script(name, text, language, given.version, given.date).write(folder / f"{name}.1")
    for name, text in (("driverlab.bash", bash(both["en"])), ("_driverlab", zsh(both)), ("driverlab.fish", fish(both))):
        (into / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
