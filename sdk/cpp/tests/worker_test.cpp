#include "millrace/client/worker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "scripted_server.hpp"

namespace millrace::client {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 20s;

// Hands out its jobs, one per poll, and notes what becomes of them.
class JobServer {
public:
    explicit JobServer(int jobs) : jobs_left_(jobs) {}

    Answer answer(const Received& request) {
        std::unique_lock lock(mutex_);
        if (request.target == "/v1/jobs/poll") return poll();
        ++calls_[request.target];
        bodies_[request.target] = request.body;
        changed_.notify_all();
        if (unavailable_answers_ > 0) {
            --unavailable_answers_;
            return json_answer(503, R"({"error":"unavailable","message":"m"})");
        }
        if (refused_.contains(request.target)) {
            return json_answer(413, R"({"error":"too-large","message":"Too much."})");
        }
        return no_content();
    }

    void hand_out(int jobs) { jobs_left_ = jobs; }
    void hold_polls() { hand_out(0); }
    void answer_unavailable(int times) { unavailable_answers_ = times; }
    void fail_polls(int times) { failing_polls_ = times; }
    void refuse(const std::string& target) { refused_.insert(target); }

    // Waits for the event, so that no test sleeps. False when it did not come.
    bool wait_for(const std::string& target, int times = 1) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kPatience, [&] { return calls_[target] >= times; });
    }
    bool wait_for_poll() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kPatience, [&] { return polls_ > 0; });
    }

    json::Value body(const std::string& target) {
        const std::unique_lock lock(mutex_);
        return *json::parse(bodies_[target]);
    }
    int calls(const std::string& target) {
        const std::unique_lock lock(mutex_);
        return calls_[target];
    }

private:
    Answer poll() {
        ++polls_;
        changed_.notify_all();
        if (failing_polls_ > 0) {
            --failing_polls_;
            return hang_up();
        }
        if (jobs_left_ == 0) return {};  // Held as a long poll without work.
        --jobs_left_;
        const std::string id = "j" + std::to_string(next_id_++);
        return json_answer(200, R"({"jobs":[{"id":")" + id +
                                    R"(","workerId":"w","leaseToken":1,"variables":{"n":2}}]})");
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int jobs_left_;
    int next_id_ = 1;
    int polls_ = 0;
    int failing_polls_ = 0;
    int unavailable_answers_ = 0;
    std::set<std::string> refused_;
    std::map<std::string, int> calls_;
    std::map<std::string, std::string> bodies_;
};

class WorkerTest : public testing::Test {
protected:
    std::unique_ptr<Worker> start(Handler handler, int parallel = 1) {
        return std::make_unique<Worker>(ClientOptions{.server = http_.url()},
                                        WorkerOptions{.job_types = {"t"},
                                                      .worker_id = "w",
                                                      .parallel = parallel,
                                                      .lease_duration = lease_duration_},
                                        std::move(handler), observer_);
    }

    JobServer server_{1};
    std::chrono::seconds lease_duration_{30};
    WorkerObserver observer_{};
    ScriptedServer http_{[this](const Received& request) {
        return server_.answer(request);
    }};
};

TEST_F(WorkerTest, CompletesAJobWithWhatTheHandlerReturns) {
    const auto worker = start([](const Job& job) {
        json::Value result = json::Object{};
        result.set("twice", *job.variables().find("n")->if_integer() * 2);
        return Completed{.variables = result};
    });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/complete"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/complete")),
              R"({"workerId":"w","leaseToken":1,"variables":{"twice":4}})");
}

TEST_F(WorkerTest, FailsAJobAsTheHandlerSays) {
    const auto worker =
        start([](const Job&) { return Failed{.message = "no such card", .retryable = false}; });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/fail"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/fail")),
              R"({"workerId":"w","leaseToken":1,"errorMessage":"no such card","retryable":false})");
}

TEST_F(WorkerTest, ExceptionIsAFailureThatMayBeRetried) {
    const auto worker = start([](const Job&) -> Outcome { throw std::runtime_error("broken"); });
    ASSERT_TRUE(server_.wait_for("/v1/jobs/j1/fail"));
    EXPECT_EQ(json::write(server_.body("/v1/jobs/j1/fail")),
              R"({"workerId":"w","leaseToken":1,"errorMessage":"broken","retryable":true})");
}

TEST_F(WorkerTest, TellsTheOutcomeAgainWhileTheServerIsUnavailable) {
    server_.answer_unavailable(2);
    const auto worker = start([](const Job&) { return Completed{}; });
    EXPECT_TRUE(server_.wait_for("/v1/jobs/j1/complete", 3));
}

TEST_F(WorkerTest, ResultThatIsRefusedForGoodFailsTheJob) {
    server_.refuse("/v1/jobs/j1/complete");
    const auto worker = start([](const Job&) { return Completed{}; });
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
    const auto worker = start([](const Job&) { return Completed{}; });
    EXPECT_TRUE(server_.wait_for("/v1/jobs/j1/complete"));
    EXPECT_EQ(failures, 2);
}

TEST_F(WorkerTest, ExtendsTheLeaseOfALongHandler) {
    lease_duration_ = 1s;
    const auto worker = start([this](const Job&) -> Outcome {
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
        [&](const Job&) -> Outcome {
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
    const auto worker = start([](const Job&) { return Completed{}; });
    ASSERT_TRUE(server_.wait_for_poll());
    const auto begun_at = std::chrono::steady_clock::now();
    worker->stop();
    worker->stop();
    EXPECT_LT(std::chrono::steady_clock::now() - begun_at, 10s);
}

TEST_F(WorkerTest, StopWaitsForRunningHandlersAndTheirReports) {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_running = false;
    bool may_end = false;
    const auto worker = start([&](const Job&) {
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
    std::thread stopper([&] { worker->stop(); });
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
