#include "store/postgres/connect_failure.hpp"

#include <algorithm>

namespace millrace::postgres {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kHidden = "***";

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::string in_one_line(std::string_view message) {
    std::string line;
    while (!message.empty()) {
        const std::size_t end = std::min(message.find('\n'), message.size());
        const std::string_view part = trimmed(message.substr(0, end));
        if (!part.empty()) line += (line.empty() ? "" : "; ") + std::string(part);
        message.remove_prefix(std::min(end + 1, message.size()));
    }
    return line;
}

}  // namespace

std::string connect_failure(std::string_view message, std::string_view password) {
    std::string line = in_one_line(message);
    if (password.empty()) return line;
    for (std::size_t at = 0; (at = line.find(password, at)) != std::string::npos;) {
        line.replace(at, password.size(), kHidden);
        at += kHidden.size();
    }
    return line;
}

std::string malformed_target(std::string_view message) {
    std::string_view before = trimmed(message.substr(0, message.find('"')));
    if (before.ends_with(':')) before.remove_suffix(1);
    const bool says_something = before.find(' ') != std::string_view::npos;
    std::string line = "the connection string is malformed";
    if (says_something) line += ": " + in_one_line(before);
    return line;
}

}  // namespace millrace::postgres
