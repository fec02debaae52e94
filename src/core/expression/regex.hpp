#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "core/expression/general_category.hpp"

namespace millrace::expression {

// A regular expression of the common syntax without back references, matched in time linear in the
// text: all states advance together, nothing is tried twice. Immutable.
//
//   literals  \Qx\E  .  [a-z] [^a-z] [[:alpha:]]  \d \w \s \D \W \S  \pL \p{Lu} \P{L} \p{^L}
//   ^ $ \A \z \b \B
//   (x) (?:x) (?i)x (?s)x (?m)x  a|b  * + ? {n} {n,} {n,m}, each with ? behind it
class Regex {
public:
    // invalid_argument, with a reason, when the pattern is none or too large.
    static Result<Regex> compile(std::string_view pattern);

    // Whether the pattern matches anywhere in the text.
    bool matches(std::string_view text) const;

    // How many steps of an evaluation a match takes at most.
    std::size_t cost(std::string_view text) const;

    // About how much memory it takes.
    std::size_t memory_bytes() const;

    // The program that the matcher runs. `first` and `second` are what each operation needs: a set,
    // an instruction to go on with.
    enum class Operation {
        set,
        split,
        jump,
        begin,
        end,
        line_begin,
        line_end,
        word,
        no_word,
        match
    };
    struct Instruction {
        Operation operation = Operation::match;
        std::uint32_t first = 0;
        std::uint32_t second = 0;
    };

    // Sorted, disjoint ranges of code points.
    using Ranges = std::vector<std::pair<char32_t, char32_t>>;

    // The characters of the ranges and of the categories, or all others.
    struct Set {
        Ranges ranges{};
        CategoryMask categories = 0;
        bool is_inverted = false;
    };

private:
    friend class RegexCompiler;

    std::vector<Instruction> program_{};
    std::vector<Set> sets_{};
    bool uses_categories_ = false;
};

}  // namespace millrace::expression
