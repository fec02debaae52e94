#include "core/instance/tracing.hpp"

#include <gtest/gtest.h>

#include "core/instance/state_text.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

constexpr const char* kParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
constexpr const char* kOneTask = R"([
    {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "type": "END"}])";

InstanceState traced(bool is_traced) {
    return {.trace_parent = kParent, .is_traced = is_traced};
}

TEST(InstanceTracing, GivesAJobASpanOfItsOwnInTheTraceOfItsInstance) {
    InstanceDriver run(flow(kOneTask));
    run.set_state(traced(true));
    ASSERT_TRUE(run.start());
    const Job& job = run.jobs().begin()->second;
    const auto context = parse_trace_parent(job.trace_parent);
    ASSERT_TRUE(context);
    EXPECT_EQ(trace_id_text(*context), "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(context->span_id, span_id_of(job.key.id.value));
    EXPECT_TRUE(context->is_sampled);

    const auto instance = trace_context_of(run.instance());
    ASSERT_TRUE(instance);
    EXPECT_EQ(instance->span_id, span_id_of(run.instance().key.id.value));
    EXPECT_NE(instance->span_id, context->span_id);
}

TEST(InstanceTracing, HandsOnWhatCameWhereNoSpanTellsOfIt) {
    InstanceDriver run(flow(kOneTask));
    run.set_state(traced(false));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.jobs().begin()->second.trace_parent, kParent);
    EXPECT_EQ(trace_context_of(run.instance()), std::nullopt);
}

TEST(InstanceTracing, KnowsOfNoTraceOutsideOfOne) {
    InstanceDriver run(flow(kOneTask));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.jobs().begin()->second.trace_parent, "");
}

// Servers of an earlier version read that text, and refuse what they do not know.
TEST(InstanceTracing, IsNoPartOfTheTextOfTheState) {
    EXPECT_EQ(state_text(traced(true)), state_text(InstanceState{}));
}

}  // namespace
}  // namespace millrace
