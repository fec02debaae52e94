#pragma once

#include <span>
#include <string>
#include <variant>

#include "cli/apply_definitions.hpp"
#include "cli/assign_task.hpp"
#include "cli/back_up.hpp"
#include "cli/cancel_execution.hpp"
#include "cli/cancel_instance.hpp"
#include "cli/cancel_instances.hpp"
#include "cli/change_dead_letters.hpp"
#include "cli/claim_task.hpp"
#include "cli/complete_execution.hpp"
#include "cli/complete_task.hpp"
#include "cli/create_key.hpp"
#include "cli/create_workspace.hpp"
#include "cli/delete_workspace.hpp"
#include "cli/diff_definition.hpp"
#include "cli/dismiss_dead_letter.hpp"
#include "cli/enqueue_execution.hpp"
#include "cli/enqueue_executions.hpp"
#include "cli/explain.hpp"
#include "cli/get_dead_letter.hpp"
#include "cli/get_definition.hpp"
#include "cli/get_execution.hpp"
#include "cli/get_history.hpp"
#include "cli/get_instance.hpp"
#include "cli/get_job.hpp"
#include "cli/get_task.hpp"
#include "cli/get_workspace.hpp"
#include "cli/list_audit.hpp"
#include "cli/list_dead_letter_groups.hpp"
#include "cli/list_dead_letters.hpp"
#include "cli/list_definitions.hpp"
#include "cli/list_executions.hpp"
#include "cli/list_instances.hpp"
#include "cli/list_jobs.hpp"
#include "cli/list_keys.hpp"
#include "cli/list_tasks.hpp"
#include "cli/list_workspaces.hpp"
#include "cli/migrate_store.hpp"
#include "cli/print_completion.hpp"
#include "cli/promote_store.hpp"
#include "cli/recover_executions.hpp"
#include "cli/redrive_dead_letter.hpp"
#include "cli/release_job.hpp"
#include "cli/restore.hpp"
#include "cli/resume_instance.hpp"
#include "cli/retry_execution.hpp"
#include "cli/retry_instance.hpp"
#include "cli/revoke_key.hpp"
#include "cli/run_bench.hpp"
#include "cli/run_worker.hpp"
#include "cli/set_variables.hpp"
#include "cli/show_health.hpp"
#include "cli/show_migrations.hpp"
#include "cli/show_queue.hpp"
#include "cli/show_version.hpp"
#include "cli/signal_instance.hpp"
#include "cli/start_instance.hpp"
#include "cli/suspend_instance.hpp"
#include "cli/unclaim_task.hpp"
#include "cli/update_workspace.hpp"
#include "cli/validate_definitions.hpp"
#include "cli/watch_instance.hpp"

namespace millrace::cli {

using Command = std::variant<
    ShowVersion, ApplyDefinitions, ValidateDefinitions, ListDefinitions, GetDefinition,
    DiffDefinition, StartInstance, GetInstance, ListInstances, GetHistory, WatchInstance,
    CancelInstance, CancelInstances, SignalInstance, RetryInstance, SuspendInstance, ResumeInstance,
    SetVariables, ListTasks, GetTask, ClaimTask, UnclaimTask, AssignTask, CompleteTask, ListJobs,
    GetJob, ReleaseJob, ListAudit, CreateKey, ListKeys, RevokeKey, BackUp, Restore, PromoteStore,
    RunBench, PrintCompletion, RunWorker, ShowMigrations, MigrateStore, ShowHealth, ListWorkspaces,
    GetWorkspace, CreateWorkspace, UpdateWorkspace, DeleteWorkspace, EnqueueExecution,
    EnqueueExecutions, ListExecutions, GetExecution, CancelExecution, RetryExecution,
    CompleteExecution, ShowQueue, RecoverExecutions, ListDeadLetters, ListDeadLetterGroups,
    GetDeadLetter, RedriveDeadLetter, DismissDeadLetter, ChangeDeadLetters, Explain>;

struct Invocation {
    std::string server{};
    bool server_is_named = false;  // By its address or a key, on the command line or before it.
    std::string api_key{};
    std::string workspace{};
    std::string ca_file{};
    OutputFormat output = OutputFormat::table;
    Command command{};
};

// Help was asked for, or the command line is wrong: there is only something to say.
struct NothingToRun {
    int exit_code = 0;
    std::string text{};
    OutputFormat output = OutputFormat::table;
};

using CommandLine = std::variant<Invocation, NothingToRun>;

// Reads MILLRACE_SERVER, MILLRACE_API_KEY, MILLRACE_WORKSPACE and MILLRACE_CA_FILE, too.
CommandLine parse_command_line(std::span<const std::string> arguments);

}  // namespace millrace::cli
