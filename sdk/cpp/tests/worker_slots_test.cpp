#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>

#include "base/json/write.hpp"
#include "job_server.hpp"

namespace millrace::client {
namespace {

// Hands out jobs by type, as many as are asked for, and knows how many are out.
class TypedJobs {
public:
    // Values of the variables of each job.
    explicit TypedJobs(int values = 1) : values_(values) {}

    void add(const std::string& type, int count) {
        for (int i = 0; i < count; ++i) waiting_[type].push_back(type + std::to_string(i));
    }

    Answer poll(const Received& request) {
        const std::unique_lock lock(mutex_);
        const json::Value body = *json::parse(request.body);
        std::int64_t room = *body.find("maxJobs")->if_integer();
        asked_.push_back(room);
        std::string jobs;
        for (const json::Value& type : *body.find("jobTypes")->if_array()) {
            auto& waiting = waiting_[*type.if_string()];
            for (; room > 0 && !waiting.empty(); --room) {
                jobs += (jobs.empty() ? "" : ",") + text_of(*type.if_string(), waiting.front());
                waiting.pop_front();
            }
        }
        if (jobs.empty()) return {};
        return json_answer(200, R"({"jobs":[)" + jobs + "]}");
    }

    std::vector<std::int64_t> asked() {
        const std::unique_lock lock(mutex_);
        return asked_;
    }

private:
    std::string text_of(const std::string& type, const std::string& id) const {
        std::string values = "0";
        for (int i = 1; i < values_; ++i) values += ",0";
        return R"({"id":")" + id + R"(","jobType":")" + type +
               R"(","workerId":"w","leaseToken":1,"variables":{"n":[)" + values + "]}}";
    }

    const int values_;
    std::mutex mutex_;
    std::map<std::string, std::deque<std::string>> waiting_;
    std::vector<std::int64_t> asked_;
};

class WorkerSlotsTest : public WorkerTest {
protected:
    // The server's threads outlive the body of a test, so they share in the jobs.
    void serve(const std::shared_ptr<TypedJobs>& jobs) {
        server_.set_poll([jobs](const Received& request) { return jobs->poll(request); });
    }
    bool wait_for_all(const std::string& type, int count) {
        for (int i = 0; i < count; ++i) {
            if (!server_.wait_for("/v1/jobs/" + type + std::to_string(i) + "/complete"))
                return false;
        }
        return true;
    }
};

TEST_F(WorkerSlotsTest, TypeWithALimitNeverExceedsItAndOthersGoOn) {
    const auto jobs = std::make_shared<TypedJobs>();
    jobs->add("slow", 20);
    jobs->add("quick", 20);
    serve(jobs);
    auto worker = make(4);
    std::atomic<int> slow = 0;
    std::atomic<int> slow_most = 0;
    std::atomic<int> all = 0;
    std::atomic<int> all_most = 0;
    worker->intercept([&](const Job& job, JobContext& context, const Handler& next) {
        all_most = std::max(all_most.load(), ++all);
        const Outcome outcome = next(job, context);
        --all;
        return outcome;
    });
    worker->handle("slow",
                   [&](const Job&, JobContext&) {
                       slow_most = std::max(slow_most.load(), ++slow);
                       // Holds its slot until the other type has been served.
                       const bool is_served = server_.wait_for("/v1/jobs/quick19/complete");
                       --slow;
                       return is_served ? Outcome(Completed{}) : Failed{};
                   },
                   {.slots = 2});
    worker->handle("quick", [](const Job&, JobContext&) { return Completed{}; });
    const RunningWorker running(std::move(worker));
    EXPECT_TRUE(wait_for_all("quick", 20));
    EXPECT_TRUE(wait_for_all("slow", 20));
    EXPECT_LE(slow_most, 2);
    EXPECT_LE(all_most, 4);
}

TEST_F(WorkerSlotsTest, FewerSlotsThanLimitedTypesServeAllOfThem) {
    const auto jobs = std::make_shared<TypedJobs>();
    for (const char* type : {"a", "b", "c"}) jobs->add(type, 3);
    server_.set_poll([jobs](const Received& request) {
        const Answer answer = jobs->poll(request);
        return answer.bytes.empty() ? json_answer(200, R"({"jobs":[]})") : answer;
    });
    auto worker = make(2);
    for (const char* type : {"a", "b", "c"}) {
        worker->handle(type, [](const Job&, JobContext&) { return Completed{}; }, {.slots = 1});
    }
    const RunningWorker running(std::move(worker));
    for (const char* type : {"a", "b", "c"}) EXPECT_TRUE(wait_for_all(type, 3)) << type;
}

TEST_F(WorkerSlotsTest, AnswerOfManyLargeJobsIsRead) {
    const auto jobs = std::make_shared<TypedJobs>(150'000);
    jobs->add("t", 8);
    serve(jobs);
    std::atomic<int> failures = 0;
    observer_.poll_failed = [&](const Error&) {
        ++failures;
    };
    const auto worker = start([](const Job&, JobContext&) { return Completed{}; }, 8);
    EXPECT_TRUE(wait_for_all("t", 8));
    EXPECT_EQ(failures, 0);
}

TEST_F(WorkerSlotsTest, AsksForHalfAsManyWhenAnAnswerCannotBeRead) {
    const auto jobs = std::make_shared<TypedJobs>(600);
    jobs->add("t", 20);
    serve(jobs);
    options_.slots = 8;
    auto worker = std::make_unique<Worker>(
        ClientOptions{.server = http_.url(), .reply_values_max = 1500}, options_);
    worker->handle("t", [](const Job&, JobContext&) { return Completed{}; });
    RunningWorker running(std::move(worker));
    // Eight and four cannot be read, and come again after their leases; the others are done.
    EXPECT_TRUE(server_.wait_for("/v1/jobs/t12/complete"));
    EXPECT_TRUE(server_.wait_for("/v1/jobs/t13/complete"));
    const std::vector<std::int64_t> asked = jobs->asked();
    ASSERT_GE(asked.size(), 3u);
    EXPECT_EQ(asked[0], 8);
    EXPECT_EQ(asked[1], 4);
    EXPECT_EQ(asked[2], 2);
    EXPECT_TRUE(running.stop());
}

}  // namespace
}  // namespace millrace::client
