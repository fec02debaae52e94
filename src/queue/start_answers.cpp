#include "queue/start_answers.hpp"

#include "core/queue/transitions.hpp"

namespace millrace::start_answers {

StartAnswer target_not_found(const std::string& target, bool may_have_happened) {
    return {.outcome = may_have_happened ? StartOutcome::unknown : StartOutcome::refused,
            .code = "NOT_FOUND",
            .reason = std::string(failure::kTargetNotFound),
            .message = target.empty()
                           ? "The servers' settings have no cluster: set --temporal-address."
                           : "The servers' settings have no target \"" + target + "\"."};
}

StartAnswer definition_not_found(bool may_have_happened) {
    return {.outcome = may_have_happened ? StartOutcome::unknown : StartOutcome::refused,
            .code = "NOT_FOUND",
            .reason = std::string(failure::kDefinitionNotFound),
            .message = "Its definition is gone, or this server cannot read it."};
}

StartAnswer target_away(const std::string& target) {
    return {.outcome = StartOutcome::unreachable,
            .code = "UNAVAILABLE",
            .message = "The target \"" + target + "\" is not reachable."};
}

StartAnswer stopping() {
    return {.outcome = StartOutcome::unreachable,
            .code = "CANCELLED",
            .message = "The server that was to start it was stopped."};
}

StartAnswer found(const RunReport& report) {
    if (report.is_ours) return {.outcome = StartOutcome::started, .run_id = report.run_id};
    return {.outcome = StartOutcome::conflict,
            .code = "ALREADY_EXISTS",
            .reason = std::string(failure::kWorkflowIdConflict),
            .message = "A run of somebody else has its workflow id."};
}

StartAnswer run_not_told(const CallFailure& failure) {
    return {.outcome = failure.is_unreachable ? StartOutcome::unreachable : StartOutcome::unknown,
            .code = failure.code,
            .message = "It is not known whether it has started: " + failure.message};
}

StartAnswer forgotten() {
    return {.outcome = StartOutcome::unknown,
            .code = "NOT_FOUND",
            .reason = std::string(failure::kStartUnknown),
            .message =
                "Its first start was so long ago that the executor would have forgotten "
                "a run that is over."};
}

StartAnswer not_wanted() {
    return {.outcome = StartOutcome::refused,
            .code = "CANCELLED",
            .message = "It was cancelled before it had started."};
}

}  // namespace millrace::start_answers
