#pragma once

#include <cstdint>

#include "base/random.hpp"

namespace millrace {

// Dice that a test can foretell: each number is the one before and a step more.
class CountingRandom final : public Random {
public:
    explicit CountingRandom(std::uint64_t before = 0, std::uint64_t step = 1)
        : last_(before), step_(step) {}

    std::uint64_t next() override { return last_ += step_; }

private:
    std::uint64_t last_;
    const std::uint64_t step_;
};

}  // namespace millrace
