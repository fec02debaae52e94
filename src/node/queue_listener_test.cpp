#include "node/queue_listener.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "support/executions.hpp"
#include "support/fake_clock.hpp"

namespace millrace {
namespace {

const ExecutionKey kKey{{Id128{1, 2}}, {"mill"}};

Execution execution() {
    Execution row;
    row.key = kKey;
    row.definition.id = "order";
    row.executor = ExecutorKind::temporal;
    row.attempt_count = 2;
    row.last_error = "no such queue";
    return row;
}

Execution given_up(std::string_view reason) {
    Execution row = execution();
    row.queue_status = QueueStatus::failed;
    row.error_reason = reason;
    row.error_message = "it is gone";
    return row;
}

AdmittedExecutions round_with(std::vector<Execution> dispatched, std::vector<Execution> failed) {
    AdmittedExecutions round;
    round.dispatched = std::move(dispatched);
    round.failed = std::move(failed);
    return round;
}

Writes enqueued(std::int64_t claim_token) {
    Writes writes;
    Execution row = execution();
    row.claim.token = claim_token;
    writes.executions_new.push_back({row, Variables::from_text(R"({"pin":"s3same"})")});
    return writes;
}

struct EventRow {
    const char* name;
    std::function<void(QueueListener&)> fire;
    std::vector<std::string> lines;  // Level, message and fields, as they stand in the log.
};

std::string line(const std::string& level, const std::string& message, const std::string& fields) {
    return R"("level":")" + level + R"(","message":")" + message + R"(",)" + fields + "}";
}

const std::string kId = to_string(kKey.id.value);
const std::string kItem = R"("queueItemId":")" + kId + R"(")";
const std::string kBoth = R"("executionId":")" + kId + R"(",)" + kItem;

// The events of the queue, with their names, levels and fields. What others look for in logs stays
// as it is here.
const EventRow kEvents[] = {
    {"Enqueue",
     [](QueueListener& listener) { listener.on_commit(enqueued(0)); },
     {line("info", "Enqueueing workflow execution", R"("definition":"order","workspace":"mill")"),
      line("info", "Enqueued execution",
           R"("id":")" + kId + R"(","definition":"order","workspace":"mill")")}},
    {"RecordMadeAnew", [](QueueListener& listener) { listener.on_commit(enqueued(3)); }, {}},
    {"EmptyRound", [](QueueListener& listener) { listener.on_round({}, 1ms); }, {}},
    {"StartedHere",
     [](QueueListener& listener) { listener.on_round(round_with({execution()}, {}), 1ms); },
     {line("debug", "Processing 1 queue items", R"("batchSize":1)"),
      line("info", "Dispatching queue item", kItem + R"(,"definitionId":"order")"),
      line("info", "Dispatched execution", kBoth)}},
    {"StartSent",
     [](QueueListener& listener) { listener.on_start_sent(execution()); },
     {line("info", "Dispatching queue item", kItem + R"(,"definitionId":"order")")}},
    {"StartRecorded",
     [](QueueListener& listener) {
         listener.on_start_recorded({StartRecord::dispatched, execution()});
     },
     {line("info", "Dispatched execution", kBoth)}},
    {"StartFailed",
     [](QueueListener& listener) {
         listener.on_start_failed(
             execution(),
             {.outcome = StartOutcome::refused, .code = "NOT_FOUND", .message = "no such queue"});
     },
     {line("error", "Failed to start Temporal workflow",
           kItem + R"(,"code":"NOT_FOUND","error":"no such queue")")}},
    {"Released",
     [](QueueListener& listener) {
         listener.on_start_recorded({StartRecord::released, execution()});
     },
     {line("error", "Error processing queue item",
           kItem + R"(,"error":"no such queue","attemptCount":2)")}},
    {"GivenUpElsewhere",
     [](QueueListener& listener) {
         listener.on_start_recorded({StartRecord::failed, given_up("INVALID_REQUEST")});
     },
     {line("error", "Error processing queue item",
           kItem + R"(,"reason":"INVALID_REQUEST","error":"it is gone","attemptCount":2)")}},
    {"GivenUpHere",
     [](QueueListener& listener) {
         listener.on_round(round_with({}, {given_up(failure::kDefinitionNotFound)}), 1ms);
     },
     {line("debug", "Processing 1 queue items", R"("batchSize":1)"),
      line("error", "Error processing queue item",
           kItem + R"(,"reason":"DEFINITION_NOT_FOUND","error":"it is gone","attemptCount":2)")}},
    {"Expired",
     [](QueueListener& listener) { listener.on_expired(given_up(failure::kDeadlineExceeded)); },
     {line("error", "Error processing queue item",
           kItem + R"(,"reason":"DEADLINE_EXCEEDED","error":"it is gone","attemptCount":2)")}},
    {"Trouble",
     [](QueueListener& listener) {
         listener.on_trouble(execution(), {ErrorCode::unavailable, "The store is away."});
     },
     {line("error", "Error processing queue item",
           kItem + R"(,"error":"The store is away.","attemptCount":2)")}},
    {"WorkspaceGone",
     [](QueueListener& listener) {
         listener.on_round(round_with({}, {given_up(failure::kWorkspaceNotFound)}), 1ms);
     },
     {line("debug", "Processing 1 queue items", R"("batchSize":1)"),
      line("warn", "Workspace not found", R"("workspaceId":"mill",)" + kItem)}},
    {"RecordGone",
     [](QueueListener& listener) {
         listener.on_start_recorded({StartRecord::dispatched, execution(), true});
     },
     {line("warn", "Execution not found for retry", kBoth),
      line("info", "Dispatched execution", kBoth)}},
    {"AtCapacity",
     [](QueueListener& listener) {
         listener.on_capacity_reached({{"mill"}, 5, 5});
     },
     {line("info", "Workspace at capacity", R"("workspaceId":"mill","activeCount":5,"limit":5)")}},
    {"Recovered",
     [](QueueListener& listener) { listener.on_recovered(3); },
     {line("warn", "Recovering 3 stale claimed items", R"("count":3,"timeoutSeconds":30)"),
      line("info", "Recovered 3 stale queue items", R"("count":3)")}},
    {"NothingRecovered", [](QueueListener& listener) { listener.on_recovered(0); }, {}},
    {"RecoveriesExhausted",
     [](QueueListener& listener) {
         listener.on_recoveries_exhausted(given_up(failure::kRecoveriesExhausted));
     },
     {line("error", "Error processing queue item",
           kItem + R"(,"reason":"RECOVERIES_EXHAUSTED","error":"it is gone","attemptCount":2)")}},
};

class QueueListenerTest : public testing::TestWithParam<EventRow> {};

TEST_P(QueueListenerTest, WritesItsLines) {
    std::vector<std::string> lines;
    observe::Log log({.level = observe::LogLevel::debug,
                      .format = observe::LogFormat::json,
                      .sink = [&](std::string_view written) {
                          // Behind the time, which is the real one.
                          lines.emplace_back(written.substr(written.find(R"("level")")));
                      }});
    observe::Metrics metrics;
    const FakeClock clock(kNoon);
    QueueListener listener(metrics, log, clock, 30s);
    GetParam().fire(listener);
    EXPECT_EQ(lines, GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(Events, QueueListenerTest, testing::ValuesIn(kEvents),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace millrace
