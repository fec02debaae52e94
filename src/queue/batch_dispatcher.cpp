#include "queue/batch_dispatcher.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace millrace {

namespace {

template <class Item>
void append(std::vector<Item>& to, std::vector<Item> items) {
    to.insert(to.end(), std::move_iterator(items.begin()), std::move_iterator(items.end()));
}

}  // namespace

BatchDispatcher::BatchDispatcher(CommandQueue& commands, BatchListener& listener,
                                 const Clock& clock, Config config, Remote remote)
    : commands_(commands),
      listener_(listener),
      clock_(clock),
      config_(std::move(config)),
      remote_(std::move(remote)),
      poison_(config_.batch_size) {}

void BatchDispatcher::begin(std::function<void()> end) {
    batches_open_ += 1;
    {
        const MutexLock lock(mutex_);
        end_ = std::move(end);
        batch_ = {};
        rounds_ = 0;
        began_at_ = clock_.now();
        trace_ = RoundTrace::begin(config_.tracer, clock_);
    }
    submit_round();
}

void BatchDispatcher::submit_round() {
    AdmitExecutions command;
    {
        const MutexLock lock(mutex_);
        rounds_ += 1;
        command = next_round(clock_.now());
    }
    if (remote_.closed_targets) command.targets_closed = remote_.closed_targets();
    commands_.submit(std::move(command),
                     [this](Result<AdmittedExecutions> result) { end_round(std::move(result)); });
}

AdmitExecutions BatchDispatcher::next_round(Instant now) {
    const auto room = config_.batch_size - static_cast<std::int32_t>(batch_.processed());
    AdmitExecutions command{
        .owner = config_.owner,
        .lease = config_.lease,
        .plans = config_.plans,
        .items_max = std::min(room, poison_.items_max()),
        .rules = config_.rules,
        .asked_at = now,
        .records_traces = trace_ != nullptr,
        .trace = trace_ ? trace_->context() : TraceContext{},
        .poisoned = poison_.poisoned(),
    };
    AdmissionRequest& request = command.request;
    request.looks_everywhere = true;
    request.lines_max = std::min(request.lines_max, command.items_max);
    request.lines_after = lines_after_;
    request.keys_after = keys_after_;
    poison_.begin();
    command.on_tried = [this](std::vector<ExecutionKey> tried) {
        const MutexLock lock(mutex_);
        poison_.tried(std::move(tried));
    };
    return command;
}

void BatchDispatcher::end_round(Result<AdmittedExecutions> result) {
    std::vector<WorkspaceAtCapacity> full;
    bool goes_on = false;
    {
        const MutexLock lock(mutex_);
        if (result) {
            full = full_.learn(*result);
            goes_on = learn(std::move(*result));
        } else {
            goes_on = learn_failure(result.error());
        }
    }
    if (!result) listener_.on_failure(result.error());
    for (const WorkspaceAtCapacity& each : full) listener_.on_capacity_reached(each);
    goes_on ? submit_round() : start_batch();
}

bool BatchDispatcher::learn(AdmittedExecutions round) {
    append(batch_.claimed, std::move(round.claimed));
    append(batch_.dispatched, std::move(round.dispatched));
    append(batch_.failed, std::move(round.failed));
    batch_.at_capacity += round.at_capacity;
    batch_.decided_at = round.decided_at;
    lines_after_ = round.lines_looked_at;
    keys_after_ = round.keys_looked_at;
    poison_.succeeded();
    const bool has_more = round.has_more || !lines_after_.value.empty() || !keys_after_.key.empty();
    return has_more && batch_.processed() < config_.batch_size && rounds_ < kRoundsMax;
}

// Nothing was let in by that round. What could be is let in by the next batch, if the store is
// away, or by smaller ones, if it took too long; one that the store can never keep is looked for at
// once.
bool BatchDispatcher::learn_failure(const Error& error) {
    return poison_.failed(error) && rounds_ < kRoundsMax;
}

void BatchDispatcher::start_batch() {
    AdmittedExecutions batch;
    std::shared_ptr<RoundTrace> trace;
    {
        const MutexLock lock(mutex_);
        batch = std::exchange(batch_, {});
        trace = std::exchange(trace_, nullptr);
        is_empty_ = batch.processed() == 0;
    }
    if (trace) trace->committed(batch);
    listener_.on_batch_claimed(batch);
    if (batch.claimed.empty()) {
        end_batch();
    } else {
        remote_.begin(std::move(batch.claimed), [this] { end_batch(); });
    }
    batches_open_ -= 1;
}

void BatchDispatcher::end_batch() {
    std::function<void()> end;
    bool is_empty = true;
    Duration took{};
    {
        const MutexLock lock(mutex_);
        end = std::exchange(end_, {});
        is_empty = is_empty_;
        took = clock_.now() - began_at_;
    }
    if (!is_empty) listener_.on_batch_over(took);
    end();
}

}  // namespace millrace
