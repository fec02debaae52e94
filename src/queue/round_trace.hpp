#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "core/queue/execution.hpp"
#include "observe/tracer.hpp"

namespace millrace {

struct AdmittedExecutions;
class ItemTrace;

// The span of `step:dispatch_native`, known before it is told: an instance that is in nobody's
// trace goes on below it.
TraceContext native_dispatch_of(const TraceContext& round, const ExecutionKey& key);

// What spans tell of one round of the dispatcher: `flow:queue_processing` and its steps, as
// docs/reference/tracing.md draws them. It is a trace of its own, for it serves many enqueuers; the
// steps of an execution are linked to the trace that has enqueued it. A round that takes nothing up
// is not told of. Thread-safe.
class RoundTrace : public std::enable_shared_from_this<RoundTrace> {
public:
    // Null when the tracer is off, or there is none.
    static std::shared_ptr<RoundTrace> begin(const observe::Tracer* tracer, const Clock& clock);

    // `flow:queue_recovery`, for an execution whose claim is taken over. Null when no span tells of
    // it.
    static std::shared_ptr<ItemTrace> begin_recovery(const observe::Tracer* tracer,
                                                     const Clock& clock,
                                                     const Execution& execution);

    // Where executions that have no trace go on. Not recorded when the dice leave the round out:
    // then it is told of only for those whose enqueuers' traces are sampled.
    const TraceContext& context() const { return context_; }

    // Gives what is to be started elsewhere its trace, and tells of the rest. Called once.
    void committed(AdmittedExecutions& round);

    // For ItemTrace: an item is over. The last one ends the round.
    const observe::Tracer& tracer() const { return tracer_; }
    const Clock& clock() const { return clock_; }
    void item_over(Instant ended_at);

private:
    RoundTrace(const observe::Tracer& tracer, const Clock& clock, std::string name);

    bool tells_of(const Execution& execution) const;
    bool tells_of_any(const AdmittedExecutions& round) const;
    void tell_admission(const TraceContext& item, Instant decided_at, Instant committed_at) const;
    void tell_native(const Execution& execution, Instant decided_at, Instant committed_at) const;
    void tell_failed(const Execution& execution, Instant decided_at, Instant committed_at) const;
    void tell_flow(Instant ended_at) const;

    const observe::Tracer& tracer_;
    const Clock& clock_;
    const std::string name_;
    const Instant began_at_;
    TraceContext context_;
    const bool is_chosen_;  // By the dice.
    std::int64_t items_ = 0;
    std::int64_t at_capacity_ = 0;

    Mutex mutex_;
    std::size_t items_open_ MILLRACE_GUARDED_BY(mutex_) = 1;  // With the round itself.
    Instant ended_at_ MILLRACE_GUARDED_BY(mutex_){};          // The latest of them.
};

}  // namespace millrace
