"""Several servers on one store, and callers that use whichever is there."""

import random
import time

from client import PATIENCE_SECONDS, Lost
from server import wait_until

CALL_SECONDS = 5  # A caller that has waited so long asks another replica.
AVOID_SECONDS = 5  # So long it leaves a replica alone that has not answered.
PAUSE_SECONDS = 0.05  # Between tries of one call.
BUSY = 503


class Cluster:
    """Equal replicas. Each may be killed and started again at any time."""

    def __init__(self, servers):
        self.servers = servers

    def ready(self):
        """Those that are there, as far as their logs tell; waits for the first one."""
        return wait_until(
            lambda: [each for each in self.servers if each.ready.is_set()], "a replica")

    @staticmethod
    def start_again(server):
        """Until it succeeds, as a supervisor would: the store may be away."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return server.start()
            except AssertionError:
                if time.monotonic() > deadline:
                    raise


class Caller:
    """One thread's way to the cluster: each try of a call goes to a replica that the dice choose."""

    def __init__(self, cluster, seed, workspace=None):
        self._cluster = cluster
        self._dice = random.Random(seed)
        self._headers = {"Millrace-Workspace": workspace} if workspace else {}
        self._clients = {}
        self._avoided_until = {}

    def try_once(self, method, path, body=None, headers=None):
        """Raises Lost."""
        server = self._choose()
        if server not in self._clients:
            self._clients[server] = server.client(CALL_SECONDS)
        try:
            return self._clients[server].call(
                method, path, body, {**self._headers, **(headers or {})})
        except Lost:
            self._avoided_until[server] = time.monotonic() + AVOID_SECONDS
            raise

    def _choose(self):
        ready = self._cluster.ready()
        now = time.monotonic()
        good = [each for each in ready if self._avoided_until.get(each, 0) < now]
        return self._dice.choice(good or ready)

    def call(self, method, path, body=None, headers=None):
        """Tries until there is an answer other than that the server is busy."""
        deadline = time.monotonic() + 2 * PATIENCE_SECONDS
        while True:
            try:
                reply = self.try_once(method, path, body, headers)
                if reply.status != BUSY:
                    return reply
                failure = repr(reply)
            except Lost as lost:
                failure = repr(lost)
            if time.monotonic() > deadline:
                raise AssertionError(f"{method} {path} gets no answer: {failure}")
            time.sleep(PAUSE_SECONDS)

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body, headers=None):
        return self.call("POST", path, body, headers)
