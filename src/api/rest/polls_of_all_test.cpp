// Goal: a worker that cannot name a workspace serves all of them, from the poll to the report; one
// that names a workspace, or whose key does, serves and finds that one alone. Method: the routes of
// a worker, called by each kind of caller for a job of each kind of workspace.

#include <gtest/gtest.h>

#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

constexpr const char* kOrder = R"({"id":"order","name":"Order","steps":[
  {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"pay","retryCount":9,
   "nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";

struct Delivered {
    std::string id{};
    std::string workspace{};
};

class PollsOfAllRoutesTest : public testing::Test {
protected:
    explicit PollsOfAllRoutesTest(RestEngine::Keys keys = RestEngine::Keys::not_asked_for)
        : engine_(keys) {}

    void start_in(const std::string& workspace, const std::string& key = {}) {
        const http::HttpHeaders headers = headers_of(key, workspace);
        ASSERT_EQ(engine_.ask("POST", "/v1/definitions", kOrder, headers).status, 201);
        ASSERT_EQ(
            engine_.ask("POST", "/v1/instances", R"({"definitionId":"order"})", headers).status,
            201);
    }
    std::vector<Delivered> poll(const http::HttpHeaders& headers, int jobs_max = 10) {
        const auto answer = engine_.ask(
            "POST", "/v1/jobs/poll",
            R"({"workerId":"w1","jobTypes":["pay"],"maxJobs":)" + std::to_string(jobs_max) + "}",
            headers);
        EXPECT_EQ(answer.status, 200) << answer.text;
        std::vector<Delivered> jobs;
        for (const json::Value& job : *answer.body.find("jobs")->if_array()) {
            jobs.push_back({*job.find("id")->if_string(), *job.find("workspaceId")->if_string()});
        }
        return jobs;
    }
    // The job that one poll for all brings.
    Delivered one_of_all(const std::string& key = {}) {
        const auto jobs = poll(headers_of(key), 1);
        return jobs.empty() ? Delivered{} : jobs.front();
    }
    RestEngine::Answer report(const std::string& job, const std::string& call,
                              const http::HttpHeaders& headers) {
        return engine_.ask("POST", "/v1/jobs/" + job + "/" + call,
                           R"({"workerId":"w1","retryable":true})", headers);
    }

    RestEngine engine_;
};

TEST_F(PollsOfAllRoutesTest, WithoutAHeaderServeEveryWorkspace) {
    for (const char* workspace : {"acme", "bolt", "default"}) start_in(workspace);
    std::string served;
    for (const Delivered& job : poll({})) served += job.workspace + " ";
    EXPECT_EQ(served, "acme bolt default ");
}

TEST_F(PollsOfAllRoutesTest, WithAHeaderServeThatOneAlone) {
    for (const char* workspace : {"acme", "bolt", "default"}) start_in(workspace);
    for (const char* workspace : {"bolt", "default"}) {
        const auto jobs = poll(headers_of({}, workspace));
        ASSERT_EQ(jobs.size(), 1u);
        EXPECT_EQ(jobs[0].workspace, workspace);
    }
    EXPECT_TRUE(poll(headers_of({}, "cord")).empty());
    EXPECT_EQ(poll({}).size(), 1u);
}

TEST_F(PollsOfAllRoutesTest, AreParkedUntilAnyWorkspaceHasAJob) {
    const auto exchange = engine_.send("POST", "/v1/jobs/poll",
                                       R"({"workerId":"w1","jobTypes":["pay"],"waitSeconds":30})");
    ASSERT_FALSE(exchange->answer());
    start_in("acme");
    ASSERT_TRUE(exchange->answer());
    EXPECT_NE(exchange->answer()->body.find(R"("workspaceId":"acme")"), std::string::npos);
}

TEST_F(PollsOfAllRoutesTest, ReportByTheIdOfTheJobAlone) {
    start_in("acme");
    const std::string job = one_of_all().id;
    EXPECT_EQ(report(job, "extend", {}).status, 200);
    const auto shown = engine_.get("/v1/jobs/" + job);
    EXPECT_EQ(shown["workspaceId"], "acme");
    EXPECT_EQ(engine_.get("/v1/jobs/" + job + "/explain").status, 200);
    EXPECT_EQ(report(job, "fail", {}).status, 204);
    ASSERT_EQ(one_of_all().id, job) << "tried again";
    EXPECT_EQ(report(job, "complete", {}).status, 204);
    EXPECT_EQ(report(job, "complete", {}).status, 204) << "again";
    EXPECT_EQ(engine_.get("/v1/jobs/" + job)["status"], "COMPLETED");
}

// What another server handed out, or this one before its restart, is not remembered here.
TEST_F(PollsOfAllRoutesTest, ReportOnJobsThatNobodyRemembersHandingOut) {
    for (const char* workspace : {"acme", "bolt"}) start_in(workspace);
    const std::string first = poll(headers_of({}, "acme"))[0].id;
    const std::string second = poll(headers_of({}, "bolt"))[0].id;
    EXPECT_EQ(report(first, "extend", {}).status, 200);
    EXPECT_EQ(report(first, "complete", {}).status, 204);
    const auto list = engine_.post("/v1/jobs/complete",
                                   R"({"jobs":[{"jobId":")" + second + R"("},{"jobId":")" + first +
                                       R"("},{"jobId":"01KA3G5B7QJ8Z4T2R9V0000002"}]})");
    const json::Array* results = list.body.find("results")->if_array();
    ASSERT_EQ(results->size(), 3u);
    EXPECT_EQ(*results->at(0).find("status")->if_integer(), 204) << list.text;
    EXPECT_EQ(*results->at(1).find("status")->if_integer(), 204) << list.text;
    EXPECT_EQ(*results->at(2).find("status")->if_integer(), 404) << list.text;
    EXPECT_EQ(report("01KA3G5B7QJ8Z4T2R9V0000002", "complete", {}).status, 404);
    EXPECT_EQ(engine_.get("/v1/jobs/01KA3G5B7QJ8Z4T2R9V0000002").status, 404);
}

TEST_F(PollsOfAllRoutesTest, WithAHeaderReportOnThatWorkspaceAlone) {
    for (const char* workspace : {"acme", "default"}) start_in(workspace);
    for (const Delivered& job : poll({})) {
        const std::string other = job.workspace == "acme" ? "default" : "acme";
        for (const char* call : {"extend", "fail", "complete"}) {
            EXPECT_EQ(report(job.id, call, headers_of({}, other)).status, 404) << call;
        }
        EXPECT_EQ(engine_.ask("GET", "/v1/jobs/" + job.id, {}, headers_of({}, other)).status, 404);
        EXPECT_EQ(report(job.id, "complete", headers_of({}, job.workspace)).status, 204);
    }
}

class KeysOfPollsTest : public PollsOfAllRoutesTest {
protected:
    KeysOfPollsTest() : PollsOfAllRoutesTest(RestEngine::Keys::asked_for) {}

    const std::string admin_ = engine_.add_key(Role::admin);
    const std::string of_cluster_ = engine_.add_key(Role::worker);
    const std::string of_acme_ = engine_.add_key(Role::worker, WorkspaceId{"acme"});
};

TEST_F(KeysOfPollsTest, AKeyOfTheClusterServesAllAndAKeyOfAWorkspaceItsOwn) {
    for (const char* workspace : {"acme", "bolt"}) start_in(workspace, admin_);
    const auto own = poll(headers_of(of_acme_));
    ASSERT_EQ(own.size(), 1u);
    EXPECT_EQ(own[0].workspace, "acme");
    const auto others = poll(headers_of(of_cluster_));
    ASSERT_EQ(others.size(), 1u);
    EXPECT_EQ(others[0].workspace, "bolt");

    for (const char* call : {"extend", "fail", "complete"}) {
        EXPECT_EQ(report(others[0].id, call, headers_of(of_acme_)).status, 404) << call;
    }
    EXPECT_EQ(report(others[0].id, "complete", headers_of(of_cluster_)).status, 204);
    EXPECT_EQ(report(own[0].id, "complete", headers_of(of_cluster_)).status, 204);
    EXPECT_EQ(poll(headers_of(of_acme_)).size(), 0u);
}

}  // namespace
}  // namespace millrace::rest
