#pragma once

#include <random>

#include "base/time.hpp"

namespace millrace::client {

// How long to wait before the next try: doubling from 100 ms to 30 s, each time up to a fifth more
// or less, so that many clients of one server do not come back at the same moment.
class Backoff {
public:
    explicit Backoff(std::uint32_t seed) : dice_(seed) {}

    Duration next();
    void reset() { wait_ = kFirst; }

private:
    static constexpr Duration kFirst = std::chrono::milliseconds(100);
    static constexpr Duration kMax = std::chrono::seconds(30);

    Duration wait_ = kFirst;
    std::minstd_rand dice_;
};

}  // namespace millrace::client
