#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace millrace::cli {

// Prints rows in columns as wide as their widest cell; the first row has the headings.
void print_table(std::ostream& out, const std::vector<std::vector<std::string>>& rows);

}  // namespace millrace::cli
