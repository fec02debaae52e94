#include "core/access/workspace_name.hpp"

#include <algorithm>

namespace millrace {

namespace {

constexpr std::size_t kWorkspaceBytesMax = 63;

bool is_lower_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

bool is_workspace(std::string_view text) {
    return !text.empty() && text.size() <= kWorkspaceBytesMax && text.front() != '-' &&
           std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

}  // namespace millrace
