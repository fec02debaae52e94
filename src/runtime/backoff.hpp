#pragma once

#include <chrono>

#include "base/random.hpp"
#include "base/time.hpp"

namespace millrace::runtime {

// How long to wait after a failure: twice as long each time, up to a limit, and each time some
// random part less, so that those who failed together do not come back together.
class Backoff {
public:
    struct Limits {
        Duration first = std::chrono::milliseconds{50};
        Duration most = std::chrono::seconds{5};
    };

    Backoff(Random& random, Limits limits) : random_(random), limits_(limits) {}

    // The pause after one more failure: from half of this step to the whole of it.
    Duration next();

    // It works again.
    void reset() { step_ = Duration::zero(); }

private:
    Random& random_;
    const Limits limits_;
    Duration step_{};
};

}  // namespace millrace::runtime
