#pragma once

#include <string>

#include "base/result.hpp"

namespace millrace::sqlite {

// The path that a symbolic link leads to, also where nothing is yet; any other path as it is.
// SQLite follows links too, and keeps its log beside the file that it finds.
std::string behind_links(const std::string& path);

// Makes an empty file for its owner alone when there is none: it will hold whatever workflows hold.
// SQLite would make one that everybody may read, and gives its logs the rights of the file.
// unavailable, with the reason: there is none and it cannot be made, or it cannot be written.
Status make_private_file(const std::string& path);

// unavailable, with the reason: the file is there, and this process may not write it.
Status check_writable(const std::string& path);

}  // namespace millrace::sqlite
