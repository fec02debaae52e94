#include "simulator/run_seed.hpp"

#include "simulator/cast.hpp"
#include "simulator/event_plan.hpp"
#include "simulator/world.hpp"

namespace millrace::sim {

namespace {

Swarm swarm_of(std::uint64_t seed, const StoreKind& store) {
    Swarm swarm = draw_swarm(SimRandom(seed_of(seed, "swarm")));
    if (!store.is_waiting_for_nobody) std::erase(swarm.faults, Fault::interleaved);
    if (swarm.faults.empty()) swarm.fault_weight = 0;
    return swarm;
}

}  // namespace

SeedResult run_seed(std::uint64_t seed, const RunOptions& options) {
    const Swarm swarm = swarm_of(seed, options.store);
    const std::shared_ptr<Database> store = options.store.make();
    // Before the world: it calls them until its end.
    const auto observers = make_observers(swarm);
    const auto actors = make_actors(swarm, seed);
    World world(seed, swarm, *store);
    if (options.keeps_trace) world.trace().keep_lines();
    for (const auto& observer : observers) world.add_observer(*observer);
    if (options.observer != nullptr) world.add_observer(*options.observer);
    for (const auto& actor : actors) {
        world.add_actor(*actor);
        // Some know more than the rows tell.
        if (auto* observer = dynamic_cast<Observer*>(actor.get())) world.add_observer(*observer);
    }
    if (options.coverage != nullptr) {
        world.on_call_end([&](const Told& told, const std::vector<Fault>& faults) {
            options.coverage->note(told, faults);
        });
    }
    EventPlan plan = draw_plan(seed, swarm, actors, world.now());
    std::erase_if(plan, [&](const Event& event) { return options.without.contains(event.number); });

    world.begin();
    world.run(plan);
    if (!world.violation()) world.heal();
    return {.seed = seed,
            .violation = world.violation(),
            .steps = world.steps(),
            .events = plan.size(),
            .hash = world.trace().hash(),
            .trace = {world.trace().lines().begin(), world.trace().lines().end()}};
}

}  // namespace millrace::sim
