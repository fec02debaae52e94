#include "api/rest/routes.hpp"

#include "api/rest/handlers.hpp"

namespace millrace::rest {

void add_routes(http::Router& router, const Context& context) {
    router.add("GET", "/healthz", health_handler());
    router.add("GET", "/readyz", readiness_handler(context));
    router.add("GET", "/openapi.json", openapi_handler());
    router.add("GET", "/definition.schema.json", definition_schema_handler());

    router.add("POST", "/v1/definitions", upload_definition_handler(context));
    router.add("GET", "/v1/definitions", list_definitions_handler(context));
    router.add("GET", "/v1/definitions/{id}", get_definition_handler(context));
    router.add("GET", "/v1/definitions/{id}/versions", list_definition_versions_handler(context));
    router.add("GET", "/v1/definitions/{id}/versions/{version}", get_definition_handler(context));

    router.add("POST", "/v1/instances", start_instance_handler(context));
    router.add("POST", "/v1/instances:batch", start_instances_handler(context));
    router.add("GET", "/v1/instances", list_instances_handler(context));
    router.add("GET", "/v1/instances/{id}", get_instance_handler(context));
    router.add("GET", "/v1/instances/{id}/history", get_history_handler(context));
    router.add("POST", "/v1/instances/{id}/cancel", cancel_instance_handler(context));
    router.add("POST", "/v1/instances:cancel", cancel_instances_handler(context));
    router.add("POST", "/v1/instances/{id}/retry", retry_instance_handler(context));
    router.add("POST", "/v1/instances/{id}/suspend", suspend_instance_handler(context));
    router.add("POST", "/v1/instances/{id}/resume", resume_instance_handler(context));
    router.add("PATCH", "/v1/instances/{id}/variables", change_variables_handler(context));
    router.add("POST", "/v1/instances/{id}/user-tasks/{stepId}/complete",
               complete_user_task_handler(context));
    router.add("POST", "/v1/instances/{id}/signals/{stepId}", signal_wait_handler(context));

    router.add("GET", "/v1/user-tasks", list_user_tasks_handler(context));
    router.add("GET", "/v1/user-tasks/{id}", get_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/claim", claim_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/unclaim", unclaim_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/assign", assign_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/complete", finish_user_task_handler(context));

    router.add("GET", "/v1/jobs", list_jobs_handler(context));
    router.add("GET", "/v1/jobs/{id}", get_job_handler(context));
    router.add("POST", "/v1/jobs/poll", poll_jobs_handler(context));
    router.add("POST", "/v1/jobs/complete", complete_jobs_handler(context));
    router.add("POST", "/v1/jobs/fail", fail_jobs_handler(context));
    router.add("POST", "/v1/jobs/{id}/complete", complete_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/fail", fail_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/extend", extend_lease_handler(context));
}

}  // namespace millrace::rest
