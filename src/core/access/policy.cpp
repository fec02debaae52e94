#include "core/access/policy.hpp"

#include <array>
#include <cstddef>

namespace millrace {

namespace {

constexpr std::size_t kRoles = 4;
constexpr std::size_t kAccesses = 6;

// Rows in the order of Role, columns in the order of Access.
constexpr std::array<std::array<bool, kAccesses>, kRoles> kRights{{
    // open, known, view, work, operate, administer
    {true, true, true, false, false, false},  // viewer
    {true, true, false, true, false, false},  // worker
    {true, true, true, true, true, false},    // operator
    {true, true, true, true, true, true},     // admin
}};

}  // namespace

bool may(Role role, Access access) {
    return kRights[static_cast<std::size_t>(role)][static_cast<std::size_t>(access)];
}

Error no_right(const Principal& principal) {
    const bool is_key = principal.credential == Credential::key;
    return {ErrorCode::permission_denied,
            std::string(is_key ? "A key" : "A certificate") + " of the role " +
                std::string(to_string(principal.role)) + " may not do this."};
}

}  // namespace millrace
