"""A Java program that takes locks by the library ShedLock (tests/shedlock)."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import shedlock_program
from client import PATIENCE_SECONDS
from server import end_with_parent

# Each by its own clock, in a zone that is not the one in which the table's times are.
ZONES = {"database": "America/New_York", "application": "UTC"}


class LockHolder:
    """`clock` is whose clock the library goes by: that of the database, or its own, for which the
    program has to run in UTC."""

    def __init__(self, port, table="shedlock", clock="database"):
        url = f"jdbc:postgresql://127.0.0.1:{port}/postgres?user=postgres"
        self._process = subprocess.Popen(
            ["java", f"-Duser.timezone={ZONES[clock]}", "-Xshare:auto", "-XX:TieredStopAtLevel=1",
             "-cp", shedlock_program.class_path(), "LockHolder", url, table, clock],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent)

    def _answer(self, command):
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        assert answer, f"{command}: no answer, see above"
        return answer

    def lock(self, name, at_most=60, at_least=0):
        """Whether it was free; in seconds."""
        answer = self._answer(f"lock {name} {at_most * 1000} {at_least * 1000}")
        assert answer in ("taken", "refused"), answer
        return answer == "taken"

    def unlock(self, name):
        assert self._answer(f"unlock {name}") == "unlocked"

    def discard(self):
        self._process.stdin.close()
        self._process.wait(PATIENCE_SECONDS)
        self._process.stdout.close()
