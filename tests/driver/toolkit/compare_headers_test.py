#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that the comparison of headers can fail: a changed value, layout, signature or name is found.

    compare_headers_test.py COMPILER OURS

Works without a CUDA Toolkit: our own header is held against copies of itself with one thing changed.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import compare_headers

COMPILER, OURS = sys.argv[1], Path(sys.argv[2])
CHANGES = {
    "value CU_CTX_SCHED_SPIN": (r"CU_CTX_SCHED_SPIN = \d+", "CU_CTX_SCHED_SPIN = 77"),
    "size CUuuid": (r"char bytes\[16\]", "char bytes[17]"),
    "offset CUctxCreateParams.cigParams": (r"int numExecAffinityParams;", "int numExecAffinityParams; int x[2];"),
    "function cuCtxSynchronize": (r"cuCtxSynchronize\(void\)", "cuCtxSynchronize(int x)"),
    "name cuCtxDestroy": (r"#define cuCtxDestroy cuCtxDestroy_v2", "#define cuCtxDestroy cuCtxPopCurrent_v2"),
}


def compared(theirs: Path) -> tuple[int, str]:
    output = io.StringIO()
    arguments = ["compare_headers.py", COMPILER, str(OURS), "--toolkit", str(theirs)]
    one_mode = {"default": []}
    with mock.patch.object(sys, "argv", arguments), mock.patch.object(compare_headers, "MODES", one_mode), \
            contextlib.redirect_stdout(output):
        status = compare_headers.main()
    return status, output.getvalue()


class CompareHeaders(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.include = Path(self.folder.name) / "include"
        self.include.mkdir()
        for header in OURS.glob("*.h"):
            (self.include / header.name).write_text(header.read_text())

    def tearDown(self) -> None:
        self.folder.cleanup()

    def test_all_changes_are_found_and_nothing_else_is_wrong(self) -> None:
        text = (OURS / "cuda.h").read_text()
        for pattern, replacement in CHANGES.values():
            text, count = re.subn(pattern, replacement, text)
            self.assertGreaterEqual(count, 1, pattern)
        (self.include / "cuda.h").write_text(text)
        status, output = compared(Path(self.folder.name))
        self.assertEqual(status, 1)
        for key in CHANGES:
            self.assertIn(f"  {key}: ours", output)
        self.assertNotIn("CUmemLocation", output)

    def test_a_header_equals_itself(self) -> None:
        status, output = compared(Path(self.folder.name))
        self.assertEqual((status, output.splitlines()[1:]), (0, []), output)

    def test_another_version_is_skipped_with_a_word(self) -> None:
        text = (OURS / "cuda.h").read_text()
        (self.include / "cuda.h").write_text(re.sub(r"CUDA_VERSION \d+", "CUDA_VERSION 12040", text))
        status, output = compared(Path(self.folder.name))
        self.assertEqual(status, compare_headers.SKIPPED)
        self.assertIn("12040", output)

    def test_no_toolkit_is_skipped_with_a_word(self) -> None:
        status, output = compared(Path(self.folder.name) / "nowhere")
        self.assertEqual(status, compare_headers.SKIPPED)
        self.assertIn("no CUDA Toolkit", output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
