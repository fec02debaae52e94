#!/usr/bin/env python3
"""The C++ client as others use it: installed into an empty folder, and a program built against that.

Usage: cpp_package_test.py PROGRAM BUILD_FOLDER CXX_FLAGS [unittest arguments]
"""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from definitions import one_task
from server import ServerTestCase, end_with_parent, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/cpp_worker"
BUILD_SECONDS = 600
END_SECONDS = 60
BUILD_FOLDER = None
CXX_FLAGS = None


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=BUILD_SECONDS, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


class CppPackageTest(ServerTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory(prefix="millrace_package_")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name) / "installed"
        run("cmake", "--install", BUILD_FOLDER, "--component", "client", "--prefix", cls.prefix)

    def copy_of_example(self, name):
        folder = pathlib.Path(self.folder.name) / name
        shutil.copytree(EXAMPLE, folder)
        return folder

    def greet(self, program):
        """Runs the worker for one instance, and stops it as a service manager would."""
        server = self.new_server()
        client = server.client()
        self.assertEqual(client.post("/v1/definitions", one_task("greet")).status, 201)
        worker = subprocess.Popen([program, f"http://127.0.0.1:{server.rest_port}"],
                                  preexec_fn=end_with_parent)
        self.addCleanup(worker.wait)
        self.addCleanup(worker.kill)
        started = client.post("/v1/instances", {"definitionId": "greet",
                                                "variables": {"name": "Ada"}})
        self.assertEqual(started.status, 201, started)
        path = f"/v1/instances/{started.json()['id']}"
        wait_until(lambda: client.get(path).json()["status"] == "COMPLETED", "the worker")
        self.assertEqual(client.get(path).json()["variables"]["greeting"], "Hello, Ada!")
        worker.send_signal(signal.SIGTERM)
        self.assertEqual(worker.wait(END_SECONDS), 0)

    def test_headers_and_files_stand_alone(self):
        headers = list((self.prefix / "include").rglob("*.hpp"))
        self.assertGreater(len(headers), 15)
        for header in headers:
            for included in re.findall(r'#include "([^"]+)"', header.read_text(encoding="utf-8")):
                self.assertTrue((self.prefix / "include" / included).exists(), (header, included))
        for path in self.prefix.rglob("*"):
            if path.is_file() and path.suffix != ".a":
                self.assertNotIn(str(ROOT), path.read_text(encoding="utf-8"), path)

    def test_program_built_by_cmake(self):
        folder = self.copy_of_example("with_cmake")
        run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_FLAGS={CXX_FLAGS}")
        run("cmake", "--build", folder / "build")
        self.greet(folder / "build/greeter")

    def test_program_built_by_pkg_config(self):
        folder = self.copy_of_example("with_pkg_config")
        environment = os.environ | {"PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}
        flags = run("pkg-config", "--cflags", "--libs", "millrace-client", env=environment)
        run("c++", "-std=c++20", *CXX_FLAGS.split(), "main.cpp", "-o", "greeter", *flags.split(),
            cwd=folder)
        self.greet(folder / "greeter")


if __name__ == "__main__":
    ServerTestCase.program, BUILD_FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
    CXX_FLAGS = sys.argv[3] if len(sys.argv) > 3 else ""  # CMake leaves out what is empty.
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
