#pragma once

#include <random>

#include "base/time.hpp"

namespace millrace::client {

// How long to wait before the next try: anything up to a limit that doubles from 100 ms to 30 s, so
// that many clients of one server do not come back at the same moment.
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

Backoff seeded_backoff();

}  // namespace millrace::client
