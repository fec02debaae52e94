#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "core/queue/workspace.hpp"
#include "store/footprint.hpp"

namespace millrace {

// What is asked to be changed of a workspace. Absent: it stays. Present without a value: what its
// plan says holds again.
struct WorkspaceChanges {
    template <class Value>
    using Setting = std::optional<std::optional<Value>>;

    std::optional<std::string> name{};
    std::optional<std::string> plan{};
    Setting<std::int32_t> max_active{};
    Setting<std::int32_t> max_per_key{};
    Setting<double> rate_per_second{};
    Setting<std::int32_t> max_attempts{};
    std::optional<std::int32_t> weight{};
    std::optional<bool> is_paused{};
};

Workspace changed(Workspace workspace, const WorkspaceChanges& changes);

// invalid_argument with all that is wrong, by the names of the fields on the wire. `plans` are
// those that the server knows; null: its plan is not asked about.
Status check_settings(const Workspace& workspace, const Plans* plans);

// What a command locks that writes a workspace: rows of workspaces are only read, so that no
// enqueue waits for another, and changes of one must not overwrite each other.
IdempotencyKey lock_of(const WorkspaceId& id);

}  // namespace millrace
