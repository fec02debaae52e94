#pragma once

#include <string>

#include "base/result.hpp"

namespace millrace::sqlite {

// Keeps a file for one process, whatever way that process ends.
class FileLock {
public:
    FileLock() = default;
    ~FileLock();

    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    // Locks `path` by a file beside it. conflict: another process has it. Again: nothing to do.
    Status take(const std::string& path);

private:
    int descriptor_ = -1;
};

}  // namespace millrace::sqlite
