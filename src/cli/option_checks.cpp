#include "cli/option_checks.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace millrace::cli {
namespace {

std::string expected(const std::string& what, const std::string& given) {
    return "Expected " + what + ", but got \"" + given + "\"";
}

template <class Number>
bool read_number(const std::string& text, Number& number) {
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && rest == end;
}

// Reads like "A, B or C".
std::string choice_of(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
        text += words[i];
    }
    return text;
}

std::string range_of(std::int64_t min, std::int64_t max) {
    if (max >= std::numeric_limits<std::int32_t>::max()) {
        return "a whole number of " + std::to_string(min) + " or more";
    }
    return "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
}

// Digits stand for digits, everything else for itself.
bool has_shape(std::string_view text, std::string_view shape) {
    return text.size() >= shape.size() &&
           std::ranges::equal(shape, text.substr(0, shape.size()), [](char wanted, char given) {
               return wanted == '0' ? given >= '0' && given <= '9' : wanted == given;
           });
}

// Checks without words for the help: the descriptions of options have them.
CLI::Validator silent(std::function<std::string(std::string&)> check) {
    return CLI::Validator(std::move(check), "");
}

}  // namespace

CLI::Option* expect_one_of(CLI::Option* option, const std::vector<std::string>& words) {
    CLI::Validator check = silent([words](std::string& given) {
        for (const std::string& word : words) {
            if (CLI::detail::to_lower(word) != CLI::detail::to_lower(given)) continue;
            given = word;
            return std::string();
        }
        return expected(choice_of(words), given);
    });
    // The library has no other place where words_of could find them again.
    return option->transform(check.name(CLI::detail::join(words, " ")));
}

std::vector<std::string> words_of(CLI::Option* option) {
    try {
        const std::string words = option->get_validator()->get_name();
        return words.empty() ? std::vector<std::string>{} : CLI::detail::split(words, ' ');
    } catch (const CLI::OptionNotFound&) {
        return {};  // It takes anything.
    }
}

CLI::Option* expect_whole_number(CLI::Option* option, std::int64_t min, std::int64_t max) {
    return option->check(silent([min, max](const std::string& given) {
        std::int64_t number = 0;
        const bool fits = read_number(given, number) && number >= min && number <= max;
        return fits ? std::string() : expected(range_of(min, max), given);
    }));
}

CLI::Option* expect_number_above_zero(CLI::Option* option) {
    return option->check(silent([](const std::string& given) {
        double number = 0;
        const bool fits = read_number(given, number) && number > 0;
        return fits ? std::string() : expected("a number above 0", given);
    }));
}

CLI::Option* expect_time(CLI::Option* option) {
    return option->check(silent([](const std::string& given) {
        const bool fits = has_shape(given, "0000-00-00") && given.size() > 16 &&
                          has_shape(std::string_view(given).substr(11), "00:00");
        return fits ? std::string() : expected("a time like 2026-11-15T09:30:00Z", given);
    }));
}

}  // namespace millrace::cli
