#include "api/grpc/call_head.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "api/http/url.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

constexpr std::string_view kHeadersTaken[] = {"authorization",   "millrace-workspace",
                                              "idempotency-key", "x-request-id",
                                              "traceparent",     "origin"};
// What HPACK counts for each field besides its text.
constexpr std::size_t kFieldBytes = 32;
constexpr std::size_t kTimeoutDigitsMax = 8;

}  // namespace

void CallHead::add(std::string_view name, std::string_view value) {
    bytes += name.size() + value.size() + kFieldBytes;
    if (bytes > limits::kHeaderBytesMax) return;  // Refused when all of it is here.
    if (name == ":method") {
        http_method = value;
    } else if (name == ":path") {
        path = value;
    } else if (name == ":authority") {
        headers.add("Host", http::percent_decoded(value).value_or(std::string(value)));
    } else if (name == "content-type") {
        content_type = value;
    } else if (name == "grpc-timeout") {
        timeout = parse_timeout(value);
    } else if (std::ranges::find(kHeadersTaken, name) != std::end(kHeadersTaken)) {
        headers.add(name, value);
    }
}

std::optional<Duration> parse_timeout(std::string_view text) {
    using namespace std::chrono;
    if (text.size() < 2 || text.size() > kTimeoutDigitsMax + 1) return std::nullopt;
    std::int64_t count = 0;
    const char* const last = text.data() + text.size() - 1;
    const auto [end, error] = std::from_chars(text.data(), last, count);
    if (error != std::errc{} || end != last || count < 0) return std::nullopt;
    switch (*last) {
        case 'H': return duration_cast<Duration>(hours(count));
        case 'M': return duration_cast<Duration>(minutes(count));
        case 'S': return duration_cast<Duration>(seconds(count));
        case 'm': return duration_cast<Duration>(milliseconds(count));
        case 'u': return duration_cast<Duration>(microseconds(count));
        case 'n': return duration_cast<Duration>(nanoseconds(count));
        default: return std::nullopt;
    }
}

}  // namespace millrace::rpc
