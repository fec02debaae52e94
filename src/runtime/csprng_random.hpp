#pragma once

#include "base/random.hpp"

namespace millrace::runtime {

// Dice nobody can predict: the kernel's generator, fetched for each thread in blocks. Thread-safe.
class CsprngRandom final : public Random {
public:
    std::uint64_t next() override;
};

}  // namespace millrace::runtime
