"""Polls: limits, order, leases, and waiting for work that is yet to come."""

import json
import socket
import threading
import time

from times import instant
from contract_case import ContractTestCase
from definitions import one_task
from server import wait_until


class Waiting:
    """A poll in a thread of its own."""

    def __init__(self, client, job_type, worker_id, wait_seconds, **fields):
        self.reply = None
        self.ended_at = None
        body = {"workerId": worker_id, "jobTypes": [job_type], "waitSeconds": wait_seconds,
                **fields}
        self._thread = threading.Thread(target=self._run, args=[client, body])
        self._thread.start()

    def _run(self, client, body):
        self.reply = client.post("/v1/jobs/poll", body)
        self.ended_at = time.monotonic()

    def jobs(self):
        self._thread.join()
        assert self.reply.status == 200, self.reply
        return self.reply.json()["jobs"]


class PollingTest(ContractTestCase):
    def parked_count(self):
        text = self.metrics.get("/metrics").text
        return next(int(line.split()[1]) for line in text.splitlines()
                    if line.startswith("millrace_polls_parked "))

    def setUp(self):
        super().setUp()
        self.metrics = self.server.metrics_client()
        self.assertEqual(self.parked_count(), 0)

    def park(self, job_type, worker_id="parked", wait_seconds=60, **fields):
        count = self.parked_count()
        waiting = Waiting(self.new_client(), job_type, worker_id, wait_seconds, **fields)
        wait_until(lambda: self.parked_count() == count + 1, "a poll to be parked")
        return waiting

    def test_bad_polls_are_refused(self):
        for body, reason in [
                ({"jobTypes": ["a"]}, "^workerId is required$"),
                ({"workerId": "", "jobTypes": ["a"]}, "^workerId is required$"),
                ({"workerId": "w"}, "^jobTypes must not be empty$"),
                ({"workerId": "w", "jobTypes": None}, "^jobTypes must not be empty$"),
                ({"workerId": "w", "jobTypes": []}, "^jobTypes must not be empty$"),
                ({"workerId": "w", "jobTypes": "a"}, "^invalid request body: "),
                ({"workerId": "w", "jobTypes": [1]}, "^invalid request body: "),
                ({"workerId": "w", "jobTypes": ["a"], "maxJobs": "1"}, "^invalid request body: "),
                ({"workerId": "w", "jobTypes": ["a"], "waitSeconds": "1"},
                 "^invalid request body: "),
                (b"", "^invalid request body: ")]:
            self.expect_error(400, "bad-request", reason, "POST", "/v1/jobs/poll", body)

    def test_no_jobs_are_an_empty_list_at_once(self):
        reply = self.post("/v1/jobs/poll", {"workerId": "w", "jobTypes": ["nothing_here"]})
        self.assertEqual(reply.body, b'{"jobs":[]}\n')

    def test_max_jobs_is_clamped_and_the_oldest_come_first(self):
        self.upload(one_task("clamped"))
        ids = [self.start("clamped")["id"] for _ in range(16)]
        taken = []
        for asked, got in [(2, 2), (0, 10), (-5, 4)]:
            jobs = self.poll("clamped", maxJobs=asked)
            self.assertEqual(len(jobs), got)
            taken += sorted(each["instanceId"] for each in jobs)
        self.assertEqual(taken, ids)
        self.upload(one_task("all_of_them"))
        for _ in range(12):
            self.start("all_of_them")
        self.assertEqual(len(self.poll("all_of_them", maxJobs=10**6)), 12)

    def test_leases_are_clamped(self):
        self.upload(one_task("leases"))
        for asked, expected in [(None, 30), (1, 5), (5, 5), (90, 90), (10**6, 3600)]:
            with self.subTest(asked):
                self.start("leases")
                job = self.claim("leases", leaseSeconds=asked)
                lease = instant(job["lockExpiresAt"]) - instant(job["lockedAt"])
                self.assertEqual(lease.total_seconds(), expected)

    def test_several_types_are_served_by_one_poll(self):
        for name in ("type_one", "type_two", "type_three"):
            self.upload(one_task(name))
            self.start(name)
        jobs = self.post("/v1/jobs/poll", {
            "workerId": "w", "jobTypes": ["type_one", "type_two", "type_one"]}).json()["jobs"]
        self.assertEqual({each["jobType"] for each in jobs}, {"type_one", "type_two"})
        self.assertEqual(len(jobs), 2)

    def test_a_start_wakes_a_waiting_poll_at_once(self):
        self.upload(one_task("woken"))
        waiting = self.park("woken")
        started_at = time.monotonic()
        instance_id = self.start("woken")["id"]
        [job] = waiting.jobs()
        self.assertLess(waiting.ended_at - started_at, 1)
        self.assertEqual((job["instanceId"], job["workerId"], job["leaseToken"]),
                         (instance_id, "parked", 1))
        self.complete_job(job["id"], workerId="parked", leaseToken=1)

    def test_a_retry_wakes_a_waiting_poll_at_once(self):
        self.upload(one_task("woken_again", retryCount=1))
        self.start("woken_again")
        job = self.claim("woken_again")
        waiting = self.park("woken_again")
        failed_at = time.monotonic()
        self.fail_job(job["id"], leaseToken=1, retryable=True)
        [again] = waiting.jobs()
        self.assertLess(waiting.ended_at - failed_at, 1)
        self.assertEqual((again["id"], again["leaseToken"]), (job["id"], 2))

    def test_waiting_polls_are_served_first_come_first_served(self):
        self.upload(one_task("in_line"))
        first, second = self.park("in_line", "first"), self.park("in_line", "second")
        self.start("in_line")
        self.assertEqual([each["workerId"] for each in first.jobs()], ["first"])
        self.start("in_line")
        self.assertEqual([each["workerId"] for each in second.jobs()], ["second"])

    def test_a_poll_that_waits_in_vain_is_answered_at_its_deadline(self):
        started_at = time.monotonic()
        waiting = Waiting(self.new_client(), "in_vain", "w", 1.5)
        self.assertEqual(waiting.jobs(), [])
        self.assertGreaterEqual(waiting.ended_at - started_at, 1.5)
        self.assertLess(waiting.ended_at - started_at, 4)

    def test_the_job_of_a_client_that_is_gone_goes_to_the_next_poll(self):
        self.upload(one_task("gone"))
        self.leave("gone")
        instance_id = self.start("gone")["id"]
        started_at = time.monotonic()
        job = self.claim("gone", worker_id="next", waitSeconds=20)
        self.assertEqual((job["instanceId"], job["workerId"]), (instance_id, "next"))
        self.assertLess(time.monotonic() - started_at, 2)

    def leave(self, job_type):
        """Parks a poll, and hangs up."""
        body = json.dumps({"workerId": "gone", "jobTypes": [job_type], "waitSeconds": 60}).encode()
        head = ("POST /v1/jobs/poll HTTP/1.1\r\nHost: localhost\r\n"
                f"Content-Length: {len(body)}\r\n\r\n")
        count = self.parked_count()
        with socket.create_connection(("127.0.0.1", self.server.rest_port)) as connection:
            connection.sendall(head.encode() + body)
            wait_until(lambda: self.parked_count() == count + 1, "a poll to be parked")
        # The server may not have noticed yet: that is what the caller wants to see.

    def test_a_lease_that_runs_out_is_offered_to_whoever_waits(self):
        self.upload(one_task("expired", retryCount=2))
        self.start("expired")
        job = self.claim("expired", leaseSeconds=5)
        waiting = self.park("expired", "heir")
        [again] = waiting.jobs()
        self.assertEqual((again["id"], again["workerId"], again["leaseToken"]),
                         (job["id"], "heir", 2))
        self.assertEqual(again["retriesRemaining"], 2, "Expiry costs no retry.")
        self.assertGreaterEqual(instant(again["lockedAt"]), instant(job["lockExpiresAt"]))
        late = instant(again["lockedAt"]) - instant(job["lockExpiresAt"])
        self.assertLess(late.total_seconds(), 2)
        self.expect_error(409, "conflict", ".", "POST", f"/v1/jobs/{job['id']}/complete",
                          {"workerId": "w", "leaseToken": 1})
        self.complete_job(job["id"], workerId="heir")

    def test_many_polls_can_wait(self):
        self.upload(one_task("crowd"))
        parked = [self.park("crowd", f"worker {each}") for each in range(20)]
        self.post("/v1/instances:batch", {"instances": [{"definitionId": "crowd"}] * 20})
        jobs = [job for waiting in parked for job in waiting.jobs()]
        self.assertEqual(len({each["id"] for each in jobs}), len(jobs))
        taken = len(jobs) + len(self.poll("crowd", maxJobs=100))
        self.assertEqual(taken, 20)
