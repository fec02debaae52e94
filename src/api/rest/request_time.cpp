#include "api/rest/request_time.hpp"

#include <chrono>

#include "core/expression/time_value.hpp"

namespace millrace::rest {

std::optional<Instant> request_time(std::string_view text) {
    constexpr std::size_t kDateBytes = 10;
    constexpr std::size_t kWithoutOffsetBytes = 19;
    const Result<expression::Time> time = expression::parse_time(text);
    const bool is_whole = text.size() > kWithoutOffsetBytes && text[kDateBytes] == 'T';
    if (!time || !is_whole) return std::nullopt;
    return std::chrono::floor<Duration>(time->at);
}

std::optional<Instant> time_field(BodyReader& body, std::string_view name) {
    const std::string text = body.text(name);
    if (text.empty()) return std::nullopt;
    const std::optional<Instant> time = request_time(text);
    if (!time) {
        body.refuse(name, std::string(name) + " must be a time such as 2027-01-31T12:00:00Z");
    }
    return time;
}

}  // namespace millrace::rest
