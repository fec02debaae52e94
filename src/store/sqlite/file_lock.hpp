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

    // Locks `path` by a file beside it, which names our process for whoever finds it locked.
    // conflict: another process has it, or this one by another lock. Again: nothing to do.
    Status take(const std::string& path);

    // The process that has `path`; 0: none, -1: one that is not known. Makes and keeps nothing.
    static long holder_of(const std::string& path);

private:
    int descriptor_ = -1;
};

}  // namespace millrace::sqlite
