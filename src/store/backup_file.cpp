#include "store/backup_file.hpp"

#include <filesystem>

namespace millrace {

BackupFile::~BackupFile() {
    std::error_code ignored;  // What is left is removed at the next start.
    std::filesystem::remove(path_, ignored);
}

}  // namespace millrace
