#pragma once

#include <string>
#include <string_view>

#include "millrace/client/documents.hpp"
#include "millrace/client/job_context.hpp"

// For tests of handlers, without a server.
namespace millrace::client::testing {

// A context whose end the test decides.
class FakeJobContext final : public JobContext {
public:
    using JobContext::end;
};

// A job as a worker gets it, first attempt.
inline Job make_job(std::string_view job_type, json::Value variables = json::Object{}) {
    json::Value job = json::Object{};
    job.set("id", "job-1");
    job.set("jobType", job_type);
    job.set("instanceId", "instance-1");
    job.set("stepId", "step-1");
    job.set("leaseToken", 1);
    job.set("attempt", 1);
    job.set("idempotencyKey", "job-1");
    job.set("variables", std::move(variables));
    return Job(std::move(job));
}

}  // namespace millrace::client::testing
