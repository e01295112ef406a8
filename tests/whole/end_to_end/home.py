# SPDX-License-Identifier: MIT
"""A home of its own for what a test starts, so that it meets no settings, cache or workspace of whoever runs it."""
import os


def environment_at(home):
    """This process's environment, with every folder of a user below `home`, and in one language."""
    environment = os.environ | {"HOME": str(home), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        environment[name] = str(home / name.lower())
    return environment
