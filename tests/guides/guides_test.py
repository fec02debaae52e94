#!/usr/bin/env python3
"""Walks every guide as a reader would: each command, in order, and what it must print.

Usage: guides_test.py PROGRAM [GUIDE...]

Goal: whoever copies the commands of a guide sees what the guide shows.
Method: an empty directory, a shell, the programs in its PATH, free ports instead of 8080, 9090, 9091
and 7233.
"""

import os
import pathlib
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import grpcurl_program
import temporal_programs
from guide import Action, actions_of, is_kept, json_matches, text_matches
from server import PostgresStore
from terminal import PATIENCE_SECONDS, Shell, Terminal

# The one list to edit: guides whose commands this program has.
WALKED = ["getting_started", "grpc", "human_tasks", "modelling_a_process", "multi-tenancy",
          "operating_the_embedded_store", "postgresql", "queue-in-front-of-temporal",
          "why-is-it-not-running", "workers_in_cpp", "workers_without_an_sdk"]

START_TEMPORAL = "temporal server start-dev"
DATABASE = "postgresql://localhost/millrace"  # Of a reader; a walk has one of its own.
GUIDES = pathlib.Path(__file__).resolve().parents[2] / "docs/guides"
PROGRAM = None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"Waited {PATIENCE_SECONDS} seconds for {what}.")
        time.sleep(0.05)  # Between questions; the deadline decides.


def postgres_variables():
    """How a reader reaches the PostgreSQL that tools/with_postgres.py runs beside us."""
    url = urllib.parse.urlsplit(os.environ.get("MILLRACE_TEST_POSTGRES", ""))
    host = urllib.parse.parse_qs(url.query).get("host", [""])[0]
    return {"PGHOST": host, "PGUSER": url.username, "PGDATABASE": "postgres"} if host else {}


class Walk:
    """One reader, one guide."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.port = free_port()
        self.grpc_port = free_port()
        self.temporal_port = None
        self.environment = self._environment()
        self.shell = Shell(self._home(), self.environment)
        self.terminals = {}
        self.database = None

    def _home(self):
        home = self.directory / "home"
        home.mkdir()
        return home

    def _environment(self):
        programs = self.directory / "programs"
        programs.mkdir()
        (programs / "millrace").symlink_to(PROGRAM)
        (programs / "python3").symlink_to(sys.executable)  # The one that has the packages.
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("MILLRACE_", "WE_", "TEMPORAL_"))}
        return kept | {
            "PATH": f"{programs}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
            "MILLRACE_REST_PORT": str(self.port), "MILLRACE_GRPC_PORT": str(self.grpc_port),
            "MILLRACE_METRICS_PORT": "0",
            "MILLRACE_SERVER": f"http://127.0.0.1:{self.port}", **postgres_variables()}

    def add_temporal(self):
        """Temporal's own command line and the worker of our tests, on a free port."""
        for program in (temporal_programs.server(), temporal_programs.worker()):
            (self.directory / "programs" / program.path.name).symlink_to(program.built())
        self.temporal_port = free_port()
        self.shell.run(f"export TEMPORAL_ADDRESS=127.0.0.1:{self.temporal_port}\n")

    def add_grpcurl(self):
        (self.directory / "programs/grpcurl").symlink_to(grpcurl_program.grpcurl().built())

    def add_cpp_package(self):
        """The client library, installed as a reader would, from the build of the program."""
        build = pathlib.Path(PROGRAM).parent
        prefix = self.directory / "package"
        subprocess.run(["cmake", "--install", build, "--component", "client", "--prefix", prefix],
                       check=True, stdout=subprocess.DEVNULL)
        cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
        flags = re.search(r"^CMAKE_CXX_FLAGS:\w+=(.*)$", cache, re.MULTILINE)[1]
        self.shell.run(f"export CMAKE_PREFIX_PATH={prefix} CXXFLAGS={shlex.quote(flags)}\n")

    def rewritten(self, text):
        if DATABASE in text:
            self.database = self.database or PostgresStore()
            text = text.replace(DATABASE, self.database.url)
        if self.temporal_port:
            text = text.replace(START_TEMPORAL, f"{START_TEMPORAL} --port {self.temporal_port}")
            text = text.replace("localhost:7233", f"127.0.0.1:{self.temporal_port}")
        for own, guide in ((self.port, 8080), (self.grpc_port, 9090)):
            text = text.replace(f"localhost:{guide}", f"localhost:{own}").replace(
                f"127.0.0.1:{guide}", f"127.0.0.1:{own}")
        return text

    def close(self):
        self.shell.close()
        for terminal in self.terminals.values():
            terminal.close()
        if self.database:
            self.database.remove()

    def logs(self):
        return "".join(f"\n--- terminal {name}:\n{terminal.log()[-3000:]}"
                       for name, terminal in self.terminals.items())

    def do(self, action):
        {"run": self.run, "fail": self.run, "terminal": self.open_terminal, "stop": self.stop,
         "wait": self.wait}[action.kind](action)

    def run(self, action):
        code, printed = self.shell.run(self.rewritten(action.text))
        printed = printed.replace(f":{self.port}", ":8080")
        if (code != 0) != (action.kind == "fail"):
            raise AssertionError(f"exit code {code}, printed:\n{printed}")
        if action.expected is not None and not is_kept(action, printed):
            raise AssertionError(f"expected:\n{action.expected}\nprinted:\n{printed}")

    def open_terminal(self, action):
        old = self.terminals.pop(action.name, None)
        if old is not None:
            old.close()
        terminal = Terminal(self.rewritten(action.text), self.directory / "home", self.environment,
                            self.directory / f"{action.name}_{action.line}.log")
        self.terminals[action.name] = terminal
        if re.search(r" serve\b", action.text):
            wait_until(lambda: self.is_ready() or not terminal.is_running(), "the server")
        if not terminal.is_running():
            raise AssertionError("The program ended.")

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5):
                return True
        except OSError:
            return False

    def stop(self, action):
        code = self.terminals[action.name].interrupt()
        if code != 0:
            raise AssertionError(f"The terminal {action.name} ended with {code}.")

    def wait(self, action):
        wait_until(lambda: action.name in self.shell.run(self.rewritten(action.text))[1],
                   f"{action.name!r} of {action.text}")


class GuidesTest(unittest.TestCase):
    def walk(self, name):
        actions = actions_of((GUIDES / f"{name}.md").read_text(encoding="utf-8"))
        self.assertGreater(len(actions), 5)
        self.assertTrue(any(each.expected for each in actions), "The guide shows no results.")
        with tempfile.TemporaryDirectory(prefix="millrace_guide_") as directory:
            walk = Walk(directory)
            try:
                if any(START_TEMPORAL in each.text for each in actions):
                    walk.add_temporal()
                if any("grpcurl" in each.text for each in actions):
                    walk.add_grpcurl()
                if any("find_package(millrace" in each.text for each in actions):
                    walk.add_cpp_package()
                for action in actions:
                    self.do(walk, name, action)
            finally:
                walk.close()

    def do(self, walk, name, action):
        try:
            walk.do(action)
        except AssertionError as error:
            self.fail(f"docs/guides/{name}.md:{action.line}: {action.text}\n{error}{walk.logs()}")

    def test_every_guide_is_walked(self):
        self.assertCountEqual(WALKED, [path.stem for path in GUIDES.glob("*.md")])


def add_guides(names):
    for name in names:
        setattr(GuidesTest, f"test_{name}", lambda self, name=name: self.walk(name))


class ComparisonTest(unittest.TestCase):
    """Shows the comparison what is the same, and what is not."""

    def test_texts(self):
        one = "id  01KA3G5B7QJ8Z4T2R9V0000000\nstatus   ACTIVE\nat 2026-11-15T09:12:44.1Z\n"
        other = "id 01KB0000000000000000000000\nstatus ACTIVE\nat 2027-01-01T00:00:00Z\n"
        self.assertTrue(text_matches(one, other))
        self.assertTrue(text_matches("id …\n…\n", other))
        self.assertTrue(text_matches("…\nat …", other))
        self.assertFalse(text_matches(one.replace("ACTIVE", "FAILED"), other))
        self.assertFalse(text_matches("id …\n", other))
        self.assertFalse(text_matches("status ACTIVE", "status ACTIVE or so"))

    def test_documents(self):
        self.assertTrue(json_matches({"id": "01KA3G5B7QJ8Z4T2R9V0000000", "…": "…"},
                                     {"id": "01KB0000000000000000000000", "n": 1}))
        self.assertTrue(json_matches([1, "…"], [1, 2, 3]))
        self.assertTrue(json_matches({"a": "x … z"}, {"a": "x y z"}))
        self.assertFalse(json_matches({"a": 1}, {"a": 1, "b": 2}))
        self.assertFalse(json_matches({"a": 1}, {"a": True}))
        self.assertFalse(json_matches([1, 2], [1]))

    def test_blocks(self):
        page = "```sh\na\n```\n\n```text\nb\n```\n```sh terminal=t\nc\n```\n<!-- stop t -->\n"
        self.assertEqual(actions_of(page), [
            Action("run", "a\n", 1, expected="b\n"), Action("terminal", "c\n", 8, name="t"),
            Action("stop", "", 11, name="t")])
        with self.assertRaises(AssertionError):
            actions_of("```text\nb\n```\n")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    chosen = sys.argv[2:]
    add_guides(chosen or WALKED)
    unittest.main(argv=sys.argv[:1] + [f"GuidesTest.test_{name}" for name in chosen])
