# SPDX-License-Identifier: MIT
"""A small root of its own for tests of the command line: lessons that misbehave, each in its own way.

The real parts (driver, tracer, check.hpp) are the ones that were built; only the lessons are made here.
"""
import os
import pathlib
import subprocess

TOML = """sources = ["main.cpp"]
teaches = ["cuInit"]
documents = []
{limits}
[title]
en = "{title}"
zh = "测试 {title}"
[summary]
en = "A test."
zh = "一个测试。"
"""
HEAD = '#include "check.hpp"\n#include <unistd.h>\n#include <string>\nint main() {\n  check(cuInit(0));\n'

# name: (statements from line 6 on, [limits])
LESSONS = {
    "01_good": ('std::puts("hello");', ""),
    "02_exits_with_7": ("return 7;", ""),
    "03_crashes_in_a_call": ("cuDriverGetVersion(reinterpret_cast<int*>(8));", ""),
    "04_hangs": ("for (;;) usleep(1000);", "[limits]\nseconds = 1"),
    "05_does_not_compile": ("check(cuInit(no_such_name));", ""),
    "06_floods": ('for (;;) std::puts(std::string(4000, 120).c_str());', "[limits]\noutput_mib = 1"),
    "07_steers": (r'std::printf("\x1b[2J\x1b]0;title\x07 %s\n", "\xff");', ""),
    "08_environment": ('std::printf("VIA=%s\\n", std::getenv("VIA") ? std::getenv("VIA") : "none");', ""),
    "10_calls": ("int n; for (;;) check(cuDeviceGetCount(&n));", "[limits]\nseconds = 1"),
    "09_sleeps": ('std::puts("ready"); sleep(60);', ""),
}


class Laboratory:
    """Runs the built driverlab with a root, a home and a cache of its own."""

    def __init__(self, source, driverlab, folder):
        self.source, self.driverlab, self.folder = source, driverlab, pathlib.Path(folder)
        self.root = self.folder / "root"
        (self.root / "lessons").mkdir(parents=True)
        (self.root / "assets").symlink_to(source / "assets")
        (self.root / "lessons" / "check.hpp").write_bytes((source / "lessons" / "check.hpp").read_bytes())
        for name, (statements, limits) in LESSONS.items():
            self.add(name, TOML.format(title=name, limits=limits), HEAD + "  " + statements + "\n}\n")

    def add(self, name, toml, program):
        lesson = self.root / "lessons" / name
        lesson.mkdir(exist_ok=True)
        (lesson / "lesson.toml").write_text(toml, encoding="utf-8")
        (lesson / "main.cpp").write_text(program, encoding="utf-8")
        for notes in ("notes.md", "notes.zh.md"):
            (lesson / notes).write_text("# Test\n", encoding="utf-8")
        return lesson

    def environment(self, real_lessons=False, **extra):
        environment = {name: value for name, value in os.environ.items()
                       if name == "DRIVERLAB_LIBRARIES" or not name.startswith(("LC_", "DRIVERLAB_", "XDG_"))}
        environment.update(LANG="C.UTF-8", XDG_DATA_HOME=str(self.folder / "data"), TERM="xterm",
                           XDG_CACHE_HOME=str(self.folder / "cache"), XDG_CONFIG_HOME=str(self.folder / "config"),
                           DRIVERLAB_ROOT=str(self.source if real_lessons else self.root))
        environment.update(extra)
        return environment

    def __call__(self, *arguments, real_lessons=False, **extra):
        return subprocess.run([self.driverlab, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              encoding="utf-8", env=self.environment(real_lessons, **extra), stdin=subprocess.DEVNULL)
