#include "api/rest/routes.hpp"

#include <algorithm>

#include "api/rest/handlers.hpp"
#include "api/rest/route_inputs.hpp"
#include "api/rest/without_body.hpp"

namespace millrace::rest {

namespace {

// Adds routes with what they do about unknown fields, which stands in a list of its own.
class RouteTable {
public:
    explicit RouteTable(http::Router& router) : router_(router) {}

    void add(std::string method, std::string pattern, Access access, http::Handler handler,
             http::RouteInputs inputs = {}) {
        const bool is_lenient =
            std::ranges::any_of(lenient_routes(), [&](const LenientRoute& route) {
                return route.method == method && route.pattern == pattern;
            });
        if (is_lenient) inputs.unknown_fields = http::UnknownFields::told;
        router_.add(std::move(method), std::move(pattern), access, std::move(handler),
                    std::move(inputs));
    }

private:
    http::Router& router_;
};

// Who probes a server may say so in the query: it must not seem unwell for that.
http::RouteInputs probe_inputs() {
    return {.takes_any_query = true};
}

http::RouteInputs dead_letter_inputs() {
    return list_inputs({"definitionId", "concurrencyKey", "reason", "requestedBy", "createdFrom",
                        "createdBefore"});
}

// A dead letter has one status.
http::RouteInputs execution_inputs() {
    http::RouteInputs inputs = dead_letter_inputs();
    inputs.query.insert(inputs.query.end(), {"status", "queueStatus"});
    return inputs;
}

void add_server_routes(RouteTable& router, const Context& context) {
    router.add("GET", "/", Access::open, root_handler());
    router.add("GET", "/healthz", Access::open, health_handler(), probe_inputs());
    router.add("GET", "/readyz", Access::open, readiness_handler(context), probe_inputs());
    router.add("GET", "/openapi.json", Access::open, openapi_handler());
    router.add("GET", "/definition.schema.json", Access::open, definition_schema_handler());
}

void add_definition_routes(RouteTable& router, const Context& context) {
    router.add("POST", "/v1/definitions", Access::operate, upload_definition_handler(context));
    router.add("GET", "/v1/definitions", Access::view, list_definitions_handler(context),
               list_inputs({"keyword"}));
    router.add("GET", "/v1/definitions/{id}", Access::view, get_definition_handler(context));
    router.add("GET", "/v1/definitions/{id}/versions", Access::view,
               list_definition_versions_handler(context), list_inputs());
    router.add("GET", "/v1/definitions/{id}/versions/{version}", Access::view,
               get_definition_handler(context));

    router.add("POST", "/v1/workspaces/{ws}/definitions", Access::operate,
               upload_definition_handler(context));
    router.add("GET", "/v1/workspaces/{ws}/definitions", Access::view,
               list_definitions_handler(context), list_inputs({"keyword"}));
    router.add("GET", "/v1/workspaces/{ws}/definitions/{id}", Access::view,
               get_definition_handler(context));
    router.add("GET", "/v1/workspaces/{ws}/definitions/{id}/versions", Access::view,
               list_definition_versions_handler(context), list_inputs());
    router.add("GET", "/v1/workspaces/{ws}/definitions/{id}/versions/{version}", Access::view,
               get_definition_handler(context));
}

void add_instance_routes(RouteTable& router, const Context& context) {
    router.add("POST", "/v1/instances", Access::operate, start_instance_handler(context));
    router.add("POST", "/v1/instances:batch", Access::operate, start_instances_handler(context));
    router.add("POST", "/v1/instances:cancel", Access::operate, cancel_instances_handler(context));
    router.add("GET", "/v1/instances", Access::view, list_instances_handler(context),
               list_inputs({"definitionId", "definitionVersion", "status", "businessKey",
                            "startedAfter", "startedBefore", "suspended", "text"}));
    router.add("GET", "/v1/instances/{id}", Access::view, get_instance_handler(context));
    router.add("GET", "/v1/instances/{id}/explain", Access::view,
               explain_instance_handler(context));
    router.add("GET", "/v1/instances/{id}/history", Access::view, get_history_handler(context),
               {.query = {"cursor"}});
    router.add("GET", "/v1/instances/{id}/events", Access::view, instance_events_handler(context),
               {.query = {"lastEventId"}});
    router.add("POST", "/v1/instances/{id}/cancel", Access::operate,
               cancel_instance_handler(context));
    router.add("POST", "/v1/instances/{id}/retry", Access::operate,
               without_body(retry_instance_handler(context)));
    router.add("POST", "/v1/instances/{id}/suspend", Access::operate,
               suspend_instance_handler(context));
    router.add("POST", "/v1/instances/{id}/resume", Access::operate,
               without_body(resume_instance_handler(context)));
    router.add("PATCH", "/v1/instances/{id}/variables", Access::operate,
               change_variables_handler(context));
    router.add("POST", "/v1/instances/{id}/user-tasks/{stepId}/complete", Access::operate,
               complete_user_task_handler(context));
    router.add("POST", "/v1/instances/{id}/signals/{stepId}", Access::operate,
               signal_wait_handler(context));
}

void add_user_task_routes(RouteTable& router, const Context& context) {
    router.add("GET", "/v1/user-tasks", Access::view, list_user_tasks_handler(context),
               list_inputs({"status", "instanceId", "definitionId", "stepId", "type", "assignee",
                            "unassigned", "group"}));
    router.add("GET", "/v1/user-tasks/{id}", Access::view, get_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/claim", Access::operate,
               claim_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/unclaim", Access::operate,
               unclaim_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/assign", Access::operate,
               assign_user_task_handler(context));
    router.add("POST", "/v1/user-tasks/{id}/complete", Access::operate,
               finish_user_task_handler(context));
}

void add_job_routes(RouteTable& router, const Context& context) {
    router.add("GET", "/v1/jobs", Access::view, list_jobs_handler(context),
               list_inputs({"status", "instanceId", "jobType", "workerId"}));
    router.add("GET", "/v1/jobs/{id}", Access::view, get_job_handler(context));
    router.add("GET", "/v1/jobs/{id}/explain", Access::view, explain_job_handler(context));
    router.add("POST", "/v1/jobs/poll", Access::work, poll_jobs_handler(context));
    router.add("POST", "/v1/jobs/complete", Access::work, complete_jobs_handler(context));
    router.add("POST", "/v1/jobs/fail", Access::work, fail_jobs_handler(context));
    router.add("POST", "/v1/jobs/release", Access::work, release_jobs_handler(context));
    router.add("POST", "/v1/jobs/{id}/complete", Access::work, complete_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/fail", Access::work, fail_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/release", Access::work, release_job_handler(context));
    router.add("POST", "/v1/jobs/{id}/extend", Access::work, extend_lease_handler(context));
}

void add_workspace_routes(RouteTable& router, const Context& context) {
    router.add("POST", "/v1/workspaces", Access::administer, create_workspace_handler(context));
    router.add("GET", "/v1/workspaces", Access::view, list_workspaces_handler(context),
               list_inputs());
    router.add("GET", "/v1/workspaces/{ws}", Access::view, get_workspace_handler(context));
    router.add("PATCH", "/v1/workspaces/{ws}", Access::administer,
               change_workspace_handler(context));
    router.add("DELETE", "/v1/workspaces/{ws}", Access::administer,
               without_body(delete_workspace_handler(context)), {.query = {"force"}});
    router.add("GET", "/v1/workspaces/{ws}/explain", Access::view,
               explain_workspace_handler(context));
    router.add("GET", "/v1/workspaces/{ws}/queue", Access::view, get_queue_handler(context));
    router.add("POST", "/v1/workspaces/{ws}/queue/recover", Access::operate,
               recover_executions_handler(context));
}

void add_execution_routes(RouteTable& router, const Context& context) {
    router.add("POST", "/v1/workspaces/{ws}/executions", Access::operate,
               enqueue_execution_handler(context));
    router.add("POST", "/v1/workspaces/{ws}/executions:batch", Access::operate,
               enqueue_executions_handler(context));
    router.add("GET", "/v1/workspaces/{ws}/executions", Access::view,
               list_executions_handler(context), execution_inputs());
    router.add("GET", "/v1/executions/{id}", Access::view, get_execution_handler(context));
    router.add("GET", "/v1/executions/{id}/explain", Access::view,
               explain_execution_handler(context));
    router.add("POST", "/v1/executions/{id}/cancel", Access::operate,
               cancel_execution_handler(context));
    router.add("POST", "/v1/executions/{id}/retry", Access::operate,
               retry_execution_handler(context));
    router.add("POST", "/v1/executions/{id}/completion", Access::work,
               complete_execution_handler(context));
}

void add_dead_letter_routes(RouteTable& router, const Context& context) {
    router.add("GET", "/v1/workspaces/{ws}/dead-letters", Access::view,
               list_dead_letters_handler(context), dead_letter_inputs());
    router.add("GET", "/v1/workspaces/{ws}/dead-letters/groups", Access::view,
               list_dead_letter_groups_handler(context), {.query = {"pageSize"}});
    router.add("POST", "/v1/workspaces/{ws}/dead-letters/redrive", Access::operate,
               redrive_dead_letters_handler(context));
    router.add("POST", "/v1/workspaces/{ws}/dead-letters/dismiss", Access::operate,
               dismiss_dead_letters_handler(context));
    router.add("POST", "/v1/workspaces/{ws}/dead-letters/purge", Access::administer,
               purge_dead_letters_handler(context));
    router.add("GET", "/v1/dead-letters", Access::view, list_dead_letters_handler(context),
               dead_letter_inputs());
    router.add("GET", "/v1/dead-letters/groups", Access::view,
               list_dead_letter_groups_handler(context), {.query = {"pageSize"}});
    router.add("POST", "/v1/dead-letters/redrive", Access::operate,
               redrive_dead_letters_handler(context));
    router.add("POST", "/v1/dead-letters/dismiss", Access::operate,
               dismiss_dead_letters_handler(context));
    router.add("POST", "/v1/dead-letters/purge", Access::administer,
               purge_dead_letters_handler(context));
    router.add("GET", "/v1/dead-letters/{id}", Access::view, get_dead_letter_handler(context));
    router.add("POST", "/v1/dead-letters/{id}/redrive", Access::operate,
               without_body(redrive_dead_letter_handler(context)));
    router.add("POST", "/v1/dead-letters/{id}/dismiss", Access::operate,
               without_body(dismiss_dead_letter_handler(context)));
}

void add_administration_routes(RouteTable& router, const Context& context) {
    router.add("GET", "/v1/audit", Access::operate, list_audit_handler(context),
               list_inputs({"since", "until", "keyId", "instanceId", "kind"}));
    router.add("GET", "/v1/instances/{id}/audit", Access::operate,
               get_instance_audit_handler(context));

    router.add("GET", "/v1/keys", Access::administer, list_api_keys_handler(context),
               list_inputs());
    router.add("POST", "/v1/keys", Access::administer, create_api_key_handler(context));
    router.add("DELETE", "/v1/keys/{id}", Access::administer,
               without_body(revoke_api_key_handler(context)));
    router.add("GET", "/v1/whoami", Access::known, who_am_i_handler());

    router.add("POST", "/v1/backup", Access::administer, without_body(backup_handler(context)));
}

}  // namespace

void add_routes(http::Router& all, const Context& context) {
    RouteTable router(all);
    add_server_routes(router, context);
    add_definition_routes(router, context);
    add_instance_routes(router, context);
    add_user_task_routes(router, context);
    add_job_routes(router, context);
    add_workspace_routes(router, context);
    add_execution_routes(router, context);
    add_dead_letter_routes(router, context);
    add_administration_routes(router, context);
}

}  // namespace millrace::rest
