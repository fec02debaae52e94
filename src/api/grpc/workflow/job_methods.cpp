#include <algorithm>

#include "api/grpc/workflow/messages.hpp"
#include "api/grpc/workflow/methods.hpp"
#include "api/grpc/workflow/struct_json.hpp"
#include "api/grpc/workflow/struct_size.hpp"
#include "api/grpc/workflow/workflow_method.hpp"
#include "api/http/url.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

RestCall job_call(const std::string& id, std::string_view verb, const json::Value& body) {
    return {.method = "POST",
            .path = "/v1/jobs/" + http::percent_encoded(id) + std::string(verb),
            .body = json::write(body)};
}

// An empty id has no path of its own.
Error no_job_named() {
    return {ErrorCode::not_found, "job \"\" not found"};
}

class PollJobs final : public WorkflowMethod<wire::PollJobsRequest, wire::PollJobsResponse> {
public:
    PollJobs() : WorkflowMethod("PollJobs") {}

    http::ClientTraits client() const override {
        return {.has_rounded_numbers = true,
                .jobs_bytes_max = limits::kRpcJobsBytesMax,
                .variables_bytes = struct_bytes};
    }
    // As existing clients know it: who names no worker or no types gets no jobs.
    bool is_reply(const http::HttpResponse& response) const override {
        const Result<json::Value> body = json::parse(response.body);
        if (response.status != 400 || !body) return false;
        const std::string reason = text_at(*body, "reason");
        return reason == "workerId is required" || reason == "jobTypes must not be empty";
    }

private:
    Result<RestCall> call_of(const wire::PollJobsRequest& request) const override {
        json::Array types;
        for (const std::string& type : request.job_types()) types.emplace_back(type);
        const json::Value body =
            json::Object{{"workerId", request.worker_id()},
                         {"jobTypes", std::move(types)},
                         {"maxJobs", std::max(request.max_jobs(), 1)},
                         {"leaseSeconds", std::max(request.lease_seconds(), 0)}};
        return RestCall{.method = "POST", .path = "/v1/jobs/poll", .body = json::write(body)};
    }
    Status fill_reply(wire::PollJobsResponse& reply, const json::Value& body) const override {
        for (const json::Value& job : array_at(body, "jobs")) {
            if (const Status filled = fill(*reply.add_jobs(), job); !filled) return filled;
        }
        return ok();
    }
};

class CompleteJob final
    : public WorkflowMethod<wire::CompleteJobRequest, wire::CompleteJobResponse> {
public:
    CompleteJob() : WorkflowMethod("CompleteJob") {}

    http::ClientTraits client() const override { return {.has_rounded_numbers = true}; }

private:
    Result<RestCall> call_of(const wire::CompleteJobRequest& request) const override {
        if (request.job_id().empty()) return no_job_named();
        Result<json::Value> variables = value_of(request.variables_to_set(), "variables_to_set");
        if (!variables) return variables.error();
        return job_call(
            request.job_id(), "/complete",
            json::Object{{"workerId", request.worker_id()}, {"variables", std::move(*variables)}});
    }
    Status fill_reply(wire::CompleteJobResponse&, const json::Value&) const override {
        return ok();
    }
};

class FailJob final : public WorkflowMethod<wire::FailJobRequest, wire::FailJobResponse> {
public:
    FailJob() : WorkflowMethod("FailJob") {}

private:
    Result<RestCall> call_of(const wire::FailJobRequest& request) const override {
        if (request.job_id().empty()) return no_job_named();
        return job_call(request.job_id(), "/fail",
                        json::Object{{"workerId", request.worker_id()},
                                     {"retryable", request.retryable()},
                                     {"errorMessage", request.error_message()}});
    }
    Status fill_reply(wire::FailJobResponse&, const json::Value&) const override { return ok(); }
};

}  // namespace

void add_job_methods(Methods& methods) {
    methods.push_back(std::make_unique<PollJobs>());
    methods.push_back(std::make_unique<CompleteJob>());
    methods.push_back(std::make_unique<FailJob>());
}

}  // namespace millrace::rpc
