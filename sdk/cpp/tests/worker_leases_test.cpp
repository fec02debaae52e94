#include <gtest/gtest.h>

#include <atomic>

#include "job_server.hpp"

namespace millrace::client {
namespace {

class WorkerLeasesTest : public WorkerTest {
protected:
    // Waits for the end of the context, and tells its cause.
    static Outcome wait_for_end(JobContext& context) {
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        changed.wait_for(lock, context.stop_token(), kPatience, [] { return false; });
        const auto cause = context.cause();
        return Failed{.message = cause ? std::string(name_of(*cause)) : "not ended"};
    }
};

TEST_F(WorkerLeasesTest, ExtensionThatNobodyAnswersCostsNoLease) {
    options_.lease_duration = 3s;
    server_.hand_out(3);
    for (const char* target : {"/v1/jobs/j1/extend", "/v1/jobs/j2/extend"}) {
        server_.answer_once(target, Answer{});  // Silence: a half-open connection.
    }
    const auto worker = start(
        [this](const Job& job, JobContext& context) -> Outcome {
            const std::string target = "/v1/jobs/" + std::string(job.id()) + "/extend";
            if (!server_.wait_for(target, 3)) return Failed{.message = "not extended"};
            if (context.is_stopped()) return Failed{.message = "stopped"};
            return Completed{};
        },
        3);
    for (const char* job : {"j1", "j2", "j3"}) {
        EXPECT_TRUE(server_.wait_for("/v1/jobs/" + std::string(job) + "/complete")) << job;
    }
}

TEST_F(WorkerLeasesTest, RefusedExtensionEndsTheContextAndNothingIsReported) {
    options_.lease_duration = 1s;
    server_.answer_once("/v1/jobs/j1/extend",
                        json_answer(409, R"({"error":"conflict","message":"m"})"));
    server_.hand_out(2);
    std::atomic<int> lost = 0;
    observer_.job_done = [&](const Job& job, const Outcome& outcome, const Error* error) {
        if (job.id() != "j1") return;
        EXPECT_EQ(std::get<Failed>(outcome).message, "LeaseLost");
        if (error != nullptr && error->code == "lease-lost") ++lost;
    };
    const auto worker = start([](const Job& job, JobContext& context) -> Outcome {
        if (job.id() == "j1") return wait_for_end(context);
        return Completed{};
    });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j2/complete")) << "the slot is free again";
    EXPECT_EQ(lost, 1);
    EXPECT_EQ(server_.calls("/v1/jobs/j1/fail"), 0);
}

TEST_F(WorkerLeasesTest, LeaseThatRunsOutWhileTheServerIsAwayEndsTheContext) {
    options_.lease_duration = 1s;
    for (int i = 0; i < 50; ++i) {
        server_.answer_once("/v1/jobs/j1/extend",
                            json_answer(503, R"({"error":"unavailable","message":"m"})"));
    }
    server_.hand_out(2);
    const auto worker = start([](const Job& job, JobContext& context) -> Outcome {
        if (job.id() == "j1") return wait_for_end(context);
        return Completed{};
    });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j2/complete"));
    EXPECT_EQ(server_.calls("/v1/jobs/j1/fail"), 0);
}

TEST_F(WorkerLeasesTest, LeaseIsKeptWhenTheServerRecoversBeforeItsEnd) {
    options_.lease_duration = 2s;
    for (int i = 0; i < 2; ++i) {
        server_.answer_once("/v1/jobs/j1/extend",
                            json_answer(503, R"({"error":"unavailable","message":"m"})"));
    }
    const auto worker = start([this](const Job&, JobContext& context) -> Outcome {
        if (!server_.wait_for("/v1/jobs/j1/extend", 4)) return Failed{.message = "not extended"};
        return context.is_stopped() ? Outcome(Failed{}) : Completed{};
    });
    EXPECT_TRUE(server_.wait_for("/v1/jobs/j1/complete"));
}

TEST_F(WorkerLeasesTest, DrainBeyondItsGraceEndsContextsAndReleases) {
    options_.drain_duration = 0s;
    const auto worker =
        start([](const Job&, JobContext& context) { return wait_for_end(context); });
    ASSERT_TRUE(server_.wait_until_taken(1));
    EXPECT_TRUE(worker->stop());
    EXPECT_EQ(server_.calls("/v1/jobs/j1/release"), 1) << "what failed by the drain costs no retry";
    EXPECT_EQ(server_.calls("/v1/jobs/j1/fail"), 0);
}

TEST_F(WorkerLeasesTest, ResultThatComesAfterTheGraceStillCounts) {
    options_.drain_duration = 0s;
    const auto worker = start([](const Job&, JobContext& context) -> Outcome {
        (void)wait_for_end(context);
        return Completed{};
    });
    ASSERT_TRUE(server_.wait_until_taken(1));
    EXPECT_TRUE(worker->stop());
    EXPECT_EQ(server_.calls("/v1/jobs/j1/complete"), 1);
    EXPECT_EQ(server_.calls("/v1/jobs/j1/release"), 0);
}

TEST_F(WorkerLeasesTest, HandlerThatDoesNotReturnIsReleasedAndLeftAlone) {
    options_.drain_duration = 0s;
    options_.cancel_duration = 10ms;
    struct Gate {
        std::mutex mutex;
        std::condition_variable changed;
        bool is_open = false;
        bool has_left = false;
    };
    const auto gate = std::make_shared<Gate>();
    {
        const auto worker = start([gate](const Job&, JobContext&) -> Outcome {
            std::unique_lock lock(gate->mutex);
            gate->changed.wait(lock, [&] { return gate->is_open; });
            gate->has_left = true;
            gate->changed.notify_all();
            return Completed{};
        });
        ASSERT_TRUE(server_.wait_until_taken(1));
        EXPECT_TRUE(worker->stop());
        EXPECT_EQ(server_.calls("/v1/jobs/j1/release"), 1);
    }
    std::unique_lock lock(gate->mutex);
    gate->is_open = true;
    gate->changed.notify_all();
    EXPECT_TRUE(gate->changed.wait_for(lock, kPatience, [&] { return gate->has_left; }));
    EXPECT_EQ(server_.calls("/v1/jobs/j1/complete"), 0);
}

}  // namespace
}  // namespace millrace::client
