#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

// The word that whoever typed `given` may have meant: one that differs in few letters, or begins
// with it. Empty when none is near.
std::string nearest_word(const std::string& given, const std::vector<std::string>& words);

}  // namespace millrace::cli
