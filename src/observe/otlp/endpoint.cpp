#include "observe/otlp/endpoint.hpp"

#include <algorithm>
#include <charconv>

namespace millrace::observe::otlp {

namespace {

constexpr std::string_view kPath = "/v1/traces";

Error not_a_url(std::string_view what) {
    return {ErrorCode::invalid_argument,
            "tracing.endpoint: expected http://HOST:PORT or https://HOST:PORT, but " +
                std::string(what) + "."};
}

bool is_port(std::string_view text) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= 1 &&
           number <= 65535;
}

std::string target_of(std::string_view path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    return std::string(path) + (path.ends_with(kPath) ? "" : std::string(kPath));
}

bool is_plain(char c) {
    return c > ' ' && c < '\x7f';
}

// Of RFC 9110: what a field may be called.
bool is_field_letter(char c) {
    constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kOthers.find(c) != std::string_view::npos;
}

bool is_field_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_field_letter);
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Whatever is no escape stays as it is.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        const char* digits = text.data() + i + 1;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            out += static_cast<char>(byte);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace

Result<Endpoint> parse_endpoint(std::string_view url) {
    Endpoint endpoint;
    endpoint.is_https = url.starts_with("https://");
    if (!endpoint.is_https && !url.starts_with("http://"))
        return not_a_url("it has no such scheme");
    if (!std::ranges::all_of(url, is_plain)) return not_a_url("it has other than plain letters");
    if (url.find_first_of("?#") != std::string_view::npos) return not_a_url("it has a query");
    url.remove_prefix(endpoint.is_https ? 8 : 7);

    const std::size_t slash = std::min(url.find('/'), url.size());
    endpoint.target = target_of(url.substr(slash));
    std::string_view authority = url.substr(0, slash);
    if (authority.find('@') != std::string_view::npos) {
        return not_a_url("it has a user: credentials go to tracing.headers");
    }
    const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
    if (bracket == std::string_view::npos) return not_a_url("a bracket is open");
    const std::size_t colon = authority.find(':', bracket);
    endpoint.port = colon == std::string_view::npos ? (endpoint.is_https ? "443" : "80")
                                                    : std::string(authority.substr(colon + 1));
    endpoint.host = bracket > 0 ? authority.substr(1, bracket - 1) : authority.substr(0, colon);
    if (endpoint.host.empty()) return not_a_url("it has no host");
    if (!is_port(endpoint.port)) return not_a_url("its port is no number from 1 to 65535");
    return endpoint;
}

Result<Headers> parse_headers(std::string_view list) {
    Headers headers;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::string_view item = trimmed(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
        if (item.empty()) continue;
        const std::size_t equals = item.find('=');
        const std::string_view name = trimmed(item.substr(0, equals));
        const std::string value = equals == std::string_view::npos
                                      ? std::string()
                                      : unescaped(trimmed(item.substr(equals + 1)));
        const bool is_value = std::ranges::all_of(
            value, [](char c) { return c == '\t' || (c >= ' ' && c != '\x7f') || c < 0; });
        if (equals == std::string_view::npos || !is_field_name(name) || !is_value) {
            return Error{ErrorCode::invalid_argument,
                         "tracing.headers: expected name=value, with commas between several, but "
                         "item " +
                             std::to_string(headers.size() + 1) + " is none."};
        }
        headers.emplace_back(name, value);
    }
    return headers;
}

}  // namespace millrace::observe::otlp
