#!/usr/bin/env python3
"""Clients that show a certificate instead of a key.

Usage: client_certificates_test.py PROGRAM [unittest arguments]
"""

import http.client
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import grpc

from certificates import Certificate
from client import PATIENCE_SECONDS, Lost
from definitions import one_task
from rpc import code_of
from server import ServerTestCase, wait_until


class Authority:
    """Signs the certificates of clients."""

    def __init__(self):
        self._directory = tempfile.TemporaryDirectory(prefix="millrace_ca_")
        self.directory = pathlib.Path(self._directory.name)
        self.certificate = self.directory / "ca.pem"
        self.key = self.directory / "ca.key"
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                     "-days", "1", "-subj", f"/CN={self.directory.name}", "-out", self.certificate, "-keyout", self.key)

    def remove(self):
        self._directory.cleanup()

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=PATIENCE_SECONDS)

    def sign(self, name, subject, alternative_names="", days="1"):
        """The files of a new certificate and its key."""
        request, certificate, key, extensions = (
            self.directory / f"{name}.{ending}" for ending in ("csr", "pem", "key", "ext"))
        extensions.write_text(f"subjectAltName={alternative_names}\n" if alternative_names else "")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                     "-subj", subject, "-out", request, "-keyout", key)
        self.openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key,
                     "-CAcreateserial", "-days", days, "-extfile", extensions, "-out", certificate)
        return certificate, key


class ClientCertificatesTest(ServerTestCase):
    @classmethod
    def setUpClass(cls):
        cls.server_certificate = Certificate()
        cls.addClassCleanup(cls.server_certificate.remove)
        cls.authority = Authority()
        cls.addClassCleanup(cls.authority.remove)
        cls.foreign_authority = Authority()
        cls.addClassCleanup(cls.foreign_authority.remove)
        sign = cls.authority.sign
        cls.billing = sign("billing", "/CN=whoever", "URI:spiffe://acme/billing,DNS:billing.acme")
        cls.viewer = sign("viewer", "/CN=viewer", "DNS:viewer.acme")
        cls.ops = sign("ops", "/O=Acme/CN=ops")
        cls.nobody = sign("nobody", "/CN=nobody")
        # Its name is that of another kind.
        cls.pretender = sign("pretender", "/CN=spiffe:\\/\\/acme\\/billing", "DNS:ops")
        cls.expired = sign("expired", "/CN=ops", days="-1")
        cls.foreign = cls.foreign_authority.sign("foreign", "/CN=ops")

    def serve(self, more=""):
        config = self.authority.directory / f"{self.id()}.yaml"
        config.write_text(f"""
auth: keys
tls:
  certificate: {self.server_certificate.certificate}
  key: {self.server_certificate.key}
  clientCa: {self.authority.certificate}
{more}
clients:
  billing: {{certificate: "uri:spiffe://acme/billing", role: worker, workspace: acme}}
  looker: {{certificate: "dns:viewer.acme", role: viewer}}
  ops: {{certificate: "cn:ops", role: admin}}
""")
        return self.new_server(None, "--config", str(config))

    def client(self, server, files=None):
        context = self.server_certificate.context()
        if files is not None:
            context.load_cert_chain(*files)
        return server.client(tls=context)

    def who(self, server, files):
        return self.client(server, files).get("/v1/whoami").json()

    def test_a_certificate_is_as_good_as_a_key(self):
        server = self.serve()
        self.assertEqual(self.who(server, self.ops), {
            "authenticated": True, "keyId": "certificate:ops", "name": "ops", "role": "admin"})
        self.assertEqual(self.who(server, self.billing)["workspace"], "acme")
        ops = self.client(server, self.ops)
        acme = {"Millrace-Workspace": "acme"}
        self.assertEqual(ops.call("POST", "/v1/definitions", one_task("sealed"), acme).status, 201)
        started = ops.call("POST", "/v1/instances", {"definitionId": "sealed"}, acme).json()
        worker = self.client(server, self.billing)
        poll = {"workerId": "w", "jobTypes": ["sealed"], "waitSeconds": 10}
        [job] = worker.post("/v1/jobs/poll", poll).json()["jobs"]
        self.assertEqual(worker.post(f"/v1/jobs/{job['id']}/complete", {"workerId": "w"}).status, 204)
        self.assertEqual(worker.post("/v1/definitions", one_task("other")).status, 403)
        audit = ops.call("GET", f"/v1/instances/{started['id']}/audit", headers=acme).json()["items"]
        self.assertIn({"type": "certificate", "keyId": "certificate:ops", "name": "ops"},
                      [entry["actor"] for entry in audit])

    def test_a_stream_of_events_goes_on(self):
        server = self.serve()
        ops = self.client(server, self.ops)
        ops.post("/v1/definitions", one_task("sealed"))
        instance = ops.post("/v1/instances", {"definitionId": "sealed"}).json()["id"]
        context = self.server_certificate.context()
        context.load_cert_chain(*self.ops)
        connection = http.client.HTTPSConnection(
            "127.0.0.1", server.rest_port, timeout=PATIENCE_SECONDS, context=context)
        self.addCleanup(connection.close)
        connection.request("GET", f"/v1/instances/{instance}/events")
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        self.assertIn(b"event:", answer.readline() + answer.readline())
        ops.post(f"/v1/instances/{instance}/cancel", {"reason": "enough"})
        self.assertIn(b"CANCELLED", answer.read())

    def test_others_are_not_let_in(self):
        server = self.serve()
        for files in (None, self.nobody, self.pretender):
            self.assertEqual(self.client(server, files).get("/v1/whoami").status, 401)
            self.assertEqual(self.client(server, files).get("/healthz").status, 200)
        for files in (self.foreign, self.expired):
            with self.assertRaises(Lost):
                self.client(server, files).get("/healthz")
        self.assertIn("unknown_certificate", self.metric_text(server))

    def test_an_unknown_certificate_is_told_of(self):
        server = self.serve()
        said = self.client(server, self.pretender).get("/v1/whoami").json()["message"]
        self.assertIn(", or a certificate of a known client", said)
        self.assertNotIn("certificate", self.client(server).get("/v1/whoami").json()["message"])
        def told():
            return [json.loads(line) for line in server.log if "unknown_certificate" in line]
        [line] = wait_until(told, "a line about the certificate")
        self.assertEqual((line["level"], line["reason"]), ("warn", "unknown_certificate"))
        self.assertIn("dns:ops", line["certificateNames"].split(", "))

    def test_a_certificate_of_an_admin_is_enough_to_begin_with(self):
        server = self.serve()
        self.assertEqual(self.who(server, self.ops)["role"], "admin")
        self.assertFalse([each for each in server.log_messages() if "No API key" in each])

    def metric_text(self, server):
        # The metrics port has no TLS here and asks for a key.
        created = self.client(server, self.ops).post("/v1/keys", {"name": "m", "role": "viewer"}).json()
        metrics = server.metrics_client()
        return metrics.call(
            "GET", "/metrics", headers={"Authorization": f"Bearer {created['key']}"}).text

    def test_a_key_counts_more_than_a_certificate(self):
        server = self.serve()
        created = self.client(server, self.ops).post("/v1/keys", {"name": "k", "role": "viewer"}).json()
        key = {"Authorization": f"Bearer {created['key']}"}
        shown = self.client(server, self.ops).call("GET", "/v1/whoami", headers=key).json()
        self.assertEqual(shown["keyId"], created["id"])
        bad = self.client(server, self.ops).call("GET", "/v1/whoami", headers={"Authorization": "Bearer x"})
        self.assertEqual(bad.status, 401)

    def test_required_means_that_nobody_comes_without(self):
        server = self.serve("  clientCertificate: required")
        self.assertEqual(self.who(server, self.ops)["name"], "ops")
        with self.assertRaises(Lost):
            self.client(server).get("/healthz")
        self.assertEqual(self.client(server, self.nobody).get("/healthz").status, 200)

    def code_over_grpc(self, server, files, rpc="ListInstances"):
        """Of a call over a new connection that shows this certificate."""
        shown = {} if files is None else {
            "certificate_chain": files[0].read_bytes(), "private_key": files[1].read_bytes()}
        credentials = grpc.ssl_channel_credentials(
            self.server_certificate.certificate.read_bytes(), **shown)
        with grpc.secure_channel(f"localhost:{server.grpc_port}", credentials) as channel:
            call = channel.unary_unary(f"/workflow.v1.WorkflowEngine/{rpc}")
            return code_of(call, b"", timeout=PATIENCE_SECONDS)

    def test_certificates_count_over_grpc_as_well(self):
        server = self.serve()
        self.assertEqual(self.code_over_grpc(server, self.ops), "OK")
        self.assertEqual(self.code_over_grpc(server, self.viewer), "OK")
        self.assertEqual(self.code_over_grpc(server, self.viewer, "PollJobs"), "PERMISSION_DENIED")
        self.assertEqual(self.code_over_grpc(server, self.billing), "PERMISSION_DENIED")
        for files in (None, self.nobody, self.pretender):
            self.assertEqual(self.code_over_grpc(server, files), "UNAUTHENTICATED")
        for files in (self.foreign, self.expired):
            self.assertEqual(self.code_over_grpc(server, files), "UNAVAILABLE")

    def test_required_counts_over_grpc_as_well(self):
        server = self.serve("  clientCertificate: required")
        self.assertEqual(self.code_over_grpc(server, self.ops), "OK")
        self.assertEqual(self.code_over_grpc(server, None), "UNAVAILABLE")

    def test_an_authority_that_is_exchanged_counts_for_new_connections(self):
        server = self.serve()
        with self.assertRaises(Lost):
            self.client(server, self.foreign).get("/healthz")
        own = self.authority.certificate.read_bytes()
        self.addCleanup(self.authority.certificate.write_bytes, own)
        self.authority.certificate.write_bytes(own + self.foreign_authority.certificate.read_bytes())

        def is_known():
            try:
                return self.who(server, self.foreign).get("name") == "ops"
            except Lost:
                return False
        wait_until(is_known, "the new authority")

    def test_a_file_of_no_use_is_named(self):
        missing = self.authority.directory / "missing.pem"
        result = subprocess.run(
            [self.program, "serve", "--store", self.new_store().url, "--rest-port", "0",
             "--grpc-port", "0", "--metrics-port", "0", "--auth", "keys",
             "--tls-certificate", str(self.server_certificate.certificate),
             "--tls-key", str(self.server_certificate.key), "--tls-client-ca", str(missing)],
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(str(missing), result.stdout + result.stderr)


if __name__ == "__main__":
    ServerTestCase.program = sys.argv.pop(1)
    unittest.main()
