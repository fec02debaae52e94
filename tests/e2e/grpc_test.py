#!/usr/bin/env python3
"""Existing workers and tools speak workflow.v1 over gRPC: they connect and just work.

Usage: grpc_test.py PROGRAM [unittest arguments]
"""

import sys
import unittest

from rpc import Engine, code_of, engine, struct
from server import PostgresStore, ServerTestCase, SqliteStore

STEP = engine.WorkflowStep
DEFINITION = engine.WorkflowDefinition(
    id="order", name="Order", description="Of a customer", metadata=struct({"team": "blue"}),
    steps=[
        STEP(id="charge", name="Charge", type=engine.STEP_TYPE_SERVICE_TASK, job_type="charge",
             retry_count=2, next_step="approve",
             boundary_events=[engine.BoundaryEvent(
                 type=engine.BOUNDARY_EVENT_TYPE_TIMER, duration="PT1H", target_step_id="end")]),
        STEP(id="approve", name="Approve", type=engine.STEP_TYPE_USER_TASK, next_step="wait"),
        STEP(id="wait", name="Wait", type=engine.STEP_TYPE_WAIT, next_step="decide"),
        STEP(id="decide", name="Decide", type=engine.STEP_TYPE_DECISION,
             conditional_next_steps={"amount > 10": "end", "amount <= 10": "mark"}),
        STEP(id="mark", name="Mark", type=engine.STEP_TYPE_TRANSFORMATION, next_step="end"),
        STEP(id="end", name="End", type=engine.STEP_TYPE_END),
    ])
DEFINITION.steps[4].transformations["small"].bool_value = True


class GrpcCase:
    store_type = None

    def setUp(self):
        self.server = self.new_server(self.new_store(self.store_type))
        self.rest = self.server.client()
        self.engine = Engine(self.server.grpc_port)
        self.addCleanup(self.engine.close)

    def upload(self):
        return self.engine.UploadDefinition(definition=DEFINITION)

    def test_an_order_from_its_definition_to_its_end(self):
        self.assertEqual(self.upload().version, 1)
        started = self.engine.StartInstance(
            definition_id="order", variables=struct({"amount": 5, "id": 2**53 - 1}),
            business_key="b-1").instance
        self.assertEqual(started.status, engine.INSTANCE_STATUS_ACTIVE)
        self.assertEqual(list(started.current_step_ids), ["charge"])

        job, = self.engine.PollJobs(worker_id="w", job_types=["charge"], max_jobs=5).jobs
        self.assertEqual((job.instance_id, job.step_id, job.job_type), (started.id, "charge", "charge"))
        self.assertEqual(dict(job.variables), {"amount": 5, "id": 2**53 - 1})
        self.assertGreater(job.lock_expires_at.seconds, started.started_at.seconds)
        self.engine.CompleteJob(job_id=job.id, worker_id="w",
                                variables_to_set=struct({"paid": True, "share": 0.5}))
        self.engine.CompleteUserTask(instance_id=started.id, user_task_step_id="approve",
                                     completed_by="ann", result=struct({"approved": True}))
        self.engine.SignalWait(instance_id=started.id, wait_step_id="wait",
                               variables=struct({"signal": None}))

        ended = self.engine.GetInstance(id=started.id).instance
        self.assertEqual(ended.status, engine.INSTANCE_STATUS_COMPLETED)
        self.assertEqual(dict(ended.variables), {
            "amount": 5, "id": 2**53 - 1, "paid": True, "share": 0.5, "approved": True,
            "signal": None, "small": True})
        self.assertEqual(ended.business_key, "b-1")
        self.assertTrue(ended.HasField("completed_at"))
        shown = self.rest.get(f"/v1/instances/{started.id}").json()
        self.assertEqual(shown["variables"]["amount"], 5)
        history = self.engine.GetInstanceHistory(id=started.id).executions
        self.assertEqual([line.step_id for line in history],
                         ["charge", "approve", "wait", "decide", "mark", "end"])
        self.assertEqual({line.status for line in history}, {engine.STEP_EXECUTION_STATUS_COMPLETED})
        lines = self.rest.get(f"/v1/instances/{started.id}/history").json()["items"]
        self.assertEqual(lines[1]["completedBy"], "ann")

        listed = self.engine.ListInstances(status=engine.INSTANCE_STATUS_COMPLETED)
        self.assertEqual((listed.total, listed.instances[0].id), (1, started.id))
        self.assertEqual(self.engine.ListInstances(business_key="other").total, 0)


class SqliteGrpcTest(GrpcCase, ServerTestCase):
    store_type = SqliteStore

    def test_a_definition_comes_back_whole(self):
        self.upload()
        found = self.engine.GetDefinition(id="order").definition
        expected = engine.WorkflowDefinition.FromString(DEFINITION.SerializeToString())
        expected.version = 1
        self.assertEqual(found, expected)
        self.assertEqual(code_of(self.engine.GetDefinition, id="order", version=2), "NOT_FOUND")
        self.assertEqual(code_of(self.engine.GetDefinition, id="other"), "NOT_FOUND")
        listed = self.engine.ListDefinitions(keyword="ord")
        self.assertEqual((listed.total, listed.definitions[0].name), (1, "Order"))

    def test_one_upload_is_one_version_over_both_protocols(self):
        self.upload()
        self.assertEqual(self.upload().version, 1)
        document = self.rest.get("/v1/definitions/order").json()
        self.assertEqual(self.rest.post("/v1/definitions", document).json()["version"], 1)

    def test_codes_of_what_callers_get_wrong(self):
        self.upload()
        job = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        for expected, call, fields in (
                ("NOT_FOUND", "GetInstance", {"id": "x"}),
                ("NOT_FOUND", "GetInstance", {"id": ""}),
                ("OK", "GetInstanceHistory", {"id": "x"}),
                ("OK", "GetInstanceHistory", {"id": ""}),
                ("NOT_FOUND", "CancelInstance", {"id": "x"}),
                ("NOT_FOUND", "StartInstance", {"definition_id": "none"}),
                ("INVALID_ARGUMENT", "StartInstance", {}),
                ("INVALID_ARGUMENT", "StartInstance", {
                    "definition_id": "order", "variables": struct({"a": float("nan")})}),
                ("INVALID_ARGUMENT", "UploadDefinition", {}),
                ("INVALID_ARGUMENT", "UploadDefinition", {"definition": {"id": "a"}}),
                ("INVALID_ARGUMENT", "UploadDefinition", {
                    "definition": {"id": "a", "name": "a", "steps": [{"id": "a", "type": 99}]}}),
                ("INVALID_ARGUMENT", "ListInstances", {"status": 77}),
                ("INVALID_ARGUMENT", "ListInstances", {"page": -1}),
                ("OK", "PollJobs", {"job_types": ["a"]}),
                ("OK", "PollJobs", {"worker_id": "w"}),
                ("INVALID_ARGUMENT", "PollJobs", {"worker_id": "w", "job_types": ["a" * 300]}),
                ("NOT_FOUND", "CompleteJob", {"job_id": job, "worker_id": "w"}),
                ("NOT_FOUND", "FailJob", {"job_id": ""}),
                ("INVALID_ARGUMENT", "CompleteUserTask", {"instance_id": job}),
                ("NOT_FOUND", "CompleteUserTask", {"instance_id": job, "user_task_step_id": "a"}),
                ("INVALID_ARGUMENT", "SignalWait", {"wait_step_id": "a"})):
            with self.subTest(call=call, fields=fields):
                self.assertEqual(code_of(getattr(self.engine, call), **fields), expected)

    def test_an_integer_that_a_worker_echoes_stays_exact(self):
        self.upload()
        exact = {"amount": 50, "big": 2**53 + 1, "deep": {"list": [-2**63 + 1]}}
        instance = self.rest.post("/v1/instances", {
            "definitionId": "order", "variables": exact}).json()["id"]
        job, = self.engine.PollJobs(worker_id="w", job_types=["charge"]).jobs
        self.engine.CompleteJob(job_id=job.id, worker_id="w", variables_to_set=job.variables)
        self.assertEqual(self.rest.get(f"/v1/instances/{instance}").json()["variables"], exact)


class PostgresGrpcTest(GrpcCase, ServerTestCase):
    store_type = PostgresStore


if __name__ == "__main__":
    ServerTestCase.program = sys.argv.pop(1)
    unittest.main()
