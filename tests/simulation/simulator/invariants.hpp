#pragma once

#include <optional>
#include <string>
#include <utility>

#include "simulator/ledger.hpp"

namespace millrace::sim {

// What must not be, as sentences. Only the first one is kept: the others often follow from it.
class Findings {
public:
    void add(std::string sentence) {
        if (!first_) first_ = std::move(sentence);
    }
    const std::optional<std::string>& first() const { return first_; }

private:
    std::optional<std::string> first_;
};

// The rules that every commit keeps. Each looks at what the commit has changed, and at the rows
// around it as they are now. One file each, named invariants_ and what it looks at.

// Values of instances: what never changes, what only grows, that an end is an end.
void check_instances(const Changes& changes, const Ledger& ledger, Findings& findings);
// An instance's state and its rows say the same: jobs, timers, user tasks, gateways.
void check_parts(const Changes& changes, const Ledger& ledger, Findings& findings);
// One line for each step that was entered, when it is over; joins fire once.
void check_history(const Changes& changes, const Ledger& ledger, Findings& findings);
// Leases, tokens, tries and retries.
void check_jobs(const Changes& changes, const Ledger& ledger, Findings& findings);
// Never early, never twice, never without what they are for.
void check_timers(const Changes& changes, const Ledger& ledger, Findings& findings);
void check_user_tasks(const Changes& changes, const Ledger& ledger, Findings& findings);
// The successor of an instance is started with its end, once.
void check_chains(const Changes& changes, const Ledger& ledger, Findings& findings);
// States, claims and times of executions.
void check_executions(const Changes& changes, const Ledger& ledger, Findings& findings);
// An execution that runs here and its instances say the same.
void check_native_runs(const Changes& changes, const Ledger& ledger, Findings& findings);
// Slots of workspaces and of concurrency keys.
void check_limits(const Changes& changes, const Ledger& ledger, const Plans& plans,
                  Findings& findings);
void check_workspaces(const Changes& changes, const Ledger& ledger, Findings& findings);

// All of them.
void check_all(const Changes& changes, const Ledger& ledger, const Plans& plans,
               Findings& findings);

// How often a workspace may let an execution in, counted on its own.
class RateWatch {
public:
    void look_at(const Changes& changes, const Ledger& ledger, const Plans& plans,
                 Findings& findings);

private:
    struct Bucket {
        double tokens = 0;
        Instant counted_at{};
        double rate = 0;
    };

    void spend(const WorkspaceId& id, int count, double rate, Instant at, Findings& findings);

    std::map<WorkspaceId, Bucket> buckets_;
};

}  // namespace millrace::sim
