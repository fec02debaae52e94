#!/usr/bin/env python3
"""Encrypted connections: REST and metrics over https, renewal of certificates, files of no use.

Usage: tls_test.py PROGRAM [unittest arguments]
"""

import os
import socket
import ssl
import subprocess
import sys
import unittest
import warnings

from certificates import Certificate
from client import PATIENCE_SECONDS, Lost
from definitions import one_task
from server import ServerTestCase, wait_until


class TlsTestCase(ServerTestCase):
    def new_certificate(self):
        certificate = Certificate()
        self.addCleanup(certificate.remove)
        return certificate

    def options(self, certificate, prefix="--"):
        return [f"{prefix}tls-certificate", str(certificate.certificate),
                f"{prefix}tls-key", str(certificate.key)]


class TlsTest(TlsTestCase):
    def setUp(self):
        self.certificate = self.new_certificate()
        self.server = self.new_server(
            None, *self.options(self.certificate), *self.options(self.certificate, "--metrics-"))

    def client(self, tls=None):
        return self.server.client(tls=tls or self.certificate.context())

    def shown(self):
        """The certificate that a new connection gets."""
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        with socket.create_connection(
                ("127.0.0.1", self.server.rest_port), PATIENCE_SECONDS) as plain:
            with context.wrap_socket(plain) as connection:
                return connection.getpeercert(binary_form=True)

    def test_an_instance_is_worked_to_its_end(self):
        client = self.client()
        self.assertEqual(client.post("/v1/definitions", one_task("sealed")).status, 201)
        text = "x" * 1_000_000  # More than one record.
        started = client.post(
            "/v1/instances", {"definitionId": "sealed", "variables": {"text": text}})
        poll = {"workerId": "w", "jobTypes": ["sealed"], "waitSeconds": 10}
        [job] = client.post("/v1/jobs/poll", poll).json()["jobs"]
        self.assertEqual(job["variables"]["text"], text)
        self.assertEqual(client.post(f"/v1/jobs/{job['id']}/complete", {"workerId": "w"}).status,
                         204)
        instance = client.get(f"/v1/instances/{started.json()['id']}").json()
        self.assertEqual(instance["status"], "COMPLETED")
        self.assertEqual(self.server.stop(), 0)

    def test_metrics_are_sealed_too(self):
        metrics = self.server.metrics_client(tls=self.certificate.context())
        self.assertIn("millrace_http_connections 1\n", metrics.get("/metrics").text)
        with self.assertRaises(Lost):
            other = self.new_certificate()
            self.server.metrics_client(tls=other.context()).get("/metrics")

    def test_who_does_not_trust_it_does_not_talk_to_it(self):
        with self.assertRaisesRegex(Lost, "CERTIFICATE_VERIFY_FAILED"):
            self.client(self.new_certificate().context()).get("/healthz")

    def test_old_protocols_are_refused(self):
        context = self.certificate.context()
        with warnings.catch_warnings(action="ignore"):  # That it is old is the point.
            context.minimum_version = ssl.TLSVersion.TLSv1_1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        with self.assertRaises(Lost):
            self.client(context).get("/healthz")
        self.assertEqual(self.client().get("/healthz").status, 200)

    def test_plain_http_is_told_what_to_speak(self):
        with socket.create_connection(
                ("127.0.0.1", self.server.rest_port), PATIENCE_SECONDS) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = connection.makefile("rb").read()
        self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
        self.assertIn(b"HTTPS", answer)

    def test_a_renewed_certificate_is_shown_to_new_connections(self):
        old = self.client()
        self.assertEqual(old.get("/healthz").status, 200)
        before = self.certificate.fingerprint()
        self.assertEqual(self.shown(), before)
        certificate, key = self.certificate.new_pair()
        # The certificate arrives before its key: until both are there, the old pair is good.
        os.replace(certificate, self.certificate.certificate)
        unusable = "The certificate has changed, but the new one cannot be used."
        wait_until(lambda: self.shown() and unusable in self.server.log_messages(), "the warning")
        self.assertEqual(self.shown(), before)
        os.replace(key, self.certificate.key)
        after = self.certificate.fingerprint()
        self.assertNotEqual(after, before)
        wait_until(lambda: self.shown() == after, "the new certificate")
        self.assertEqual(self.client().get("/healthz").status, 200)
        self.assertEqual(old.get("/healthz").status, 200, "It was there before.")

    def test_files_that_vanish_change_nothing(self):
        before = self.certificate.fingerprint()
        self.certificate.certificate.unlink()
        self.certificate.key.write_text("no key")
        unusable = "The certificate has changed, but the new one cannot be used."
        wait_until(lambda: self.shown() and unusable in self.server.log_messages(), "the warning")
        self.assertEqual(self.shown(), before)


class BadFilesTest(TlsTestCase):
    def serve(self, *options):
        """The exit code and words of a start that fails."""
        result = subprocess.run(
            [self.program, "serve", "--store", self.new_store().url, "--rest-port", "0",
             "--grpc-port", "0", "--metrics-port", "0", *options],
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
        return result.returncode, result.stdout + result.stderr

    def test_a_file_of_no_use_is_named(self):
        good, other = self.new_certificate(), self.new_certificate()
        text = good.directory / "diary.txt"
        text.write_text("This is a diary.")
        missing = good.directory / "missing.pem"
        cut = good.directory / "cut.pem"
        cut.write_bytes(good.certificate.read_bytes()[:100])
        locked = good.directory / "locked.key"
        subprocess.run(["openssl", "pkey", "-in", good.key, "-aes128", "-passout", "pass:geheim",
                        "-out", locked], check=True, timeout=PATIENCE_SECONDS)
        for certificate, key, named in [
                (missing, good.key, missing), (text, good.key, text), (cut, good.key, cut),
                (good.directory, good.key, good.directory), (good.key, good.key, good.key),
                (good.certificate, missing, missing), (good.certificate, text, text),
                (good.certificate, other.key, other.key), (good.certificate, locked, locked)]:
            for prefix in ("--", "--metrics-"):
                with self.subTest(f"{prefix} {certificate.name} {key.name}"):
                    code, words = self.serve(f"{prefix}tls-certificate", str(certificate),
                                             f"{prefix}tls-key", str(key))
                    self.assertEqual(code, 1, words)
                    self.assertIn(str(named), words)
                    self.assertIn("of TLS", words)

    def test_half_a_pair_is_refused(self):
        good = self.new_certificate()
        for flag, file, missing in [("--tls-certificate", good.certificate, "tls.key"),
                                    ("--tls-key", good.key, "tls.certificate")]:
            code, words = self.serve(flag, str(file))
            self.assertEqual(code, 2, words)
            self.assertIn(missing, words)


class ExposureTest(TlsTestCase):
    """Encryption does not say who calls: without keys, a server stays on its machine."""

    def test_encryption_alone_does_not_open_it(self):
        with self.assertRaisesRegex(AssertionError, "--auth keys"):
            self.new_server(None, "--listen", "0.0.0.0", *self.options(self.new_certificate()))

    def test_with_keys_it_needs_no_further_word(self):
        certificate = self.new_certificate()
        server = self.new_server(
            None, "--auth", "keys", "--listen", "0.0.0.0", *self.options(certificate))
        client = server.client(tls=certificate.context())
        self.assertEqual(client.get("/healthz").status, 200)
        self.assertEqual(client.get("/v1/instances").status, 401)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
