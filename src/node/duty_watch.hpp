#pragma once

#include <atomic>
#include <string>

#include "base/clock.hpp"
#include "base/id.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "scheduler/due_loop.hpp"

namespace millrace {

// Tells operators how one duty gets on: what is overdue, what was set aside and why. Thread-safe.
class DutyWatch {
public:
    DutyWatch(std::string duty, observe::Metrics& metrics, observe::Log& log);

    template <class Key>
    typename DueLoop<Key>::Notes notes() {
        return {
            .set_aside =
                [this](const Key& key, const Error& error, int failures) {
                    note_set_aside(key.workspace_id, key.id.value, error, failures);
                },
            .overdue = [this](std::optional<Instant> since,
                              std::size_t aside) { note_overdue(since, aside); },
        };
    }

    // A row that is refused for good, and what is done about it: its instance fails, or it is set
    // aside. Once for each row.
    void note_refused(const WorkspaceId& workspace_id, Id128 id, const Error& error);

    // For a scrape.
    void measure(Instant now);

private:
    void note_set_aside(const WorkspaceId& workspace_id, Id128 id, const Error& error,
                        int failures);
    void note_overdue(std::optional<Instant> since, std::size_t aside);

    const std::string duty_;
    observe::Log& log_;
    observe::Gauge& overdue_;
    observe::Gauge& set_aside_;
    std::atomic<Instant> overdue_since_{Instant::max()};
};

}  // namespace millrace
