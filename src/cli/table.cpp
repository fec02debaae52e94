#include "cli/table.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

#include "cli/colour.hpp"
#include "cli/readable_json.hpp"
#include "cli/terminal_text.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t kGap = 2;

// Counts code points: every byte but the continuations of UTF-8.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

// A cell is one line, and as wide as it will look.
std::string clean(const std::string& cell) {
    const bool is_line = std::ranges::none_of(cell, [](char c) { return c >= 0 && c < ' '; });
    if (is_line && terminal_text(cell) == cell) return cell;
    const std::string quoted = terminal_text(readable(cell));
    return quoted.substr(1, quoted.size() - 2);
}

void print_rows(const Console& console, const Rows& rows, bool has_heading) {
    Rows cells = rows;
    std::vector<std::size_t> widths;
    for (auto& row : cells) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = clean(row[i]);
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    }
    for (const auto& row : cells) {
        const bool is_heading = has_heading && &row == &cells.front();
        std::string line;
        std::size_t gap = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (!row[i].empty()) {
                line.append(gap, ' ');
                gap = 0;
                line += coloured(console, is_heading ? Colour::bold : colour_of(row[i]), row[i]);
            }
            gap += widths[i] - width_of(row[i]) + kGap;
        }
        console.out << line << '\n';
    }
}

}  // namespace

void print_table(const Console& console, const Rows& rows) {
    print_rows(console, rows, true);
}

void print_facts(const Console& console, const Rows& rows) {
    Rows known;
    for (const auto& row : rows) {
        if (!row[1].empty()) known.push_back(row);
    }
    print_rows(console, known, false);
}

}  // namespace millrace::cli
