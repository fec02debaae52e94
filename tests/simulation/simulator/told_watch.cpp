#include "simulator/told_watch.hpp"

#include <algorithm>

#include "dispatch/job_broker.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/change_variables.hpp"
#include "engine/complete_job.hpp"
#include "engine/complete_user_task.hpp"
#include "engine/signal_wait.hpp"
#include "engine/start_instance.hpp"
#include "engine/upload_definition.hpp"
#include "queue/cancel_execution.hpp"
#include "queue/enqueue_execution.hpp"
#include "queue/retry_execution.hpp"
#include "simulator/told_values.hpp"

namespace millrace::sim {

namespace {

// Nothing was written, as the caller was told.
bool is_refusal(const Outcome& outcome) {
    return outcome.kind == Outcome::Kind::error && !outcome.is_doubtful();
}

}  // namespace

void ToldWatch::on_asked(const Told& call) {
    if (const auto* start = request_in<StartInstance>(call.request)) {
        note_start(call, start->key.id.value);
    } else if (const auto* enqueue = request_in<EnqueueExecution>(call.request)) {
        note_start(call, enqueue->key.id.value);
    }
}

void ToldWatch::note_start(const Told& call, Id128 id) {
    asked_[id] += 1;
    if (!call.idempotency_key) return;
    names_.try_emplace(
        id, Named{call.workspace_id, {std::string(call.command), *call.idempotency_key}});
}

void ToldWatch::on_applied(const Changes& changes) {
    for (const Instance& row : changes.writes->instances_new) {
        note_made(row.key.id.value, named(row.key));
    }
    for (const NewExecution& row : changes.writes->executions_new) {
        note_made(row.execution.key.id.value, named(row.execution.key));
    }
    for (const RowChange<Job>& change : changes.jobs) {
        const bool is_held =
            change.after != nullptr && change.after->lease && !is_kept_back(*change.after);
        if (!is_held) continue;
        const Job& job = *change.after;
        const Variables* variables = ledger_.variables_of(job.key);
        claims_.try_emplace({job.key, job.lease_token},
                            Claim{job.lease->worker_id, variables ? *variables : Variables{}});
    }
}

void ToldWatch::note_made(Id128 id, const std::string& name) {
    const auto found = names_.find(id);
    if (found == names_.end()) return;
    const Id128 first = made_.try_emplace(found->second, id).first->second;
    if (first != id) findings_.add(name + " is the second effect of one idempotency key");
}

void ToldWatch::on_told(const Told& call) {
    if (const auto* start = request_in<StartInstance>(call.request)) {
        check_start<StartInstance>(call, start->key);
    } else if (const auto* enqueue = request_in<EnqueueExecution>(call.request)) {
        check_start<EnqueueExecution>(call, enqueue->key);
    } else if (const auto* task = request_in<CompleteUserTask>(call.request)) {
        check_one_effect<CompleteUserTask>(call, task->instance, task->step_id,
                                           StepType::user_task);
    } else if (const auto* signal = request_in<SignalWait>(call.request)) {
        check_one_effect<SignalWait>(call, signal->instance, signal->step_id, StepType::wait);
    }
    if (!call.outcome.is_ok()) return;
    check_completed_job(call);
    check_cancelled_instance(call);
    check_changed_variables(call);
    check_uploaded(call);
    check_cancelled_execution(call);
    check_retried_execution(call);
    check_poll(call);
}

template <class Request, class Key>
void ToldWatch::check_start(const Told& call, const Key& asked) {
    const std::string what = named(asked);
    if (is_refusal(call.outcome) && ledger_.ever_had(asked) && asked_[asked.id.value] == 1) {
        findings_.add(what + " is there, although its start was refused");
    }
    if (!call.outcome.is_ok()) return;
    const auto* made = answer_in<AnswerOf<Request>>(call.answer);
    const std::optional<InstanceId> replayed = replayed_in<AnswerOf<Request>>(call.answer);
    Key key = asked;
    if (made != nullptr) key = made->key;
    if (replayed) key.id.value = replayed->value;
    if (key.workspace_id != call.workspace_id) {
        findings_.add(what + " was answered with something of another workspace");
    }
    if (!ledger_.ever_had(key)) {
        findings_.add(what + " was acknowledged and is not there");
    }
    check_same_answer(call, key.id.value);
}

void ToldWatch::check_same_answer(const Told& call, Id128 id) {
    if (!call.idempotency_key) return;
    const Named name{call.workspace_id, {std::string(call.command), *call.idempotency_key}};
    if (answered_.try_emplace(name, id).first->second != id) {
        findings_.add("the key " + *call.idempotency_key + " was answered with two different ids");
    }
}

// Each step that somebody was told to have ended has ended, once for each of them.
template <class Request>
void ToldWatch::check_one_effect(const Told& call, const InstanceKey& instance,
                                 const std::string& step_id, StepType type) {
    const bool is_done = call.outcome.is_ok() && answer_in<AnswerOf<Request>>(call.answer);
    if (!is_done || ledger_.find(instance) == nullptr) return;
    const int told = ++ended_[{instance, step_id}];
    int ended = 0;
    for_each_of(ledger_.rows().history, instance, [&](const StepExecution& line) {
        const bool is_meant = line.step_id == step_id && line.step_type == type;
        if (is_meant && line.status == StepExecutionStatus::completed) ended += 1;
    });
    if (told > ended) {
        findings_.add("the step " + step_id + " of " + named(instance) + " has ended " +
                      std::to_string(ended) + " times, and that was told " + std::to_string(told) +
                      " times");
    }
}

void ToldWatch::check_completed_job(const Told& call) {
    const auto* request = request_in<CompleteJob>(call.request);
    if (request == nullptr) return;
    const JobKey& key = request->job;
    const InstanceKey instance{instance_of(key.id), key.workspace_id};
    if (ledger_.find(instance) == nullptr) {
        if (!ledger_.ever_had(instance)) findings_.add(named(key) + " is of another workspace");
        return;
    }
    const StepExecution* line =
        ledger_.find(StepExecutionKey{step_execution_of(key.id), key.workspace_id});
    if (line == nullptr) return findings_.add(named(key) + " was acknowledged and is not over");
    const bool is_counted = line->job_status == JobState::completed && request->proof.lease_token;
    if (is_counted && line->tries.back().lease_token != *request->proof.lease_token) {
        findings_.add(named(key) + " was completed under another lease token");
    }
}

void ToldWatch::check_cancelled_instance(const Told& call) {
    const auto* request = request_in<CancelInstance>(call.request);
    if (request == nullptr || !answer_in<AnswerOf<CancelInstance>>(call.answer)) return;
    const Instance* instance = ledger_.find(request->instance);
    const bool is_cancelled = instance == nullptr ? ledger_.ever_had(request->instance)
                                                  : instance->status == InstanceStatus::cancelled;
    if (!is_cancelled) findings_.add(named(request->instance) + " is not CANCELLED, as was told");
}

// Of several who change the same version, one is told that it did.
void ToldWatch::check_changed_variables(const Told& call) {
    const auto* request = request_in<ChangeVariables>(call.request);
    const auto* answer = answer_in<AnswerOf<ChangeVariables>>(call.answer);
    if (request == nullptr || answer == nullptr) return;
    const std::int64_t version = answer->state.variables_version;
    const Instance* instance = ledger_.find(request->instance);
    if (instance != nullptr && instance->state.variables_version < version) {
        findings_.add("the variables of " + named(request->instance) + " were not changed");
    }
    if (request->expected_version && version - *request->expected_version > 1) {
        findings_.add("another version of the variables of " + named(request->instance) +
                      " was changed than the one that was meant");
    }
    const bool is_change = request->expected_version && version == *request->expected_version + 1;
    if (is_change && !versions_.insert({request->instance, version}).second) {
        findings_.add("two have changed the same version of variables of " +
                      named(request->instance));
    }
}

void ToldWatch::check_uploaded(const Told& call) {
    const auto* request = request_in<UploadDefinition>(call.request);
    const auto* answer = answer_in<AnswerOf<UploadDefinition>>(call.answer);
    if (request == nullptr || answer == nullptr) return;
    const DefinitionKey key{request->workspace_id, answer->id, answer->version};
    const auto found = ledger_.rows().definitions.find(key);
    // A workspace that is gone has taken its definitions with it.
    if (ledger_.find(request->workspace_id) == nullptr) return;
    if (found == ledger_.rows().definitions.end()) {
        findings_.add("the definition " + answer->id + " was acknowledged and is not there");
    } else if (found->second.canonical != request->canonical) {
        findings_.add("the definition " + answer->id + " was told of with another's version");
    }
}

void ToldWatch::check_cancelled_execution(const Told& call) {
    const auto* request = request_in<CancelExecution>(call.request);
    const auto* answer = answer_in<AnswerOf<CancelExecution>>(call.answer);
    if (request == nullptr || answer == nullptr || answer->instance_needed) return;
    const Execution* execution = ledger_.find(request->key);
    if (execution == nullptr) return;
    const bool is_wanted = execution->cancel_requested_at || !is_open(execution->queue_status);
    if (!is_wanted && !execution->retry_of) {
        findings_.add(named(request->key) + " goes on, although its cancellation was acknowledged");
    }
}

void ToldWatch::check_retried_execution(const Told& call) {
    const auto* request = request_in<RetryExecution>(call.request);
    const auto* answer = answer_in<AnswerOf<RetryExecution>>(call.answer);
    if (request == nullptr || answer == nullptr) return;
    if (!ledger_.ever_had(answer->key)) {
        findings_.add(named(answer->key) + " was acknowledged and is not there");
    }
    const Execution* old = ledger_.find(request->key);
    if (!request->resumes && old != nullptr && old->retried_by != answer->key.id) {
        findings_.add(named(request->key) + " was retried by another one than was told");
    }
}

void ToldWatch::check_poll(const Told& call) {
    const auto* request = std::any_cast<PollJobs>(&call.request);
    const auto* jobs = std::any_cast<std::vector<DeliveredJob>>(&call.answer);
    if (request == nullptr || jobs == nullptr) return;
    if (std::cmp_greater(jobs->size(), request->jobs_max)) {
        findings_.add("a poll got more jobs than it asked for");
    }
    for (const DeliveredJob& job : *jobs) {
        const bool is_type =
            std::ranges::find(request->job_types, job.job.job_type) != request->job_types.end();
        const bool is_tenant =
            !request->workspace_id || *request->workspace_id == job.job.key.workspace_id;
        if (!is_type || !is_tenant) findings_.add(named(job.job.key) + " went to a stranger");
        const bool is_his = job.job.lease && job.job.lease->worker_id == request->worker_id;
        if (!is_his) findings_.add(named(job.job.key) + " went to another than its holder");
        check_delivered(call, job);
    }
}

void ToldWatch::check_delivered(const Told&, const DeliveredJob& delivered) {
    const auto claim = claims_.find({delivered.job.key, delivered.job.lease_token});
    const std::string name = named(delivered.job.key);
    if (claim == claims_.end()) return findings_.add(name + " was delivered without a claim");
    if (std::exchange(claim->second.is_delivered, true)) {
        findings_.add(name + " was delivered twice under one lease token");
    }
    if (claim->second.worker_id != delivered.job.lease->worker_id) {
        findings_.add(name + " was claimed by one worker and went to another");
    }
    if (claim->second.variables != delivered.variables) {
        findings_.add(name + " was delivered with other variables than those at its creation");
    }
}

}  // namespace millrace::sim
