#include "queue/execution_rules.hpp"

namespace millrace {

const ExecutorSpec& executor_of(const Definition& definition) {
    return definition.executor;
}

DispatchRules rules_for(DispatchRules rules, const Workspace* workspace,
                        const Definition* definition) {
    if (workspace != nullptr && workspace->max_attempts) {
        rules.max_attempts = *workspace->max_attempts;
    }
    if (definition != nullptr && definition->max_attempts) {
        rules.max_attempts = *definition->max_attempts;
    }
    return rules;
}

}  // namespace millrace
