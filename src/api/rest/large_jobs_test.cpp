#include "api/rest/large_jobs.hpp"

#include <gtest/gtest.h>

#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

std::size_t one_way(std::string_view text) {
    return text.size();
}
std::size_t other_way(std::string_view text) {
    return 2 * text.size();
}

JobId numbered_job(std::uint64_t number) {
    return {{number, 1}};
}

TEST(LargeJobs, KnowsAJobByItsVariablesAndTheClient) {
    LargeJobs jobs;
    EXPECT_FALSE(jobs.is_known(numbered_job(1), "{}", one_way));
    jobs.note(numbered_job(1), R"({"a":1})", one_way);
    EXPECT_TRUE(jobs.is_known(numbered_job(1), R"({"a":1})", one_way));
    EXPECT_FALSE(jobs.is_known(numbered_job(2), R"({"a":1})", one_way));
    EXPECT_FALSE(jobs.is_known(numbered_job(1), R"({"a":2})", one_way)) << "changed";
    EXPECT_FALSE(jobs.is_known(numbered_job(1), R"({"a":10})", one_way)) << "changed";
    EXPECT_FALSE(jobs.is_known(numbered_job(1), R"({"a":1})", other_way)) << "another protocol";
}

TEST(LargeJobs, ForgetsTheOldestOfMany) {
    LargeJobs jobs;
    constexpr std::uint64_t kNoted = 10'000;
    for (std::uint64_t i = 0; i < kNoted; ++i) jobs.note(numbered_job(i), "{}", one_way);
    std::uint64_t known = 0;
    for (std::uint64_t i = 0; i < kNoted; ++i) {
        known += jobs.is_known(numbered_job(i), "{}", one_way) ? 1U : 0U;
    }
    EXPECT_GE(known, 1'000U);
    EXPECT_LE(known, 2'000U);
    EXPECT_TRUE(jobs.is_known(numbered_job(kNoted - 1), "{}", one_way));
    EXPECT_FALSE(jobs.is_known(numbered_job(0), "{}", one_way));
}

int measured = 0;  // A function pointer carries no counter.

std::size_t counted(std::string_view text) {
    measured += 1;
    return 100 * text.size();
}

TEST(LargeJobsPolled, AreMeasuredOnceAndLeftToOthers) {
    constexpr http::ClientTraits kClient{.jobs_bytes_max = 10'000, .variables_bytes = counted};
    constexpr const char* kPoll = R"({"workerId":"w","jobTypes":["pay"],"maxJobs":9})";
    RestEngine engine;
    const auto poll = [&] {
        return RestEngine::answer_of(*engine.send("POST", "/v1/jobs/poll", kPoll, {}, kClient));
    };
    ASSERT_EQ(engine
                  .post("/v1/definitions", R"({"id":"order","name":"Order","steps":[
      {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"pay","nextStep":"done"},
      {"id":"done","name":"Done","type":"END"}]})")
                  .status,
              201);
    const std::string large =
        R"({"definitionId":"order","variables":{"x":")" + std::string(200, 'x') + R"("}})";
    ASSERT_EQ(engine.post("/v1/instances", large).status, 201);
    measured = 0;
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(poll().status, 413);
        engine.work();  // It is offered again.
    }
    EXPECT_EQ(measured, 1);

    ASSERT_EQ(engine.post("/v1/instances", R"({"definitionId":"order"})").status, 201);
    const RestEngine::Answer small = poll();
    EXPECT_EQ(small.status, 200);
    EXPECT_EQ(small.body.find("jobs")->if_array()->size(), 1u);
    EXPECT_EQ(measured, 2);
    engine.work();
    EXPECT_EQ(engine.post("/v1/jobs/poll", kPoll).body.find("jobs")->if_array()->size(), 1u);
}

}  // namespace
}  // namespace millrace::rest
