#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "store/memory/memory_database.hpp"
#include "support/remote_node.hpp"

namespace millrace {

using Weather = ScriptedCluster::Weather;

// A store, a cluster named `main` and one process, in which a definition runs there.
class RemoteWorld : public testing::Test {
protected:
    explicit RemoteWorld(RemoteSettings settings = {.owner = kOwner})
        : settings_(std::move(settings)), node_(database_, clock_, executors(), settings_) {
        node_.upload();
    }

    RemoteRuns::Executors executors() { return {{"main", &cluster_}}; }

    // Another process on the same store.
    RemoteNode& add_node(const std::string& owner) {
        RemoteSettings settings = settings_;
        settings.owner = owner;
        others_.push_back(
            std::make_unique<RemoteNode>(database_, clock_, executors(), std::move(settings)));
        return *others_.back();
    }

    void settle() {
        node_.settle();
        for (const auto& other : others_) other->settle();
    }

    // Lets time pass in steps, so that everything happens when it is due.
    void advance(Duration time, Duration step = 1s) {
        for (Duration passed{}; passed < time; passed += step) {
            clock_.advance(std::min(step, time - passed));
            cluster_.pass_time();
            settle();
        }
    }

    // One that runs, as far as everybody knows.
    ExecutionKey running(std::uint64_t number) {
        const ExecutionKey key = node_.enqueue(number);
        settle();
        EXPECT_EQ(node_.status(key), "DISPATCHED");
        return key;
    }

    std::int64_t active() {
        const auto queue = node_.reader().queue({"default"});
        EXPECT_TRUE(queue && *queue);
        return (*queue)->counts.claimed + (*queue)->counts.dispatched;
    }

    FakeClock clock_{kNoon};
    MemoryDatabase database_;
    ScriptedCluster cluster_{clock_};
    const RemoteSettings settings_;
    RemoteNode node_;
    std::vector<std::unique_ptr<RemoteNode>> others_;
};

}  // namespace millrace
