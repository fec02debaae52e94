#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/expression/arguments.hpp"
#include "core/expression/letter_case.hpp"
#include "core/expression/text_search.hpp"
#include "core/expression/utf8.hpp"
#include "core/limits.hpp"

namespace millrace::expression {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

struct TwoTexts {
    std::string_view text{};
    std::string_view other{};
};

std::optional<TwoTexts> two_texts(Evaluation& run, std::string_view function, Arguments arguments) {
    const auto text = text_argument(run, function, arguments[0]);
    if (!text) return std::nullopt;
    const auto other = text_argument(run, function, arguments[1]);
    if (!other) return std::nullopt;
    return TwoTexts{*text, *other};
}

// What looking for one character among those of a set costs.
std::size_t units_of_look(std::string_view set) {
    return 1 + set.size() / bytes_per_unit::kWalked;
}

// The bytes of `text` that whole characters of `set` take at its start.
std::size_t covered_at_start(Evaluation& run, std::string_view text, std::string_view set) {
    std::size_t end = 0;
    while (end < text.size() && run.touch(units_of_look(set), 1)) {
        const std::size_t size = utf8::size_at(text, end);
        if (set.find(text.substr(end, size)) == std::string_view::npos) break;
        end += size;
    }
    return end;
}

std::size_t last_character(std::string_view text) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) --start;
    return start;
}

std::string_view without_end(Evaluation& run, std::string_view text, std::string_view set) {
    while (!text.empty() && run.touch(units_of_look(set), 1)) {
        const std::size_t start = last_character(text);
        if (set.find(text.substr(start)) == std::string_view::npos) break;
        text = text.substr(0, start);
    }
    return text;
}

std::optional<Value> trim(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "trim", arguments[0]);
    if (!text) return std::nullopt;
    std::string_view set = kBlanks;
    if (arguments.size() > 1) {
        const auto given = text_argument(run, "trim", arguments[1]);
        if (!given || !run.spend(text->size() * (given->size() + 1) / 256)) return std::nullopt;
        set = *given;
    }
    const std::string_view rest = text->substr(covered_at_start(run, *text, set));
    const std::string_view trimmed = without_end(run, rest, set);
    if (!run.reason().empty()) return std::nullopt;
    return Value(trimmed);
}

std::optional<Value> trim_prefix(Evaluation& run, Arguments arguments) {
    const auto both = two_texts(run, "trimPrefix", arguments);
    if (!both) return std::nullopt;
    return Value(both->text.starts_with(both->other) ? both->text.substr(both->other.size())
                                                     : both->text);
}

std::optional<Value> trim_suffix(Evaluation& run, Arguments arguments) {
    const auto both = two_texts(run, "trimSuffix", arguments);
    if (!both) return std::nullopt;
    const std::size_t kept = both->text.ends_with(both->other)
                                 ? both->text.size() - both->other.size()
                                 : both->text.size();
    return Value(both->text.substr(0, kept));
}

template <char32_t (*Change)(char32_t)>
std::optional<Value> with_case(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "a change of case", arguments[0]);
    if (!text || !run.spend(text->size() / 16)) return std::nullopt;
    if (!run.touch(text->size(), bytes_per_unit::kWalked)) return std::nullopt;
    std::string changed;
    for (std::size_t i = 0; i < text->size();) {
        // Texts are valid UTF-8 from end to end.
        const auto letter = utf8::decode(text->substr(i)).value_or(utf8::CodePoint{});
        utf8::append(changed, Change(letter.value));
        i += letter.size;
    }
    return run.make_text(changed);
}

// Where the pieces of a text end and the next begin: the separators' places. An empty separator
// stands between all characters.
std::optional<std::vector<std::size_t>> cuts(Evaluation& run, std::string_view text,
                                             std::string_view separator, std::size_t pieces_max) {
    std::vector<std::size_t> places;
    if (separator.empty()) {
        for (std::size_t i = 0; i < text.size() && places.size() + 1 < pieces_max;) {
            if (!run.touch(1, 1)) return std::nullopt;
            i += utf8::size_at(text, i);
            if (i < text.size()) places.push_back(i);
        }
        return places;
    }
    std::size_t from = 0;
    while (places.size() + 1 < pieces_max) {
        const auto at = find_text(text, separator, from, run.meter());
        if (!at || !run.touch(1, 1)) return run.fail_for_work();
        if (*at == std::string_view::npos) break;
        places.push_back(*at);
        from = *at + separator.size();
    }
    return places;
}

// 0 pieces are none, a negative number is any.
std::optional<Value> split_text(Evaluation& run, std::string_view function, Arguments arguments,
                                bool keep_separator) {
    const auto both = two_texts(run, function, arguments);
    if (!both) return std::nullopt;
    std::size_t pieces_max = kAnyNumber;
    if (arguments.size() > 2) {
        const auto wanted = whole_argument(run, function, arguments[2]);
        if (!wanted) return std::nullopt;
        if (*wanted == 0) return run.make_list({});
        if (*wanted > 0) pieces_max = static_cast<std::size_t>(*wanted);
    }
    if (both->text.empty() && both->other.empty()) return run.make_list({});
    std::vector<Value> pieces;
    std::size_t begin = 0;
    const auto places = cuts(run, both->text, both->other, pieces_max);
    if (!places) return std::nullopt;
    for (const std::size_t cut : *places) {
        if (!run.spend()) return std::nullopt;
        const std::size_t next = cut + both->other.size();
        pieces.emplace_back(both->text.substr(begin, (keep_separator ? next : cut) - begin));
        begin = next;
    }
    pieces.emplace_back(both->text.substr(begin));
    return run.make_list(pieces);
}

std::optional<Value> split(Evaluation& run, Arguments arguments) {
    return split_text(run, "split", arguments, false);
}

std::optional<Value> split_after(Evaluation& run, Arguments arguments) {
    return split_text(run, "splitAfter", arguments, true);
}

std::optional<Value> replace(Evaluation& run, Arguments arguments) {
    const auto both = two_texts(run, "replace", arguments);
    if (!both) return std::nullopt;
    const auto replacement = text_argument(run, "replace", arguments[2]);
    if (!replacement) return std::nullopt;
    std::size_t pieces_max = kAnyNumber;
    if (arguments.size() > 3) {
        const auto count = whole_argument(run, "replace", arguments[3]);
        if (!count) return std::nullopt;
        if (*count >= 0) pieces_max = static_cast<std::size_t>(*count) + 1;
    }
    if (both->other.empty()) return run.fail("replace needs a string to look for");
    const auto places = cuts(run, both->text, both->other, pieces_max);
    if (!places || !run.spend(places->size())) return std::nullopt;
    const std::size_t size = both->text.size() + places->size() * replacement->size() -
                             places->size() * both->other.size();
    char* const result = run.allocate_text(size);
    if (result == nullptr) return std::nullopt;
    char* out = result;
    std::size_t begin = 0;
    for (const std::size_t place : *places) {
        out = std::ranges::copy(both->text.substr(begin, place - begin), out).out;
        out = std::ranges::copy(*replacement, out).out;
        begin = place + both->other.size();
    }
    std::ranges::copy(both->text.substr(begin), out);
    return Value(std::string_view(result, size));
}

std::optional<Value> repeat(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "repeat", arguments[0]);
    if (!text) return std::nullopt;
    const auto count = whole_argument(run, "repeat", arguments[1]);
    if (!count) return std::nullopt;
    if (*count < 0) return run.fail("cannot repeat a string a negative number of times");
    if (text->empty()) return Value(std::string_view());
    const auto times = static_cast<std::size_t>(*count);
    if (times > limits::kExpressionBytesResultMax / text->size()) {
        return run.fail("repeat makes more than " +
                        std::to_string(limits::kExpressionBytesResultMax) + " bytes");
    }
    if (!run.touch(times, bytes_per_unit::kCounted)) return std::nullopt;
    char* const result = run.allocate_text(text->size() * times);
    if (result == nullptr) return std::nullopt;
    char* out = result;
    for (std::size_t i = 0; i < times; ++i) out = std::ranges::copy(*text, out).out;
    return Value(std::string_view(result, text->size() * times));
}

std::optional<Value> join(Evaluation& run, Arguments arguments) {
    const auto list = list_argument(run, "join", arguments[0]);
    if (!list) return std::nullopt;
    std::string_view glue;
    if (arguments.size() > 1) {
        const auto given = text_argument(run, "join", arguments[1]);
        if (!given) return std::nullopt;
        glue = *given;
    }
    std::string joined;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const auto piece = text_argument(run, "join", list->at(i));
        if (!piece) return std::nullopt;
        if (joined.size() > limits::kExpressionBytesResultMax) break;
        if (i > 0) joined += glue;
        joined += *piece;
    }
    return run.make_text(joined);
}

// In characters, as slices count; -1 when it is not there.
std::optional<Value> index_in(Evaluation& run, std::string_view text,
                              std::optional<std::size_t> at) {
    if (!at) return run.fail_for_work();
    if (*at == std::string_view::npos) return Value(std::int64_t{-1});
    if (!run.touch(*at, bytes_per_unit::kCounted)) return std::nullopt;
    return Value(static_cast<std::int64_t>(utf8::length(text.substr(0, *at))));
}

std::optional<Value> index_of(Evaluation& run, Arguments arguments) {
    const auto both = two_texts(run, "indexOf", arguments);
    if (!both) return std::nullopt;
    return index_in(run, both->text, find_text(both->text, both->other, 0, run.meter()));
}

std::optional<Value> last_index_of(Evaluation& run, Arguments arguments) {
    const auto both = two_texts(run, "lastIndexOf", arguments);
    if (!both) return std::nullopt;
    return index_in(run, both->text, find_last_text(both->text, both->other, run.meter()));
}

std::optional<Value> has_prefix(Evaluation& run, Arguments arguments) {
    const auto both = two_texts(run, "hasPrefix", arguments);
    if (!both) return std::nullopt;
    return Value(both->text.starts_with(both->other));
}

std::optional<Value> has_suffix(Evaluation& run, Arguments arguments) {
    const auto both = two_texts(run, "hasSuffix", arguments);
    if (!both) return std::nullopt;
    return Value(both->text.ends_with(both->other));
}

constexpr std::array<Function, 14> kTextFunctions{{
    {"trim", 1, 2, trim},
    {"trimPrefix", 2, 2, trim_prefix},
    {"trimSuffix", 2, 2, trim_suffix},
    {"upper", 1, 1, with_case<to_upper>},
    {"lower", 1, 1, with_case<to_lower>},
    {"split", 2, 3, split},
    {"splitAfter", 2, 3, split_after},
    {"replace", 3, 4, replace},
    {"repeat", 2, 2, repeat},
    {"join", 1, 2, join},
    {"indexOf", 2, 2, index_of},
    {"lastIndexOf", 2, 2, last_index_of},
    {"hasPrefix", 2, 2, has_prefix},
    {"hasSuffix", 2, 2, has_suffix},
}};

}  // namespace

std::span<const Function> text_functions() {
    return kTextFunctions;
}

}  // namespace millrace::expression
