#pragma once

#include <string>

#include "base/result.hpp"

namespace millrace {

// The file of the embedded store in a data directory.
std::string database_path(const std::string& data_directory);

// `millrace backup` where no server runs: copies the data itself, under the lock of the directory,
// and checks the copy before it gets its name. conflict: a server has the directory; not_found:
// there is nothing in it.
Status back_up_data(const std::string& data_directory, const std::string& file);

// Whether a file is a sound backup that this program can restore.
Status check_backup(const std::string& file);

}  // namespace millrace
