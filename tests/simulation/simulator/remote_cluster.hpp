#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "executor/remote_executor.hpp"
#include "simulator/actor.hpp"
#include "simulator/invariants.hpp"
#include "simulator/observer.hpp"
#include "simulator/swarm.hpp"

namespace millrace::sim {

class RemoteLink;

// Clusters that run executions elsewhere: they answer, lose, delay and refuse what they are asked,
// and their runs end when it pleases them. One object for all targets and all replicas. It knows
// what really has become of each run, and holds the rows to that.
class RemoteCluster final : public Actor, public Observer {
public:
    RemoteCluster(const Swarm& swarm, std::uint64_t seed);
    ~RemoteCluster() override;

    std::string_view name() const override { return "cluster"; }
    int weight() const override { return swarm_.cluster_weight; }
    void enter(World& world) override { world_ = &world; }
    void act(const Event& event, World& world) override;
    void equip(Node::Options& options, int replica, World& world) override;
    bool help(World& world) override;

    void on_applied(const Writes& writes, Instant store_now, int replica) override;
    void on_claimed(const std::vector<DeliveredJob>&, Instant, int) override {}
    void on_asked(const Told&) override {}
    void on_told(const Told&) override {}
    std::optional<std::string> violation() const override { return findings_.first(); }
    void compare(Reader&, Instant) override {}
    void at_end(Reader& reader, Instant store_now) override;

    // How a run ended, for those who report it; empty while it runs, or when there is none.
    std::optional<RunReport> ended_run(const Execution& execution) const;

private:
    friend class RemoteLink;

    enum class Weather { fine, refusing, silent };

    struct Run {
        ExecutionKey execution{};
        std::string run_id{};
        RunState state = RunState::running;
        Instant closed_at{};
        bool is_cancel_wanted = false;
    };

    // Something that is on its way to one replica.
    struct Call {
        const RemoteLink* link = nullptr;
        std::optional<Instant> due_at{};  // Empty: never answered.
        Instant deadline{};
        std::function<void()> answer{};
        std::function<void()> time_out{};
        std::string awaited{};  // Answered at the end of this run, too.
    };

    using RunKey = std::pair<std::string, std::string>;  // Target and workflow id.

    Instant now() const;
    void deliver();
    void forget(const RemoteLink& link);
    void send(Call call);
    bool is_lost();
    std::optional<Duration> draw_delay();
    Run* find(const std::string& target, const std::string& workflow_id);
    const Run* find(const Execution& execution) const;
    StartAnswer start_run(const std::string& target, const StartRun& request);
    RunReport report(const std::string& target, const ExecutionKey& execution, const RunRef& ref);
    void end(Run& run, RunState state);
    void end_some_run(SimRandom& random);
    void change_weather(SimRandom& random);
    void check(const Execution& execution);

    const Swarm& swarm_;
    World* world_ = nullptr;
    SimRandom random_;  // What becomes of calls.
    std::map<std::string, Weather> weather_;
    std::map<RunKey, Run> runs_;
    std::vector<Call> calls_;
    std::set<ExecutionKey> given_up_;
    int runs_begun_ = 0;
    bool is_good_ = false;  // All faults are over.
    Findings findings_;
};

// One replica's way to one target. Dies with its node.
class RemoteLink final : public RemoteExecutor {
public:
    RemoteLink(RemoteCluster& cluster, std::string target)
        : cluster_(cluster), target_(std::move(target)) {}
    ~RemoteLink() override { cluster_.forget(*this); }

    void start(const StartRun& request, Duration timeout,
               std::function<void(StartAnswer)> done) override;
    void describe(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                  std::function<void(CallResult<RunReport>)> done) override;
    void await_end(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                   std::function<void(CallResult<RunReport>)> done) override;
    void cancel(const RunRef& run, const std::string& reason, bool is_forced, Duration timeout,
                std::function<void(CallResult<bool>)> done) override;
    void describe_namespace(const std::string& name_space, Duration timeout,
                            std::function<void(CallResult<NamespaceReport>)> done) override;
    void list_closed(const std::string& name_space, Instant since, const std::string& page,
                     Duration timeout, std::function<void(CallResult<ClosedRuns>)> done) override;
    void stop() override;

private:
    template <class Answer>
    void ask(Duration timeout, std::function<void(CallResult<Answer>)> done,
             std::function<Answer()> compute);

    RemoteCluster& cluster_;
    const std::string target_;
};

}  // namespace millrace::sim
