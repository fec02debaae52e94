#pragma once

#include <string>
#include <string_view>

#include "store/sqlite/connection.hpp"

namespace millrace::sqlite {

// The log of the latest commits, beside the file.
std::string log_path(const std::string& path);

// SQLite removes its log when the last connection closes: one that is there was left by a process
// that did not end by itself.
bool has_log(const std::string& path);

// What a check of SQLite says first, without its heading: one row may have many lines.
std::string first_finding(std::string_view findings);

// The same of the statement that checks; empty: nothing.
Result<std::string> finding_of(Connection& connection, const sql::Statement& check);

// What is wrong with the pages of the file; empty: nothing. Reads all of it, but compares no index
// with its table. internal: it cannot even be read.
Result<std::string> quick_finding(Connection& connection);

}  // namespace millrace::sqlite
