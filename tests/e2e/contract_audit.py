"""The audit log: who did what, and what happened to jobs."""

from contract_case import NO_ID, TIME, ContractTestCase
from definitions import definition, one_task, step, task


class AuditTest(ContractTestCase):
    def entries(self, query):
        return self.get(f"/v1/audit?{query}").json()["items"]

    def kinds(self, instance_id):
        items = self.get(f"/v1/instances/{instance_id}/audit").json()["items"]
        return [each["kind"] for each in items]

    def test_what_is_done_to_an_instance_is_noted_in_order(self):
        self.upload(definition("audited", step("approve", "USER_TASK", nextStep="wait"),
                               step("wait", "WAIT", nextStep="work"),
                               task("work", "audited", "done"), step("done", "END")))
        instance_id = self.expect(201, "POST", "/v1/instances", {"definitionId": "audited"},
                                  {"X-Request-Id": "audit-request-1"}).json()["id"]
        base = f"/v1/instances/{instance_id}"
        self.post(f"{base}/user-tasks/approve/complete", {"variables": {"secret": "hidden"}}, 204)
        self.post(f"{base}/signals/wait", {"secret": "hidden"}, 204)
        self.fail_job(self.claim("audited", worker_id="wanda")["id"], errorMessage="no")
        self.assertEqual(self.kinds(instance_id), [
            "INSTANCE_STARTED", "USER_TASK_COMPLETED", "SIGNAL_RECEIVED", "JOB_DISPATCHED",
            "JOB_FAILED"])
        whole = self.get(f"{base}/audit")
        self.assertNotIn(b"hidden", whole.body, "Values are never noted.")
        first = whole.json()["items"][0]
        self.assertEqual((first["actor"], first["workspace"], first["instanceId"],
                          first["requestId"]),
                         ({"type": "anonymous"}, "default", instance_id, "audit-request-1"))
        self.assertRegex(first["at"], TIME)
        self.assertIn(first["remoteAddress"], ("127.0.0.1", "::1"))
        failed = whole.json()["items"][-1]
        self.assertEqual((failed["details"]["stepId"], failed["details"]["workerId"],
                          failed["details"]["message"]), ("work", "wanda", "no"))
        newest_first = [each["kind"] for each in self.entries(f"instanceId={instance_id}")]
        self.assertEqual(newest_first, self.kinds(instance_id)[::-1])

    def test_operators_leave_traces(self):
        self.upload(one_task("operated", retryCount=1))
        instance_id = self.start("operated")["id"]
        base = f"/v1/instances/{instance_id}"
        self.post(f"{base}/suspend")
        self.post(f"{base}/resume")
        self.expect(200, "PATCH", f"{base}/variables", {"variables": {"a": 1}, "remove": ["b"]})
        job = self.claim("operated")
        self.fail_job(job["id"], leaseToken=1, retryable=True)
        self.fail_job(self.claim("operated")["id"])
        self.post(f"{base}/retry")
        self.post(f"{base}/cancel", {"reason": "over"})
        self.assertEqual(self.kinds(instance_id), [
            "INSTANCE_STARTED", "INSTANCE_SUSPENDED", "INSTANCE_RESUMED", "VARIABLES_CHANGED",
            "JOB_DISPATCHED", "JOB_RETRIED", "JOB_DISPATCHED", "JOB_FAILED", "INSTANCE_RETRIED",
            "INSTANCE_CANCELLED"])

    def test_entries_are_filtered(self):
        uploaded = self.upload(one_task("audit_filters"))
        self.upload(one_task("audit_filters", retryCount=1))
        instance_id = self.start("audit_filters")["id"]
        self.post(f"/v1/instances/{instance_id}/cancel")
        mine = f"instanceId={instance_id}&"
        for query, expected in [
                ("kind=INSTANCE_CANCELLED", ["INSTANCE_CANCELLED"]),
                ("kind=INSTANCE_STARTED,INSTANCE_CANCELLED",
                 ["INSTANCE_CANCELLED", "INSTANCE_STARTED"]),
                ("kind=SIGNAL_RECEIVED", []), ("since=2999-01-01T00:00:00Z", []),
                ("until=2999-01-01T00:00:00Z", ["INSTANCE_CANCELLED", "INSTANCE_STARTED"]),
                ("keyId=nobody", [])]:
            with self.subTest(query):
                self.assertEqual([each["kind"] for each in self.entries(mine + query)], expected)
        uploads = self.entries(f"kind=DEFINITION_UPLOADED&since={uploaded['uploadedAt']}")
        self.assertEqual(sum(each["subject"].startswith("audit_filters") for each in uploads), 2)
        first = self.get(f"/v1/audit?{mine}pageSize=1").json()
        second = self.get(f"/v1/audit?{mine}pageSize=1&cursor={first['nextCursor']}").json()
        self.assertEqual(second["items"][0]["kind"], "INSTANCE_STARTED")

    def test_a_repeated_call_that_changed_nothing_is_not_noted_again(self):
        self.upload(one_task("noted_once"))
        instance_id = self.start("noted_once")["id"]
        for _ in range(2):
            self.post(f"/v1/instances/{instance_id}/suspend")
        self.assertEqual(self.kinds(instance_id), ["INSTANCE_STARTED", "INSTANCE_SUSPENDED"])

    def test_bad_questions_are_refused(self):
        for query, name in [("kind=NONSENSE", "kind"), ("since=now", "since"),
                            ("until=2026-11-15", "until")]:
            with self.subTest(query):
                self.expect_error(400, "bad-request", name, "GET", f"/v1/audit?{query}")
        self.expect_error(404, "not-found", "^instance .* not found$", "GET",
                          f"/v1/instances/{NO_ID}/audit")
        self.assertEqual(self.entries(f"instanceId={NO_ID}"), [])
