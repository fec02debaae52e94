#pragma once

#include <string>

namespace millrace {

// A copy of a store in a file, which is removed with this object. Whoever has it open may go on
// reading it.
class BackupFile {
public:
    explicit BackupFile(std::string path) : path_(std::move(path)) {}
    ~BackupFile();

    BackupFile(const BackupFile&) = delete;
    BackupFile& operator=(const BackupFile&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace millrace
