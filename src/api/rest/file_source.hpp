#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"

namespace millrace::rest {

// A file to send, which exists at least as long as `keeper`.
struct FileToSend {
    std::string path{};
    std::shared_ptr<const void> keeper{};
};

// Makes the file on some thread and calls back once.
using FileSource = std::function<void(std::function<void(Result<FileToSend>)>)>;

}  // namespace millrace::rest
