#include "core/expression/text_search.hpp"

#include <cstring>
#include <vector>

namespace millrace::expression {
namespace {

// For each length of a match the length of its longest proper prefix that is also its end.
std::vector<std::size_t> borders(std::string_view pattern) {
    std::vector<std::size_t> result(pattern.size(), 0);
    for (std::size_t i = 1, border = 0; i < pattern.size(); ++i) {
        while (border > 0 && pattern[i] != pattern[border]) border = result[border - 1];
        if (pattern[i] == pattern[border]) ++border;
        result[i] = border;
    }
    return result;
}

// Knuth, Morris and Pratt, and the library's fast scan wherever nothing matches yet.
class Search {
public:
    Search(std::string_view text, std::string_view pattern, WorkMeter& meter)
        : text_(text), pattern_(pattern), meter_(meter) {}

    // Calls `found` with the start of each match until it says false. False when there was not
    // enough work left.
    template <class Found>
    bool run(std::size_t from, Found found) {
        if (!meter_.spend(pattern_.size() / bytes_per_unit::kWalked)) return false;
        const std::vector<std::size_t> border = borders(pattern_);
        std::size_t matched = 0;
        for (std::size_t i = from; i < text_.size(); ++i) {
            if (matched == 0 && !skip(i)) return false;
            if (i == text_.size()) break;
            if (!walk()) return false;
            while (matched > 0 && text_[i] != pattern_[matched]) matched = border[matched - 1];
            if (text_[i] == pattern_[matched]) ++matched;
            if (matched < pattern_.size()) continue;
            if (!found(i + 1 - matched)) return true;
            matched = border[matched - 1];
        }
        return true;
    }

private:
    // Counts characters that were looked at one by one, some at a time.
    bool walk(std::size_t characters = 1) {
        walked_ += characters;
        if (walked_ < kWalkedAtOnce) return true;
        const std::size_t units = walked_ / bytes_per_unit::kWalked;
        walked_ = 0;
        return meter_.spend(units);
    }

    // To the next place where the pattern can begin.
    bool skip(std::size_t& i) {
        const char* const start = text_.data() + i;
        const void* const hit = std::memchr(start, pattern_.front(), text_.size() - i);
        const std::size_t skipped =
            hit == nullptr ? text_.size() - i
                           : static_cast<std::size_t>(static_cast<const char*>(hit) - start);
        i += skipped;
        return meter_.spend(skipped / bytes_per_unit::kCopied) && walk(kWalkedPerScan);
    }

    static constexpr std::size_t kWalkedAtOnce = 1'024;
    static constexpr std::size_t kWalkedPerScan = 2;  // A call costs as much.

    std::string_view text_;
    std::string_view pattern_;
    WorkMeter& meter_;
    std::size_t walked_ = 0;
};

}  // namespace

std::optional<std::size_t> find_text(std::string_view text, std::string_view pattern,
                                     std::size_t from, WorkMeter& meter) {
    if (pattern.empty()) return from <= text.size() ? from : std::string_view::npos;
    std::size_t first = std::string_view::npos;
    const bool is_done = Search(text, pattern, meter).run(from, [&](std::size_t at) {
        first = at;
        return false;
    });
    return is_done ? std::optional(first) : std::nullopt;
}

std::optional<std::size_t> find_last_text(std::string_view text, std::string_view pattern,
                                          WorkMeter& meter) {
    if (pattern.empty()) return text.size();
    std::size_t last = std::string_view::npos;
    const bool is_done = Search(text, pattern, meter).run(0, [&](std::size_t at) {
        last = at;
        return true;
    });
    return is_done ? std::optional(last) : std::nullopt;
}

}  // namespace millrace::expression
