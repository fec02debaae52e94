#include "queue/round_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/counting_random.hpp"
#include "support/kept_spans.hpp"
#include "support/remote_world.hpp"

namespace millrace {
namespace {

using observe::Span;
using observe::SpanStatus;

constexpr const char* kNative = R"({"id": "plain", "name": "Plain", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";
constexpr TraceContext kEnqueuer{7, 8, 9, true, true};
constexpr TraceContext kUnsampled{7, 8, 9, false, false};

// What there is before a world that uses it.
struct Tracing {
    explicit Tracing(double ratio) : tracer(sink, random, ratio) {}

    KeptSpans sink{};
    // High bits, so that any ratio below one leaves out what begins here.
    CountingRandom random{0x00FF'FFFF'0000'0000u};
    observe::Tracer tracer;
};

class RoundTraceTest : protected Tracing, public RemoteWorld {
protected:
    explicit RoundTraceTest(double ratio = 1)
        : Tracing(ratio), RemoteWorld({.owner = kOwner, .tracer = &tracer}) {
        node_.upload(kNative);
        settle();
        sink.spans.clear();
    }

    ExecutionKey enqueue(std::uint64_t number, std::string definition_id,
                         const TraceContext& trace = {}) {
        const ExecutionKey key = execution_key(number);
        EXPECT_TRUE(node_.run(EnqueueExecution{
            .key = key,
            .definition_id = std::move(definition_id),
            .trace = trace,
        }));
        settle();
        return key;
    }

    std::vector<const Span*> all(std::string_view name) const {
        std::vector<const Span*> found;
        for (const Span& span : sink.spans) {
            if (span.name == name) found.push_back(&span);
        }
        return found;
    }
    const Span& one(std::string_view name) const {
        const auto found = all(name);
        EXPECT_EQ(found.size(), 1U) << name;
        static const Span kNone{};
        return found.empty() ? kNone : *found.front();
    }

    // Names, each below its parent, siblings in alphabetical order.
    std::string tree(std::uint64_t parent = 0, const std::string& indent = "") const {
        std::vector<std::string> parts;
        for (const Span& span : sink.spans) {
            if (span.parent_span_id != parent) continue;
            parts.push_back(indent + span.name + "\n" + tree(span.context.span_id, indent + "  "));
        }
        std::ranges::sort(parts);
        std::string text;
        for (const std::string& part : parts) text += part;
        return text;
    }

    static std::string text_of(const Span& span, std::string_view name) {
        const auto found = std::ranges::find(span.attributes, name, &observe::SpanAttribute::name);
        return found == span.attributes.end() ? "" : std::get<std::string>(found->value);
    }
    static std::int64_t number_of(const Span& span, std::string_view name) {
        const auto found = std::ranges::find(span.attributes, name, &observe::SpanAttribute::name);
        return found == span.attributes.end() ? -1 : std::get<std::int64_t>(found->value);
    }
};

TEST_F(RoundTraceTest, TellsOfWhatRunsHere) {
    const ExecutionKey key = enqueue(1, "plain", kEnqueuer);
    EXPECT_EQ(tree(), R"(flow:queue_processing
  step:claim_batch
    db:query
  step:process_item
    step:check_capacity
      db:query
      db:query
    step:dispatch_native
      db:insert
    step:mark_claimed
      db:update
    step:mark_dispatched
      db:update
  step:release_lock
)");
    const Span& flow = one("flow:queue_processing");
    EXPECT_EQ(number_of(flow, "millrace.queue.items"), 1);
    const Span& item = one("step:process_item");
    EXPECT_EQ(text_of(item, "millrace.execution.id"), to_string(key.id.value));
    EXPECT_EQ(text_of(item, "millrace.workspace.id"), "default");
    EXPECT_EQ(text_of(item, "millrace.definition.id"), "plain");
    EXPECT_EQ(text_of(item, "millrace.executor"), "native");
    EXPECT_EQ(text_of(item, "millrace.queue.outcome"), "DISPATCHED");
    ASSERT_EQ(item.links.size(), 1U);
    EXPECT_EQ(trace_parent_text(item.links.front()), trace_parent_text(kEnqueuer));
    for (const Span& span : sink.spans) {
        EXPECT_EQ(trace_id_text(span.context), trace_id_text(flow.context)) << span.name;
        EXPECT_LE(span.started_at, span.ended_at) << span.name;
        EXPECT_GE(span.started_at, flow.started_at) << span.name;
        EXPECT_LE(span.ended_at, flow.ended_at) << span.name;
    }
}

TEST_F(RoundTraceTest, TellsOfWhatRunsElsewhereUntilItIsWrittenDown) {
    cluster_.is_holding = true;
    const ExecutionKey key = enqueue(1, "order", kEnqueuer);
    EXPECT_TRUE(all("flow:queue_processing").empty()) << "an item of it is open";
    clock_.advance(2s);
    cluster_.is_holding = false;
    cluster_.release();
    settle();
    EXPECT_EQ(tree(), R"(flow:queue_processing
  step:claim_batch
    db:query
  step:process_item
    step:check_capacity
      db:query
      db:query
    step:dispatch_temporal
      temporal:start_workflow
    step:mark_claimed
      db:update
    step:mark_dispatched
      db:update
  step:release_lock
)");
    const Span& call = one("temporal:start_workflow");
    EXPECT_EQ(call.kind, observe::SpanKind::client);
    EXPECT_EQ(call.ended_at - call.started_at, Duration{2s});
    EXPECT_EQ(text_of(one("step:dispatch_temporal"), "millrace.executor.target"), "main");
    EXPECT_EQ(cluster_.run_of(key).request.trace_parent, trace_parent_text(kEnqueuer))
        << "the run goes on with the trace of its enqueuer";
}

TEST_F(RoundTraceTest, WhatHasNoTraceGoesOnInThatOfItsRound) {
    const ExecutionKey remote = enqueue(1, "order");
    const Span& call = one("temporal:start_workflow");
    EXPECT_EQ(cluster_.run_of(remote).request.trace_parent, trace_parent_text(call.context));
    EXPECT_TRUE(one("step:process_item").links.empty());
    sink.spans.clear();

    const ExecutionKey here = enqueue(2, "plain");
    const auto instance = node_.reader().instance({{here.id.value}, here.workspace_id});
    ASSERT_TRUE(instance && *instance);
    EXPECT_TRUE((*instance)->state.is_traced);
    EXPECT_EQ((*instance)->state.trace_parent,
              trace_parent_text(one("step:dispatch_native").context));
}

TEST_F(RoundTraceTest, ARoundIsToldOfOnceAndOnlyWhenItTakesSomethingUp) {
    for (std::uint64_t n = 1; n <= 3; ++n) {
        EXPECT_TRUE(node_.run(EnqueueExecution{.key = execution_key(n), .definition_id = "order"}));
    }
    settle();
    EXPECT_EQ(all("flow:queue_processing").size(), 1U);
    EXPECT_EQ(all("step:process_item").size(), 3U);
    EXPECT_EQ(number_of(one("flow:queue_processing"), "millrace.queue.items"), 3);
    sink.spans.clear();
    advance(1min);
    EXPECT_EQ(tree(), "") << "the net finds nothing";
}

struct OutcomeRow {
    const char* name;
    StartOutcome outcome;
    const char* code;
    const char* step;
    const char* told;
};

class OutcomeSpansTest : public RoundTraceTest, public testing::WithParamInterface<OutcomeRow> {};

const OutcomeRow kOutcomes[] = {
    {"Refused", StartOutcome::refused, "INVALID_ARGUMENT", "step:release_to_pending", "RELEASED"},
    {"Unreachable", StartOutcome::unreachable, "UNAVAILABLE", "step:release_to_pending",
     "RELEASED"},
    {"Unknown", StartOutcome::unknown, "DEADLINE_EXCEEDED", "step:keep_claimed", "IN_DOUBT"},
    {"Conflict", StartOutcome::conflict, "ALREADY_EXISTS", "step:mark_failed", "FAILED"},
};

TEST_P(OutcomeSpansTest, IsTold) {
    const OutcomeRow& row = GetParam();
    cluster_.next_starts = {
        {{.outcome = row.outcome, .code = row.code, .message = "with what was sent"}}};
    enqueue(1, "order");
    const Span& item = one("step:process_item");
    EXPECT_EQ(text_of(item, "millrace.queue.outcome"), row.told);
    const Span& dispatch = one("step:dispatch_temporal");
    EXPECT_EQ(dispatch.status, SpanStatus::error);
    EXPECT_EQ(dispatch.status_message, row.code);
    EXPECT_EQ(one(row.step).parent_span_id, item.context.span_id);
    EXPECT_TRUE(all("step:mark_dispatched").empty());
    EXPECT_EQ(all("flow:queue_processing").size(), 1U);
    for (const Span& span : sink.spans) {
        EXPECT_EQ(span.status_message.find("what was sent"), std::string::npos) << span.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Outcomes, OutcomeSpansTest, testing::ValuesIn(kOutcomes),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(RoundTraceTest, WhatNobodyCanStartIsAnError) {
    node_.upload(R"({"id": "order", "name": "Order",
        "executor": {"kind": "temporal", "target": "other", "workflowType": "Order"},
        "steps": []})");
    enqueue(1, "order");
    const Span& item = one("step:process_item");
    EXPECT_EQ(item.status, SpanStatus::error);
    EXPECT_EQ(item.status_message, "EXECUTOR_TARGET_NOT_FOUND");
}

TEST_F(RoundTraceTest, AStartThatIsTakenOverIsAFlowOfItsOwn) {
    cluster_.next_starts = {
        {{.outcome = StartOutcome::unknown, .code = "DEADLINE_EXCEEDED"}, true}};
    enqueue(1, "order", kEnqueuer);
    sink.spans.clear();
    advance(2min);
    EXPECT_EQ(node_.status(execution_key(1)), "DISPATCHED");
    EXPECT_EQ(tree(), R"(flow:queue_recovery
  step:process_item
    step:dispatch_temporal
      temporal:describe_workflow
    step:mark_dispatched
      db:update
)");
    EXPECT_EQ(one("step:process_item").links.size(), 1U);
}

class LeftOutTest : public RoundTraceTest {
protected:
    LeftOutTest() : RoundTraceTest(0) {}
};

TEST_F(LeftOutTest, OnlyWhatAnEnqueuerSamplesIsTold) {
    enqueue(1, "plain");
    enqueue(2, "order", kUnsampled);
    EXPECT_EQ(tree(), "");
    EXPECT_EQ(cluster_.run_of(execution_key(2)).request.trace_parent, trace_parent_text(kUnsampled))
        << "handed on as it is";
    for (std::uint64_t n = 3; n <= 5; ++n) {
        EXPECT_TRUE(node_.run(EnqueueExecution{.key = execution_key(n),
                                               .definition_id = "plain",
                                               .trace = n == 4 ? kEnqueuer : TraceContext{}}));
    }
    settle();
    EXPECT_EQ(number_of(one("flow:queue_processing"), "millrace.queue.items"), 3);
    EXPECT_EQ(text_of(one("step:process_item"), "millrace.execution.id"),
              to_string(execution_key(4).id.value));
}

}  // namespace
}  // namespace millrace
