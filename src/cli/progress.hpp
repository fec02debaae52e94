#pragma once

#include <cstdint>
#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// A line on the terminal that says how far a long work is. Without a terminal it says nothing.
class Progress {
public:
    // `total` 0: it is not known.
    Progress(const Console& console, std::string what, std::int64_t total)
        : console_(console), what_(std::move(what)), total_(total) {}

    void show(std::int64_t done);
    // Removes the line.
    void end();

private:
    const Console& console_;
    std::string what_;
    std::int64_t total_;
    std::string shown_;
};

}  // namespace millrace::cli
