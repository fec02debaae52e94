#include "core/explain/explain_execution.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/time_text.hpp"
#include "core/queue/target_name.hpp"
#include "core/queue/transitions.hpp"

namespace millrace {

namespace {

json::Array ids_of(const std::vector<Execution>& executions) {
    json::Array ids;
    for (const Execution& each : executions) ids.emplace_back(to_string(each.key.id.value));
    return ids;
}

void add_time(Reason& reason, const char* name, const std::optional<Instant>& at) {
    if (at) reason.evidence.emplace_back(name, time_text(*at));
}

// What stands in the way of an execution that waits, one function for each; empty: nothing.
using Found = std::optional<Reason>;

Found engine_disabled(const ExecutionFacts& facts, Instant) {
    if (facts.process.is_engine_enabled) return std::nullopt;
    return Reason{.code = "ENGINE_DISABLED",
                  .message =
                      "This server accepts executions and lets none in: engine.enabled is "
                      "false.",
                  .advice = "Set engine.enabled on at least one server."};
}

Found workspace_gone(const ExecutionFacts& facts, Instant) {
    if (facts.workspace) return std::nullopt;
    const std::string& id = facts.execution.key.workspace_id.value;
    return Reason{.code = "WORKSPACE_GONE",
                  .message = "Its workspace " + quoted(id) + " is gone: it is about to fail.",
                  .evidence = {{"workspaceId", id}}};
}

Found definition_gone(const ExecutionFacts& facts, Instant) {
    if (facts.has_definition) return std::nullopt;
    const DefinitionRef& ref = facts.execution.definition;
    return Reason{.code = "DEFINITION_GONE",
                  .message = "Version " + std::to_string(ref.version) + " of its definition " +
                             quoted(ref.id) + " is gone: it fails when its turn comes.",
                  .evidence = {{"definitionId", ref.id}, {"definitionVersion", ref.version}},
                  .advice = "Upload the definition and enqueue anew."};
}

Found deadline_passed(const ExecutionFacts& facts, Instant now) {
    const std::optional<Instant>& deadline = facts.execution.deadline;
    if (!deadline || *deadline > now) return std::nullopt;
    Reason reason{.code = "DEADLINE_PASSED",
                  .message = "Its deadline has passed: it is about to fail."};
    add_time(reason, "deadline", deadline);
    tell_if_overdue(reason,
                    "Its deadline has passed: it could not be ended, and that is tried again.",
                    *deadline, now);
    return reason;
}

Found delayed(const ExecutionFacts& facts, Instant now) {
    const Execution& execution = facts.execution;
    if (execution.place != QueuePlace::due || !execution.due_at) return std::nullopt;
    const bool is_first = execution.attempt_count == 0 && execution.deferrals == 0;
    Reason reason{
        .evidence = {{"attemptCount", execution.attempt_count}, {"deferrals", execution.deferrals}},
        .until = execution.due_at};
    if (!execution.last_error.empty()) {
        reason.evidence.emplace_back("lastError", execution.last_error);
    }
    if (is_first) {
        reason.code = "NOT_BEFORE";
        reason.message = "It was asked to start later.";
    } else if (execution.error_reason.empty()) {
        reason.code = "DEFERRED";
        reason.message = "Its executor was not there; that costs no attempt. It is tried again.";
        reason.advice = "See whether the target answers.";
    } else {
        reason.code = "BACKING_OFF";
        reason.message = "Its executor has refused the start; it is tried again.";
        reason.evidence.emplace_back("reason", execution.error_reason);
    }
    if (*execution.due_at <= now) reason.message += " That time has come.";
    tell_if_overdue(reason,
                    reason.message + " It could not be put in line, and that is tried again.",
                    *execution.due_at, now);
    return reason;
}

Found paused(const ExecutionFacts& facts, Instant) {
    if (!facts.workspace || !facts.workspace->is_paused) return std::nullopt;
    return Reason{.code = "WORKSPACE_PAUSED",
                  .message = "The workspace is paused: it lets nothing in.",
                  .evidence = {{"workspaceId", facts.workspace->id.value}},
                  .advice = "Set paused to false."};
}

Found full(const ExecutionFacts& facts, Instant) {
    if (!facts.workspace || facts.workspace->is_paused || !facts.limits.max_active) {
        return std::nullopt;
    }
    const std::int32_t limit = *facts.limits.max_active;
    if (facts.active < limit) return std::nullopt;
    if (limit == 0) {
        return Reason{.code = "LIMIT_ZERO",
                      .message = "The limit of the workspace is 0: it lets nothing in.",
                      .evidence = {{"plan", facts.workspace->plan}},
                      .advice = "Raise maxActive."};
    }
    return Reason{.code = "WORKSPACE_FULL",
                  .message = "All " + std::to_string(limit) +
                             " slots of the workspace are taken by other executions.",
                  .evidence = {{"active", facts.active},
                               {"limit", limit},
                               {"plan", facts.workspace->plan},
                               {"heldBy", ids_of(facts.holders)}},
                  .advice = "Wait until one of them ends, or raise the limit."};
}

Found rate(const ExecutionFacts& facts, Instant now) {
    if (!facts.workspace || !facts.limits.rate_per_second) return std::nullopt;
    const LineQuota quota = quota_of(facts.limits, facts.line, facts.active, AdmissionRound{}, now);
    if (!quota.rate_until) return std::nullopt;
    return Reason{.code = "RATE_LIMITED",
                  .message = "The workspace has used up its rate.",
                  .evidence = {{"ratePerSecond", *facts.limits.rate_per_second}},
                  .until = quota.rate_until};
}

Found key_full(const ExecutionFacts& facts, Instant) {
    const std::string& key = facts.execution.concurrency_key;
    if (key.empty()) return std::nullopt;
    const auto held = static_cast<std::int64_t>(facts.key_holders.size());
    if (held < facts.limits.max_per_key) return std::nullopt;
    return Reason{.code = "KEY_FULL",
                  .message = "Others with the concurrency key " + quoted(key) + " run: at most " +
                             std::to_string(facts.limits.max_per_key) + " at once.",
                  .evidence = {{"concurrencyKey", key}, {"heldBy", ids_of(facts.key_holders)}}};
}

Found target_unknown(const ExecutionFacts& facts, Instant) {
    const Execution& execution = facts.execution;
    if (execution.executor == ExecutorKind::native ||
        facts.process.targets.known.contains(target_name(execution.target))) {
        return std::nullopt;
    }
    return Reason{.code = "TARGET_UNKNOWN",
                  .message = "This server knows no target " +
                             quoted(target_name(execution.target)) +
                             ": the start fails when its turn comes.",
                  .evidence = {{"target", target_name(execution.target)}},
                  .advice = "Add the target to the configuration."};
}

Found target_unreachable(const ExecutionFacts& facts, Instant) {
    if (facts.execution.executor == ExecutorKind::native) return std::nullopt;
    const std::string target = target_name(facts.execution.target);
    const auto found = facts.process.targets.unreachable.find(target);
    if (found == facts.process.targets.unreachable.end()) return std::nullopt;
    Reason reason{.code = "TARGET_UNREACHABLE",
                  .message = "The target " + quoted(target) +
                             " does not answer; nothing is sent there for now.",
                  .evidence = {{"target", target}},
                  .until = found->second.tries_at,
                  .advice = "See whether the cluster runs and can be reached."};
    add_time(reason, "since", found->second.since);
    return reason;
}

Found target_busy(const ExecutionFacts& facts, Instant) {
    if (facts.execution.executor == ExecutorKind::native) return std::nullopt;
    const std::string target = target_name(facts.execution.target);
    if (!facts.process.targets.busy.contains(target)) return std::nullopt;
    return Reason{
        .code = "TARGET_BUSY",
        .message = "Starts for the target " + quoted(target) + " come faster than it takes them.",
        .evidence = {{"target", target}}};
}

Found behind_others(const ExecutionFacts& facts, Instant) {
    if (facts.execution.place != QueuePlace::ready || facts.before == 0) return std::nullopt;
    return Reason{
        .code = "BEHIND_OTHERS",
        .message = (facts.is_before_capped ? "More than " : "") + std::to_string(facts.before) +
                   " executions of the workspace stand before it in line.",
        .evidence = {{"position", facts.before + 1}, {"isCapped", facts.is_before_capped}}};
}

std::vector<Reason> why_pending(const ExecutionFacts& facts, Instant now) {
    std::vector<Reason> reasons;
    for (const auto look :
         {engine_disabled, workspace_gone, definition_gone, deadline_passed, delayed, paused, full,
          rate, key_full, target_unknown, target_unreachable, target_busy, behind_others}) {
        if (Found reason = look(facts, now)) reasons.push_back(std::move(*reason));
    }
    if (reasons.empty()) {
        reasons.push_back({.code = "ABOUT_TO_START",
                           .message = "Nothing stands in its way: it starts within a round."});
    }
    return reasons;
}

Reason why_claimed(const ExecutionFacts& facts, Instant now) {
    const Execution& execution = facts.execution;
    const bool is_over = execution.due_at && *execution.due_at <= now;
    Reason reason{.evidence = {{"recoveries", execution.recoveries}}};
    add_time(reason, "claimedAt", execution.claimed_at);
    if (!execution.claim.owner.empty() && !is_over) {
        reason.code = "STARTING";
        reason.message = "A server is starting it, under a lease.";
        reason.evidence.emplace_back("owner", execution.claim.owner);
        reason.until = execution.due_at;
    } else if (is_over) {
        reason.code = "LEASE_OVER";
        reason.message = "The server that was starting it is lost; another takes over.";
        reason.evidence.emplace_back("owner", execution.claim.owner);
    } else {
        reason.code = "START_IN_DOUBT";
        reason.message = "Whether its start has happened is not known; the executor is asked.";
        reason.evidence.emplace_back("lastError", execution.last_error);
        reason.until = execution.due_at;
    }
    return reason;
}

Found cancelling(const ExecutionFacts& facts) {
    const Execution& execution = facts.execution;
    if (!execution.cancel_requested_at) return std::nullopt;
    Reason reason{.code = "CANCEL_REQUESTED",
                  .message = execution.is_forced ? "It is being ended by force."
                                                 : "It was asked to stop and has not answered.",
                  .advice = execution.is_forced ? "" : "Cancel it with force to end it at once."};
    add_time(reason, "cancelRequestedAt", execution.cancel_requested_at);
    return reason;
}

Reason running_elsewhere(const ExecutionFacts& facts) {
    const Execution& execution = facts.execution;
    Reason reason{.code = "RUNNING_ELSEWHERE",
                  .message = "It runs on the target " + quoted(target_name(execution.target)) + ".",
                  .evidence = {{"workflowId", workflow_id(execution.key)},
                               {"runId", execution.run_id},
                               {"target", target_name(execution.target)}}};
    add_time(reason, "dispatchedAt", execution.dispatched_at);
    add_time(reason, "nextLookAt", execution.due_at);
    return reason;
}

Reason why_over(const Execution& execution) {
    Reason reason{.code = std::string(to_string(execution.queue_status)),
                  .message = "It is over: " + std::string(to_string(execution.queue_status)) + "."};
    add_time(reason, "completedAt", execution.completed_at);
    if (execution.queue_status != QueueStatus::failed) return reason;
    reason.evidence.emplace_back("reason", execution.error_reason);
    reason.evidence.emplace_back("message", execution.error_message);
    if (execution.retried_by) {
        reason.message = "It has failed and was tried again as another execution.";
        reason.evidence.emplace_back("retriedBy", to_string(execution.retried_by->value));
    } else if (execution.dismissed_at) {
        reason.message = "It has failed, and somebody has dismissed it.";
    } else {
        reason.message = "It has failed: " + execution.error_reason + ".";
        reason.advice = has_run(execution) ? "Retry it, or let it go on where it failed."
                                           : "Mend the cause, then redrive it.";
    }
    return reason;
}

}  // namespace

Explanation explain(const ExecutionFacts& facts, Instant now) {
    const Execution& execution = facts.execution;
    Explanation explanation{
        .subject = "execution",
        .id = to_string(execution.key.id.value),
        .status = std::string(to_string(execution.queue_status)),
        .is_over = !is_open(execution.queue_status),
    };
    std::vector<Reason>& reasons = explanation.reasons;
    if (Found reason = cancelling(facts); reason && !explanation.is_over) {
        reasons.push_back(std::move(*reason));
    }
    switch (execution.queue_status) {
        case QueueStatus::pending:
            for (Reason& each : why_pending(facts, now)) reasons.push_back(std::move(each));
            break;
        case QueueStatus::claimed: reasons.push_back(why_claimed(facts, now)); break;
        case QueueStatus::dispatched:
            if (execution.executor != ExecutorKind::native) {
                reasons.push_back(running_elsewhere(facts));
            } else if (facts.instance) {
                for (Reason& each : reasons_of(*facts.instance, now)) {
                    reasons.push_back(std::move(each));
                }
            }
            break;
        default: reasons.push_back(why_over(execution));
    }
    for (const Reason& reason : reasons) {
        if (!reason.until) continue;
        explanation.estimated_at =
            std::max(explanation.estimated_at.value_or(*reason.until), *reason.until);
    }
    return summed_up(std::move(explanation));
}

Explanation explain(const WorkspaceFacts& facts, Instant now) {
    // What would stand in the way of one more that is first in line.
    const ExecutionFacts first{
        .execution = {.key = {.workspace_id = facts.queue.id}},
        .workspace = facts.queue,
        .limits = facts.limits,
        .line = facts.line,
        .active = facts.active,
        .holders = facts.holders,
        .process = facts.process,
    };
    Explanation explanation{
        .subject = "workspace",
        .id = facts.queue.id.value,
        .status = facts.queue.is_paused ? "PAUSED" : "OPEN",
    };
    for (const auto look : {engine_disabled, paused, full, rate}) {
        if (Found reason = look(first, now)) explanation.reasons.push_back(std::move(*reason));
    }
    const auto note = [&explanation](std::int64_t count, const char* code, const char* what) {
        if (count == 0) return;
        explanation.reasons.push_back({.code = code,
                                       .message = std::to_string(count) + what,
                                       .evidence = {{"count", count}}});
    };
    note(facts.parked, "KEYS_FULL", " executions wait because their concurrency key is full.");
    note(facts.due, "DELAYED", " executions are delayed or wait for their next try.");
    if (explanation.reasons.empty()) {
        explanation.reasons.push_back(
            {.code = facts.ready == 0 ? "NOTHING_WAITS" : "WORKING",
             .message = facts.ready == 0
                            ? "Nothing waits in this workspace."
                            : std::to_string(facts.ready) + " executions are being let in.",
             .evidence = {{"ready", facts.ready}, {"active", facts.active}}});
    }
    return summed_up(std::move(explanation));
}

}  // namespace millrace
