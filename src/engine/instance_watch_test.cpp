#include "engine/instance_watch.hpp"

#include <gtest/gtest.h>

#include "support/instances.hpp"

namespace millrace {
namespace {

TEST(InstanceWatch, TellsThoseConcernedUntilTheyLeave) {
    InstanceWatch watch;
    int first = 0;
    int second = 0;
    auto one = watch.watch(instance_key(1), [&] { ++first; });
    auto other = watch.watch(instance_key(1), [&] { ++second; });
    watch.on_commit({.instances_new = {waiting_instance(1)}});
    watch.on_commit({.instances_changed = {waiting_instance(2)}});
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 1);
    one.reset();
    watch.on_commit({.instances_changed = {waiting_instance(1)}});
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 2);
}

TEST(InstanceWatchTest, CallsWhoWatchesWhatAnotherReplicaHasChanged) {
    InstanceWatch watch;
    int calls = 0;
    const auto watching = watch.watch(instance_key(1), [&calls] { calls += 1; });
    watch.on_change(instance_key(2));
    EXPECT_EQ(calls, 0);
    watch.on_change(instance_key(1));
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace millrace
