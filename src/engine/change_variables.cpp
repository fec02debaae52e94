#include "engine/change_variables.hpp"

#include <ranges>

#include "core/limits.hpp"
#include "engine/find_instance.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const ChangeVariables& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const ChangeVariables& command, const WorkingSet& rows,
                                  Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    const std::int64_t version = instance->state.variables_version;
    const VariablesChanged event{command.changes, command.removed, command.expected_version};
    Result<Ran> run = run_event(rows, std::move(*instance), event, now);
    const bool is_unchanged =
        run && run->missing.empty() && run->instance().state.variables_version == version;
    if (is_unchanged) return Decision<Instance>{.answer = run->instance()};
    return answer_with_instance(std::move(run));
}

AuditNote audit_note(const ChangeVariables& command, const Instance&) {
    json::Array removed;
    for (const std::string& name : command.removed | std::views::take(limits::kAuditNamesMax)) {
        removed.emplace_back(name);
    }
    json::Value named = removed.empty() ? json::Value{} : json::Value(std::move(removed));
    return {
        .kind = AuditKind::variables_changed,
        .instance_id = command.instance.id,
        .details = {{"variables", variable_names(command.changes)}, {"removed", std::move(named)}},
    };
}

}  // namespace millrace
