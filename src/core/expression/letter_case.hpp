#pragma once

namespace millrace::expression {

// Upper and lower case of Latin, Greek and Cyrillic letters; other characters stay. The same on
// every machine, unlike the locale's.
char32_t to_upper(char32_t letter);
char32_t to_lower(char32_t letter);

}  // namespace millrace::expression
