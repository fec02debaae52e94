#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace millrace::cli {

// A file that is there whole or not at all: written as NAME.part, for its owner alone, flushed to
// the disk, and then renamed. What was not put in place is removed.
class NewFile {
public:
    explicit NewFile(std::string name) : name_(std::move(name)), part_(name_ + ".part") {}
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    const std::string& part() const { return part_; }

    // False when it cannot be written; finish() says why.
    bool write(std::string_view bytes);
    // No more bytes: flushes and closes it.
    Status finish();
    // Gives it its name, in place of any other file of that name.
    Status put_in_place();

private:
    void note(const char* what);

    std::string name_;
    std::string part_;
    int descriptor_ = -1;
    bool is_made_ = false;
    std::string problem_;
};

}  // namespace millrace::cli
