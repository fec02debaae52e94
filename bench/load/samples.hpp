#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace millrace::bench {

// Durations in milliseconds.
class Samples {
public:
    void add(std::chrono::steady_clock::duration duration);
    // {"p50Ms":…,"p99Ms":…,"count":…}
    std::string json() const;

private:
    double quantile(double share) const;

    std::vector<double> milliseconds_;
};

}  // namespace millrace::bench
