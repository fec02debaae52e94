"""What an expression cannot compute fails the instance, never the call that made it run."""

from contract_case import TIME, ContractTestCase
from definitions import definition, step, task, timer
from server import wait_until

# (expression, variables): a division by zero, what is no number, what no number can hold.
NOT_COMPUTABLE = [
    ("1 / n", {"n": 0}), ("1.5 / n", {"n": 0.0}), ("0 / n", {"n": 0}), ("7 % int(n)", {"n": 0}),
    ("(0 - 8) ** n", {"n": 0.5}), ("0 ** n", {"n": -1}), ("n * 10", {"n": 1e308}),
    ("int(n) + 1", {"n": 2**63 - 1}), ("missing + n", {"n": 1}), ("n + 1", {"n": "text"})]


def computing(name, expression, first):
    """`first` is a step that waits, and leads to one that computes."""
    return definition(
        name, first, step("compute", "TRANSFORMATION",
                          transformations={"result": "${" + expression + "}"}, nextStep="done"),
        step("done", "END"))


class ExpressionFailuresTest(ContractTestCase):
    def check_failed(self, instance_id, expression):
        failed = self.instance(instance_id)
        self.assertEqual((failed["status"], failed["currentStepIds"]), ("FAILED", ["compute"]))
        self.assertTrue(failed["failureReason"].startswith(
            f'transformation "result": expression eval: expression "{expression}": '),
            failed["failureReason"])
        self.assertRegex(failed["completedAt"], TIME)
        self.assertNotIn("result", failed["variables"])
        line = self.history(instance_id)[-1]
        self.assertEqual((line["stepId"], line["status"], line["failureReason"]),
                         ("compute", "FAILED", failed["failureReason"]))

    def test_a_start_succeeds(self):
        for number, (expression, variables) in enumerate(NOT_COMPUTABLE):
            with self.subTest(expression):
                name = f"computed_{number}"
                whole = computing(name, expression, step("unused", "END"))
                whole["steps"] = whole["steps"][1:]
                self.upload(whole)
                self.check_failed(self.start(name, variables=variables)["id"], expression)

    def test_a_decision_fails_with_its_reason(self):
        self.upload(definition(
            "decided", step("compute", "DECISION", conditionalNextSteps={"1 / n > 2": "done"}),
            step("done", "END")))
        failed = self.start("decided", variables={"n": 0})
        self.assertEqual(failed["status"], "FAILED")
        self.assertTrue(self.instance(failed["id"])["failureReason"].startswith(
            'expression eval error: expression "1 / n > 2": '))

    def test_a_completion_succeeds(self):
        self.upload(computing("completed_into", "1 / n", task("work", "completed_into", "compute")))
        self.start("completed_into")
        job = self.claim("completed_into")
        self.complete_job(job["id"], leaseToken=1, variables={"n": 0})
        self.check_failed(job["instanceId"], "1 / n")
        self.complete_job(job["id"], leaseToken=1, variables={"n": 0})

    def test_a_batch_of_completions_succeeds(self):
        self.upload(computing("listed_into", "1 / n", task("work", "listed_into", "compute")))
        self.start("listed_into")
        job = self.claim("listed_into")
        reply = self.post("/v1/jobs/complete", {"jobs": [
            {"jobId": job["id"], "leaseToken": 1, "variables": {"n": 0}}]}).json()
        self.assertEqual(reply["results"], [{"jobId": job["id"], "status": 204}])
        self.check_failed(job["instanceId"], "1 / n")

    def test_a_signal_and_a_user_task_succeed(self):
        for name, step_type, path, body in [
                ("signalled_into", "WAIT", "signals/wait", {"n": 0}),
                ("approved_into", "USER_TASK", "user-tasks/wait/complete",
                 {"variables": {"n": 0}})]:
            with self.subTest(name):
                self.upload(computing(name, "1 / n", step("wait", step_type, nextStep="compute")))
                instance_id = self.start(name)["id"]
                self.post(f"/v1/instances/{instance_id}/{path}", body, 204)
                self.check_failed(instance_id, "1 / n")

    def test_a_timer_fails_its_instance_alone(self):
        waiting = step("wait", "WAIT", nextStep="done",
                       boundaryEvents=[timer("PT0.05S", "compute", True)])
        self.upload(computing("timed_into", "1 / n", waiting))
        instance_id = self.start("timed_into", variables={"n": 0})["id"]
        wait_until(lambda: self.instance(instance_id)["status"] == "FAILED", "the timer")
        self.check_failed(instance_id, "1 / n")

    def test_a_condition_of_a_task_fails_the_instance_not_the_worker(self):
        self.upload(definition(
            "conditioned", task("work", "conditioned", "done",
                                conditionalNextSteps={"1 / n > 2": "done"}), step("done", "END")))
        self.start("conditioned", variables={"n": 0})
        job = self.claim("conditioned")
        self.complete_job(job["id"], leaseToken=1)
        self.assertEqual(self.instance(job["instanceId"])["status"], "FAILED")
