#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is installed works from wherever it is put, and the Debian packages are in order.

    package_test.py TEST SOURCE BUILD with|without VERSION    (with or without the window)

Status 77: a checker that Debian has is not installed here; the message names it.
"""
import hashlib
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE, BUILD = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
WINDOW, VERSION = sys.argv[4] == "with", sys.argv[5]
MAN = BUILD / "packaging/manual"


def run(*command, status=0, **options):
    ran = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                         errors="replace", timeout=250, **options)
    if status is not None and ran.returncode != status:
        sys.exit(f"status {ran.returncode}, not {status}: {' '.join(map(str, command))}\n{ran.stdout}")
    return ran.stdout


def need(*programs):
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed (tools/test installs what the tests need)")
        sys.exit(77)


def expect(right, what):
    if not right:
        sys.exit(what)


def contents(tree):
    """Every entry with what would show that somebody wrote it."""
    found = {}
    for path in sorted(tree.rglob("*")):
        data = b"" if path.is_symlink() or path.is_dir() else path.read_bytes()
        found[str(path.relative_to(tree))] = (path.lstat().st_mtime_ns, hashlib.sha1(data).hexdigest())
    return found


def must_not_name(tree, folders):
    for path in tree.rglob("*"):
        if path.is_symlink():
            expect(not os.readlink(path).startswith("/"), f"{path} is a link to a fixed place")
        elif path.is_file():
            data = path.read_bytes()
            for folder in folders:
                expect(os.fsencode(folder) not in data, f"{path} names {folder}")


def installed_tree_runs_from_anywhere(folder):
    run("cmake", "--install", BUILD, "--prefix", folder / "first", "--strip")
    # Below somebody's build folder, which it must not take for its own.
    (folder / "build/embedded").mkdir(parents=True)
    (folder / "build/CMakeCache.txt").write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/nowhere\n")
    tree = (folder / "first").rename(folder / "build/moved to here")
    # The path of this build, of its sources, and nothing that is shorter than either.
    must_not_name(tree, [BUILD, SOURCE])
    for loaded in [*tree.rglob("*.so*"), tree / "bin/driverlab"]:
        if not loaded.is_symlink():
            dynamic = run("readelf", "-d", loaded)
            paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic)
            expect(all(path == "$ORIGIN" for path in paths), f"{loaded} looks for libraries in {paths}")
    run("chmod", "-R", "a-w", tree)
    before = contents(tree)
    home = folder / "home"
    home.mkdir()
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8"}

    def lab(*words, **options):
        said = run(tree / "bin/driverlab", *words, env=environment, cwd=home, **options)
        expect(str(BUILD) not in said and str(SOURCE) not in said, f"driverlab {words} names the build:\n{said}")
        return said

    expect(lab("--version") == f"driverlab {VERSION}\n", "driverlab --version is not the version of the project")
    expect("context_stack" in lab("list"), "driverlab list does not list the lessons")
    called = lab("run", "05", "--driver", "embedded")
    expect("cuCtxPushCurrent" in called and str(tree) in called, f"lesson 05 did not run from the tree:\n{called}")
    lab("run", "20", "--driver", "embedded")  # NVRTC, which needs ptxcc and its headers
    exercise = home / "lesson"
    shutil.copytree(tree / "share/driverlab/lessons/05_context_stack", exercise)
    run("chmod", "-R", "u+w", exercise)
    for name, folder in (("repair", "exercise"), ("predict", "exercise/predict")):
        lab("check", "05", name, "--source", exercise, status=1)  # with the start of the exercise
        shutil.copy(exercise / folder / "solution.cpp", exercise / folder / "main.cpp")
        lab("check", "05", name, "--source", exercise)
    if WINDOW:
        lab("shot", home / "shot.png", "--lesson", "05", "--call", "6", "--lang", "zh")
        expect((home / "shot.png").stat().st_size > 10000, "the picture is empty")
    kernel = home / "kernel.cu"
    kernel.write_text("__global__ void one(int* a) { *a = 1; }\nint main() { return 0; }\n")
    run(tree / "bin/ptxcc", kernel, "-o", home / "kernel.ptx", env=environment)
    run(tree / "bin/cuda++", kernel, "-o", home / "program", env=environment)
    # A link elsewhere, as /usr/bin has to /usr/lib, is followed.
    (home / "ptxcc").symlink_to(tree / "bin/ptxcc")
    run(home / "ptxcc", kernel, "-o", "-", env=environment)
    expect(contents(tree) == before, "something was written into the installed tree")
    run("chmod", "-R", "u+w", tree)
    shutil.rmtree(tree / "lib/driverlab/embedded/lib")
    said = lab("run", "05", "--driver", "embedded", status=None)
    expect(f"cmake --install build --prefix '{tree}'" in said, f"what is missing is to be had by another command:\n{said}")


def packages_have_no_finding(folder):
    need("cpack", "dpkg-deb", "dpkg-shlibdeps", "lintian", "desktop-file-validate", "appstreamcli", "update-mime-database")
    # Packed fast, not small: what is judged is what is inside.
    run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
    files = sorted(folder.glob("*.deb"), key=lambda file: file.name.split("_"))
    expect([file.name.split("_")[0] for file in files] == ["driverlab", "driverlab-toolkit"], f"packages are {files}")
    expect(all(f"_{VERSION}_" in file.name for file in files), f"{files} are not of version {VERSION}")
    found = run("lintian", "--allow-root", *files, status=None)
    expect(re.search(r"^[EW]:", found, re.M) is None, f"lintian:\n{found}")
    root = folder / "root"
    for file in files:
        run("dpkg-deb", "-x", file, root)
    depends = run("dpkg-deb", "-f", files[0], "Depends")
    expect(f"driverlab-toolkit (= {VERSION})" in depends, f"driverlab depends on {depends}")
    expect("clang-19" in run("dpkg-deb", "-f", files[1], "Depends"), "the toolkit does not depend on clang-19")
    # Nothing of the toolkit lies where the system's linker or compiler looks by itself.
    for place in ("usr/lib", "usr/lib/x86_64-linux-gnu", "usr/include", "usr/local"):
        strange = [path.name for path in (root / place).glob("*") if path.name != "driverlab"]
        expect(not strange, f"/{place} gets {strange}")
    said = run("desktop-file-validate", root / "usr/share/applications/driverlab.desktop")
    expect(said == "", f"desktop-file-validate:\n{said}")
    said = run("appstreamcli", "validate", "--no-net", next(root.glob("usr/share/metainfo/*.xml")))
    expect(re.search(r"^[EWI]:", said, re.M) is None, f"appstreamcli:\n{said}")
    mime = root / "usr/share/mime"
    run("update-mime-database", mime)
    expect("application/x-driverlab-recording:*.dlrec" in (mime / "globs").read_text(), "*.dlrec has no type")
    magic = (SOURCE / "assets/recordings/h200_05_context_stack.dlrec").read_bytes()[:8]
    expect(magic in (mime / "magic").read_bytes(), "a recording is not known by its first bytes")


def described(language):
    return json.loads(run(BUILD / "driverlab", "describe", "--lang", language))


def manual_and_completions_say_what_help_says(folder):
    for language, place in (("en", MAN / "man1"), ("zh", MAN / "zh_CN/man1")):
        page = (place / "driverlab.1").read_text(encoding="utf-8").replace("\\-", "-").replace("\\:", "")
        app = described(language)
        expect(f"driverlab {VERSION}" in page, "the page does not name the version")
        for command in app["commands"]:
            expect(f".SS \\fB{command['name']}" in page, f"{place}: no {command['name']}")
            for option in command["options"]:
                expect(all(f"\\fB{name}" in page for name in option["names"]), f"{place}: {command['name']} lacks {option}")
        for script in ("ptxcc", "cuda++"):
            page = (place / f"{script}.1").read_text(encoding="utf-8").replace("\\-", "-").replace("\\:", "")
            help_text = run(BUILD / "embedded/bin" / script, "--help", env={**os.environ, "LC_ALL": "zh_CN.UTF-8" if language == "zh" else "C"})
            for option in re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", help_text):
                expect(option in page, f"{place}/{script}.1 lacks {option}")
        if shutil.which("man"):
            for name in ("driverlab", "ptxcc", "cuda++"):
                said = run("man", "--warnings", "-E", "UTF-8", "-l", "-P", "cat", place / f"{name}.1",
                           env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
                expect("warning" not in said, f"{name}:\n{said}")
    numbers = re.findall(r"^(\d\d) ", run(BUILD / "driverlab", "list"), re.M)

    def completed(*words):
        script = f"source {MAN / 'driverlab.bash'}; COMP_WORDS=(driverlab {' '.join(words)}); COMP_CWORD={len(words)}; " \
                 "compopt() { :; }; _driverlab; printf '%s\\n' \"${COMPREPLY[@]}\""
        return run("bash", "-c", script, cwd=folder, env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"}).split()

    expect(completed("r") == ["run", "replay"] or sorted(completed("r")) == ["replay", "run"], f"r: {completed('r')}")
    expect(completed("run", "''") == numbers, f"run: {completed('run', chr(39) * 2)}")
    expect(completed("shot", "a.png", "--lesson", "0") == [n for n in numbers if n[0] == "0"], "shot --lesson 0")
    expect(completed("run", "--driver", "e") == ["embedded"], f"--driver e: {completed('run', '--driver', 'e')}")
    expect(completed("run", "05", "--lang", "z") == ["zh"], f"--lang z: {completed('run', '05', '--lang', 'z')}")
    for words in (("check", "05"), ("check", "context_stack"), ("--lang", "zh", "check", "--lang", "en", "5")):
        expect(completed(*words, "''") == ["repair", "predict"], f"{words}: {completed(*words, chr(39) * 2)}")
    expect(completed("check", "''") == numbers, f"check: {completed('check', chr(39) * 2)}")
    expect(completed("check", "23", "pro") == ["project"], f"check 23 pro: {completed('check', '23', 'pro')}")
    expect(completed("check", "05", "--h") == ["--help", "--hint"], f"check 05 --h: {completed('check', '05', '--h')}")
    expect("--record" in completed("trace", "--r"), f"trace --r: {completed('trace', '--r')}")
    for shell, file in (("bash", "driverlab.bash"), ("zsh", "_driverlab"), ("fish", "driverlab.fish")):
        text = (MAN / file).read_text(encoding="utf-8")
        for command in described("en")["commands"]:
            expect(command["name"] in text, f"{file} lacks {command['name']}")
        if shell == "bash":
            run(shell, "-n", MAN / file)


def typed_in_zsh(folder, words):
    """What an interactive zsh has on its line after these words and Tab."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(PATH=f"{BUILD}:{os.environ['PATH']}", TERM="dumb", ZDOTDIR=str(folder), LC_ALL="C.UTF-8")
        os.execvp("zsh", ["zsh", "-f", "-i"])
    seen, end = b"", time.monotonic() + 120

    def until(pattern):
        nonlocal seen
        while not re.search(pattern, seen):
            expect(time.monotonic() < end, f"zsh: no {pattern} in {seen}")
            if select.select([terminal], [], [], 0.2)[0]:
                seen += os.read(terminal, 4096)
        return re.search(pattern, seen)
    try:
        # A key of our own prints the line: nothing that the line editor draws is read.
        os.write(terminal, (f"PS1= RPS1=; fpath=({MAN} $fpath); autoload -U compinit; compinit -u -D\n"
                            "show() { zle -I; print -r -- \"LINE<$BUFFER>\"; BUFFER=; }; zle -N show; bindkey '^X' show\n"
                            "print REA''DY\n").encode())
        until(rb"READY\r?\n")
        os.write(terminal, words.encode() + b"\t\x18")
        return until(rb"LINE<([^>$]*)>")[1].decode().rstrip()
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def zsh_completes_commands_options_and_their_values(folder):
    need("zsh")
    for words, wanted in (("driverlab sh", "driverlab shot"), ("driverlab run --dr", "driverlab run --driver"),
                          ("driverlab run --driver em", "driverlab run --driver embedded"),
                          ("driverlab shot a.png --lesson 23", "driverlab shot a.png --lesson 23"),
                          ("driverlab check 05 pr", "driverlab check 05 predict"),
                          ("driverlab check --lang en context_stack pr", "driverlab check --lang en context_stack predict"),
                          ("driverlab trace --q", "driverlab trace --quiet"),
                          ("driverlab trace ech", "driverlab trace echo")):
        found = typed_in_zsh(folder, words)
        expect(found == wanted, f"zsh makes {found!r} of {words!r}, not {wanted!r}")


def fish_completes_commands_options_and_their_values(folder):
    need("fish")
    environment = {**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8"}

    def completed(words):
        lines = run("fish", "-c", f"source {MAN / 'driverlab.fish'}; complete -C '{words}'", env=environment).splitlines()
        return [line.split("\t")[0] for line in lines]

    expect(completed("driverlab sh") == ["shot"], f"sh: {completed('driverlab sh')}")
    expect(completed("driverlab run --dr") == ["--driver"], f"--dr: {completed('driverlab run --dr')}")
    drivers = completed("driverlab run --driver ")
    expect(sorted(drivers) == ["auto", "embedded", "real"], f"--driver: {drivers}")
    expect("22" in completed("driverlab run "), f"run: {completed('driverlab run ')}")
    expect(completed("driverlab check 05 pr") == ["predict"], f"check 05 pr: {completed('driverlab check 05 pr')}")
    expect(completed("driverlab trace --q") == ["--quiet"], f"--q: {completed('driverlab trace --q')}")


def icons_are_made_from_the_drawing(_):
    run(SOURCE / "packaging/make_icons.py", "--check")


def main():
    with tempfile.TemporaryDirectory(prefix="driverlab-package-") as folder:
        globals()[sys.argv[1]](pathlib.Path(folder).resolve())


if __name__ == "__main__":
    main()
