#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/instance_ids.hpp"
#include "node/node.hpp"
#include "runtime/loop_runner.hpp"
#include "runtime/store_clock.hpp"
#include "simulator/local_clock.hpp"
#include "simulator/shared_store.hpp"
#include "simulator/sim_database.hpp"
#include "simulator/weather.hpp"

namespace millrace::sim {

class World;

// One process: a machine with its clocks, and a node on it while it is up. The node is the one of
// the server; only clocks, random source, store and threads are simulated.
class SimReplica final : private runtime::LoopRunner {
public:
    SimReplica(int number, World& world, SharedStore& store, std::uint64_t seed);
    ~SimReplica() override;

    int number() const { return number_; }
    // Null while it is down.
    Node* node() { return life_ ? &life_->node : nullptr; }
    bool is_up() const { return life_ != nullptr; }
    // For those who call it: ids of new instances and of audit entries, as its handlers make them.
    InstanceId next_id() { return life_->ids.next(); }
    // Its own idea of the time.
    const Clock& clock() const { return life_->clock(); }

    LocalClock& machine() { return machine_; }
    Weather& weather() { return weather_; }

    void start();
    // At once, whatever it was doing.
    void kill();
    // In order: what waits is finished first, within some seconds.
    void stop();
    // No loop is called for a while: the process stands still, or its whole machine.
    enum class Sleep { process, machine, paused_machine };
    void fall_asleep(Instant until, Sleep how);
    // Ends what is wrong with the replica itself: it is awake, and its machine's clocks go on.
    void heal();
    // Starts or wakes it when its time has come.
    void come_back_if_due();

    // Places of the loops that can run now.
    void add_runnable(std::vector<std::size_t>& loops);
    // When the next one can, if none is woken before.
    std::optional<Instant> next_at();
    // One round. A replica that dies in it is down afterwards. Throws Killed when it dies in the
    // midst of another round of its own, which is then over, too.
    void run(std::size_t loop);

private:
    struct LoopState {
        runtime::Loop* loop = nullptr;
        bool is_woken = true;  // Threads begin with a round.
        std::optional<Instant> due_at{};
        std::optional<Instant> paused_until{};
        bool is_in_round = false;
        bool hears_hints = false;
    };

    // From one start to the next end.
    struct Life {
        Life(SimReplica& replica, std::uint64_t seed, bool is_shared);

        const Clock& clock() const;

        SimRandom random;
        const bool is_shared;
        runtime::StoreClock store_clock;
        SimDatabase database;
        InstanceIds ids;
        Node node;
    };

    void start(runtime::Loop& loop) override;
    void stop(runtime::Loop& loop) override;
    void finish(runtime::Loop& loop) override;

    void wake();
    Line line(Life& life);
    Node::Options options(Life& life);
    void end_life();
    bool is_in_round() const;
    LoopState& state_of(const runtime::Loop& loop);
    bool is_runnable(LoopState& state, Instant now);
    void run_loop(LoopState& state);
    void note_next(LoopState& state, const runtime::Loop::Next& next);

    const int number_;
    World& world_;
    SharedStore& store_;
    const std::uint64_t seed_;
    std::uint64_t lives_ = 0;
    LocalClock machine_;
    Weather weather_{};
    std::unique_ptr<Life> life_{};
    std::vector<LoopState> loops_{};
    Instant asleep_until_{};
    bool is_asleep_ = false;
    bool is_stopping_ = false;
    std::optional<Instant> start_at_{};
};

}  // namespace millrace::sim
