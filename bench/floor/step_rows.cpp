#include "floor/step_rows.hpp"

#include <algorithm>
#include <random>

namespace millrace::bench {

namespace {

IdBytes id_bytes(std::uint64_t milliseconds, std::uint64_t random, unsigned char sequence) {
    IdBytes bytes{};
    for (std::size_t i = 0; i < 6; ++i) {
        bytes[i] = static_cast<unsigned char>(milliseconds >> (40 - 8 * i));
        bytes[6 + i] = static_cast<unsigned char>(random >> (40 - 8 * i));
    }
    bytes[15] = sequence;
    return bytes;
}

}  // namespace

std::vector<StepRows> mint_steps(std::size_t count, std::int64_t now_milliseconds) {
    static std::mt19937_64 random(1);
    const auto milliseconds = static_cast<std::uint64_t>(now_milliseconds);
    std::vector<StepRows> steps(count);
    for (StepRows& step : steps) {
        const std::uint64_t number = random();
        step = {
            .instance_id = id_bytes(milliseconds, number, 0),
            .step_execution_id = id_bytes(milliseconds, number, 1),
            .job_id = id_bytes(milliseconds, number, 2),
        };
    }
    std::ranges::sort(steps, {}, &StepRows::instance_id);
    return steps;
}

}  // namespace millrace::bench
