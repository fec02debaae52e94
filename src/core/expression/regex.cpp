#include "core/expression/regex.hpp"

#include <map>
#include <string>
#include <utility>

#include "core/expression/regex_set.hpp"
#include "core/expression/regex_syntax.hpp"
#include "core/expression/utf8.hpp"

namespace millrace::expression {

namespace {

// Each costs time for every character of a text.
constexpr std::size_t kInstructionsMax = 2'000;
// Repetitions of nothing make no instructions, but work.
constexpr std::size_t kPartsMax = 20'000;
constexpr std::size_t kVisitsPerStep = 16;
constexpr std::size_t kVisitsPerUnit = 2;
constexpr char32_t kNoCharacter = 0xFFFFFFFF;

}  // namespace

// Turns a parsed pattern into a program.
class RegexCompiler {
public:
    // False when it has grown too large.
    bool compile(const Pattern& pattern) {
        emit(pattern);
        push(Regex::Operation::match);
        return !is_too_large();
    }

    Regex take() {
        regex_.program_.shrink_to_fit();
        regex_.sets_.shrink_to_fit();
        return std::move(regex_);
    }

private:
    using Operation = Regex::Operation;

    std::uint32_t here() const { return static_cast<std::uint32_t>(regex_.program_.size()); }

    bool is_too_large() const {
        return regex_.program_.size() > kInstructionsMax || parts_ > kPartsMax;
    }

    std::uint32_t push(Operation operation, std::uint32_t first = 0, std::uint32_t second = 0) {
        regex_.program_.push_back({operation, first, second});
        return here() - 1;
    }

    void emit(const Pattern& pattern) {
        ++parts_;
        if (is_too_large()) return;
        switch (pattern.kind) {
            case Pattern::Kind::sequence:
                for (const Pattern& part : pattern.parts) emit(part);
                break;
            case Pattern::Kind::alternatives: emit_alternatives(pattern); break;
            case Pattern::Kind::repeat: emit_repeat(pattern); break;
            case Pattern::Kind::set: push(Operation::set, place_of_set(pattern)); break;
            case Pattern::Kind::assertion: push(pattern.assertion); break;
        }
    }

    // A part that is repeated is the same part each time, and so is its set.
    std::uint32_t place_of_set(const Pattern& pattern) {
        const auto next = static_cast<std::uint32_t>(regex_.sets_.size());
        const auto [place, is_new] = places_of_sets_.try_emplace(&pattern, next);
        if (!is_new) return place->second;
        regex_.sets_.push_back(pattern.set);
        regex_.sets_.back().ranges.shrink_to_fit();
        if (pattern.set.categories != 0) regex_.uses_categories_ = true;
        return next;
    }

    void emit_alternatives(const Pattern& pattern) {
        std::vector<std::uint32_t> jumps;
        for (std::size_t i = 0; i + 1 < pattern.parts.size(); ++i) {
            const std::uint32_t split = push(Operation::split, here() + 1);
            emit(pattern.parts[i]);
            jumps.push_back(push(Operation::jump));
            regex_.program_[split].second = here();
        }
        emit(pattern.parts.back());
        for (const std::uint32_t jump : jumps) regex_.program_[jump].first = here();
    }

    void emit_repeat(const Pattern& pattern) {
        const Pattern& part = pattern.parts.front();
        for (std::uint32_t i = 0; i < pattern.count_min && !is_too_large(); ++i) emit(part);
        if (pattern.count_max == kUnbounded) {
            const std::uint32_t split = push(Operation::split, here() + 1);
            emit(part);
            push(Operation::jump, split);
            regex_.program_[split].second = here();
            return;
        }
        std::vector<std::uint32_t> splits;
        for (std::uint32_t i = pattern.count_min; i < pattern.count_max && !is_too_large(); ++i) {
            splits.push_back(push(Operation::split, here() + 1));
            emit(part);
        }
        for (const std::uint32_t split : splits) regex_.program_[split].second = here();
    }

    Regex regex_{};
    std::map<const Pattern*, std::uint32_t> places_of_sets_{};
    std::size_t parts_ = 0;
};

namespace {

// All states that the program can be in at one place of the text.
class Simulation {
public:
    explicit Simulation(const std::vector<Regex::Instruction>& program)
        : program_(program), seen_at_(program.size(), 0) {}

    // Adds where `start` leads to without a character, between `before` and `after`. True when that
    // is the end of the program.
    bool add(std::uint32_t start, char32_t before, char32_t after) {
        stack_.push_back(start);
        bool is_match = false;
        while (!stack_.empty()) {
            const std::uint32_t at = stack_.back();
            stack_.pop_back();
            if (seen_at_[at] == place_) continue;
            seen_at_[at] = place_;
            ++visits_;
            is_match = visit(at, before, after) || is_match;
        }
        return is_match;
    }

    // How many states were looked at since it was last asked.
    std::size_t take_visits() { return std::exchange(visits_, 0); }

    // The states that wait for a character, and an empty collection for the place behind it.
    std::vector<std::uint32_t> next_place() {
        ++place_;
        return std::exchange(waiting_, {});
    }

private:
    bool visit(std::uint32_t at, char32_t before, char32_t after) {
        using Operation = Regex::Operation;
        const Regex::Instruction& instruction = program_[at];
        const bool is_boundary = is_word_character(before) != is_word_character(after);
        const auto go_on_if = [&](bool holds) {
            if (holds) stack_.push_back(at + 1);
            return false;
        };
        switch (instruction.operation) {
            case Operation::match: return true;
            case Operation::set: waiting_.push_back(at); return false;
            case Operation::jump: stack_.push_back(instruction.first); return false;
            case Operation::split:
                stack_.push_back(instruction.second);
                stack_.push_back(instruction.first);
                return false;
            case Operation::begin: return go_on_if(before == kNoCharacter);
            case Operation::end: return go_on_if(after == kNoCharacter);
            case Operation::line_begin: return go_on_if(before == kNoCharacter || before == '\n');
            case Operation::line_end: return go_on_if(after == kNoCharacter || after == '\n');
            case Operation::word: return go_on_if(is_boundary);
            case Operation::no_word: return go_on_if(!is_boundary);
        }
        return false;
    }

    const std::vector<Regex::Instruction>& program_;
    std::vector<std::uint64_t> seen_at_;
    std::uint64_t place_ = 1;
    std::size_t visits_ = 0;
    std::vector<std::uint32_t> stack_{};
    std::vector<std::uint32_t> waiting_{};
};

}  // namespace

Result<Regex> Regex::compile(std::string_view pattern) {
    if (pattern.size() > limits::kExpressionBytesMax) {
        return Error{.code = ErrorCode::invalid_argument,
                     .detail = "the regular expression is too long"};
    }
    const Result<Pattern> parsed = parse_pattern(pattern);
    if (!parsed) return parsed.error();
    RegexCompiler compiler;
    if (!compiler.compile(*parsed)) {
        return Error{.code = ErrorCode::invalid_argument,
                     .detail = "the regular expression is too large"};
    }
    return compiler.take();
}

std::optional<bool> Regex::matches(std::string_view text, WorkMeter& meter) const {
    if (!meter.spend(program_.size() / kVisitsPerUnit)) return std::nullopt;
    Simulation simulation(program_);
    std::vector<std::uint32_t> arrived;
    char32_t before = kNoCharacter;
    while (true) {
        const auto next = text.empty() ? std::nullopt : utf8::decode(text);
        const char32_t after = next ? next->value : kNoCharacter;
        for (const std::uint32_t state : arrived) {
            if (simulation.add(state, before, after)) return true;
        }
        if (simulation.add(0, before, after)) return true;
        if (!meter.spend(1 + simulation.take_visits() / kVisitsPerUnit)) return std::nullopt;
        if (!next) return false;
        arrived.clear();
        const CategoryMask category = uses_categories_ ? mask_of(general_category(after)) : 0;
        for (const std::uint32_t state : simulation.next_place()) {
            const Set& set = sets_[program_[state].first];
            if (contains(set, after, category)) arrived.push_back(state + 1);
        }
        before = after;
        text.remove_prefix(next->size);
    }
}

std::size_t Regex::cost(std::string_view text) const {
    return 1 + (text.size() + 1) * program_.size() / kVisitsPerStep;
}

std::size_t Regex::bytes() const {
    constexpr std::size_t kAllocation = 16;  // What each allocation takes beside its bytes.
    std::size_t bytes =
        sizeof(Regex) + program_.capacity() * sizeof(Instruction) + sets_.capacity() * sizeof(Set);
    for (const Set& set : sets_) {
        bytes += kAllocation + set.ranges.capacity() * sizeof(Ranges::value_type);
    }
    return bytes;
}

}  // namespace millrace::expression
