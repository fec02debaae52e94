#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace millrace::observe::otlp {

// Where a collector takes traces.
struct Endpoint {
    bool is_https = false;
    std::string host{};  // An IPv6 address without its brackets.
    std::string port{};
    std::string target{};  // The path, with /v1/traces at its end.

    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// Of a URL: http or https, without user, query and fragment. /v1/traces may be left out, as it is
// in OTEL_EXPORTER_OTLP_ENDPOINT. invalid_argument says what is wrong.
Result<Endpoint> parse_endpoint(std::string_view url);

using Headers = std::vector<std::pair<std::string, std::string>>;

// Of `name=value,name=value`, with %-escapes in values as OTEL_EXPORTER_OTLP_HEADERS has them.
// invalid_argument says what is wrong, without any value: they are secret.
Result<Headers> parse_headers(std::string_view list);

}  // namespace millrace::observe::otlp
