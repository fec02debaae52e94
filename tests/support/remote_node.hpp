#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commit/command_queue.hpp"
#include "core/explain/explain_execution.hpp"
#include "dispatch/job_broker.hpp"
#include "engine/upload_definition.hpp"
#include "queue/batch_dispatcher.hpp"
#include "queue/cancel_execution.hpp"
#include "queue/enqueue_execution.hpp"
#include "queue/locked_rounds.hpp"
#include "queue/remote_runs.hpp"
#include "queue/remote_settings.hpp"
#include "store/database.hpp"
#include "support/executions.hpp"
#include "support/instance_driver.hpp"
#include "support/scripted_cluster.hpp"
#include "support/told_listener.hpp"

namespace millrace {

// The node of one process without its threads, with clusters to run things elsewhere: a test calls
// the loops and moves the clock.
class RemoteNode {
public:
    static constexpr const char* kDefinition = R"({"id": "order", "name": "Order",
        "executor": {"kind": "temporal", "target": "main", "namespace": "orders",
                     "taskQueue": "q", "workflowType": "Order"},
        "steps": [{"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "x", "nextStep": "z"},
                  {"id": "z", "name": "Z", "type": "END"}]})";

    // For dispatcher.mode single: who hears of its rounds.
    struct Single {
        BatchListener& batches;
        LockListener& locks;
    };

    // The executors outlive this.
    RemoteNode(Database& database, FakeClock& clock, const RemoteRuns::Executors& executors,
               RemoteSettings settings = {.owner = kOwner}, std::optional<Single> single = {});
    ~RemoteNode();

    Reader& reader() { return *reader_; }
    ToldListener& told() { return told_; }
    CommandQueue& commands();
    JobBroker& broker();
    // What is known of the clusters.
    TargetFacts targets() const;
    int batches() const;  // Tried so far.

    std::function<bool()> fails_to_read{};  // Asked at each read of a loop; empty: none fails.
    // Which of its loops are called.
    bool dispatches = true;
    bool attends = true;
    bool starts = true;  // What it has claimed for clusters, and all else about them.

    template <class Request>
    auto run(Request request) {
        using Answer = typename PendingCommand<Request>::Answer;
        std::optional<Result<Answer>> answer;
        commands().submit(std::move(request),
                          [&](Result<Answer> result) { answer = std::move(result); });
        commit_until([&] { return answer.has_value(); });
        EXPECT_TRUE(answer) << "not answered";
        return answer ? *answer : Result<Answer>(Error{});
    }

    void upload(std::string_view document = kDefinition,
                const WorkspaceId& workspace_id = {"default"});
    ExecutionKey enqueue(std::uint64_t number, std::string_view input = "{}");
    Result<CancelledExecution> cancel(const ExecutionKey& key, bool is_forced = false);

    Execution execution(const ExecutionKey& key) { return stored(key).execution; }
    StoredExecution stored(const ExecutionKey& key);
    std::string status(const ExecutionKey& key);

    // Does everything that is to be done now. `goes_on` is asked after each step of each loop:
    // where it says no, the process stands still between two steps, for good.
    void settle(const std::function<bool()>& goes_on = [] { return true; });

    // As a server that ends. `meanwhile` is called when it starts nothing more elsewhere, and
    // before anything else has ended.
    void stop(const std::function<void()>& meanwhile = {});

private:
    struct Process;

    void commit_until(const std::function<bool()>& is_over);

    ToldListener told_;
    std::unique_ptr<Process> process_;
    std::unique_ptr<Reader> reader_;
};

}  // namespace millrace
