#pragma once

#include <optional>
#include <string_view>

#include "core/expression/regex.hpp"

// Sets of characters for regular expressions. No ranges are sorted before `normalized`.
namespace millrace::expression {

// Sorts, and joins what overlaps or touches.
Regex::Ranges normalized(Regex::Ranges ranges);

// Everything else; takes normalized ranges.
Regex::Ranges inverted(const Regex::Ranges& ranges);

// The other case of its letters is in it too.
Regex::Ranges without_case(const Regex::Ranges& ranges);

// `\d`, `\w`, `\s` and their opposites, by letter.
std::optional<Regex::Ranges> set_of_escape(char letter);

// `alpha` of `[[:alpha:]]`.
std::optional<Regex::Ranges> set_of_class(std::string_view name);

// `L` of `\pL`, `Lu` of `\p{Lu}`, `^Lu`; nothing for a name that is none of a category. Inverted
// for
// `\P`.
std::optional<CategoryMask> categories_of_escape(std::string_view name, bool is_inverted);

// The other case of its letters is in it too; takes a set that is not inverted.
Regex::Set without_case(const Regex::Set& set);

// Takes normalized ranges, and the category of the character if the set has any.
bool contains(const Regex::Set& set, char32_t character, CategoryMask category);

bool is_word_character(char32_t character);

}  // namespace millrace::expression
