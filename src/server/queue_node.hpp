#pragma once

#include <functional>
#include <memory>

#include "core/explain/explain_execution.hpp"
#include "queue/dispatcher.hpp"
#include "queue/remote_runs.hpp"
#include "runtime/loop_thread.hpp"
#include "scheduler/due_loop.hpp"
#include "server/duty_watch.hpp"
#include "server/loop_health.hpp"
#include "server/queue_listener.hpp"
#include "server/single_mode.hpp"
#include "store/database.hpp"

namespace millrace {

// The execution queue of one process: the dispatcher and what falls due, each passive object with
// the thread that runs it. A part of Node.
class QueueNode {
public:
    struct Options {
        bool is_enabled = true;  // Else executions are accepted and kept, and none is let in.
        Dispatcher::Config dispatcher{};
        RemoteSettings remote{};
        std::optional<SingleMode::Options> single{};  // Instead of the dispatcher.
        std::map<std::string, std::unique_ptr<RemoteExecutor>> executors{};  // By target.
    };

    using NewHealth = std::function<LoopHealth&(std::string loop)>;

    QueueNode(Database& database, CommandQueue& commands, const Clock& clock,
              observe::Metrics& metrics, const observe::Tracer& tracer, observe::Log& log,
              Options options, const NewHealth& new_health);

    // What was committed in this process, or perhaps was.
    void on_commit(const Writes& writes);
    void hear(const std::vector<WorkspaceId>& workspaces);
    void hear_of_anything();

    // What an explanation has to know of this process.
    ProcessFacts facts() const;

    void start();
    void stop();

private:
    using Next = runtime::LoopThread::Next;
    using ReadyLoop = DueLoop<ExecutionKey>;

    std::unique_ptr<SingleMode> single_mode(Database& database, const NewHealth& new_health);

    Next dispatch();
    Next work_off(ReadyLoop& loop, LoopHealth& health);
    Next run_remote(LoopHealth& health);
    Next until(std::optional<Instant> at) const;
    void note_due(const Execution& execution);
    void measure();

    CommandQueue& commands_;
    const Clock& clock_;
    observe::Metrics& metrics_;
    const Options options_;
    QueueListener listener_;
    std::unique_ptr<Reader> ready_reader_;
    std::unique_ptr<Reader> gauge_reader_;
    std::unique_ptr<Reader> attention_reader_;
    std::unique_ptr<Reader> remote_reader_;
    RemoteRuns remote_;
    Dispatcher dispatcher_;
    DutyWatch ready_watch_;
    ReadyLoop ready_loop_;
    ReadyLoop attention_loop_;
    std::unique_ptr<SingleMode> single_;  // Null: the dispatcher runs.
    // Last: they end before what they use.
    runtime::LoopThread dispatcher_thread_;
    runtime::LoopThread ready_thread_;
    runtime::LoopThread attention_thread_;
    runtime::LoopThread remote_thread_;
    runtime::LoopThread gauge_thread_;
};

}  // namespace millrace
