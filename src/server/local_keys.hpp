#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/json/value.hpp"
#include "base/random.hpp"
#include "core/access/api_key.hpp"
#include "store/database.hpp"

namespace millrace {

struct NewKey {
    std::string name = "admin";
    Role role = Role::admin;
    std::optional<WorkspaceId> workspace_id{};  // Empty: for the whole cluster.
    std::optional<Instant> expires_at{};
};

// Makes a key in the store itself and returns its text, which nobody sees again: how the first one
// comes to be, since the REST API asks for one. Whoever may open the store may do this; the
// embedded store is only opened while no server has it.
Result<std::string> create_first_key(Database& database, const NewKey& wanted, const Clock& clock,
                                     Random& random);

// The same for the store of that name, sqlite:PATH or a PostgreSQL connection string, by the clock
// and the random numbers of this machine: with everything as text, as POST /v1/keys takes it, and
// with what that answers.
struct NewKeyText {
    std::string store{};
    std::string name{};
    std::string role{};
    std::optional<std::string> workspace{};   // Absent: for the whole cluster.
    std::optional<std::string> expires_at{};  // Absent: never.
    // An embedded store that is not there is made; otherwise the answer is not_found.
    bool may_make_store = false;
};

Result<json::Value> create_key_in_store(const NewKeyText& wanted);

// Whether there is a key that lets somebody in as admin of the whole cluster.
Result<bool> has_admin_key(Reader& reader, Instant now);

}  // namespace millrace
