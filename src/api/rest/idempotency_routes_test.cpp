// The header Idempotency-Key and the field idempotencyKey, as callers see them.

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

// A person, then a signal.
constexpr const char* kOrder = R"({"id":"order","name":"Order","steps":[
  {"id":"approve","name":"Approve","type":"USER_TASK","nextStep":"shipped"},
  {"id":"shipped","name":"Shipped","type":"WAIT","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";

class IdempotencyRoutesTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    IdempotencyRoutesTest() { EXPECT_EQ(engine_.post("/v1/definitions", kOrder).status, 201); }

    struct Reply {
        Answer answer{};
        bool is_replayed = false;
    };

    Reply post(std::string_view target, std::string body, std::string_view key,
               std::string_view workspace = "default") {
        http::HttpHeaders headers;
        headers.add("idempotency-key", key);
        headers.add("Millrace-Workspace", workspace);
        const auto exchange = engine_.send("POST", target, std::move(body), headers);
        Reply reply{.answer = RestEngine::answer_of(*exchange)};
        for (const auto& [name, value] : exchange->answer()->headers) {
            if (name == "Idempotent-Replayed") reply.is_replayed = value == "true";
        }
        return reply;
    }

    std::int64_t instance_count() {
        return *engine_.get("/v1/instances").body.find("total")->if_integer();
    }

    RestEngine engine_;
};

TEST_F(IdempotencyRoutesTest, ARepeatedStartAnswersWithTheInstanceAsItIsNow) {
    const Reply first = post(
        "/v1/instances", R"({"definitionId":"order","variables":{"a":1,"b":{"c":2,"d":3}}})", "k");
    EXPECT_EQ(first.answer.status, 201);
    EXPECT_FALSE(first.is_replayed);
    const std::string id = first.answer["id"];
    EXPECT_EQ(engine_.post("/v1/instances/" + id + "/cancel").status, 200);

    // Neither whitespace nor the order or case of names makes it another request.
    const Reply again = post(
        "/v1/instances",
        R"({ "variables": {"b": {"d":3, "c":2}, "a": 1}, "DefinitionId": "order", "x": 0 })", "k");
    EXPECT_EQ(again.answer.status, 201);
    EXPECT_TRUE(again.is_replayed);
    EXPECT_EQ(again.answer["id"], id);
    EXPECT_EQ(again.answer["status"], "CANCELLED");
    EXPECT_EQ(instance_count(), 1);
}

TEST_F(IdempotencyRoutesTest, WhatHasExpiredIsNotStartedASecondTime) {
    const char* const body = R"({"definitionId":"order"})";
    const Reply first = post("/v1/instances", body, "k");
    const Id128 id = *parse_ulid(first.answer["id"]);
    engine_.remove_instance({{id}, {"default"}});
    const Reply again = post("/v1/instances", body, "k");
    EXPECT_EQ(again.answer.status, 404);
    EXPECT_NE(again.answer["message"].find(first.answer["id"]), std::string::npos)
        << again.answer.text;
    EXPECT_EQ(instance_count(), 0);
}

TEST_F(IdempotencyRoutesTest, WithoutAKeyNothingIsMarked) {
    const auto exchange = engine_.send("POST", "/v1/instances", R"({"definitionId":"order"})");
    EXPECT_TRUE(exchange->answer()->headers.empty());
    EXPECT_EQ(engine_.post("/v1/instances", R"({"definitionId":"order"})").status, 201);
    EXPECT_EQ(instance_count(), 2);
}

TEST_F(IdempotencyRoutesTest, AnotherStartUnderTheSameKeyIsUnprocessable) {
    ASSERT_EQ(post("/v1/instances", R"({"definitionId":"order"})", "k").answer.status, 201);
    for (const char* body : {
             R"({"definitionId":"order","variables":{"a":1}})",
             R"({"definitionId":"order","definitionVersion":1})",
             R"({"definitionId":"order","businessKey":"b"})",
             R"({"definitionId":"other"})",
         }) {
        const Answer answer = post("/v1/instances", body, "k").answer;
        EXPECT_EQ(answer.status, 422) << body;
        EXPECT_EQ(answer["error"], "unprocessable");
        EXPECT_NE(answer["message"].find("\"k\""), std::string::npos) << answer.text;
    }
    EXPECT_EQ(instance_count(), 1);
}

TEST_F(IdempotencyRoutesTest, ARefusedStartLeavesItsKeyFree) {
    EXPECT_EQ(post("/v1/instances", R"({"definitionId":"none"})", "k").answer.status, 404);
    EXPECT_EQ(post("/v1/instances", R"({"definitionId":"order"})", "k").answer.status, 201);
}

TEST_F(IdempotencyRoutesTest, KeysBelongToTheirWorkspace) {
    EXPECT_EQ(post("/v1/instances", R"({"definitionId":"order"})", "k").answer.status, 201);
    EXPECT_EQ(post("/v1/instances", R"({"definitionId":"order"})", "k", "acme").answer.status, 404)
        << "acme has no such definition: its key was free";
}

TEST_F(IdempotencyRoutesTest, RefusesBadKeys) {
    const std::string too_long(limits::kIdempotencyKeyBytesMax + 1, 'x');
    const std::string longest(limits::kIdempotencyKeyBytesMax, 'x');
    const std::string id = engine_.post("/v1/instances", R"({"definitionId":"order"})")["id"];
    struct Row {
        std::string key;
        int status;
        const char* reason;
    };
    for (const Row& row : {
             Row{"", 400, "Idempotency-Key must not be empty"},
             Row{too_long, 400, "Idempotency-Key must be at most 256 bytes long"},
             Row{"a\tb", 400, "Idempotency-Key must not contain control characters"},
             Row{"a\x7F", 400, "Idempotency-Key must not contain control characters"},
             Row{"a\xFF", 400, "Idempotency-Key must be UTF-8"},
             Row{longest, 201, ""},
             Row{"größe \"1\"", 201, ""},
         }) {
        const Answer answer = post("/v1/instances", R"({"definitionId":"order"})", row.key).answer;
        EXPECT_EQ(answer.status, row.status) << row.key << answer.text;
        EXPECT_EQ(answer["message"], row.reason);
        for (const char* call : {"/signals/x", "/user-tasks/x/complete"}) {
            const int status = post("/v1/instances/" + id + call, "", row.key).answer.status;
            EXPECT_EQ(status == 400, row.status == 400) << call << status;
        }
    }
    http::HttpHeaders twice;
    twice.add("Idempotency-Key", "a");
    twice.add("Idempotency-Key", "b");
    const Answer answer =
        engine_.ask("POST", "/v1/instances", R"({"definitionId":"order"})", twice);
    EXPECT_EQ(answer.status, 400);
}

TEST_F(IdempotencyRoutesTest, TasksAndSignalsMayBeRepeated) {
    const std::string id = post("/v1/instances", R"({"definitionId":"order"})", "k").answer["id"];
    struct Row {
        std::string target;
        const char* body;
        const char* other_body;
        int without_key;  // The status of a repetition without a key.
    };
    for (const Row& row : {
             Row{"/v1/instances/" + id + "/user-tasks/approve/complete",
                 R"({"workerId":"ada","variables":{"ok":true}})",
                 R"({"workerId":"bob","variables":{"ok":true}})", 404},
             Row{"/v1/instances/" + id + "/signals/shipped", R"({"by":"sea","on":1})",
                 R"({"by":"air","on":1})", 409},
         }) {
        const Reply first = post(row.target, row.body, "k");
        EXPECT_EQ(first.answer.status, 204) << first.answer.text;
        EXPECT_FALSE(first.is_replayed);
        const Reply again = post(row.target, row.body, "k");
        EXPECT_EQ(again.answer.status, 204);
        EXPECT_TRUE(again.is_replayed);
        EXPECT_EQ(post(row.target, row.other_body, "k").answer.status, 422);
        const int status = engine_.post(row.target, row.body).status;
        EXPECT_TRUE(status == row.without_key || status == 409) << status;
    }
    EXPECT_EQ(engine_.get("/v1/instances/" + id)["status"], "COMPLETED");
}

TEST_F(IdempotencyRoutesTest, ItemsOfABatchHaveTheirOwnKeys) {
    const std::string batch = R"({"instances":[
        {"definitionId":"order","idempotencyKey":"a"},
        {"definitionId":"order"},
        {"definitionId":"order","idempotencyKey":"a"},
        {"definitionId":"order","businessKey":"other","idempotencyKey":"a"},
        {"definitionId":"order","idempotencyKey":""},
        {"definitionId":"order","idempotencyKey":7}]})";
    const auto results_of = [](const Answer& answer) {
        EXPECT_EQ(answer.status, 200);
        std::vector<json::Value> results = *answer.body.find("results")->if_array();
        EXPECT_EQ(results.size(), 6u);
        return results;
    };
    const auto id_of = [](const json::Value& result) {
        return *result.find("instance")->find("id")->if_string();
    };
    const auto first = results_of(engine_.post("/v1/instances:batch", batch));
    const int statuses[] = {201, 201, 201, 422, 400, 400};
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(*first[i].find("status"), json::Value(statuses[i])) << i;
    }
    EXPECT_EQ(id_of(first[2]), id_of(first[0]));
    EXPECT_EQ(first[0].find("replayed"), nullptr);
    EXPECT_EQ(*first[2].find("replayed"), json::Value(true));
    EXPECT_EQ(instance_count(), 2);

    const auto again = results_of(engine_.post("/v1/instances:batch", batch));
    EXPECT_EQ(id_of(again[0]), id_of(first[0]));
    EXPECT_EQ(*again[0].find("replayed"), json::Value(true));
    EXPECT_EQ(instance_count(), 3) << "the item without a key is a new start";

    // The same operation, so the same scope.
    const Reply single = post("/v1/instances", R"({"definitionId":"order"})", "a");
    EXPECT_TRUE(single.is_replayed);
    EXPECT_EQ(single.answer["id"], id_of(first[0]));
}

}  // namespace
}  // namespace millrace::rest
