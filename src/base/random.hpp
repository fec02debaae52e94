#pragma once

#include <cstdint>

namespace millrace {

// The only dice outside src/runtime, which holds the real ones; a simulation rolls seeded ones.
class Random {
public:
    virtual ~Random() = default;
    virtual std::uint64_t next() = 0;
};

}  // namespace millrace
