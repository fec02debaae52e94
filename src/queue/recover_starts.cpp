#include "queue/run_starter.hpp"
#include "queue/start_answers.hpp"

namespace millrace {

namespace {

// No cluster forgets sooner: what holds where it does not tell.
constexpr Duration kRetentionLeast = std::chrono::hours{1};

}  // namespace

void RunStarter::ask_for_run(const TaskPtr& task, RemoteTarget& target) {
    const ExecutionKey& key = task->execution.key;
    const RunRef run{.name_space = name_space(*task), .workflow_id = workflow_id(key)};
    if (task->trace) task->trace->run_asked();
    target.executor().describe(key, run, context_.settings.call_timeout,
                               context_.handing_to<CallResult<RunReport>>(
                                   [this, task, &target](const CallResult<RunReport>& result) {
                                       run_described(task, target, result);
                                   }));
}

void RunStarter::run_described(const TaskPtr& task, RemoteTarget& target,
                               const CallResult<RunReport>& result) {
    target.note(result, context_.clock.now());
    if (task->trace) task->trace->run_told(result.answer ? "" : result.failure.code);
    if (!is_current(task)) return target.leave(Lane::start);
    if (!result.answer) {
        target.leave(Lane::start);
        return answered(task, start_answers::run_not_told(result.failure));
    }
    if (result.answer->is_found) {
        target.leave(Lane::start);
        return answered(task, start_answers::found(*result.answer));
    }
    if (task->execution.cancel_requested_at) {
        target.leave(Lane::start);
        return give_up_unwanted(task);
    }
    const std::optional<Duration> retention = retentions_.find(target, name_space(*task));
    if (retention) return start_again(task, target, *retention);
    retentions_.ask(target, name_space(*task),
                    [this, task, &target](const CallResult<NamespaceReport>& report) {
                        retention_told(task, target, report);
                    });
}

// The earlier start may still be on its way: it is not there for good when it is not there after
// the longest time that a call takes.
void RunStarter::give_up_unwanted(const TaskPtr& task) {
    if (task->is_not_found) return record(task, start_answers::not_wanted());
    task->is_not_found = true;
    enqueue_after(task, context_.settings.call_timeout);
}

void RunStarter::retention_told(const TaskPtr& task, RemoteTarget& target,
                                const CallResult<NamespaceReport>& result) {
    if (!is_current(task)) return target.leave(Lane::start);
    if (!result.answer && result.failure.is_unreachable) {
        target.leave(Lane::start);
        return answered(task, start_answers::run_not_told(result.failure));
    }
    if (!result.answer) return start_again(task, target, kRetentionLeast);
    // Where there is no such namespace, nothing has started, and the start will say so.
    start_again(task, target, result.answer->is_found ? result.answer->retention : Duration::max());
}

void RunStarter::start_again(const TaskPtr& task, RemoteTarget& target, Duration retention) {
    const Instant now = context_.clock.now();
    if (is_forgotten(task->execution, retention, now)) {
        target.leave(Lane::start);
        return answered(task, start_answers::forgotten());
    }
    if (!is_stopped_ && can_begin(*task, now) && read_input(task)) {
        return send_start(task, target);
    }
    target.leave(Lane::start);
    if (is_stopped_) return record(task, start_answers::stopping());
    // It begins from the front: by then somebody else may have started it.
    if (is_current(task)) enqueue_after(task, kPauseAfterFailure);
}

// The lease goes on meanwhile, and whoever reads it finds the input that was enqueued.
bool RunStarter::read_input(const TaskPtr& task) {
    if (task->has_input) return true;
    const Result<std::optional<StoredExecution>> stored = read_execution_(task->execution.key.id);
    if (!stored) {
        is_store_away_ = true;
        return false;
    }
    if (!*stored) {
        drop(task);
        return false;
    }
    task->input = (*stored)->input;
    task->has_input = true;
    return true;
}

}  // namespace millrace
