#include "store/sqlite/database_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace millrace::sqlite {

namespace {

constexpr int kLinksMax = 40;  // As many as Linux follows.

Error cannot_be_written(const std::string& path) {
    return {ErrorCode::unavailable,
            path + " cannot be written: " + std::generic_category().message(errno) + "."};
}

}  // namespace

std::string behind_links(const std::string& path) {
    namespace fs = std::filesystem;
    fs::path behind = path;
    std::error_code failure;
    for (int n = 0; n < kLinksMax && fs::is_symlink(behind, failure); ++n) {
        const fs::path target = fs::read_symlink(behind, failure);
        if (failure) break;
        behind = behind.parent_path() / target;  // An absolute target replaces what is before it.
    }
    return behind.string();
}

Status make_private_file(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) return cannot_be_written(path);
    close(descriptor);
    return ok();
}

Status check_writable(const std::string& path) {
    return access(path.c_str(), W_OK) == 0 ? ok() : Status(cannot_be_written(path));
}

}  // namespace millrace::sqlite
