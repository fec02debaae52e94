"""Why is it not running? Situations that people meet, and what the server says of each."""

from contract_queue import FAR_FUTURE, QueueTestCase, far
from definitions import definition, one_task, step, task, timer

SECRET = "nobody may read this"
SLOW = {"initialDelay": "PT1H"}


def forked(definition_id):
    """Two branches: one job each, then a join."""
    return definition(
        definition_id,
        step("fork", "PARALLEL_GATEWAY", parallelNextSteps=["left", "right"], joinStep="join"),
        task("left", f"{definition_id}.left", "join"),
        task("right", f"{definition_id}.right", "join"),
        step("join", "JOIN_GATEWAY", nextStep="done"), step("done", "END"))


class ExplainTest(QueueTestCase):
    def explain(self, kind, name, headers=None):
        reply = self.expect(200, "GET", f"/v1/{kind}/{name}/explain", headers=headers)
        self.assertNotIn(SECRET, reply.body.decode())
        answer = reply.json()
        self.assertEqual(answer["summary"], answer["reasons"][0]["message"])
        return answer

    def why(self, kind, name, *codes, headers=None):
        """The explanation, which must have just these codes."""
        answer = self.explain(kind, name, headers)
        self.assertEqual([each["code"] for each in answer["reasons"]], list(codes), answer)
        return answer

    def why_execution(self, execution_id, *codes):
        return self.why("executions", execution_id, *codes)

    def evidence(self, answer, index=0):
        return answer["reasons"][index]["evidence"]

    def test_a_full_workspace_names_who_has_its_slots(self):
        self.new_workspace("e-full", one_task("e_full"), plan="FREE")
        first = self.enqueue("e-full", "e_full", input={"a": SECRET})["id"]
        self.wait_for(first, "DISPATCHED")
        second, third = (self.enqueue("e-full", "e_full")["id"] for _ in range(2))
        answer = self.why_execution(second, "WORKSPACE_FULL")
        self.assertEqual(self.evidence(answer), {"active": 1, "limit": 1, "plan": "FREE",
                                                 "heldBy": [first]})
        answer = self.why_execution(third, "WORKSPACE_FULL", "BEHIND_OTHERS")
        self.assertEqual(self.evidence(answer, 1), {"position": 2, "isCapped": False})
        self.why("workspaces", "e-full", "WORKSPACE_FULL")

    def test_a_limit_of_zero_and_a_pause(self):
        self.new_workspace("e-zero", one_task("e_zero"), maxActive=0)
        waiting = self.enqueue("e-zero", "e_zero")["id"]
        self.why_execution(waiting, "LIMIT_ZERO")
        self.expect(200, "PATCH", "/v1/workspaces/e-zero", {"maxActive": 1, "paused": True})
        self.why_execution(waiting, "WORKSPACE_PAUSED")
        self.assertEqual(self.why("workspaces", "e-zero", "WORKSPACE_PAUSED")["status"], "PAUSED")
        self.pause("e-zero", False)
        self.wait_for(waiting, "DISPATCHED")

    def test_a_delay_ends_at_a_time(self):
        self.new_workspace("e-later", one_task("e_later"))
        waiting = self.enqueue("e-later", "e_later", notBefore=FAR_FUTURE)["id"]
        answer = self.why_execution(waiting, "NOT_BEFORE")
        self.assertEqual(answer["estimatedAt"], FAR_FUTURE)
        self.why("workspaces", "e-later", "DELAYED")

    def test_a_rate_tells_when_there_is_room_again(self):
        self.new_workspace("e-rate", one_task("e_rate"), ratePerSecond=0.001)
        self.wait_for(self.enqueue("e-rate", "e_rate")["id"], "DISPATCHED")
        waiting = self.enqueue("e-rate", "e_rate")["id"]
        answer = self.why_execution(waiting, "RATE_LIMITED")
        self.assertIn("estimatedAt", answer)

    def test_a_full_key_names_who_has_it(self):
        self.new_workspace("e-key", one_task("e_key"))
        first = self.enqueue("e-key", "e_key", concurrencyKey="k")["id"]
        self.wait_for(first, "DISPATCHED")
        waiting = self.enqueue("e-key", "e_key", concurrencyKey="k")["id"]
        answer = self.explain("executions", waiting)
        self.assertEqual(answer["reasons"][0]["code"], "KEY_FULL")
        self.assertEqual(self.evidence(answer)["heldBy"], [first])

    def test_a_target_that_nobody_knows(self):
        self.new_workspace("e-target", far("e_target"), maxAttempts=1)
        self.pause("e-target", True)
        waiting = self.enqueue("e-target", "e_target")["id"]
        self.why_execution(waiting, "WORKSPACE_PAUSED", "TARGET_UNKNOWN")
        self.pause("e-target", False)
        self.wait_for(waiting, "FAILED")
        answer = self.why_execution(waiting, "FAILED")
        self.assertTrue(answer["over"])
        self.assertIn("redrive", answer["reasons"][0]["advice"])

    def test_jobs_tell_of_their_workers(self):
        self.new_workspace("e-job", one_task("e_job", retryCount=3, retryPolicy=SLOW))
        headers = {"Millrace-Workspace": "e-job"}
        run = self.enqueue("e-job", "e_job")["id"]
        self.wait_for(run, "DISPATCHED")
        answer = self.why_execution(run, "NO_WORKER")
        job = self.evidence(answer)["jobId"]
        self.why("jobs", job, "NO_WORKER", headers=headers)
        poll = {"workerId": "w7", "jobTypes": ["e_job"]}
        self.expect(200, "POST", "/v1/jobs/poll", poll, headers)
        held = self.why("jobs", job, "JOB_HELD", headers=headers)
        self.assertEqual(self.evidence(held)["workerId"], "w7")
        failure = {"workerId": "w7", "errorMessage": "x", "retryable": True}
        self.expect(204, "POST", f"/v1/jobs/{job}/fail", failure, headers)
        waiting = self.why_execution(run, "JOB_BACKING_OFF")
        self.assertIn("estimatedAt", waiting)

    def test_an_instance_waits_for_a_person_a_signal_a_timer_or_a_branch(self):
        waits = [
            ("e_person", [step("ask", "USER_TASK", nextStep="done"), step("done", "END")],
             ["WAITS_FOR_TASK"]),
            ("e_signal", [step("hold", "WAIT", nextStep="done"), step("done", "END")],
             ["WAITS_FOR_SIGNAL"]),
            ("e_timer", [step("hold", "WAIT", nextStep="done",
                              boundaryEvents=[timer("PT1H", "done", True)]), step("done", "END")],
             ["WAITS_FOR_SIGNAL", "WAITS_FOR_TIMER"]),
        ]
        for name, steps, codes in waits:
            with self.subTest(name):
                self.upload(definition(name, *steps))
                instance = self.start(name)["id"]
                self.why("instances", instance, *codes)
                self.post(f"/v1/instances/{instance}/suspend")
                self.why("instances", instance, "SUSPENDED", *codes)
                self.post(f"/v1/instances/{instance}/cancel")
                self.why("instances", instance, "INSTANCE_CANCELLED")

    def test_a_join_names_the_branch_that_is_missing(self):
        self.upload(forked("e_fork"))
        instance = self.start("e_fork")["id"]
        self.complete_job(self.claim("e_fork.left")["id"], workerId="w")
        self.wait_for_step(instance, "join")
        answer = self.explain("instances", instance)
        [join] = [each for each in answer["reasons"] if each["code"] == "WAITS_FOR_JOIN"]
        self.assertEqual(join["evidence"]["openBranches"], ["right"])

    def test_what_is_over_says_how(self):
        self.new_workspace("e-over", one_task("e_over"))
        gone = self.enqueue("e-over", "e_over", notBefore=FAR_FUTURE)["id"]
        self.post(f"/v1/executions/{gone}/cancel")
        self.assertTrue(self.why_execution(gone, "CANCELLED")["over"])
        self.why("workspaces", "e-over", "NOTHING_WAITS")

    def test_what_is_not_there_is_not_found(self):
        for path in ("executions/01ARZ3NDEKTSV4RRFFQ8000000", "instances/x", "jobs/x",
                     "workspaces/e-nowhere"):
            self.expect_error(404, "not-found", ".", "GET", f"/v1/{path}/explain")
