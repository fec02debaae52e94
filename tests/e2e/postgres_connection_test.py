#!/usr/bin/env python3
"""Connects to a PostgreSQL that asks for TLS, certificates and passwords, as users of libpq do.

Usage: postgres_connection_test.py PROGRAM [unittest arguments]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from certificates import Certificate
from client import PATIENCE_SECONDS
from pgbouncer import free_port
from postgres import Postgres
from server import ServerTestCase

PASSWORD = "s3cret/ß"


class TlsPostgres(Postgres):
    """Listens on loopback: TLS only, a password for all but `carl`, who shows a certificate."""

    def __init__(self, certificate):
        self.port = free_port()
        super().__init__(
            listen_addresses="127.0.0.1", port=str(self.port), ssl="on",
            password_encryption="scram-sha-256")
        self._certificate = certificate

    def launch(self):
        files = {"server.crt": self._certificate.certificate, "server.key": self._certificate.key,
                 "root.crt": self._certificate.certificate}
        for name, source in files.items():
            target = self.data / name
            shutil.copy(source, target)
            target.chmod(0o600)
            if self.account:
                os.chown(target, self.account.pw_uid, self.account.pw_gid)
        with open(self.data / "postgresql.auto.conf", "a", encoding="utf-8") as settings:
            settings.write("ssl_ca_file = 'root.crt'\n")
        (self.data / "pg_hba.conf").write_text(
            "local all postgres trust\n"
            "hostssl all carl 127.0.0.1/32 cert map=by_certificate\n"
            "hostssl all all 127.0.0.1/32 scram-sha-256\n")
        (self.data / "pg_ident.conf").write_text("by_certificate localhost carl\n")
        super().launch()

    def is_ready(self):
        question = [self.binaries / "pg_isready", "-q", "-h", self.directory, "-p", str(self.port)]
        return subprocess.run(question, check=False).returncode == 0

    def url(self):
        return f"{super().url()}&port={self.port}"


class PostgresConnectionTest(ServerTestCase):
    @classmethod
    def setUpClass(cls):
        cls.certificate = Certificate()
        cls.addClassCleanup(cls.certificate.remove)
        cls.database = TlsPostgres(cls.certificate)
        cls.addClassCleanup(cls.database.stop)
        cls.database.start()
        for name in ("ann", "carl"):
            cls.database.query(f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}'")
            cls.database.query(f"CREATE DATABASE {name} OWNER {name}")

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="millrace_connect_")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        # What libpq users have: a host, and the certificate that vouches for it.
        self.variables = {
            "PGHOST": "localhost", "PGHOSTADDR": "127.0.0.1", "PGPORT": str(self.database.port),
            "PGUSER": "ann", "PGDATABASE": "ann", "PGSSLMODE": "verify-full",
            "PGSSLROOTCERT": str(self.certificate.certificate), "HOME": str(self.directory)}

    def secret_file(self, name, text):
        path = self.directory / name
        path.write_text(text)
        path.chmod(0o600)
        return str(path)

    def doctor(self, store="postgres://", expect=0, **variables):
        """What the doctor prints; it connects as a server does, and ends."""
        done = subprocess.run(
            [self.program, "doctor", "--store", store], capture_output=True, text=True, check=False,
            timeout=PATIENCE_SECONDS, env={**os.environ, **self.variables, **variables})
        self.assertNotIn(PASSWORD, done.stdout + done.stderr)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout

    def test_everything_may_come_from_variables(self):
        class Store:
            url = "postgres://"
            environment = {**self.variables, "PGPASSWORD": PASSWORD}
        server = self.new_server(Store)
        self.assertEqual(server.client().get("/readyz").status, 200)
        encrypted = self.database.query(
            "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
            "WHERE usename = 'ann'")
        self.assertEqual(encrypted, ["t"])
        self.assertEqual(server.stop(), 0)

    def test_a_password_file(self):
        # A colon or a backslash in it would need a backslash.
        file = self.secret_file("passwords", f"localhost:*:ann:ann:{PASSWORD}\n")
        self.assertIn("to role ann in database ann, encrypted",
                      self.doctor(PGPASSFILE=file, expect=1))

    def test_a_service_file(self):
        file = self.secret_file(
            "services", f"[shop]\nhost=localhost\nuser=ann\ndbname=ann\npassword={PASSWORD}\n")
        self.assertIn("to role ann", self.doctor("service=shop", PGSERVICEFILE=file, expect=1))

    def test_a_password_in_the_url(self):
        self.assertIn("to role ann",
                      self.doctor("postgres://ann:s3cret%2F%C3%9F@localhost/ann", expect=1))

    def test_a_client_certificate(self):
        key = self.secret_file("client.key", self.certificate.key.read_text())
        self.assertIn("to role carl in database carl, encrypted", self.doctor(
            PGUSER="carl", PGDATABASE="carl", PGSSLCERT=str(self.certificate.certificate),
            PGSSLKEY=key, expect=1))

    def test_reasons_are_told_without_secrets(self):
        other = Certificate()
        self.addCleanup(other.remove)
        wrong = {"PGPASSWORD": "wr0ng"}
        good = {"PGPASSWORD": PASSWORD}
        for reason, variables in (
                ("password authentication failed", wrong),
                ("certificate verify failed", {**good, "PGSSLROOTCERT": str(other.certificate)}),
                ('database "nowhere" does not exist', {**good, "PGDATABASE": "nowhere"}),
                ("Connection refused", {**good, "PGPORT": str(free_port())}),
                ("could not translate host name", {**good, "PGHOSTADDR": "",
                                                   "PGHOST": "no.such.host.invalid"}),
                ("no pg_hba.conf entry", {**good, "PGSSLMODE": "disable"})):
            with self.subTest(reason):
                printed = self.doctor(expect=1, **variables)
                self.assertIn(reason, printed)
                self.assertNotIn("wr0ng", printed)

    def test_a_malformed_url_is_not_quoted(self):
        printed = self.doctor(f"postgres://ann:{PASSWORD}%zz@localhost/ann", expect=1)
        self.assertIn("malformed", printed)

    def test_a_server_says_why_it_does_not_start(self):
        done = subprocess.run(
            [self.program, "serve", "--store", "postgres://", "--rest-port", "0", "--grpc-port",
             "0", "--metrics-port", "0"], capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
            env={**os.environ, **self.variables, "PGPASSWORD": "wr0ng"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("password authentication failed", done.stdout + done.stderr)
        self.assertNotIn("wr0ng", done.stdout + done.stderr)

    def test_too_many_connections(self):
        self.database.query("ALTER ROLE ann CONNECTION LIMIT 0")
        self.addCleanup(self.database.query, "ALTER ROLE ann CONNECTION LIMIT -1")
        self.assertIn("too many connections", self.doctor(expect=1, PGPASSWORD=PASSWORD))


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
