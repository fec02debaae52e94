"""What the documents promise and this server does not do yet.

The one list to edit when something lands: take it out, and its tests run, its answers are checked,
and its pages must be true. openapi_test.py fails when a route of the list is served.
"""

COMING = {
    # Routes.
    "GET /v1/instances/{id}/events",
    "GET /v1/instances/{id}/audit",
    "GET /v1/whoami",
    "GET /v1/keys",
    "POST /v1/keys",
    "DELETE /v1/keys/{id}",
    "GET /v1/audit",
    "POST /v1/backup",
    # The rest.
    "Idempotency-Key",
    "--auth keys",
}


def is_here(*names):
    return not COMING.intersection(names)
