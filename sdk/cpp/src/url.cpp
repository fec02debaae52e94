#include "url.hpp"

#include <algorithm>
#include <charconv>

namespace millrace::client {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr std::string_view kTlsScheme = "https://";
constexpr int kPortMax = 65535;

Error invalid_url(std::string_view text, std::string_view reason) {
    return {.code = "invalid-url",
            .message = "Expected a server address like http://127.0.0.1:8080, but '" +
                       std::string(text) + "' " + std::string(reason) + "."};
}

bool is_port(std::string_view text) {
    int port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc{} && end == text.data() + text.size() && port > 0 && port <= kPortMax;
}

bool is_unreserved(char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
}

bool is_printable(char c) {
    return c > ' ' && c < '\x7f';
}

// Splits HOST[:PORT]; a host in brackets may contain colons.
Url split_authority(std::string_view text, bool is_tls) {
    const std::size_t bracket = text.starts_with('[') ? text.find(']') : std::string_view::npos;
    const bool has_brackets = bracket != std::string_view::npos;
    const std::string_view host =
        has_brackets ? text.substr(1, bracket - 1) : text.substr(0, text.find(':'));
    const std::string_view rest = text.substr(has_brackets ? bracket + 1 : host.size());
    return {.host = std::string(host),
            .port = rest.empty() ? (is_tls ? "443" : "80") : std::string(rest.substr(1)),
            .prefix = {},
            .is_tls = is_tls};
}

}  // namespace

Result<Url> parse_url(std::string_view text) {
    const bool is_tls = text.starts_with(kTlsScheme);
    if (!is_tls && !text.starts_with(kScheme)) {
        return invalid_url(text, "begins with neither http:// nor https://");
    }
    if (!std::ranges::all_of(text, is_printable)) return invalid_url(text, "contains white space");
    const std::string_view address = text.substr((is_tls ? kTlsScheme : kScheme).size());
    const std::size_t slash = std::min(address.find('/'), address.size());

    Url url = split_authority(address.substr(0, slash), is_tls);
    if (url.host.empty()) return invalid_url(text, "names no host");
    if (!is_port(url.port)) return invalid_url(text, "has no port between 1 and 65535");
    url.prefix = address.substr(slash);
    if (url.prefix.find_first_of("?#") != std::string::npos) {
        return invalid_url(text, "has more than a path behind the host");
    }
    while (url.prefix.ends_with('/')) url.prefix.pop_back();
    return url;
}

std::string authority(const Url& url) {
    const bool is_ipv6 = url.host.find(':') != std::string::npos;
    return (is_ipv6 ? "[" + url.host + "]" : url.host) + ":" + url.port;
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (is_unreserved(c)) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += kDigits[byte >> 4];
            out += kDigits[byte & 15];
        }
    }
    return out;
}

}  // namespace millrace::client
