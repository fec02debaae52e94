#include "simulator/bad_luck.hpp"

#include <array>
#include <chrono>

#include "simulator/world.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr Duration kSleepMost = 90s;  // Longer than any lease.
constexpr Duration kStormMost = 45s;  // Longer than a caller's patience.
constexpr Duration kJumpMost = 2h;

bool strikes_calls(Fault fault) {
    return fault != Fault::slept && fault != Fault::clock && fault != Fault::restarted;
}

void set_clock(SimRandom& random, SimReplica& replica) {
    LocalClock& machine = replica.machine();
    replica.weather().count(Fault::clock);
    switch (random.below(3)) {
        case 0: return machine.jump(random.between(-kJumpMost, kJumpMost));
        case 1: return machine.stop_wall();
        default: return machine.go_on();
    }
}

void put_to_sleep(SimRandom& random, SimReplica& replica, Instant now) {
    replica.weather().count(Fault::slept);
    constexpr std::array kWays{SimReplica::Sleep::process, SimReplica::Sleep::machine,
                               SimReplica::Sleep::paused_machine};
    replica.fall_asleep(now + random.between(100ms, kSleepMost), random.pick(kWays));
}

Weather::Strike draw_strike(SimRandom& random, Fault fault) {
    Weather::Strike strike{.fault = fault};
    if (random.chance(70)) {
        constexpr std::array kCalls{StoreCall::load,  StoreCall::extend,  StoreCall::apply,
                                    StoreCall::apply, StoreCall::resolve, StoreCall::look,
                                    StoreCall::claim, StoreCall::read,    StoreCall::cluster,
                                    StoreCall::lock,  StoreCall::hint};
        strike.call = random.pick(kCalls);
        if (!can_strike(fault, *strike.call)) strike.call.reset();
    }
    strike.skip = random.chance(50) ? 0 : random.between(1, 6);
    strike.count = random.chance(60) ? 1 : random.between(2, 12);
    if (fault == Fault::killed) strike.count = 1;
    return strike;
}

// A commit in doubt, and nobody to tell what became of it for longer than its caller waits.
void begin_doubt(SimRandom& random, Fault fault, Weather& weather) {
    weather.arm({.fault = fault, .call = StoreCall::apply});
    weather.arm({.fault = Fault::away, .call = StoreCall::resolve, .count = random.between(5, 80)});
}

Weather::Storm draw_storm(SimRandom& random, const std::vector<Fault>& faults, Instant now) {
    Weather::Storm storm{.percent = random.chance(30) ? 100 : random.between(5, 80),
                         .until = now + random.between(50ms, kStormMost),
                         .random = random.branch()};
    for (const Fault fault : faults) {
        // A process that dies again and again says nothing that the first time did not.
        if (strikes_calls(fault) && fault != Fault::killed) storm.faults.push_back(fault);
    }
    if (storm.faults.empty()) storm.percent = 0;
    return storm;
}

}  // namespace

void BadLuck::act(const Event& event, World& world) {
    SimRandom random(event.seed);
    SimReplica& replica = world.replica(random.between(0, world.replica_count() - 1));
    const Fault fault = random.pick(swarm_.faults);
    world.trace().add(world.now(), [&] {
        return "r" + std::to_string(replica.number()) +
               " has bad luck: " + std::string(to_string(fault));
    });
    if (fault == Fault::clock) return set_clock(random, replica);
    if (!replica.is_up()) return;
    if (fault == Fault::slept) return put_to_sleep(random, replica, world.now());
    if (fault == Fault::restarted) return random.chance(60) ? replica.kill() : replica.stop();
    if (random.chance(15)) {
        return replica.weather().begin(draw_storm(random, swarm_.faults, world.now()));
    }
    const bool is_doubt = fault == Fault::reply_lost || fault == Fault::commit_lost;
    if (is_doubt && random.chance(30)) return begin_doubt(random, fault, replica.weather());
    replica.weather().arm(draw_strike(random, fault));
}

}  // namespace millrace::sim
