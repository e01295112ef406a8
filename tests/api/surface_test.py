#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The description of the driver API covers every entry point of CUDA 12.0 to 13.0, each version of it, and all of them
are recorded. Judged by a list of names that was taken from the headers, and by an installed header where there is one."""

import re
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "api"))

from generators import load  # noqa: E402

HEADERS = ("/usr/local/cuda/include/cuda.h", "/usr/include/cuda.h", "/opt/cuda/include/cuda.h")
NO_ENTRY_POINTS = {"cuGetProcAddress_v2_ptsz"}  # a function in the header itself


def listed() -> dict[str, int]:
    lines = (HERE / "entry_points.txt").read_text(encoding="utf-8").splitlines()
    return {name: int(version) for name, version in (line.split() for line in lines if not line.startswith("#"))}


class Surface(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.api = load.load_all()[0]
        cls.listed = listed()

    def test_every_entry_point_of_the_headers_is_described_and_no_other(self):
        described = {point.symbol for point in self.api.entry_points}
        self.assertEqual(sorted(described ^ set(self.listed)), [])

    def test_none_is_younger_than_the_first_header_that_has_it(self):
        late = [p.symbol for p in self.api.entry_points if p.since > self.listed[p.symbol]]
        self.assertEqual(late, [])

    def test_each_has_a_recorder_of_its_own(self):
        text = (ROOT / "trace/generated/recorders.cpp").read_text(encoding="utf-8")
        recorded = re.findall(r"^int (cu\w+)\(", text, re.MULTILINE)
        self.assertEqual(sorted(recorded), sorted(self.listed))

    def test_versions_carry_the_cuda_version_that_brought_them_and_one_is_what_the_plain_name_means(self):
        function = self.api.function("cuCtxCreate")
        self.assertEqual([(p.symbol, p.since) for p in function.entry_points],
                         [("cuCtxCreate", 2000), ("cuCtxCreate_v2", 3020), ("cuCtxCreate_v3", 11040), ("cuCtxCreate_v4", 12050)])
        self.assertEqual(self.api.default_entry_point(function).symbol, "cuCtxCreate_v4")

    def test_a_variant_for_the_per_thread_stream_says_so(self):
        self.assertEqual([self.api.by_symbol(symbol).stream for symbol in ("cuLaunchKernel", "cuLaunchKernel_ptsz", "cuMemAlloc_v2")],
                         ["legacy", "per_thread", ""])

    def test_a_call_whose_name_says_that_it_ends_something_says_what(self):
        ending = re.compile(r"Destroy|Unload|Free|Release|Close|Unmap|Detach|Unregister")
        # Nothing is followed of graph nodes, graphics resources, user objects and callbacks; primary contexts are counted.
        others = {"cuDevicePrimaryCtxRelease", "cuDeviceUnregisterAsyncNotification", "cuGraphAddMemFreeNode", "cuGraphDestroyNode",
                  "cuGraphMemFreeNodeGetParams", "cuGraphReleaseUserObject", "cuGraphicsUnmapResources",
                  "cuGraphicsUnregisterResource", "cuLogsUnregisterCallback", "cuUserObjectRelease"}
        silent = {f.name for f in self.api.functions if ending.search(f.name) and not f.ends}
        self.assertEqual(sorted(silent ^ others), [])

    def test_what_is_passed_on_by_name_is_not_described_too(self):
        self.assertEqual(sorted(set(self.api.forwarded) & set(self.listed)), [])

    def test_a_header_that_is_installed_declares_nothing_else(self):
        headers = [Path(path) for path in HEADERS if Path(path).exists()]
        if not headers:
            self.skipTest("no CUDA Toolkit is installed here")
        text = headers[0].read_text(encoding="utf-8", errors="replace")
        version = int(re.search(r"^#define CUDA_VERSION (\d+)", text, re.MULTILINE).group(1))
        if not 12000 <= version <= 13000:
            self.skipTest(f"the CUDA Toolkit that is installed here is {version}, not 12000 to 13000")
        declared = set(re.findall(r"CUresult\s+CUDAAPI\s+(cu\w+)\s*\(", text)) - NO_ENTRY_POINTS
        self.assertGreater(len(declared), 400)
        self.assertEqual(sorted(declared - set(self.listed)), [])


if __name__ == "__main__":
    unittest.main()
