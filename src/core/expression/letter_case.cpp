#include "core/expression/letter_case.hpp"

#include <array>
#include <cstdint>

namespace millrace::expression {
namespace {

// Lower-case letters first..last whose upper case lies `distance` below; with a step of 2 upper and
// lower case take turns.
struct Row {
    char32_t first = 0;
    char32_t last = 0;
    std::int32_t distance = 0;
    char32_t step = 1;
};

constexpr std::array<Row, 21> kCaseRows{{
    {'a', 'z', 32},         {0x00E0, 0x00F6, 32},   {0x00F8, 0x00FE, 32},   {0x00FF, 0x00FF, -121},
    {0x0101, 0x012F, 1, 2}, {0x0133, 0x0137, 1, 2}, {0x013A, 0x0148, 1, 2}, {0x014B, 0x0177, 1, 2},
    {0x017A, 0x017E, 1, 2}, {0x03AC, 0x03AC, 38},   {0x03AD, 0x03AF, 37},   {0x03B1, 0x03C1, 32},
    {0x03C3, 0x03CB, 32},   {0x03CC, 0x03CC, 64},   {0x03CD, 0x03CE, 63},   {0x0430, 0x044F, 32},
    {0x0450, 0x045F, 80},   {0x0461, 0x0481, 1, 2}, {0x048B, 0x04BF, 1, 2}, {0x04D1, 0x052F, 1, 2},
    {0x1E01, 0x1E95, 1, 2},
}};

bool is_in(const Row& row, char32_t letter) {
    return letter >= row.first && letter <= row.last && (letter - row.first) % row.step == 0;
}

char32_t moved(char32_t letter, std::int32_t by) {
    return static_cast<char32_t>(static_cast<std::int32_t>(letter) + by);
}

}  // namespace

char32_t to_upper(char32_t letter) {
    if (letter == 0x03C2) return 0x03A3;  // The sigma at the end of a word.
    for (const Row& row : kCaseRows) {
        if (is_in(row, letter)) return moved(letter, -row.distance);
    }
    return letter;
}

char32_t to_lower(char32_t letter) {
    for (const Row& row : kCaseRows) {
        if (is_in(row, moved(letter, row.distance))) return moved(letter, row.distance);
    }
    return letter;
}

}  // namespace millrace::expression
