#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/queue/execution.hpp"

namespace millrace {

// Names a run in the cluster of one target. Without a run id: the latest one of that workflow.
struct RunRef {
    std::string name_space{};
    std::string workflow_id{};
    std::string run_id{};

    friend bool operator==(const RunRef&, const RunRef&) = default;
};

struct StartRun {
    ExecutionKey execution{};
    DefinitionRef definition{};
    ExecutorSpec spec{};
    std::string payload{};       // One JSON text, see core/queue/run_payload.hpp.
    std::string trace_parent{};  // Empty for none.
};

// What came of asking for a start (docs/life_of_an_execution.md, section 7).
enum class StartOutcome {
    started,      // Or already started, by us.
    refused,      // An error that counts as an attempt.
    conflict,     // Somebody else's run has that id.
    unreachable,  // Nothing was started, and nothing is wrong with the request: wait.
    unknown,      // It may or may not have happened.
};

struct StartAnswer {
    StartOutcome outcome = StartOutcome::unknown;
    std::string run_id{};
    std::string
        code{};  // The status code's name: UNAVAILABLE, INVALID_ARGUMENT …; empty when started.
    std::string reason{};   // INVALID_REQUEST, NAMESPACE_NOT_FOUND, PERMISSION_DENIED …
    std::string message{};  // Without anything of the input.
};

enum class RunState { running, completed, failed, timed_out, cancelled, terminated };

struct RunReport {
    // Not there: it never started, or it is long forgotten.
    bool is_found = false;
    bool is_ours = false;  // Its memo names the execution.
    RunState state = RunState::running;
    std::string
        run_id{};  // Of the run that this is about: the last of those that follow each other.
    std::string result{};   // Of a completed one: JSON text; empty for none.
    std::string message{};  // Of a failed one.
};

// A call that failed: nothing is known. `is_unreachable` counts for the breaker.
struct CallFailure {
    bool is_unreachable = false;
    std::string code{};
    std::string message{};
};

template <class Answer>
struct CallResult {
    std::optional<Answer> answer{};
    CallFailure failure{};
};

struct NamespaceReport {
    bool is_found = false;
    Duration retention{};
};

struct ClosedRuns {
    std::vector<std::string> workflow_ids{};
    std::string next_page{};  // Empty at the end.
};

// One target: a cluster somewhere else that runs executions. Calls do not block: each has a
// deadline, and `done` is called exactly once, on a thread of the executor's own. After stop()
// everything under way ends with a failure or, for a start, unknown. Thread-safe.
class RemoteExecutor {
public:
    virtual ~RemoteExecutor() = default;

    virtual void start(const StartRun& request, Duration timeout,
                       std::function<void(StartAnswer)> done) = 0;

    // Follows runs that continue as new, are retried or repeated, to the last one.
    virtual void describe(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                          std::function<void(CallResult<RunReport>)> done) = 0;

    // The same, but waits until the run is over, at most `timeout`: then it is reported as running.
    virtual void await_end(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                           std::function<void(CallResult<RunReport>)> done) = 0;

    // Asks the run to stop, or ends it when `is_forced`. A run that is over or not there is fine.
    virtual void cancel(const RunRef& run, const std::string& reason, bool is_forced,
                        Duration timeout, std::function<void(CallResult<bool>)> done) = 0;

    virtual void describe_namespace(const std::string& name_space, Duration timeout,
                                    std::function<void(CallResult<NamespaceReport>)> done) = 0;

    // Runs of ours that ended at or after `since`: it only nominates, the index behind it lags.
    virtual void list_closed(const std::string& name_space, Instant since, const std::string& page,
                             Duration timeout,
                             std::function<void(CallResult<ClosedRuns>)> done) = 0;

    virtual void stop() = 0;
};

}  // namespace millrace
