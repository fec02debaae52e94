"""Metrics: every series that REST and polling can move is seen to move."""

import re
import threading

from contract_case import ContractTestCase
from definitions import definition, one_task, step, task, timer
from server import wait_until

SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? ([-+.\deE]+)$")


class MetricsTest(ContractTestCase):
    def setUp(self):
        super().setUp()
        self.metrics = self.server.metrics_client()

    def samples(self):
        """{'name{labels}': value}"""
        found = {}
        for line in self.metrics.get("/metrics").text.splitlines():
            if match := SAMPLE.match(line):
                found[f"{match[1]}{{{match[2] or ''}}}"] = float(match[3])
        return found

    def expect_moves(self, action, *series):
        before = self.samples()
        action()
        after = self.samples()
        for name in series:
            with self.subTest(name):
                self.assertGreater(after.get(name, 0), before.get(name, 0), name)

    def test_any_path_answers_in_the_format_of_prometheus(self):
        for path in ("/metrics", "/"):
            reply = self.metrics.get(path)
            self.assertEqual(reply.status, 200)
            self.assertTrue(reply.headers["Content-Type"].startswith("text/plain; version=0.0.4"))
            self.assertIn("# TYPE http_requests_duration_seconds histogram", reply.text)

    def test_requests_are_counted_by_route_and_status(self):
        def requests():
            self.get("/v1/instances/x", 404)
            self.get("/nowhere", 404)
        self.expect_moves(
            requests,
            'http_requests_duration_seconds_count'
            '{method="GET",path="/v1/instances/{id}",status="404"}')

    def test_a_workflow_moves_its_series(self):
        self.expect_moves(
            self.run_everything,
            "workflow_definitions_uploaded_total{}", "workflow_instances_started_total{}",
            *(f'workflow_instances_completed_total{{outcome="{each}"}}'
              for each in ("COMPLETED", "FAILED", "CANCELLED")),
            *(f'workflow_steps_executed_total{{step_type="{each}"}}'
              for each in ("SERVICE_TASK", "USER_TASK", "DECISION", "TRANSFORMATION", "WAIT",
                           "PARALLEL_GATEWAY", "JOIN_GATEWAY", "END")),
            *(f'engine_db_transaction_duration_seconds_count{{tx_type="{each}"}}'
              for each in ("instance.start", "instance.complete_job", "instance.complete_user_task",
                           "instance.signal_wait", "instance.dispatch_boundary",
                           "instance.interrupt_boundary")),
            *(f'engine_db_lock_wait_duration_seconds_count{{operation="{each}"}}'
              for each in ("instance.for_update", "job.poll_skip_locked")),
            "engine_job_pickup_latency_seconds_count{}", "job_poll_latency_seconds_count{}",
            "job_retries_total{}", "engine_job_timeout_total{}")

    def test_polls_that_come_second_are_counted(self):
        self.upload(one_task("rush"))
        is_over = threading.Event()

        def poll_all_the_time(client):
            while not is_over.is_set():
                client.post("/v1/jobs/poll", {"workerId": "w", "jobTypes": ["rush"], "maxJobs": 1})

        rivals = [threading.Thread(target=poll_all_the_time, args=[self.new_client()])
                  for _ in range(8)]
        for each in rivals:
            each.start()
        try:
            wait_until(self.is_outrun_after_some_starts, "a poll that others outran")
        finally:
            is_over.set()
            for each in rivals:
                each.join()

    def is_outrun_after_some_starts(self):
        for _ in range(20):
            self.start("rush")
        return self.samples()["job_lock_conflicts_total{}"] > 0

    def run_everything(self):
        self.upload(definition(
            "measured",
            step("set", "TRANSFORMATION", transformations={"x": 1}, nextStep="choose"),
            step("choose", "DECISION", conditionalNextSteps={"x == 1": "approve"}),
            step("approve", "USER_TASK", nextStep="hold"), step("hold", "WAIT", nextStep="fan_out"),
            step("fan_out", "PARALLEL_GATEWAY", parallelNextSteps=["work", "late"],
                 joinStep="gathered"),
            task("work", "measured", "gathered", retryCount=1,
                 boundaryEvents=[timer("PT0.01S", "beside", False)]),
            task("beside", "measured_beside"),
            step("late", "WAIT", nextStep="gathered",
                 boundaryEvents=[timer("PT0.01S", "gathered", True)]),
            step("gathered", "JOIN_GATEWAY", nextStep="done"), step("done", "END")))
        instance_id = self.start("measured")["id"]
        self.post(f"/v1/instances/{instance_id}/user-tasks/approve/complete", None, 204)
        self.post(f"/v1/instances/{instance_id}/signals/hold", None, 204)
        self.complete_job(self.claim("measured_beside", waitSeconds=30)["id"])
        job = self.claim("measured", waitSeconds=30, leaseSeconds=5)
        self.fail_job(job["id"], retryable=True)
        job = self.claim("measured", waitSeconds=30, leaseSeconds=5)
        self.complete_job(job["id"], 409, workerId="thief")
        job = self.claim("measured", worker_id="heir", waitSeconds=30)
        self.complete_job(job["id"])
        self.upload(one_task("measured_end"))
        self.start("measured_end")
        self.fail_job(self.claim("measured_end")["id"])
        self.post(f"/v1/instances/{self.start('measured_end')['id']}/cancel")
        self.poll("measured")
