#include "millrace/client/worker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <stdexcept>

#include "base/json/write.hpp"
#include "job_server.hpp"

namespace millrace::client {
namespace {

TEST_F(WorkerTest, CompletesAJobWithWhatTheHandlerReturns) {
    const auto worker = start([](const Job& job, JobContext&) {
        json::Value result = json::Object{};
        result.set("twice", *job.variables().find("n")->if_integer() * 2);
        return Completed{.variables = result};
    });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/complete"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/complete")),
              R"({"workerId":"w","leaseToken":1,"variables":{"twice":4}})");
}

TEST_F(WorkerTest, FailsAJobAsTheHandlerSays) {
    const auto worker = start([](const Job&, JobContext&) {
        return Failed{.message = "no such card", .retryable = false};
    });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/fail"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/fail")),
              R"({"workerId":"w","leaseToken":1,"errorMessage":"no such card","retryable":false})");
}

TEST_F(WorkerTest, ExceptionIsAFailureThatMayBeRetried) {
    const auto worker =
        start([](const Job&, JobContext&) -> Outcome { throw std::runtime_error("broken"); });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/fail"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/fail")),
              R"({"workerId":"w","leaseToken":1,"errorMessage":"broken","retryable":true})");
}

TEST_F(WorkerTest, ExceptionsSayWhetherAndWhenToTryAgain) {
    server_.hand_out(2);
    const auto worker = start([](const Job& job, JobContext&) -> Outcome {
        if (job.id() == "j1") throw NonRetryable("no such card");
        throw RetryAfter("the bank is closed", 90s);
    });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j2/fail"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/fail")),
              R"({"workerId":"w","leaseToken":1,"errorMessage":"no such card","retryable":false})");
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j2/fail")),
              R"({"workerId":"w","leaseToken":1,"errorMessage":"the bank is closed",)"
              R"("retryable":true,"retryAfterSeconds":90})");
}

TEST_F(WorkerTest, ReleasesAJobAsTheHandlerSays) {
    const auto worker = start([](const Job&, JobContext&) { return Released{.delay = 5s}; });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/release"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/release")),
              R"({"workerId":"w","leaseToken":1,"delaySeconds":5})");
}

TEST_F(WorkerTest, ReleasesAJobOfATypeThatItDoesNotKnow) {
    server_.set_job_type("unknown");
    const auto worker = start([](const Job&, JobContext&) { return Completed{}; });
    EXPECT_TRUE(server_.wait_for("/v1/jobs/j1/release"));
}

TEST_F(WorkerTest, OlderServerWithoutReleasesIsNoError) {
    server_.answer_once("/v1/jobs/j1/release", json_answer(404, R"({"error":"not-found"})"));
    std::atomic<bool> is_error = true;
    std::atomic<bool> is_done = false;
    observer_.job_done = [&](const Job&, const Outcome&, const Error* error) {
        is_error = error != nullptr;
        is_done = true;
    };
    const auto worker = start([](const Job&, JobContext&) { return Released{}; });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/release"));
    EXPECT_TRUE(worker->stop());
    EXPECT_TRUE(is_done);
    EXPECT_FALSE(is_error);
}

TEST_F(WorkerTest, ResultThatIsNoJsonFailsTheJobForGood) {
    const auto worker = start([](const Job&, JobContext&) {
        json::Value result = json::Object{};
        result.set("rate", std::nan(""));
        return Completed{.variables = result};
    });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/fail"));
    EXPECT_EQ(*server_.body("/v1/jobs/j1/fail").find("retryable"), json::Value(false));
}

TEST_F(WorkerTest, LongMessagesAreCutAtACharacter) {
    const auto worker = start([](const Job&, JobContext&) {
        std::string message = "x";
        for (int i = 0; i < 10'000; ++i) message += "ü";
        return Failed{.message = message};
    });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/fail"));
    const json::Value body = server_.body("/v1/jobs/j1/fail");
    EXPECT_EQ(body.find("errorMessage")->if_string()->size(), 16383u);
}

TEST_F(WorkerTest, ChoosesTheHandlerByTypeAndRunsInterceptorsAroundIt) {
    auto worker = make();
    std::vector<std::string> seen;
    worker->handle("other", [](const Job&, JobContext&) { return Failed{}; });
    worker->handle("t", [&](const Job&, JobContext&) {
        seen.emplace_back("handler");
        return Completed{};
    });
    for (const char* name : {"outer", "inner"}) {
        worker->intercept([&seen, name](const Job& job, JobContext& context, const Handler& next) {
            seen.emplace_back(name);
            return next(job, context);
        });
    }
    RunningWorker running(std::move(worker));
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/complete"));
    EXPECT_TRUE(running.stop());
    EXPECT_EQ(seen, (std::vector<std::string>{"outer", "inner", "handler"}));
}

TEST_F(WorkerTest, InterceptorsAndObserversThatThrowLeakNoSlot) {
    constexpr int kRounds = 100;
    server_.hand_out(kRounds);
    auto worker = make();
    worker->handle("t", [](const Job&, JobContext&) { return Completed{}; });
    worker->intercept([](const Job&, JobContext&, const Handler&) -> Outcome { throw 5; });
    worker->observe({.job_done = [](const Job&, const Outcome&, const Error*) { throw 6; },
                     .poll_answered =
                         [] {
                             throw 7;
                         }});
    RunningWorker running(std::move(worker));
    EXPECT_TRUE(server_.wait_for("/v1/jobs/j" + std::to_string(kRounds) + "/fail"));
}

TEST_F(WorkerTest, ServerThatRefusesTheFirstPollEndsIt) {
    server_.set_poll([](const Received&) {
        return json_answer(401, R"({"error":"unauthorized","message":"m"})");
    });
    const auto worker = start([](const Job&, JobContext&) { return Completed{}; });
    const Status status = worker->wait();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "unauthorized");
}

TEST_F(WorkerTest, IsHealthyOnceTheServerHasAnswered) {
    server_.fail_polls(1);
    std::atomic<bool> was_healthy = true;
    std::unique_ptr<RunningWorker> worker;
    std::mutex mutex;
    observer_.poll_failed = [&](const Error&) {
        const std::unique_lock lock(mutex);
        was_healthy = worker->is_healthy();
    };
    {
        const std::unique_lock lock(mutex);
        worker = start([](const Job&, JobContext&) { return Completed{}; });
    }
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/complete"));
    EXPECT_FALSE(was_healthy);
    EXPECT_TRUE(worker->is_healthy());
}

TEST_F(WorkerTest, TellsTheOutcomeAgainWhileTheServerIsUnavailable) {
    server_.answer_unavailable(2);
    const auto worker = start([](const Job&, JobContext&) { return Completed{}; });
    EXPECT_TRUE(server_.wait_for("/v1/jobs/j1/complete", 3));
}

TEST_F(WorkerTest, ResultThatIsRefusedForGoodFailsTheJob) {
    server_.refuse("/v1/jobs/j1/complete");
    const auto worker = start([](const Job&, JobContext&) { return Completed{}; });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/fail"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/fail")),
              R"({"workerId":"w","leaseToken":1,)"
              R"("errorMessage":"The result was refused: Too much.","retryable":false})");
}

TEST_F(WorkerTest, PollsAgainAfterErrors) {
    server_.fail_polls(2);
    std::atomic<int> failures = 0;
    observer_.poll_failed = [&](const Error&) {
        ++failures;
    };
    const auto worker = start([](const Job&, JobContext&) { return Completed{}; });
    EXPECT_TRUE(server_.wait_for("/v1/jobs/j1/complete"));
    EXPECT_EQ(failures, 2);
}

TEST_F(WorkerTest, ExtendsTheLeaseOfALongHandler) {
    options_.lease_duration = 1s;
    const auto worker = start([this](const Job&, JobContext&) -> Outcome {
        if (!server_.wait_for("/v1/jobs/j1/extend", 2)) return Failed{.message = "not extended"};
        return Completed{};
    });
    EXPECT_TRUE(server_.wait_for("/v1/jobs/j1/complete"));
}

TEST_F(WorkerTest, RunsAsManyHandlersAtOnceAsItMay) {
    constexpr int kParallel = 3;
    server_.hand_out(kParallel);
    std::mutex mutex;
    std::condition_variable changed;
    int running = 0;
    const auto worker = start(
        [&](const Job&, JobContext&) -> Outcome {
            std::unique_lock lock(mutex);
            ++running;
            changed.notify_all();
            if (changed.wait_for(lock, kPatience, [&] { return running == kParallel; })) {
                return Completed{};
            }
            return Failed{.message = "alone"};
        },
        kParallel);
    for (const char* target :
         {"/v1/jobs/j1/complete", "/v1/jobs/j2/complete", "/v1/jobs/j3/complete"}) {
        EXPECT_TRUE(server_.wait_for(target)) << target;
    }
}

TEST_F(WorkerTest, StopEndsAPollThatWaits) {
    server_.hold_polls();
    const auto worker = start([](const Job&, JobContext&) { return Completed{}; });
    ASSERT_TRUE(server_.wait_for_poll());
    const auto begun_at = std::chrono::steady_clock::now();
    EXPECT_TRUE(worker->stop());
    EXPECT_LT(std::chrono::steady_clock::now() - begun_at, 10s);
}

TEST_F(WorkerTest, StopWaitsForRunningHandlersAndTheirReports) {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_running = false;
    bool may_end = false;
    const auto worker = start([&](const Job&, JobContext&) {
        std::unique_lock lock(mutex);
        is_running = true;
        changed.notify_all();
        changed.wait(lock, [&] { return may_end; });
        return Completed{};
    });
    {
        std::unique_lock lock(mutex);
        ASSERT_TRUE(changed.wait_for(lock, kPatience, [&] { return is_running; }));
    }
    std::thread stopper([&] { (void)worker->stop(); });
    {
        const std::unique_lock lock(mutex);
        may_end = true;
        changed.notify_all();
    }
    stopper.join();
    EXPECT_EQ(server_.calls("/v1/jobs/j1/complete"), 1);
}

}  // namespace
}  // namespace millrace::client
