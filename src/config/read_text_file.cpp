#include "config/read_text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace millrace {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }  // It was only read.
};

Error unreadable() {
    return {ErrorCode::invalid_argument,
            "cannot be read: " + std::generic_category().message(errno)};
}

}  // namespace

// Not by a stream: that of a directory throws at the first character, whatever its exceptions().
Result<std::string> read_text_file(const std::string& path) {
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) {
        return Error{ErrorCode::invalid_argument, "is a directory"};
    }
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
    if (file == nullptr) return unreadable();
    std::string text;
    char piece[4096];
    while (const std::size_t count = std::fread(piece, 1, sizeof(piece), file.get())) {
        text.append(piece, count);
    }
    if (std::ferror(file.get()) != 0) return unreadable();
    return text;
}

}  // namespace millrace
