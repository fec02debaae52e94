#!/usr/bin/env python3
"""Forges histories and shows that the checker finds what is wrong with each of them."""

import copy
import datetime
import unittest

import checker
from checker import Observed, check

EPOCH = datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc)

DEFINITION = {
    "id": "order", "name": "Order", "autoStartNextWorkflow": True, "nextWorkflowId": "invoice",
    "steps": [
        {"id": "check", "type": "SERVICE_TASK", "jobType": "check", "nextStep": "fan_out"},
        {"id": "fan_out", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["charge", "pack"],
         "joinStep": "gathered"},
        {"id": "charge", "type": "SERVICE_TASK", "jobType": "charge", "nextStep": "book"},
        {"id": "book", "type": "TRANSFORMATION", "transformations": {"booked": True},
         "nextStep": "gathered"},
        {"id": "pack", "type": "SERVICE_TASK", "jobType": "pack", "nextStep": "gathered",
         "boundaryEvents": [
             {"type": "TIMER", "duration": "PT5S", "interrupting": False, "targetStepId": "remind"},
             {"type": "TIMER", "duration": "PT1M", "interrupting": True,
              "targetStepId": "gathered"}]},
        {"id": "remind", "type": "SERVICE_TASK", "jobType": "remind"},
        {"id": "gathered", "type": "JOIN_GATEWAY", "nextStep": "route"},
        {"id": "route", "type": "DECISION",
         "conditionalNextSteps": {"again": "check", "!again": "done"}},
        {"id": "done", "type": "END"},
    ],
}
INVOICE = {"id": "invoice", "name": "Invoice", "steps": [{"id": "billed", "type": "END"}]}
TYPES = {step["id"]: step["type"] for each in (DEFINITION, INVOICE) for step in each["steps"]}


def at(second):
    return (EPOCH + datetime.timedelta(seconds=second)).isoformat().replace("+00:00", "Z")


def line(step_id, start, end, status="COMPLETED", **fields):
    """An item of a history, with one try when it has a job."""
    item = {"id": "", "instanceId": "parent", "stepId": step_id, "stepType": TYPES[step_id],
            "attemptNumber": 1, "status": status, "startedAt": at(start),
            "endedAt": None if end is None else at(end), "failureReason": None}
    if TYPES[step_id] == "SERVICE_TASK":
        item |= {"jobId": f"job of {step_id}", "tries": []}
        if status == "COMPLETED":
            item["jobStatus"] = "COMPLETED"
            item["tries"] = [a_try("COMPLETED", 1, start, end)]
    return item | fields


def a_try(outcome, token, start, end):
    return {"outcome": outcome, "workerId": "w", "leaseToken": token, "startedAt": at(start),
            "endedAt": at(end)}


def sound_history():
    return [
        line("check", 0, 1), line("fan_out", 1, 1), line("charge", 1, 3), line("pack", 1, 9),
        line("book", 3, 3), line("gathered", 3, 9), line("remind", 6, 8), line("route", 9, 9),
        line("done", 9, 9)]


def instance(instance_id, definition_id, start, end, **fields):
    return {"id": instance_id, "definitionId": definition_id, "definitionVersion": 1,
            "status": "COMPLETED", "currentStepIds": [], "variables": {"booked": True},
            "startedAt": at(start), "completedAt": at(end), **fields}


def observed(history=None, **fields):
    parent = instance("parent", "order", 0, 9, businessKey="order 7")
    child = instance("child", "invoice", 9, 9, parentId="parent")
    seen = Observed(
        definitions={("order", 1): DEFINITION, ("invoice", 1): INVOICE},
        instances={"parent": parent, "child": child},
        histories={"parent": history or sound_history(),
                   "child": [line("billed", 9, 9, instanceId="child")]},
        starts=(("order 7", "parent"),), completions=(("job of check", 1),),
        variables={"parent": {"booked": True}})
    return seen._replace(**fields)


class CheckerTest(unittest.TestCase):
    def expect(self, kinds, seen):
        self.assertEqual({each.kind for each in check(seen)}, set(kinds), check(seen))

    def expect_of(self, history, *kinds):
        self.expect(kinds, observed(history))

    def history_with(self, step_id, **fields):
        """The sound one, but for one line."""
        history = sound_history()
        found = next(each for each in history if each["stepId"] == step_id)
        found |= fields
        return history

    def test_a_sound_run_has_no_violations(self):
        self.expect([], observed())

    def test_a_loop_may_enter_its_steps_again(self):
        second = sound_history()
        for each in second:
            for name in ("startedAt", "endedAt"):
                moved = checker.instant(each[name]) + datetime.timedelta(seconds=9)
                each[name] = moved.isoformat()
            each["attemptNumber"] = 2
            if "tries" in each:
                each["tries"] = []
        seen = observed(sound_history()[:-1] + second)
        seen.instances["parent"]["completedAt"] = at(18)
        self.expect([], seen)

    def test_a_step_whose_timer_interrupted_it_leads_to_the_target(self):
        history = [
            line("check", 0, 1), line("fan_out", 1, 1), line("charge", 1, 3),
            line("pack", 1, 61, "FAILED", failureReason="interrupted by boundary timer"),
            line("book", 3, 3), line("gathered", 3, 61), line("remind", 6, 8),
            line("route", 61, 61), line("done", 61, 61)]
        seen = observed(history)
        seen.instances["parent"]["completedAt"] = at(61)
        self.expect([], seen)

    def test_an_acknowledged_instance_that_is_gone_is_lost(self):
        answers = (("order 7", "parent"), ("order 8", "gone"))
        self.expect([checker.LOST], observed(starts=answers))

    def test_a_start_that_was_answered_again_is_the_same(self):
        self.expect([], observed(starts=(("order 7", "parent"), ("order 7", "parent"))))

    def test_a_start_that_was_answered_with_two_instances_is_found(self):
        seen = observed(starts=(("order 7", "parent"), ("order 7", "gone")))
        self.expect([checker.STARTED_TWICE, checker.LOST], seen)

    def test_a_start_that_left_an_instance_nobody_was_told_of_is_found(self):
        seen = observed()
        seen.instances["twin"] = instance("twin", "invoice", 3, 3, businessKey="order 7")
        seen.histories["twin"] = [line("billed", 3, 3, instanceId="twin")]
        self.expect([checker.STARTED_TWICE], seen)

    def test_a_start_that_was_answered_with_another_instance_is_found(self):
        seen = observed(starts=(("order 7", "child"),))
        self.expect([checker.WRONG_ANSWER, checker.STARTED_TWICE], seen)

    def test_an_instance_that_stands_still_is_unfinished(self):
        seen = observed(sound_history()[:1] + [line("fan_out", 1, 1), line("charge", 1, None,
                        "RUNNING"), line("pack", 1, None, "RUNNING")])
        parent = seen.instances["parent"]
        parent |= {"status": "ACTIVE", "currentStepIds": ["charge", "pack"]}
        del parent["completedAt"]
        del seen.instances["child"]
        self.expect([checker.UNFINISHED], seen)

    def test_an_outcome_that_nobody_expects_is_unfinished(self):
        seen = observed()
        seen.instances["child"]["status"] = "FAILED"
        self.expect([checker.UNFINISHED], seen)
        self.expect([], seen._replace(outcomes=frozenset({"COMPLETED", "FAILED"})))

    def test_a_step_that_runs_after_the_end_is_found(self):
        late = self.history_with("remind", status="RUNNING", endedAt=None)
        self.expect_of(late, checker.OPEN_AFTER_THE_END, checker.JOIN_EARLY)

    def test_current_steps_of_a_completed_instance_are_found(self):
        seen = observed()
        seen.instances["child"]["currentStepIds"] = ["billed"]
        self.expect([checker.OPEN_AFTER_THE_END], seen)

    def test_a_step_that_was_entered_twice_is_found(self):
        for step_id in ("check", "book", "pack", "remind", "route", "done"):
            with self.subTest(step_id):
                history = sound_history()
                place = next(i for i, each in enumerate(history) if each["stepId"] == step_id)
                history.insert(place + 1, {**copy.deepcopy(history[place]), "attemptNumber": 2})
                kinds = {each.kind for each in check(observed(history))}
                self.assertIn(checker.STEP_TWICE, kinds)

    def test_a_join_that_fired_for_each_arrival_is_found(self):
        history = sound_history()
        history[5] = line("gathered", 3, 3)
        history.insert(6, line("route", 3, 3))
        history.insert(8, line("gathered", 9, 9))
        kinds = {each.kind for each in check(observed(history))}
        self.assertLessEqual({checker.JOIN_EARLY, checker.STEP_TWICE}, kinds)

    def test_a_join_that_fired_early_is_found(self):
        history = self.history_with("gathered", endedAt=at(5))
        history = [each for each in history if each["stepId"] not in ("remind", "route", "done")]
        history += [line("route", 5, 5), line("done", 5, 5)]
        seen = observed(history)
        seen.instances["parent"]["completedAt"] = at(9)
        self.assertIn(checker.JOIN_EARLY, {each.kind for each in check(seen)})

    def test_a_token_that_vanished_is_found(self):
        for step_id in ("pack", "book", "done"):
            with self.subTest(step_id):
                history = [each for each in sound_history() if each["stepId"] != step_id]
                kinds = {each.kind for each in check(observed(history))}
                self.assertIn(checker.STEP_LOST, kinds)

    def test_a_step_before_its_cause_is_found(self):
        self.expect_of(self.history_with("book", startedAt=at(2)),
                       checker.WRONG_ORDER, checker.STEP_LOST)
        history = sound_history()
        history[2], history[4] = history[4], history[2]
        self.expect_of(history, checker.WRONG_ORDER, checker.STEP_LOST)

    def test_a_step_that_ends_before_it_starts_is_found(self):
        seen = observed(self.history_with("remind", endedAt=at(5)))
        self.expect([checker.WRONG_ORDER], seen)

    def test_a_timer_that_fired_early_is_found(self):
        self.expect_of(self.history_with("remind", startedAt=at(4)), checker.TIMER_EARLY)

    def test_a_timer_of_a_step_that_was_over_is_found(self):
        history = sound_history()
        late = line("remind", 10, 11)
        self.expect_of([*history[:6], *history[7:], late],
                       checker.WRONG_ORDER)

    def test_two_completions_of_one_job_are_found(self):
        twice = [a_try("COMPLETED", 1, 0, 1), a_try("COMPLETED", 2, 1, 1)]
        self.expect_of(self.history_with("check", tries=twice), checker.TRY_TWICE)

    def test_a_claim_that_two_polls_brought_is_found(self):
        first, second = ("job of check", 1), ("job of check", 2)
        self.expect([], observed(deliveries=(first, second)))
        self.expect([checker.TRY_TWICE], observed(deliveries=(first, second, first)))

    def test_lease_tokens_that_do_not_grow_are_found(self):
        same = [a_try("FAILED", 1, 0, 0.5), a_try("COMPLETED", 1, 0.5, 1)]
        self.expect_of(self.history_with("check", tries=same), checker.TRY_TWICE)

    def test_an_acknowledged_completion_that_is_gone_is_found(self):
        seen = observed(completions=(("job of check", 1), ("job of nobody", 1)))
        self.expect([checker.COMPLETION_LOST], seen)

    def test_a_completion_that_two_claims_were_told_of_is_found(self):
        self.expect([], observed(completions=(("job of check", 1), ("job of check", 1))))
        seen = observed(completions=(("job of check", 1), ("job of check", 2)))
        self.expect([checker.TRY_TWICE], seen)

    def test_a_completion_by_another_claim_than_the_one_that_was_told_is_found(self):
        seen = observed(completions=(("job of check", 2),))
        self.expect([checker.COMPLETED_BY_ANOTHER], seen)

    def test_an_acknowledged_completion_that_was_undone_is_found(self):
        history = self.history_with("check", jobStatus="FAILED")
        self.expect_of(history, checker.COMPLETION_LOST)

    def test_a_chained_workflow_that_never_started_is_found(self):
        seen = observed()
        del seen.instances["child"]
        self.expect([checker.CHAIN_LOST], seen)

    def test_a_chained_workflow_that_started_twice_is_found(self):
        seen = observed()
        seen.instances["twin"] = {**seen.instances["child"], "id": "twin"}
        seen.histories["twin"] = seen.histories["child"]
        self.expect([checker.CHAINED_TWICE], seen)

    def test_a_child_without_parent_is_found(self):
        seen = observed(starts=(), completions=())
        del seen.instances["parent"]
        self.expect([checker.LOST], seen)

    def test_wrong_variables_are_found(self):
        self.expect([checker.WRONG_VARIABLES], observed(variables={"parent": {"booked": False}}))


if __name__ == "__main__":
    unittest.main()
