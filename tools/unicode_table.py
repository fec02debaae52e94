#!/usr/bin/env python3
"""Writes the general categories of all characters as the table of src/core/expression.

Usage: unicode_table.py > src/core/expression/general_category_rows.cpp. They are those of the Unicode
version that this Python knows, which the table's comment names.
"""

import itertools
import unicodedata

COLUMNS = 100
OPENING = '''#include <array>

#include "core/expression/general_category.hpp"

// Written by tools/unicode_table.py: Unicode {version}. Each row holds up to the next one.
namespace millrace::expression {{
namespace {{

using enum GeneralCategory;
constexpr bool kInTurn = true;

// clang-format off
constexpr std::array<CategoryRow, {count}> kRows{{{{
'''
CLOSING = '''}};
// clang-format on

}  // namespace

std::span<const CategoryRow> general_category_rows() {
    return kRows;
}

}  // namespace millrace::expression
'''


def runs():
    """(first, count, category) of neighbours of one category."""
    place = 0
    for category, group in itertools.groupby(unicodedata.category(chr(c)) for c in range(0x110000)):
        count = sum(1 for _ in group)
        yield place, count, category
        place += count


def rows():
    """(first, category, in_turn); pairs of an upper and a lower case letter make one row."""
    all_runs = list(runs())
    place = 0
    while place < len(all_runs):
        pairs = place
        while [run[1:] for run in all_runs[pairs:pairs + 2]] == [(1, "Lu"), (1, "Ll")]:
            pairs += 2
        if pairs - place > 2:
            yield all_runs[place][0], "Lu", True
            place = pairs
        else:
            yield all_runs[place][0], all_runs[place][2], False
            place += 1


def main():
    cells = [f"{{0x{first:X},{category.lower()}{',kInTurn' if in_turn else ''}}},"
             for first, category, in_turn in rows()]
    print(OPENING.format(version=unicodedata.unidata_version, count=len(cells)), end="")
    line = "   "
    for cell in cells:
        if len(line) + 1 + len(cell) > COLUMNS:
            print(line)
            line = "   "
        line += " " + cell
    print(line)
    print(CLOSING, end="")


if __name__ == "__main__":
    main()
