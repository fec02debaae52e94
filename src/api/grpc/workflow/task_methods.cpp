#include "api/grpc/workflow/messages.hpp"
#include "api/grpc/workflow/methods.hpp"
#include "api/grpc/workflow/struct_json.hpp"
#include "api/grpc/workflow/workflow_method.hpp"
#include "api/http/url.hpp"
#include "base/json/write.hpp"

namespace millrace::rpc {

namespace {

Error is_required(const std::string& field) {
    const std::string reason = field + " is required";
    return {ErrorCode::invalid_argument, reason, {{field, reason}}};
}

RestCall step_call(const std::string& instance_id, std::string_view what,
                   const std::string& step_id, std::string_view verb, const json::Value& body) {
    return {.method = "POST",
            .path = "/v1/instances/" + http::percent_encoded(instance_id) + std::string(what) +
                    http::percent_encoded(step_id) + std::string(verb),
            .body = json::write(body)};
}

class CompleteUserTask final
    : public WorkflowMethod<wire::CompleteUserTaskRequest, wire::CompleteUserTaskResponse> {
public:
    CompleteUserTask() : WorkflowMethod("CompleteUserTask") {}

    bool conflicts_are_preconditions() const override { return true; }

private:
    Result<RestCall> call_of(const wire::CompleteUserTaskRequest& request) const override {
        if (request.instance_id().empty()) return is_required("instance_id");
        if (request.user_task_step_id().empty()) return is_required("user_task_step_id");
        Result<json::Value> result = value_of(request.result(), "result");
        if (!result) return result.error();
        return step_call(request.instance_id(), "/user-tasks/", request.user_task_step_id(),
                         "/complete",
                         json::Object{{"completedBy", request.completed_by()},
                                      {"variables", std::move(*result)}});
    }
    Status fill_reply(wire::CompleteUserTaskResponse&, const json::Value&) const override {
        return ok();
    }
};

class SignalWait final : public WorkflowMethod<wire::SignalWaitRequest, wire::SignalWaitResponse> {
public:
    SignalWait() : WorkflowMethod("SignalWait") {}

    bool conflicts_are_preconditions() const override { return true; }

private:
    Result<RestCall> call_of(const wire::SignalWaitRequest& request) const override {
        if (request.instance_id().empty()) return is_required("instance_id");
        if (request.wait_step_id().empty()) return is_required("wait_step_id");
        const Result<json::Value> variables = value_of(request.variables(), "variables");
        if (!variables) return variables.error();
        return step_call(request.instance_id(), "/signals/", request.wait_step_id(), "",
                         *variables);
    }
    Status fill_reply(wire::SignalWaitResponse&, const json::Value&) const override { return ok(); }
};

}  // namespace

void add_task_methods(Methods& methods) {
    methods.push_back(std::make_unique<CompleteUserTask>());
    methods.push_back(std::make_unique<SignalWait>());
}

}  // namespace millrace::rpc
