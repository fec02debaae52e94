#pragma once

#include "api/http/exchange.hpp"
#include "api/rest/context.hpp"

namespace millrace::rest {

// One function per route, each in a file of its own name. They parse, submit and answer; no rule of
// the domain is here. routes.cpp has the table.

http::Handler root_handler();
http::Handler health_handler();
http::Handler readiness_handler(const Context& context);
http::Handler openapi_handler();
http::Handler definition_schema_handler();

http::Handler upload_definition_handler(const Context& context);
http::Handler list_definitions_handler(const Context& context);
http::Handler list_definition_versions_handler(const Context& context);
http::Handler get_definition_handler(const Context& context);  // With and without a version.

http::Handler start_instance_handler(const Context& context);
http::Handler start_instances_handler(const Context& context);  // Several at once.
http::Handler list_instances_handler(const Context& context);
http::Handler get_instance_handler(const Context& context);
http::Handler explain_instance_handler(const Context& context);
http::Handler get_history_handler(const Context& context);
http::Handler instance_events_handler(const Context& context);
http::Handler cancel_instance_handler(const Context& context);
http::Handler cancel_instances_handler(const Context& context);  // Those that a filter finds.
http::Handler retry_instance_handler(const Context& context);
http::Handler suspend_instance_handler(const Context& context);
http::Handler resume_instance_handler(const Context& context);
http::Handler change_variables_handler(const Context& context);
http::Handler complete_user_task_handler(const Context& context);  // By instance and step.
http::Handler signal_wait_handler(const Context& context);

http::Handler list_user_tasks_handler(const Context& context);
http::Handler get_user_task_handler(const Context& context);
http::Handler claim_user_task_handler(const Context& context);
http::Handler unclaim_user_task_handler(const Context& context);
http::Handler assign_user_task_handler(const Context& context);
http::Handler finish_user_task_handler(const Context& context);  // By its id.

http::Handler list_jobs_handler(const Context& context);
http::Handler get_job_handler(const Context& context);
http::Handler explain_job_handler(const Context& context);
http::Handler backup_handler(const Context& context);

http::Handler list_audit_handler(const Context& context);
http::Handler get_instance_audit_handler(const Context& context);

http::Handler poll_jobs_handler(const Context& context);
http::Handler complete_job_handler(const Context& context);
http::Handler complete_jobs_handler(const Context& context);  // A list, or one by its jobId.
http::Handler fail_job_handler(const Context& context);
http::Handler fail_jobs_handler(const Context& context);  // A list, or one by its jobId.
http::Handler release_job_handler(const Context& context);
http::Handler release_jobs_handler(const Context& context);  // A list, or one by its jobId.
http::Handler extend_lease_handler(const Context& context);

http::Handler create_workspace_handler(const Context& context);
http::Handler list_workspaces_handler(const Context& context);
http::Handler get_workspace_handler(const Context& context);
http::Handler explain_workspace_handler(const Context& context);
http::Handler change_workspace_handler(const Context& context);
http::Handler delete_workspace_handler(const Context& context);

http::Handler enqueue_execution_handler(const Context& context);
http::Handler enqueue_executions_handler(const Context& context);  // Several at once.
http::Handler list_executions_handler(const Context& context);
http::Handler get_execution_handler(const Context& context);
http::Handler explain_execution_handler(const Context& context);
http::Handler cancel_execution_handler(const Context& context);
http::Handler retry_execution_handler(const Context& context);
http::Handler complete_execution_handler(const Context& context);
http::Handler get_queue_handler(const Context& context);
http::Handler recover_executions_handler(const Context& context);

// Those about many are for the workspace of the path, or of the caller.
http::Handler list_dead_letters_handler(const Context& context);
http::Handler list_dead_letter_groups_handler(const Context& context);
http::Handler redrive_dead_letters_handler(const Context& context);
http::Handler dismiss_dead_letters_handler(const Context& context);
http::Handler purge_dead_letters_handler(const Context& context);
http::Handler get_dead_letter_handler(const Context& context);
http::Handler redrive_dead_letter_handler(const Context& context);
http::Handler dismiss_dead_letter_handler(const Context& context);

http::Handler list_api_keys_handler(const Context& context);
http::Handler create_api_key_handler(const Context& context);
http::Handler revoke_api_key_handler(const Context& context);
http::Handler who_am_i_handler();

}  // namespace millrace::rest
