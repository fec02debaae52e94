#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commit/committer.hpp"
#include "core/limits.hpp"
#include "dispatch/job_broker.hpp"
#include "engine/complete_job.hpp"
#include "engine/fail_job.hpp"
#include "engine/get_history.hpp"
#include "engine/get_instance.hpp"
#include "engine/start_instance.hpp"
#include "engine/upload_definition.hpp"
#include "scheduler/lease_reaper.hpp"
#include "scheduler/timer_firer.hpp"
#include "store/database.hpp"
#include "support/fake_clock.hpp"
#include "support/instance_driver.hpp"

namespace millrace {

class SilentListener final : public CommitListener, public DispatchListener {
public:
    void on_commit(const Writes&) override {}
    void on_batch(std::size_t command_count, Duration, Duration) override {
        batch_sizes.push_back(command_count);
    }
    void on_batch_end(const BatchEnd& batch) override {
        if (note_batch_end) note_batch_end(batch);
    }
    void on_command(std::string_view, Duration) override {}
    void on_delivered(std::span<const DeliveredJob>, Instant) override {}
    void on_claimed(Duration) override {}
    void on_empty_poll() override { empty_polls += 1; }
    void on_claim_conflict() override { claim_conflicts += 1; }
    void on_outcome(BatchOutcome outcome) override { outcomes.push_back(outcome); }

    std::vector<std::size_t> batch_sizes{};
    std::vector<BatchOutcome> outcomes{};
    std::function<void(const BatchEnd&)> note_batch_end{};
    int empty_polls = 0;
    int claim_conflicts = 0;
};

// The engine of one process without its threads: a test calls the loops and moves the clock.
class TestNode {
public:
    TestNode(Database& database, FakeClock& clock)
        : clock_(clock),
          queue_([] {}, &clock),
          claimer_(database.job_claimer()),
          broker_(*claimer_, queue_, listener_, clock, {.is_shared = database.is_shared()}, [] {}),
          reader_(database.reader()),
          store_(database.batch_store()),
          committer_(*store_, queue_, broker_, listener_, clock),
          timer_firer_(timer_source(*reader_, queue_), clock, std::nullopt, [] {}),
          lease_reaper_(lease_source(*reader_, queue_, [] {}), clock, std::nullopt, [] {}) {}

    CommandQueue& queue() { return queue_; }
    JobBroker& broker() { return broker_; }
    Reader& reader() { return *reader_; }
    SilentListener& listener() { return listener_; }

    // One round of the committer, as its thread does them.
    Committer::Round commit_once() { return committer_.run_once(); }

    // The store stays away for longer than anybody waits.
    void give_up() {
        EXPECT_EQ(commit_once(), Committer::Round::unhealthy);
        clock_.advance(limits::kCommandPatience);
        commit_once();
    }

    // Commits what waits, until nothing can be taken. A store that is away has to come back.
    void commit() {
        for (int round = 0; round < kRoundsMax; ++round) {
            if (committer_.run_once() == Committer::Round::idle) return;
        }
        ADD_FAILURE() << "the committer does not come to rest";
    }

    // Lets everything that is due happen.
    void settle() {
        commit();
        broker_.run_once();
        commit();
        for (int round = 0; round < 10; ++round) {
            timer_firer_.run_once();
            lease_reaper_.run_once();
            commit();
        }
        broker_.run_once();
    }

    template <class Request>
    auto run(Request request) {
        using Answer = typename PendingCommand<Request>::Answer;
        std::optional<Result<Answer>> answer;
        queue_.submit(std::move(request), [&](Result<Answer> result) {
            EXPECT_FALSE(answer) << "answered twice";
            answer = std::move(result);
        });
        commit();
        EXPECT_TRUE(answer) << "not answered";
        return answer ? *answer : Result<Answer>(Error{});
    }

    UploadedDefinition upload(std::string_view document,
                              const WorkspaceId& workspace_id = kWorkspace) {
        const Result<UploadDefinition> command = make_upload(workspace_id, json_of(document));
        EXPECT_TRUE(command) << (command ? "" : command.error().detail);
        const auto uploaded = run(*command);
        EXPECT_TRUE(uploaded) << (uploaded ? "" : uploaded.error().detail);
        return uploaded ? *uploaded : UploadedDefinition{};
    }

    Result<Instance> start(std::string definition_id, std::string_view variables = "{}") {
        return run(StartInstance{
            .key = {{Id128::for_instance(clock_.now(), ++random_)}, kWorkspace},
            .definition_id = std::move(definition_id),
            .variables = variables_from(variables),
        });
    }

    struct Poll {
        JobBroker::PollId id = 0;
        std::shared_ptr<std::optional<Result<std::vector<DeliveredJob>>>> answer{};

        bool is_answered() const { return answer->has_value(); }
        std::vector<DeliveredJob> jobs() const {
            return is_answered() && **answer ? ***answer : std::vector<DeliveredJob>{};
        }
    };

    Poll begin_poll(PollJobs request) {
        Poll poll;
        poll.answer = std::make_shared<std::optional<Result<std::vector<DeliveredJob>>>>();
        poll.id = broker_.poll(std::move(request),
                               [answer = poll.answer](Result<std::vector<DeliveredJob>> jobs) {
                                   EXPECT_FALSE(*answer) << "a poll is answered once";
                                   *answer = std::move(jobs);
                               });
        return poll;
    }

    std::vector<DeliveredJob> poll(std::string job_type, std::int32_t jobs_max = 10,
                                   WorkerId worker_id = kWorker) {
        const Poll poll = begin_poll({.workspace_id = kWorkspace,
                                      .worker_id = std::move(worker_id),
                                      .job_types = {{std::move(job_type)}},
                                      .jobs_max = jobs_max,
                                      .lease_duration = kLease});
        for (int round = 0; round < kRoundsMax && !poll.is_answered(); ++round) broker_.run_once();
        return poll.jobs();
    }

    Result<Job> complete(const DeliveredJob& delivered, std::string_view variables = "null") {
        return run(CompleteJob{
            .job = delivered.job.key,
            .proof = {delivered.job.lease->worker_id, delivered.job.lease_token},
            .variables = json_of(variables),
        });
    }

    Result<FailedJob> fail(const DeliveredJob& delivered, bool retryable,
                           std::string message = "no") {
        return run(FailJob{
            .job = delivered.job.key,
            .proof = {delivered.job.lease->worker_id, delivered.job.lease_token},
            .retryable = retryable,
            .message = std::move(message),
        });
    }

    Instance instance(const InstanceKey& key) {
        const Result<Instance> found = read(GetInstance{key}, *reader_);
        EXPECT_TRUE(found);
        return found ? *found : Instance{};
    }

    // "a:COMPLETED b:RUNNING", in order of entry.
    std::string told(const InstanceKey& key) {
        const auto lines = read(GetHistory{key}, *reader_);
        EXPECT_TRUE(lines);
        std::string text;
        for (const StepExecution& line : lines ? lines->lines : std::vector<StepExecution>{}) {
            text += (text.empty() ? "" : " ") + line.step_id + ":" +
                    std::string(to_string(line.status));
        }
        return text;
    }

private:
    static constexpr int kRoundsMax = 1'000;

    FakeClock& clock_;
    SilentListener listener_;
    CommandQueue queue_;
    std::unique_ptr<JobClaimer> claimer_;
    JobBroker broker_;
    std::unique_ptr<Reader> reader_;
    std::unique_ptr<BatchStore> store_;
    Committer committer_;
    TimerFirer timer_firer_;
    LeaseReaper lease_reaper_;
    std::uint64_t random_ = 0;
};

}  // namespace millrace
