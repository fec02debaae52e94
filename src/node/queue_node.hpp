#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "core/explain/explain_execution.hpp"
#include "node/duty_watch.hpp"
#include "node/loop_set.hpp"
#include "node/node_context.hpp"
#include "node/queue_listener.hpp"
#include "node/queue_listeners.hpp"
#include "node/single_mode.hpp"
#include "queue/dispatcher.hpp"
#include "queue/remote_runs.hpp"
#include "runtime/loop_runner.hpp"
#include "scheduler/due_loop.hpp"

namespace millrace {

// The execution queue of one process: the dispatcher, the runs elsewhere and what falls due. A part
// of Node.
class QueueNode {
public:
    struct Options {
        bool is_enabled = true;  // Else executions are accepted and kept, and none is let in.
        Dispatcher::Config dispatcher{};
        RemoteSettings remote{};
        std::optional<SingleMode::Options> single{};  // Instead of the dispatcher.
        std::map<std::string, std::unique_ptr<RemoteExecutor>> executors{};  // By target.
        // Who else wants to hear what becomes of executions. They outlive this.
        std::vector<DispatcherListener*> dispatcher_listeners{};
        std::vector<RemoteRunsListener*> run_listeners{};
    };

    // Adds its loops to `loops`.
    QueueNode(const NodeContext& context, CommandQueue& commands, LoopSet& loops, Options options);

    // What was committed in this process, or perhaps was.
    void on_commit(const Writes& writes);
    void hear(const std::vector<WorkspaceId>& workspaces);
    void hear_of_anything();

    // What an explanation has to know of this process.
    ProcessFacts facts() const;

    // What is under way is let go of, or goes on elsewhere when `give_up_at` comes first.
    void stop(runtime::LoopRunner& runner, Instant give_up_at);

private:
    using DueExecutions = DueLoop<ExecutionKey>;

    std::unique_ptr<SingleMode> single_mode(LoopSet& loops);
    Round remote_round();
    void note_due(const Execution& execution);
    void measure();

    const NodeContext context_;
    CommandQueue& commands_;
    const Options options_;
    std::atomic<Instant> waits_until_{Instant{}};  // For what is under way; only while it stops.
    runtime::Loop& dispatcher_loop_;
    runtime::Loop& ready_loop_;
    runtime::Loop& attention_loop_;
    runtime::Loop& remote_loop_;
    runtime::Loop& gauge_loop_;
    QueueListener listener_;
    DispatcherListeners dispatcher_listeners_;
    RemoteRunsListeners run_listeners_;
    std::unique_ptr<Reader> ready_reader_;
    std::unique_ptr<Reader> gauge_reader_;
    std::unique_ptr<Reader> attention_reader_;
    std::unique_ptr<Reader> remote_reader_;
    RemoteRuns remote_;
    Dispatcher dispatcher_;
    DutyWatch ready_watch_;
    DueExecutions ready_;
    DueExecutions attention_;
    std::unique_ptr<SingleMode> single_;  // Null: the dispatcher runs.
};

}  // namespace millrace
