#pragma once

#include "queue/admit_executions.hpp"
#include "queue/create_workspace.hpp"
#include "queue/enqueue_execution.hpp"
#include "queue/get_execution.hpp"
#include "queue/record_start.hpp"
#include "store/memory/memory_database.hpp"
#include "support/executions.hpp"
#include "support/test_node.hpp"

namespace millrace {

// One step for a worker.
inline constexpr std::string_view kOrderDefinition =
    R"({"id":"order","name":"Order","steps":[
        {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"charge","retryCount":0,
         "nextStep":"done"},
        {"id":"done","name":"Done","type":"END"}]})";
// Over as soon as it starts.
inline constexpr std::string_view kQuickDefinition =
    R"({"id":"quick","name":"Quick","steps":[{"id":"done","name":"Done","type":"END"}]})";
// Runs elsewhere.
inline constexpr std::string_view kRemoteDefinition =
    R"({"id":"remote","name":"Remote","executor":{"kind":"temporal","target":"main",
        "taskQueue":"q","workflowType":"w"}})";

// The execution queue on a memory store, without threads: tests call the commands.
class QueueTest : public testing::Test {
protected:
    void SetUp() override {
        make_workspace(kWorkspace.value);
        for (const auto document : {kOrderDefinition, kQuickDefinition, kRemoteDefinition}) {
            node_.upload(document);
        }
    }

    Workspace make_workspace(const std::string& id, WorkspaceChanges settings = {}) {
        if (!settings.plan) settings.plan = "UNLIMITED";
        const auto made = node_.run(
            CreateWorkspace{.id = {id}, .settings = std::move(settings), .plans = default_plans()});
        EXPECT_TRUE(made) << (made ? "" : made.error().detail);
        return made ? *made : Workspace{};
    }

    ExecutionKey next_key() {
        return {ExecutionId{Id128::for_instance(clock_.now(), ++random_ << 20)}, kWorkspace};
    }

    EnqueueExecution enqueueing(const std::string& definition_id = "order") {
        return {
            .key = next_key(),
            .definition_id = definition_id,
            .input = variables_from(R"({"amount":7})"),
        };
    }

    Execution enqueue(EnqueueExecution command) {
        const auto made = node_.run(std::move(command));
        EXPECT_TRUE(made) << (made ? "" : made.error().detail);
        return made ? *made : Execution{};
    }
    Execution enqueue(const std::string& definition_id = "order") {
        return enqueue(enqueueing(definition_id));
    }

    AdmitExecutions admitting() {
        return {
            .request = {.looks_everywhere = true},
            .owner = kOwner,
            .lease = kLease,
            .plans = default_plans(),
            .asked_at = clock_.now(),
        };
    }

    AdmittedExecutions admit(AdmitExecutions command) {
        const auto round = node_.run(std::move(command));
        EXPECT_TRUE(round) << (round ? "" : round.error().detail);
        return round ? *round : AdmittedExecutions{};
    }
    AdmittedExecutions admit() { return admit(admitting()); }

    // One that this replica is about to start elsewhere.
    ClaimedExecution claim_remote() {
        enqueue("remote");
        AdmittedExecutions round = admit();
        EXPECT_EQ(round.claimed.size(), 1U);
        return round.claimed.empty() ? ClaimedExecution{} : round.claimed.front();
    }

    RecordStart recording(const ClaimedExecution& claimed, StartAnswer answer) {
        return {
            .key = claimed.execution.key,
            .token = claimed.execution.claim.token,
            .answer = std::move(answer),
            .rules = claimed.rules,
            .look_after = 1min,
        };
    }

    RecordedStart record(RecordStart command) {
        const auto recorded = node_.run(std::move(command));
        EXPECT_TRUE(recorded) << (recorded ? "" : recorded.error().detail);
        return recorded ? *recorded : RecordedStart{};
    }
    RecordedStart record(const ClaimedExecution& claimed, StartAnswer answer) {
        return record(recording(claimed, std::move(answer)));
    }

    // One that runs elsewhere.
    Execution run_remote() {
        const RecordedStart started =
            record(claim_remote(), {.outcome = StartOutcome::started, .run_id = "run-1"});
        EXPECT_EQ(started.record, StartRecord::dispatched);
        return started.execution;
    }

    StoredExecution stored(const ExecutionKey& key) {
        const auto found = read(GetExecution{key.id, std::nullopt}, node_.reader());
        EXPECT_TRUE(found) << (found ? "" : found.error().detail);
        return found ? *found : StoredExecution{};
    }
    Execution execution(const ExecutionKey& key) { return stored(key).execution; }
    QueueStatus status(const ExecutionKey& key) { return execution(key).queue_status; }

    InstanceKey instance_key(const ExecutionKey& key) {
        return {InstanceId{key.id.value}, key.workspace_id};
    }

    void finish_jobs() {
        for (const DeliveredJob& job : node_.poll("charge")) EXPECT_TRUE(node_.complete(job));
    }
    void fail_jobs() {
        for (const DeliveredJob& job : node_.poll("charge")) EXPECT_TRUE(node_.fail(job, false));
    }

    FakeClock clock_{kNoon};
    MemoryDatabase database_;
    TestNode node_{database_, clock_};
    std::uint64_t random_ = 0;
};

inline std::string text_of(QueueStatus status) {
    return std::string(to_string(status));
}

}  // namespace millrace
