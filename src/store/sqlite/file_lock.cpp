#include "store/sqlite/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace millrace::sqlite {

FileLock::~FileLock() {
    if (descriptor_ >= 0) close(descriptor_);
}

Status FileLock::take(const std::string& path) {
    if (descriptor_ >= 0) return ok();
    const std::string lock_path = path + ".lock";
    const int descriptor = open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return Error{ErrorCode::unavailable, lock_path + " cannot be opened for writing."};
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const bool is_taken = errno == EWOULDBLOCK;
        close(descriptor);
        if (is_taken) return Error{ErrorCode::conflict, path + " is in use by another process."};
        return Error{ErrorCode::unavailable, lock_path + " cannot be locked."};
    }
    descriptor_ = descriptor;
    return ok();
}

}  // namespace millrace::sqlite
