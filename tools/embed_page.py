#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Joins the files of assets/page into one style and one script and writes them as C++ (app/lab/src/export/page_files.hpp).

    embed_page.py OUTPUT.cpp FILE.css… FILE.js…      in the order in which the page has them

It does not depend on what the files do; it refuses what cannot be inside a style or script element.
"""
import base64
import hashlib
import pathlib
import sys

PIECE = 12000  # characters; compilers limit the length of one literal


def literal(text):
    if ')page"' in text:
        sys.exit('embed_page.py: the files hold )page", which ends the literal that they are written as')
    pieces = [text[i:i + PIECE] for i in range(0, len(text), PIECE)] or [""]
    return "\n".join(f'R"page({piece})page"' for piece in pieces)


def main():
    output, *files = map(pathlib.Path, sys.argv[1:])
    parts = {".css": "", ".js": ""}
    for file in files:
        parts[file.suffix] += file.read_text(encoding="utf-8")
    code = "// Written by tools/embed_page.py from assets/page. Change those files.\n"
    code += '#include "export/page_files.hpp"\n\nnamespace lab {\n'
    for suffix, name in ((".css", "kPageStyle"), (".js", "kPageScript")):
        text = parts[suffix]
        if "</" in text or "<!--" in text:
            sys.exit(f"embed_page.py: {suffix} holds </ or <!--, which a browser reads as markup")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        code += f"const std::string_view {name} =\n{literal(text)};\n"
        code += f'const std::string_view {name}Hash = "{digest}";\n'
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(code + "}  // namespace lab\n", encoding="utf-8")


if __name__ == "__main__":
    main()
