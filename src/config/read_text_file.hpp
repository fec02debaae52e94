#pragma once

#include <string>

#include "base/result.hpp"

namespace millrace {

// The whole of a file. An error goes on where the name of the file ends: "is a directory".
Result<std::string> read_text_file(const std::string& path);

}  // namespace millrace
