#!/usr/bin/env python3
"""Forges records of a queue and shows that the checker finds what is wrong with each of them."""

import unittest

import queue_checker
from queue_checker import Fairness, Limits, Move, QueueObserved, check_queue

LIMITS = {"small": Limits(active=1), "large": Limits(active=3, per_key=2)}


def execution(execution_id, status="COMPLETED", **fields):
    """One that ran for a second."""
    return {"id": execution_id, "queueStatus": status, "input": {"key": f"key of {execution_id}"},
            "result": {"done": True},
            "createdAt": "2030-01-01T00:00:00Z", "claimedAt": "2030-01-01T00:00:01Z",
            "dispatchedAt": "2030-01-01T00:00:01Z", "completedAt": "2030-01-01T00:00:02Z", **fields}


def moves(*texts):
    """"second execution workspace key place" each, with - for what is empty."""
    fields = [[each.replace("-", "") for each in text.split()] for text in texts]
    return tuple(Move(float(at), *rest) for at, *rest in fields)


def life(execution_id, workspace, first, last, key="-"):
    return [f"{first} {execution_id} {workspace} {key} READY",
            f"{first} {execution_id} {workspace} {key} ACTIVE",
            f"{last} {execution_id} {workspace} {key} -"]


def in_order(*lives):
    """Lives beside each other. What is over makes room first."""
    lines = sorted((line for each in lives for line in each), key=lambda line: float(line.split()[0]))
    return moves(*lines)


def observed(record=(), ids=("a",), **fields):
    executions = fields.pop("executions", None) or {each: execution(each) for each in ids}
    return QueueObserved(moves=record, limits=LIMITS, executions=executions, **fields)


class QueueCheckerTest(unittest.TestCase):
    def expect(self, *kinds, **fields):
        found = check_queue(observed(**fields))
        self.assertEqual([each.kind for each in found], list(kinds), found)

    def test_a_sound_record_has_no_violation(self):
        record = in_order(life("a", "small", 1, 2), life("b", "small", 2, 3),
                          life("c", "large", 1, 9, "k"), life("d", "large", 1, 9, "k"),
                          life("e", "large", 1, 9))
        ids = ("a", "b", "c", "d", "e")
        self.expect(record=record, ids=ids, accepted=tuple((f"key of {each}", each) for each in ids),
                    runs=dict.fromkeys(ids, 1), results=dict.fromkeys(ids, {"done": True}),
                    active={"small": 0, "large": 0}, fairness=Fairness(1))

    def test_more_than_the_limit_at_one_place_of_the_record_are_too_many(self):
        self.expect(queue_checker.OVER_LIMIT, ids=("a", "b"), record=in_order(
            life("a", "small", 1, 3), life("b", "small", 2, 4)))
        four = [life(each, "large", 1, 2) for each in "abcd"]
        self.expect(queue_checker.OVER_LIMIT, ids=tuple("abcd"), record=in_order(*four))

    def test_more_of_a_key_are_too_many(self):
        three = [life(each, "large", 1, 2, "k") for each in "abc"]
        self.expect(queue_checker.OVER_KEY_LIMIT, ids=tuple("abc"), record=in_order(*three))
        self.expect(ids=tuple("abc"), record=in_order(*three[:2], life("c", "large", 1, 2, "other")))

    def test_an_end_just_behind_the_next_claim_is_too_late(self):
        lines = life("a", "small", 1, 2) + life("b", "small", 2, 3)
        self.expect(ids=("a", "b"), record=moves(*lines))
        lines[2], lines[3], lines[4] = lines[3], lines[4], lines[2]
        self.expect(queue_checker.OVER_LIMIT, ids=("a", "b"), record=moves(*lines))

    def test_a_second_start_is_found(self):
        again = life("a", "small", 1, 2) + life("a", "small", 3, 4)
        self.expect(queue_checker.SLOT_TWICE, record=moves(*again))
        deferred = ["1 a small - READY", "1 a small - ACTIVE", "2 a small - DUE",
                    "3 a small - ACTIVE", "4 a small - -"]
        self.expect(queue_checker.SLOT_TWICE, record=moves(*deferred))
        self.expect(record=moves(*deferred), slots_each_max=2)
        self.expect(queue_checker.STARTED_TWICE, runs={"a": 2})
        self.expect(queue_checker.STARTED_TWICE, runs={"a": 0})

    def test_a_slot_that_is_left_is_found(self):
        self.expect(queue_checker.SLOT_LEFT, record=moves(*life("a", "small", 1, 2)[:2]))
        self.expect(queue_checker.SLOT_LEFT, active={"small": 1})

    def test_what_was_acknowledged_is_there_and_ended_well(self):
        self.expect(queue_checker.LOST, accepted=(("key of a", "a"), ("key of b", "b")))
        self.expect(queue_checker.WRONG_ANSWER, queue_checker.ENQUEUED_TWICE, ids=("a", "b"),
                    accepted=(("key of b", "a"),))
        self.expect(queue_checker.LOST, ids=("a", "b"), record=moves(*life("a", "small", 1, 2)))
        self.expect(queue_checker.UNFINISHED, executions={"a": execution("a", "FAILED")})
        self.expect(queue_checker.UNFINISHED, executions={"a": execution("a", "PENDING")})
        self.expect(queue_checker.WRONG_RESULT, results={"a": {"done": False}})

    def test_one_key_is_one_execution(self):
        twice = {each: execution(each, input={"key": "k"}) for each in ("a", "b")}
        self.expect(queue_checker.ENQUEUED_TWICE, executions=twice)
        self.expect(queue_checker.ENQUEUED_TWICE, executions=twice, accepted=(("k", "a"), ("k", "b")))

    def test_one_that_others_overtake_again_and_again_starves(self):
        """Others have three slots: what is let in more often came out of a second round."""
        ids = ("w", "a", "b", "c", "d", "e", "f")
        others = [line for at, each in enumerate("abcdef")
                  for line in life(each, "large", at + 1, at + 1)]
        waiting, end = ["0 w small - READY"], ["9 w small - ACTIVE", "9 w small - -"]
        record = moves(*waiting, *others, *end)
        self.expect(queue_checker.STARVED, ids=ids, record=record, fairness=Fairness(seconds=2))
        self.expect(ids=ids, record=record, fairness=Fairness(seconds=3))
        full = moves("0 v small - READY", "0 v small - ACTIVE", *waiting, *others, "8 v small - -",
                     *end)
        self.expect(ids=(*ids, "v"), record=full, fairness=Fairness(seconds=0))

    def test_a_time_in_which_nobody_is_let_in_is_nobodys_advantage(self):
        ids = ("w", "a", "b", "c", "d")
        others = [line for each in "abcd" for line in life(each, "large", 100, 100)]
        record = moves("0 w small - READY", *others, "100 w small - ACTIVE", "100 w small - -")
        self.expect(ids=ids, record=record, fairness=Fairness(seconds=1))

    def test_one_that_stands_behind_is_not_let_in_before(self):
        def record(first, second):
            return moves("0 a large - READY", "0 b large - READY", f"5 {first} large - ACTIVE",
                         f"6 {second} large - ACTIVE", "7 a large - -", "7 b large - -")

        later = {"a": execution("a"), "b": execution("b", createdAt="2030-01-01T00:00:00.5Z")}
        urgent = {"a": execution("a"), "b": execution("b", priority=1)}
        for executions, good in ((later, "ab"), (urgent, "ba")):
            self.expect(executions=executions, record=record(*good), fairness=Fairness(1))
            self.expect(queue_checker.STARVED, executions=executions, record=record(*reversed(good)),
                        fairness=Fairness(1))
            self.expect(executions=executions, record=record(*reversed(good)), fairness=Fairness(5))
        keyed = moves("0 a large k READY", "0 b large - READY", "5 b large - ACTIVE",
                      "6 a large k ACTIVE", "7 a large k -", "7 b large - -")
        self.expect(executions=later, record=keyed, fairness=Fairness(1))

    def test_times_go_forward(self):
        late = execution("a", dispatchedAt="2030-01-01T00:00:09Z")
        self.expect(queue_checker.TIMES_WRONG, executions={"a": late})
        self.expect(executions={"a": late}, clock_seconds=10)
        late = execution("a")
        del late["claimedAt"]
        self.expect(queue_checker.TIMES_WRONG, executions={"a": late})


if __name__ == "__main__":
    unittest.main()
