#pragma once

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dispatch/job_broker.hpp"
#include "simulator/actor.hpp"
#include "simulator/open_calls.hpp"
#include "simulator/shared_store.hpp"
#include "simulator/sim_replica.hpp"
#include "simulator/swarm.hpp"
#include "simulator/trace.hpp"
#include "store/database.hpp"

namespace millrace::sim {

// What callers of a replica that died get to hear.
inline Error gone() {
    return {ErrorCode::commit_unknown, "gone"};
}
inline bool is_gone(const Error& error) {
    return error == gone();
}

// What a call says of itself, beside its request.
struct CallInfo {
    int replica = 0;
    WorkspaceId workspace_id{};
    std::vector<Id128> ids{};
    std::optional<std::string> idempotency_key{};
};

// Everything there is in a run: one store, its true time, the replicas on it, those outside, and
// those who look. One thread; nothing happens by itself.
class World {
public:
    // `inner` is empty and outlives the world.
    World(std::uint64_t seed, Swarm swarm, Database& inner);
    ~World();

    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void add_actor(Actor& actor) { actors_.push_back(&actor); }
    void add_observer(Observer& observer);

    // --- For actors.
    Instant now() const { return store_.now(); }
    // The time that the store's rows go by: its own, or that of the one process that has it.
    Instant store_time();
    const Swarm& swarm() const { return swarm_; }
    Trace& trace() { return trace_; }
    int replica_count() const { return static_cast<int>(replicas_.size()); }
    SimReplica& replica(int number) { return *replicas_.at(static_cast<std::size_t>(number)); }
    // Those that accept calls.
    std::vector<int> replicas_up() const;
    // The rows as they are, without faults.
    Reader& reader() { return *reader_; }
    bool is_healing() const { return is_healing_; }

    // Sends a command as a handler of the REST API does. `done` is called once; with commit_unknown
    // when the replica dies first. Nothing happens when the replica is not up.
    template <class Request>
    void submit(const CallInfo& info, Request request,
                std::function<void(Result<AnswerOf<Request>>)> done = {});
    // The same for several at once, which may share a commit.
    template <class Request>
    std::unique_ptr<Command> make_command(const CallInfo& info, Request request,
                                          std::function<void(Result<AnswerOf<Request>>)> done = {});
    void push(int replica, std::vector<std::unique_ptr<Command>> commands);
    // The same for a poll.
    using Jobs = std::vector<DeliveredJob>;
    std::optional<JobBroker::PollId> poll(CallInfo info, PollJobs request,
                                          std::function<void(Result<Jobs>)> done);
    // The same for a question.
    template <class Request>
    void ask(int replica, Request request,
             std::function<void(decltype(read(request, std::declval<Reader&>())))> done);

    // --- For those who run it.
    // Starts all replicas and lets the actors enter.
    void begin();
    void run(const EventPlan& plan);
    // Ends all faults, then lets good users and workers end what there is.
    void heal();
    // What an observer has found, or this world itself; empty while all is well.
    const std::optional<std::string>& violation() const { return violation_; }
    std::uint64_t steps() const { return steps_; }
    OpenCalls& calls() { return calls_; }
    const std::vector<Actor*>& actors() const { return actors_; }
    // Told of each call that is over, with the faults that its replica has met meanwhile.
    using CallNote = std::function<void(const Told& told, const std::vector<Fault>& faults)>;
    void on_call_end(CallNote note) { call_note_ = std::move(note); }

    // One round of one loop, or the way to the next moment when none can run. False when nothing
    // would happen before `until`.
    bool step(Instant until);
    // Rounds of other loops, of any replica, in the midst of one.
    void interleave();
    void fail(std::string sentence);

private:
    struct Runnable {
        SimReplica* replica = nullptr;
        std::size_t loop = 0;
    };

    bool run_one();
    void run_until(Instant until);
    std::optional<Instant> next_at();
    void act(const Event& event);
    bool help();
    void tell_rest();
    void check();
    void note_call_end(const Told& told, const OpenCalls::FaultCounts& before);
    std::uint64_t begin_call(const CallInfo& info, std::string_view command, std::any request,
                             std::function<void()> lost);

    const Swarm swarm_;
    SimRandom schedule_;  // Which loop is next, and what a step costs.
    Trace trace_{};
    SharedStore store_;
    std::unique_ptr<Reader> reader_;
    OpenCalls calls_{};
    CallNote call_note_{};
    std::vector<Actor*> actors_{};
    std::vector<Observer*> observers_{};
    std::vector<std::unique_ptr<SimReplica>> replicas_{};
    std::vector<Runnable> runnable_{};  // Kept for their memory.
    std::vector<std::size_t> places_{};
    std::optional<std::string> violation_{};
    std::uint64_t steps_ = 0;
    bool is_healing_ = false;
    bool is_interleaved_ = false;
};

template <class Request>
std::unique_ptr<Command> World::make_command(const CallInfo& info, Request request,
                                             std::function<void(Result<AnswerOf<Request>>)> done) {
    using Answer = AnswerOf<Request>;
    if (!done)
        done = [](const Result<Answer>&) {
        };
    const std::uint64_t number =
        begin_call(info, Request::kName, request, [done] { done(gone()); });
    return CommandQueue::make_command(
        std::move(request), [this, number, done = std::move(done)](const Result<Answer>& answer) {
            const Outcome outcome = answer ? Outcome{Outcome::Kind::ok}
                                           : Outcome{Outcome::Kind::error, answer.error().code};
            std::any told = answer ? std::any(*answer) : std::any(answer.error());
            if (calls_.end(number, store_time(), outcome, std::move(told))) done(answer);
        });
}

template <class Request>
void World::submit(const CallInfo& info, Request request,
                   std::function<void(Result<AnswerOf<Request>>)> done) {
    if (!replica(info.replica).is_up()) return;
    std::vector<std::unique_ptr<Command>> one;
    one.push_back(make_command(info, std::move(request), std::move(done)));
    push(info.replica, std::move(one));
}

template <class Request>
void World::ask(int number, Request request,
                std::function<void(decltype(read(request, std::declval<Reader&>())))> done) {
    Node* node = replica(number).node();
    if (node != nullptr) node->queries().submit(std::move(request), std::move(done));
}

}  // namespace millrace::sim
