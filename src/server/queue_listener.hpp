#pragma once

#include <span>

#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "queue/dispatcher.hpp"

namespace millrace {

// Tells metrics and the log what becomes of executions. The names of its lines are those that
// operators of such queues look for. Thread-safe. No line has anything of an input.
class QueueListener final : public DispatcherListener {
public:
    QueueListener(observe::Metrics& metrics, observe::Log& log, const Clock& clock);

    void on_round(const AdmittedExecutions& round, Duration took) override;
    void on_capacity_reached(const WorkspaceAtCapacity& workspace) override;
    void on_failure(const Error& error) override;

    // What was committed in this process.
    void on_commit(const Writes& writes);

    // An executor has accepted a start, or its start is part of the commit.
    void on_dispatched(const Execution& execution);
    // It was given up before it ran.
    void on_given_up(const ExecutionKey& key, std::string_view reason);
    // Claims were taken over; by hand or because their leases were over.
    void on_recovered(std::size_t count, Duration timeout);

private:
    observe::Metrics& metrics_;
    observe::Log& log_;
    const Clock& clock_;
};

}  // namespace millrace
