#pragma once

#include <string>
#include <vector>

#include "core/queue/execution.hpp"
#include "observe/tracer.hpp"

// The pieces that the spans of the queue are made of.
namespace millrace::queue_spans {

struct QueueStep {
    std::string name{};
    TraceContext context{};  // Absent: a new one.
    Instant began_at{};
    Instant ended_at{};
    observe::SpanKind kind = observe::SpanKind::internal;
    std::string error{};  // A code or a reason, for one that failed; never a message.
    std::vector<observe::SpanAttribute> attributes{};
    std::vector<TraceContext> links{};
};

// Tells of a step below another one, and returns its place.
TraceContext tell(const observe::Tracer& tracer, const TraceContext& parent, QueueStep step);

// A step that one statement does: `operation` is db:query, db:insert or db:update.
struct Statement {
    const char* step = "";
    const char* operation = "";
    const char* table = "";
    Instant began_at{};
    Instant ended_at{};
};
void tell(const observe::Tracer& tracer, const TraceContext& parent, const Statement& statement);
// The statement alone, as a part of a larger step.
QueueStep without_step(const Statement& statement);

// `step:process_item`, with what is known of an execution.
QueueStep item(const Execution& execution, std::string outcome, Instant began_at, Instant ended_at);

bool is_sampled(const std::string& trace_parent);

}  // namespace millrace::queue_spans
