#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/json/value.hpp"

namespace millrace::cli {

using Samples = std::vector<std::chrono::nanoseconds>;

// Half of the samples are not above p50, and so on; all zero when there are none.
struct Percentiles {
    double p50 = 0;  // All in milliseconds.
    double p95 = 0;
    double p99 = 0;
    double max = 0;
};

Percentiles percentiles_of(Samples samples);

// Three digits that mean something: 0.123, 4.57, 123.
std::string short_number(double number);

}  // namespace millrace::cli
