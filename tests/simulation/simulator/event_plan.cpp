#include "simulator/event_plan.hpp"

namespace millrace::sim {

namespace {

std::size_t draw_actor(SimRandom& random, const std::vector<std::unique_ptr<Actor>>& actors) {
    int sum = 0;
    for (const auto& actor : actors) sum += actor->weight();
    int rest = static_cast<int>(random.below(static_cast<std::size_t>(sum)));
    for (std::size_t place = 0; place < actors.size(); ++place) {
        rest -= actors[place]->weight();
        if (rest < 0) return place;
    }
    return 0;
}

}  // namespace

// Gaps are uneven: most are short, some are several times the mean.
EventPlan draw_plan(std::uint64_t seed, const Swarm& swarm,
                    const std::vector<std::unique_ptr<Actor>>& actors, Instant begin) {
    SimRandom random(seed_of(seed, "plan"));
    EventPlan plan;
    Instant at = begin;
    for (std::size_t number = 0; number < swarm.event_count; ++number) {
        const int stretch = random.chance(10) ? 8 : random.between(0, 2);
        at += random.between(Duration::zero(), swarm.gap_mean) * stretch;
        plan.push_back({.number = number,
                        .at = at,
                        .actor = draw_actor(random, actors),
                        .seed = random.next()});
    }
    return plan;
}

}  // namespace millrace::sim
