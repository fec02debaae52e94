#include "queue/round_trace.hpp"

#include <algorithm>
#include <utility>

#include "queue/admit_executions.hpp"
#include "queue/item_trace.hpp"
#include "queue/queue_spans.hpp"

namespace millrace {

using queue_spans::QueueStep;
using queue_spans::Statement;
using queue_spans::tell;
using queue_spans::without_step;

namespace {

constexpr const char* kProcessing = "flow:queue_processing";
constexpr const char* kRecovery = "flow:queue_recovery";

}  // namespace

TraceContext native_dispatch_of(const TraceContext& round, const ExecutionKey& key) {
    const std::uint64_t id = round.span_id ^ span_id_of(key.id.value);
    return round.at(id == 0 ? 1 : id);
}

std::shared_ptr<RoundTrace> RoundTrace::begin(const observe::Tracer* tracer, const Clock& clock) {
    if (tracer == nullptr || !tracer->is_on()) return nullptr;
    return std::shared_ptr<RoundTrace>(new RoundTrace(*tracer, clock, kProcessing));
}

std::shared_ptr<ItemTrace> RoundTrace::begin_recovery(const observe::Tracer* tracer,
                                                      const Clock& clock,
                                                      const Execution& execution) {
    if (tracer == nullptr || !tracer->is_on()) return nullptr;
    const std::shared_ptr<RoundTrace> flow(new RoundTrace(*tracer, clock, kRecovery));
    if (!flow->tells_of(execution)) return nullptr;
    if (!flow->is_chosen_) flow->context_ = tracer->begin();
    flow->items_ = 1;
    return std::make_shared<ItemTrace>(flow, execution, flow->began_at_, flow->began_at_);
}

RoundTrace::RoundTrace(const observe::Tracer& tracer, const Clock& clock, std::string name)
    : tracer_(tracer),
      clock_(clock),
      name_(std::move(name)),
      began_at_(clock.now()),
      context_(tracer.follow(std::nullopt)),
      is_chosen_(context_.is_recorded) {}

void RoundTrace::committed(AdmittedExecutions& round) {
    if (!tells_of_any(round)) return;
    if (!is_chosen_) context_ = tracer_.begin();
    items_ = round.processed();
    at_capacity_ = round.at_capacity;
    const Instant now = std::max(clock_.now(), began_at_);
    const Instant decided_at = std::clamp(round.decided_at, began_at_, now);
    tell(tracer_, context_,
         Statement{"step:claim_batch", "db:query", "workspace_queue", began_at_, decided_at});
    for (const Execution& execution : round.dispatched) {
        if (tells_of(execution)) tell_native(execution, decided_at, now);
    }
    for (const Execution& execution : round.failed) {
        if (tells_of(execution)) tell_failed(execution, decided_at, now);
    }
    for (ClaimedExecution& each : round.claimed) {
        if (!tells_of(each.execution)) continue;
        each.trace =
            std::make_shared<ItemTrace>(shared_from_this(), each.execution, began_at_, now);
        tell_admission(each.trace->context(), decided_at, now);
        const MutexLock lock(mutex_);
        items_open_ += 1;
    }
    item_over(now);  // The round itself counted as one, so that none of them could end it before.
}

void RoundTrace::item_over(Instant ended_at) {
    {
        const MutexLock lock(mutex_);
        ended_at_ = std::max(ended_at_, ended_at);
        items_open_ -= 1;
        if (items_open_ > 0) return;
        ended_at = ended_at_;
    }
    tell_flow(ended_at);
}

bool RoundTrace::tells_of(const Execution& execution) const {
    return is_chosen_ || queue_spans::is_sampled(execution.trace_parent);
}

bool RoundTrace::tells_of_any(const AdmittedExecutions& round) const {
    const auto is_told = [this](const Execution& each) {
        return tells_of(each);
    };
    return std::ranges::any_of(round.dispatched, is_told) ||
           std::ranges::any_of(round.claimed, is_told, &ClaimedExecution::execution) ||
           std::ranges::any_of(round.failed, is_told);
}

// Room is looked for when the lines are locked, for all items of a round at once.
void RoundTrace::tell_admission(const TraceContext& item, Instant decided_at,
                                Instant committed_at) const {
    const TraceContext check = tell(
        tracer_, item,
        QueueStep{.name = "step:check_capacity", .began_at = began_at_, .ended_at = decided_at});
    for (const char* table : {"workspace", "execution_open"}) {
        tell(tracer_, check, without_step({"", "db:query", table, began_at_, decided_at}));
    }
    tell(tracer_, item,
         Statement{"step:mark_claimed", "db:update", "execution", decided_at, committed_at});
}

// One transaction does all of it: its steps have their times in common.
void RoundTrace::tell_native(const Execution& execution, Instant decided_at,
                             Instant committed_at) const {
    const TraceContext item = tell(
        tracer_, context_, queue_spans::item(execution, "DISPATCHED", began_at_, committed_at));
    tell_admission(item, decided_at, committed_at);
    const TraceContext dispatch =
        tell(tracer_, item,
             QueueStep{.name = "step:dispatch_native",
                       .context = native_dispatch_of(context_, execution.key),
                       .began_at = decided_at,
                       .ended_at = committed_at});
    tell(tracer_, dispatch, without_step({"", "db:insert", "instance", decided_at, committed_at}));
    tell(tracer_, item,
         Statement{"step:mark_dispatched", "db:update", "execution", decided_at, committed_at});
}

void RoundTrace::tell_failed(const Execution& execution, Instant decided_at,
                             Instant committed_at) const {
    QueueStep step = queue_spans::item(execution, "FAILED", began_at_, committed_at);
    step.error = execution.error_reason;
    const TraceContext item = tell(tracer_, context_, std::move(step));
    tell(tracer_, item,
         Statement{"step:mark_failed", "db:update", "execution", decided_at, committed_at});
}

void RoundTrace::tell_flow(Instant ended_at) const {
    if (name_ == kProcessing) {
        tell(tracer_, context_,
             QueueStep{.name = "step:release_lock", .began_at = ended_at, .ended_at = ended_at});
    }
    tracer_.take({
        .context = context_,
        .name = name_,
        .started_at = began_at_,
        .ended_at = ended_at,
        .attributes = {{"millrace.queue.items", items_},
                       {"millrace.queue.items_at_capacity", at_capacity_}},
    });
}

}  // namespace millrace
