#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/lab builds two targets, `driverlab` and `lab_runtime`; lessons find in build/embedded what only these have made.

    first_command_test.py NINJA BUILD_FOLDER

Everything that the whole build puts below embedded/ has to be made on the way to lab_runtime.
"""
import re
import subprocess
import sys


def told(ninja, folder, *question):
    return subprocess.run([ninja, "-C", folder, "-t", *question], check=True, capture_output=True, text=True).stdout


def main(ninja, folder):
    made = {line.split(":")[0] for line in told(ninja, folder, "targets", "all").splitlines()}
    made = {name for name in made if re.match(r"embedded/(bin|include|lib|libexec)/", name)}
    commands = told(ninja, folder, "commands", "lab_runtime")
    missing = sorted(name for name in made if not re.search(re.escape(name) + r"(?![\w.])", commands))
    if len(made) < 20 or missing:
        sys.exit(f"{len(made)} files below embedded/; lab_runtime does without {', '.join(missing) or 'none'}")


main(*sys.argv[1:])
