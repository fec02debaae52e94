#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace millrace::observe {

// What the rest of the program sees of a metric. All are thread-safe, cheap (some ten nanoseconds)
// and live as long as the Metrics they come from.

class Counter {
public:
    virtual ~Counter() = default;
    virtual void add(std::uint64_t count = 1) = 0;
    // For what is counted elsewhere: brings this up to that total. Never goes back.
    virtual void raise_to(std::uint64_t total) = 0;
};

class Gauge {
public:
    virtual ~Gauge() = default;
    virtual void set(std::int64_t value) = 0;
    virtual void set_seconds(Duration duration) = 0;
    virtual void add(std::int64_t change) = 0;
};

class Histogram {
public:
    virtual ~Histogram() = default;
    virtual void record(double value) = 0;

    // In seconds, as every duration is exported.
    void record(Duration duration) { record(std::chrono::duration<double>(duration).count()); }
};

}  // namespace millrace::observe
