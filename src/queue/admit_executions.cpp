#include "queue/admit_executions.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/limits.hpp"
#include "queue/execution_rules.hpp"
#include "queue/start_here.hpp"

namespace millrace {

namespace {

// Read of a line for its last slots too: the first ones may be late, or not startable now.
constexpr std::int32_t kReadMin = 16;

// One that resumes has its variables in its instance.
Status check_input(const WaitingExecution& waiting) {
    return waiting.execution.is_resuming ? ok() : waiting.input.check();
}

// One admission, line by line.
class Admission {
public:
    Admission(const AdmitExecutions& command, const WorkingSet& rows, Instant now)
        : command_(command),
          rows_(rows),
          now_(now),
          poisoned_(command.poisoned.begin(), command.poisoned.end()) {
        const AdmissionRows& found = rows.admission();
        round_.share = share_of_line(command.items_max, found.lines.size());
        round_.items_left = command.items_max;
        for (const auto& [target, until] : command.targets_closed) {
            if (until > now) round_.targets_closed.insert(target);
        }
        answer_.decided_at = now;
        answer_.still_asleep = found.still_asleep;
        answer_.lines_looked_at = found.lines_looked_at;
        answer_.keys_looked_at = found.keys_looked_at;
    }

    Decision<AdmittedExecutions> decide() {
        for (const Execution& orphan : rows_.admission().orphans) end_orphan(orphan.key);
        for (const ExecutionKey& key : rows_.admission().unreadable) {
            end_alone({.key = key}, failure::kInvalidInput, "Its row cannot be read");
        }
        for (const WorkspaceLine& line : rows_.admission().lines) {
            if (!answer_.virtual_time_min) answer_.virtual_time_min = line.state.virtual_time;
            admit_line(as_it_is_now(line));
        }
        // Those behind them had no chance yet. Where lines fell asleep, others come to the front.
        const bool is_cut =
            std::cmp_greater_equal(rows_.admission().lines.size(), command_.request.lines_max);
        const bool has_changed = has_moved_ || !answer_.fell_asleep.empty();
        answer_.has_more = answer_.has_more || (is_cut && has_changed);
        if (!missing_.empty()) return {.missing = std::move(missing_)};
        if (command_.on_tried) command_.on_tried(std::move(tried_));
        return {.effects = std::move(effects_), .answer = std::move(answer_)};
    }

private:
    void end_orphan(const ExecutionKey& key) {
        const Execution* orphan = rows_.find(key);
        if (orphan == nullptr || orphan->queue_status != QueueStatus::pending) return;
        fail(failed(*orphan, failure::kWorkspaceNotFound,
                    "There is no workspace \"" + key.workspace_id.value + "\" any more", now_));
    }

    // The lines were read when the batch began: commands before this one may have cancelled items
    // since, or let them in.
    WorkspaceLine as_it_is_now(const WorkspaceLine& loaded) const {
        WorkspaceLine line = loaded;
        if (const LineState* state = rows_.find_changed_line(line.workspace.id)) {
            line.state = *state;
        }
        std::erase_if(line.ready, [&](WaitingExecution& waiting) {
            const Execution* execution = rows_.find(waiting.execution.key);
            const bool is_waiting = execution != nullptr &&
                                    execution->queue_status == QueueStatus::pending &&
                                    execution->place != QueuePlace::due;
            if (is_waiting) {
                waiting.execution = *execution;
                waiting.execution.place = QueuePlace::ready;
                return false;
            }
            if (execution != nullptr && is_active(execution->queue_status)) line.active += 1;
            line.ready_count -= 1;
            return true;
        });
        return line;
    }

    void admit_line(const WorkspaceLine& line) {
        if (round_.items_left == 0) {
            answer_.has_more = true;
            return;
        }
        const WorkspaceLimits limits = limits_of(line.workspace, command_.plans);
        const LineDecision decision = admit(line, limits, round_, now_);
        for (const std::size_t place : decision.expired) {
            fail(failed(line.ready[place].execution, failure::kDeadlineExceeded,
                        "It was not started in time", now_));
        }
        for (const std::size_t place : decision.parked) park(line.ready[place].execution);
        for (const std::size_t place : decision.postponed) postpone(line.ready[place].execution);
        for (const std::size_t place : decision.taken) take(line, line.ready[place]);
        round_.items_left -= static_cast<std::int32_t>(decision.taken.size());
        note(line, limits, decision);
    }

    void note(const WorkspaceLine& line, const WorkspaceLimits& limits,
              const LineDecision& decision) {
        const WorkspaceId& id = line.workspace.id;
        if (decision.state != line.state) effects_.lines.push_back({id, decision.state});
        const std::size_t moved = decision.taken.size() + decision.parked.size() +
                                  decision.postponed.size() + decision.expired.size();
        has_moved_ = has_moved_ || moved > 0;
        const std::int64_t passed_over = line.ready_count - static_cast<std::int64_t>(moved);
        if (decision.state.is_runnable) {
            // Where nothing has moved, all is in others' hands: looking again at once is no use.
            answer_.has_more = answer_.has_more || moved > 0;
        } else {
            answer_.fell_asleep.push_back(id);
        }
        if (decision.has_more && decision.left.rate_until) {
            answer_.workspaces_at_rate.push_back({id, *decision.left.rate_until});
        }
        const bool is_at_capacity =
            decision.has_more && decision.left.is_full && !line.workspace.is_paused;
        if (!is_at_capacity) return;
        answer_.at_capacity += passed_over;
        answer_.workspaces_at_capacity.push_back(
            {id, line.active + std::ssize(decision.taken), *limits.max_active});
    }

    void park(const Execution& execution) {
        const ConcurrencyKey key{execution.key.workspace_id, execution.concurrency_key};
        if (parked_keys_.insert(key).second) answer_.parked_keys.push_back(key);
        answer_.parked += 1;
        effects_.executions.push_back(parked(execution));
    }

    void postpone(const Execution& execution) {
        answer_.postponed += 1;
        const Instant until = command_.targets_closed.at(execution.target);
        effects_.executions.push_back(postponed(execution, until));
    }

    void fail(Execution execution) {
        answer_.failed.push_back(execution);
        effects_.executions.push_back(std::move(execution));
    }

    // Writes nothing of its row but its end: the store has refused to take it back, or nobody
    // knows what is in it.
    void end_alone(Execution execution, std::string_view reason, std::string message) {
        const ExecutionEnd end{
            .key = execution.key,
            .queue_status = QueueStatus::failed,
            .reason = std::string(reason),
            .message = std::move(message),
            .at = now_,
            .is_all_that_is_written = true,
        };
        has_moved_ = true;
        answer_.failed.push_back(ended(std::move(execution), end).value_or(Execution{}));
        effects_.executions_ended.push_back(end);
    }

    void take(const WorkspaceLine& line, const WaitingExecution& waiting) {
        const Execution& execution = waiting.execution;
        if (poisoned_.contains(execution.key)) {
            return end_alone(execution, failure::kStartFailed,
                             "The store refuses what its start brings about");
        }
        if (const Status read = check_input(waiting); !read) {
            return end_alone(execution, failure::kInvalidInput, read.error().detail);
        }
        tried_.push_back(execution.key);
        if (execution.executor == ExecutorKind::native) {
            const StartTrace trace{command_.records_traces, command_.trace};
            // Those of one round share one transaction: after much work the others only begin.
            const bool is_enough = effects_.work > limits::kBatchWorkMax;
            return absorb(start_here(rows_, waiting, command_.owner, trace,
                                     is_enough ? StartMoment::later : StartMoment::now, now_));
        }
        const DefinitionRow* definition = rows_.definition_of(execution);
        if (definition == nullptr) return absorb(without_definition(rows_, execution, now_));
        Execution mine = claim(execution, command_.owner, now_ + command_.lease, now_);
        effects_.executions.push_back(mine);
        answer_.claimed.push_back({
            .execution = std::move(mine),
            .input = waiting.input,
            .definition = definition->definition,
            .rules = rules_for(command_.rules, &line.workspace, definition->definition.get()),
        });
    }

    void absorb(StartedHere started) {
        if (!started.missing.empty()) return missing_.add(started.missing);
        if (!is_open(started.execution.queue_status)) return fail(std::move(started.execution));
        Execution shown = started.execution;
        for (const ExecutionEnd& end : started.effects.executions_ended) {
            shown = ended(shown, end).value_or(shown);
        }
        answer_.dispatched.push_back(std::move(shown));
        effects_.executions.push_back(std::move(started.execution));
        effects_.add(std::move(started.effects));
    }

    const AdmitExecutions& command_;
    const WorkingSet& rows_;
    const Instant now_;
    const std::set<ExecutionKey> poisoned_;
    AdmissionRound round_;
    std::set<ConcurrencyKey> parked_keys_;
    bool has_moved_ = false;  // Any item, in any line.
    std::vector<ExecutionKey> tried_;
    AdmittedExecutions answer_;
    Effects effects_;
    Footprint missing_;
};

}  // namespace

Footprint footprint(const AdmitExecutions& command) {
    AdmissionRequest request = command.request;
    request.active_counted = [plans = command.plans](const Workspace& workspace) {
        // One more than the limit tells that it is exceeded; without a limit, no number matters.
        const WorkspaceLimits limits = limits_of(workspace, plans);
        return std::optional(limits.max_active ? *limits.max_active + 1 : 0);
    };
    request.quota = [plans = command.plans, items_max = command.items_max, now = command.asked_at](
                        const WorkspaceLine& line, std::size_t lines) {
        const AdmissionRound round{.share = share_of_line(items_max, lines),
                                   .items_left = items_max};
        const WorkspaceLimits limits = limits_of(line.workspace, plans);
        const std::int32_t count = quota_of(limits, line.state, line.active, round, now).count;
        return count == 0 ? 0 : std::max(count, kReadMin);
    };
    return {.admission = std::move(request)};
}

Result<Decision<AdmittedExecutions>> decide(const AdmitExecutions& command, const WorkingSet& rows,
                                            Instant now) {
    return Admission(command, rows, now).decide();
}

std::int32_t share_of_line(std::int32_t items_max, std::size_t lines) {
    if (lines == 0) return items_max;
    return std::max(1, items_max / static_cast<std::int32_t>(lines));
}

}  // namespace millrace
