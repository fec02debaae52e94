#include "engine/start_instance.hpp"

#include "engine/run_event.hpp"

namespace millrace {

namespace {

DefinitionKey definition_key(const StartInstance& command) {
    return {
        .workspace_id = command.key.workspace_id,
        .id = command.definition_id,
        .version = command.definition_version,
    };
}

}  // namespace

Footprint footprint(const StartInstance& command) {
    return {.definitions = {definition_key(command)}};
}

Result<Decision<Instance>> decide(const StartInstance& command, const WorkingSet& rows,
                                  Instant now) {
    const DefinitionRow* definition = rows.find(definition_key(command));
    if (definition == nullptr) {
        const std::string version = command.definition_version == 0
                                        ? ""
                                        : " version " + std::to_string(command.definition_version);
        return Error{ErrorCode::not_found,
                     "definition \"" + command.definition_id + "\"" + version + " not found"};
    }
    if (!definition->definition->is_native()) {
        return Error{ErrorCode::invalid_argument,
                     "definition \"" + command.definition_id + "\" runs on " +
                         std::string(to_string(definition->definition->executor.kind)) +
                         " and has no instances: enqueue an execution of it instead"};
    }
    Instance instance{
        .key = command.key,
        .definition = definition->ref,
        .business_key = command.business_key,
        .variables = command.variables,
        .started_at = now,
    };
    if (command.trace.is_present()) {
        instance.state.trace_parent = trace_parent_text(command.trace);
        instance.state.is_traced = command.trace.is_recorded;
    }
    return answer_with_instance(run_start(rows, *definition, std::move(instance), now));
}

AuditNote audit_note(const StartInstance& command, const Instance& started) {
    return {
        .kind = AuditKind::instance_started,
        .instance_id = command.key.id,
        .details = {{"definitionId", started.definition.id},
                    {"definitionVersion", started.definition.version}},
    };
}

}  // namespace millrace
