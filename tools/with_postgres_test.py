#!/usr/bin/env python3
"""Tests of with_postgres.py, with real servers."""

import os
import pathlib
import select
import signal
import subprocess
import sys
import unittest
import urllib.parse

TOOL = [sys.executable, "-B", str(pathlib.Path(__file__).with_name("with_postgres.py")), "--fast"]
SECONDS_MAX = 60


def folder_of(url):
    return pathlib.Path(urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["host"][0])


def start(script):
    """Runs a shell script beside a server; gives back the process and the server's folder."""
    process = subprocess.Popen(
        [*TOOL, "sh", "-c", f"echo $MILLRACE_TEST_POSTGRES; {script}"],
        stdout=subprocess.PIPE, text=True)
    return process, folder_of(process.stdout.readline().strip())


class WithPostgresTest(unittest.TestCase):
    def end(self, process):
        self.addCleanup(process.stdout.close)
        return process.wait(SECONDS_MAX)

    def test_the_exit_code_of_the_command_is_ours_and_nothing_stays(self):
        process, folder = start("exit 7")
        self.assertEqual(self.end(process), 7)
        self.assertFalse(folder.exists())

    def test_a_command_that_is_killed_leaves_nothing_either(self):
        process, folder = start("kill -9 $$")
        self.assertEqual(self.end(process), 128 + signal.SIGKILL)
        self.assertFalse(folder.exists())

    def test_a_signal_ends_command_and_server(self):
        process, folder = start("exec cat /dev/zero > /dev/null")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.end(process), 128 + signal.SIGTERM)
        self.assertFalse(folder.exists())

    def test_the_server_does_not_outlive_us(self):
        process, folder = start("exec cat /dev/zero > /dev/null")
        server = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        watched = os.pidfd_open(server)
        process.kill()
        self.end(process)
        self.assertTrue(is_over(watched))
        subprocess.run(["rm", "-rf", folder], check=True)

    def test_a_command_that_does_not_exist_is_an_error(self):
        done = subprocess.run([*TOOL, "/nonexistent"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 127)


def is_over(process):
    """Whether a process ends in time; its descriptor is readable then."""
    readable, _, _ = select.select([process], [], [], SECONDS_MAX)
    os.close(process)
    return bool(readable)


if __name__ == "__main__":
    unittest.main()
