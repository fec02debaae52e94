#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace {

// A tenant. What is absent comes from its plan.
struct Workspace {
    WorkspaceId id{};
    std::string name{};
    std::string plan{};
    std::optional<std::int32_t> max_active{};  // Executions with a slot at once; 0: none is let in.
    std::optional<std::int32_t> max_per_key{};   // The same for each concurrency key.
    std::optional<double> rate_per_second{};     // Executions that are let in.
    std::optional<std::int32_t> max_attempts{};  // Starts that may fail, before the item does.
    std::int32_t weight = 1;                     // Its share, where several compete.
    bool is_paused = false;                      // Accepts items, lets none in.
    Instant created_at{};
    Instant changed_at{};

    friend bool operator==(const Workspace&, const Workspace&) = default;
};

// What a plan allows. Absent: no limit.
struct Plan {
    std::optional<std::int32_t> max_active{};
    std::optional<double> rate_per_second{};

    friend bool operator==(const Plan&, const Plan&) = default;
};

using Plans = std::map<std::string, Plan>;

// FREE 1, PRO 5, ENTERPRISE 20, UNLIMITED.
const Plans& default_plans();

// What holds for a workspace in the end.
struct WorkspaceLimits {
    std::optional<std::int32_t> max_active{};
    std::int32_t max_per_key = 1;
    std::optional<double> rate_per_second{};
    std::int32_t weight = 1;

    friend bool operator==(const WorkspaceLimits&, const WorkspaceLimits&) = default;
};

// A plan that the server does not know lets in nothing beyond one at a time: the least that any
// plan has.
WorkspaceLimits limits_of(const Workspace& workspace, const Plans& plans);

// Every store has this one from the beginning, without a limit.
inline constexpr const char* kDefaultWorkspace = "default";

}  // namespace millrace
