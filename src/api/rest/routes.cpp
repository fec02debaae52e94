#include "api/rest/routes.hpp"

#include "api/rest/handlers.hpp"

namespace millrace::rest {

void add_routes(http::Router& router, const Context& context) {
    router.add("GET", "/healthz", health_handler());
    router.add("GET", "/readyz", readiness_handler(context));

    router.add("POST", "/v1/definitions", upload_definition_handler(context));
    router.add("GET", "/v1/definitions", list_definitions_handler(context));
    router.add("GET", "/v1/definitions/{id}", get_definition_handler(context));
    router.add("GET", "/v1/definitions/{id}/versions/{version}", get_definition_handler(context));

    router.add("POST", "/v1/instances", start_instance_handler(context));
    router.add("POST", "/v1/instances:batch", start_instances_handler(context));
    router.add("GET", "/v1/instances", list_instances_handler(context));
    router.add("GET", "/v1/instances/{id}", get_instance_handler(context));
    router.add("GET", "/v1/instances/{id}/history", get_history_handler(context));
    router.add("POST", "/v1/instances/{id}/cancel", cancel_instance_handler(context));
    router.add("POST", "/v1/instances/{id}/user-tasks/{stepId}/complete",
               complete_user_task_handler(context));
    router.add("POST", "/v1/instances/{id}/signals/{stepId}", signal_wait_handler(context));

    router.add("GET", "/v1/audit", list_audit_handler(context));
    router.add("GET", "/v1/instances/{id}/audit", get_instance_audit_handler(context));

    router.add("POST", "/v1/jobs/poll", poll_jobs_handler(context));
    router.add("POST", "/v1/jobs/complete", complete_jobs_handler(context));
    router.add("POST", "/v1/jobs/fail", fail_jobs_handler(context));
    router.add("POST", "/v1/jobs/{id}/complete", complete_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/fail", fail_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/extend", extend_lease_handler(context));
}

}  // namespace millrace::rest
