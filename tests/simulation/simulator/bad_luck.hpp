#pragma once

#include "simulator/actor.hpp"
#include "simulator/swarm.hpp"

namespace millrace::sim {

// Whatever goes wrong by itself: calls of stores, processes, machines.
class BadLuck final : public Actor {
public:
    explicit BadLuck(const Swarm& swarm) : swarm_(swarm) {}

    std::string_view name() const override { return "bad luck"; }
    int weight() const override { return swarm_.fault_weight; }
    void act(const Event& event, World& world) override;

private:
    const Swarm& swarm_;
};

}  // namespace millrace::sim
