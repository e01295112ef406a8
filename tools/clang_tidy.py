# SPDX-License-Identifier: MIT
"""clang-tidy over our own sources as the release build compiles them. Run by tools/lint.

    clang_tidy.py CLANG-TIDY JOBS

The batches of a target are read as one, since most of the time goes into reading headers. A target in which nothing was
found is not read again before something that it may depend on changes: its sources, any header of ours, the checks, or a
package of the system. ~/.cache/driverlab-lint (XDG_CACHE_HOME) holds an empty file for each of these.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from compile_database import for_clang

TIDY, JOBS = sys.argv[1], int(sys.argv[2])
OURS = re.compile(r"(api|trace|driver|app)/")
# Headers, what is generated from, what generates it, and how all of it is compiled. Lessons and tests take no part.
READ = re.compile(r"((api|trace|driver|app)/.*\.(hpp|h|toml|py)|assets/strings/.*|tools/.*\.py|cmake/.*|(.*/)?CMakeLists\.txt|(.*/)?\.clang-tidy)$")
FOLDER = pathlib.Path("build/lint")
KEPT = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "driverlab-lint"
# Warnings are for the compiler: clang sees shadows between sources of a batch, and std::stable_sort as deprecated.
OPTIONS = ["--quiet", "-p", str(FOLDER), "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-shadow",
           "--extra-arg=-Wno-deprecated-declarations", r"--header-filter=(api|trace|driver|app)/.*\.[ch]pp$",
           "--exclude-header-filter=/generated/"]


def left_out(layer):
    """A batch lies in the build folder, so what a layer's own .clang-tidy leaves out is said here."""
    path = pathlib.Path(layer, ".clang-tidy")
    text = path.read_text() if path.exists() else ""
    return "--checks=" + ",".join(["-bugprone-suspicious-include", *re.findall(r"-(?:bugprone|performance|misc)-[a-z-]+", text)])


def targets():
    """(layer, commands): the batches of a target that are compiled alike, or a source alone; the longest first."""
    together = {}
    for command in map(for_clang, json.loads(pathlib.Path("build/compile_commands.json").read_text())):
        source = re.sub("^build/", "", os.path.relpath(command["file"]))
        if source.endswith((".cpp", ".cxx")) and OURS.match(source) and "/generated/" not in source:
            target = re.sub(r"/CMakeFiles/(.*)\.dir/Unity/.*", r"/\1", source)
            flags = re.sub(r" -o .*", "", command["command"])
            together.setdefault((target, flags), []).append(command)
    for (target, _), commands in sorted(together.items(), key=lambda one: -len(one[1])):
        yield target.split("/")[0], commands


def as_one(number, commands):
    """The one command that reads them all."""
    first, file = commands[0], os.path.relpath(commands[0]["file"])
    if len(commands) > 1:
        file = FOLDER / f"{number}.cxx"
        file.write_text("".join(f'#include "{command["file"]}"\n' for command in commands))
    path = os.path.abspath(file)
    return first | {"file": path, "command": first["command"].replace(first["file"], path)}


def common():
    """What the result of every target may depend on."""
    digest = hashlib.sha256(pathlib.Path(__file__).read_bytes())
    said = subprocess.run(["dpkg-query", "-W"], capture_output=True).stdout if os.path.exists("/usr/bin/dpkg-query") else b""
    digest.update(said or os.urandom(16))  # if the packages are not known, nothing is kept
    tracked = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True).stdout
    for name in sorted(tracked.splitlines()):
        if READ.match(name) and os.path.exists(name):
            digest.update(name.encode() + b"\0" + pathlib.Path(name).read_bytes() + b"\0")
    return digest.digest()


def key(shared, checks, commands):
    digest = hashlib.sha256(shared + checks.encode())
    for command in commands:
        file = pathlib.Path(command["file"])
        text = file.read_text()
        digest.update(f'{command["command"]}\0{text}\0'.encode())
        for included in re.findall(r'^#include "(/.*)"$', text, re.M):  # a batch
            digest.update(pathlib.Path(included).read_bytes() + b"\0")
    return digest.hexdigest()


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    for stamp in KEPT.iterdir():
        if time.time() - stamp.stat().st_mtime > 30 * 86400:
            stamp.unlink(missing_ok=True)
    shared, commands, wanted = common(), [], []
    for number, (layer, of_target) in enumerate(targets()):
        commands.append(as_one(number, of_target))
        stamp = KEPT / key(shared, left_out(layer), of_target)
        if not stamp.exists():
            wanted.append((left_out(layer), commands[-1]["file"], stamp))
    (FOLDER / "compile_commands.json").write_text(json.dumps(commands))

    def tidy(one):
        checks, file, stamp = one
        done = subprocess.run([TIDY, *OPTIONS, checks, file], capture_output=True, text=True)
        if done.returncode == 0 and not done.stdout.strip():
            stamp.touch()
        return done

    status = 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for done in pool.map(tidy, wanted):
            status = max(status, done.returncode != 0)
            if done.stdout.strip() or done.returncode != 0:
                print(done.stdout + done.stderr, flush=True)
    print(f"{len(wanted)} of {len(commands)} targets read, the others have not changed")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
