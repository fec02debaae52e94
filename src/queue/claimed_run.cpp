#include "queue/claimed_run.hpp"

#include "queue/execution_rules.hpp"

namespace millrace {

namespace {

DefinitionKey definition_key(const Execution& execution) {
    return {execution.key.workspace_id, execution.definition.id, execution.definition.version};
}

}  // namespace

Footprint missing_for_run(const WorkingSet& rows, const Execution& execution) {
    const DefinitionKey key = definition_key(execution);
    if (rows.has_asked(key)) return {};
    return {.definitions = {key}};
}

ClaimedRun run_of(const WorkingSet& rows, const Execution& execution, const DispatchRules& rules) {
    ClaimedRun run;
    const DefinitionRow* row = rows.find(definition_key(execution));
    // One of the same name and version that came later is another one.
    if (row != nullptr && row->ref == execution.definition) run.definition = row->definition;
    run.rules =
        rules_for(rules, rows.find_workspace(execution.key.workspace_id), run.definition.get());
    return run;
}

}  // namespace millrace
