#pragma once

#include <unistd.h>

#include <filesystem>

namespace millrace {

// As long as it lives, the process is one that permissions hold for, and a folder with what is in
// it is that user's. Root becomes nobody meanwhile; whoever else runs the tests stays what they
// are.
class OrdinaryUser {
public:
    explicit OrdinaryUser(const std::filesystem::path& folder) : was_root_(getuid() == 0) {
        if (!was_root_) return;
        bool is_given = chown(folder.c_str(), kNobody, kNobody) == 0;
        for (const auto& each : std::filesystem::recursive_directory_iterator(folder)) {
            is_given = chown(each.path().c_str(), kNobody, kNobody) == 0 && is_given;
        }
        is_ordinary_ = is_given && setresuid(kNobody, kNobody, 0) == 0;
    }
    ~OrdinaryUser() {
        if (was_root_ && is_ordinary_) is_ordinary_ = setresuid(0, 0, 0) != 0;
    }
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;

    // False where not even root may become somebody else.
    bool is_ordinary() const { return is_ordinary_; }

private:
    static constexpr uid_t kNobody = 65534;

    const bool was_root_;
    bool is_ordinary_ = true;
};

}  // namespace millrace
