#include "core/expression/regex_syntax.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "core/expression/regex_set.hpp"
#include "core/expression/utf8.hpp"
#include "core/limits.hpp"

namespace millrace::expression {
namespace {

using Operation = Regex::Operation;

struct Flags {
    bool ignores_case = false;  // i
    bool dot_is_all = false;    // s
    bool is_multiline = false;  // m
};

Pattern set_pattern(Regex::Set set) {
    return Pattern{.kind = Pattern::Kind::set, .set = std::move(set)};
}

Pattern assertion(Operation operation) {
    return Pattern{.kind = Pattern::Kind::assertion, .assertion = operation};
}

// Recursive descent; what returns nothing has left its reason in `problem_`.
class PatternParser {
public:
    explicit PatternParser(std::string_view text) : rest_(text) {}

    Result<Pattern> run() {
        auto pattern = parse_alternatives();
        if (pattern && !rest_.empty()) pattern = fail("has a ) too many");
        if (!pattern) {
            return Error{.code = ErrorCode::invalid_argument,
                         .detail = "the regular expression " + problem_};
        }
        return std::move(*pattern);
    }

private:
    std::nullopt_t fail(std::string_view problem) {
        if (problem_.empty()) problem_ = problem;
        return std::nullopt;
    }

    char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

    bool accept(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }

    // The text is UTF-8 and not at its end.
    char32_t take() {
        const auto next = utf8::decode(rest_).value_or(utf8::CodePoint{});
        rest_.remove_prefix(next.size);
        return next.value;
    }

    std::optional<Pattern> parse_alternatives() {
        if (depth_ == limits::kExpressionDepthMax) return fail("is nested too deep");
        ++depth_;
        Pattern alternatives{.kind = Pattern::Kind::alternatives};
        do {
            auto sequence = parse_sequence();
            if (!sequence) return std::nullopt;
            alternatives.parts.push_back(std::move(*sequence));
        } while (accept("|"));
        --depth_;
        if (alternatives.parts.size() > 1) return alternatives;
        return std::move(alternatives.parts.front());
    }

    std::optional<Pattern> parse_sequence() {
        Pattern sequence{.kind = Pattern::Kind::sequence};
        while (!rest_.empty() && peek() != '|' && peek() != ')') {
            auto part = accept("\\Q") ? take_quote(sequence) : parse_atom();
            if (!part) return std::nullopt;
            part = parse_repeat(std::move(*part));
            if (!part) return std::nullopt;
            sequence.parts.push_back(std::move(*part));
        }
        return sequence;
    }

    // `\Q...\E` is plain text. Returns its last character, which a repetition behind it repeats.
    std::optional<Pattern> take_quote(Pattern& sequence) {
        const std::size_t end = rest_.find("\\E");
        std::string_view inside = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
        Pattern last;
        while (!inside.empty()) {
            const auto next = utf8::decode(inside).value_or(utf8::CodePoint{});
            inside.remove_prefix(next.size);
            sequence.parts.push_back(std::exchange(last, literal(next.value)));
        }
        return last;
    }

    struct Counts {
        std::uint32_t min = 0;
        std::uint32_t max = 0;
    };

    std::optional<Pattern> parse_repeat(Pattern part) {
        auto counts = parse_counts();
        if (!counts) return part;
        accept("?");  // Which match is found first makes no difference here.
        if (counts->min > kRepeatMax || counts->max > kUnbounded ||
            (counts->max != kUnbounded && counts->min > counts->max)) {
            return fail("has a bad number of repetitions");
        }
        if (parse_counts()) return fail("repeats a repetition");
        Pattern repeat{
            .kind = Pattern::Kind::repeat, .count_min = counts->min, .count_max = counts->max};
        repeat.parts.push_back(std::move(part));
        return repeat;
    }

    std::optional<Counts> parse_counts() {
        if (accept("*")) return Counts{0, kUnbounded};
        if (accept("+")) return Counts{1, kUnbounded};
        if (accept("?")) return Counts{0, 1};
        return parse_braces();
    }

    // `{2}`, `{2,}`, `{2,5}`; anything else in braces is plain text.
    std::optional<Counts> parse_braces() {
        const std::size_t end = rest_.find('}');
        if (peek() != '{' || end == std::string_view::npos) return std::nullopt;
        const std::string_view inside = rest_.substr(1, end - 1);
        const std::size_t comma = inside.find(',');
        const auto min = parse_count(inside.substr(0, comma));
        if (!min) return std::nullopt;
        Counts counts{*min, *min};
        if (comma != std::string_view::npos) {
            const std::string_view upper = inside.substr(comma + 1);
            const auto max = upper.empty() ? std::optional(kUnbounded) : parse_count(upper);
            if (!max) return std::nullopt;
            // A bound that is too large must not look like none.
            counts.max = !upper.empty() && *max >= kUnbounded ? kUnbounded + 1 : *max;
        }
        rest_.remove_prefix(end + 1);
        return counts;
    }

    static std::optional<std::uint32_t> parse_count(std::string_view digits) {
        std::uint32_t count = 0;
        const char* const end = digits.data() + digits.size();
        const auto [stop, problem] = std::from_chars(digits.data(), end, count);
        if (problem == std::errc::result_out_of_range && stop == end) return kUnbounded + 1;
        if (problem != std::errc() || stop != end) return std::nullopt;
        return count;
    }

    std::optional<Pattern> parse_atom() {
        switch (peek()) {
            case '(': return parse_group();
            case '[': return parse_set();
            case '\\': return parse_escape();
            case '*':
            case '+':
            case '?': return fail("repeats nothing");
            case '.': take(); return set_pattern(dot());
            case '^':
                take();
                return assertion(flags_.is_multiline ? Operation::line_begin : Operation::begin);
            case '$':
                take();
                return assertion(flags_.is_multiline ? Operation::line_end : Operation::end);
            default: return literal(take());
        }
    }

    Regex::Set dot() const {
        return {.ranges = flags_.dot_is_all ? Regex::Ranges{} : Regex::Ranges{{'\n', '\n'}},
                .is_inverted = true};
    }

    Pattern literal(char32_t character) const {
        return finished({.ranges = {{character, character}}});
    }

    Pattern finished(Regex::Set set, bool is_inverted = false) const {
        set.ranges = normalized(std::move(set.ranges));
        if (flags_.ignores_case) set = without_case(set);
        set.is_inverted = is_inverted;
        return set_pattern(std::move(set));
    }

    std::optional<Pattern> parse_group() {
        take();
        const Flags outer = flags_;
        if (accept("?")) {
            const auto has_body = parse_group_kind();
            if (!has_body) return std::nullopt;
            if (!*has_body) return Pattern{};  // `(?i)`: the flags hold for what follows.
        }
        auto inside = parse_alternatives();
        if (!inside) return std::nullopt;
        if (!accept(")")) return fail("lacks a )");
        flags_ = outer;
        return inside;
    }

    // Behind `(?`: whether a body follows. Sets the flags.
    std::optional<bool> parse_group_kind() {
        if (accept("P<") ||
            (peek() == '<' && rest_.size() > 1 && is_name(rest_[1]) && accept("<"))) {
            while (is_name(peek())) take();
            if (!accept(">")) return fail("has a bad name of a group");
            return true;
        }
        bool value = true;
        while (!rest_.empty()) {
            const char32_t flag = take();
            if (flag == ':') return true;
            if (flag == ')') return false;
            if (flag == '-' && value) {
                value = false;
            } else if (!set_flag(flag, value)) {
                return fail("has an unknown kind of group");
            }
        }
        return fail("lacks a )");
    }

    static bool is_name(char c) { return is_word_character(static_cast<unsigned char>(c)); }

    bool set_flag(char32_t flag, bool value) {
        switch (flag) {
            case 'i': flags_.ignores_case = value; return true;
            case 's': flags_.dot_is_all = value; return true;
            case 'm': flags_.is_multiline = value; return true;
            case 'U': return true;  // Turns greed around, which makes no difference here.
            default: return false;
        }
    }

    std::optional<Pattern> parse_escape() {
        take();
        if (rest_.empty()) return fail("ends in a \\");
        if (auto ranges = set_of_escape(peek())) {
            take();
            return finished({.ranges = std::move(*ranges)});
        }
        if (peek() == 'p' || peek() == 'P') {
            const auto categories = parse_categories();
            if (!categories) return std::nullopt;
            return finished({.categories = *categories});
        }
        switch (peek()) {
            case 'A': take(); return assertion(Operation::begin);
            case 'z': take(); return assertion(Operation::end);
            case 'b': take(); return assertion(Operation::word);
            case 'B': take(); return assertion(Operation::no_word);
            default: break;
        }
        const auto character = parse_escaped_character();
        if (!character) return std::nullopt;
        return literal(*character);
    }

    // `pL`, `p{Lu}`, `p{^Lu}`, or with a P for all others. Stands behind the backslash.
    std::optional<CategoryMask> parse_categories() {
        const bool is_inverted = take() == 'P';
        const bool in_braces = accept("{");
        const std::size_t size = in_braces ? rest_.find('}') : 1;
        const auto categories = size <= rest_.size()
                                    ? categories_of_escape(rest_.substr(0, size), is_inverted)
                                    : std::nullopt;
        if (!categories) {
            return fail("has a \\p that names no general category, such as \\pL or \\p{Lu}");
        }
        rest_.remove_prefix(in_braces ? size + 1 : size);
        return categories;
    }

    // Stands behind the backslash.
    std::optional<char32_t> parse_escaped_character() {
        const char32_t letter = take();
        switch (letter) {
            case 'a': return '\a';
            case 'f': return '\f';
            case 'n': return '\n';
            case 'r': return '\r';
            case 't': return '\t';
            case 'v': return '\v';
            case 'x': return parse_hex();
            default: break;
        }
        if (letter >= 0x80 || (is_word_character(letter) && letter != '_')) {
            return fail("has an unknown escape");
        }
        return letter;
    }

    // `\x41` or `\x{1F600}`.
    std::optional<char32_t> parse_hex() {
        const bool in_braces = accept("{");
        const std::size_t size = in_braces ? rest_.find('}') : 2;
        if (size > rest_.size() || size == 0 || size > 8) return fail("has a bad \\x");
        std::uint32_t value = 0;
        const char* const end = rest_.data() + size;
        const auto [stop, problem] = std::from_chars(rest_.data(), end, value, 16);
        if (problem != std::errc() || stop != end || !utf8::is_code_point(value)) {
            return fail("has a bad \\x");
        }
        rest_.remove_prefix(size);
        if (in_braces) take();
        return value;
    }

    std::optional<Pattern> parse_set() {
        take();
        const bool is_inverted = accept("^");
        Regex::Set set;
        bool is_first = true;
        while (is_first || peek() != ']') {
            if (rest_.empty() || !parse_set_item(set)) return fail("has a bad set of characters");
            is_first = false;
        }
        take();
        return finished(std::move(set), is_inverted);
    }

    bool parse_set_item(Regex::Set& set) {
        if (rest_.starts_with("[:")) return parse_class(set);
        if (rest_.size() > 1 && peek() == '\\') {
            if (const auto escaped = set_of_escape(rest_[1])) {
                set.ranges.insert(set.ranges.end(), escaped->begin(), escaped->end());
                rest_.remove_prefix(2);
                return true;
            }
            if (rest_[1] == 'p' || rest_[1] == 'P') return parse_categories_in_set(set);
        }
        const auto first = parse_set_character();
        if (!first) return false;
        auto last = first;
        if (rest_.size() > 1 && peek() == '-' && rest_[1] != ']') {
            take();
            last = parse_set_character();
        }
        if (!last || *last < *first) return false;
        set.ranges.emplace_back(*first, *last);
        return true;
    }

    bool parse_categories_in_set(Regex::Set& set) {
        take();
        const auto categories = parse_categories();
        set.categories |= categories.value_or(0);
        return categories.has_value();
    }

    std::optional<char32_t> parse_set_character() {
        if (rest_.empty()) return std::nullopt;
        const char32_t character = take();
        if (character != '\\') return character;
        if (rest_.empty()) return std::nullopt;
        return parse_escaped_character();
    }

    // `[:alpha:]` or `[:^alpha:]`.
    bool parse_class(Regex::Set& set) {
        const std::size_t end = rest_.find(":]");
        if (end == std::string_view::npos) return false;
        std::string_view name = rest_.substr(2, end - 2);
        const bool is_inverted = name.starts_with('^');
        if (is_inverted) name.remove_prefix(1);
        auto named = set_of_class(name);
        if (!named) return false;
        if (is_inverted) named = inverted(*named);
        set.ranges.insert(set.ranges.end(), named->begin(), named->end());
        rest_.remove_prefix(end + 2);
        return true;
    }

    std::string_view rest_;
    Flags flags_{};
    std::size_t depth_ = 0;
    std::string problem_{};
};

}  // namespace

Result<Pattern> parse_pattern(std::string_view text) {
    return PatternParser(text).run();
}

}  // namespace millrace::expression
