#pragma once

#include <string>
#include <string_view>

namespace millrace::observe {

// Texts of a log come from anywhere. However they look, a line stays one line of UTF-8 and sends no
// command to a terminal: control characters are escaped as in JSON, bytes that are no UTF-8 become
// U+FFFD.

// As a text of JSON, with its quotes.
void append_quoted(std::string& out, std::string_view text);

// Without quotes, for the eyes of people.
void append_readable(std::string& out, std::string_view text);

}  // namespace millrace::observe
