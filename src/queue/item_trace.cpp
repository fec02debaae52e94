#include "queue/item_trace.hpp"

#include <algorithm>
#include <utility>

#include "queue/queue_spans.hpp"

namespace millrace {

using queue_spans::QueueStep;
using queue_spans::Statement;
using queue_spans::tell;

namespace {

struct RecordNames {
    const char* outcome;
    const char* step;
};

RecordNames names_of(StartRecord record) {
    switch (record) {
        case StartRecord::dispatched: return {"DISPATCHED", "step:mark_dispatched"};
        case StartRecord::released: return {"RELEASED", "step:release_to_pending"};
        case StartRecord::in_doubt: return {"IN_DOUBT", "step:keep_claimed"};
        case StartRecord::failed: return {"FAILED", "step:mark_failed"};
        case StartRecord::cancelled: return {"CANCELLED", "step:mark_cancelled"};
        case StartRecord::lost: return {"LOST", ""};
    }
    std::abort();
}

std::string code_of(const StartAnswer& answer) {
    if (answer.outcome == StartOutcome::started) return "";
    return answer.code.empty() ? "UNKNOWN" : answer.code;
}

}  // namespace

ItemTrace::ItemTrace(std::shared_ptr<RoundTrace> round, const Execution& execution,
                     Instant began_at, Instant claimed_at)
    : round_(std::move(round)),
      execution_(execution),
      context_(round_->tracer().child_of(round_->context())),
      dispatch_(round_->tracer().child_of(context_)),
      began_at_(began_at),
      claimed_at_(claimed_at),
      latest_(claimed_at) {}

void ItemTrace::run_asked() {
    begin_call();
}

void ItemTrace::run_told(const std::string& code) {
    end_call("temporal:describe_workflow", code);
}

std::string ItemTrace::start_sent() {
    begin_call();
    return execution_.trace_parent.empty() ? trace_parent_text(call_) : execution_.trace_parent;
}

void ItemTrace::start_answered(const StartAnswer& answer) {
    end_call("temporal:start_workflow", code_of(answer));
}

void ItemTrace::answered(const StartAnswer& answer) {
    answered_at_ = now();
    tell(round_->tracer(), context_,
         QueueStep{.name = "step:dispatch_temporal",
                   .context = dispatch_,
                   .began_at = claimed_at_,
                   .ended_at = answered_at_,
                   .error = code_of(answer),
                   .attributes = {{"millrace.executor.target", execution_.target}}});
}

void ItemTrace::recorded(const RecordedStart& start) {
    const RecordNames names = names_of(start.record);
    outcome_ = names.outcome;
    if (start.record == StartRecord::lost) return;
    if (start.record == StartRecord::failed) error_ = start.execution.error_reason;
    tell(round_->tracer(), context_,
         Statement{names.step, "db:update", "execution", answered_at_, now()});
}

void ItemTrace::end() {
    if (std::exchange(is_over_, true)) return;
    const Instant ended_at = now();
    QueueStep step = queue_spans::item(execution_, outcome_, began_at_, ended_at);
    step.context = context_;
    step.error = error_;
    tell(round_->tracer(), round_->context(), std::move(step));
    round_->item_over(ended_at);
}

void ItemTrace::begin_call() {
    call_ = round_->tracer().child_of(dispatch_);
    call_began_at_ = now();
}

void ItemTrace::end_call(const char* name, const std::string& code) {
    tell(round_->tracer(), dispatch_,
         QueueStep{.name = name,
                   .context = call_,
                   .began_at = call_began_at_,
                   .ended_at = now(),
                   .kind = observe::SpanKind::client,
                   .error = code});
}

// The clock of a store may go back a little.
Instant ItemTrace::now() {
    latest_ = std::max(latest_, round_->clock().now());
    return latest_;
}

}  // namespace millrace
