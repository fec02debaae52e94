#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "queue/closed_run_lister.hpp"
#include "queue/complete_execution.hpp"
#include "queue/left_runs.hpp"
#include "queue/missing_runs.hpp"
#include "queue/note_attention.hpp"
#include "queue/remote_context.hpp"
#include "queue/take_attention.hpp"

namespace millrace {

// Learns how runs elsewhere end, and passes cancellations on to them. It waits for the ends of a
// bounded number of runs; the others are looked at now and then, sooner when their target says that
// they may be over. A look or a wait is announced by the time when somebody else may look: should
// this process die, somebody does. Belongs to the thread of the context.
class RunWatcher {
public:
    explicit RunWatcher(RemoteContext& context);

    // Places for runs whose ends are waited for. False: there is none.
    bool reserve_place();
    void give_place_back();
    // When a run that begins now has to be looked at by somebody.
    Duration first_look_after(const Execution& execution, const std::string& name_space,
                              bool has_place) const;

    // A run has begun, and its start is written down.
    void follow(const Execution& execution, const std::string& name_space, bool has_place);
    // A run is to be looked at, or cancelled.
    void attend(const TakenAttention& taken);

    std::size_t waiting() const;
    std::size_t tracked() const { return tracked_.size(); }

    // Makes the calls that may be made now.
    void send_looks(Instant now);
    void list_closed(Instant now);
    std::optional<Instant> lists_at() const { return lister_.next_at(); }

    // No new calls. Leases bring everything up elsewhere.
    void stop();

private:
    struct Look {
        RunPtr run{};
        bool passes_cancel_on = false;
        bool is_nominated = false;  // Nobody waits for it to be noted.
    };

    // run_watcher.cpp
    RunPtr known_run(const TakenAttention& taken);
    void enqueue(RemoteTarget& target, const Look& look);
    void nominate(const RunPtr& run);
    void pass_cancel_on(const Look& look, RemoteTarget& target);
    void cancel_passed_on(const Look& look, RemoteTarget& target, const CallResult<bool>& result);
    void describe(const Look& look, const RunRef& run, RemoteTarget& target);
    void described(const Look& look, const RunRef& run, RemoteTarget& target,
                   const CallResult<RunReport>& result);
    // Which run it is by now. A run that another one follows takes a cancellation with it: then it
    // is passed on again, and the answer is true.
    bool note_run(const RunPtr& run, const RunReport& report, RemoteTarget& target);
    void failed(const Look& look, RemoteTarget& target, const CallFailure& failure);
    void postpone(const Look& look, const RemoteTarget& target);
    void goes_on(const Look& look, RemoteTarget& target);

    // track_runs.cpp
    bool has_free_place() const;
    void track(const RunPtr& run, RemoteTarget& target);
    void poll(const RunPtr& run, RemoteTarget& target);
    void poll_again(const RunPtr& run, RemoteTarget& target);
    void poll_ended(const RunPtr& run, RemoteTarget& target, Instant began_at,
                    const CallResult<RunReport>& result);
    bool is_to_yield(Instant began_at);
    const LookPace& pace_at(const std::string& target, const std::string& name_space) const;

    // run_ends.cpp
    void note(const RunPtr& run, Instant due_at, const std::function<void()>& then = {});
    void note_later(const RunPtr& run, const RemoteTarget& target);
    void leave(const RunPtr& run, const RemoteTarget& target);
    void remember(const RunPtr& run, const RemoteTarget& target, Instant due_at);
    void not_found(const RunPtr& run);
    void complete(const RunPtr& run, const RunReport& report);
    void submit_end(const RunPtr& run, const CompleteExecution& command);
    void end_answered(const RunPtr& run, const CompleteExecution& command,
                      const Result<Execution>& result);
    void forget(const RunPtr& run);

    using Lane = RemoteTarget::Lane;

    RemoteContext& context_;
    std::map<std::string, std::deque<Look>> lines_;  // By target.
    std::map<ExecutionId, RunPtr> tracked_;
    std::size_t reserved_ = 0;
    std::size_t turned_away_ = 0;  // Runs that would have liked a place.
    LeftRuns left_;
    MissingRuns missing_;
    ClosedRunLister lister_;
    bool is_stopped_ = false;
};

}  // namespace millrace
