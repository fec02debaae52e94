#include "queue/workspace_settings.hpp"

#include <vector>

#include "core/limits.hpp"

namespace millrace {

namespace {

class Problems {
public:
    void add(std::string field, const std::string& message) {
        std::string text = field + " " + message;
        found_.push_back({std::move(field), std::move(text)});
    }

    template <class Value>
    void check(const std::string& field, const std::optional<Value>& value, Value min, Value max,
               const std::string& message) {
        // Written so that no number at all is wrong too.
        if (value && !(*value >= min && *value <= max)) add(field, message);
    }

    Status status() && {
        if (found_.empty()) return ok();
        std::string first = found_.front().message;
        return Error{ErrorCode::invalid_argument, std::move(first), std::move(found_)};
    }

private:
    std::vector<ErrorDetail> found_;
};

std::string between(std::int32_t min, std::int32_t max) {
    return "must be " + std::to_string(min) + " to " + std::to_string(max);
}

std::string names_of(const Plans& plans) {
    std::string names;
    for (const auto& [name, plan] : plans) names += (names.empty() ? "" : ", ") + name;
    return names;
}

template <class Value>
void set(Value& value, const std::optional<Value>& change) {
    if (change) value = *change;
}

}  // namespace

Workspace changed(Workspace workspace, const WorkspaceChanges& changes) {
    set(workspace.name, changes.name);
    set(workspace.plan, changes.plan);
    set(workspace.max_active, changes.max_active);
    set(workspace.max_per_key, changes.max_per_key);
    set(workspace.rate_per_second, changes.rate_per_second);
    set(workspace.max_attempts, changes.max_attempts);
    set(workspace.weight, changes.weight);
    set(workspace.is_paused, changes.is_paused);
    return workspace;
}

Status check_settings(const Workspace& workspace, const Plans* plans) {
    using namespace limits;
    Problems problems;
    if (workspace.name.size() > kNameBytesMax) {
        problems.add("name", "must have at most " + std::to_string(kNameBytesMax) + " bytes");
    }
    if (plans != nullptr && !plans->contains(workspace.plan)) {
        problems.add("plan", "must be one of " + names_of(*plans));
    }
    problems.check("maxActive", workspace.max_active, 0, kWorkspaceActiveMax,
                   between(0, kWorkspaceActiveMax));
    problems.check("maxPerKey", workspace.max_per_key, 1, kWorkspaceActiveMax,
                   between(1, kWorkspaceActiveMax));
    problems.check("ratePerSecond", workspace.rate_per_second, kWorkspaceRateMin, kWorkspaceRateMax,
                   "must be at least one a day and at most a million");
    problems.check("maxAttempts", workspace.max_attempts, 1, kExecutionAttemptsMax,
                   between(1, kExecutionAttemptsMax));
    problems.check("weight", std::optional(workspace.weight), 1, kWorkspaceWeightMax,
                   between(1, kWorkspaceWeightMax));
    return std::move(problems).status();
}

IdempotencyKey lock_of(const WorkspaceId& id) {
    return {.workspace_id = id, .operation = "workspace", .key = id.value};
}

}  // namespace millrace
