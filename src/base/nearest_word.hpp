#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// The word that whoever wrote `given` may have meant: one that differs in few letters, whatever
// their case, or begins with it. Empty when none is near.
std::string_view nearest_word(std::string_view given, const std::vector<std::string_view>& words);

// A word of a stranger, fit for a log, a header or an error: what is long is cut, and what is no
// printable ASCII becomes a question mark.
std::string shown_word(std::string_view word);

// "There is no query parameter `staus`; did you mean `status`?" Where none is near, it names those
// that there are. `kind` is what the word would be.
std::string no_such_word(std::string_view kind, std::string_view given,
                         const std::vector<std::string_view>& words);

}  // namespace millrace
