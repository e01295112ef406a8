# SPDX-License-Identifier: MIT
"""Phrases that are hard to understand, which texts for students do not use, and what to write instead.

CONTRIBUTING.md, "Plain words", has sentences with them, before and after; each "before" has a phrase of these lists.
A phrase is listed when no text has it any more.
"""
import re

# A pattern, and what to write. Code is read too: the first pattern finds "answers `CUDA_ERROR_INVALID_VALUE`".
ENGLISH = {
    r"answers? `?(?:with )?`?(?:\d|CUDA_|\{\d|%d)": "returns; an error by its name, with the number in brackets",
    r"answered %": "returned",
    r"makes? a line through": "acts as a barrier for",
    r"an order to them": "are grouped by",
    r"(?:is|are) not to be had\b": "you cannot create, there is none",
    r"(?:is|are) seen below\b": "you will see",
    r"had better (?!luck|results)": "should",
    r"forbids? to (?:touch|write|read|use|call)\b": "forbids touching, forbids writing",
    r"looked into it yet": "has not parsed it yet",
    r"held against": "checked against",
    r"behind the (?:launch|call|copy)\b": "after",
    r"his (?:context|stack|module|stream)\b": "their",
    r"mend(?:s|ed|ing)?\b": "fix",
    r"by luck\b": "happens to work; by accident",
    r"whoever\b": "each caller, every thread; name the subject",
    r"nobody\b": "no thread, no call; cannot be",
    r"(?:lies?|stands?) beside\b": "is next to, belongs to",
    r"comes? to life": "is active, becomes active",
    r"points? nowhere\b": "is not valid",
    r"names nothing\b": "is no longer valid",
    r"where they part\b": "their first difference",
    r"walls? between": "can reach, cannot reach; owns",
    r"said to be (?:impossible|enough|freed)": "people believe that",
    r"sleeps? again": "is no longer active",
    r"(?:wakes?|waking|woken)\b": "activates",
    r"dead entry": "the entry of the destroyed context",
    r"closed the door": "nothing is left",
    r"counts on \d|counts on %": "expects",
    r"done over there": "done by the worker; name the subject",
    r"not so on": "is false",
    r"looked into when": "parsed when",
}
CHINESE = {
    "世界太小": "资源不够",
    "赶不走": "无法清除",
    "不声不响": "在调用者不知情的情况下",
    "睡着": "未激活",
    "叫出它的名字": "变量里不再有它的地址",
    "兜底的网": "只能用来兜底",
    "没有意见": "不违反，允许",
    "代劳": "自动完成",
    "岔子": "问题，错误",
    "够得着": "可以访问",
    "不是一家(?!公司)": "不属于",
    "一般意义上的": "不绑定任何上下文",
    "过去就算了": "不留后患",
    "只会数字节": "只核对字节数",
    "通过指针写出": "通过指针参数返回",
    "围墙": "归属，访问权限",
    "靠运气": "碰巧",
    "吃不消": "太大，太多",
    "名下的": "拥有的",
    "无处可做": "没有上下文可用",
    "的一生": "的历史",
    "还活着": "仍然存在",
}


def riddles(language, text):
    """(the phrase found, what to write instead) for each listed phrase in a text in "en" or "zh"."""
    table = {rf"\b{phrase}": words for phrase, words in ENGLISH.items()} if language == "en" else CHINESE
    return [(found.group(), words) for phrase, words in table.items() for found in re.finditer(phrase, text, re.I)]


def examples(contributing):
    """(language, before, after) of each row of the two tables of the section "Plain words"."""
    section = contributing.partition("\n## Plain words\n")[2].partition("\n## ")[0]
    found = []
    for row in re.findall(r"^\| (.+?) \| (.+?) \|$", section, re.M):
        if row[0] not in ("before", "---", "修改前"):
            found.append(("zh" if re.search("[\u3400-\u9fff]", row[0]) else "en", *row))
    return found
