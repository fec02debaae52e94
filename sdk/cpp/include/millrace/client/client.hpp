#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"
#include "millrace/client/documents.hpp"
#include "millrace/client/error.hpp"
#include "millrace/client/options.hpp"

namespace millrace::client {

class Transport;

struct StartInstance {
    std::string definition_id{};
    // The latest when absent.
    std::optional<std::int32_t> definition_version{};
    json::Value variables = json::Object{};
    std::string business_key{};
};

struct ListDefinitions {
    std::string keyword{};
    std::int32_t page = 0;
    std::int32_t page_size = 20;
};

struct ListInstances {
    std::string definition_id{};
    std::string status{};
    std::string business_key{};
    std::int32_t page = 0;
    std::int32_t page_size = 20;
};

struct PollJobs {
    std::string worker_id{};
    std::vector<std::string> job_types{};
    std::int32_t jobs_max = 10;
    std::chrono::seconds lease_duration{30};
    // How long the server may hold the call when there is no job yet; 0 answers at once.
    std::chrono::seconds wait_duration{0};
};

// Names a job and proves who holds its lease. Without token and worker only a live lease of
// somebody else refuses the call.
struct JobClaim {
    std::string job_id{};
    std::string worker_id{};
    std::optional<std::int64_t> lease_token{};
};
JobClaim claim_of(const Job& job);

struct CompleteJob {
    JobClaim claim{};
    json::Value variables = json::Object{};
};

struct FailJob {
    JobClaim claim{};
    std::string error_message{};
    bool retryable = true;
};

struct CompleteUserTask {
    std::string instance_id{};
    std::string step_id{};
    std::string worker_id{};
    json::Value variables = json::Object{};
};

// Blocking calls to one server. Safe to use from many threads: each call takes a connection of its
// own from a pool and gives it back. A call that may be repeated without harm is sent once more
// when a kept connection turns out to be dead; no other is, and nothing else is retried here.
class Client {
public:
    explicit Client(ClientOptions options = {});
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Ends all calls that run, and all to come, with the code `interrupted`. From any thread.
    void interrupt();

    Status healthz();
    Status readyz();

    Result<DefinitionSummary> upload_definition(const json::Value& definition);
    Result<Page<DefinitionSummary>> list_definitions(const ListDefinitions& query = {});
    // The definition as its author wrote it; the latest version when none is given.
    Result<json::Value> get_definition(std::string_view id,
                                       std::optional<std::int32_t> version = std::nullopt);

    Result<Instance> start_instance(const StartInstance& start);
    // Each element answers the start at the same place, independently of the others.
    Result<std::vector<Result<Instance>>> start_instances(const std::vector<StartInstance>& starts);
    Result<Instance> get_instance(std::string_view id);
    Result<Page<Instance>> list_instances(const ListInstances& query = {});
    Result<std::vector<StepExecution>> get_history(std::string_view instance_id);
    Result<Instance> cancel_instance(std::string_view id, std::string_view reason = {});
    // Goes on from a WAIT step.
    Status signal(std::string_view instance_id, std::string_view step_id,
                  const json::Value& variables = json::Object{});
    Status complete_user_task(const CompleteUserTask& task);

    Result<std::vector<Job>> poll_jobs(const PollJobs& poll);
    Status complete_job(const CompleteJob& job);
    Status fail_job(const FailJob& job);
    // Prolongs the lease: from now on, for that long.
    Status extend_job(const JobClaim& claim, std::chrono::seconds lease_duration);
    // Each element answers the job at the same place, independently of the others.
    Result<std::vector<Status>> complete_jobs(const std::vector<CompleteJob>& jobs);
    Result<std::vector<Status>> fail_jobs(const std::vector<FailJob>& jobs);

private:
    std::unique_ptr<Transport> transport_;
};

}  // namespace millrace::client
