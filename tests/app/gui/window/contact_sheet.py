#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contact_sheet.py SHEET.png PICTURE.png...: many pictures on one sheet, each with its name, to be looked at.

Needs ImageMagick (montage), which tools/test installs. It does not depend on what the pictures show.
"""
import pathlib
import subprocess
import sys

COLUMNS = 3


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sheet, pictures = sys.argv[1], sorted(sys.argv[2:])
    named = [word for picture in pictures for word in ("-label", pathlib.Path(picture).stem, picture)]
    subprocess.run(["montage", *named, "-tile", f"{COLUMNS}x", "-geometry", "640x+8+8", sheet], check=True)
    print(f"{len(pictures)} pictures on {sheet}")


if __name__ == "__main__":
    main()
