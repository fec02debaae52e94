#include "api/grpc/workflow/messages.hpp"
#include "api/grpc/workflow/methods.hpp"
#include "api/grpc/workflow/struct_json.hpp"
#include "api/grpc/workflow/workflow_method.hpp"
#include "api/http/url.hpp"
#include "base/json/write.hpp"

namespace millrace::rpc {

namespace {

// An empty id has no path of its own.
Error no_instance_named() {
    return {ErrorCode::not_found, "instance \"\" not found"};
}

RestCall instance_call(std::string method, const std::string& id, std::string_view rest) {
    return {.method = std::move(method),
            .path = "/v1/instances/" + http::percent_encoded(id) + std::string(rest)};
}

class StartInstance final
    : public WorkflowMethod<wire::StartInstanceRequest, wire::StartInstanceResponse> {
public:
    StartInstance() : WorkflowMethod("StartInstance") {}

private:
    Result<RestCall> call_of(const wire::StartInstanceRequest& request) const override {
        Result<json::Value> variables = value_of(request.variables(), "variables");
        if (!variables) return variables.error();
        const json::Value body = json::Object{{"definitionId", request.definition_id()},
                                              {"definitionVersion", request.definition_version()},
                                              {"businessKey", request.business_key()},
                                              {"variables", std::move(*variables)}};
        return RestCall{.method = "POST", .path = "/v1/instances", .body = json::write(body)};
    }
    Status fill_reply(wire::StartInstanceResponse& reply, const json::Value& body) const override {
        return fill(*reply.mutable_instance(), body);
    }
};

class GetInstance final
    : public WorkflowMethod<wire::GetInstanceRequest, wire::GetInstanceResponse> {
public:
    GetInstance() : WorkflowMethod("GetInstance") {}

private:
    Result<RestCall> call_of(const wire::GetInstanceRequest& request) const override {
        if (request.id().empty()) return no_instance_named();
        return instance_call("GET", request.id(), "");
    }
    Status fill_reply(wire::GetInstanceResponse& reply, const json::Value& body) const override {
        return fill(*reply.mutable_instance(), body);
    }
};

class GetInstanceHistory final
    : public WorkflowMethod<wire::GetInstanceHistoryRequest, wire::GetInstanceHistoryResponse> {
public:
    GetInstanceHistory() : WorkflowMethod("GetInstanceHistory") {}

    // As existing clients know it: no instance, no history.
    bool is_reply(const http::HttpResponse& response) const override {
        return response.status == 404;
    }

private:
    Result<RestCall> call_of(const wire::GetInstanceHistoryRequest& request) const override {
        if (request.id().empty()) return no_instance_named();
        return instance_call("GET", request.id(), "/history");
    }
    Status fill_reply(wire::GetInstanceHistoryResponse& reply,
                      const json::Value& body) const override {
        for (const json::Value& line : array_at(body, "items")) fill(*reply.add_executions(), line);
        return ok();
    }
};

class CancelInstance final
    : public WorkflowMethod<wire::CancelInstanceRequest, wire::CancelInstanceResponse> {
public:
    CancelInstance() : WorkflowMethod("CancelInstance") {}

private:
    Result<RestCall> call_of(const wire::CancelInstanceRequest& request) const override {
        if (request.id().empty()) return no_instance_named();
        RestCall call = instance_call("POST", request.id(), "/cancel");
        call.body = json::write(json::Object{{"reason", request.reason()}});
        return call;
    }
    Status fill_reply(wire::CancelInstanceResponse& reply, const json::Value& body) const override {
        return fill(*reply.mutable_instance(), body);
    }
};

class ListInstances final
    : public WorkflowMethod<wire::ListInstancesRequest, wire::ListInstancesResponse> {
public:
    ListInstances() : WorkflowMethod("ListInstances") {}

private:
    Result<RestCall> call_of(const wire::ListInstancesRequest& request) const override {
        Result<std::string> query = page_query(request.page(), request.page_size());
        if (!query) return query.error();
        RestCall call{.method = "GET", .path = "/v1/instances", .query = std::move(*query)};
        if (request.status() != wire::INSTANCE_STATUS_UNSPECIFIED) {
            const Result<std::string> status = text_of(request.status(), "status");
            if (!status) return status.error();
            call.query += "&status=" + *status;
        }
        if (!request.definition_id().empty()) {
            call.query += "&definitionId=" + http::percent_encoded(request.definition_id());
        }
        if (!request.business_key().empty()) {
            call.query += "&businessKey=" + http::percent_encoded(request.business_key());
        }
        return call;
    }
    Status fill_reply(wire::ListInstancesResponse& reply, const json::Value& body) const override {
        reply.set_total(number_at(body, "total"));
        for (const json::Value& item : array_at(body, "items")) {
            if (const Status filled = fill(*reply.add_instances(), item); !filled) return filled;
        }
        return ok();
    }
};

}  // namespace

void add_instance_methods(Methods& methods) {
    methods.push_back(std::make_unique<StartInstance>());
    methods.push_back(std::make_unique<GetInstance>());
    methods.push_back(std::make_unique<GetInstanceHistory>());
    methods.push_back(std::make_unique<CancelInstance>());
    methods.push_back(std::make_unique<ListInstances>());
}

}  // namespace millrace::rpc
