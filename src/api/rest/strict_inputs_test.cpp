#include <gtest/gtest.h>

#include <algorithm>

#include "api/rest/route_inputs.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

constexpr std::string_view kNobody = "01ARZ3NDEKTSV4RRFFQ8000000";
constexpr std::string_view kNobodysTask = "01ARZ3NDEKTSV4RRFFQ8000002";

// A path of that pattern: well formed, and nobody's.
std::string path_of(std::string pattern) {
    const std::string_view id = pattern.starts_with("/v1/user-tasks/") ? kNobodysTask : kNobody;
    for (std::size_t begin = 0; (begin = pattern.find('{')) != std::string::npos;) {
        const std::size_t end = pattern.find('}', begin);
        const bool is_workspace = pattern.substr(begin, end - begin) == "{ws";
        const bool is_version = pattern.substr(begin, end - begin) == "{version";
        const std::string_view value = is_workspace ? "nowhere" : is_version ? "1" : id;
        pattern.replace(begin, end - begin + 1, value);
    }
    return pattern;
}

class StrictInputsTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    static std::string wrong_path(const Answer& answer) {
        const json::Value* details = answer.body.find("details");
        if (details == nullptr || details->if_array()->empty()) return "";
        return *details->if_array()->front().find("path")->if_string();
    }

    // Of the header; empty when there is none.
    static std::string warning_of(const FakeExchange& exchange) {
        if (!exchange.answer()) return "no answer";
        for (const auto& [name, value] : exchange.answer()->headers) {
            if (name == "Millrace-Warning") return value;
        }
        return "";
    }

    RestEngine engine_;
};

TEST_F(StrictInputsTest, EveryRouteRefusesAnUnknownQueryParameter) {
    int probes = 0;
    for (const http::Route& route : engine_.router().routes()) {
        const std::string what = route.method + " " + route.pattern;
        const Answer answer =
            engine_.ask(route.method, path_of(route.pattern) + "?page_size=1", "{}");
        if (route.inputs.takes_any_query) {
            ++probes;
            EXPECT_EQ(answer.status, 200) << what << answer.text;
            continue;
        }
        EXPECT_EQ(answer.status, 400) << what << answer.text;
        EXPECT_NE(answer["message"].find("There is no query parameter `page_size`"),
                  std::string::npos)
            << what << answer.text;
        EXPECT_EQ(wrong_path(answer), "page_size") << what;
    }
    EXPECT_EQ(probes, 2);  // Of health and readiness.
}

TEST_F(StrictInputsTest, EveryParameterOfEveryRouteIsTakenOnce) {
    int count = 0;
    for (const http::Route& route : engine_.router().routes()) {
        for (const std::string_view name : route.inputs.query) {
            ++count;
            const std::string once = std::string(name) + "=";
            const std::string target = path_of(route.pattern) + "?" + once;
            const Answer answer = engine_.ask(route.method, target + "&" + once);
            EXPECT_EQ(answer.status, 400) << target;
            EXPECT_NE(answer["message"].find("is given more than once"), std::string::npos);
            EXPECT_NE(engine_.ask(route.method, target).status, 400) << target;
        }
    }
    EXPECT_GT(count, 60);
}

TEST_F(StrictInputsTest, WrongNamesAndValuesInQueriesAreNamedWithTheNearest) {
    struct Row {
        const char* target;
        const char* path;
        const char* reason;  // A part of it.
    };
    for (const Row& row : {
             Row{"/v1/instances?staus=FAILED", "staus",
                 "There is no query parameter `staus`; did you mean `status`?"},
             Row{"/v1/instances?status=FAILD", "status",
                 "There is no status `FAILD`; did you mean `FAILED`?"},
             Row{"/v1/instances?status=ACTIVE,failed", "status", "did you mean `FAILED`?"},
             Row{"/v1/instances?status=,", "status", "There is no status ``"},
             Row{"/v1/instances?definitionID=x", "definitionID", "did you mean `definitionId`?"},
             Row{"/v1/instances?status=FAILED&status=ACTIVE", "status", "more than once"},
             Row{"/v1/definitions?keywrd=x", "keywrd", "did you mean `keyword`?"},
             Row{"/v1/definitions/x?version=1", "version", "none is taken here"},
             Row{"/v1/jobs?status=LOKED", "status", "did you mean `LOCKED`?"},
             Row{"/v1/jobs?status=COMPLETED", "status", "there is `UNLOCKED`, `LOCKED`"},
             Row{"/v1/user-tasks?status=DONE", "status", "there is `OPEN`, `COMPLETED`"},
             Row{"/v1/audit?kind=JOB_FAILD", "kind", "did you mean `JOB_FAILED`?"},
             Row{"/v1/audit?kind=INSTANCE_STARTET", "kind", "did you mean `INSTANCE_STARTED`?"},
             Row{"/v1/workspaces/default/executions?status=RUNING", "status", "`RUNNING`?"},
             Row{"/v1/workspaces/default/executions?queueStatus=RUNNING", "queueStatus",
                 "there is `PENDING`, `CLAIMED`, `DISPATCHED`"},
             Row{"/v1/dead-letters?status=FAILED", "status", "no query parameter `status`"},
             Row{"/v1/dead-letters/groups?page=1", "page", "did you mean `pageSize`?"},
         }) {
        const Answer answer = engine_.get(row.target);
        EXPECT_EQ(answer.status, 400) << row.target << answer.text;
        EXPECT_NE(answer["message"].find(row.reason), std::string::npos) << answer.text;
        EXPECT_EQ(wrong_path(answer), row.path);
    }
}

bool is_lenient(const http::Route& route) {
    return std::ranges::any_of(lenient_routes(), [&](const LenientRoute& each) {
        return each.method == route.method && each.pattern == route.pattern;
    });
}

// The one route whose body is the caller's own through and through.
bool takes_any_object(const http::Route& route) {
    return route.pattern == "/v1/instances/{id}/signals/{stepId}";
}

TEST_F(StrictInputsTest, EveryRouteRefusesAnUnknownFieldUnlessItIsLenient) {
    std::size_t lenient = 0;
    for (const http::Route& route : engine_.router().routes()) {
        if (route.method == "GET" || takes_any_object(route)) continue;
        const std::string what = route.method + " " + route.pattern;
        const auto exchange =
            engine_.send(route.method, path_of(route.pattern), R"({"surprise":1})");
        const Answer answer = RestEngine::answer_of(*exchange);
        if (is_lenient(route)) {
            ++lenient;
            EXPECT_EQ(warning_of(*exchange), "Unknown fields were ignored: surprise") << what;
            EXPECT_NE(wrong_path(answer), "surprise") << what << answer.text;
            continue;
        }
        EXPECT_EQ(warning_of(*exchange), "") << what;
        EXPECT_EQ(answer.status, 400) << what << answer.text;
        EXPECT_NE(answer.text.find("surprise"), std::string::npos) << what << answer.text;
        if (!route.pattern.ends_with("/definitions")) {
            EXPECT_EQ(wrong_path(answer), "surprise") << what << answer.text;
        }
    }
    EXPECT_EQ(lenient, lenient_routes().size());
}

TEST_F(StrictInputsTest, EveryRouteOfWorkersIsLenient) {
    for (const http::Route& route : engine_.router().routes()) {
        EXPECT_TRUE(route.access != Access::work || is_lenient(route)) << route.pattern;
    }
    for (const LenientRoute& route : lenient_routes()) EXPECT_FALSE(route.reason.empty());
}

TEST_F(StrictInputsTest, WrongNamesAndValuesInBodiesAreNamedWithTheNearest) {
    struct Row {
        const char* target;
        const char* body;
        const char* path;
        const char* reason;  // A part of it.
    };
    const char* const line = "/v1/workspaces/default/executions";
    for (const Row& row : {
             Row{line, R"({"definitonId":"x"})", "definitonId",
                 "There is no field `definitonId`; did you mean `definitionId`?"},
             Row{line, R"({"definitionId":"x","inputs":{}})", "inputs", "did you mean `input`?"},
             Row{line, R"({"definitionId":"x","input":{"a":1},"variables":{"a":2}})", "variables",
                 "variables is another name of input"},
             Row{"/v1/keys", R"({"name":"x","role":"admn"})", "role",
                 "There is no role `admn`; did you mean `admin`?"},
             Row{"/v1/keys", R"({"name":"x","role":"admin","workspce":"a"})", "workspce",
                 "did you mean `workspace`?"},
             Row{"/v1/workspaces", R"({"id":"x","maxActiv":1})", "maxActiv", "`maxActive`?"},
             Row{"/v1/instances:batch", R"({"instance":[]})", "instance", "`instances`?"},
             Row{"/v1/instances:cancel", R"({"filter":{"staus":"ACTIVE"}})", "filter.staus",
                 "did you mean `status`?"},
             Row{"/v1/instances:cancel", R"({"filter":{"status":"ACTIV"}})", "filter.status",
                 "There is no status `ACTIV`; did you mean `ACTIVE`?"},
             Row{"/v1/executions/01ARZ3NDEKTSV4RRFFQ8000000/completion", R"({"status":"FAILD"})",
                 "status", "There is no status `FAILD`; did you mean `FAILED`?"},
         }) {
        const Answer answer = engine_.post(row.target, row.body);
        EXPECT_EQ(answer.status, 400) << row.body << answer.text;
        EXPECT_NE(answer["message"].find(row.reason), std::string::npos) << answer.text;
        EXPECT_EQ(wrong_path(answer), row.path) << answer.text;
    }
}

TEST_F(StrictInputsTest, LenientRoutesNameUnknownFieldsBesideWhatIsMissing) {
    struct Row {
        const char* target;
        std::string body;
        const char* reason;
        const char* unknown;  // The message about it.
    };
    std::string many = "{";
    for (int i = 0; i < 20; ++i) many += "\"new" + std::to_string(i) + "\":1,";
    for (const Row& row : {
             Row{"/v1/instances", R"({"definitonId":"x"})", "definitionId is required",
                 "There is no field `definitonId`; did you mean `definitionId`?"},
             Row{"/v1/jobs/poll", R"({"workerid":"w","jobTyps":["t"]})",
                 "jobTypes must not be empty",
                 "There is no field `jobTyps`; did you mean `jobTypes`?"},
             Row{"/v1/instances", many + R"("variables":1})",
                 "invalid request body: variables must be an object", "There is no field `new7`"},
         }) {
        const Answer answer = engine_.post(row.target, row.body);
        EXPECT_EQ(answer.status, 400) << answer.text;
        EXPECT_EQ(answer["reason"], row.reason) << answer.text;
        EXPECT_NE(answer.text.find(row.unknown), std::string::npos) << answer.text;
        EXPECT_EQ(answer.text.find("`new8`"), std::string::npos) << answer.text;
    }
}

TEST_F(StrictInputsTest, ItemsOfOurOwnBatchesAreRefusedOneByOne) {
    for (const char* call : {"/v1/workspaces/default/executions:batch", "/v1/instances:batch"}) {
        const std::string list =
            std::string(call).find("executions") != std::string::npos ? "executions" : "instances";
        const Answer answer =
            engine_.post(call, "{\"" + list +
                                   R"(":[{"definitionId":"x","colour":1},{"definitionId":"x",)"
                                   R"("idempotencyKey":"k"}]})");
        EXPECT_EQ(answer.status, 200) << answer.text;
        EXPECT_NE(answer.text.find(list + "[0].colour"), std::string::npos) << answer.text;
        EXPECT_NE(answer.text.find(R"("status":404)"), std::string::npos) << answer.text;
    }
}

TEST_F(StrictInputsTest, WarningsNameEachFieldOnceAndAreBounded) {
    struct Row {
        const char* target;
        std::string body;
        const char* warning;
    };
    std::string many = R"({"jobId":"x")";
    for (int i = 0; i < 20; ++i) many += ",\"new" + std::to_string(i) + "\":1";
    for (const Row& row : {
             Row{"/v1/jobs/complete", R"({"jobs":[{"jobId":"x","a":1},{"jobId":"y","a":2}],"b":3})",
                 "Unknown fields were ignored: b, jobs[].a"},
             Row{"/v1/jobs/fail", R"({"jobId":"x","errorCode":"E1"})",
                 "Unknown fields were ignored: errorCode"},
             Row{"/v1/jobs/complete", R"({"jobId":"x","a\r\nSet-Cookie: b":1})",
                 "Unknown fields were ignored: a??Set-Cookie: b"},
             Row{"/v1/jobs/complete", many + "}",
                 "Unknown fields were ignored: new0, new1, new2, new3, new4, new5, new6, new7 and "
                 "others"},
             Row{"/v1/jobs/complete", R"({"jobId":"x","workerId":"w","variables":{"new":1}})", ""},
         }) {
        EXPECT_EQ(warning_of(*engine_.send("POST", row.target, row.body)), row.warning);
    }
}

TEST_F(StrictInputsTest, ExecutionsTakeVariablesForInput) {
    ASSERT_EQ(engine_
                  .post("/v1/definitions", R"({"id":"x","name":"X","steps":[
                        {"id":"a","name":"A","type":"WAIT","nextStep":"b"},
                        {"id":"b","name":"B","type":"END"}]})")
                  .status,
              201);
    for (const char* body : {
             R"({"definitionId":"x","variables":{"a":1}})",
             R"({"definitionId":"x","input":{"a":1}})",
             R"({"definitionId":"x","input":{"a":1},"variables":{"a":1}})",
         }) {
        const Answer answer = engine_.post("/v1/workspaces/default/executions", body);
        EXPECT_EQ(answer.status, 202) << body << answer.text;
        EXPECT_NE(answer.text.find(R"("input":{"a":1})"), std::string::npos) << answer.text;
    }
}

TEST_F(StrictInputsTest, TheRootSaysWhatThisIs) {
    const Answer root = engine_.get("/");
    EXPECT_EQ(root.status, 200);
    EXPECT_EQ(root["name"], "Millrace");
    const json::Value* links = root.body.find("links");
    ASSERT_NE(links, nullptr) << root.text;
    for (const char* name : {"openapi", "definitionSchema", "health", "readiness"}) {
        EXPECT_EQ(engine_.get(*links->find(name)->if_string()).status, 200) << name;
    }
    EXPECT_NE(root["grpc"].find("9090"), std::string::npos) << root.text;
}

}  // namespace
}  // namespace millrace::rest
