#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "queue/admit_executions.hpp"
#include "queue/held_claims.hpp"
#include "queue/item_trace.hpp"
#include "queue/namespace_retentions.hpp"
#include "queue/remote_context.hpp"
#include "queue/run_watcher.hpp"
#include "queue/take_attention.hpp"
#include "store/queue_reader.hpp"

namespace millrace {

// Starts executions elsewhere: keeps their claims, has them wait for their turn at their target,
// asks for the start and writes the answer down. Who takes over a claim whose outcome is unknown
// asks first whether the run is there. Belongs to the thread of the context.
class RunStarter {
public:
    // QueueReader::execution, for the input of what is taken over.
    using ReadExecution = std::function<Result<std::optional<StoredExecution>>(ExecutionId id)>;

    RunStarter(RemoteContext& context, ReadExecution read_execution,
               NamespaceRetentions& retentions, RunWatcher& watcher);

    // `over` is called when its start is written down, or is somebody else's by now.
    void begin(ClaimedExecution claimed, std::function<void()> over);
    // One whose start may have happened.
    void recover(const TakenAttention& taken);

    bool holds(const ExecutionKey& key) const { return claims_.holds(key); }
    std::size_t waiting(const std::string& target) const;

    // Makes the calls that may be made now, and lets go of what waits for a target that is not
    // there. In two parts, so that others come in between: when one call tries a target, a question
    // is better than a start, whose outcome might get lost.
    void send_recoveries(Instant now);
    void send_starts(Instant now);

    void renew_claims(Instant now);
    std::optional<Instant> renews_at() const { return claims_.next_at(); }

    // Lets go of everything that waits. What is under way is written down if it ends in time.
    void stop();

    // Whether the store could not be read since the last time this was asked.
    bool take_trouble() { return std::exchange(is_store_away_, false); }

private:
    enum class Stage {
        waiting,    // For its turn at the target.
        renewing,   // Its lease is too short to begin anything; it waits when it has more.
        pausing,    // It will wait, a little later.
        calling,    // It has a place in the target's lane.
        recording,  // The answer is known.
    };

    // One claim, until its answer is written down. What is dropped is no task any more, but calls
    // that were under way for it still end.
    struct Task {
        Execution execution{};
        Variables input{};
        DefinitionPtr definition{};
        DispatchRules rules{};
        Stage stage = Stage::waiting;
        bool is_recovery = false;
        bool has_input = true;               // Of one that is recovered, only once it is needed.
        bool is_not_found = false;           // Its run, when it was first asked about.
        bool has_place = false;              // The watcher will wait for the end of its run.
        std::shared_ptr<ItemTrace> trace{};  // Null when no span tells of it.
        std::function<void()> over{};
    };
    using TaskPtr = std::shared_ptr<Task>;

    struct Line {
        std::deque<TaskPtr> recoveries{};
        std::deque<TaskPtr> starts{};
    };

    // run_starter.cpp
    void take_on(const TaskPtr& task);
    void enqueue(const TaskPtr& task);
    void enqueue_after(const TaskPtr& task, Duration pause);
    bool is_current(const TaskPtr& task) const;
    bool is_starting() const;
    static void end(Task& task);
    void drop(const TaskPtr& task);
    template <class Call>
    void send(RemoteTarget& target, std::deque<TaskPtr>& line, Instant now, const Call& call);
    bool can_begin(const Task& task, Instant now) const;
    void send_start(const TaskPtr& task, RemoteTarget& target);
    void start_answered(const TaskPtr& task, RemoteTarget& target, const StartAnswer& answer);
    void claims_renewed(const std::vector<RenewClaims::Held>& claims, Instant lease_until,
                        const Result<RenewedClaims>& renewed);

    // record_answers.cpp
    void let_go(std::deque<TaskPtr>& line, const StartAnswer& answer);
    void answered(const TaskPtr& task, const StartAnswer& answer);
    void record(const TaskPtr& task, StartAnswer answer);
    void recorded(const TaskPtr& task, const Result<RecordedStart>& result);
    static const std::string& name_space(const Task& task);

    // recover_starts.cpp
    void ask_for_run(const TaskPtr& task, RemoteTarget& target);
    void run_described(const TaskPtr& task, RemoteTarget& target,
                       const CallResult<RunReport>& result);
    void give_up_unwanted(const TaskPtr& task);
    void retention_told(const TaskPtr& task, RemoteTarget& target,
                        const CallResult<NamespaceReport>& result);
    void start_again(const TaskPtr& task, RemoteTarget& target, Duration retention);
    bool read_input(const TaskPtr& task);

    using Lane = RemoteTarget::Lane;
    static constexpr Duration kPauseAfterFailure = std::chrono::seconds{1};

    RemoteContext& context_;
    ReadExecution read_execution_;
    NamespaceRetentions& retentions_;
    RunWatcher& watcher_;
    HeldClaims claims_;
    std::map<ExecutionKey, TaskPtr> tasks_;
    std::map<std::string, Line> lines_;  // By target.
    bool is_stopped_ = false;
    bool is_store_away_ = false;
};

}  // namespace millrace
