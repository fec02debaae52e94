"""What a hostile tenant does, without pause, until it is over. It has a workspace of its own."""

import contextlib
import http.client
import itertools
import json
import socket
import time

WORKSPACE = "hostile"


def step(step_id, step_type, **fields):
    return {"id": step_id, "name": step_id, "type": step_type, **fields}


def definition(definition_id, *steps, **fields):
    return {"id": definition_id, "name": definition_id, "steps": [*steps, step("end", "END")],
            **fields}


class Caller:
    """Calls that may be refused, time out or break: the attack goes on all the same."""

    def __init__(self, port, timeout=10):
        self.port, self.timeout, self.connection = port, timeout, None

    def call(self, method, path, body=None):
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port,
                                                             timeout=self.timeout)
            self.connection.request(method, path, body if body is None else json.dumps(body),
                                    {"Millrace-Workspace": WORKSPACE})
            answer = self.connection.getresponse()
            text = answer.read()
            return json.loads(text) if text and answer.status < 300 else None
        except (OSError, http.client.HTTPException, ValueError):
            self.connection = None
            return None

    def apply(self, document):
        self.call("POST", "/v1/definitions", document)

    def start(self, definition_id, **variables):
        return self.call("POST", "/v1/instances",
                         {"definitionId": definition_id, "variables": variables})


def decisions(port, is_over):
    """A decision with 255 dear branches that leads back to itself."""
    caller = Caller(port)
    ways = {f"count(1..9000, # < 0) > {n}": "end" for n in range(255)}
    caller.apply(definition("decisions", step("d", "DECISION",
                                              conditionalNextSteps={**ways, "true": "d"})))
    while not is_over.is_set():
        caller.start("decisions")


def searches_by_timer(port, is_over):
    """A timer that leads to many searches through a megabyte."""
    caller = Caller(port)
    needle = "a" * 60 + "b"
    entries = {f"v{n}": f'${{count(1..20, s contains "{needle}")}}' for n in range(600)}
    caller.apply(definition(
        "searches",
        step("ask", "USER_TASK", nextStep="end", boundaryEvents=[
            {"type": "TIMER", "duration": "PT1S", "interrupting": True, "targetStepId": "t"}]),
        step("t", "TRANSFORMATION", transformations=entries, nextStep="end")))
    while not is_over.is_set():
        caller.start("searches", s="a" * 1_000_000)
        is_over.wait(0.5)


def many_transformations(port, is_over):
    """Twenty thousand small transformations in one step."""
    caller = Caller(port)
    entries = {f"v{n}": f"${{{n}}}" for n in range(20_000)}
    caller.apply(definition("many", step("t", "TRANSFORMATION", transformations=entries,
                                         nextStep="end")))
    while not is_over.is_set():
        caller.start("many")


def large_variables(port, is_over):
    """Variables of four megabytes, in instances that wait for workers."""
    caller = Caller(port)
    caller.apply(definition("large", step("w", "SERVICE_TASK", jobType="never", nextStep="end")))
    while not is_over.is_set():
        caller.start("large", s="a" * 3_900_000)


def chain_to_itself(port, is_over):
    """Each instance starts the next one, with almost four megabytes."""
    caller = Caller(port)
    caller.apply(definition("chain", step("t", "TRANSFORMATION", transformations={"x": "${1}"},
                                          nextStep="end"), nextWorkflowId="chain"))
    while not is_over.is_set():
        caller.start("chain", s="a" * 3_900_000)
        is_over.wait(1)


def flood_of_starts(port, is_over):
    """As many small starts as one connection takes, in batches."""
    caller = Caller(port)
    caller.apply(definition("small", step("w", "SERVICE_TASK", jobType="never", nextStep="end")))
    batch = {"instances": [{"definitionId": "small"}] * 200}
    while not is_over.is_set():
        caller.call("POST", "/v1/instances:batch", batch)


def unread_answers(port, is_over):
    """Ten connections that ask for a large page again and again and read nothing."""
    request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                       for _ in range(10)]
        for connection in connections:
            connection.setblocking(False)
        for connection in itertools.cycle(connections):
            if is_over.is_set():
                return
            with contextlib.suppress(OSError):
                connection.send(request)
            time.sleep(0.001)


def unfinished_bodies(port, is_over):
    """Bodies of sixteen megabytes that never end."""
    head = b"POST /v1/instances HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000000\r\n\r\n"
    while not is_over.is_set():
        with contextlib.ExitStack() as stack:
            for _ in range(100):
                with contextlib.suppress(OSError):
                    connection = socket.create_connection(("127.0.0.1", port))
                    stack.enter_context(connection)
                    connection.settimeout(1)
                    connection.sendall(head + b" " * 15_000_000)
                if is_over.is_set():
                    return
            is_over.wait(2)


def slow_expressions_uploaded(port, is_over):
    """Definitions whose regular expressions multiply their character sets."""
    caller = Caller(port)
    letters = "".join(chr(0x4E00 + 2 * n) for n in range(4_000))
    for number in itertools.count():
        if is_over.is_set():
            return
        way = f"x matches '(?:[{letters}]{{990}}){{2}}'"
        caller.apply(definition(f"regex{number}", step(
            "d", "DECISION", conditionalNextSteps={way: "end", "true": "end"})))


ATTACKS = {each.__name__.replace("_", "-"): each for each in (
    decisions, searches_by_timer, many_transformations, large_variables, chain_to_itself,
    flood_of_starts, unread_answers, unfinished_bodies, slow_expressions_uploaded)}
