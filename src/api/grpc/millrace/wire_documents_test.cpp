// Goal: the proto, the OpenAPI document and the router say the same. Method: walk all three; what
// is only in one of them stands below with its reason.

#include <gtest/gtest.h>
#include <millrace/v1/instances.pb.h>
#include <millrace/v1/rest.pb.h>

#include <algorithm>
#include <map>
#include <set>

#include "api/grpc/millrace/message_shape.hpp"
#include "api/grpc/millrace/route_template.hpp"
#include "support/proto_messages.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rpc {
namespace {

// Routes without an rpc, and why.
const std::map<std::string, std::string> kOnlyInRest = {
    {"GET /", "where to go from here; gRPC has reflection"},
    {"GET /healthz", "grpc.health.v1 answers it"},
    {"GET /openapi.json", "the document of REST; gRPC has reflection"},
    {"GET /definition.schema.json", "a document for editors, fetched over HTTP"},
};

struct Exception {
    std::string message;
    std::string property;
    std::string reason;
};

// Properties of OpenAPI without a field.
const Exception kOnlyInOpenApi[] = {
    {"CompleteJobsRequest", "jobId", "a single job: CompleteJob"},
    {"CompleteJobsRequest", "workerId", "a single job: CompleteJob"},
    {"CompleteJobsRequest", "leaseToken", "a single job: CompleteJob"},
    {"CompleteJobsRequest", "variables", "a single job: CompleteJob"},
    {"FailJobsRequest", "jobId", "a single job: FailJob"},
    {"FailJobsRequest", "workerId", "a single job: FailJob"},
    {"FailJobsRequest", "leaseToken", "a single job: FailJob"},
    {"FailJobsRequest", "errorMessage", "a single job: FailJob"},
    {"FailJobsRequest", "retryable", "a single job: FailJob"},
    {"FailJobsRequest", "retryAfterSeconds", "a single job: FailJob"},
    {"ReleaseJobsRequest", "jobId", "a single job: ReleaseJob"},
    {"ReleaseJobsRequest", "workerId", "a single job: ReleaseJob"},
    {"ReleaseJobsRequest", "leaseToken", "a single job: ReleaseJob"},
    {"ReleaseJobsRequest", "delaySeconds", "a single job: ReleaseJob"},
    {"ReleaseJobsRequest", "reason", "a single job: ReleaseJob"},
    {"CompleteUserTaskRequest", "completedBy", "another word for userId"},
    {"CompleteUserTaskRequest", "workerId", "another word for userId"},
    {"CompleteUserTaskRequest", "result", "another word for variables"},
    {"CompleteUserTaskOfStepRequest", "completedBy", "another word for userId"},
    {"CompleteUserTaskOfStepRequest", "workerId", "another word for userId"},
    {"CompleteUserTaskOfStepRequest", "result", "another word for variables"},
    {"EnqueueExecutionRequest", "variables", "another word for input"},
    {"ExecutionToEnqueue", "variables", "another word for input"},
    {"ListUserTasksRequest", "type", "another word for stepId"},
};

// Fields whose words OpenAPI lists and the proto does not: more come with each version, and a
// client must be able to read those that it does not know.
const std::set<std::string> kOpenWords = {"Error.error"};

std::string erased(std::string pattern) {
    for (std::size_t at = pattern.find('{'); at != std::string::npos;
         at = pattern.find('{', at + 1)) {
        pattern.replace(at, pattern.find('}', at) - at + 1, "{}");
    }
    return pattern;
}

const v1::Rest& rest_of(const Method& method) {
    return descriptor_of(method).options().GetExtension(v1::rest);
}

const json::Value* member(const json::Value* value, std::string_view name) {
    return value == nullptr ? nullptr : value->find(name);
}

std::string text_of(const json::Value* value) {
    return value == nullptr || value->if_string() == nullptr ? "" : *value->if_string();
}

class WireDocumentsTest : public testing::Test {
protected:
    WireDocumentsTest() : document_(engine_.get("/openapi.json").body) {}

    const json::Value* resolved(const json::Value* schema) const {
        while (const json::Value* reference = member(schema, "$ref")) {
            schema = &document_;
            std::string rest = text_of(reference).substr(2);  // Behind `#/`.
            for (std::size_t at = 0; at != std::string::npos;) {
                at = rest.find('/');
                schema = member(schema, rest.substr(0, at));
                rest = at == std::string::npos ? "" : rest.substr(at + 1);
            }
            if (schema == nullptr) ADD_FAILURE() << "dangling " << text_of(reference);
        }
        return schema;
    }

    // All parts of a schema that may hold: itself, and those of allOf, anyOf and oneOf.
    std::vector<const json::Value*> parts(const json::Value* schema) const {
        schema = resolved(schema);
        std::vector<const json::Value*> all{schema};
        for (const char* name : {"allOf", "anyOf", "oneOf"}) {
            const json::Value* list = member(schema, name);
            if (list == nullptr) continue;
            for (const json::Value& each : *list->if_array()) {
                for (const json::Value* part : parts(&each)) all.push_back(part);
            }
        }
        return all;
    }

    std::map<std::string, const json::Value*> properties(const json::Value* schema) const {
        std::map<std::string, const json::Value*> found;
        for (const json::Value* part : parts(schema)) {
            const json::Value* list = member(part, "properties");
            if (list == nullptr) continue;
            for (const json::Member& each : *list->if_object()) {
                if (each.value.is_object()) found.emplace(each.key, &each.value);
            }
        }
        return found;
    }

    bool is_required(const json::Value* schema, const std::string& name) const {
        for (const json::Value* part : parts(schema)) {
            const json::Value* list = member(part, "required");
            if (list == nullptr) continue;
            const json::Array& names = *list->if_array();
            if (std::ranges::find(names, json::Value(name)) != names.end()) return true;
        }
        return false;
    }

    std::set<std::string> types(const json::Value* schema) const {
        std::set<std::string> found;
        for (const json::Value* part : parts(schema)) {
            const json::Value* type = member(part, "type");
            if (const json::Value* value = member(part, "const")) {
                found.insert(value->if_boolean() != nullptr ? "boolean" : "string");
            }
            if (type == nullptr) continue;
            if (type->if_string() != nullptr) found.insert(*type->if_string());
            if (type->if_array() == nullptr) continue;
            for (const json::Value& each : *type->if_array()) found.insert(text_of(&each));
        }
        return found;
    }

    std::set<std::string> words(const json::Value* schema) const {
        std::set<std::string> found;
        for (const json::Value* part : parts(schema)) {
            const json::Value* list = member(part, "enum");
            if (list == nullptr) continue;
            for (const json::Value& each : *list->if_array()) {
                if (each.if_string() != nullptr) found.insert(text_of(&each));
            }
        }
        return found;
    }

    enum class Way { query, request, reply };

    void compare_words(const FieldShape& field, const json::Value* schema, Way way) {
        std::set<std::string> ours;
        for (const auto& [number, word] : field.words->values) ours.insert(word);
        std::set<std::string> theirs = words(schema);
        if (const json::Value* fixed = member(resolved(schema), "const")) theirs = {text_of(fixed)};
        // A list may take fewer than there are, and an answer be always the same one.
        if (way == Way::query || theirs.size() == 1) {
            EXPECT_TRUE(std::ranges::includes(ours, theirs));
        } else {
            EXPECT_EQ(ours, theirs);
        }
    }

    void compare_field(const FieldShape& field, const json::Value* schema, Way way) {
        SCOPED_TRACE(field.field->full_name());
        std::set<std::string> type = types(schema);
        EXPECT_EQ(way == Way::request && type.contains("null"), field.is_nullable);
        type.erase("null");
        if (field.is_list && way != Way::query) {
            EXPECT_TRUE(type.contains("array"));
            for (const json::Value* part : parts(schema)) {
                if (const json::Value* items = member(part, "items")) {
                    compare_value(field, items, way);
                }
            }
            return;
        }
        const json::Value* items = field.is_list ? member(resolved(schema), "items") : nullptr;
        compare_value(field, items != nullptr ? items : schema, way);
    }

    void compare_value(const FieldShape& field, const json::Value* schema, Way way) {
        std::set<std::string> type = types(schema);
        type.erase("null");
        const std::string name =
            field.field->containing_type()->name() + "." + std::string(field.name);
        const auto expect_type = [&](const std::string& expected) {
            const bool is_text = way == Way::query && type.contains("string");
            EXPECT_TRUE(type == std::set{expected} || is_text) << name << " is a " << expected;
        };
        switch (field.kind) {
            case FieldKind::text:
                EXPECT_TRUE(words(schema).empty() || kOpenWords.contains(name)) << name;
                if (!kOpenWords.contains(name)) expect_type("string");
                break;
            case FieldKind::flag: return expect_type("boolean");
            case FieldKind::int32:
            case FieldKind::int64: return expect_type("integer");
            case FieldKind::number: return expect_type("number");
            case FieldKind::time: return expect_type("string");
            case FieldKind::word: return compare_words(field, schema, way);
            case FieldKind::json:
                EXPECT_TRUE(properties(schema).empty()) << name << " has properties";
                break;
            case FieldKind::message:
                compare_message(*field.message, *field.field->message_type(), schema, way);
                break;
            case FieldKind::blob: ADD_FAILURE() << name;
        }
    }

    // What REST leaves out is told from what is empty.
    static void expect_presence(const FieldShape& field, bool is_required) {
        const bool is_plain = !field.is_list && field.kind != FieldKind::word &&
                              field.kind != FieldKind::json && field.kind != FieldKind::flag &&
                              field.kind != FieldKind::message && field.kind != FieldKind::time;
        if (!is_plain) return;
        EXPECT_EQ(field.field->has_presence(), !is_required) << field.field->full_name();
    }

    void compare_message(const MessageShape& shape, const pb::Descriptor& descriptor,
                         const json::Value* schema, Way way) {
        const auto theirs = properties(schema);
        for (const auto& [name, property] : theirs) {
            const FieldShape* field = shape.find(name);
            if (field == nullptr) {
                EXPECT_TRUE(is_excepted(descriptor, name))
                    << descriptor.name() << " has no " << name;
                continue;
            }
            compare_field(*field, property, way);
            const bool can_be_absent =
                !is_required(schema, name) || types(property).contains("null");
            if (way == Way::reply) expect_presence(*field, !can_be_absent);
        }
        for (const FieldShape& field : shape.fields) {
            if (field.is_list_of_nulls) continue;
            EXPECT_TRUE(theirs.contains(field.name))
                << field.field->full_name() << " is not in REST";
        }
    }

    bool is_excepted(const pb::Descriptor& descriptor, const std::string& name) {
        for (const Exception& each : kOnlyInOpenApi) {
            if (each.message != descriptor.name() || each.property != name) continue;
            exceptions_met_.insert(&each);
            return true;
        }
        return false;
    }

    const json::Value* operation_of(const Method& method) {
        const RouteTemplate route = parse_route(rest_of(method).route());
        const std::string wanted = erased(rest_of(method).route());
        for (const json::Member& path : *document_.find("paths")->if_object()) {
            if (erased(route.method + " " + path.key) != wanted) continue;
            std::string verb = route.method;
            std::ranges::transform(verb, verb.begin(), [](char c) { return c | 0x20; });
            return path.value.find(verb);
        }
        return nullptr;
    }

    // The fields of a request that stand neither in the path nor for the whole body.
    MessageShape carried(const Method& method) {
        const MessageShape& shape = shapes_.of(*descriptor_of(method).input_type());
        MessageShape rest = shape.without(shape.find_either(rest_of(method).body()));
        for (const auto& segment : parse_route(rest_of(method).route()).segments) {
            if (segment.is_field) rest = rest.without(shape.find_either(segment.text));
        }
        return rest;
    }

    void compare_query(const Method& method, const json::Value* operation) {
        const MessageShape shape = carried(method);
        std::set<std::string> names;
        const json::Value* list = operation->find("parameters");
        for (const json::Value& each : list == nullptr ? json::Array{} : *list->if_array()) {
            const json::Value* parameter = resolved(&each);
            if (text_of(parameter->find("in")) != "query") continue;
            const std::string name = text_of(parameter->find("name"));
            names.insert(name);
            const FieldShape* field = shape.find(name);
            const pb::Descriptor& request = *descriptor_of(method).input_type();
            if (field != nullptr) {
                compare_field(*field, parameter->find("schema"), Way::query);
            } else {
                EXPECT_TRUE(is_excepted(request, name)) << request.name() << " has no " << name;
            }
        }
        for (const FieldShape& field : shape.fields) {
            EXPECT_TRUE(names.contains(field.name))
                << field.field->full_name() << " is not in REST";
        }
    }

    static bool is_batch_of_jobs(const Method& method) {
        return descriptor_of(method).output_type()->name() == "JobResults";
    }

    void compare_query_or_body(const Method& method, const json::Value* operation) {
        const bool has_body = parse_route(rest_of(method).route()).has_body();
        has_body ? compare_body(method, operation) : compare_query(method, operation);
    }

    static const json::Value* content(const json::Value* holder) {
        const json::Value* types = member(holder, "content");
        return types == nullptr ? nullptr : &types->if_object()->front().value;
    }

    void compare_body(const Method& method, const json::Value* operation) {
        if (!rest_of(method).body().empty()) return;
        const json::Value* schema = member(content(operation->find("requestBody")), "schema");
        const MessageShape shape = carried(method);
        if (schema == nullptr) {
            EXPECT_TRUE(shape.fields.empty()) << method.name() << " has no body in REST";
        } else {
            compare_message(shape, *descriptor_of(method).input_type(), schema, Way::request);
        }
    }

    void compare_answer(const Method& method, const json::Value* answer) {
        const pb::Descriptor& reply = *descriptor_of(method).output_type();
        const MessageShape& shape = shapes_.of(reply);
        const json::Value* schema = member(content(resolved(answer)), "schema");
        if (schema == nullptr) {
            EXPECT_TRUE(shape.fields.empty()) << reply.name() << " is more than nothing";
            return;
        }
        const FieldShape* body = shape.find_either(rest_of(method).reply_body());
        if (body == nullptr) return compare_message(shape, reply, schema, Way::reply);
        for (const FieldShape& field : shape.without(body).fields) {  // A part of the document.
            EXPECT_TRUE(properties(schema).contains(field.name)) << field.field->full_name();
        }
    }

    RestEngine engine_;
    json::Value document_;
    Shapes shapes_;
    std::set<const Exception*> exceptions_met_{};
};

TEST_F(WireDocumentsTest, EveryRouteHasOneRpc) {
    std::map<std::string, int> rpcs;
    for (const auto& each : all_millrace_methods()) ++rpcs[erased(rest_of(*each).route())];
    std::set<std::string> excepted;
    for (const http::Route& route : engine_.router().routes()) {
        const std::string name = erased(route.method + " " + route.pattern);
        if (kOnlyInRest.contains(name)) {
            EXPECT_FALSE(rpcs.contains(name)) << name;
            excepted.insert(name);
            continue;
        }
        // The same for a workspace that the path names instead of a header, or metadata.
        const std::string_view scope = " /v1/workspaces/{}/";
        const std::size_t at = name.find(scope);
        const bool is_alias =
            at != std::string::npos &&
            rpcs.contains(name.substr(0, at) + " /v1/" + name.substr(at + scope.size()));
        if (is_alias) continue;
        EXPECT_TRUE(rpcs.contains(name) && rpcs.at(name) == 1) << name;
    }
    for (const auto& [name, count] : rpcs) {
        const bool was_seen = std::ranges::any_of(engine_.router().routes(), [&](const auto& each) {
            return erased(each.method + " " + each.pattern) == name;
        });
        EXPECT_TRUE(was_seen) << "the router has no " << name;
    }
    EXPECT_EQ(excepted.size(), kOnlyInRest.size()) << "an exception that is none any more";
}

TEST_F(WireDocumentsTest, RpcsAreNamedAsTheOperations) {
    for (const auto& each : all_millrace_methods()) {
        const json::Value* operation = operation_of(*each);
        ASSERT_NE(operation, nullptr) << each->name();
        std::string name = text_of(operation->find("operationId"));
        ASSERT_FALSE(name.empty()) << each->name();
        name[0] = static_cast<char>(name[0] & ~0x20);
        EXPECT_EQ(descriptor_of(*each).name(), name);
    }
}

TEST_F(WireDocumentsTest, RequestsHaveTheFieldsOfOpenApi) {
    for (const auto& each : all_millrace_methods()) {
        SCOPED_TRACE(each->name());
        const json::Value* operation = operation_of(*each);
        ASSERT_NE(operation, nullptr);
        compare_query_or_body(*each, operation);
    }
    for (const Exception& each : kOnlyInOpenApi) {
        EXPECT_TRUE(exceptions_met_.contains(&each))
            << each.message << "." << each.property << " is an exception no more";
    }
}

TEST_F(WireDocumentsTest, RepliesHaveTheFieldsOfOpenApi) {
    for (const auto& each : all_millrace_methods()) {
        if (each->is_server_stream()) continue;
        SCOPED_TRACE(each->name());
        const json::Value* operation = operation_of(*each);
        ASSERT_NE(operation, nullptr);
        for (const json::Member& answer : *operation->find("responses")->if_object()) {
            if (!answer.key.starts_with('2')) continue;
            // The single form of a batch call is answered as the call for one.
            if (is_batch_of_jobs(*each) && answer.key == "204") continue;
            compare_answer(*each, &answer.value);
        }
    }
}

TEST_F(WireDocumentsTest, EventsHaveTheFieldsOfOpenApi) {
    const json::Value* schemas = document_.find("components")->find("schemas");
    const MessageShape& event = shapes_.of(*v1::InstanceEvent::descriptor());
    compare_message(*event.find("step")->message, *v1::StepExecution::descriptor(),
                    schemas->find("StepExecution"), Way::reply);
    const MessageShape& instance = *event.find("instance")->message;
    compare_message(instance.without(instance.find("variables")), *v1::Instance::descriptor(),
                    schemas->find("InstanceEvent"), Way::reply);
}

}  // namespace
}  // namespace millrace::rpc
