#pragma once

#include "commit/commit_listener.hpp"
#include "observe/tracer.hpp"

namespace millrace {

// Tells a trace what a batch has done: a span for each command that a recorded request has sent,
// one for the batch, linked to those, and one for each traced job and instance that is over with
// it. Thread-safe.
class CommitTracer {
public:
    explicit CommitTracer(const observe::Tracer& tracer) : tracer_(tracer) {}

    void on_batch_end(const BatchEnd& batch) const;

private:
    void tell_of_commands(const BatchEnd& batch) const;
    void tell_of_batch(const BatchEnd& batch, std::vector<TraceContext> commands) const;
    void tell_of_jobs(const Writes& writes) const;
    void tell_of_instances(const std::vector<Instance>& instances, Instant decided_at) const;

    const observe::Tracer& tracer_;
};

}  // namespace millrace
