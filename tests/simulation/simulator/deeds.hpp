#pragma once

#include <utility>
#include <vector>

#include "simulator/event.hpp"
#include "simulator/world.hpp"

namespace millrace::sim {

// One thing that somebody does: where it goes, and what decides about it.
struct Deed {
    World& world;
    SimRandom random;
    int replica = 0;
};

// What an actor may do, each as often as the run likes: in some runs much of one thing, in others
// none of it.
template <class Owner>
class Deeds {
public:
    using Action = void (Owner::*)(Deed&);
    struct Choice {
        int weight = 0;
        Action action = nullptr;
    };

    Deeds(std::vector<Choice> choices, SimRandom random) : choices_(std::move(choices)) {
        for (Choice& choice : choices_) {
            if (random.chance(25)) choice.weight *= 6;
            if (random.chance(10)) choice.weight = 0;
            sum_ += choice.weight;
        }
    }

    // To a replica that is up; nothing when there is none.
    void act(Owner& owner, const Event& event, World& world) const {
        SimRandom random(event.seed);
        const std::vector<int> up = world.replicas_up();
        if (up.empty() || sum_ == 0) return;
        Deed deed{world, random.branch(), random.pick(up)};
        int rest = random.between(0, sum_ - 1);
        for (const Choice& choice : choices_) {
            rest -= choice.weight;
            if (rest < 0) return (owner.*choice.action)(deed);
        }
    }

private:
    std::vector<Choice> choices_;
    int sum_ = 0;
};

}  // namespace millrace::sim
