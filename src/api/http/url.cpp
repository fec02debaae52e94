#include "api/http/url.hpp"

#include <algorithm>

namespace millrace::http {

namespace {

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// Cuts the text at the first separator: what stands before it is returned, `rest` begins behind it.
std::string_view cut(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view head = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return head;
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const int high = hex_value(text[i + 1]);
        const int low = hex_value(text[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto is_plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '.' || c == '_' || c == '~';
    };
    std::string encoded;
    for (const char c : text) {
        if (is_plain(c)) {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
        }
    }
    return encoded;
}

std::optional<std::string> query_value(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        std::string_view value = cut(query, '&');
        const std::string_view key = cut(value, '=');
        if (key != name && percent_decoded(key) != name) continue;
        std::string spaced(value);
        std::ranges::replace(spaced, '+', ' ');
        // What is not encoded as it should be stands for itself; dropping it would widen a search.
        return percent_decoded(spaced).value_or(spaced);
    }
    return std::nullopt;
}

std::vector<std::string> query_names(std::string_view query) {
    std::vector<std::string> names;
    while (!query.empty()) {
        std::string_view pair = cut(query, '&');
        if (pair.empty()) continue;
        const std::string_view name = cut(pair, '=');
        names.push_back(percent_decoded(name).value_or(std::string(name)));
    }
    return names;
}

std::optional<Target> split_target(std::string_view target) {
    std::string_view authority;
    if (!target.starts_with('/')) {
        const std::size_t scheme_end = target.find("://");
        if (scheme_end == std::string_view::npos) return std::nullopt;
        const std::size_t path_begin = target.find('/', scheme_end + 3);
        if (path_begin == std::string_view::npos) return std::nullopt;
        authority = target.substr(scheme_end + 3, path_begin - scheme_end - 3);
        target.remove_prefix(path_begin);
    }
    target = target.substr(0, target.find('#'));
    const std::string_view path = cut(target, '?');
    return Target{.path = path, .query = target, .authority = authority};
}

}  // namespace millrace::http
