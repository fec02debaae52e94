#!/usr/bin/env python3
"""What a server promises of gRPC besides its rpcs: keys and workspaces, answers that clients can read,
health and reflection, TLS, metrics and logs, an end within seconds.

Usage: grpc_server_test.py PROGRAM [unittest arguments]
"""

import sys
import threading
import time
import unittest

import grpc
from google.protobuf import descriptor_pb2

from certificates import Certificate
from definitions import one_task
from rpc import FOREIGN, PATIENCE_SECONDS, Engine, code_of, engine, messages, struct
from server import ServerTestCase, wait_until

details = messages("google/rpc/error_details.proto", FOREIGN)
status = messages("google/rpc/status.proto", FOREIGN)
health = messages("grpc/health/v1/health.proto", FOREIGN)
reflection = messages("grpc/reflection/v1/reflection.proto", FOREIGN)

# What the routes behind them ask for, in the words of docs/reference/access.md.
RIGHTS = {
    "UploadDefinition": "operate", "GetDefinition": "view", "ListDefinitions": "view",
    "StartInstance": "operate", "GetInstance": "view", "GetInstanceHistory": "view",
    "CancelInstance": "operate", "ListInstances": "view",
    "PollJobs": "work", "CompleteJob": "work", "FailJob": "work",
    "CompleteUserTask": "operate", "SignalWait": "operate"}
ROLES = {"viewer": {"view"}, "worker": {"work"}, "operator": {"view", "work", "operate"},
         "admin": {"view", "work", "operate"}}
# Enough for the message to name something, so that it reaches the route.
ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
FIELDS = {
    "UploadDefinition": {"definition": {"id": "a"}}, "GetDefinition": {"id": "a"},
    "StartInstance": {"definition_id": "a"}, "GetInstance": {"id": ID},
    "GetInstanceHistory": {"id": ID}, "CancelInstance": {"id": ID},
    "PollJobs": {"worker_id": "w", "job_types": ["t"]}, "CompleteJob": {"job_id": ID},
    "FailJob": {"job_id": ID},
    "CompleteUserTask": {"instance_id": ID, "user_task_step_id": "a"},
    "SignalWait": {"instance_id": ID, "wait_step_id": "a"}}


class GrpcServerCase(ServerTestCase):
    def connect(self, server, **metadata):
        made = Engine(server.grpc_port, **metadata)
        self.addCleanup(made.close)
        return made


class GrpcAccessTest(GrpcServerCase):
    def setUp(self):
        store = self.new_store()
        server = self.new_server(store)
        self.keys = {}
        for role in ROLES:
            self.keys[role] = self.created(server, name=role, role=role)
        self.keys["of acme"] = self.created(server, name="acme", role="operator", workspace="acme")
        server.stop()
        self.server = self.new_server(store, "--auth", "keys")

    def created(self, server, **wanted):
        reply = server.client().post("/v1/keys", wanted)
        self.assertEqual(reply.status, 201, reply)
        return reply.json()["key"]

    def with_key(self, name, **metadata):
        return self.connect(self.server, authorization=f"Bearer {self.keys[name]}", **metadata)

    def test_every_rpc_asks_for_the_right_of_its_route(self):
        for role, rights in ROLES.items():
            client = self.with_key(role)
            for rpc, right in RIGHTS.items():
                with self.subTest(role=role, rpc=rpc):
                    code = code_of(getattr(client, rpc), **FIELDS.get(rpc, {}))
                    self.assertEqual(code == "PERMISSION_DENIED", right not in rights, code)

    def test_nobody_gets_in_without_a_good_key(self):
        for metadata in ({}, {"authorization": "Bearer mr_x_y"}):
            client = self.connect(self.server, **metadata)
            for rpc in RIGHTS:
                self.assertEqual(code_of(getattr(client, rpc)), "UNAUTHENTICATED", rpc)

    def test_workspaces_are_kept_apart(self):
        acme = self.with_key("of acme")
        started = ("StartInstance", {"definition_id": "order"})
        self.assertEqual(self.server.client().call(
            "POST", "/v1/definitions", one_task("order"),
            {"Authorization": f"Bearer {self.keys['of acme']}"}).status, 201)
        instance = getattr(acme, started[0])(**started[1]).instance
        admin = self.with_key("admin")
        self.assertEqual(code_of(admin.GetInstance, id=instance.id), "NOT_FOUND")
        there = self.with_key("admin", millrace_workspace="acme")
        self.assertEqual(there.GetInstance(id=instance.id).instance.id, instance.id)
        elsewhere = self.with_key("of acme", millrace_workspace="bolt")
        self.assertEqual(code_of(elsewhere.GetInstance, id=instance.id), "PERMISSION_DENIED")
        wrong = self.with_key("admin", millrace_workspace="NO")
        self.assertEqual(code_of(wrong.ListInstances), "INVALID_ARGUMENT")

    def test_a_revoked_key_is_refused(self):
        client = self.with_key("operator")
        client.ListInstances()
        admin = {"Authorization": f"Bearer {self.keys['admin']}"}
        rest = self.server.client()
        [key] = [each for each in rest.call("GET", "/v1/keys", None, admin).json()["items"]
                 if each["name"] == "operator"]
        self.assertEqual(rest.call("DELETE", f"/v1/keys/{key['id']}", None, admin).status, 204)
        self.assertEqual(code_of(client.ListInstances), "UNAUTHENTICATED")


class GrpcCallsTest(GrpcServerCase):
    def setUp(self):
        self.server = self.new_server(None, "--log-level", "debug")
        self.rest = self.server.client()
        self.engine = self.connect(self.server)
        self.assertEqual(self.rest.post("/v1/definitions", one_task("order")).status, 201)

    def start(self, count, variables):
        for _ in range(count):
            reply = self.rest.post(
                "/v1/instances", {"definitionId": "order", "variables": variables})
            self.assertEqual(reply.status, 201, reply)

    def poll(self, count=64):
        return self.engine.PollJobs(worker_id="w", job_types=["order"], max_jobs=count).jobs

    def polled_till_none_is_left(self):
        """Every job once, however many polls that takes; none twice."""
        ids = set()
        while jobs := self.poll():
            self.assertTrue(ids.isdisjoint(job.id for job in jobs))
            ids |= {job.id for job in jobs}
        return ids

    def test_large_polls_suit_clients_with_the_usual_limit(self):
        self.start(64, {"text": "x" * 300_000})
        self.assertEqual(len(self.poll()), 12, "as many as fit into 3.5 MiB")
        wait_until(lambda: not self.rest.get("/v1/jobs?status=LOCKED").json()["total"] > 12,
                   "the others to be offered again")
        self.assertEqual(len(self.polled_till_none_is_left()), 52)

    def test_values_that_grow_on_the_wire_suit_them_too(self):
        self.start(8, {"numbers": [1] * 100_000})  # 200 kB of JSON, 1.1 MB here.
        first = self.poll()
        self.assertEqual(len(first), 3)
        rest = set()
        wait_until(lambda: rest.update(job.id for job in self.poll()) or len(rest) == 5,
                   "the others to be offered again")

    def test_a_job_that_is_too_large_is_named_and_left_to_others(self):
        self.start(1, {"numbers": [1] * 700_000})
        call = self.engine.call("PollJobs", engine.PollJobsRequest(
            worker_id="w", job_types=["order"], max_jobs=1))
        self.assertEqual(call.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
        poll = {"workerId": "r", "jobTypes": ["order"], "waitSeconds": 10}
        [job] = self.rest.post("/v1/jobs/poll", poll).json()["jobs"]
        self.assertIn(job["id"], call.details())
        wait_until(lambda: any("RESOURCE_EXHAUSTED" in line and job["id"] in line
                               for line in self.server.log), "the line that names it")
        self.start(1, {})
        self.assertEqual(len(self.poll()), 1)

    def test_an_idempotency_key_works_once(self):
        def start(**fields):
            return self.engine.StartInstance(
                metadata={"idempotency-key": "k"}, definition_id="order", **fields).instance.id
        self.assertEqual(start(), start())
        self.assertEqual(code_of(start, variables=struct({"other": 1})), "FAILED_PRECONDITION")
        again = self.engine.call("StartInstance", engine.StartInstanceRequest(definition_id="order"),
                                 metadata={"idempotency-key": "k"})
        again.result()
        self.assertIn(("idempotent-replayed", "true"), list(again.trailing_metadata()))

    def test_a_status_says_more(self):
        call = self.engine.call("StartInstance", engine.StartInstanceRequest(),
                                metadata={"x-request-id": "r-17"})
        self.assertEqual(call.code(), grpc.StatusCode.INVALID_ARGUMENT)
        self.assertEqual(call.details(), "definitionId is required")
        [(_, value)] = [each for each in call.trailing_metadata()
                        if each[0] == "grpc-status-details-bin"]
        said = status.Status.FromString(value)
        self.assertEqual((said.code, said.message), (3, call.details()))
        info = details.ErrorInfo.FromString(said.details[0].value)
        self.assertEqual((info.reason, info.domain), ("bad-request", "millrace"))
        self.assertEqual(info.metadata["requestId"], "r-17")
        bad = details.BadRequest.FromString(said.details[1].value)
        self.assertEqual(bad.field_violations[0].field, "definitionId")
        metadata = dict(call.initial_metadata()) | dict(call.trailing_metadata())
        self.assertEqual(metadata["x-request-id"], "r-17")

    def test_log_and_metrics_name_the_rpc_and_its_code(self):
        code_of(self.engine.GetInstance, id="x")
        rpc = "workflow.v1.WorkflowEngine/GetInstance"
        wait_until(lambda: any(f'"rpc":"{rpc}","code":"NOT_FOUND"' in line
                               for line in self.server.log), "the line")
        text = self.server.metrics_client().get("/metrics").text
        self.assertIn(f'grpc_requests_duration_seconds_count{{code="NOT_FOUND",method="{rpc}"}} 1',
                      text)

    def test_bytes_of_no_message_harm_nobody(self):
        for payload in (b"\xff" * 64, b"\x0a\xff\xff\xff\xff\x0f", bytes(range(256)) * 16):
            for rpc in RIGHTS:
                stub = self.engine.channel.unary_unary(f"/workflow.v1.WorkflowEngine/{rpc}")
                self.assertEqual(code_of(stub, payload, timeout=30), "INVALID_ARGUMENT")
        self.engine.StartInstance(definition_id="order", variables=struct({"ok": 1}))
        self.assertEqual(self.rest.get("/readyz").status, 200)

    def test_health_and_reflection(self):
        def check(service):
            call = self.engine.channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health.HealthCheckRequest.SerializeToString,
                response_deserializer=health.HealthCheckResponse.FromString)
            return call(health.HealthCheckRequest(service=service), timeout=30).status
        for service in ("", "workflow.v1.WorkflowEngine"):
            self.assertEqual(check(service), health.HealthCheckResponse.SERVING)
        self.assertEqual(code_of(check, "no.Such"), "NOT_FOUND")
        for version in ("v1", "v1alpha"):
            self.assertEqual(self.described(version), {"UploadDefinition", *RIGHTS})

    def described(self, version):
        """The rpcs of the service that reflection lists, as the files say."""
        ask = self.engine.channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection.ServerReflectionResponse.FromString)
        name = "workflow.v1.WorkflowEngine"
        listed, shown = ask(iter([
            reflection.ServerReflectionRequest(list_services="*"),
            reflection.ServerReflectionRequest(file_containing_symbol=name)]), timeout=30)
        self.assertIn(name, [each.name for each in listed.list_services_response.service])
        file = descriptor_pb2.FileDescriptorProto.FromString(
            shown.file_descriptor_response.file_descriptor_proto[0])
        return {method.name for method in file.service[0].method}


class GrpcEndTest(GrpcServerCase):
    def test_a_server_ends_within_seconds_with_open_calls(self):
        server = self.new_server(None, "--shutdown-seconds", "20")
        client = self.connect(server)
        watch = client.channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            request_serializer=health.HealthCheckRequest.SerializeToString,
            response_deserializer=health.HealthCheckResponse.FromString)(
                health.HealthCheckRequest(service=""))
        self.assertEqual(next(watch).status, health.HealthCheckResponse.SERVING)
        said = []

        def read():
            try:
                said.extend(each.status for each in watch)
            except grpc.RpcError:
                pass
        reader = threading.Thread(target=read)
        reader.start()
        began = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - began, 10)
        reader.join(PATIENCE_SECONDS)
        self.assertIn(health.HealthCheckResponse.NOT_SERVING, said)

    def test_no_grpc_when_it_is_off(self):
        server = self.new_server(None, "--grpc-port", "off")
        self.assertEqual(server.grpc_port, 0)
        self.assertEqual(server.client().get("/readyz").status, 200)
        self.assertEqual(server.stop(), 0)


class GrpcTlsTest(GrpcServerCase):
    def secured(self, server, certificate):
        """The code of a call over a new connection that trusts only this certificate."""
        root = certificate.certificate.read_bytes()
        with grpc.secure_channel(f"localhost:{server.grpc_port}",
                                 grpc.ssl_channel_credentials(root)) as channel:
            stub = channel.unary_unary(
                "/workflow.v1.WorkflowEngine/ListInstances",
                response_deserializer=engine.ListInstancesResponse.FromString)
            return code_of(stub, b"", timeout=5)

    def test_a_certificate_is_renewed_while_the_server_runs(self):
        first, second = Certificate(), Certificate()
        self.addCleanup(first.remove)
        self.addCleanup(second.remove)
        server = self.new_server(None, "--tls-certificate", str(first.certificate),
                                 "--tls-key", str(first.key))
        self.assertEqual(self.secured(server, first), "OK")
        self.assertEqual(self.secured(server, second), "UNAVAILABLE")
        self.assertEqual(code_of(self.connect(server).ListInstances), "UNAVAILABLE")
        old = Certificate()
        self.addCleanup(old.remove)
        first.key.write_bytes(second.key.read_bytes())
        first.certificate.write_bytes(second.certificate.read_bytes())
        wait_until(lambda: self.secured(server, second) == "OK", "the new certificate")


if __name__ == "__main__":
    ServerTestCase.program = sys.argv.pop(1)
    unittest.main()
