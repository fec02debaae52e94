"""Starts, polls, completes, batches and lists, through the client that openapi-python-client made.

Usage: walk.py URL, with the generated package millrace_api on the path and a definition `greeting` of
one task of the type `greet` on the server.
"""

import sys

from millrace_api import Client
from millrace_api.api.executions import enqueue_execution
from millrace_api.api.instances import (get_instance, list_instances, start_instance,
                                        start_instances)
from millrace_api.api.jobs import complete_job, complete_jobs, list_jobs, poll_jobs
from millrace_api.models import (Completion, CompletionItem, CompletionList, Enqueue, Error, Poll,
                                 Start, StartItem, StartList, Variables)
from millrace_api.models.list_jobs_status import ListJobsStatus

LARGE = 9_007_199_254_740_993  # A double would change it.


def poll(client, most):
    asked = Poll(worker_id="python", job_types=["greet"], max_jobs=most, wait_seconds=20)
    return poll_jobs.sync(client=client, body=asked).jobs


def one(client):
    variables = Variables.from_dict({"name": "Ada", "large": LARGE})
    started = start_instance.sync(
        client=client, body=Start(definition_id="greeting", variables=variables), idempotency_key="p")
    repeated = start_instance.sync(
        client=client, body=Start(definition_id="greeting", variables=variables), idempotency_key="p")
    assert repeated.id == started.id, repeated
    [job] = poll(client, 1)
    assert job.instance_id == started.id, job
    assert job.variables["large"] == LARGE, job.variables
    done = complete_job.sync_detailed(job.id, client=client, body=Completion(
        worker_id="python", lease_token=job.lease_token,
        variables=Variables.from_dict({"greeted": True})))
    assert done.status_code == 204, done
    ended = get_instance.sync(started.id, client=client)
    assert ended.status == "COMPLETED", ended
    assert ended.variables["greeted"] is True, ended


def several(client):
    started = start_instances.sync(client=client, body=StartList(instances=[
        StartItem(definition_id="greeting", idempotency_key=f"batch-{n}") for n in range(2)]
        + [StartItem(definition_id="none")]))
    assert [each.status for each in started.results] == [201, 201, 404], started
    jobs = [job for _ in range(2) for job in poll(client, 1)]
    done = complete_jobs.sync(client=client, body=CompletionList(jobs=[
        CompletionItem(job_id=job.id, lease_token=job.lease_token) for job in jobs]))
    assert [each.status for each in done.results] == [204, 204], done


def lists(client):
    page = list_instances.sync(client=client, status="COMPLETED", page=0, page_size=2)
    assert len(page.items) == 2 and page.total == 3, page
    rest = list_instances.sync(client=client, status="COMPLETED", page_size=2,
                               cursor=page.next_cursor)
    assert len(rest.items) == 1, rest
    jobs = list_jobs.sync(client=client, status=ListJobsStatus.LOCKED)
    assert jobs.items == [], jobs
    suspended = list_instances.sync(client=client, suspended=True)
    assert suspended.items == [], suspended


def refusals(client):
    refused = list_instances.sync(client=client, status="FAILD")
    assert isinstance(refused, Error), refused
    assert refused.details[0].path == "status", refused
    accepted = enqueue_execution.sync("default", client=client, body=Enqueue(definition_id="greeting"))
    assert accepted.queue_status == "PENDING", accepted


def main():
    with Client(base_url=sys.argv[1]) as client:
        for step in (one, several, lists, refusals):
            step(client)


if __name__ == "__main__":
    main()
