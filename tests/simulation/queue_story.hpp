#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "queue/create_workspace.hpp"
#include "store/database.hpp"
#include "support/remote_node.hpp"

namespace millrace {

// One execution of a story, and how it is to end.
struct Part {
    std::string workspace{};
    std::string definition_id{};
    QueueStatus ends = QueueStatus::completed;
    std::string concurrency_key{};
    Duration not_before{};                      // Since the story began; zero for none.
    std::optional<Duration> cancelled_after{};  // The same. Its run does not end by itself.
};

// Three workspaces with hard limits, in which executions stand in line, share a key, are delayed,
// cancelled before and after their start, fail and complete.
std::vector<Part> native_parts();
std::vector<Part> remote_parts();

// What happens around the processes of a queue: users, who repeat what was not answered with
// success, a worker and a cluster, in steps of a second. It knows no process for longer than a
// second, so that processes may come and go. Names are those of its number: stories that are told
// one after the other in one database do not meet.
class QueueStory {
public:
    // `database` is for questions and to set the stage: nothing of that is part of the story.
    QueueStory(Database& database, FakeClock& clock, int number, std::vector<Part> parts);

    ScriptedCluster& cluster() { return cluster_; }
    RemoteRuns::Executors executors() { return {{"main", &cluster_}}; }

    // Calls of the cluster take a second from now on.
    void make_cluster_slow();
    // Nobody will hear of the calls under way, and the cluster has not heard of them either.
    void lose_calls() { cluster_.forget_held(); }

    // Lets a second pass, in which the process does all that it can. After each of its steps limits
    // are checked and `goes_on` is asked: where it says no, the process has stopped there.
    void pass_second(
        RemoteNode& process, const std::function<bool()>& goes_on = [] { return true; });

    // All wishes were granted and nothing is open.
    bool is_over();

    // Everything has ended as it should, with one run each, and no slot is left.
    void check();

    // Those of that executor are over, whatever the others are.
    void expect_over(ExecutorKind executor);
    // No start was refused in a way that counts.
    void expect_no_attempt();

private:
    struct Wish {
        Instant at{};
        std::function<void(CommandQueue&, std::function<void(bool)>)> ask{};
        bool is_granted = false;
    };
    struct HeldJob {
        DeliveredJob delivered{};
        Instant report_at{};
        bool is_reported = false;
    };

    void set_up();
    void make_wishes();
    Wish enqueueing(const Part& part, const ExecutionKey& key) const;

    ExecutionKey key_of(std::size_t part) const;
    WorkspaceId workspace_of(const std::string& name) const;
    const Part& part_of(const JobKey& job) const;

    void act(RemoteNode& process);
    void end_runs();
    void poll(RemoteNode& process);
    void report(RemoteNode& process, HeldJob& held);

    void check_limits();
    void check_part(std::size_t number);
    void check_run_here(const Part& part, const ExecutionKey& key);
    void check_run_elsewhere(const Part& part, const ExecutionKey& key);
    std::string told(const InstanceKey& key);

    FakeClock& clock_;
    const int number_;
    const std::vector<Part> parts_;
    const Instant began_at_;
    ScriptedCluster cluster_{clock_};
    bool is_cluster_slow_ = false;
    RemoteNode users_;  // Where the stage is set and questions are asked.
    std::vector<std::shared_ptr<Wish>> wishes_;
    std::shared_ptr<std::vector<HeldJob>> held_ = std::make_shared<std::vector<HeldJob>>();
    std::map<ExecutionKey, Instant> seen_running_;
};

}  // namespace millrace
