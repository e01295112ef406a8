#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The help of the API is complete, and each mistake in it is named with file and line."""

from __future__ import annotations

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "api"))

from generators import help, load  # noqa: E402

APIS = load.load_all()
API = APIS[0]


class Texts(unittest.TestCase):
    """What is in api/help now."""

    def setUp(self) -> None:
        self.help = help.Help(APIS, help.FOLDER)

    def test_each_function_says_in_both_languages_what_it_does(self) -> None:
        self.assertLess({function.name for function in API.functions}, set(self.help.functions))
        for name, text in self.help.functions.items():
            self.assertTrue(text["en"].endswith("."), name)
            self.assertTrue(text["zh"].endswith("。"), name)

    def test_chinese_is_chinese_and_english_is_not(self) -> None:
        def chinese(text: str) -> bool:
            return any("\u4e00" <= letter <= "\u9fff" for letter in text)

        texts = list(self.help.functions.items()) + list(self.help.results.items()) + list(self.help.types.items())
        texts += list(self.help.enumerators.items())
        texts += [(f"{name}.{parameter}", phrase) for name, phrases in self.help.phrases.items()
                  for parameter, phrase in phrases.items()]
        for name, text in texts:
            self.assertTrue(chinese(text["zh"]), name)
            self.assertFalse(chinese(text["en"]), name)

    def test_each_parameter_of_each_version_has_a_phrase(self) -> None:
        for function in API.functions:
            for point in function.entry_points:
                for parameter in point.parameters:
                    self.assertTrue(self.help.phrases[function.name][parameter.name]["zh"], f"{point.symbol} {parameter.name}")

    def test_each_sentence_about_a_single_enumerator_is_one_sentence(self) -> None:
        for name, text in self.help.enumerators.items():
            self.assertTrue(text["en"].endswith("."), name)
            self.assertTrue(text["zh"].endswith("。"), name)
            self.assertNotIn("`", text["en"] + text["zh"], name)

    def test_two_enumerators_of_one_enumeration_do_not_mean_the_same(self) -> None:
        for api in APIS:
            for enum in api.enums.values():
                seen: dict[str, str] = {}
                for name in enum.values:
                    for text in self.help.enumerators.get(name, {}).values():
                        other = seen.setdefault(text, name)
                        self.assertTrue(other == name or "_SIZE_BYTES" in name, f"{other} and {name}")

    def test_what_a_function_returns_is_that_of_its_library(self) -> None:
        table = help.table(self.help)
        self.assertIn('{"cuInit", "cuInit", "CUresult", ', table)
        self.assertIn('{"cudaMalloc", "cudaMalloc", "cudaError_t", ', table)
        self.assertIn('{"nvrtcGetPTX", "nvrtcGetPTX", "nvrtcResult", ', table)

    def test_two_functions_are_not_said_to_do_the_same(self) -> None:
        same_by_nature = {frozenset(("cuArray3DGetDescriptor", "cuArrayGetDescriptor"))}
        seen: dict[str, str] = {}
        for name in (function.name for function in API.functions):
            text = self.help.functions[name]
            other = seen.setdefault(text["en"], name)
            self.assertTrue(other == name or frozenset((other, name)) in same_by_nature, f"{other} and {name}")


class Mistakes(unittest.TestCase):
    def expect(self, file: str, before: str, after: str, *words: str) -> None:
        """That a copy of the help with this change is refused, in words that hold these."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "help"
            shutil.copytree(help.FOLDER, copy)
            path = copy / file
            text = path.read_text(encoding="utf-8")
            self.assertIn(before, text)
            path.write_text(text.replace(before, after, 1), encoding="utf-8")
            with self.assertRaises(load.DescriptionError) as raised:
                help.Help(APIS, copy)
            for word in words:
                self.assertIn(word, str(raised.exception))

    def test_a_language_that_is_missing(self) -> None:
        self.expect("functions/error.toml", 'zh = "返回一个结果的名称', 'ja = "返回一个结果的名称', "error.toml", "cuGetErrorName")
        self.expect("results.toml", "CUDA_ERROR_UNKNOWN = { en = ", "CUDA_ERROR_UNKNOWN = { fr = ", "results.toml", "CUDA_ERROR_UNKNOWN")

    def test_an_empty_text(self) -> None:
        self.expect("types.toml", 'CUdevice = { en = "A device: a number from cuDeviceGet."', 'CUdevice = { en = " "', "CUdevice", "'en' is missing")

    def test_a_function_that_is_missing_unknown_or_in_another_file(self) -> None:
        self.expect("functions/error.toml", "[cuGetErrorName]", "[cuGetErrorNames]", "error.toml", "cuGetErrorNames is no function")
        self.expect("functions/initialization.toml", "[cuInit]", "[cuGetErrorNam]", "cuGetErrorNam is no function")
        self.expect("functions/error.toml", "[cuGetErrorName]", "[cuCtxDestroy]", "cuCtxDestroy belongs in context.toml")

    def test_a_parameter_that_the_function_does_not_have(self) -> None:
        self.expect("functions/initialization.toml", "parameters.Flags", "parameters.flagz", "cuInit has no parameter 'flagz'")

    def test_a_parameter_without_a_phrase_and_a_phrase_without_a_parameter(self) -> None:
        self.expect("parameters.toml", "\nByteCount = ", "\nByteCountz = ", "'ByteCount' of cuMem")
        self.expect("parameters.toml", "\n[types]", '\nnobody = { en = "a", zh = "甲" }\n\n[types]', "nobody")

    def test_an_output_whose_phrase_does_not_say_so(self) -> None:
        self.expect("parameters.toml", "receives the number of free bytes", "the number of free bytes", "'free' of cuMemGetInfo")

    def test_an_error_or_a_result_that_does_not_exist(self) -> None:
        self.expect("errors.toml", 'cuCtxPopCurrent = ["INVALID_CONTEXT"', 'cuCtxPopCurrent = ["NO_CONTEXT"', "NO_CONTEXT is no result")
        self.expect("errors.toml", "cuCtxPopCurrent = ", "cuCtxPop = ", "cuCtxPop is no function")
        self.expect("results.toml", "CUDA_ERROR_UNKNOWN = ", "CUDA_ERROR_UNKNOWNS = ", "CUDA_ERROR_UNKNOWNS is not a result")
        self.expect("types.toml", "\nCUctx_flags = ", "\nCUctx_flag = ", "CUctx_flag is not")

    def test_a_word_that_a_library_does_not_have(self) -> None:
        self.expect("enumerators.toml", "CU_STREAM_LEGACY = ", "CU_STREAM_LEGACZ = ", "CU_STREAM_LEGACZ is not an enumerator")
        self.expect("enumerators.toml", "CU_STREAM_LEGACY = ", "CUDA_ERROR_UNKNOWN = ", "CUDA_ERROR_UNKNOWN is not an enumerator")
        self.expect("runtime.toml", "[functions.cudaMalloc]", "[functions.cudaMallox]", "runtime.toml", "cudaMallox is no function")
        self.expect("runtime.toml", "dim3 = ", "dim4 = ", "dim4 is none of the types")
        self.expect("nvrtc.toml", "NVRTC_SUCCESS = ", "NVRTC_SUCCES = ", "NVRTC_SUCCES is none of the enumerators")

    def test_a_parameter_of_a_library_without_a_phrase(self) -> None:
        self.expect("nvrtc.toml", "parameters.lowered_name = ", "#", "'lowered_name' of nvrtcGetLoweredName")

    def test_a_section_that_is_missing(self) -> None:
        self.expect("nvrtc.toml", "[types]", "[kinds]", "nvrtc.toml", "the sections are")


if __name__ == "__main__":
    unittest.main()
