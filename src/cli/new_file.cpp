#include "cli/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace millrace::cli {

NewFile::~NewFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (is_made_) ::unlink(part_.c_str());
}

bool NewFile::write(std::string_view bytes) {
    if (descriptor_ < 0 && problem_.empty()) {
        descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (descriptor_ < 0) note("cannot be made");
        is_made_ = descriptor_ >= 0;
    }
    while (!bytes.empty() && problem_.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            note("cannot be written");
        }
    }
    return problem_.empty();
}

Status NewFile::finish() {
    if (descriptor_ >= 0 && problem_.empty() && ::fsync(descriptor_) != 0) note("cannot be kept");
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    if (!problem_.empty()) return Error{ErrorCode::unavailable, problem_};
    return ok();
}

Status NewFile::put_in_place() {
    if (::rename(part_.c_str(), name_.c_str()) != 0) {
        note("cannot be renamed");
        return Error{ErrorCode::unavailable, problem_};
    }
    is_made_ = false;
    const auto folder = std::filesystem::absolute(name_).parent_path();
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)::fsync(descriptor);  // Some file systems know no such thing.
        ::close(descriptor);
    }
    return ok();
}

void NewFile::note(const char* what) {
    problem_ = part_ + " " + what + ": " + std::generic_category().message(errno) + ".";
}

}  // namespace millrace::cli
