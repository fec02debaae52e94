#include "cli/text_diff.hpp"

#include <algorithm>
#include <string_view>

namespace millrace::cli {
namespace {

constexpr std::size_t kContext = 3;

struct Line {
    char mark = ' ';
    std::string_view text{};
    // Counted from 1, in the text of before and in that of after.
    std::size_t from = 0;
    std::size_t to = 0;
};

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

using Lines = std::vector<std::string_view>;

// Myers' greedy search: the furthest point on each diagonal after 0, 1, 2 … changes. Keeps the
// state before each round, to walk back.
class Search {
public:
    Search(const Lines& from, const Lines& to)
        : from_(from), to_(to), reach_(2 * (from.size() + to.size()) + 3, 0) {}

    std::vector<Line> script() {
        const auto most = static_cast<std::ptrdiff_t>(from_.size() + to_.size());
        for (std::ptrdiff_t changes = 0; changes <= most; ++changes) {
            history_.push_back(reach_);
            if (advance(changes)) return walk_back(changes);
        }
        return {};
    }

private:
    std::size_t& reach(std::ptrdiff_t diagonal) { return at(reach_, diagonal); }
    std::size_t& at(std::vector<std::size_t>& reach, std::ptrdiff_t diagonal) const {
        return reach[static_cast<std::size_t>(
            diagonal + static_cast<std::ptrdiff_t>(from_.size() + to_.size()) + 1)];
    }

    // Whether the next change on this diagonal is a line that came, not one that went.
    bool comes_from_above(std::vector<std::size_t>& state, std::ptrdiff_t k, std::ptrdiff_t d) {
        return k == -d || (k != d && at(state, k - 1) < at(state, k + 1));
    }

    bool advance(std::ptrdiff_t d) {
        for (std::ptrdiff_t k = -d; k <= d; k += 2) {
            std::size_t x = comes_from_above(reach_, k, d) ? reach(k + 1) : reach(k - 1) + 1;
            if (d == 0) x = 0;
            auto y = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(x) - k);
            while (x < from_.size() && y < to_.size() && from_[x] == to_[y]) {
                ++x;
                ++y;
            }
            reach(k) = x;
            if (x >= from_.size() && y >= to_.size()) return true;
        }
        return false;
    }

    std::vector<Line> walk_back(std::ptrdiff_t d) {
        std::vector<Line> lines;
        std::size_t x = from_.size();
        std::size_t y = to_.size();
        for (; d > 0; --d) {
            std::vector<std::size_t>& state = history_[static_cast<std::size_t>(d)];
            const auto k = static_cast<std::ptrdiff_t>(x) - static_cast<std::ptrdiff_t>(y);
            const bool is_addition = comes_from_above(state, k, d);
            const std::size_t x_before = at(state, is_addition ? k + 1 : k - 1);
            const auto y_before = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(x_before) -
                                                           (is_addition ? k + 1 : k - 1));
            while (x > x_before + (is_addition ? 0 : 1) && y > y_before + (is_addition ? 1 : 0)) {
                same(lines, x, y);
            }
            if (is_addition) {
                lines.push_back({'+', to_[y - 1], x, y});
                --y;
            } else {
                lines.push_back({'-', from_[x - 1], x, y});
                --x;
            }
        }
        while (x > 0 && y > 0) same(lines, x, y);
        std::ranges::reverse(lines);
        return lines;
    }

    void same(std::vector<Line>& lines, std::size_t& x, std::size_t& y) const {
        lines.push_back({' ', from_[x - 1], x, y});
        --x;
        --y;
    }

    const Lines& from_;
    const Lines& to_;
    std::vector<std::size_t> reach_;
    std::vector<std::vector<std::size_t>> history_;
};

std::string heading(const std::vector<Line>& lines, std::size_t begin, std::size_t end) {
    std::size_t from_count = 0;
    std::size_t to_count = 0;
    for (std::size_t i = begin; i < end; ++i) {
        from_count += lines[i].mark != '+' ? 1 : 0;
        to_count += lines[i].mark != '-' ? 1 : 0;
    }
    // An empty side is named by the line before it.
    const std::size_t from = lines[begin].from + (lines[begin].mark == '+' && from_count > 0);
    const std::size_t to = lines[begin].to + (lines[begin].mark == '-' && to_count > 0);
    return "@@ -" + std::to_string(from) + "," + std::to_string(from_count) + " +" +
           std::to_string(to) + "," + std::to_string(to_count) + " @@";
}

}  // namespace

std::vector<std::string> unified_diff(const std::string& from, const std::string& to) {
    const Lines from_lines = lines_of(from);
    const Lines to_lines = lines_of(to);
    const std::vector<Line> lines = Search(from_lines, to_lines).script();

    std::vector<std::string> out;
    std::size_t printed = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].mark == ' ' || i < printed) continue;
        std::size_t end = i;
        // Changes with few lines between them are one group.
        for (std::size_t j = i; j < lines.size() && j <= end + 2 * kContext; ++j) {
            if (lines[j].mark != ' ') end = j;
        }
        const std::size_t begin = std::max(printed, i - std::min(i, kContext));
        end = std::min(lines.size(), end + kContext + 1);
        out.push_back(heading(lines, begin, end));
        for (std::size_t j = begin; j < end; ++j) {
            out.push_back(lines[j].mark + std::string(lines[j].text));
        }
        printed = end;
    }
    return out;
}

}  // namespace millrace::cli
