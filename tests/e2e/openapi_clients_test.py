#!/usr/bin/env python3
"""Clients that generators make of the served OpenAPI document do the work of a client against the server.

Usage: openapi_clients_test.py PROGRAM [unittest arguments]

GeneratedClientTest is for every day; MoreClientsTest gets its generators and libraries anew from the
registries of Go and Maven and is for `make openapi-clients`.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import openapi_tools
import temporal_programs
from definitions import definition, step, task
from server import ServerTestCase

FOLDER = openapi_tools.FOLDER
GENERATE_SECONDS = 600
OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"


def run(*command, **options):
    """What it says."""
    done = subprocess.run([str(each) for each in command], stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          timeout=GENERATE_SECONDS, **options)
    if done.returncode:
        raise AssertionError(f"{command[0]} failed:\n{done.stdout}")
    return done.stdout


class ClientTestCase(ServerTestCase):
    def setUp(self):
        super().setUp()
        self.server = self.new_server()
        client = self.server.client()
        client.post("/v1/definitions", definition(
            "greeting", task("greet", "greet", "end"), step("end", "END")))
        folder = tempfile.TemporaryDirectory(prefix="millrace_openapi_")
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.document = self.work / "openapi.json"
        self.document.write_bytes(client.get("/openapi.json").body)
        self.url = f"http://127.0.0.1:{self.server.rest_port}"


class GeneratedClientTest(ClientTestCase):
    def test_a_validator_finds_nothing(self):
        told = run(openapi_tools.python(), "-m", "openapi_spec_validator", self.document)
        self.assertIn("OK", told)

    def test_one_in_python(self):
        python = openapi_tools.python()
        run(python, "-m", "openapi_python_client", "generate", "--path", self.document,
            "--meta", "none", "--output-path", self.work / "millrace_api",
            "--config", FOLDER / "python.yml", "--fail-on-warning",
            env={**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}"})
        run(python, "-B", FOLDER / "walk.py", self.url,
            env={**os.environ, "PYTHONPATH": str(self.work)})

    def test_one_in_typescript(self):
        modules, node = openapi_tools.node_modules(), pathlib.Path(openapi_tools.node()) / "node"
        for name in ("walk.ts", "tsconfig.json", "package.json"):
            shutil.copy(FOLDER / name, self.work)
        (self.work / "node_modules").symlink_to(modules)
        run(node, modules / "openapi-typescript/bin/cli.js", self.document, "-o", "millrace.d.ts",
            cwd=self.work)
        run(node, modules / "typescript/bin/tsc", "--project", ".", cwd=self.work)
        run(node, "walk.js", self.url, cwd=self.work)


class MoreClientsTest(ClientTestCase):
    def test_one_in_go(self):
        go = temporal_programs.find_go()
        shutil.copytree(FOLDER / "go", self.work / "walk")
        (self.work / "walk/api").mkdir()
        environment = {**os.environ, "CGO_ENABLED": "0", "GOBIN": str(self.work / "bin"),
                       "GOFLAGS": "-buildvcs=false -modcacherw",
                       "GOMODCACHE": str(self.work / "modules")}
        run(go, "install", OAPI_CODEGEN, env=environment)
        run(self.work / "bin/oapi-codegen", "-package", "api", "-generate", "types,client",
            "-o", self.work / "walk/api/api.go", self.document)
        run(go, "run", ".", self.url, cwd=self.work / "walk", env=environment)

    def test_one_in_java(self):
        shutil.copytree(FOLDER / "java", self.work / "walk")
        run("mvn", "--batch-mode", "--quiet", f"-Dmaven.repo.local={self.work / 'repository'}",
            f"-Ddocument={self.document}", "compile", "exec:java", "-Dexec.mainClass=Walk",
            f"-Dexec.args={self.url}", cwd=self.work / "walk")


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
