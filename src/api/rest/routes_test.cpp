#include "api/rest/routes.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

using namespace std::chrono_literals;

// A task, then a person, then a signal.
constexpr const char* kOrder = R"({"id":"order","name":"Order","steps":[
  {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"pay","retryCount":1,
   "nextStep":"approve"},
  {"id":"approve","name":"Approve","type":"USER_TASK","nextStep":"shipped"},
  {"id":"shipped","name":"Shipped","type":"WAIT","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";

constexpr const char* kPoll = R"({"workerId":"w1","jobTypes":["pay"]})";
constexpr const char* kNoSuchId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

class RestRoutesTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    void apply_order() { ASSERT_EQ(engine_.post("/v1/definitions", kOrder).status, 201); }

    std::string start_order() {
        const Answer started =
            engine_.post("/v1/instances", R"({"definitionId":"order","variables":{"n":1}})");
        EXPECT_EQ(started.status, 201) << started.text;
        return started["id"];
    }

    // The one job of a poll.
    json::Value claim_job(const std::string& body = kPoll) {
        const Answer polled = engine_.post("/v1/jobs/poll", body);
        EXPECT_EQ(polled.status, 200);
        const json::Value* jobs = polled.body.find("jobs");
        if (jobs == nullptr || jobs->if_array()->size() != 1) {
            ADD_FAILURE() << polled.text;
            return json::Object{};
        }
        return jobs->if_array()->front();
    }
    static std::string id_of(const json::Value& job) {
        const json::Value* id = job.find("id");
        return id == nullptr ? "" : *id->if_string();
    }
    std::string claim() { return id_of(claim_job()); }

    std::string status_of(const std::string& instance) {
        return engine_.get("/v1/instances/" + instance)["status"];
    }

    RestEngine engine_;
};

TEST_F(RestRoutesTest, CarriesAnInstanceFromStartToEnd) {
    apply_order();
    const std::string id = start_order();
    const std::string job = claim();
    EXPECT_EQ(
        engine_
            .post("/v1/jobs/" + job + "/complete", R"({"workerId":"w1","variables":{"paid":true}})")
            .status,
        204);
    EXPECT_EQ(engine_.post("/v1/instances/" + id + "/user-tasks/approve/complete").status, 204);
    EXPECT_EQ(engine_.post("/v1/instances/" + id + "/signals/shipped", R"({"by":"sea"})").status,
              204);

    const Answer instance = engine_.get("/v1/instances/" + id);
    EXPECT_EQ(instance["status"], "COMPLETED");
    EXPECT_NE(instance.text.find(R"("variables":{"n":1,"paid":true,"by":"sea"})"),
              std::string::npos)
        << instance.text;
    const Answer history = engine_.get("/v1/instances/" + id + "/history");
    EXPECT_EQ(history.body.find("items")->if_array()->size(), 4u) << history.text;
    EXPECT_NE(history.text.find(R"("stepType":"SERVICE_TASK")"), std::string::npos);
}

TEST_F(RestRoutesTest, AnswersCallersMistakesWithTheirOwnStatus) {
    apply_order();
    const std::string instance = "/v1/instances/" + start_order();
    struct Row {
        const char* method;
        std::string target;
        const char* body;
        int status;
        const char* reason;  // A part of it.
    };
    const std::string no_such(kNoSuchId);
    for (const Row& row : {
             Row{"POST", "/v1/definitions", "{", 400, "parse error: parse: "},
             Row{"POST", "/v1/definitions", "{}", 400, "validation error: validation errors:\n  "},
             Row{"GET", "/v1/definitions/none", "", 404, "definition not found"},
             Row{"GET", "/v1/definitions/order/versions/9", "", 404, "definition not found"},
             Row{"GET", "/v1/definitions/order/versions/0", "", 404, "definition not found"},
             Row{"GET", "/v1/definitions/order/versions/x", "", 400, "invalid version parameter"},
             Row{"POST", "/v1/instances", "", 400, "invalid request body: "},
             Row{"POST", "/v1/instances", "{}", 400, "definitionId is required"},
             Row{"POST", "/v1/instances", R"({"definitionId":7})", 400, "definitionId must be a"},
             Row{"POST", "/v1/instances", R"({"definitionId":"order","variables":[]})", 400,
                 "variables must be an object"},
             Row{"POST", "/v1/instances", R"({"definitionId":"none"})", 404, "not found"},
             Row{"POST", "/v1/instances", R"({"definitionId":"order"} x)", 400,
                 "expected the end of the text"},
             Row{"POST", "/v1/instances", R"({"definitionId":"order"}})", 400, "expected the end"},
             Row{"POST", "/v1/definitions", R"({"id":"a"} x)", 400, "expected the end of the text"},
             Row{"POST", "/v1/instances", R"({"definitionId":"order","definitionVersion":-1})", 400,
                 "definitionVersion must not be negative"},
             Row{"POST", "/v1/instances:batch", "{}", 400, "instances is required"},
             Row{"GET", "/v1/instances/" + no_such, "", 404, "not found"},
             Row{"GET", "/v1/instances/nonsense", "", 404, "instance \"nonsense\" not found"},
             Row{"GET", "/v1/instances/" + no_such + "/history", "", 404, "not found"},
             Row{"POST", "/v1/instances/" + no_such + "/cancel", "", 404, "not found"},
             Row{"POST", instance + "/user-tasks/approve/complete", "", 404, ""},
             Row{"POST", instance + "/user-tasks/none/complete", "", 404, ""},
             Row{"POST", instance + "/user-tasks/charge/complete", "", 400, ""},
             Row{"POST", instance + "/user-tasks/approve/complete", "[]", 400,
                 "expected an object"},
             Row{"POST", instance + "/signals/shipped", "", 409, ""},
             Row{"POST", instance + "/signals/none", "", 409,
                 R"(the instance does not wait at step "none": it is at "charge" (SERVICE_TASK))"},
             Row{"POST", instance + "/signals/charge", "", 400, ""},
             Row{"POST", instance + "/signals/shipped", "7", 400, "expected an object"},
             Row{"POST", "/v1/jobs/poll", "{}", 400, "workerId is required"},
             Row{"POST", "/v1/jobs/poll", R"({"workerId":"w"})", 400, "jobTypes must not be empty"},
             Row{"POST", "/v1/jobs/poll", R"({"workerId":"w","jobTypes":[]})", 400,
                 "jobTypes must not be empty"},
             Row{"POST", "/v1/jobs/poll", R"({"workerId":"w","jobTypes":[1]})", 400, "jobTypes"},
             Row{"POST", "/v1/jobs/" + no_such + "/complete", "{}", 404, "not found"},
             Row{"POST", "/v1/jobs/nonsense/complete", "{}", 404, "job \"nonsense\" not found"},
             Row{"POST", "/v1/jobs/" + no_such + "/complete", "", 400, "invalid request body: "},
             Row{"POST", "/v1/jobs/" + no_such + "/fail", R"({"retryable":1})", 400, "retryable"},
             Row{"POST", "/v1/jobs/complete", "{}", 400, "jobId is required"},
             Row{"POST", "/v1/jobs/fail", R"({"jobs":{}})", 400, "jobs must be an array"},
         }) {
        const Answer answer = engine_.ask(row.method, row.target, row.body);
        EXPECT_EQ(answer.status, row.status) << row.target << row.body << answer.text;
        EXPECT_NE(answer["reason"].find(row.reason), std::string::npos) << answer.text;
        EXPECT_EQ(answer["reason"], answer["message"]);
    }
}

// The reasons are those that existing clients match; the details name what they leave out.
TEST_F(RestRoutesTest, NamesInDetailsWhatIsNotThere) {
    apply_order();
    const std::string instance = "/v1/instances/" + start_order();
    struct Row {
        const char* method;
        std::string target;
        const char* reason;
        const char* detail;
    };
    for (const Row& row : {
             Row{"GET", "/v1/definitions/none", "definition not found",
                 R"(there is no definition "none" in workspace "default")"},
             Row{"GET", "/v1/definitions/none/versions", "definition not found",
                 R"(there is no definition "none" in workspace "default")"},
             Row{"GET", "/v1/definitions/order/versions/9", "definition not found",
                 R"(there is no definition "order" version 9 in workspace "default")"},
             Row{"GET", "/v1/definitions/order/versions/0", "definition not found",
                 R"(there is no definition "order" version 0 in workspace "default")"},
             Row{"POST", instance + "/user-tasks/none/complete", "user task not found",
                 R"(no open user task at step "none": it is at "charge" (SERVICE_TASK))"},
             Row{"POST", instance + "/user-tasks/approve/complete", "user task not found",
                 R"(no open user task at step "approve": it is at "charge" (SERVICE_TASK))"},
             Row{"POST", instance + "/user-tasks/charge/complete",
                 "step type does not match the endpoint",
                 R"(step "charge" is a SERVICE_TASK, not a USER_TASK)"},
             Row{"POST", instance + "/signals/charge", "step type does not match the endpoint",
                 R"(step "charge" is a SERVICE_TASK, not a WAIT)"},
         }) {
        const Answer answer = engine_.ask(row.method, row.target);
        EXPECT_EQ(answer["reason"], row.reason) << row.target;
        const json::Array& details = *answer.body.find("details")->if_array();
        ASSERT_EQ(details.size(), 1u) << answer.text;
        EXPECT_NE(details[0].find("message")->if_string()->find(row.detail), std::string::npos)
            << answer.text;
    }
}

TEST_F(RestRoutesTest, KeepsVersionsOfADefinition) {
    const Answer first = engine_.post("/v1/definitions", kOrder);
    EXPECT_TRUE(
        first.text.starts_with(R"({"id":"order","version":1,"name":"Order","uploadedAt":")"))
        << first.text;
    EXPECT_EQ(engine_.post("/v1/definitions", kOrder).body, first.body);

    std::string changed = kOrder;
    changed.replace(changed.find("Order"), 5, "Other");
    EXPECT_EQ(*engine_.post("/v1/definitions", changed).body.find("version"), json::Value(2));
    EXPECT_EQ(engine_.get("/v1/definitions/order")["name"], "Other");
    EXPECT_EQ(engine_.get("/v1/definitions/order/versions/1")["name"], "Order");

    const Answer list = engine_.get("/v1/definitions?keyword=ORD&pageSize=1000");
    EXPECT_NE(list.text.find(R"(],"total":1,"totalCapped":false,"page":0,"pageSize":500})"),
              std::string::npos)
        << list.text;
    EXPECT_EQ(list.body.find("items")->if_array()->size(), 1u);
    EXPECT_TRUE(engine_.get("/v1/definitions?keyword=zzz").text.starts_with(R"({"items":[],)"));
}

TEST_F(RestRoutesTest, RefusesXmlDefinitions) {
    http::HttpHeaders headers;
    headers.add("Content-Type", "application/xml; charset=utf-8");
    const Answer answer = engine_.ask("POST", "/v1/definitions", "<x/>", headers);
    EXPECT_EQ(answer.status, 415);
    EXPECT_EQ(answer["error"], "unsupported-format");
}

TEST_F(RestRoutesTest, FiltersInstances) {
    apply_order();
    (void)engine_.post("/v1/instances", R"({"DEFINITIONID":"order","businessKey":"b 1"})");
    start_order();
    const auto count = [this](const char* query) {
        const Answer list = engine_.get("/v1/instances" + std::string(query));
        EXPECT_EQ(list.status, 200);
        return list.body.find("items")->if_array()->size();
    };
    EXPECT_EQ(count(""), 2u);
    EXPECT_EQ(count("?businessKey=b+1"), 1u);
    EXPECT_EQ(count("?definitionId=order&status=ACTIVE"), 2u);
    EXPECT_EQ(count("?status=COMPLETED"), 0u);
    EXPECT_EQ(count("?pageSize=1&page=1"), 1u);
    EXPECT_EQ(count("?page=-3"), 2u);
}

TEST_F(RestRoutesTest, CancelsWhateverTheBodySays) {
    apply_order();
    const std::string first = start_order();
    const Answer cancelled =
        engine_.post("/v1/instances/" + first + "/cancel", R"({"reason":"why"})");
    EXPECT_EQ(cancelled.status, 200);
    EXPECT_EQ(cancelled["status"], "CANCELLED");
    EXPECT_EQ(cancelled["failureReason"], "why");
    EXPECT_EQ(engine_.post("/v1/instances/" + first + "/cancel").status, 409);
    EXPECT_EQ(engine_.post("/v1/instances/" + start_order() + "/cancel", "garbage").status, 200);
}

TEST_F(RestRoutesTest, DeliversJobsWithTheirLease) {
    apply_order();
    const std::string instance = start_order();
    const json::Value job = claim_job(R"({"workerId":"w1","jobTypes":["pay"],"leaseSeconds":60})");
    EXPECT_EQ(*job.find("instanceId"), json::Value(instance));
    EXPECT_EQ(*job.find("jobType"), json::Value("pay"));
    EXPECT_EQ(*job.find("retriesRemaining"), json::Value(1));
    EXPECT_EQ(*job.find("leaseToken"), json::Value(1));
    EXPECT_EQ(*job.find("lockedAt"), json::Value("2027-01-15T08:00:00Z"));
    EXPECT_EQ(*job.find("lockExpiresAt"), json::Value("2027-01-15T08:01:00Z"));
    EXPECT_EQ(engine_.post("/v1/jobs/poll", kPoll).text, "{\"jobs\":[]}\n");

    const std::string extend = "/v1/jobs/" + id_of(job) + "/extend";
    engine_.clock().advance(30s);
    const Answer extended =
        engine_.post(extend, R"({"workerId":"w1","leaseToken":1,"leaseSeconds":45})");
    EXPECT_EQ(extended.status, 200) << extended.text;
    EXPECT_EQ(extended["lockExpiresAt"], "2027-01-15T08:01:15Z");
    EXPECT_EQ(engine_.post(extend, R"({"workerId":"w1","leaseToken":9})").status, 409);
}

TEST_F(RestRoutesTest, FencesCompletionsAndAnswersRepeatsTheSame) {
    apply_order();
    start_order();
    const std::string complete = "/v1/jobs/" + claim() + "/complete";
    EXPECT_EQ(engine_.post(complete, R"({"workerId":"other"})").status, 409);
    EXPECT_EQ(engine_.post(complete, R"({"leaseToken":7})").status, 409);
    EXPECT_EQ(engine_.post(complete, R"({"workerId":"w1","leaseToken":1})").status, 204);
    EXPECT_EQ(engine_.post(complete, R"({"workerId":"w1","leaseToken":1})").status, 204);
}

TEST_F(RestRoutesTest, RetriesAFailedJobAndThenFailsItsInstance) {
    apply_order();
    const std::string instance = start_order();
    const char* retryable = R"({"workerId":"w1","errorMessage":"no","retryable":true})";
    EXPECT_EQ(engine_.post("/v1/jobs/" + claim() + "/fail", retryable).status, 204);
    const json::Value again = claim_job();
    EXPECT_EQ(*again.find("retriesRemaining"), json::Value(0));
    const std::string fail = "/v1/jobs/" + id_of(again) + "/fail";
    EXPECT_EQ(engine_.post(fail, retryable).status, 204);
    EXPECT_EQ(status_of(instance), "FAILED");
    EXPECT_EQ(engine_.post("/v1/jobs/" + id_of(again) + "/complete", "{}").status, 409);
}

TEST_F(RestRoutesTest, ReleasesAJobWithoutConsumingARetry) {
    apply_order();
    start_order();
    const std::string job = claim();
    const std::string release = "/v1/jobs/" + job + "/release";
    EXPECT_EQ(engine_.post(release, R"({"workerId":"other"})").status, 409);
    EXPECT_EQ(engine_.post(release, R"({"leaseToken":7})").status, 409);
    const char* own = R"({"workerId":"w1","leaseToken":1,"reason":"full"})";
    EXPECT_EQ(engine_.post(release, own).status, 204);
    EXPECT_EQ(engine_.post(release, own).status, 204);
    const std::string poll = R"("jobTypes":["pay"]})";
    EXPECT_EQ(engine_.post("/v1/jobs/poll", R"({"workerId":"w1",)" + poll).text, "{\"jobs\":[]}\n")
        << "not to the same worker at once";
    const Answer polled = engine_.post("/v1/jobs/poll", R"({"workerId":"w2",)" + poll);
    ASSERT_EQ(polled.body.find("jobs")->if_array()->size(), 1u);
    const json::Value again = polled.body.find("jobs")->if_array()->front();
    EXPECT_EQ(*again.find("leaseToken"), json::Value(2));
    EXPECT_EQ(*again.find("retriesRemaining"), json::Value(1));
    EXPECT_EQ(engine_.post(release, own).status, 409) << "another worker has it";
    const Answer shown = engine_.get("/v1/jobs/" + job);
    EXPECT_NE(shown.text.find(R"("outcome":"RELEASED","workerId":"w1")"), std::string::npos);

    const Answer many = engine_.post("/v1/jobs/release",
                                     R"({"jobs":[{"jobId":")" + job + R"(","delaySeconds":60}]})");
    EXPECT_EQ(many.text, R"({"results":[{"jobId":")" + job + "\",\"status\":204}]}\n");
    EXPECT_NE(engine_.get("/v1/jobs/" + job).text.find("availableAt"), std::string::npos);
    const Answer why = engine_.get("/v1/jobs/" + job + "/explain");
    EXPECT_NE(why.text.find("JOB_RELEASED"), std::string::npos) << why.text;
}

TEST_F(RestRoutesTest, AFailureMayAskForItsOwnDelay) {
    apply_order();
    start_order();
    const std::string job = claim();
    const char* later = R"({"workerId":"w1","retryable":true,"retryAfterSeconds":1e9})";
    EXPECT_EQ(engine_.post("/v1/jobs/" + job + "/fail", later).status, 204);
    EXPECT_NE(engine_.get("/v1/jobs/" + job).text.find("availableAt"), std::string::npos);
}

TEST_F(RestRoutesTest, ARefusedExtensionNamesItsCause) {
    apply_order();
    const std::string instance = start_order();
    const std::string extend = "/v1/jobs/" + claim() + "/extend";
    EXPECT_NE(engine_.post(extend, R"({"leaseToken":7})")
                  .text.find(R"("details":[{"path":"cause","message":"lost"}])"),
              std::string::npos);
    EXPECT_EQ(engine_.post("/v1/instances/" + instance + "/cancel", "{}").status, 200);
    const Answer cancelled = engine_.post(extend, R"({"leaseToken":1})");
    EXPECT_EQ(cancelled.status, 409);
    EXPECT_NE(cancelled.text.find(R"("details":[{"path":"cause","message":"cancelled"}])"),
              std::string::npos);
}

TEST_F(RestRoutesTest, ParksAPollUntilAJobComes) {
    apply_order();
    const std::string wait = R"({"workerId":"w1","jobTypes":["pay"],"waitSeconds":30})";
    const auto parked = engine_.send("POST", "/v1/jobs/poll", wait);
    EXPECT_FALSE(parked->answer());
    start_order();
    ASSERT_TRUE(parked->answer());
    const Answer polled = RestEngine::answer_of(*parked);
    EXPECT_EQ(polled.body.find("jobs")->if_array()->size(), 1u);
}

TEST_F(RestRoutesTest, EndsAParkedPollWithNothing) {
    const std::string wait = R"({"workerId":"w1","jobTypes":["pay"],"waitSeconds":30})";
    const auto parked = engine_.send("POST", "/v1/jobs/poll", wait);
    engine_.clock().advance(29s);
    engine_.work();
    EXPECT_FALSE(parked->answer());
    engine_.clock().advance(1s);
    engine_.work();
    EXPECT_EQ(RestEngine::answer_of(*parked).text, "{\"jobs\":[]}\n");
}

TEST_F(RestRoutesTest, OffersJobsAgainThatDidNotArrive) {
    apply_order();
    start_order();
    const auto polled = engine_.send("POST", "/v1/jobs/poll", kPoll);
    ASSERT_TRUE(polled->answer()->on_undelivered);
    polled->answer()->on_undelivered();
    engine_.work();
    EXPECT_EQ(*claim_job().find("leaseToken"), json::Value(2));
}

TEST_F(RestRoutesTest, GivesNoJobToAPollWhoseClientIsGone) {
    apply_order();
    const std::string wait = R"({"workerId":"gone","jobTypes":["pay"],"waitSeconds":30})";
    engine_.send("POST", "/v1/jobs/poll", wait)->client_gone();
    engine_.work();
    start_order();
    EXPECT_EQ(*claim_job().find("workerId"), json::Value("w1"));
}

TEST_F(RestRoutesTest, CompletesAndFailsListsItemByItem) {
    apply_order();
    start_order();
    start_order();
    const std::string first = claim_job(R"({"workerId":"w1","jobTypes":["pay"],"maxJobs":1})")
                                  .find("id")
                                  ->if_string()
                                  ->c_str();
    const std::string second = claim();
    const Answer mixed = engine_.post(
        "/v1/jobs/complete", R"({"jobs":[{"jobId":")" + first + R"(","workerId":"w1"},{"jobId":")" +
                                 second + R"(","workerId":"other"},{"jobId":"nonsense"},7,{}]})");
    EXPECT_EQ(mixed.status, 200);
    const json::Array& results = *mixed.body.find("results")->if_array();
    ASSERT_EQ(results.size(), 5u) << mixed.text;
    const std::vector<int> expected{204, 409, 404, 400, 400};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(*results[i].find("status"), json::Value(expected[i])) << mixed.text;
        EXPECT_EQ(results[i].find("error") == nullptr, expected[i] == 204);
    }
    EXPECT_EQ(*results[0].find("jobId"), json::Value(first));
    EXPECT_EQ(*results[3].find("error")->find("reason"), json::Value("jobs[3] must be an object"));

    const Answer failed = engine_.post(
        "/v1/jobs/fail", R"({"jobs":[{"jobId":")" + second + R"(","workerId":"w1"}]})");
    EXPECT_EQ(failed.text, R"({"results":[{"jobId":")" + second + "\",\"status\":204}]}\n");
    EXPECT_EQ(engine_.post("/v1/jobs/fail", R"({"jobs":[]})").text, "{\"results\":[]}\n");
}

TEST_F(RestRoutesTest, TakesOneJobByItsIdInTheBody) {
    apply_order();
    start_order();
    const std::string job = claim();
    EXPECT_EQ(
        engine_.post("/v1/jobs/complete", R"({"jobId":")" + job + R"(","leaseToken":5})").status,
        409);
    EXPECT_EQ(engine_.post("/v1/jobs/complete", R"({"jobId":")" + job + R"("})").status, 204);
}

TEST_F(RestRoutesTest, RefusesListsThatAreTooLong) {
    std::string body = R"({"jobs":[{})";
    for (std::size_t i = 0; i < limits::kBatchItemsMax; ++i) body += ",{}";
    EXPECT_EQ(engine_.post("/v1/jobs/complete", body + "]}").status, 413);
}

TEST_F(RestRoutesTest, StartsSeveralInstancesItemByItem) {
    apply_order();
    const Answer batch = engine_.post(
        "/v1/instances:batch",
        R"({"instances":[{"definitionId":"order","businessKey":"k"},{"definitionId":"none"},{}]})");
    EXPECT_EQ(batch.status, 200);
    const json::Array& results = *batch.body.find("results")->if_array();
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(*results[0].find("status"), json::Value(201));
    EXPECT_EQ(*results[0].find("instance")->find("businessKey"), json::Value("k"));
    EXPECT_EQ(*results[1].find("status"), json::Value(404));
    EXPECT_EQ(*results[2].find("status"), json::Value(400));
    EXPECT_EQ(engine_.get("/v1/instances").body.find("items")->if_array()->size(), 1u);
}

TEST_F(RestRoutesTest, KeepsWorkspacesApart) {
    apply_order();
    const std::string id = start_order();
    http::HttpHeaders other;
    other.add("Millrace-Workspace", "other");
    EXPECT_EQ(engine_.ask("GET", "/v1/instances/" + id, "", other).status, 404);
    EXPECT_EQ(engine_.ask("GET", "/v1/definitions/order", "", other).status, 404);
    EXPECT_EQ(engine_.ask("POST", "/v1/jobs/poll", kPoll, other).text, "{\"jobs\":[]}\n");
    http::HttpHeaders broken;
    broken.add("Millrace-Workspace", "No Such");
    EXPECT_EQ(engine_.ask("GET", "/v1/instances", "", broken).status, 400);
    for (const char* second : {"default", "other"}) {
        http::HttpHeaders two;
        two.add("Millrace-Workspace", "default");
        two.add("millrace-workspace", second);
        EXPECT_EQ(engine_.ask("GET", "/v1/instances", "", two).status, 400) << second;
    }
}

TEST_F(RestRoutesTest, RefusesVariablesThatAreTooLarge) {
    apply_order();
    const std::string big(limits::kVariablesBytesMax, 'x');
    EXPECT_EQ(
        engine_
            .post("/v1/instances", R"({"definitionId":"order","variables":{"x":")" + big + R"("}})")
            .status,
        413);
}

TEST_F(RestRoutesTest, SaysWhetherItIsAliveAndReady) {
    EXPECT_EQ(engine_.get("/healthz").status, 200);
    EXPECT_EQ(engine_.get("/healthz").text, "");
    EXPECT_EQ(engine_.get("/readyz").text, "{\"ready\":true,\"reasons\":[]}\n");
    engine_.is_engine_enabled = false;
    EXPECT_EQ(engine_.get("/readyz").status, 200);
    EXPECT_NE(engine_.get("/readyz").text.find("\"notes\":[\"The engine is switched off"),
              std::string::npos);
    engine_.is_engine_enabled = true;
    engine_.not_ready = {"The store does not answer."};
    const Answer answer = engine_.get("/readyz");
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.text, "{\"ready\":false,\"reasons\":[\"The store does not answer.\"]}\n");
}

}  // namespace
}  // namespace millrace::rest
