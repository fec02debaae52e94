#include "api/http/trace_parent.hpp"

#include <algorithm>

namespace millrace::http {

namespace {

constexpr std::size_t kBytes = 55;  // Of version 00, and at least of any other.

bool is_hex(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) {
    return text.find_first_not_of('0') == std::string_view::npos;
}

}  // namespace

std::optional<std::string_view> trace_id_of(std::string_view trace_parent) {
    if (trace_parent.size() < kBytes) return std::nullopt;
    const std::string_view version = trace_parent.substr(0, 2);
    const std::string_view trace_id = trace_parent.substr(3, 32);
    const std::string_view parent_id = trace_parent.substr(36, 16);
    const std::string_view flags = trace_parent.substr(53, 2);

    const bool are_parts_apart =
        trace_parent[2] == '-' && trace_parent[35] == '-' && trace_parent[52] == '-';
    const bool is_longer = trace_parent.size() > kBytes;
    if (!are_parts_apart || (is_longer && (version == "00" || trace_parent[kBytes] != '-'))) {
        return std::nullopt;
    }
    const bool are_parts_hex =
        is_hex(version) && is_hex(trace_id) && is_hex(parent_id) && is_hex(flags);
    if (!are_parts_hex || version == "ff" || is_zero(trace_id) || is_zero(parent_id)) {
        return std::nullopt;
    }
    return trace_id;
}

}  // namespace millrace::http
