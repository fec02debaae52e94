#include "core/access/api_key.hpp"

#include <algorithm>
#include <utility>

namespace millrace {

namespace {

constexpr std::array<std::pair<Role, std::string_view>, 4> kNames{{
    {Role::viewer, "viewer"},
    {Role::worker, "worker"},
    {Role::operator_, "operator"},
    {Role::admin, "admin"},
}};

}  // namespace

std::string_view to_string(Role role) {
    return std::ranges::find(kNames, role, &decltype(kNames)::value_type::first)->second;
}

std::optional<Role> parse_role(std::string_view text) {
    const auto found = std::ranges::find(kNames, text, &decltype(kNames)::value_type::second);
    if (found == kNames.end()) return std::nullopt;
    return found->first;
}

}  // namespace millrace
