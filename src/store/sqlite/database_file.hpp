#pragma once

#include <string>

namespace millrace::sqlite {

// The path that a symbolic link leads to, also where nothing is yet; any other path as it is.
// SQLite follows links too, and keeps its log beside the file that it finds.
std::string behind_links(const std::string& path);

}  // namespace millrace::sqlite
