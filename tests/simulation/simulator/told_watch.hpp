#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "simulator/invariants.hpp"
#include "simulator/observer.hpp"

namespace millrace::sim {

// Holds what callers were told against what was committed: nothing acknowledged is missing, nothing
// refused has happened, one key has one effect, one claim goes to one worker.
class ToldWatch {
public:
    explicit ToldWatch(const Ledger& ledger, Findings& findings)
        : ledger_(ledger), findings_(findings) {}

    void on_asked(const Told& call);
    void on_applied(const Changes& changes);
    void on_told(const Told& call);

private:
    // Workspace, command and key: what a caller may repeat.
    using Named = std::pair<WorkspaceId, std::pair<std::string, std::string>>;
    using StepOfInstance = std::pair<InstanceKey, std::string>;

    struct Claim {
        WorkerId worker_id{};
        Variables variables{};
        bool is_delivered = false;
    };

    void note_start(const Told& call, Id128 id);
    void note_made(Id128 id, const std::string& name);
    template <class Request, class Key>
    void check_start(const Told& call, const Key& asked);
    template <class Request>
    void check_one_effect(const Told& call, const InstanceKey& instance, const std::string& step_id,
                          StepType type);
    void check_same_answer(const Told& call, Id128 id);
    void check_completed_job(const Told& call);
    void check_cancelled_instance(const Told& call);
    void check_changed_variables(const Told& call);
    void check_uploaded(const Told& call);
    void check_cancelled_execution(const Told& call);
    void check_retried_execution(const Told& call);
    void check_poll(const Told& call);
    void check_delivered(const Told& call, const DeliveredJob& job);

    const Ledger& ledger_;
    Findings& findings_;
    std::map<Id128, int> asked_;           // How often each id was asked for.
    std::map<Id128, Named> names_;         // Under which key.
    std::map<Named, Id128> made_;          // What was made under it,
    std::map<Named, Id128> answered_;      // and what was told of it.
    std::map<StepOfInstance, int> ended_;  // Ends of steps that somebody was told of.
    std::set<std::pair<InstanceKey, std::int64_t>> versions_;  // Of variables that somebody set.
    std::map<std::pair<JobKey, std::int64_t>, Claim> claims_;
};

}  // namespace millrace::sim
