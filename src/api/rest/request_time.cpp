#include "api/rest/request_time.hpp"

#include <chrono>

#include "core/expression/time_value.hpp"

namespace millrace::rest {

std::optional<Instant> request_time(std::string_view text) {
    constexpr std::size_t kDateBytes = 10;
    constexpr std::size_t kWithoutOffsetBytes = 19;
    const std::optional<expression::Time> time = expression::parse_time(text);
    const bool is_whole = text.size() > kWithoutOffsetBytes && text[kDateBytes] == 'T';
    if (!time || !is_whole) return std::nullopt;
    return std::chrono::floor<Duration>(time->at);
}

}  // namespace millrace::rest
