"""A guide as a list of things to do, and the comparison of what it promises with what happens.

Blocks of a guide, by the words behind their fence:

    sh               commands, run in one shell from block to block; they must succeed
    sh fails         commands, of which the last must fail
    sh terminal=NAME a program in a terminal of its own; runs on beside the others
    sh norun         for the reader alone
    text, json       what the commands right before have printed

and two comments that readers do not see: `<!-- stop NAME -->` presses Ctrl-C in that terminal, and
`<!-- wait TEXT: COMMAND -->` repeats a command until it prints TEXT.

`…` stands for anything: in a line, as a line of its own for any lines, in JSON for any value, and
as a key for more keys. Ids and times stand for any of their kind; white space is not compared.
"""

import dataclasses
import json
import re

FENCE = re.compile(r"^```(\w*) *(.*)$")
COMMENT = re.compile(r"^<!-- (stop|wait) (.*) -->$")
ID = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}\b")
TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
ANYTHING = "…"


@dataclasses.dataclass
class Action:
    kind: str  # run, fail, terminal, stop, wait
    text: str
    line: int
    name: str = ""
    expected: str | None = None
    is_json: bool = False


def actions_of(page):
    """Reads a guide. A promise that follows no command is a mistake."""
    actions = []
    block, words, start = None, "", 0
    for number, line in enumerate(page.splitlines(), start=1):
        fence = FENCE.match(line)
        if block is None and fence:
            block, words, start = [], (fence[1], *fence[2].split()), number
        elif block is None:
            add_comment(actions, COMMENT.match(line), number)
        elif line == "```":
            add_block(actions, words, "\n".join(block) + "\n", start)
            block = None
        else:
            block.append(line)
    return actions


def add_comment(actions, comment, number):
    if comment and comment[1] == "stop":
        actions.append(Action("stop", "", number, name=comment[2]))
    elif comment:
        text, _, command = comment[2].partition(": ")
        actions.append(Action("wait", command, number, name=text))


def add_block(actions, words, text, line):
    kind, *options = words
    if "norun" in options:
        return
    if kind == "sh":
        terminal = next((each for each in options if each.startswith("terminal=")), None)
        if terminal:
            actions.append(Action("terminal", text, line, name=terminal.removeprefix("terminal=")))
        else:
            actions.append(Action("fail" if "fails" in options else "run", text, line))
    elif kind in ("text", "json"):
        last = actions[-1] if actions else None
        if last is None or last.kind not in ("run", "fail") or last.expected is not None:
            raise AssertionError(f"line {line}: no command has printed this")
        last.expected, last.is_json = text, kind == "json"
    else:
        raise AssertionError(f"line {line}: a block of kind {kind!r}")


def normal(text):
    return TIME.sub("<time>", ID.sub("<id>", text))


def line_pattern(line):
    parts = [r"\s+".join(map(re.escape, part.split())) for part in normal(line).split(ANYTHING)]
    return r"\s*" + r"\s*.*\s*".join(parts) + r"\s*"


def text_matches(expected, actual):
    pattern = ""
    for line in expected.strip().splitlines():
        pattern += r"(?:.*\n)*" if line.strip() == ANYTHING else line_pattern(line) + r"\n"
    return re.fullmatch(pattern, normal(actual).strip() + "\n") is not None


def json_matches(expected, actual):
    if expected == ANYTHING:
        return True
    if isinstance(expected, str) and isinstance(actual, str):
        return re.fullmatch(".*".join(map(re.escape, normal(expected).split(ANYTHING))),
                            normal(actual), re.DOTALL) is not None
    if isinstance(expected, dict) and isinstance(actual, dict):
        keys = expected.keys() - {ANYTHING}
        has_keys = keys <= actual.keys() if ANYTHING in expected else keys == actual.keys()
        return has_keys and all(json_matches(expected[key], actual[key]) for key in keys)
    if isinstance(expected, list) and isinstance(actual, list):
        if expected[-1:] == [ANYTHING]:
            expected, actual = expected[:-1], actual[: len(expected) - 1]
        return len(expected) == len(actual) and all(map(json_matches, expected, actual))
    return type(expected) is type(actual) and expected == actual


def documents(text):
    """All JSON documents of a text, one after the other."""
    decoder, place, found = json.JSONDecoder(), 0, []
    while text[place:].strip():
        place += len(text[place:]) - len(text[place:].lstrip())
        value, place = decoder.raw_decode(text, place)
        found.append(value)
    return found


def is_kept(action, actual):
    """Whether what was printed is what the guide shows."""
    if not action.is_json:
        return text_matches(action.expected, actual)
    try:
        return json_matches(documents(action.expected), documents(actual))
    except ValueError:
        return False
