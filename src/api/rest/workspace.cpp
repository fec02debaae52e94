#include "api/rest/workspace.hpp"

#include <algorithm>

namespace millrace::rest {

namespace {

constexpr std::size_t kWorkspaceBytesMax = 63;

bool is_lower_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_workspace(std::string_view text) {
    return !text.empty() && text.size() <= kWorkspaceBytesMax && text.front() != '-' &&
           std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

}  // namespace

Result<WorkspaceId> workspace_of(const http::HttpRequest& request) {
    const auto sent = request.headers.find("Millrace-Workspace");
    if (!sent) return WorkspaceId{"default"};
    if (is_workspace(*sent)) return WorkspaceId{std::string(*sent)};
    return Error{ErrorCode::invalid_argument,
                 "Expected a workspace of up to 63 lower-case letters, digits and hyphens in "
                 "Millrace-Workspace."};
}

}  // namespace millrace::rest
