#include "server/restore.hpp"

#include <filesystem>

#include "server/backup.hpp"
#include "store/sqlite/backup.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

Error unusable(const std::string& directory, const std::string& why) {
    return {ErrorCode::unavailable, directory + " cannot be used: " + why + "."};
}

// For its owner alone: it will hold whatever workflows hold.
Status make_empty_directory(const std::string& directory) {
    std::error_code failure;
    if (!fs::exists(directory, failure)) {
        fs::create_directories(directory, failure);
        if (!failure) fs::permissions(directory, fs::perms::owner_all, failure);
        return failure ? Status(unusable(directory, failure.message())) : ok();
    }
    if (!fs::is_directory(directory, failure)) return unusable(directory, "it is no directory");
    const bool is_empty = fs::is_empty(directory, failure);
    if (failure) return unusable(directory, failure.message());
    if (is_empty) return ok();
    return Error{ErrorCode::conflict,
                 directory + " is not empty. Nothing is overwritten: name a new directory."};
}

}  // namespace

Status restore_data(const std::string& file, const std::string& data_directory) {
    if (Status status = sqlite::check_backup(file); !status) return status;
    std::error_code failure;
    const bool is_new = !fs::exists(data_directory, failure);
    if (Status status = make_empty_directory(data_directory); !status) return status;
    Status restored = sqlite::restore_backup(file, database_path(data_directory));
    if (!restored && is_new) fs::remove(data_directory, failure);  // Only an empty one goes.
    return restored;
}

}  // namespace millrace
