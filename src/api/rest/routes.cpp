#include "api/rest/routes.hpp"

#include "api/rest/handlers.hpp"

namespace millrace::rest {

void add_routes(http::Router& router, const Context& context) {
    router.add("GET", "/healthz", Access::open, health_handler());
    router.add("GET", "/readyz", Access::open, readiness_handler(context));
    router.add("GET", "/openapi.json", Access::open, openapi_handler());
    router.add("GET", "/definition.schema.json", Access::open, definition_schema_handler());

    router.add("POST", "/v1/definitions", Access::operate, upload_definition_handler(context));
    router.add("GET", "/v1/definitions", Access::view, list_definitions_handler(context));
    router.add("GET", "/v1/definitions/{id}", Access::view, get_definition_handler(context));
    router.add("GET", "/v1/definitions/{id}/versions", Access::view,
               list_definition_versions_handler(context));
    router.add("GET", "/v1/definitions/{id}/versions/{version}", Access::view,
               get_definition_handler(context));

    router.add("POST", "/v1/instances", Access::operate, start_instance_handler(context));
    router.add("POST", "/v1/instances:batch", Access::operate, start_instances_handler(context));
    router.add("POST", "/v1/instances:cancel", Access::operate, cancel_instances_handler(context));
    router.add("GET", "/v1/instances", Access::view, list_instances_handler(context));
    router.add("GET", "/v1/instances/{id}", Access::view, get_instance_handler(context));
    router.add("GET", "/v1/instances/{id}/history", Access::view, get_history_handler(context));
    router.add("GET", "/v1/instances/{id}/events", Access::view, instance_events_handler(context));
    router.add("POST", "/v1/instances/{id}/cancel", Access::operate,
               cancel_instance_handler(context));
    router.add("POST", "/v1/instances/{id}/retry", Access::operate,
               retry_instance_handler(context));
    router.add("POST", "/v1/instances/{id}/suspend", Access::operate,
               suspend_instance_handler(context));
    router.add("POST", "/v1/instances/{id}/resume", Access::operate,
               resume_instance_handler(context));
    router.add("PATCH", "/v1/instances/{id}/variables", Access::operate,
               change_variables_handler(context));
    router.add("POST", "/v1/instances/{id}/user-tasks/{stepId}/complete", Access::operate,
               complete_user_task_handler(context));
    router.add("POST", "/v1/instances/{id}/signals/{stepId}", Access::operate,
               signal_wait_handler(context));

    router.add("GET", "/v1/user-tasks", Access::view, list_user_tasks_handler(context));
    router.add("GET", "/v1/user-tasks/{id}", Access::view, get_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/claim", Access::operate,
               claim_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/unclaim", Access::operate,
               unclaim_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/assign", Access::operate,
               assign_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/complete", Access::operate,
               finish_user_task_handler(context));

    router.add("GET", "/v1/jobs", Access::view, list_jobs_handler(context));
    router.add("GET", "/v1/jobs/{id}", Access::view, get_job_handler(context));
    router.add("POST", "/v1/jobs/poll", Access::work, poll_jobs_handler(context));
    router.add("POST", "/v1/jobs/complete", Access::work, complete_jobs_handler(context));
    router.add("POST", "/v1/jobs/fail", Access::work, fail_jobs_handler(context));
    router.add("POST", "/v1/jobs/{id}/complete", Access::work, complete_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/fail", Access::work, fail_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/extend", Access::work, extend_lease_handler(context));

    router.add("GET", "/v1/keys", Access::administer, list_api_keys_handler(context));
    router.add("POST", "/v1/keys", Access::administer, create_api_key_handler(context));
    router.add("DELETE", "/v1/keys/{id}", Access::administer, revoke_api_key_handler(context));
    router.add("GET", "/v1/whoami", Access::known, who_am_i_handler());

    router.add("POST", "/v1/backup", Access::administer, backup_handler(context));
}

}  // namespace millrace::rest
