#include "queue/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace millrace {

void Dispatcher::Wakes::add(const WorkspaceId& line, bool is_second) {
    const auto [found, is_new] = lines.try_emplace(line, is_second);
    if (!is_new) found->second = found->second && is_second;
}

void Dispatcher::Wakes::add(const ConcurrencyKey& key, bool is_second) {
    const auto [found, is_new] = keys.try_emplace(key, is_second);
    if (!is_new) found->second = found->second && is_second;
}

Dispatcher::Dispatcher(CommandQueue& commands, DispatcherListener& listener, const Clock& clock,
                       Config config, Remote remote, std::function<void()> wake)
    : commands_(commands),
      listener_(listener),
      clock_(clock),
      config_(std::move(config)),
      remote_(std::move(remote)),
      wake_(std::move(wake)),
      net_at_(clock.now() + config_.first_net_after),
      poison_(config_.items_max) {}

// A slot or a place of a key may be free, or there is one more to let in.
void Dispatcher::note(const Execution& execution) {
    const WorkspaceId& workspace_id = execution.key.workspace_id;
    if (is_active(execution.queue_status)) return remember(execution);
    keys_let_in_.erase(execution.key);
    if (is_open(execution.queue_status) && execution.place == QueuePlace::parked) return;
    wakes_.add(workspace_id);
    if (!execution.concurrency_key.empty()) {
        wakes_.add(ConcurrencyKey{workspace_id, execution.concurrency_key});
    }
}

void Dispatcher::note(const ExecutionEnd& end) {
    const WorkspaceId& workspace_id = end.key.workspace_id;
    wakes_.add(workspace_id);
    const auto key = keys_let_in_.find(end.key);
    if (key == keys_let_in_.end()) return;
    wakes_.add(ConcurrencyKey{workspace_id, std::move(key->second)});
    keys_let_in_.erase(key);
}

void Dispatcher::remember(const Execution& execution) {
    // The row of one that runs elsewhere is written whole when it ends.
    if (execution.concurrency_key.empty() || execution.executor != ExecutorKind::native) return;
    keys_let_in_.insert_or_assign(execution.key, execution.concurrency_key);
    if (keys_let_in_.size() > kKeysKnownMax) keys_let_in_.erase(keys_let_in_.begin());
}

void Dispatcher::on_commit(const Writes& writes) {
    const bool concerns_us = !writes.executions_new.empty() || !writes.executions_changed.empty() ||
                             !writes.executions_ended.empty() || !writes.workspaces.empty();
    if (!concerns_us) return;
    {
        const MutexLock lock(mutex_);
        for (const NewExecution& row : writes.executions_new) note(row.execution);
        for (const Execution& row : writes.executions_changed) note(row);
        for (const ExecutionEnd& end : writes.executions_ended) note(end);
        for (const Workspace& row : writes.workspaces) wakes_.add(row.id);
        if (wakes_.empty()) return;
    }
    wake_();
}

void Dispatcher::hear(const std::vector<WorkspaceId>& workspaces) {
    {
        const MutexLock lock(mutex_);
        for (const WorkspaceId& id : workspaces) wakes_.add(id);
    }
    wake_();
}

void Dispatcher::hear_of_anything() {
    {
        const MutexLock lock(mutex_);
        net_at_ = std::min(net_at_, clock_.now());
    }
    wake_();
}

Instant Dispatcher::next_at() const {
    Instant next = net_at_;
    for (const auto& [line, until] : at_rate_) next = std::min(next, until);
    return next;
}

bool Dispatcher::is_due(Instant now) const {
    return has_more_ || !wakes_.empty() || next_at() <= now;
}

Round Dispatcher::run_once() {
    const Instant now = clock_.now();
    AdmitExecutions command;
    {
        const MutexLock lock(mutex_);
        if (is_under_way_ || is_stopped_) return {};
        if (now < resume_at_) return {.next_at = resume_at_};
        if (!is_due(now)) return {.next_at = next_at()};
        command = next_round(now);
    }
    if (remote_.closed_targets) command.targets_closed = remote_.closed_targets();
    commands_.submit(std::move(command),
                     [this](Result<AdmittedExecutions> result) { end_round(std::move(result)); });
    return {};
}

AdmitExecutions Dispatcher::next_round(Instant now) {
    is_under_way_ = true;
    rounds_open_ += 1;
    began_at_ = now;
    is_net_ = net_at_ <= now;
    std::erase_if(at_rate_, [&](const auto& line) MILLRACE_REQUIRES(mutex_) {
        if (line.second > now) return false;
        wakes_.add(line.first);
        return true;
    });
    under_way_ = std::exchange(wakes_, {});
    trace_ = RoundTrace::begin(config_.tracer, clock_);
    AdmitExecutions command{
        .owner = config_.owner,
        .lease = config_.lease,
        .plans = config_.plans,
        .items_max = poison_.items_max(),
        .rules = config_.rules,
        .asked_at = now,
        .records_traces = trace_ != nullptr,
        .trace = trace_ ? trace_->context() : TraceContext{},
        .poisoned = poison_.poisoned(),
    };
    AdmissionRequest& request = command.request;
    for (const auto& [line, is_second] : under_way_.lines) request.woken.push_back(line);
    for (const auto& [key, is_second] : under_way_.keys) request.woken_keys.push_back(key);
    request.looks_everywhere = is_net_;
    request.lines_max = std::min(request.lines_max, command.items_max);
    request.lines_after = lines_after_;
    request.keys_after = keys_after_;
    request.virtual_time_mark = is_net_ ? 0 : mark_;
    poison_.begin();
    command.on_tried = [this](std::vector<ExecutionKey> tried) {
        const MutexLock lock(mutex_);
        poison_.tried(std::move(tried));
    };
    return command;
}

void Dispatcher::end_round(Result<AdmittedExecutions> result) {
    const Instant now = clock_.now();
    std::vector<WorkspaceAtCapacity> full;
    Duration took{};
    std::shared_ptr<RoundTrace> trace;
    {
        const MutexLock lock(mutex_);
        is_under_way_ = false;
        trace = std::exchange(trace_, nullptr);
        took = now - began_at_;
        if (result) {
            learn(*result, now);
            full = full_.learn(*result);
        } else {
            learn_failure(result.error(), now);
        }
    }
    if (!result) {
        listener_.on_failure(result.error());
    } else {
        for (const WorkspaceAtCapacity& each : full) listener_.on_capacity_reached(each);
        listener_.on_round(*result, took);
        if (trace) trace->committed(*result);
        if (!result->claimed.empty() && remote_.begin) remote_.begin(std::move(result->claimed));
    }
    {
        const MutexLock lock(mutex_);
        rounds_open_ -= 1;
    }
    wake_();
}

// Whoever commits something for a workspace while it is found with nothing to let in may be too
// early to be seen and too early to wake it: so each is looked at a second time, behind the commit
// that put it to sleep. The same for keys.
void Dispatcher::learn(const AdmittedExecutions& round, Instant now) {
    has_more_ = round.has_more;
    if (is_net_) {
        net_at_ = now + config_.net_interval;
        lines_after_ = round.lines_looked_at;
        keys_after_ = round.keys_looked_at;
    }
    for (const WorkspaceAtRate& line : round.workspaces_at_rate) {
        at_rate_.insert_or_assign(line.workspace_id, line.until);
    }
    const auto was_second = [](const auto& wakes, const auto& name) {
        const auto found = wakes.find(name);
        return found != wakes.end() && found->second;
    };
    for (const WorkspaceId& line : round.fell_asleep) {
        if (!was_second(under_way_.lines, line)) wakes_.add(line, true);
    }
    for (const ConcurrencyKey& key : round.parked_keys) {
        if (!was_second(under_way_.keys, key)) wakes_.add(key, true);
    }
    for (const WorkspaceId& line : round.still_asleep) wakes_.add(line);
    if (round.virtual_time_min)
        mark_ = is_net_ ? *round.virtual_time_min : std::max(mark_, *round.virtual_time_min);
    poison_.succeeded();
}

// Nothing was let in. What the store can never keep has to be found; a round that takes too long
// never passes as it is.
void Dispatcher::learn_failure(const Error& error, Instant now) {
    has_more_ = true;
    for (const auto& [line, is_second] : under_way_.lines) wakes_.add(line);
    for (const auto& [key, is_second] : under_way_.keys) wakes_.add(key);
    if (!poison_.failed(error)) resume_at_ = now + kPauseAfterFailure;
}

void Dispatcher::stop() {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
}

bool Dispatcher::is_busy() const {
    const MutexLock lock(mutex_);
    return rounds_open_ > 0;
}

}  // namespace millrace
