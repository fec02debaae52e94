#include "core/explain/explanation.hpp"

#include <array>
#include <cstdio>

namespace millrace {

std::string time_text(Instant time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    std::array<char, 40> text{};
    const int size = std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ",
                                   int(date.year()), unsigned(date.month()), unsigned(date.day()),
                                   int(clock.hours().count()), int(clock.minutes().count()),
                                   int(clock.seconds().count()), int(clock.subseconds().count()));
    return {text.data(), static_cast<std::size_t>(size)};
}

Explanation summed_up(Explanation explanation) {
    if (!explanation.reasons.empty()) explanation.summary = explanation.reasons.front().message;
    return explanation;
}

}  // namespace millrace
