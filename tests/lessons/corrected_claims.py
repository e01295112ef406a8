# SPDX-License-Identifier: MIT
"""Statements about CUDA that the lessons once made and that are false or mislead, and the notes that correct them.

A proof marker names what was measured. These corrections rest on the manual or on a later version of CUDA, so no marker
can hold them: FALSE finds the old statement when it is written again, and CORRECTED finds a correction that was lost.
"""
import re

# In English, in Chinese, and what is so.
FALSE = (
    (r"\bin (?:lock)?step\b(?! \d)", "步调一致",
     "the threads of a warp are scheduled together; since Volta they need not execute the same instruction"),
    (r"\bdriver keeps no record\b|\bno record of an? (?:last )?error\b", "驱动也?不会替你记",
     "since CUDA 12.9 the driver can log its error messages"),
    (r"\bdoes not even start\b", "连启动都启动不了",
     "with lazy binding the program starts, and ends at the call that is missing"),
    (r"\bno call to initiali[sz]e (?:it|the runtime)\b", "没有初始化用的调用", "cudaInitDevice, since CUDA 12.0"),
    (r"\ball (?:that )?a library needs to know\b", "该知道的就是这些",
     "the driver does not know whether the data is ready, nor who keeps the memory alive"),
    (r"\b(?:whether|if) (?:some|any)(?:body|one) uses the (?:device|GPU)\b", "有没有人在用这个(?:设备|GPU)",
     "the result says nothing about other processes"),
)

# Words that the notes of a lesson need, in English and in Chinese.
CORRECTED = {
    "01_hello_driver": [("schedules together", "一起调度")],
    "02_errors": [("from 300 about", "300 起是"), ("`CUDA_ERROR_CONTEXT_IS_DESTROYED`", "`CUDA_ERROR_CONTEXT_IS_DESTROYED`"),
                  ("From 800 they", "800 起是"), ("from 900 about", "900 起是"),
                  ("`cuLogsRegisterCallback`", "`cuLogsRegisterCallback`")],
    "03_vector_add": [("guide itself does not say where", "指南本身没有说")],
    "04_context": [("in the programming guide and in a widely read tutorial", "编程指南和一篇流传很广的上下文管理教程"),
                   ("measured, not promised", "测得的结果，并非承诺")],
    "05_context_stack": [("three dots for anything else", "再往下是省略号")],
    "07_primary_context": [("in your own process", "本进程"), ("nothing about what other processes do", "不反映其他进程")],
    "08_memory": [("measured, not promised", "测得的结果，并非承诺")],
    "15_foreign_pointer": [("whether the data is ready", "数据是否已经就绪"), ("who keeps the memory alive", "由谁负责让内存一直有效"),
                           ("DLPack", "DLPack"), ("`__cuda_array_interface__`", "`__cuda_array_interface__`")],
    "18_interop": [("`cudaInitDevice` (since CUDA 12.0)", "CUDA 12.0 起提供的 `cudaInitDevice`")],
    "22_entry_points": [("With lazy binding it starts", "使用延迟绑定时，程序可以启动")],
}


def false_claims(language, text):
    """(the words found, what is so) for each statement of FALSE in a text in "en" or "zh"."""
    return [(found.group(), so) for english, chinese, so in FALSE
            for found in re.finditer(english if language == "en" else chinese, text, re.I)]


def lost_corrections(slug, english, chinese):
    """The words of CORRECTED that the notes of this lesson lack."""
    return [words for pair in CORRECTED.get(slug, []) for words, notes in zip(pair, (english, chinese)) if words not in notes]
