#!/usr/bin/env python3
"""Uses the program as a user does: a server, the commands, and workers that run scripts.

Usage: cli_test.py PROGRAM [unittest arguments]
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples/order_process/definition.json"
PROGRAM = ""
PATIENCE_SECONDS = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def one_task(definition_id, retries=0):
    """A definition with a single job of the type that its id names."""
    task = {"id": "work", "name": "Work", "type": "SERVICE_TASK", "jobType": definition_id}
    return {
        "id": definition_id,
        "name": "One task",
        "steps": [
            {**task, "retryCount": retries, "nextStep": "done"},
            {"id": "done", "name": "Done", "type": "END"},
        ],
    }


class Server:
    """A server on the embedded store, in a directory of its own."""

    def __init__(self, data_directory=None):
        self.directory = tempfile.TemporaryDirectory(prefix="millrace_e2e_")
        data_directory = data_directory or self.directory.name
        self.url = f"http://127.0.0.1:{free_port()}"
        port = self.url.rsplit(":", 1)[1]
        environment = {**os.environ, "WE_REST_PORT": port, "WE_GRPC_PORT": "0",
                       "WE_METRICS_PORT": str(free_port())}
        self.log = open(pathlib.Path(self.directory.name) / "server.log", "w+b")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--store", f"sqlite:{data_directory}/millrace.db"],
            env=environment, stdout=self.log, stderr=subprocess.STDOUT,
        )
        self.wait_until_ready()

    def wait_until_ready(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                urllib.request.urlopen(self.url + "/readyz", timeout=5).close()
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.02)
        self.process.kill()
        self.log.seek(0)
        raise AssertionError("The server is not ready:\n" + self.log.read().decode())

    def stop(self):
        """Returns the exit code of a graceful stop."""
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE_SECONDS)
        finally:
            self.process.kill()
            self.log.close()
            self.directory.cleanup()


class Worker:
    """`millrace worker`, whose output tells when a job is done."""

    def __init__(self, server, job_type, command, *options):
        arguments = ["worker", "--type", job_type, "--exec", command, "--server", server.url]
        self.process = subprocess.Popen(
            [PROGRAM, *arguments, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        # From here on a signal means an orderly stop.
        assert self.process.stdout.readline().startswith("Waiting for jobs")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE_SECONDS)
        self.process.stdout.close()

    def next_line(self):
        """The next line about a job; between them stands what commands write to standard error."""
        for line in self.process.stdout:
            if re.match("[a-z_]+ [0-9A-Z]{26} ", line):
                return line.strip()
        raise AssertionError("The worker has ended.")


class CliTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        exit_code = cls.server.stop()
        assert exit_code == 0, f"The server stopped with exit code {exit_code}."

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="millrace_cli_")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def millrace(self, *arguments, expect=0, text_in=None, server=None):
        result = subprocess.run(
            [PROGRAM, *arguments], input=text_in, capture_output=True, text=True, check=False,
            timeout=PATIENCE_SECONDS,
            env={**os.environ, "MILLRACE_SERVER": server or self.server.url},
        )
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def millrace_json(self, *arguments, **options):
        return json.loads(self.millrace(*arguments, "--output", "json", **options).stdout)

    def apply(self, definition):
        return self.millrace_json("definitions", "apply", "-", text_in=json.dumps(definition))

    def start(self, definition_id, *options):
        return self.millrace_json("instances", "start", definition_id, *options)["id"]

    def get(self, instance):
        return self.millrace_json("instances", "get", instance)

    def test_definitions_are_applied_once_per_content(self):
        first = self.apply(one_task("apply_once"))
        self.assertEqual((first["id"], first["version"]), ("apply_once", 1))
        self.assertEqual(self.apply(one_task("apply_once"))["version"], 1)
        self.assertEqual(self.apply(one_task("apply_once", retries=1))["version"], 2)
        again = self.millrace("definitions", "apply", "-", text_in=json.dumps(one_task("apply_once")))
        self.assertIn("version 1 already; version 2 stays the latest", again.stderr)

    def test_all_mistakes_of_a_definition_are_reported(self):
        broken = one_task("broken")
        broken["name"] = ""
        broken["steps"][0]["nextStep"] = "nowhere"
        result = self.millrace("definitions", "apply", "-", text_in=json.dumps(broken), expect=1)
        self.assertIn("bad-request", result.stderr)
        self.assertIn("name", result.stderr)
        self.assertIn("nowhere", result.stderr)

    def test_validate_agrees_with_apply_without_a_server(self):
        nowhere = f"http://127.0.0.1:{free_port()}"
        sample = ["definitions", "validate", str(SAMPLE)]
        verdict = self.millrace_json(*sample, server=nowhere)
        self.assertEqual(verdict, {"file": str(SAMPLE), "accepted": True})
        self.millrace("definitions", "apply", str(SAMPLE))

        unknown = json.dumps({**one_task("unknown_field"), "colour": "red"})
        verdict = self.millrace_json("definitions", "validate", "-", text_in=unknown, expect=1)
        self.assertFalse(verdict["accepted"])
        self.assertIn("colour", verdict["error"])
        self.millrace("definitions", "apply", "-", text_in=unknown, expect=1)
        lenient = ["definitions", "validate", "-", "--allow-unknown-fields"]
        self.millrace(*lenient, text_in=unknown)

    def test_a_worker_completes_jobs_with_its_output(self):
        self.apply(one_task("double"))
        instance = self.start("double", "--var", "n=21", "--business-key", "order 7")
        self.assertEqual(self.get(instance)["currentStepIds"], ["work"])
        script = """python3 -c 'import json, sys
job = json.load(sys.stdin)
print(json.dumps({"twice": 2 * job["variables"]["n"]}))'"""
        with Worker(self.server, "double", script) as worker:
            self.assertRegex(worker.next_line(), "^double [0-9A-Z]{26} completed$")
        done = self.get(instance)
        self.assertEqual(done["status"], "COMPLETED")
        self.assertEqual(done["businessKey"], "order 7")
        self.assertEqual(done["variables"], {"n": 21, "twice": 42})

    def test_history_lists_the_steps_in_order(self):
        self.apply(one_task("history"))
        instance = self.start("history")
        with Worker(self.server, "history", "true") as worker:
            worker.next_line()
        items = self.millrace_json("instances", "history", instance)["items"]
        steps = [(item["stepId"], item["stepType"], item["status"]) for item in items]
        self.assertEqual(
            steps, [("work", "SERVICE_TASK", "COMPLETED"), ("done", "END", "COMPLETED")]
        )
        table = self.millrace("instances", "history", instance).stdout.splitlines()
        self.assertRegex(table[0], "^STEP +TYPE +ATTEMPT +STATUS +STARTED +ENDED +REASON$")
        self.assertEqual(len(table), 3)

    def test_a_failing_command_is_tried_again_while_retries_last(self):
        self.apply(one_task("fail_twice", retries=1))
        instance = self.start("fail_twice")
        with Worker(self.server, "fail_twice", "echo no stock >&2; exit 3") as worker:
            for _ in range(2):
                self.assertTrue(worker.next_line().endswith("exit code 3: no stock"))
        failed = self.get(instance)
        self.assertEqual(failed["status"], "FAILED")
        self.assertIn("no stock", failed["failureReason"])

    def test_exit_code_100_fails_a_job_for_good(self):
        self.apply(one_task("give_up", retries=5))
        instance = self.start("give_up")
        with Worker(self.server, "give_up", "exit 100") as worker:
            worker.next_line()
        self.assertEqual(self.get(instance)["status"], "FAILED")

    def test_a_worker_runs_commands_in_parallel(self):
        self.apply(one_task("parallel"))
        instances = [self.start("parallel") for _ in range(2)]
        both_here = f"touch {self.directory}/$$; " + (
            f"until [ $(ls {self.directory} | wc -l) -ge 2 ]; do sleep 0.05; done"
        )
        with Worker(self.server, "parallel", both_here, "--parallel", "2") as worker:
            for _ in range(2):
                self.assertTrue(worker.next_line().endswith("completed"))
        for instance in instances:
            self.assertEqual(self.get(instance)["status"], "COMPLETED")

    def test_a_stopped_worker_lets_its_commands_end(self):
        for stop_signal in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(stop_signal.name):
                self.apply(one_task("drain"))
                instance = self.start("drain")
                begun, may_end = (self.directory / (n + stop_signal.name) for n in ("begun", "end"))
                os.mkfifo(begun)
                os.mkfifo(may_end)
                with Worker(self.server, "drain", f"echo > {begun}; cat {may_end}") as worker:
                    begun.read_text()
                    worker.process.send_signal(stop_signal)
                    may_end.write_text('{"drained": true}')
                    self.assertEqual(worker.process.wait(PATIENCE_SECONDS), 0)
                self.assertEqual(self.get(instance)["variables"], {"drained": True})

    def test_an_idle_worker_stops_at_once(self):
        with Worker(self.server, "never_used", "true") as worker:
            # Its first poll may be on its way or parked: both must end.
            worker.process.terminate()
            self.assertEqual(worker.process.wait(PATIENCE_SECONDS), 0)

    def test_cancel_ends_an_instance_once(self):
        self.apply(one_task("cancelled"))
        instance = self.start("cancelled")
        cancelled = self.millrace_json("instances", "cancel", instance, "--reason", "a typo")
        self.assertEqual((cancelled["status"], cancelled["failureReason"]), ("CANCELLED", "a typo"))
        result = self.millrace("instances", "cancel", instance, expect=1)
        self.assertIn("(conflict", result.stderr)

    def test_exit_codes_tell_what_went_wrong(self):
        missing = "0" * 26
        for arguments in (["get"], ["history"], ["cancel"]):
            result = self.millrace("instances", *arguments, missing, expect=1)
            self.assertIn("(not-found", result.stderr)
        self.millrace("instances", "start", "no_such_definition", expect=1)
        self.millrace("instances", "start", expect=2)
        self.millrace("definitions", "apply", "/no/such/file", expect=2)
        self.millrace("instances", "get", missing, server="no-url", expect=2)
        nowhere = f"http://127.0.0.1:{free_port()}"
        result = self.millrace("instances", "get", missing, server=nowhere, expect=3)
        self.assertIn("millrace serve", result.stderr)

    def test_definitions_are_listed_shown_and_compared(self):
        definition = one_task("compared")
        path = self.directory / "compared.json"
        path.write_text(json.dumps(definition))
        self.assertIn("not on the server", self.millrace(
            "definitions", "diff", str(path), expect=1).stdout)
        self.millrace("definitions", "apply", str(path))
        self.assertEqual(self.millrace("definitions", "diff", str(path)).stdout, "")
        definition["steps"][0]["retryCount"] = 4
        path.write_text(json.dumps(definition))
        changes = self.millrace("definitions", "diff", str(path), expect=1).stdout.splitlines()
        self.assertIn('+      "retryCount": 4,', changes)

        listed = self.millrace_json("definitions", "list", "--keyword", "compared")
        self.assertEqual([(each["id"], each["version"]) for each in listed["items"]],
                         [("compared", 1)])
        shown = json.loads(self.millrace("definitions", "get", "compared").stdout)
        self.assertEqual(shown["steps"][0]["jobType"], "compared")

    def test_lists_go_on_to_their_end(self):
        self.apply(one_task("listed"))
        started = {self.start("listed") for _ in range(5)}
        listed = self.millrace_json("instances", "list", "--definition", "listed", "--limit", "0")
        self.assertEqual({each["id"] for each in listed["items"]}, started)
        result = self.millrace("instances", "list", "--definition", "listed", "--limit", "2")
        self.assertEqual(len(result.stdout.splitlines()), 3)
        self.assertIn("2 of 5 are shown", result.stderr)

    def test_output_is_yaml_when_asked_for(self):
        self.apply(one_task("in_yaml"))
        instance = self.start("in_yaml", "--var", "count=1", "--var", "text=a: b")
        text = self.millrace("instances", "get", instance, "--output", "yaml").stdout
        self.assertTrue(text.startswith("---\nid: "), text)
        self.assertIn("\nvariables:\n  count: 1\n  text: \"a: b\"\n", text)

    def test_a_signal_lets_an_instance_go_on(self):
        self.apply({"id": "signalled", "name": "Signalled", "steps": [
            {"id": "wait", "name": "Wait", "type": "WAIT", "nextStep": "done"},
            {"id": "done", "name": "Done", "type": "END"}]})
        instance = self.start("signalled")
        after = self.millrace_json("instances", "signal", instance, "wait", "--var", "ok=true")
        self.assertEqual((after["status"], after["variables"]), ("COMPLETED", {"ok": True}))

    def test_a_command_finds_its_job_in_the_environment(self):
        self.apply(one_task("environment", retries=1))
        instance = self.start("environment")
        script = ('[ "$MILLRACE_ATTEMPT" = 1 ] && exit 1; printf \'{"key":"%s","job":"%s"}\' '
                  '"$MILLRACE_IDEMPOTENCY_KEY" "$MILLRACE_JOB_ID"')
        with Worker(self.server, "environment", script) as worker:
            self.assertIn("failed", worker.next_line())
            self.assertIn("completed", worker.next_line())
        variables = self.get(instance)["variables"]
        self.assertEqual(variables["key"], variables["job"])

    def test_bench_measures_a_server(self):
        result = self.millrace_json("bench", "--instances", "50", "--clients", "4")
        self.assertEqual(result["instances"], 50)
        self.assertGreater(result["completionsPerSecond"], 0)
        for times in (result["startMilliseconds"], result["wholeMilliseconds"]):
            self.assertTrue(0 < times["p50"] <= times["p95"] <= times["p99"] <= times["max"], times)
        table = self.millrace("bench", "--instances", "10").stdout
        self.assertRegex(table, r"(?m)^start to completion +\d")

    def test_shells_complete_commands(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.millrace("completion", shell).stdout
            self.assertIn("--rest-port", script)
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=script, text=True, check=True,
                               timeout=PATIENCE_SECONDS)
        self.millrace("completion", "tcsh", expect=2)

    def test_output_into_a_pipe_has_no_colours(self):
        self.assertNotIn("\x1b", self.millrace("instances", "list").stdout)

    def test_version_is_told(self):
        for alone in ("version", "--version"):
            self.assertRegex(self.millrace(alone).stdout, r"^millrace \d+\.\d+\.\d+\n$")
        said = self.millrace("instances", "start", "x", "--version", "1", expect=2).stderr
        self.assertIn("did you mean --definition-version?", said)

    def test_a_misspelt_word_is_answered_with_the_nearest(self):
        for words, meant in ((["instances", "start", "x", "--vra", "a=1"], "--var"),
                             (["help", "wrker"], '"worker"')):
            self.assertIn(f"did you mean {meant}?", self.millrace(*words, expect=2).stderr)


class BackupTest(unittest.TestCase):
    """Copies of a data directory, and servers made of them."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="millrace_backup_")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.data = self.directory / "millrace-data"
        self.server = None

    def millrace(self, *arguments, expect=0):
        environment = {**os.environ,
                       "MILLRACE_SERVER": self.server.url if self.server
                       else f"http://127.0.0.1:{free_port()}"}
        result = subprocess.run(
            [PROGRAM, *arguments, "--output", "json"], capture_output=True, text=True, check=False,
            timeout=PATIENCE_SECONDS, env=environment, cwd=self.directory)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def started(self, directory):
        self.server = Server(directory)
        return self.server

    def stop(self):
        server, self.server = self.server, None
        self.assertEqual(server.stop(), 0)

    def filled_directory(self):
        """Data of a server that has stopped, and the id of an instance in it."""
        self.started(self.data)
        definition = self.directory / "one.json"
        definition.write_text(json.dumps(one_task("kept")))
        self.millrace("definitions", "apply", str(definition))
        instance = json.loads(self.millrace("instances", "start", "kept").stdout)["id"]
        self.stop()
        return instance

    def test_a_backup_becomes_a_server_again(self):
        instance = self.filled_directory()
        # The server that is named does not answer: no other store is taken instead.
        result = self.millrace("backup", "--to", "b.db", expect=3)
        self.assertIn("--data-dir DIR", result.stderr)
        self.assertFalse((self.directory / "b.db").exists())
        result = self.millrace("backup", "--to", "b.db", "--data-dir", "millrace-data")
        self.assertEqual(json.loads(result.stdout)["source"], "millrace-data")
        self.assertIn("--force", self.millrace("backup", "--to", "b.db", expect=1).stderr)
        self.millrace("backup", "--to", "b.db", "--force", "--data-dir", str(self.data))

        self.millrace("restore", "--from", "b.db", "--data-dir", "restored")
        again = self.millrace("restore", "--from", "b.db", "--data-dir", "restored", expect=1)
        self.assertIn("is not empty", again.stderr)
        self.started(self.directory / "restored")
        shown = json.loads(self.millrace("instances", "get", instance).stdout)
        self.assertEqual(shown["currentStepIds"], ["work"])
        self.stop()

    def test_a_directory_that_a_server_has_is_left_alone(self):
        self.filled_directory()
        self.started(self.data)
        result = self.millrace("backup", "--to", "b.db", "--data-dir", str(self.data), expect=1)
        self.assertIn(f"in use by process {self.server.process.pid}", result.stderr)
        second = subprocess.run(
            [PROGRAM, "serve", "--store", f"sqlite:{self.data}/millrace.db", "--rest-port", "0",
             "--grpc-port", "0", "--metrics-port", "0"],
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
        self.assertEqual(second.returncode, 1)
        self.assertIn(f"in use by process {self.server.process.pid}", second.stdout)
        self.stop()

    def test_a_damaged_backup_is_refused(self):
        self.filled_directory()
        self.millrace("backup", "--to", "b.db", "--data-dir", "millrace-data")
        content = (self.directory / "b.db").read_bytes()
        for name, damaged in (("cut", content[: len(content) // 2]), ("text", b"no database"),
                              ("zeros", content[:8192] + bytes(len(content) - 8192))):
            (self.directory / name).write_bytes(damaged)
            self.millrace("restore", "--from", name, "--data-dir", "restored", expect=1)
            self.assertFalse((self.directory / "restored").exists(), name)
        self.millrace("restore", "--from", "nowhere", "--data-dir", "restored", expect=2)


class DemoTest(unittest.TestCase):
    def test_the_demonstration_runs_an_order_through(self):
        with tempfile.TemporaryDirectory(prefix="millrace_demo_") as directory:
            result = subprocess.run(
                [ROOT / "tools/run_demo.sh"], capture_output=True, text=True, check=False,
                timeout=2 * PATIENCE_SECONDS,
                env={**os.environ, "MILLRACE": PROGRAM, "DEMO_EXIT": "1",
                     "PORT": str(free_port()), "GRPC_PORT": str(free_port()),
                     "METRICS_PORT": str(free_port()),
                     "RUN_DIRECTORY": directory + "/run"},
            )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for step in ("charge_payment", "pack_goods", "remind_warehouse", "order_shipped"):
            self.assertRegex(result.stdout, rf"(?m)^{step} +\w+ +1 +COMPLETED ")

    def test_the_demonstration_says_when_its_port_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            result = subprocess.run(
                [ROOT / "tools/run_demo.sh"], capture_output=True, text=True, check=False,
                env={**os.environ, "MILLRACE": PROGRAM, "PORT": port}, timeout=PATIENCE_SECONDS,
            )
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"Port {port} is taken", result.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
