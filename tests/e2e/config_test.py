#!/usr/bin/env python3
"""Configures servers by files, variables and flags, as an operator does.

Usage: config_test.py PROGRAM [unittest arguments]
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from client import PATIENCE_SECONDS
from server import ServerTestCase


class ConfigTest(ServerTestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="millrace_config_")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def file(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return str(path)

    def serve(self, *arguments, expect=0, **environment):
        result = subprocess.run(
            [self.program, "serve", *arguments], capture_output=True, text=True, check=False,
            env={**os.environ, **environment}, timeout=PATIENCE_SECONDS)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def test_what_is_printed_is_what_holds(self):
        path = self.file("a.yaml", "threads: 3\nlogLevel: warn\nrestPort: 1\n")
        printed = self.serve("--print-config", "--rest-port", "5", MILLRACE_CONFIG=path,
                             MILLRACE_THREADS="4", WE_LOG_LEVEL="error").stdout
        for line in ("restPort: 5", "threads: 4", 'logLevel: "error"'):
            self.assertIn(line + "\n", printed)
        again = self.serve("--config", self.file("b.yaml", printed), "--print-config").stdout
        self.assertEqual(again, printed)

    def test_passwords_are_not_printed(self):
        secret = self.file("secret", "postgres://me:pst@db/millrace\n")
        printed = self.serve("--store-file", secret, "--print-config").stdout
        self.assertIn('store: "postgres://me:***@db/millrace"', printed)

    def test_plans_and_clusters_are_printed_as_they_hold(self):
        key = self.file("key", "pst\n")
        path = self.file("queue.yaml", f"""
plans: {{PRO: {{ratePerSecond: 20}}}}
temporal:
  default: {{address: "a:1"}}
  cloud: {{address: "b:2", namespace: n, apiKeyFile: {key}}}
riven.workflow.engine.enabled: false
""")
        printed = self.serve("--config", path, "--print-config",
                             MILLRACE_TEMPORAL_TASK_QUEUE="q").stdout
        for line in ("engine:\n  enabled: false", 'taskQueue: "q"', 'apiKey: "***"',
                     'plans: "ENTERPRISE=20,FREE=1,PRO=5@20,UNLIMITED=none"',
                     '  cloud:\n    address: "b:2"\n    namespace: "n"'):
            self.assertIn(line + "\n", printed)
        self.assertNotIn("pst", printed)
        again = self.serve("--config", self.file("again.yaml", printed), "--print-config").stdout
        self.assertEqual(again, printed)

    def test_mistakes_inside_maps_are_named(self):
        path = self.file("bad.yaml", "plans:\n  pro: {maxActive: 1}\n"
                                     "temporal:\n  eu: {colour: red}\n")
        result = self.serve("--config", path, "--dispatcher-call-timeout", "40", expect=2)
        for text in ("plans.pro: ", f"{path}, line 4: temporal.eu.colour: ",
                     "dispatcher.callTimeout: "):
            self.assertIn(text, result.stderr)

    def test_a_directory_is_no_file(self):
        here = str(self.directory)
        for arguments in (["--config", here], ["--store-file", here],
                          ["--tracing-headers-file", here]):
            result = self.serve(*arguments, expect=2)
            self.assertIn("is a directory", result.stderr)
        doctor = subprocess.run([self.program, "doctor", "--config", here], capture_output=True,
                                text=True, check=False, timeout=PATIENCE_SECONDS)
        self.assertIn("is a directory", doctor.stderr)
        self.assertGreater(doctor.returncode, 0, "not ended by a signal")

    def test_a_database_that_is_a_directory(self):
        store = self.directory / "data"
        store.mkdir()
        result = self.serve("--store", f"sqlite:{store}", "--rest-port", "0", expect=1)
        self.assertIn(f"{store} is a directory.", result.stdout)
        self.assertEqual(list(self.directory.iterdir()), [store])

    def test_a_port_that_is_taken(self):
        taken = self.new_server()
        for flag, port in (("--rest-port", taken.rest_port), ("--grpc-port", taken.grpc_port),
                           ("--metrics-port", taken.metrics_port)):
            ports = {"--rest-port": 0, "--grpc-port": 0, "--metrics-port": 0, flag: port}
            result = self.serve("--store", f"sqlite:{self.directory}/a.db",
                                *(str(each) for pair in ports.items() for each in pair), expect=1)
            self.assertRegex(result.stdout, f"Cannot listen on .*Say --listen or {flag} for")

    def test_a_misspelled_variable_is_told_of(self):
        result = self.serve("--store", f"sqlite:{self.directory}", expect=1, MILLRACE_RESTPORT="8")
        self.assertIn("MILLRACE_RESTPORT has no effect", result.stdout)

    def test_rules_of_retention_are_told_of_with_their_lines(self):
        path = self.file("rules.yaml", "threads: 0\nretention: P1\nauditRetention: a/b=P1D\n")
        result = self.serve("--config", path, expect=2)
        for text in ("line 1: threads", "line 2: retention", "line 3: auditRetention"):
            self.assertIn(f"{path}, {text}: ", result.stderr)

    def test_every_mistake_is_named_with_its_line(self):
        path = self.file("bad.yaml", "restPort: 99999\n\ncolour: red\n")
        result = self.serve("--config", path, "--threads", "0", expect=2)
        for text in (f"{path}, line 1: restPort", f"{path}, line 3: colour", "--threads"):
            self.assertIn(text, result.stderr)

    def test_a_server_runs_from_a_file_and_warns_of_names_without_effect(self):
        path = self.file("run.yaml", "dbMaxConns: 9\nshutdownSeconds: 1\n")
        server = self.new_server(None, "--config", path)
        self.assertTrue(any("dbMaxConns has no effect" in line for line in server.log))
        self.assertEqual(server.client().get("/readyz").status, 200)
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
