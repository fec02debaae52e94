"""Calls that prepare a measurement, over REST: none of them is timed."""

import concurrent.futures
import http.client
import json
import threading
import urllib.request

THREADS = 8


class Client:
    """Kept-alive connections to one server, one for each thread that calls."""

    def __init__(self, port):
        self.port = port
        self.local = threading.local()

    def call(self, method, path, body=None):
        connection = getattr(self.local, "connection", None)
        if connection is None:
            connection = self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port,
                                                                            timeout=60)
        connection.request(method, path, json.dumps(body) if body is not None else None,
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if not 200 <= answer.status <= 299:
            raise RuntimeError(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text) if text else None

    def each(self, action, names):
        """Does an action for all of the names, some at a time."""
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(action, names))

    def make_workspace(self, name, definitions, **settings):
        self.call("POST", "/v1/workspaces", {"id": name, "plan": "UNLIMITED", **settings})
        for definition in definitions:
            self.call("POST", f"/v1/workspaces/{name}/definitions", definition)

    def enqueue(self, workspace, definition, **fields):
        return self.call("POST", f"/v1/workspaces/{workspace}/executions",
                         {"definitionId": definition, **fields})


def metrics(port):
    """The samples of a server that have no labels, by their names."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    samples = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in samples if "{" not in name}
