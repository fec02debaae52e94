#include "retry_after.hpp"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace millrace::client {
namespace {

// A server that asks for more is asked again after this.
constexpr Duration kRetryAfterMax = std::chrono::minutes(10);

std::optional<std::int64_t> seconds_of_date(std::string_view text) {
    tm parts{};
    const std::string copy(text);
    if (::strptime(copy.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts) == nullptr) {
        return std::nullopt;
    }
    return std::int64_t{::timegm(&parts)};
}

Duration bounded_wait(std::int64_t seconds) {
    const std::int64_t max =
        std::chrono::duration_cast<std::chrono::seconds>(kRetryAfterMax).count();
    return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, max));
}

}  // namespace

std::optional<Duration> retry_after(std::string_view value, std::string_view date) {
    std::int64_t seconds = 0;
    const char* end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, seconds);
    if (!value.empty() && read.ec == std::errc() && read.ptr == end) return bounded_wait(seconds);
    const auto until = seconds_of_date(value);
    if (!until) return std::nullopt;
    return bounded_wait(*until - seconds_of_date(date).value_or(std::int64_t{::time(nullptr)}));
}

}  // namespace millrace::client
