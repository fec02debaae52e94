#include "load/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace millrace::bench {

void Samples::add(std::chrono::steady_clock::duration duration) {
    milliseconds_.push_back(std::chrono::duration<double, std::milli>(duration).count());
}

std::string Samples::json() const {
    return fmt::format(R"({{"p50Ms":{:.4f},"p99Ms":{:.4f},"count":{}}})", quantile(0.5),
                       quantile(0.99), milliseconds_.size());
}

double Samples::quantile(double share) const {
    if (milliseconds_.empty()) return 0;
    std::vector<double> sorted = milliseconds_;
    std::ranges::sort(sorted);
    const auto rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace millrace::bench
