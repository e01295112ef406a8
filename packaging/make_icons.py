#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws icons/driverlab-SIZE.png from icons/driverlab.svg, with Chromium. Run after the SVG changed; commit the results.

    packaging/make_icons.py [--check]

--check draws nothing: it fails where a picture is missing, has another size, or is older in content than the SVG, whose
checksum each PNG carries as a comment.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
ICONS = pathlib.Path(__file__).resolve().parent / "icons"
SVG = ICONS / "driverlab.svg"
KEY = b"Source\0"


def chunks(png):
    at = 8
    while at < len(png):
        size = struct.unpack(">I", png[at:at + 4])[0]
        yield png[at + 4:at + 8], png[at + 8:at + 8 + size]
        at += size + 12


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def mark():
    return KEY + b"driverlab.svg %08x" % zlib.crc32(SVG.read_bytes())


def draw(size, folder):
    page, picture = folder / "icon.html", folder / "icon.png"
    page.write_text(f'<body style="margin:0;overflow:hidden"><img src="{SVG.as_uri()}" width="{size}" height="{size}">')
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--allow-file-access-from-files", "--default-background-color=00000000",
                    f"--window-size={max(size, 500)},{max(size, 500)}", f"--screenshot={picture}", page.as_uri()],
                   check=True, capture_output=True, timeout=60)
    return cropped(picture.read_bytes(), size)


def cropped(png, size):
    """The top left corner of an RGBA picture: a browser's window has a smallest size."""
    parts = list(chunks(png))
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    assert (depth, colour, interlaced) == (8, 6, 0), "Chromium writes 8-bit RGBA"
    data = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    before, rows = bytearray(width * 4), []
    for y in range(size):
        start = y * (width * 4 + 1)
        before = unfiltered(data[start], data[start + 1:start + 1 + width * 4], before)
        rows.append(b"\0" + bytes(before[:size * 4]))
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tEXt", mark()) +
            chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b""))


def unfiltered(kind, row, above):
    out = bytearray(row)
    for i, value in enumerate(row):
        left = out[i - 4] if i >= 4 else 0
        up, corner = above[i], above[i - 4] if i >= 4 else 0
        if kind == 1:
            value += left
        elif kind == 2:
            value += up
        elif kind == 3:
            value += (left + up) // 2
        elif kind == 4:
            guess = left + up - corner
            distances = abs(guess - left), abs(guess - up), abs(guess - corner)
            value += (left, up, corner)[distances.index(min(distances))]
        out[i] = value & 255
    return out


def check():
    for size in SIZES:
        file = ICONS / f"driverlab-{size}.png"
        parts = dict(chunks(file.read_bytes())) if file.exists() else {}
        if struct.unpack(">II", parts.get(b"IHDR", bytes(8))[:8]) != (size, size) or parts.get(b"tEXt") != mark():
            sys.exit(f"{file.name} is not made from driverlab.svg as it is now: run packaging/make_icons.py")


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            (ICONS / f"driverlab-{size}.png").write_bytes(draw(size, pathlib.Path(folder)))
    return check()


if __name__ == "__main__":
    main()
