#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace millrace::cli {

using Rows = std::vector<std::vector<std::string>>;

// Prints rows in columns as wide as their widest cell; the first row has the headings. States have
// a colour where colours are wanted. Line ends and other control characters show as escapes.
void print_table(const Console& console, const Rows& rows);

// Prints names and values, without those that are empty.
void print_facts(const Console& console, const Rows& rows);

}  // namespace millrace::cli
