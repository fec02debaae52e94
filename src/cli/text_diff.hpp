#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

// The lines that lead from one text to another in unified form: a space, - or + in front of each,
// three lines around every change, @@ in front of each group. Empty when they are the same.
std::vector<std::string> unified_diff(const std::string& from, const std::string& to);

}  // namespace millrace::cli
