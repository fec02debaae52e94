#include "cli/bench_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace millrace::cli {

Percentiles percentiles_of(Samples samples) {
    if (samples.empty()) return {};
    std::ranges::sort(samples);
    const auto at = [&](double share) {
        const auto rank =
            static_cast<std::size_t>(std::ceil(share * static_cast<double>(samples.size())));
        const auto sample = samples[std::max<std::size_t>(rank, 1) - 1];
        return static_cast<double>(sample.count()) / 1e6;
    };
    return {.p50 = at(0.5), .p95 = at(0.95), .p99 = at(0.99), .max = at(1)};
}

std::string short_number(double number) {
    const int decimals = number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3;
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
    return text.data();
}

}  // namespace millrace::cli
