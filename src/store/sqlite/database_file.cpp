#include "store/sqlite/database_file.hpp"

#include <filesystem>
#include <system_error>

namespace millrace::sqlite {

namespace {

constexpr int kLinksMax = 40;  // As many as Linux follows.

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

}  // namespace millrace::sqlite
