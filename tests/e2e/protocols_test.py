#!/usr/bin/env python3
"""One list of scenarios over REST, workflow.v1 and millrace.v1: all three give the same answers.

Usage: protocols_test.py PROGRAM [unittest arguments]

A scenario drives a speaker and yields what it saw, without ids and times. What REST yields is what the others
have to. Exceptions stand in EXCEPTIONS, with their reason.
"""

import os
import sys
import unittest

from server import PostgresStore, ServerTestCase, SqliteStore
from speakers import SPEAKERS, Refused

STEPS = {
    "order": [
        {"id": "charge", "name": "Charge", "type": "SERVICE_TASK", "jobType": "charge", "retryCount": 1,
         "nextStep": "approve"},
        {"id": "approve", "name": "Approve", "type": "USER_TASK", "nextStep": "paid"},
        {"id": "paid", "name": "Paid", "type": "WAIT", "nextStep": "decide"},
        {"id": "decide", "name": "Decide", "type": "DECISION",
         "conditionalNextSteps": {"amount > 10": "mark", "amount <= 10": "end"}},
        {"id": "mark", "name": "Mark", "type": "TRANSFORMATION", "transformations": {"large": True},
         "nextStep": "end"},
        {"id": "end", "name": "End", "type": "END"}],
    "broken": [
        {"id": "decide", "name": "Decide", "type": "DECISION", "conditionalNextSteps": {"missing": "end"}},
        {"id": "end", "name": "End", "type": "END"}],
}
UNKNOWN = "01KA3G5B7QJ8Z4T2R9V0000000"

# (scenario, protocol): why what it sees there is something else.
EXCEPTIONS = {
    ("wrong_calls", "workflow.v1"): "tasks and signals: the contract says FAILED_PRECONDITION for conflicts",
    ("unknown_things", "workflow.v1"): "the contract answers the history of an unknown instance with an empty list",
}


def definition(name):
    return {"id": name, "name": name.title(), "steps": STEPS[name]}


def seen(instance):
    names = ("definitionId", "definitionVersion", "status", "currentStepIds", "variables", "failureReason",
             "businessKey")
    return {name: instance[name] for name in names if instance.get(name)}


def lines(history):
    return [(line["stepId"], line["stepType"], line["attemptNumber"], line["status"],
             line.get("failureReason") or "") for line in history]


def refusal(call, *arguments, **fields):
    """Code and sentence, without the ids."""
    try:
        call(*arguments, **fields)
    except Refused as refused:
        return refused.code, refused.message
    return "OK", ""


def an_order(speaker):
    yield speaker.upload(definition("order"))["version"]
    yield speaker.upload(definition("order"))["version"]
    started = speaker.start("order", {"amount": 11, "deep": {"list": [1, None, "é", {"a": 1.5}]}}, businessKey="b-1")
    yield seen(started)
    job, = speaker.poll(["charge"])
    yield {name: job.get(name) for name in ("jobType", "stepId", "retriesRemaining", "variables")}
    yield speaker.poll(["charge"])
    speaker.complete(job["id"], {"paid": True})
    speaker.complete(job["id"], {"paid": False})
    yield seen(speaker.instance(started["id"]))
    speaker.complete_task(started["id"], "approve", {"approved": "yes"})
    speaker.signal(started["id"], "paid", {"receipt": 7})
    yield seen(speaker.instance(started["id"]))
    yield lines(speaker.history(started["id"]))
    yield [seen(each) for each in speaker.instances(status="COMPLETED")]
    yield speaker.instances(businessKey="other")
    stored = speaker.definition("order")
    yield stored["id"], stored["version"], [step["id"] for step in stored["steps"]]


def retries_and_failures(speaker):
    speaker.upload(definition("order"))
    started = speaker.start("order")
    for retryable in (True, True):
        job, = speaker.poll(["charge"])
        yield job.get("retriesRemaining", 0)
        speaker.fail(job["id"], "no card", retryable)
    yield seen(speaker.instance(started["id"]))
    yield lines(speaker.history(started["id"]))
    yield refusal(speaker.complete, job["id"])
    speaker.fail(job["id"], "again", False)
    yield speaker.poll(["charge"])


def a_step_that_fails(speaker):
    speaker.upload(definition("broken"))
    started = speaker.start("broken", {"a": 1})
    yield seen(speaker.instance(started["id"]))
    yield lines(speaker.history(started["id"]))


def cancelling(speaker):
    speaker.upload(definition("order"))
    started = speaker.start("order")
    job, = speaker.poll(["charge"])
    yield seen(speaker.cancel(started["id"], "too late"))
    speaker.complete(job["id"], {"ignored": True})
    yield seen(speaker.instance(started["id"]))
    yield lines(speaker.history(started["id"]))
    yield refusal(speaker.cancel, started["id"], "again")[0]


def unknown_things(speaker):
    yield refusal(speaker.definition, "nothing")
    yield refusal(speaker.start, "nothing")
    yield refusal(speaker.instance, UNKNOWN)
    yield refusal(speaker.cancel, UNKNOWN, "")
    yield refusal(speaker.complete, UNKNOWN)
    yield refusal(speaker.fail, UNKNOWN, "", True)
    yield refusal(speaker.signal, UNKNOWN, "a", {})
    yield refusal(speaker.complete_task, UNKNOWN, "a", {})
    yield refusal(speaker.history, UNKNOWN)


def wrong_calls(speaker):
    yield refusal(speaker.start, "")
    yield refusal(speaker.upload, {"id": "a b", "name": "", "steps": STEPS["broken"]})
    speaker.upload(definition("order"))
    started = speaker.start("order")
    yield refusal(speaker.start, "order", definitionVersion=7)[0]
    yield refusal(speaker.start, "order", definitionVersion=-1)
    yield refusal(speaker.signal, started["id"], "charge", {})
    yield refusal(speaker.complete_task, started["id"], "charge", {})
    job, = speaker.poll(["charge"])
    yield refusal(speaker.complete, job["id"], worker="other")
    speaker.cancel(started["id"], "")
    yield refusal(speaker.signal, started["id"], "paid", {})[1]
    yield refusal(speaker.signal, started["id"], "paid", {})[0]
    yield refusal(speaker.complete_task, started["id"], "approve", {})[0]


SCENARIOS = (an_order, retries_and_failures, a_step_that_fails, cancelling, unknown_things, wrong_calls)


class ProtocolsCase:
    store_type = None

    def test_all_protocols_give_the_same_answers(self):
        self.maxDiff = None
        server = self.new_server(self.new_store(self.store_type))
        for scenario in SCENARIOS:
            expected = None
            for number, kind in enumerate(SPEAKERS):
                speaker = kind(server, f"{scenario.__name__.replace('_', '-')}-{number}")
                self.addCleanup(speaker.close)
                answers = list(scenario(speaker))
                expected = expected or answers
                with self.subTest(f"{scenario.__name__} over {speaker.name}"):
                    is_exception = (scenario.__name__, speaker.name) in EXCEPTIONS
                    self.assertEqual(len(answers), len(expected))
                    different = [(ours, theirs) for ours, theirs in zip(answers, expected) if ours != theirs]
                    if is_exception:
                        self.check_exceptions(scenario.__name__, different)
                    else:
                        self.assertEqual(different, [])

    def check_exceptions(self, scenario, different):
        """Those of workflow.v1, and no others."""
        if scenario == "unknown_things":
            self.assertEqual([ours for ours, _ in different], [("OK", "")])
        else:
            self.assertEqual(different, [("FAILED_PRECONDITION", "ABORTED")] * 2)


class SqliteProtocolsTest(ProtocolsCase, ServerTestCase):
    store_type = SqliteStore


class PostgresProtocolsTest(ProtocolsCase, ServerTestCase):
    store_type = PostgresStore


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
