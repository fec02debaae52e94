#pragma once

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
    bool spend(std::int64_t units) {
        spent_ += units;
        return !is_spent();
    }

    // Counts work that any command on such an instance takes, such as reading its variables once.
    // It is told to the committer, and never makes an instance fail.
    void charge(std::int64_t units) { charged_ += units; }

    bool is_spent() const { return spent_ > work_max_; }

    std::int64_t work_max() const { return work_max_; }

    // All of it.
    std::int64_t total() const { return spent_ + charged_; }

private:
    std::int64_t work_max_;
    std::int64_t spent_ = 0;
    std::int64_t charged_ = 0;
};

}  // namespace millrace
