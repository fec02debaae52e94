"""Jobs: complete, fail, extend, who is refused, and lists of them."""

from contract_case import ID, NO_ID, TIME, ContractTestCase
from definitions import definition, one_task, step, task

JOB_KEYS = {"id", "workspaceId", "instanceId", "stepExecutionId", "stepId", "jobType", "status",
            "workerId", "leaseToken", "lockedAt", "lockExpiresAt", "retriesRemaining", "variables",
            "createdAt", "attempt", "idempotencyKey"}


class JobsTest(ContractTestCase):
    def claim_new(self, name, retries=0, **poll):
        """Starts an instance with one job, and claims that."""
        self.upload(one_task(name, retryCount=retries))
        self.start(name, variables={"n": 1})
        return self.claim(name, **poll)

    def test_a_job_has_all_that_a_worker_needs(self):
        job = self.claim_new("whole_job", retries=3, worker_id="me")
        self.assertEqual(set(job), JOB_KEYS)
        for key in ("id", "instanceId", "stepExecutionId"):
            self.assertRegex(job[key], ID)
        for key in ("lockedAt", "lockExpiresAt", "createdAt"):
            self.assertRegex(job[key], TIME)
        self.assertEqual((job["jobType"], job["stepId"], job["status"], job["workerId"]),
                         ("whole_job", "work", "LOCKED", "me"))
        self.assertEqual((job["leaseToken"], job["retriesRemaining"]), (1, 3))
        self.assertEqual(job["variables"], {"n": 1})

    def test_variables_are_merged_by_their_top_level_keys(self):
        self.upload(one_task("merged"))
        instance_id = self.start("merged", variables={"a": {"x": 1}, "b": 1, "c": 2})["id"]
        self.complete_job(self.claim("merged")["id"], variables={"a": {"y": 2}, "b": None})
        self.assertEqual(self.instance(instance_id)["variables"],
                         {"a": {"y": 2}, "b": None, "c": 2})

    def test_a_job_keeps_the_variables_of_its_creation(self):
        self.upload(definition(
            "snapshot", step("g", "PARALLEL_GATEWAY", parallelNextSteps=["a", "b"], joinStep="j"),
            task("a", "snapshot_a", "j"), task("b", "snapshot_b", "j"),
            step("j", "JOIN_GATEWAY", nextStep="done"), step("done", "END")))
        self.start("snapshot", variables={"n": 1})
        self.complete_job(self.claim("snapshot_a")["id"], variables={"n": 2})
        job = self.claim("snapshot_b")
        self.assertEqual(job["variables"], {"n": 1})
        self.complete_job(job["id"])
        self.assertEqual(self.instance(job["instanceId"])["variables"], {"n": 2})

    def test_a_completion_may_be_repeated(self):
        job = self.claim_new("repeated")
        proof = {"workerId": "w", "leaseToken": job["leaseToken"]}
        for variables in ({"a": 1}, {"a": 2}):
            self.complete_job(job["id"], **proof, variables=variables)
        self.complete_job(job["id"])
        self.assertEqual(self.instance(job["instanceId"])["variables"], {"n": 1, "a": 1})
        self.assertEqual(len(self.history(job["instanceId"])), 2)

    def test_failing_what_is_finished_changes_nothing(self):
        job = self.claim_new("too_late", retries=1)
        self.complete_job(job["id"])
        before = self.instance(job["instanceId"])
        for retryable in (True, False):
            self.fail_job(job["id"], retryable=retryable, errorMessage="late")
        self.assertEqual(self.instance(job["instanceId"]), before)
        self.assertEqual(self.poll("too_late"), [])

    def test_a_retryable_failure_is_tried_again_until_the_budget_is_spent(self):
        job = self.claim_new("retried", retries=1)
        self.fail_job(job["id"], workerId="w", retryable=True, errorMessage="first")
        again = self.claim("retried")
        self.assertEqual((again["id"], again["retriesRemaining"], again["leaseToken"]),
                         (job["id"], 0, 2))
        self.fail_job(job["id"], workerId="w", retryable=True, errorMessage="second")
        failed = self.instance(job["instanceId"])
        self.assertEqual((failed["status"], failed["failureReason"]), ("FAILED", "second"))
        self.assertEqual(failed["currentStepIds"], ["work"])
        self.assertRegex(failed["completedAt"], TIME)
        [line] = self.history(job["instanceId"])
        self.assertEqual((line["status"], line["failureReason"]), ("FAILED", "second"))
        self.assertEqual([each["message"] for each in line["tries"]], ["first", "second"])

    def test_a_failure_is_not_retryable_unless_it_says_so(self):
        job = self.claim_new("final", retries=5)
        self.fail_job(job["id"], errorMessage=None)
        failed = self.instance(job["instanceId"])
        self.assertEqual((failed["status"], failed["failureReason"]), ("FAILED", ""))

    def test_completing_a_failed_job_is_refused(self):
        job = self.claim_new("refused")
        self.fail_job(job["id"], errorMessage="no")
        self.expect_error(409, "conflict", "FAILED", "POST", f"/v1/jobs/{job['id']}/complete", {})
        self.fail_job(job["id"], errorMessage="again")
        self.assertEqual(self.instance(job["instanceId"])["failureReason"], "no")

    def test_only_the_holder_of_a_lease_may_decide(self):
        job = self.claim_new("held")
        path = f"/v1/jobs/{job['id']}"
        for proof in ({"workerId": "thief"}, {"workerId": "w", "leaseToken": 2}, {"leaseToken": 0}):
            for call in ("complete", "fail", "extend"):
                with self.subTest(f"{call} {proof}"):
                    self.expect_error(409, "conflict", ".", "POST", f"{path}/{call}", proof)
        self.complete_job(job["id"], leaseToken=job["leaseToken"])

    def test_the_token_of_an_earlier_claim_is_refused(self):
        first = self.claim_new("fenced", retries=1)
        self.fail_job(first["id"], leaseToken=1, retryable=True)
        second = self.claim("fenced", worker_id="w")
        self.assertEqual(second["leaseToken"], 2)
        self.expect_error(409, "conflict", "token", "POST", f"/v1/jobs/{first['id']}/complete",
                          {"workerId": "w", "leaseToken": 1})
        self.complete_job(second["id"], workerId="w", leaseToken=2)

    def test_a_token_that_was_never_handed_out_is_refused(self):
        self.upload(one_task("guessed"))
        [line] = self.history(self.start("guessed")["id"])
        for token in (0, 1):
            for call in ("complete", "fail", "release"):
                with self.subTest(f"{call} {token}"):
                    self.expect_error(409, "conflict", "token", "POST",
                                      f"/v1/jobs/{line['jobId']}/{call}", {"leaseToken": token})
        self.complete_job(line["jobId"])

    def test_a_released_job_keeps_its_retries_and_goes_to_others(self):
        job = self.claim_new("released", retries=1)
        path = f"/v1/jobs/{job['id']}/release"
        release = {"workerId": "w", "leaseToken": 1, "reason": "no room"}
        for _ in range(2):
            self.post(path, release, 204)
        self.assertEqual(self.poll("released", worker_id="w"), [])
        again = self.claim("released", worker_id="other")
        self.assertEqual((again["id"], again["retriesRemaining"], again["leaseToken"]),
                         (job["id"], 1, 2))
        self.expect_error(409, "conflict", "token", "POST", path, release)
        self.complete_job(job["id"], workerId="other", leaseToken=2)
        self.post(path, {}, 204)
        tries = self.history(job["instanceId"])[0]["tries"]
        self.assertEqual([(each["outcome"], each["workerId"]) for each in tries],
                         [("RELEASED", "w"), ("COMPLETED", "other")])
        self.assertEqual(tries[0]["message"], "no room")

    def test_a_release_and_a_failure_may_ask_for_a_delay(self):
        for call, body in (("release", {"delaySeconds": 600}),
                           ("fail", {"retryable": True, "retryAfterSeconds": 600})):
            with self.subTest(call):
                job = self.claim_new(f"delayed_{call}", retries=1)
                self.post(f"/v1/jobs/{job['id']}/{call}", {"leaseToken": 1, **body}, 204)
                self.assertEqual(self.poll(f"delayed_{call}", worker_id="other"), [])
                self.assertIn("availableAt", self.get(f"/v1/jobs/{job['id']}").json())
                self.complete_job(job["id"], leaseToken=1)

    def test_a_refused_extension_names_its_cause(self):
        job = self.claim_new("no_more_time")
        path = f"/v1/jobs/{job['id']}/extend"

        def cause(proof):
            error = self.post(path, proof, 409).json()
            return error["details"]

        self.assertEqual(cause({"leaseToken": 9}), [{"path": "cause", "message": "lost"}])
        self.post(f"/v1/instances/{job['instanceId']}/cancel", {})
        self.assertEqual(cause({"leaseToken": 1}), [{"path": "cause", "message": "cancelled"}])

    def test_a_caller_without_name_or_token_is_accepted(self):
        self.complete_job(self.claim_new("nameless")["id"])
        self.upload(one_task("unclaimed"))
        instance_id = self.start("unclaimed")["id"]
        [line] = self.history(instance_id)
        self.complete_job(line["jobId"], workerId="anybody")
        self.assertEqual(self.instance(instance_id)["status"], "COMPLETED")

    def test_a_lease_can_be_extended(self):
        job = self.claim_new("extended", leaseSeconds=5)
        reply = self.post(f"/v1/jobs/{job['id']}/extend",
                          {"workerId": "w", "leaseToken": 1, "leaseSeconds": 600}).json()
        self.assertEqual(set(reply), {"id", "leaseToken", "lockExpiresAt"})
        self.assertEqual((reply["id"], reply["leaseToken"]), (job["id"], 1))
        self.assertGreater(reply["lockExpiresAt"], job["lockExpiresAt"])
        self.complete_job(job["id"], leaseToken=1)
        self.expect_error(409, "conflict", ".", "POST", f"/v1/jobs/{job['id']}/extend", {})

    def test_unknown_jobs_are_404(self):
        for job_id in (NO_ID, "x", "01ARZ3NDEKTSV4RRFFQ6000002"):
            for call in ("complete", "fail", "extend"):
                self.expect_error(404, "not-found", "^job .* not found$", "POST",
                                  f"/v1/jobs/{job_id}/{call}", {})

    def test_bodies_are_required_and_checked(self):
        job = self.claim_new("bodies")
        for call in ("complete", "fail", "extend"):
            for body in (None, b"{", b"5", {"workerId": 5}, {"leaseToken": "1"}):
                with self.subTest(f"{call} {body}"):
                    self.expect_error(400, "bad-request", "^invalid request body: ", "POST",
                                      f"/v1/jobs/{job['id']}/{call}", body)
        self.complete_job(job["id"], variables=None)

    def test_a_list_of_completions_is_answered_item_by_item(self):
        self.upload(one_task("listed"))
        ids = [self.start("listed")["id"] for _ in range(3)]
        jobs = self.poll("listed")
        results = self.post("/v1/jobs/complete", {"jobs": [
            {"jobId": jobs[0]["id"], "leaseToken": 1, "variables": {"a": 1}},
            {"jobId": jobs[1]["id"], "leaseToken": 9}, {"jobId": NO_ID}, {}, 7,
            {"jobId": jobs[2]["id"], "workerId": "w"}]}).json()["results"]
        self.assertEqual([each["status"] for each in results], [204, 409, 404, 400, 400, 204])
        self.assertEqual([each.get("jobId") for each in results[:3]],
                         [jobs[0]["id"], jobs[1]["id"], NO_ID])
        for result, code in zip(results[1:5], ("conflict", "not-found", "bad-request",
                                               "bad-request")):
            self.check_error(result["error"], code, ".")
        self.assertEqual(sorted(self.instance(each)["status"] for each in ids),
                         ["ACTIVE", "COMPLETED", "COMPLETED"])

    def test_a_list_of_failures_is_answered_item_by_item(self):
        self.upload(one_task("fail_list", retryCount=1))
        self.start("fail_list")
        job = self.claim("fail_list")
        results = self.post("/v1/jobs/fail", {"jobs": [
            {"jobId": job["id"], "leaseToken": 1, "retryable": True, "errorMessage": "x"},
            {"jobId": "nonsense"}]}).json()["results"]
        self.assertEqual([each["status"] for each in results], [204, 404])
        self.assertEqual(self.claim("fail_list")["leaseToken"], 2)

    def test_a_list_of_releases_is_answered_item_by_item(self):
        self.upload(one_task("release_list"))
        self.start("release_list")
        job = self.claim("release_list")
        results = self.post("/v1/jobs/release", {"jobs": [
            {"jobId": job["id"], "leaseToken": 1, "workerId": "w"},
            {"jobId": "nonsense"}]}).json()["results"]
        self.assertEqual([each["status"] for each in results], [204, 404])
        self.assertEqual(self.claim("release_list", worker_id="other")["leaseToken"], 2)

    def test_one_object_with_a_job_id_is_answered_like_one(self):
        job = self.claim_new("one_object")
        self.expect_error(409, "conflict", ".", "POST", "/v1/jobs/complete",
                          {"jobId": job["id"], "workerId": "thief"})
        self.post("/v1/jobs/complete", {"jobId": job["id"]}, 204)
        self.post("/v1/jobs/fail", {"jobId": job["id"]}, 204)
        for path in ("/v1/jobs/complete", "/v1/jobs/fail", "/v1/jobs/release"):
            self.expect_error(400, "bad-request", "^jobId is required$", "POST", path, {})
            self.assertEqual(self.post(path, {"jobs": []}).json(), {"results": []})
            self.expect_error(413, "too-large", ".", "POST", path, {"jobs": [{}] * 1001})
