#include "api/http/origin.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "api/http/message.hpp"

namespace millrace::http {

namespace {

bool is_port(std::string_view text) {
    return text.size() <= 5 &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The name in `name:port` or `[address]:port`; empty when it is neither.
std::string_view name_in(std::string_view host) {
    if (host.starts_with('[')) {
        const std::size_t end = host.find(']');
        if (end == std::string_view::npos) return {};
        const std::string_view rest = host.substr(end + 1);
        const bool is_sound = rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
        return is_sound ? host.substr(0, end + 1) : std::string_view{};
    }
    const std::size_t colon = host.find(':');
    if (colon == std::string_view::npos) return host;
    return is_port(host.substr(colon + 1)) ? host.substr(0, colon) : std::string_view{};
}

// Four decimal numbers, the first of them 127: a name such as 127.0.0.1.example.com is not one.
bool is_loopback_address(std::string_view name) {
    int parts = 0;
    while (parts < 4) {
        unsigned number = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error != std::errc{} || number > 255 || (parts == 0 && number != 127)) return false;
        name.remove_prefix(static_cast<std::size_t>(end - name.data()));
        ++parts;
        if (parts < 4) {
            if (!name.starts_with('.')) return false;
            name.remove_prefix(1);
        }
    }
    return name.empty();
}

std::optional<std::string_view> host_of(std::string_view origin) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (origin.starts_with(scheme)) return origin.substr(scheme.size());
    }
    return std::nullopt;
}

}  // namespace

bool is_loopback_host(std::string_view host) {
    const std::string_view name = name_in(host);
    return equal_ignoring_case(name, "localhost") || name == "[::1]" || is_loopback_address(name);
}

bool is_loopback_origin(std::string_view origin) {
    const auto host = host_of(origin);
    return host && is_loopback_host(*host);
}

bool is_same_origin(std::string_view origin, std::string_view host) {
    const auto own = host_of(origin);
    return own && !host.empty() && equal_ignoring_case(*own, host);
}

}  // namespace millrace::http
