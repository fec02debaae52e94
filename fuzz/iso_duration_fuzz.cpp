// A duration that was read is longer than zero, can be added to any time, and can be written down.

#include <array>
#include <cstdio>

#include "base/check.hpp"
#include "core/definition/iso_duration.hpp"
#include "fuzz_target.hpp"

namespace millrace {

namespace {

using namespace std::chrono;

std::string written(const IsoDuration& duration) {
    std::array<char, 96> text{};
    const auto micros = duration_cast<microseconds>(duration.exact).count();
    std::snprintf(text.data(), text.size(), "P%dMT%lld.%06lldS", duration.months,
                  static_cast<long long>(micros / 1'000'000),
                  static_cast<long long>(micros % 1'000'000));
    return text.data();
}

}  // namespace

void fuzz(std::string_view input) {
    const Result<IsoDuration> duration = parse_iso_duration(input);
    if (!duration) {
        MILLRACE_CHECK(duration.error().code == ErrorCode::invalid_argument);
        return;
    }
    MILLRACE_CHECK(duration->months >= 0 && duration->exact >= Duration::zero());
    const Result<IsoDuration> again = parse_iso_duration(written(*duration));
    MILLRACE_CHECK(again && *again == *duration);

    // The end of February, the last of a long month, and the end of what our times can be.
    for (const sys_days day : {sys_days(year(2024) / February / 29), sys_days(year(2026) / 1 / 31),
                               sys_days(year(9999) / 12 / 31)}) {
        const Instant start = Instant(day) + hours(23);
        const Instant end = start + *duration;
        MILLRACE_CHECK(end > start);
        MILLRACE_CHECK(end - start <= years(101));
    }
}

}  // namespace millrace
