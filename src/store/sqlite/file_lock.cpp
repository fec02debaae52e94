#include "store/sqlite/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "store/sqlite/database_file.hpp"

namespace millrace::sqlite {

namespace {

constexpr int kTriesMax = 10;  // Nobody removes a file over and over.

std::string name_of_lock(const std::string& path) {
    return path + ".lock";
}

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

Error cannot(const std::string& path, const std::string& what) {
    return {ErrorCode::unavailable,
            path + " cannot be " + what + ": " + std::generic_category().message(errno) + "."};
}

// Whether a path still leads to an open file: somebody may have removed it in between.
bool leads_to(const std::string& path, int descriptor) {
    struct stat named = {};
    struct stat opened = {};
    return stat(path.c_str(), &named) == 0 && fstat(descriptor, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

bool is_taken(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool is_free = flock(descriptor, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    close(descriptor);
    return !is_free;
}

}  // namespace

FileLock::~FileLock() {
    if (file_descriptor_ >= 0) close(file_descriptor_);
    if (name_descriptor_ >= 0) close(name_descriptor_);
}

Status FileLock::take(const std::string& path) {
    if (file_descriptor_ >= 0) return ok();
    const std::string file = behind_links(path);
    struct stat found = {};
    if (stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
        return Error{ErrorCode::unavailable,
                     path + (S_ISDIR(found.st_mode) ? " is a directory." : " is no file.")};
    }
    if (Status status = take_name(file); !status) return status;
    Status status = take_file(file);
    if (!status) close(std::exchange(name_descriptor_, -1));
    return status;
}

Status FileLock::take_name(const std::string& path) {
    const std::string lock_path = name_of_lock(path);
    for (int n = 0; n < kTriesMax; ++n) {
        const int descriptor = open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (descriptor < 0) return cannot(lock_path, "opened for writing");
        if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const bool is_held = errno == EWOULDBLOCK;
            const Error error =
                is_held ? in_use(path, read_holder(descriptor)) : cannot(lock_path, "locked");
            close(descriptor);
            return error;
        }
        if (leads_to(lock_path, descriptor)) {
            name_descriptor_ = descriptor;
            write_holder(descriptor);
            return ok();
        }
        close(descriptor);
    }
    return Error{ErrorCode::unavailable, lock_path + " is removed over and over."};
}

Status FileLock::take_file(const std::string& path) {
    // Only for reading: of a copy that nobody may write too. A file system of the network that
    // would count this lock among those of SQLite refuses it then, and PATH.lock is all there is.
    const int descriptor = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) return cannot(path, "opened");
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(descriptor);
        return in_use(path, 0);
    }
    file_descriptor_ = descriptor;
    return ok();
}

long FileLock::holder_of(const std::string& path) {
    const std::string file = behind_links(path);
    const int descriptor = open(name_of_lock(file).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return is_taken(file) ? -1 : 0;
    const bool is_free = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
    const long holder = is_free ? 0 : read_holder(descriptor);
    close(descriptor);
    if (is_free) return is_taken(file) ? -1 : 0;
    return holder > 0 ? holder : -1;
}

}  // namespace millrace::sqlite
