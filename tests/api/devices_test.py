#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files of devices: what each must have, and where a mistake is."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "api"))

from generators import devices, load  # noqa: E402

API = load.load()
T4 = (devices.DEVICES / "t4.toml").read_text(encoding="utf-8")


def table_of(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return devices.table(API, [load.Source(path)])


class Devices(unittest.TestCase):
    def test_a_device_is_in_the_table_with_its_word_name_memory_and_figures(self) -> None:
        text = table_of(T4)
        self.assertIn('{"mine", "Tesla T4", 15843721216, figures_of_mine},', text)
        self.assertIn("{16, 40},  // MULTIPROCESSOR_COUNT", text)

    def test_a_file_may_have_more_than_it_must(self) -> None:
        self.assertIn("{117, 7},  // GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS",
                      table_of(T4 + "GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 7\n"))

    def test_a_mistake_is_named_with_its_line(self) -> None:
        for wrong, message in (
                (T4.replace("MULTIPROCESSOR_COUNT = 40\n", ""), "the key 'MULTIPROCESSOR_COUNT' is missing"),
                (T4.replace("COUNT = 40", 'COUNT = "40"'), "'MULTIPROCESSOR_COUNT' must be a int"),
                (T4 + "SPEED = 1\n", "'CU_DEVICE_ATTRIBUTE_SPEED' is no CUdevice_attribute"),
                (T4.replace("memory = ", "size = "), "the key 'memory' is missing"),
                (T4.replace("name = ", "colour = 1\nname = "), "unknown key 'colour'"),
                (T4.replace("name = ", "name "), "this is not TOML")):
            with self.subTest(message), self.assertRaisesRegex(load.DescriptionError, rf"mine\.toml:\d+: .*{message}"):
                table_of(wrong)


if __name__ == "__main__":
    unittest.main()
