#!/usr/bin/env python3
"""Puts several test files into one unit, so that their common headers are compiled once.

Usage: unity_unit.py UNIT FILE...

Test files name their fixtures and examples alike, each in an unnamed namespace of its own. In one
unit these would be one namespace, so each is put into a namespace that is named after its folder and file.
Lines keep the file and number that they have in their source.
"""

import pathlib
import re
import sys

OPENING = re.compile(r"^namespace \{$", re.MULTILINE)
CLOSING = re.compile(r"^\}  // namespace$", re.MULTILINE)


def part(path):
    name = re.sub(r"\W", "_", f"{path.parent.name}_{path.stem}")
    text = path.read_text(encoding="utf-8")
    text, opened = OPENING.subn(f"namespace {name} {{ namespace {{", text)
    text, closed = CLOSING.subn("}}  // namespace", text)
    if opened != closed:
        sys.exit(f"{path}: an unnamed namespace does not end with '}}  // namespace'")
    return f'#line 1 "{path}"\n{text}'


def main():
    unit, sources = pathlib.Path(sys.argv[1]), sys.argv[2:]
    unit.write_text("".join(part(pathlib.Path(each)) for each in sources), encoding="utf-8")


if __name__ == "__main__":
    main()
