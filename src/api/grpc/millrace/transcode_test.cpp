#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "support/proto_messages.hpp"

namespace millrace::rpc {
namespace {

const std::string kId = "01KA3G5B7QJ8Z4T2R9V0000000";

const Method& method(const std::string& name) {
    return millrace_method_named(name);
}

const pb::MethodDescriptor& descriptor_of(const std::string& name) {
    return descriptor_of(method(name));
}

std::unique_ptr<pb::Message> message_of(const pb::Descriptor* descriptor) {
    return new_message(*descriptor);
}

std::string request_bytes(const std::string& name, const std::string& text) {
    const auto message = message_of(descriptor_of(name).input_type());
    EXPECT_TRUE(pb::TextFormat::ParseFromString(text, message.get())) << text;
    return message->SerializeAsString();
}

std::string reply_text(const std::string& name, const std::string& bytes) {
    const auto message = message_of(descriptor_of(name).output_type());
    EXPECT_TRUE(message->ParseFromString(bytes));
    pb::TextFormat::Printer printer;
    printer.SetSingleLineMode(true);
    std::string text;
    EXPECT_TRUE(printer.PrintToString(*message, &text));
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

struct CallRow {
    std::string method;
    std::string request;  // In protobuf's text format.
    std::string target;   // Method, path and query.
    std::string body;
};

TEST(TranscodeTest, RequestsBecomePathQueryAndBody) {
    const CallRow rows[] = {
        {"Instances/GetInstance", "id:'" + kId + "'", "GET /v1/instances/" + kId, ""},
        {"Instances/GetInstance", "id:'a/b ?%'", "GET /v1/instances/a%2Fb%20%3F%25", ""},
        {"Instances/StartInstance",
         R"(definition_id:'order' variables:'{"z":1,"a":9223372036854775807}' business_key:'ü"')",
         "POST /v1/instances",
         R"({"definitionId":"order","variables":{"z":1,"a":9223372036854775807},)"
         R"("businessKey":"ü\""})"},
        {"Instances/StartInstance", "", "POST /v1/instances", "{}"},
        {"Instances/StartInstances",
         "instances:{definition_id:'a'} instances:{definition_id:'b' definition_version:2 "
         "idempotency_key:'k'}",
         "POST /v1/instances:batch",
         R"({"instances":[{"definitionId":"a"},{"definitionId":"b","definitionVersion":2,)"
         R"("idempotencyKey":"k"}]})"},
        {"Instances/ListInstances",
         "status:INSTANCE_STATUS_FAILED status:INSTANCE_STATUS_CANCELLED suspended:false "
         "text:'a&b' started_after:{seconds:1 nanos:500000999} page_size:5",
         "GET /v1/instances?status=FAILED,CANCELLED&startedAfter=1970-01-01T00%3A00%3A01.5Z&"
         "suspended=false&text=a%26b&pageSize=5",
         ""},
        {"Instances/CancelInstances", "filter:{status:INSTANCE_STATUS_ACTIVE suspended:true}",
         "POST /v1/instances:cancel", R"({"filter":{"status":["ACTIVE"],"suspended":true}})"},
        {"Instances/ChangeVariables", "id:'i' remove:'a' remove:'b' expected_version:0",
         "PATCH /v1/instances/i/variables", R"({"remove":["a","b"],"expectedVersion":0})"},
        {"Instances/SignalWait", R"(id:'i' step_id:'s/1' variables:' {"by" : "sea"}')",
         "POST /v1/instances/i/signals/s%2F1", R"( {"by" : "sea"})"},
        {"Instances/SignalWait", "id:'i' step_id:'s'", "POST /v1/instances/i/signals/s", ""},
        {"Jobs/PollJobs",
         "worker_id:'w' job_types:'a' job_types:'b' max_jobs:-1 lease_seconds:7.5 wait_seconds:20",
         "POST /v1/jobs/poll",
         R"({"workerId":"w","jobTypes":["a","b"],"maxJobs":-1,"leaseSeconds":7.5,)"
         R"("waitSeconds":20})"},
        {"Jobs/CompleteJob", "id:'j' lease_token:0", "POST /v1/jobs/j/complete",
         R"({"leaseToken":0})"},
        {"Definitions/UploadDefinition", R"(document:'{"id":"x"}')", "POST /v1/definitions",
         R"({"id":"x"})"},
        {"Definitions/GetDefinitionVersion", "id:'x' version:3", "GET /v1/definitions/x/versions/3",
         ""},
        {"Workspaces/DeleteWorkspace", "workspace_id:'acme' force:true",
         "DELETE /v1/workspaces/acme?force=true", ""},
        {"Workspaces/ChangeWorkspace",
         "workspace_id:'acme' paused:false weight:2 clear:'max_active' clear:'ratePerSecond'",
         "PATCH /v1/workspaces/acme",
         R"({"weight":2,"paused":false,"maxActive":null,"ratePerSecond":null})"},
        {"DeadLetters/PurgeDeadLetters", "filter:{}", "POST /v1/dead-letters/purge",
         R"({"filter":{}})"},
        {"Executions/CompleteExecution",
         "id:'e' status:RUN_OUTCOME_FAILED error:{reason:RUN_ERROR_REASON_TIMED_OUT}",
         "POST /v1/executions/e/completion",
         R"({"status":"FAILED","error":{"reason":"TIMED_OUT"}})"},
        {"Administration/CreateKey", "name:'n' role:ROLE_WORKER", "POST /v1/keys",
         R"({"name":"n","role":"worker"})"},
        {"Administration/ListAudit", "kind:AUDIT_KIND_JOB_FAILED kind:AUDIT_KIND_KEY_CREATED",
         "GET /v1/audit?kind=JOB_FAILED,KEY_CREATED", ""},
        {"Administration/TakeBackup", "", "POST /v1/backup", "{}"},
    };
    for (const CallRow& row : rows) {
        SCOPED_TRACE(row.method + " " + row.request);
        const auto call = method(row.method).to_call(request_bytes(row.method, row.request));
        ASSERT_TRUE(call) << call.error().detail;
        const std::string query = call->query.empty() ? "" : "?" + call->query;
        EXPECT_EQ(call->method + " " + call->path + query, row.target);
        EXPECT_EQ(call->body, row.body);
    }
}

struct RefusalRow {
    std::string method;
    std::string request;
    std::string path;
};

TEST(TranscodeTest, RefusalsNameTheField) {
    const RefusalRow rows[] = {
        {"Instances/GetInstance", "", "id"},
        {"Definitions/GetDefinitionVersion", "id:'x'", "version"},
        {"Instances/StartInstance", "definition_id:'x' variables:'{'", "variables"},
        {"Instances/StartInstance", "definition_id:'x' variables:'{} {}'", "variables"},
        {"Instances/StartInstance", R"(variables:'{},"definitionId":"y"')", "variables"},
        {"Instances/StartInstance", R"(variables:'"\\ud800"')", "variables"},
        {"Instances/StartInstances", "instances:{} instances:{variables:'nul'}",
         "instances[1].variables"},
        {"Instances/SignalWait", "id:'i' step_id:'s' variables:'x'", "variables"},
        {"Instances/ListInstances", "status:INSTANCE_STATUS_FAILED status:77", "status[1]"},
        {"Instances/ListInstances", "status:INSTANCE_STATUS_UNSPECIFIED", "status[0]"},
        {"Instances/ListInstances", "started_before:{seconds:253402300800}", "startedBefore"},
        {"Instances/ListInstances", "started_before:{nanos:-1}", "startedBefore"},
        {"Instances/CancelInstances", "filter:{started_after:{seconds:-62135596801}}",
         "filter.startedAfter"},
        {"Jobs/PollJobs", "wait_seconds:nan", "waitSeconds"},
        {"Jobs/PollJobs", "lease_seconds:-inf", "leaseSeconds"},
        {"Administration/CreateKey", "role:9", "role"},
        {"Workspaces/ChangeWorkspace", "workspace_id:'a' clear:'name'", "clear[0]"},
        {"Workspaces/ChangeWorkspace", "workspace_id:'a' clear:'nonsense'", "clear[0]"},
        {"Workspaces/ChangeWorkspace", "workspace_id:'a' max_active:1 clear:'max_active'",
         "clear[0]"},
        {"Workspaces/ChangeWorkspace", "workspace_id:'a' clear:'max_active' clear:'maxActive'",
         "clear[1]"},
    };
    for (const RefusalRow& row : rows) {
        SCOPED_TRACE(row.method + " " + row.request);
        const auto call = method(row.method).to_call(request_bytes(row.method, row.request));
        ASSERT_FALSE(call);
        EXPECT_EQ(call.error().code, ErrorCode::invalid_argument);
        ASSERT_EQ(call.error().details.size(), 1u);
        EXPECT_EQ(call.error().details[0].path, row.path);
        EXPECT_EQ(call.error().detail.find(row.path), 0u) << call.error().detail;
    }
}

TEST(TranscodeTest, IdsThatAreNamesOfOtherRoutesAreNotFound) {
    const std::pair<std::string, std::string> rows[] = {
        {"Jobs/GetJob", "poll"}, {"Jobs/GetJob", "fail"}, {"DeadLetters/GetDeadLetter", "groups"}};
    for (const auto& [name, id] : rows) {
        const auto call = method(name).to_call(request_bytes(name, "id:'" + id + "'"));
        ASSERT_FALSE(call) << name << id;
        EXPECT_EQ(call.error().code, ErrorCode::not_found);
    }
    EXPECT_TRUE(method("Jobs/ExplainJob").to_call(request_bytes("Jobs/ExplainJob", "id:'poll'")));
}

TEST(TranscodeTest, LimitsHoldForTheTextsThatMessagesBecome) {
    const std::string blanks(6'000, ' ');          // Three bytes each in a path, one in JSON.
    const std::string controls(3u << 20, '\x01');  // Six bytes each in JSON.
    const std::pair<std::string, std::string> rows[] = {
        {"Instances/GetInstance", "id:'" + blanks + "'"},
        {"Instances/ListInstances", "text:'" + blanks + "'"},
        {"Instances/StartInstance", "business_key:'" + controls + "'"},
    };
    for (const auto& [name, text] : rows) {
        const auto call = bounded_call(method(name), request_bytes(name, text));
        ASSERT_FALSE(call) << name;
        EXPECT_EQ(call.error().code, ErrorCode::too_large) << name;
    }
    const std::string reason = "id:'i' reason:'" + blanks + "'";
    EXPECT_TRUE(bounded_call(method("Instances/CancelInstance"),
                             request_bytes("Instances/CancelInstance", reason)));
}

// Field 1 of type string in another wire type, field 99, and texts that are no UTF-8.
TEST(TranscodeTest, ForeignFieldsAreRefusedButForWorkers) {
    const std::string varint_in_1("\x08\x05", 2);
    const std::string field_99("\x9a\x06\x01x", 4);
    const std::string bad_text("\x0a\x02\xc3\x28", 4);
    const std::string bad_text_inside("\x0a\x04" + bad_text);
    const std::tuple<std::string, std::string, std::optional<std::string>> rows[] = {
        {"Instances/StartInstance", varint_in_1, "definitionId"},
        {"Instances/StartInstance", field_99, ""},
        {"Instances/StartInstance", bad_text, "definitionId"},
        {"Instances/StartInstances", bad_text_inside, "instances.definitionId"},
        {"Instances/StartInstances", "\x0a\x04" + field_99, "instances[0]"},
        {"Instances/StartInstance", "\xff\xff", ""},
        {"Jobs/PollJobs", bad_text, "workerId"},
        {"Jobs/PollJobs", field_99, std::nullopt},
        {"Jobs/CompleteJobs", "\x0a\x04" + field_99, std::nullopt},
    };
    for (const auto& [name, bytes, path] : rows) {
        SCOPED_TRACE(name + " " + path.value_or("taken"));
        const auto call = method(name).to_call(bytes);
        ASSERT_EQ(!call, path.has_value());
        if (!path) continue;
        EXPECT_EQ(call.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(call.error().details.at(0).path, *path) << call.error().detail;
    }
}

struct ReplyRow {
    std::string method;
    std::string answer;
    std::string reply;
};

TEST(TranscodeTest, AnswersBecomeReplies) {
    const ReplyRow rows[] = {
        {"Jobs/CompleteJob", "", ""},
        {"Instances/GetInstance",
         R"({"id":"i","status":"WAITING","currentStepIds":["a","b"],"variables":{"z":1,)"
         R"("a":[9223372036854775807, 1.50]},"startedAt":"1970-01-01T00:00:01.000002Z",)"
         R"("suspended":true,"variablesVersion":4,"newer":{"x":[1]}})",
         R"(id: "i" status: INSTANCE_STATUS_WAITING current_step_ids: "a" )"
         R"(current_step_ids: "b" variables: "{\"z\":1,\"a\":[9223372036854775807, )"
         R"(1.50]}" variables_version: 4 started_at { seconds: 1 nanos: 2000 } suspended: )"
         R"(true)"},
        {"Instances/GetHistory",
         R"({"items":[{"id":"s","endedAt":null,"failureReason":null,"stepType":"END",)"
         R"("status":"NEWER"}]})",
         R"(items { id: "s" step_type: STEP_TYPE_END })"},
        {"Instances/GetHistory", R"({"items":[],"nextCursor":""})", R"(next_cursor: "")"},
        {"Definitions/GetDefinition", R"({"name":"N","steps":[],"id":"x","version":2})",
         R"(id: "x" version: 2 name: "N" document: "{\"name\":\"N\",\"steps\":[],)"
         R"(\"id\":\"x\",\"version\":2}")"},
        {"Workspaces/GetQueue",
         R"({"places":{"READY":1,"DUE":3},"oldestAgeSeconds":42,"limits":{"ratePerSecond":0.5}})",
         R"(limits { rate_per_second: 0.5 } places { ready: 1 due: 3 } oldest_age_seconds: 42)"},
        {"Executions/GetExecution", R"({"result":null,"executor":"native","error":{"reason":"R"}})",
         R"(result: "null" error { reason: "R" } executor: EXECUTOR_NATIVE)"},
        {"Jobs/CompleteJobs",
         R"({"results":[{"jobId":"a","status":204},{"status":404,)"
         R"("error":{"error":"not-found","details":[{"path":"p","message":"m"}]}}]})",
         R"(results { job_id: "a" status: 204 } results { status: 404 error { error: )"
         R"("not-found" details { path: "p" message: "m" } } })"},
    };
    for (const ReplyRow& row : rows) {
        SCOPED_TRACE(row.method + " " + row.answer);
        const auto reply = method(row.method).to_reply({.body = row.answer});
        ASSERT_TRUE(reply) << reply.error().detail;
        EXPECT_EQ(reply_text(row.method, *reply), row.reply);
    }
}

TEST(TranscodeTest, AnswersThatDoNotFitAreErrorsOfTheServer) {
    const std::pair<std::string, std::string> rows[] = {
        {"Instances/GetInstance", "[]"},
        {"Instances/GetInstance", "{"},
        {"Instances/GetInstance", "{} {}"},
        {"Instances/GetInstance", R"({"id":1})"},
        {"Instances/GetInstance", R"({"id":")"},
        {"Instances/GetInstance", "{\"id\":\"\xff\"}"},
        {"Instances/GetInstance", R"({"definitionVersion":2147483648})"},
        {"Instances/GetInstance", R"({"definitionVersion":1.5})"},
        {"Instances/GetInstance", R"({"startedAt":"soon"})"},
        {"Instances/GetInstance", R"({"currentStepIds":"a"})"},
        {"Instances/GetInstance", R"({"suspended":"yes"})"},
        {"Instances/GetHistory", R"({"items":[{"id":"s"},7]})"},
    };
    for (const auto& [name, answer] : rows) {
        const auto reply = method(name).to_reply({.body = answer});
        ASSERT_FALSE(reply) << answer;
        EXPECT_EQ(reply.error().code, ErrorCode::internal) << answer;
    }
}

TEST(TranscodeTest, ReadinessIsAReplyEvenWhenTheServerIsNotReady) {
    const Method& readiness = method("Administration/GetReadiness");
    const http::HttpResponse not_ready{.status = 503, .body = R"({"ready":false,"reasons":["x"]})"};
    EXPECT_TRUE(readiness.is_reply(not_ready));
    EXPECT_EQ(reply_text("Administration/GetReadiness", *readiness.to_reply(not_ready)),
              R"(reasons: "x")");
    EXPECT_FALSE(readiness.is_reply({.status = 503, .body = R"({"error":"unavailable"})"}));
    EXPECT_FALSE(readiness.is_reply({.status = 500, .body = R"({"ready":false})"}));
    EXPECT_FALSE(method("Jobs/GetJob").is_reply(not_ready));
}

TEST(TranscodeTest, EventsBecomeMessagesHoweverTheyAreCut) {
    const std::string text =
        ": keep-alive\n\nid: 7\nevent: step\ndata: {\"id\":\"s\",\"stepId\":\"a\"}\n\n"
        "event: instance\r\ndata: {\"id\":\"i\",\r\ndata: \"status\":\"ACTIVE\"}\r\n\r\n"
        "event: newer\ndata: {}\n\nevent: instance\ndata: {\"id\":\"unfin";
    const Method& watch = method("Instances/WatchInstance");
    ASSERT_TRUE(watch.is_server_stream());
    for (std::size_t size = 1; size <= text.size(); ++size) {
        const auto stream = watch.reply_stream();
        std::vector<std::string> seen;
        for (std::size_t at = 0; at < text.size(); at += size) {
            const auto messages = stream->take(std::string_view(text).substr(at, size));
            ASSERT_TRUE(messages) << messages.error().detail;
            for (const std::string& each : *messages) {
                seen.push_back(reply_text("Instances/WatchInstance", each));
            }
        }
        EXPECT_EQ(seen, (std::vector<std::string>{
                            R"(event_id: "7" step { id: "s" step_id: "a" })",
                            R"(instance { id: "i" status: INSTANCE_STATUS_ACTIVE })"}));
    }
}

TEST(TranscodeTest, AnEventThatIsNoJsonEndsTheStream) {
    const auto stream = method("Instances/WatchInstance").reply_stream();
    EXPECT_EQ(stream->take("event: step\ndata: {\n\n").error().code, ErrorCode::internal);
}

TEST(TranscodeTest, BytesAreCutIntoPieces) {
    const Method& backup = method("Administration/TakeBackup");
    const std::string bytes(600'000, '\xff');
    const auto messages = backup.reply_stream()->take(bytes);
    ASSERT_TRUE(messages);
    ASSERT_EQ(messages->size(), 3u);
    std::size_t count = 0;
    for (const std::string& each : *messages) {
        const auto piece = message_of(descriptor_of("Administration/TakeBackup").output_type());
        ASSERT_TRUE(piece->ParseFromString(each));
        count += piece->GetReflection()
                     ->GetString(*piece, piece->GetDescriptor()->FindFieldByName("data"))
                     .size();
    }
    EXPECT_EQ(count, bytes.size());
}

}  // namespace
}  // namespace millrace::rpc
