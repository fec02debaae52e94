"""What operators do to instances: retry, suspend and resume, mend variables, cancel many."""

from contract_case import NO_ID, TIME, ContractTestCase
from definitions import definition, one_task, step, task, timer
from server import wait_until


class RetryTest(ContractTestCase):
    def fail_new(self, name, **fields):
        self.upload(one_task(name, **fields))
        instance_id = self.start(name)["id"]
        self.fail_job(self.claim(name)["id"], errorMessage="broken")
        return instance_id

    def test_a_failed_instance_goes_on(self):
        instance_id = self.fail_new("retried_by_hand", retryCount=1)
        instance = self.post(f"/v1/instances/{instance_id}/retry").json()
        self.assertEqual((instance["status"], instance["currentStepIds"]), ("ACTIVE", ["work"]))
        self.assertNotIn("failureReason", instance)
        self.assertNotIn("completedAt", instance)
        self.assertEqual(self.instance(instance_id), instance)
        job = self.claim("retried_by_hand")
        self.assertEqual(job["retriesRemaining"], 1, "A fresh number of retries.")
        self.assertEqual(job["attempt"], 1)
        failed = self.history(instance_id)[0]["jobId"]
        self.assertNotEqual(job["id"], failed)
        self.assertEqual(job["idempotencyKey"], failed, "The same work: others see that.")
        self.complete_job(job["id"])
        self.assertEqual(self.instance(instance_id)["status"], "COMPLETED")
        self.assertEqual([(each["stepId"], each["attemptNumber"], each["status"])
                          for each in self.history(instance_id)],
                         [("work", 1, "FAILED"), ("work", 2, "COMPLETED"),
                          ("done", 1, "COMPLETED")])

    def test_steps_beside_the_failed_one_are_entered_again(self):
        self.upload(definition(
            "beside", step("g", "PARALLEL_GATEWAY", parallelNextSteps=["a", "b"], joinStep="j"),
            task("a", "beside_a", "j"), task("b", "beside_b", "j"),
            step("j", "JOIN_GATEWAY", nextStep="done"), step("done", "END")))
        instance_id = self.start("beside")["id"]
        self.fail_job(self.claim("beside_a")["id"], errorMessage="broken")
        self.assertEqual(self.poll("beside_b"), [])
        self.post(f"/v1/instances/{instance_id}/retry", {})
        for job_type in ("beside_a", "beside_b"):
            self.complete_job(self.claim(job_type)["id"])
        self.assertEqual(self.instance(instance_id)["status"], "COMPLETED")

    def test_work_that_was_done_is_not_done_again(self):
        """Only the way on failed: the retry chooses it again."""
        ways = {"1 / zero > 1": "done", "true": "done"}
        self.upload(definition("done_once", task("work", "done_once", "done",
                                                 conditionalNextSteps=ways), step("done", "END")))
        instance_id = self.start("done_once", variables={"zero": 0})["id"]
        job = self.claim("done_once")
        self.complete_job(job["id"], variables={"charged": True})
        failed = self.instance(instance_id)
        self.assertEqual((failed["status"], failed["currentStepIds"]), ("FAILED", ["work"]))
        self.assertRegex(failed["failureReason"], "^expression eval error: ")
        line = self.history(instance_id)[0]
        self.assertEqual((line["status"], line["jobStatus"]), ("COMPLETED", "COMPLETED"))
        self.expect(200, "PATCH", f"/v1/instances/{instance_id}/variables",
                    {"variables": {"zero": 1}})
        self.assertEqual(self.post(f"/v1/instances/{instance_id}/retry").json()["status"],
                         "COMPLETED")
        self.assertEqual(self.poll("done_once"), [])
        self.assertEqual([each["stepId"] for each in self.history(instance_id)], ["work", "done"])

    def test_only_what_failed_can_be_retried(self):
        self.upload(one_task("not_failed"))
        instance_id = self.start("not_failed")["id"]
        path = f"/v1/instances/{instance_id}/retry"
        self.expect_error(409, "conflict", ".", "POST", path)
        self.post(f"/v1/instances/{instance_id}/cancel")
        self.expect_error(409, "conflict", ".", "POST", path)
        self.expect_error(404, "not-found", "^instance .* not found$", "POST",
                          f"/v1/instances/{NO_ID}/retry")


class SuspendTest(ContractTestCase):
    def suspend(self, instance_id, body=None):
        return self.post(f"/v1/instances/{instance_id}/suspend", body).json()

    def resume(self, instance_id):
        return self.post(f"/v1/instances/{instance_id}/resume").json()

    def test_no_job_is_handed_out_meanwhile(self):
        self.upload(one_task("held_job"))
        instance_id = self.start("held_job")["id"]
        before = self.instance(instance_id)
        held = self.suspend(instance_id, {"reason": "a stop"})
        self.assertEqual(held, {**before, "suspended": True})
        self.assertEqual(self.suspend(instance_id), held, "Again is no error.")
        self.assertEqual(self.poll("held_job"), [])
        self.assertEqual(self.resume(instance_id), before)
        self.assertEqual(self.resume(instance_id), before, "Again is no error.")
        self.complete_job(self.claim("held_job")["id"])

    def test_what_is_under_way_may_finish_and_the_next_step_waits(self):
        self.upload(definition("under_way", task("one", "under_way_1", "two"),
                               task("two", "under_way_2", "done"), step("done", "END")))
        instance_id = self.start("under_way")["id"]
        job = self.claim("under_way_1")
        self.suspend(instance_id)
        self.complete_job(job["id"], leaseToken=1, variables={"kept": 1})
        self.assertEqual(self.instance(instance_id)["variables"], {"kept": 1})
        self.assertEqual(self.poll("under_way_2"), [])
        self.resume(instance_id)
        self.complete_job(self.claim("under_way_2")["id"])
        self.assertEqual(self.instance(instance_id)["status"], "COMPLETED")

    def test_people_and_signals_are_refused_meanwhile(self):
        self.upload(definition("held_people", step("approve", "USER_TASK", nextStep="wait"),
                               step("wait", "WAIT", nextStep="done"), step("done", "END")))
        instance_id = self.start("held_people")["id"]
        base = f"/v1/instances/{instance_id}"
        self.suspend(instance_id)
        self.expect_error(409, "conflict", "suspended", "POST",
                          f"{base}/user-tasks/approve/complete")
        self.resume(instance_id)
        self.post(f"{base}/user-tasks/approve/complete", None, 204)
        self.suspend(instance_id)
        self.expect_error(409, "conflict", "suspended", "POST", f"{base}/signals/wait")
        self.resume(instance_id)
        self.post(f"{base}/signals/wait", None, 204)

    def test_timers_fire_after_the_resume(self):
        self.upload(definition(
            "held_timer", step("wait", "WAIT", nextStep="done",
                               boundaryEvents=[timer("PT0.3S", "late", True)]),
            step("late", "WAIT", nextStep="done"), step("done", "END")))
        # One that is not suspended tells that the time of both is over.
        held, other = self.start("held_timer")["id"], self.start("held_timer")["id"]
        self.suspend(held)
        self.wait_for_step(other, "late")
        self.assertEqual(self.instance(held)["currentStepIds"], ["wait"])
        self.resume(held)
        self.wait_for_step(held, "late")

    def test_what_has_ended_is_refused(self):
        self.upload(one_task("held_too_late"))
        instance_id = self.start("held_too_late")["id"]
        self.suspend(instance_id)
        cancelled = self.post(f"/v1/instances/{instance_id}/cancel").json()
        self.assertEqual(cancelled["status"], "CANCELLED")
        for verb in ("suspend", "resume"):
            self.expect_error(409, "conflict", ".", "POST", f"/v1/instances/{instance_id}/{verb}")
            self.expect_error(404, "not-found", "^instance .* not found$", "POST",
                              f"/v1/instances/{NO_ID}/{verb}")


class VariablesTest(ContractTestCase):
    def patch(self, instance_id, body, status=200):
        return self.expect(status, "PATCH", f"/v1/instances/{instance_id}/variables", body).json()

    def refuse(self, instance_id, body, status, code, reason):
        self.expect_error(status, code, reason, "PATCH", f"/v1/instances/{instance_id}/variables",
                          body)

    def test_each_change_is_a_version(self):
        self.upload(one_task("versioned_variables"))
        started = self.start("versioned_variables", variables={"a": 1, "b": 2})
        self.assertEqual(started["variablesVersion"], 0)
        changed = self.patch(started["id"], {"variables": {"a": None, "c": [3]}, "remove": ["b"]})
        self.assertEqual((changed["variables"], changed["variablesVersion"]),
                         ({"a": None, "c": [3]}, 1))
        self.assertEqual(self.instance(started["id"]), changed)
        self.complete_job(self.claim("versioned_variables")["id"], variables={"d": 4})
        self.assertEqual(self.instance(started["id"])["variablesVersion"], 2)

    def test_a_version_that_is_not_the_latest_is_refused(self):
        self.upload(one_task("expected_version"))
        instance_id = self.start("expected_version")["id"]
        self.patch(instance_id, {"variables": {"a": 1}, "expectedVersion": 0})
        self.refuse(instance_id, {"variables": {"a": 2}, "expectedVersion": 0}, 409, "conflict",
                    "version")
        self.patch(instance_id, {"remove": ["a", "never there"], "expectedVersion": 1})
        self.assertEqual(self.instance(instance_id)["variables"], {})

    def test_a_failed_instance_can_be_mended_and_retried(self):
        self.upload(definition(
            "mended", step("compute", "TRANSFORMATION", transformations={"r": "${1 / n}"},
                           nextStep="done"), step("done", "END")))
        instance_id = self.start("mended", variables={"n": 0})["id"]
        self.assertEqual(self.instance(instance_id)["status"], "FAILED")
        self.patch(instance_id, {"variables": {"n": 4}})
        retried = self.post(f"/v1/instances/{instance_id}/retry").json()
        self.assertEqual((retried["status"], retried["variables"]),
                         ("COMPLETED", {"n": 4, "r": 0.25}))

    def test_what_has_ended_cannot_be_changed(self):
        self.upload(definition("ended_variables", step("done", "END")))
        completed = self.start("ended_variables")["id"]
        self.upload(one_task("cancelled_variables"))
        cancelled = self.start("cancelled_variables")["id"]
        self.post(f"/v1/instances/{cancelled}/cancel")
        for instance_id in (completed, cancelled):
            self.refuse(instance_id, {"variables": {"a": 1}}, 409, "conflict", ".")

    def test_an_open_job_keeps_its_variables(self):
        self.upload(one_task("job_before_patch"))
        instance_id = self.start("job_before_patch", variables={"n": 1})["id"]
        self.patch(instance_id, {"variables": {"n": 2}})
        self.assertEqual(self.claim("job_before_patch")["variables"], {"n": 1})

    def test_bad_bodies_are_refused(self):
        self.upload(one_task("bad_patches"))
        instance_id = self.start("bad_patches")["id"]
        for body, reason in [
                (None, "."), (b"{", "^invalid request body: "), ({}, "variables"),
                ({"expectedVersion": 0}, "variables"), ({"variables": []}, "variables"),
                ({"remove": "a"}, "remove"), ({"remove": [1]}, "remove"),
                ({"variables": {"a": 1}, "expectedVersion": "0"}, "expectedVersion")]:
            with self.subTest(str(body)):
                self.refuse(instance_id, body, 400, "bad-request", reason)
        self.refuse(instance_id, {"variables": {"text": "x" * (4 << 20)}}, 413, "too-large", ".")
        self.refuse(NO_ID, {"variables": {"a": 1}}, 404, "not-found", "^instance .* not found$")
        self.assertEqual(self.instance(instance_id)["variablesVersion"], 0)


class BulkCancelTest(ContractTestCase):
    def cancel(self, **body):
        return self.post("/v1/instances:cancel", body).json()

    def test_those_that_match_are_cancelled_oldest_first(self):
        self.upload(one_task("bulk"))
        ids = [self.start("bulk", businessKey=f"bulk {each % 2}")["id"] for each in range(5)]
        self.complete_job(self.claim("bulk", maxJobs=1)["id"])
        base = {"filter": {"definitionId": "bulk"}, "reason": "enough"}
        self.assertEqual(self.cancel(**base, dryRun=True),
                         {"matched": 4, "cancelled": 0, "failed": [], "more": False})
        self.assertEqual(self.cancel(**base, limit=1),
                         {"matched": 1, "cancelled": 1, "failed": [], "more": True})
        self.assertEqual([self.instance(each)["status"] for each in ids],
                         ["COMPLETED", "CANCELLED", "ACTIVE", "ACTIVE", "ACTIVE"])
        self.assertEqual(self.cancel(filter={"definitionId": "bulk", "businessKey": "bulk 1",
                                             "status": ["ACTIVE", "WAITING"]})["cancelled"], 1)
        self.assertEqual(self.cancel(**base)["cancelled"], 2)
        last = self.instance(ids[4])
        self.assertEqual((last["status"], last["failureReason"]), ("CANCELLED", "enough"))
        self.assertEqual(self.cancel(**base),
                         {"matched": 0, "cancelled": 0, "failed": [], "more": False})

    def test_a_filter_is_needed_and_checked(self):
        for body, reason in [
                (None, "."), ({}, "filter"), ({"filter": {}}, "filter"), ({"filter": 5}, "filter"),
                ({"filter": {"status": 5}}, "status"),
                ({"filter": {"startedBefore": "yesterday"}}, "startedBefore"),
                ({"filter": {"definitionId": "x"}, "limit": 0}, "limit"),
                ({"filter": {"definitionId": "x"}, "limit": 10001}, "limit"),
                ({"filter": {"definitionId": "x"}, "dryRun": "yes"}, "dryRun"),
                # What nobody knows, or nothing can have, must not widen the filter.
                ({"filter": {"definitionId": "x", "colour": "red"}}, "colour"),
                ({"filter": {"definitionId": "x", "businessKey": ""}}, "businessKey"),
                ({"filter": {"definitionId": "x", "businessKey": None}}, "businessKey"),
                ({"filter": {"definitionId": "x"}, "dry_run": True}, "dry_run")]:
            with self.subTest(str(body)):
                self.expect_error(400, "bad-request", reason, "POST", "/v1/instances:cancel", body)


class RetryPolicyTest(ContractTestCase):
    def test_a_failed_job_waits_for_its_next_try(self):
        policy = {"initialDelay": "PT1H", "factor": 3, "maxDelay": "PT2H", "jitter": 0}
        self.upload(one_task("waits_an_hour", retryCount=2, retryPolicy=policy))
        self.start("waits_an_hour")
        job = self.claim("waits_an_hour")
        self.fail_job(job["id"], leaseToken=1, retryable=True)
        self.assertEqual(self.poll("waits_an_hour"), [])
        waiting = self.get(f"/v1/jobs/{job['id']}").json()
        self.assertRegex(waiting["availableAt"], TIME)
        self.assertEqual((waiting["status"], waiting["retriesRemaining"], waiting["attempt"]),
                         ("UNLOCKED", 1, 1))

    def test_it_comes_back_by_itself(self):
        self.upload(one_task("waits_a_bit", retryCount=1,
                             retryPolicy={"initialDelay": "PT0.2S", "jitter": 0.5}))
        self.start("waits_a_bit")
        job = self.claim("waits_a_bit")
        self.fail_job(job["id"], leaseToken=1, retryable=True)
        again = self.claim("waits_a_bit", waitSeconds=20)
        self.assertEqual((again["id"], again["attempt"], again["idempotencyKey"]),
                         (job["id"], 2, job["idempotencyKey"]))


class TimeoutTest(ContractTestCase):
    def test_a_try_that_takes_too_long_is_ended_whatever_its_lease(self):
        self.upload(one_task("timed_out", retryCount=1, timeout="PT1S"))
        instance_id = self.start("timed_out")["id"]
        self.claim("timed_out", worker_id="slow", leaseSeconds=600)
        again = self.claim("timed_out", worker_id="next", waitSeconds=20)
        self.assertEqual((again["workerId"], again["attempt"]), ("next", 2))
        [line] = self.history(instance_id)
        self.assertEqual([(each["outcome"], each["workerId"]) for each in line["tries"]],
                         [("TIMED_OUT", "slow")])
        wait_until(lambda: self.instance(instance_id)["status"] == "FAILED", "the last timeout")
