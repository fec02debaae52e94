#pragma once

#include <string_view>

#include "node/node.hpp"
#include "simulator/event.hpp"

namespace millrace::sim {

class World;

// Somebody outside who does things to the world: a user, a worker, a cluster of others, bad luck.
// What an event does comes from its seed and from what the actor knows; an actor that finds nothing
// to do does nothing.
class Actor {
public:
    virtual ~Actor() = default;

    virtual std::string_view name() const = 0;
    // Its part of all events, against that of the others. 0: it is not there in this run.
    virtual int weight() const = 0;

    // Once, before the first event, when all replicas are up.
    virtual void enter(World&) {}
    virtual void act(const Event& event, World& world) = 0;

    // A replica is about to start: for what a node is given, such as its executors. An executor
    // dies with its node: it must drop the calls under way and call nobody then.
    virtual void equip(Node::Options&, int /*replica*/, World&) {}

    // All faults are over. Called again and again, every few seconds of virtual time, until the
    // world is at rest: does what a good user or worker does, at the end for each thing that waits.
    // True when there was something to do.
    virtual bool help(World&) { return false; }
};

}  // namespace millrace::sim
