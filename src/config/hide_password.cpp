#include "config/hide_password.hpp"

#include <algorithm>

namespace millrace {

namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kSpace = " \t\r\n";

bool is_password(std::string_view name) {
    return name == "password" || name == "sslpassword";
}

std::string hide_in_parameters(std::string_view query) {
    std::string out;
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const bool is_hidden = is_password(pair.substr(0, equals)) && equals < pair.size();
        out += is_hidden ? std::string(pair.substr(0, equals + 1)) + std::string(kHidden)
                         : std::string(pair);
        query.remove_prefix(pair.size());
        if (query.empty()) break;
        out += '&';
        query.remove_prefix(1);
    }
    return out;
}

std::string hide_in_url(std::string_view url) {
    const std::size_t begin = url.find("://") + 3;
    const std::size_t question = std::min(url.find('?'), url.size());
    const std::size_t at = url.substr(0, question).rfind('@');
    const std::size_t colon = url.find(':', begin);
    std::string out;
    if (at != std::string_view::npos && colon < at) {
        out += url.substr(0, colon + 1);
        out += kHidden;
        out += url.substr(at, question - at);
    } else {
        out += url.substr(0, question);
    }
    if (question < url.size()) out += '?' + hide_in_parameters(url.substr(question + 1));
    return out;
}

// Where the value that begins at `begin` ends: at a space, or behind the closing quote.
std::size_t end_of_value(std::string_view text, std::size_t begin) {
    const bool is_quoted = begin < text.size() && text[begin] == '\'';
    for (std::size_t i = begin + (is_quoted ? 1 : 0); i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (is_quoted && text[i] == '\'') {
            return i + 1;
        } else if (!is_quoted && kSpace.find(text[i]) != std::string_view::npos) {
            return i;
        }
    }
    return text.size();
}

std::string hide_in_keywords(std::string_view text) {
    std::string out;
    std::size_t position = 0;
    while (position < text.size()) {
        const std::size_t equals = text.find('=', position);
        if (equals == std::string_view::npos) break;
        std::string_view name = text.substr(position, equals - position);
        name.remove_prefix(std::min(name.find_first_not_of(kSpace), name.size()));
        name = name.substr(0, name.find_last_not_of(kSpace) + 1);
        const std::size_t value = std::min(text.find_first_not_of(kSpace, equals + 1), text.size());
        const std::size_t end = end_of_value(text, value);
        out += text.substr(position, value - position);
        out += is_password(name) ? kHidden : text.substr(value, end - value);
        position = end;
    }
    return out + std::string(text.substr(std::min(position, text.size())));
}

}  // namespace

std::string hide_password(std::string_view connection) {
    if (connection.starts_with("sqlite:")) return std::string(connection);
    if (connection.find("://") != std::string_view::npos &&
        connection.find("://") < connection.find('=')) {
        return hide_in_url(connection);
    }
    return hide_in_keywords(connection);
}

std::string hide_header_values(std::string_view list) {
    std::string out;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::size_t equals = list.find('=');
        if (equals < comma) {
            out += list.substr(0, equals);
            out += "=***";
        } else {
            out += "***";
        }
        if (comma < list.size()) out += ',';
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return out;
}

std::string hide_all(std::string_view secret) {
    return secret.empty() ? "" : std::string(kHidden);
}

}  // namespace millrace
