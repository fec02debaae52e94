"""What the documents promise and this server does not do yet.

The one list to edit when something lands: take it out, and its tests run, its answers are checked,
and its pages must be true. openapi_test.py fails when a route of the list is served.
"""

COMING = {
    # Routes.
    "GET /v1/definitions/{id}/versions",
    "POST /v1/instances:cancel",
    "GET /v1/instances/{id}/events",
    "GET /v1/instances/{id}/audit",
    "POST /v1/instances/{id}/retry",
    "POST /v1/instances/{id}/suspend",
    "POST /v1/instances/{id}/resume",
    "PATCH /v1/instances/{id}/variables",
    "GET /v1/user-tasks",
    "GET /v1/user-tasks/{id}",
    "POST /v1/user-tasks/{id}/claim",
    "POST /v1/user-tasks/{id}/unclaim",
    "POST /v1/user-tasks/{id}/assign",
    "POST /v1/user-tasks/{id}/complete",
    "GET /v1/jobs",
    "GET /v1/jobs/{id}",
    "GET /v1/whoami",
    "GET /v1/keys",
    "POST /v1/keys",
    "DELETE /v1/keys/{id}",
    "GET /v1/audit",
    "POST /v1/backup",
    # Fields that are always there.
    "Instance.variablesVersion",
    "DeliveredJob.attempt",
    "DeliveredJob.idempotencyKey",
    "Try.attempt",
    # The rest.
    "cursor",
    "filters of instances",
    "Idempotency-Key",
    "--auth keys",
}


def is_here(*names):
    return not COMING.intersection(names)
