#include "server/backup.hpp"

#include <filesystem>

#include "store/sqlite/backup.hpp"

namespace millrace {

std::string database_path(const std::string& data_directory) {
    return (std::filesystem::path(data_directory) / "millrace.db").string();
}

Status back_up_data(const std::string& data_directory, const std::string& file) {
    return sqlite::back_up_closed_database(database_path(data_directory), file);
}

Status check_backup(const std::string& file) {
    return sqlite::check_backup(file);
}

}  // namespace millrace
