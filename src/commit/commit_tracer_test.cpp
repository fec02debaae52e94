#include "commit/commit_tracer.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "engine/change_variables.hpp"
#include "store/memory/memory_database.hpp"
#include "support/counting_random.hpp"
#include "support/faulty_database.hpp"
#include "support/kept_spans.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

using observe::Span;
using observe::SpanStatus;

constexpr TraceContext kRequest{1, 2, 3, true, true};
constexpr std::string_view kOneTask = R"({"id": "one", "name": "One", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";
constexpr std::string_view kChaining = R"({"id": "first", "name": "First",
    "autoStartNextWorkflow": true, "nextWorkflowId": "one",
    "steps": [{"id": "end", "name": "End", "type": "END"}]})";

class CommitTracerTest : public testing::Test {
protected:
    void listen(TestNode& node) {
        node.upload(kOneTask);
        node.listener().note_batch_end = [this](const BatchEnd& batch) {
            commit_tracer_.on_batch_end(batch);
        };
    }

    StartInstance starting(std::uint64_t random, std::string definition_id = "one") {
        return {.key = {{Id128::for_instance(kNoon, random)}, kWorkspace},
                .definition_id = std::move(definition_id),
                .trace = kRequest};
    }

    void submit_start(TestNode& node, std::uint64_t random, std::string definition_id = "one") {
        node.queue().submit(starting(random, std::move(definition_id)),
                            [](const Result<Instance>&) {},
                            {.request = kRequest, .submitted_at = kNoon});
    }

    const Span* find(std::string_view name) const {
        const auto found = std::ranges::find(sink_.spans, name, &Span::name);
        return found == sink_.spans.end() ? nullptr : &*found;
    }

    static std::string text_of(const Span& span, std::string_view name) {
        const auto found = std::ranges::find(span.attributes, name, &observe::SpanAttribute::name);
        return found == span.attributes.end() ? "" : std::get<std::string>(found->value);
    }
    static std::int64_t number_of(const Span& span, std::string_view name) {
        const auto found = std::ranges::find(span.attributes, name, &observe::SpanAttribute::name);
        return found == span.attributes.end() ? -1 : std::get<std::int64_t>(found->value);
    }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
    KeptSpans sink_{};
    CountingRandom random_{100};
    observe::Tracer tracer_{sink_, random_, 1};
    CommitTracer commit_tracer_{tracer_};
};

TEST_F(CommitTracerTest, TellsOfCommandsBelowTheirRequestAndLinksTheirBatch) {
    TestNode node(database_, clock_);
    listen(node);
    submit_start(node, 1);
    submit_start(node, 2, "nothing");
    node.commit();
    ASSERT_EQ(sink_.spans.size(), 3u);

    const Span& command = sink_.spans[0];
    EXPECT_EQ(command.name, "instance.start");
    EXPECT_EQ(command.context, kRequest.at(command.context.span_id));
    EXPECT_EQ(command.parent_span_id, kRequest.span_id);
    EXPECT_EQ(command.started_at, kNoon);
    EXPECT_EQ(text_of(command, "millrace.command.outcome"), "OK");
    EXPECT_EQ(text_of(command, "millrace.instance.id"), to_string(starting(1).key.id.value));

    const Span& refused = sink_.spans[1];
    EXPECT_EQ(text_of(refused, "millrace.command.outcome"), "REFUSED");
    EXPECT_EQ(refused.status, SpanStatus::unset);

    const Span& batch = sink_.spans[2];
    EXPECT_EQ(batch.name, "batch");
    EXPECT_EQ(batch.links, (std::vector{command.context, refused.context}));
    EXPECT_NE(trace_id_text(batch.context), trace_id_text(kRequest));
    EXPECT_EQ(number_of(batch, "millrace.batch.commands"), 2);
    EXPECT_EQ(number_of(batch, "millrace.batch.tries"), 1);
}

TEST_F(CommitTracerTest, TellsOfJobsAndInstancesWhenTheyAreOver) {
    TestNode node(database_, clock_);
    listen(node);
    submit_start(node, 1);
    node.commit();
    sink_.spans.clear();
    const std::vector<DeliveredJob> jobs = node.poll("t");
    ASSERT_EQ(jobs.size(), 1u);
    const auto worker_sees = parse_trace_parent(jobs[0].job.trace_parent);
    ASSERT_TRUE(worker_sees);

    clock_.advance(5s);
    ASSERT_TRUE(node.run(CompleteJob{.job = jobs[0].job.key}));
    ASSERT_EQ(sink_.spans.size(), 2u);
    const Span* job = find("job a");
    const Span* instance = find("instance one");
    ASSERT_TRUE(job != nullptr && instance != nullptr);
    EXPECT_EQ(job->context.span_id, worker_sees->span_id);
    EXPECT_EQ(job->parent_span_id, instance->context.span_id);
    EXPECT_EQ(job->started_at, kNoon);
    EXPECT_EQ(job->ended_at, kNoon + 5s);
    EXPECT_EQ(text_of(*job, "millrace.job.status"), "COMPLETED");
    EXPECT_EQ(instance->parent_span_id, kRequest.span_id);
    EXPECT_EQ(instance->ended_at, kNoon + 5s);
    EXPECT_EQ(text_of(*instance, "millrace.instance.status"), "COMPLETED");
}

TEST_F(CommitTracerTest, TellsOfAnEndOnce) {
    TestNode node(database_, clock_);
    listen(node);
    submit_start(node, 1);
    node.commit();
    ASSERT_TRUE(node.run(FailJob{.job = node.poll("t").at(0).job.key, .retryable = false}));
    const Span* job = find("job a");
    ASSERT_NE(job, nullptr);
    EXPECT_EQ(job->status, SpanStatus::error);
    EXPECT_EQ(find("instance one")->status, SpanStatus::error);

    sink_.spans.clear();
    clock_.advance(1s);
    ASSERT_TRUE(
        node.run(ChangeVariables{.instance = starting(1).key, .changes = json_of(R"({"a":1})")}));
    EXPECT_TRUE(sink_.spans.empty());
}

TEST_F(CommitTracerTest, PutsAChainedInstanceBelowTheOneThatEnded) {
    TestNode node(database_, clock_);
    listen(node);
    node.upload(kChaining);
    submit_start(node, 1, "first");
    node.commit();
    const Span* first = find("instance first");
    ASSERT_NE(first, nullptr);
    ASSERT_TRUE(node.run(CompleteJob{.job = node.poll("t").at(0).job.key}));
    const Span* chained = find("instance one");
    ASSERT_NE(chained, nullptr);
    EXPECT_EQ(chained->parent_span_id, find("instance first")->context.span_id);
}

TEST_F(CommitTracerTest, SaysHowOftenABatchWasTriedAndThatItFailed) {
    FaultPlan plan{.first = 3, .count = 1'000};
    FaultyDatabase faulty(database_, plan);
    TestNode node(faulty, clock_);
    listen(node);
    submit_start(node, 1);
    node.commit_once();
    node.give_up();
    const Span* batch = find("batch");
    ASSERT_NE(batch, nullptr);
    EXPECT_EQ(number_of(*batch, "millrace.batch.tries"), 2);
    EXPECT_EQ(batch->status, SpanStatus::error);
    EXPECT_EQ(find("instance.start")->status, SpanStatus::error);
}

TEST_F(CommitTracerTest, IsSilentOutsideOfTraces) {
    TestNode node(database_, clock_);
    listen(node);
    ASSERT_TRUE(node.start("one"));
    ASSERT_TRUE(node.run(CompleteJob{.job = node.poll("t").at(0).job.key}));
    EXPECT_TRUE(sink_.spans.empty());
}

}  // namespace
}  // namespace millrace
