#pragma once

#include <cstddef>
#include <cstdint>

#include "core/limits.hpp"

namespace millrace {

// Counts the work of deciding one command, in units: a step of an evaluation is one, and what
// touches many bytes costs one for every so many. It never looks at a clock, so the same input
// costs the same on every machine and in every replay. Made anew for every attempt of a command.
class WorkMeter {
public:
    explicit WorkMeter(std::int64_t work_max = limits::kCommandWorkMax) : work_max_(work_max) {}

    // Counts work that a definition asks for. False when the command has had its share.
    bool spend(std::size_t units) {
        spent_ += static_cast<std::int64_t>(units);
        return !is_spent();
    }

    // Counts work that any command on such an instance takes, such as reading its variables once.
    // It is told to the committer, and never makes an instance fail.
    void charge(std::size_t units) { charged_ += static_cast<std::int64_t>(units); }

    bool is_spent() const { return spent_ > work_max_; }

    std::int64_t spent() const { return spent_; }

    // All of it.
    std::int64_t total() const { return spent_ + charged_; }

private:
    std::int64_t work_max_;
    std::int64_t spent_ = 0;
    std::int64_t charged_ = 0;
};

// How many bytes one unit of work gets done, by what is done with them. bench/micro/work.cpp
// measures the nanoseconds of each: a unit is about 15, and at most 40.
namespace bytes_per_unit {
inline constexpr std::size_t kCopied = 128;  // Copied, compared or scanned as a block.
inline constexpr std::size_t kCounted = 32;  // Characters counted.
inline constexpr std::size_t kWalked = 8;    // Looked at character by character.
inline constexpr std::size_t kParsed = 4;    // JSON made of a text.
inline constexpr std::size_t kWritten = 16;  // A text made of JSON.
}  // namespace bytes_per_unit

}  // namespace millrace
