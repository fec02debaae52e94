#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/check.hpp"

namespace millrace {

// A folder of a test's own, gone with it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "millrace-XXXXXX").string();
        MILLRACE_CHECK(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;  // A test does not fail for what it leaves behind.
        std::filesystem::remove_all(path_, ignored);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace millrace
