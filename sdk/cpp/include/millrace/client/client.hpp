#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "millrace/client/documents.hpp"
#include "millrace/client/error.hpp"
#include "millrace/client/options.hpp"
#include "millrace/client/queue_documents.hpp"
#include "millrace/client/queue_requests.hpp"
#include "millrace/client/requests.hpp"

namespace millrace::client {

class Transport;

// Takes pieces of an answer as they come. False: no more of them.
using Sink = std::function<bool(std::string_view bytes)>;

// Blocking calls to one server. Safe to use from many threads: each call takes a connection of its
// own from a pool and gives it back. A call that may be repeated without harm is sent once more
// when a kept connection turns out to be dead. Other failures are for the caller, unless
// ClientOptions::tries_max says otherwise.
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
    Result<Identity> whoami();

    Result<DefinitionSummary> upload_definition(const json::Value& definition);
    Result<Page<DefinitionSummary>> list_definitions(const ListDefinitions& query = {});
    // The definition as its author wrote it; the latest version when none is given.
    Result<json::Value> get_definition(std::string_view id,
                                       std::optional<std::int32_t> version = std::nullopt);
    // Newest first.
    Result<Page<DefinitionSummary>> list_definition_versions(std::string_view id,
                                                             const Paging& paging = {});

    Result<Instance> start_instance(const StartInstance& start);
    // Each element answers the start at the same place, independently of the others.
    Result<std::vector<Result<Instance>>> start_instances(const std::vector<StartInstance>& starts);
    Result<Instance> get_instance(std::string_view id);
    Result<Page<Instance>> list_instances(const ListInstances& query = {});
    Result<std::vector<StepExecution>> get_history(std::string_view instance_id);
    Result<Instance> cancel_instance(std::string_view id, std::string_view reason = {});
    Result<CancelReport> cancel_instances(const CancelInstances& cancel);
    // Goes on from where a FAILED instance failed.
    Result<Instance> retry_instance(std::string_view id);
    Result<Instance> suspend_instance(std::string_view id, std::string_view reason = {});
    Result<Instance> resume_instance(std::string_view id);
    Result<Instance> set_variables(const SetVariables& change);
    Status signal(const SendSignal& signal);
    // Calls back for each event as it happens. Succeeds when the instance is over, or when the
    // callback returns false. connection-lost: the connection broke, or the server ended the stream
    // before, because it stops or refuses the key from now on; watch again after the last event.
    Status watch_instance(const WatchInstance& watch,
                          const std::function<bool(const InstanceEvent&)>& on_event);

    Result<Page<UserTask>> list_user_tasks(const ListUserTasks& query = {});
    Result<UserTask> get_user_task(std::string_view id);
    Result<UserTask> claim_user_task(std::string_view id, std::string_view user_id);
    Result<UserTask> unclaim_user_task(std::string_view id, std::string_view user_id = {});
    Result<UserTask> assign_user_task(std::string_view id, std::string_view assignee);
    Status complete_user_task(const CompleteUserTask& task);

    Result<std::vector<Job>> poll_jobs(const PollJobs& poll);
    Result<Page<Job>> list_jobs(const ListJobs& query = {});
    Result<Job> get_job(std::string_view id);
    // The calls about one job take the time they may last, connecting included; 0 means as the
    // options say.
    Status complete_job(const CompleteJob& job, Duration within = {});
    Status fail_job(const FailJob& job, Duration within = {});
    Status release_job(const ReleaseJob& job, Duration within = {});
    // Prolongs the lease: from now on, for that long.
    Status extend_job(const JobClaim& claim, std::chrono::seconds lease_duration,
                      Duration within = {});
    // Each element answers the job at the same place, independently of the others.
    Result<std::vector<Status>> complete_jobs(const std::vector<CompleteJob>& jobs);
    Result<std::vector<Status>> fail_jobs(const std::vector<FailJob>& jobs);
    Result<std::vector<Status>> release_jobs(const std::vector<ReleaseJob>& jobs);

    // By id; those that the caller may see.
    Result<Page<Workspace>> list_workspaces(const Paging& paging = {});
    Result<Workspace> get_workspace(std::string_view id);
    Result<Workspace> create_workspace(std::string_view id, const WorkspaceSettings& settings = {});
    Result<Workspace> change_workspace(std::string_view id, const WorkspaceSettings& change);
    // With its definitions. `force` cancels first what is open in it.
    Status delete_workspace(std::string_view id, bool force = false);
    Result<Queue> get_queue(std::string_view workspace);
    // Takes executions over that were claimed longer ago than this; how many they are.
    Result<std::int64_t> recover_executions(std::string_view workspace, Duration older_than);

    Result<Execution> enqueue(std::string_view workspace, const Enqueue& enqueue);
    // Up to 1,000 items, each as the body of an enqueue, with `idempotencyKey` if it has one. Each
    // element answers the item at the same place, independently of the others.
    Result<std::vector<Result<Execution>>> enqueue_all(std::string_view workspace,
                                                       json::Array items);
    // Newest first, without input and result.
    Result<Page<Execution>> list_executions(std::string_view workspace,
                                            const ListExecutions& query = {});
    // In any workspace that the caller may see.
    Result<Execution> get_execution(std::string_view id);
    Result<Execution> cancel_execution(const CancelExecution& cancel);
    // The one that will run.
    Result<Execution> retry_execution(const RetryExecution& retry);
    Result<Execution> complete_execution(const CompleteExecution& completion);

    // Why it is not running, and what would help. By id; a workspace by its name.
    Result<Explanation> explain(Subject subject, std::string_view id);

    // Of the caller's workspace, newest first.
    Result<Page<Execution>> list_dead_letters(const ListExecutions& query = {});
    // The largest first.
    Result<std::vector<DeadLetterGroup>> list_dead_letter_groups(std::int32_t count_max = 20);
    Result<Execution> get_dead_letter(std::string_view id);
    // The one that will run.
    Result<Execution> redrive_dead_letter(std::string_view id);
    Result<Execution> dismiss_dead_letter(std::string_view id);
    Result<DeadLetterReport> redrive_dead_letters(const RedriveDeadLetters& redrive);
    Result<DeadLetterReport> dismiss_dead_letters(const SelectDeadLetters& selection);
    // Their records are gone for good.
    Result<DeadLetterReport> purge_dead_letters(const SelectDeadLetters& selection);

    // Newest first.
    Result<AuditPage> list_audit(const ListAudit& query = {});
    // Of one instance, with what happened to its jobs, oldest first.
    Result<std::vector<AuditEntry>> get_instance_audit(std::string_view instance_id);

    Result<Page<ApiKey>> list_keys(const Paging& paging = {});
    // The answer alone has the key itself.
    Result<ApiKey> create_key(const CreateKey& key);
    Status revoke_key(std::string_view id);

    // The bytes of a copy of the server's embedded store. They are whole when the call succeeds and
    // the sink has taken all of them.
    Status download_backup(const Sink& sink);

private:
    std::unique_ptr<Transport> transport_;
};

}  // namespace millrace::client
