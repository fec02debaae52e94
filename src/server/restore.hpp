#pragma once

#include <string>

#include "base/result.hpp"

namespace millrace {

// `millrace restore`: makes a data directory of a backup, after checking it. conflict: there is
// something in the directory already, or the backup is of a newer program.
Status restore_data(const std::string& file, const std::string& data_directory);

}  // namespace millrace
