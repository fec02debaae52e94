#pragma once

#include <optional>
#include <string_view>

#include "core/expression/regex.hpp"

// Sets of characters for regular expressions. None is sorted before `normalized`.
namespace millrace::expression {

// Sorts, and joins what overlaps or touches.
Regex::Set normalized(Regex::Set set);

// Everything else; takes a normalized set.
Regex::Set inverted(const Regex::Set& set);

// The other case of its letters is in it too.
Regex::Set without_case(const Regex::Set& set);

// `\d`, `\w`, `\s` and their opposites, by letter.
std::optional<Regex::Set> set_of_escape(char letter);

// `alpha` of `[[:alpha:]]`.
std::optional<Regex::Set> set_of_class(std::string_view name);

// Takes a normalized set.
bool contains(const Regex::Set& set, char32_t character);

bool is_word_character(char32_t character);

}  // namespace millrace::expression
