#include "store/sqlite/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace millrace::sqlite {

namespace {

void write_holder(int descriptor) {
    const std::string text = std::to_string(getpid()) + "\n";
    // Only to say who it is: a full disk is no reason not to lock.
    if (ftruncate(descriptor, 0) != 0) return;
    [[maybe_unused]] const ssize_t ignored = pwrite(descriptor, text.data(), text.size(), 0);
}

// 0 when it is not known.
long read_holder(int descriptor) {
    std::array<char, 24> text{};
    const ssize_t count = pread(descriptor, text.data(), text.size(), 0);
    long holder = 0;
    if (count > 0) (void)std::from_chars(text.data(), text.data() + count, holder);
    return holder;
}

Error in_use(const std::string& path, long holder) {
    const std::string who = holder > 0 ? "process " + std::to_string(holder) : "another process";
    return {ErrorCode::conflict, path + " is in use by " + who + "."};
}

}  // namespace

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
        const long holder = is_taken ? read_holder(descriptor) : 0;
        close(descriptor);
        if (is_taken) return in_use(path, holder);
        return Error{ErrorCode::unavailable, lock_path + " cannot be locked."};
    }
    descriptor_ = descriptor;
    write_holder(descriptor);
    return ok();
}

long FileLock::holder_of(const std::string& path) {
    const int descriptor = open((path + ".lock").c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    const bool is_free = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
    const long holder = is_free ? 0 : read_holder(descriptor);
    close(descriptor);
    return is_free || holder > 0 ? holder : -1;
}

}  // namespace millrace::sqlite
