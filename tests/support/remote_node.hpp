#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "commit/committer.hpp"
#include "dispatch/job_broker.hpp"
#include "engine/upload_definition.hpp"
#include "queue/cancel_execution.hpp"
#include "queue/dispatcher.hpp"
#include "queue/enqueue_execution.hpp"
#include "queue/make_ready.hpp"
#include "queue/remote_runs.hpp"
#include "scheduler/due_loop.hpp"
#include "scheduler/lease_reaper.hpp"
#include "store/database.hpp"
#include "support/executions.hpp"
#include "support/instance_driver.hpp"
#include "support/scripted_cluster.hpp"

namespace millrace {

// Writes down what it is told, a word for each.
class ToldListener final : public RemoteRunsListener {
public:
    void on_start_sent(const Execution&) override { sent += 1; }
    void on_start_failed(const Execution&, const StartAnswer& answer) override {
        told.push_back("start failed " + answer.code);
    }
    void on_start_recorded(const RecordedStart& start) override {
        constexpr const char* kNames[] = {"dispatched", "released",  "in doubt",
                                          "failed",     "cancelled", "lost"};
        told.emplace_back(kNames[static_cast<int>(start.record)]);
        if (start.was_missing) told.emplace_back("record was missing");
    }
    void on_recovered(std::size_t count) override { recovered += count; }
    void on_recoveries_exhausted(const Execution&) override {
        told.emplace_back("recoveries exhausted");
    }
    void on_cancel_passed_on(const Execution&) override { told.emplace_back("cancel passed on"); }
    void on_look_failed(const Execution&, const CallFailure& failure) override {
        told.push_back("look failed " + failure.code);
    }
    void on_run_ended(const Execution& execution) override {
        told.push_back("ended " + std::string(to_string(execution.queue_status)));
    }
    void on_listing_failed(const std::string&, const CallFailure& failure) override {
        told.push_back("listing failed " + failure.code);
    }
    void on_breaker(const std::string& target, Breaker::State state) override {
        breaker.push_back(target + " " + std::string(to_string(state)));
    }
    void on_trouble(const Execution&, const Error&) override { told.emplace_back("trouble"); }

    std::vector<std::string> told{};
    std::vector<std::string> breaker{};
    int sent = 0;
    std::size_t recovered = 0;
};

// The queue of one process without its threads, with an engine and a cluster to run things: a test
// calls the loops and moves the clock.
class RemoteNode final : private CommitListener,
                         private DispatcherListener,
                         private DispatchListener {
public:
    static constexpr const char* kDefinition = R"({"id": "order", "name": "Order",
        "executor": {"kind": "temporal", "target": "main", "namespace": "orders",
                     "taskQueue": "q", "workflowType": "Order"},
        "steps": [{"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "x", "nextStep": "z"},
                  {"id": "z", "name": "Z", "type": "END"}]})";

    RemoteNode(Database& database, FakeClock& clock, const RemoteRuns::Executors& executors,
               RemoteSettings settings = {.owner = kOwner})
        : clock_(clock),
          commands_([this] { is_awake_ = true; }),
          claimer_(database.job_claimer()),
          broker_(*claimer_, commands_, *this, clock, {.is_shared = database.is_shared()},
                  [this] { is_awake_ = true; }),
          store_(database.batch_store()),
          reader_(database.reader()),
          committer_(*store_, commands_, broker_, *this, clock),
          runs_(std::make_unique<RemoteRuns>(
              [this](ExecutionId id) -> Result<std::optional<StoredExecution>> {
                  if (cannot_read || is_read_lost()) return lost_read();
                  return reader_->execution(id);
              },
              commands_, executors, told_, clock, settings, [this] { is_awake_ = true; })),
          dispatcher_(commands_, *this, clock,
                      {.owner = settings.owner,
                       .lease = settings.lease,
                       .plans = default_plans(),
                       .rules = settings.rules,
                       .tracer = settings.tracer},
                      {.begin =
                           [this](std::vector<ClaimedExecution> claimed) {
                               if (loses_claims) return;
                               runs_->begin(std::move(claimed));
                           },
                       .closed_targets =
                           [this] {
                               return runs_->closed_targets();
                           }},
                      [this] { is_awake_ = true; }),
          ready_(ready_source(), clock, Duration{std::chrono::seconds{1}},
                 [this] { is_awake_ = true; }),
          attention_(attention_source(), clock, Duration{std::chrono::seconds{1}},
                     [this] { is_awake_ = true; }),
          lease_reaper_(lease_source(*reader_, commands_, [] {}), clock,
                        Duration{std::chrono::seconds{1}}, [this] { is_awake_ = true; }) {}

    RemoteRuns& runs() { return *runs_; }
    Reader& reader() { return *reader_; }
    ToldListener& told() { return told_; }
    CommandQueue& commands() { return commands_; }
    JobBroker& broker() { return broker_; }

    // Its dispatcher dies right after its claims are committed.
    bool loses_claims = false;
    bool cannot_read = false;               // Inputs, that is.
    std::function<bool()> fails_to_read{};  // Asked at each read of a loop; empty: none fails.
    bool dispatches = true;
    bool attends = true;
    Unattended attends_to = Unattended::claims_and_runs;
    int batches = 0;  // Tried so far.

    template <class Request>
    auto run(Request request) {
        using Answer = typename PendingCommand<Request>::Answer;
        std::optional<Result<Answer>> answer;
        commands_.submit(std::move(request),
                         [&](Result<Answer> result) { answer = std::move(result); });
        for (int round = 0; round < kRoundsMax && !answer; ++round) committer_.run_once();
        EXPECT_TRUE(answer) << "not answered";
        return answer ? *answer : Result<Answer>(Error{});
    }

    void upload(std::string_view document = kDefinition,
                const WorkspaceId& workspace_id = {"default"}) {
        const Result<UploadDefinition> command = make_upload(workspace_id, json_of(document));
        ASSERT_TRUE(command) << command.error().detail;
        ASSERT_TRUE(run(*command));
    }

    ExecutionKey enqueue(std::uint64_t number, std::string_view input = "{}") {
        const ExecutionKey key = execution_key(number);
        EXPECT_TRUE(run(EnqueueExecution{
            .key = key,
            .definition_id = "order",
            .input = Variables::from_text(std::string(input)),
        }));
        return key;
    }

    Result<CancelledExecution> cancel(const ExecutionKey& key, bool is_forced = false) {
        return run(CancelExecution{.key = key, .is_forced = is_forced});
    }

    Execution execution(const ExecutionKey& key) { return stored(key).execution; }
    StoredExecution stored(const ExecutionKey& key) {
        const auto found = reader_->execution(key.id);
        EXPECT_TRUE(found && *found);
        return found && *found ? **found : StoredExecution{};
    }
    std::string status(const ExecutionKey& key) {
        return std::string(to_string(execution(key).queue_status));
    }

    // Does everything that is to be done now. `goes_on` is asked behind each step of each loop:
    // where it says no, the process stands still between two steps, for good.
    void settle(const std::function<bool()>& goes_on = [] { return true; }) {
        int round = 0;
        do {
            is_awake_ = false;
            for (int step = 0; step < kSteps; ++step) {
                run_step(step);
                if (!goes_on()) return;
            }
            ASSERT_LT(++round, kRoundsMax) << "it does not come to rest";
        } while (is_awake_);
    }

private:
    static constexpr int kRoundsMax = 10'000;
    static constexpr int kSteps = 7;

    void run_step(int step) {
        switch (step) {
            case 0:
                if (!committer_.run_once().is_idle()) is_awake_ = true;
                return;
            case 1: runs_->run_once(); return;
            case 2:
                if (dispatches) dispatcher_.run_once();
                return;
            case 3: ready_.run_once(); return;
            case 4:
                if (attends) attention_.run_once();
                return;
            case 5:
                if (broker_.run_once().progressed) is_awake_ = true;
                return;
            default: lease_reaper_.run_once(); return;
        }
    }

    bool is_read_lost() const { return fails_to_read && fails_to_read(); }
    static Error lost_read() { return {ErrorCode::unavailable, "injected"}; }

    DueLoop<ExecutionKey>::Source ready_source() {
        return {
            .due = [this](Instant now, std::int32_t most) -> Result<std::vector<ExecutionKey>> {
                if (is_read_lost()) return lost_read();
                return reader_->due_executions(now, most);
            },
            .next = [this](Instant after) -> Result<std::optional<Instant>> {
                if (is_read_lost()) return lost_read();
                return first_after(reader_->next_due_execution(), after);
            },
            .submit =
                [this](const ExecutionKey& key, std::function<void(const Status&)> done) {
                    commands_.submit_duty(MakeReady{key}, [done](const Result<MadeReady>& made) {
                        done(made ? ok() : Status(made.error()));
                    });
                },
        };
    }

    DueLoop<ExecutionKey>::Source attention_source() {
        return {
            .due = [this](Instant now, std::int32_t most) -> Result<std::vector<ExecutionKey>> {
                if (is_read_lost()) return lost_read();
                return reader_->unattended_executions(attends_to, now, most);
            },
            .next = [this](Instant after) -> Result<std::optional<Instant>> {
                if (is_read_lost()) return lost_read();
                return first_after(reader_->next_unattended_execution(attends_to), after);
            },
            .submit =
                [this](const ExecutionKey& key, std::function<void(const Status&)> done) {
                    runs_->attend(key, [done](bool is_done) {
                        done(is_done ? ok() : Status(Error{ErrorCode::unavailable, "not now"}));
                    });
                },
        };
    }

    void on_commit(const Writes& writes) override {
        for (const Execution& row : writes.executions_changed) {
            if (!row.due_at) continue;
            if (is_active(row.queue_status)) attention_.note(*row.due_at);
            if (row.place == QueuePlace::due) ready_.note(*row.due_at);
        }
        dispatcher_.on_commit(writes);
    }
    void on_batch(std::size_t, Duration, Duration) override { batches += 1; }
    void on_command(std::string_view, Duration) override {}

    void on_round(const AdmittedExecutions&, Duration) override {}
    void on_capacity_reached(const WorkspaceAtCapacity&) override {}
    void on_failure(const Error&) override {}

    void on_delivered(std::span<const DeliveredJob>, Instant) override {}
    void on_claimed(Duration) override {}
    void on_empty_poll() override {}
    void on_claim_conflict() override {}

    FakeClock& clock_;
    bool is_awake_ = false;
    ToldListener told_;
    CommandQueue commands_;
    std::unique_ptr<JobClaimer> claimer_;
    JobBroker broker_;
    std::unique_ptr<BatchStore> store_;
    std::unique_ptr<Reader> reader_;
    Committer committer_;
    std::unique_ptr<RemoteRuns> runs_;
    Dispatcher dispatcher_;
    DueLoop<ExecutionKey> ready_;
    DueLoop<ExecutionKey> attention_;
    LeaseReaper lease_reaper_;
};

}  // namespace millrace
