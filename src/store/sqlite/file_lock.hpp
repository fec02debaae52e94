#pragma once

#include <string>

#include "base/result.hpp"

namespace millrace::sqlite {

// Keeps a file for one process, whatever way that process ends.
//
// Two locks make one. That of a file beside it, PATH.lock, names our process for whoever finds it
// taken; it is there before the file itself is. That of the file itself holds when it has another
// name, or when somebody removes PATH.lock.
//
// To close any descriptor of a file gives up what SQLite has locked in it in this process: a lock
// outlives the connections of the file.
class FileLock {
public:
    FileLock() = default;
    ~FileLock();

    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    // Makes the file, for its owner alone, when it is not there. conflict: another process has it,
    // or this one by another lock. unavailable: it is no file that can be read, or nothing can be
    // written beside it. Again: nothing to do.
    Status take(const std::string& path);

    // The process that has `path`; 0: none, -1: one that is not known. Makes and keeps nothing.
    static long holder_of(const std::string& path);

private:
    Status take_name(const std::string& path);
    Status take_file(const std::string& path);

    int name_descriptor_ = -1;  // Of PATH.lock.
    int file_descriptor_ = -1;
};

}  // namespace millrace::sqlite
