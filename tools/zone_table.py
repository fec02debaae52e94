#!/usr/bin/env python3
"""Writes the time zones of this machine as the text that src/core/expression reads.

Usage: zone_table.py [FOLDER] > src/core/expression/zones.txt. FOLDER is /usr/share/zoneinfo unless told.
Its format stands in src/core/expression/named_zone.hpp.
"""

import pathlib
import re
import struct
import sys

SINCE = 0  # Of 1970. What was before is that of then.
HEADER = struct.Struct(">4sc15x6l")
RULE = re.compile(
    r"(?P<std>[A-Za-z]{3,}|<[^>]+>)(?P<std_at>[-+0-9:]+)"
    r"((?P<dst>[A-Za-z]{3,}|<[^>]+>)(?P<dst_at>[-+0-9:]*),(?P<start>[^,]+),(?P<end>[^,]+))?$")


def read_file(data):
    """(times, offsets in minutes of each, offset before all, rule) of the 64-bit block."""
    def counts(at):
        return HEADER.unpack_from(data, at)[2:]

    is_ut, is_std, leaps, times, types, letters = counts(0)
    at = HEADER.size + times * 5 + types * 6 + letters + leaps * 8 + is_std + is_ut
    is_ut, is_std, leaps, times, types, letters = counts(at)
    at += HEADER.size
    instants = struct.unpack_from(f">{times}q", data, at)
    kinds = data[at + times * 8:at + times * 9]
    at += times * 9
    offsets = [round(struct.unpack_from(">l", data, at + 6 * i)[0] / 60) for i in range(types)]
    at += types * 6 + letters + leaps * 12 + is_std + is_ut
    return instants, [offsets[kind] for kind in kinds], offsets[0], data[at:].decode().strip()


def minutes(text, default=0):
    """Of `-1`, `3:30`."""
    if not text:
        return default
    sign = -1 if text[0] == "-" else 1
    hours, _, rest = text.lstrip("+-").partition(":")
    return sign * (int(hours) * 60 + int(rest or 0))


def rule_of(footer):
    """`60` or `60 120 3.5.0/120 10.5.0/180`: minutes, month.week.day/minute of the day."""
    match = RULE.match(footer)
    standard = -minutes(match["std_at"])
    if not match["dst"]:
        return str(standard)
    summer = -minutes(match["dst_at"]) if match["dst_at"] else standard + 60
    days = []
    for day in (match["start"], match["end"]):
        date, _, clock = day.partition("/")
        assert date.startswith("M"), footer
        days.append(f"{date[1:]}/{minutes(clock, 120)}")
    return f"{standard} {summer} {days[0]} {days[1]}"


def days_from_civil(year, month, day):
    year -= month <= 2
    era_year = year % 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return year // 400 * 146097 + era_year * 365 + era_year // 4 - era_year // 100 + day_of_year - 719468


def instant_of(rule, year, offset):
    date, _, clock = rule.partition("/")
    month, week, weekday = map(int, date.split("."))
    first = days_from_civil(year, month, 1)
    day = first + (weekday - (first + 4)) % 7 + (week - 1) * 7
    next_month = days_from_civil(year + month // 12, month % 12 + 1, 1)
    while day >= next_month:
        day -= 7
    return day * 86400 + (int(clock) - offset) * 60


def changes_of(rule):
    """{instant: offset} of the years that a file may list."""
    parts = rule.split()
    if len(parts) == 1:
        return {}
    standard, summer = int(parts[0]), int(parts[1])
    changes = {}
    for year in range(1969, 2101):
        changes[instant_of(parts[2], year, standard)] = summer
        changes[instant_of(parts[3], year, summer)] = standard
    return changes


def history_of(data):
    """The text of a zone: offset at first, rule, and the changes that the rule does not tell."""
    instants, offsets, before, footer = read_file(data)
    rule = rule_of(footer)
    told = changes_of(rule)
    listed = [(at, offset) for at, offset in zip(instants, offsets) if at > SINCE]
    first = next((offset for at, offset in reversed(list(zip(instants, offsets))) if at <= SINCE),
                 before)
    while listed and told.get(listed[-1][0]) == listed[-1][1]:
        previous = listed[-2][0] if len(listed) > 1 else SINCE
        if any(previous < at < listed[-1][0] for at in told):
            break
        listed.pop()
    changes, last, offset = [], SINCE, first
    for at, next_offset in listed:
        # The rule holds behind the last change, even if that changes nothing.
        if next_offset == offset and at != listed[-1][0]:
            continue
        minute = round(at / 60)
        changes.append(f"{minute - last:x}:{next_offset}")
        last, offset = minute, next_offset
    return f"{rule};{first}" + "".join(" " + change for change in changes)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/zoneinfo")
    version = (folder / "tzdata.zi").read_text(encoding="utf-8").split()[2]
    names = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(("posix", "right", "Factory", "local")):
            data = path.read_bytes()
            if data.startswith(b"TZif"):
                names.setdefault(history_of(data), []).append(name)
    print(f"# Time zones of tzdata {version}, written by tools/zone_table.py")
    for history, alike in names.items():
        print(f"{','.join(alike)};{history}")


if __name__ == "__main__":
    main()
