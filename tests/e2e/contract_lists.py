"""Lists: filters of instances, versions of definitions, jobs, and cursors through all of them."""

import urllib.parse

from contract_case import NO_ID, ContractTestCase
from definitions import definition, one_task, step

LISTS = ["/v1/definitions", "/v1/instances", "/v1/user-tasks", "/v1/jobs", "/v1/audit", "/v1/keys"]


class CursorsTest(ContractTestCase):
    def walk(self, path, page_size):
        """The ids of all pages, by cursor."""
        ids, cursor = [], None
        for _ in range(20):
            extra = f"&cursor={cursor}" if cursor else ""
            page = self.get(f"{path}&pageSize={page_size}{extra}").json()
            self.assertEqual((page["page"], page["pageSize"]), (0, page_size))
            self.assertLessEqual(len(page["items"]), page_size)
            ids += [each["id"] for each in page["items"]]
            cursor = page.get("nextCursor")
            if cursor is None:
                return ids
        self.fail("The pages do not end.")

    def check(self, path, count):
        whole = self.get(f"{path}&pageSize=500").json()
        self.assertNotIn("nextCursor", whole)
        ids = [each["id"] for each in whole["items"]]
        self.assertEqual(len(ids), count)
        for page_size in (1, 2, count, count + 1):
            with self.subTest(page_size):
                self.assertEqual(self.walk(path, page_size), ids)

    def test_definitions(self):
        for each in range(5):
            self.upload(one_task(f"cursor_{each}"))
        self.check("/v1/definitions?keyword=cursor_", 5)

    def test_instances(self):
        self.upload(one_task("cursored"))
        for _ in range(5):
            self.start("cursored")
        self.check("/v1/instances?definitionId=cursored", 5)
        self.check("/v1/instances?definitionId=cursored&status=ACTIVE,WAITING", 5)

    def test_a_cursor_skips_and_repeats_nothing_while_the_list_grows(self):
        self.upload(one_task("growing"))
        old = [self.start("growing")["id"] for _ in range(3)]
        path = "/v1/instances?definitionId=growing&pageSize=2"
        first = self.get(path).json()
        self.start("growing")
        second = self.get(f"{path}&cursor={first['nextCursor']}&page=7").json()
        self.assertEqual([each["id"] for each in first["items"] + second["items"]], old[::-1])
        self.assertEqual(second["page"], 0)
        self.assertNotIn("nextCursor", second)

    def test_jobs(self):
        self.upload(one_task("cursored_jobs"))
        for _ in range(3):
            self.start("cursored_jobs")
        self.check("/v1/jobs?jobType=cursored_jobs", 3)

    def test_user_tasks(self):
        self.upload(definition("cursored_tasks", step("approve", "USER_TASK", nextStep="done"),
                               step("done", "END")))
        for _ in range(3):
            self.start("cursored_tasks")
        self.check("/v1/user-tasks?definitionId=cursored_tasks", 3)
        self.check("/v1/user-tasks?definitionId=cursored_tasks&status=ALL", 3)

    def test_a_cursor_of_nobody_is_refused(self):
        for path in LISTS:
            for cursor in ("nonsense", "%00", "e30", "A" * 300):
                with self.subTest(f"{path} {cursor[:10]}"):
                    self.expect_error(400, "bad-request",
                                      "^cursor is not one that this server gave out", "GET",
                                      f"{path}?cursor={cursor}")

    def test_a_cursor_of_another_list_is_refused(self):
        self.upload(definition("two_lists", step("approve", "USER_TASK", nextStep="done"),
                               step("done", "END")))
        for _ in range(2):
            self.start("two_lists")
        cursor = self.get("/v1/user-tasks?pageSize=1").json()["nextCursor"]
        self.get(f"/v1/user-tasks?pageSize=1&cursor={cursor}")
        for path in LISTS:
            if path != "/v1/user-tasks":
                with self.subTest(path):
                    self.expect_error(400, "bad-request", "for this list$", "GET",
                                      f"{path}?cursor={cursor}")

    def test_values_that_nothing_has_are_refused(self):
        for query, allowed in [("user-tasks?status=BOGUS", "`OPEN`, `COMPLETED`, `CANCELLED`, `ALL`"),
                               ("user-tasks?status=open", "OPEN"),
                               ("user-tasks?unassigned=bogus", "true or false"),
                               ("jobs?status=COMPLETED", "`UNLOCKED`, `LOCKED`"),
                               ("jobs?status=LOKED", "did you mean `LOCKED`"),
                               ("instances?status=ACTIVE,FAILD", "did you mean `FAILED`")]:
            with self.subTest(query):
                self.expect_error(400, "bad-request", allowed, "GET", f"/v1/{query}")


class InstanceFiltersTest(ContractTestCase):
    def check(self, rows, ids):
        for query, expected in rows:
            with self.subTest(query):
                items = self.get(f"/v1/instances?definitionId=found&{query}").json()["items"]
                self.assertEqual([each["id"] for each in items], [ids[each] for each in expected])

    def test_filters_find_what_they_say(self):
        self.upload(one_task("found"))
        first = self.start("found", variables={"city": "Zürich", "n": 1}, businessKey="Order-7")
        self.upload(one_task("found", retryCount=1))
        second = self.start("found", variables={"nested": {"deep": ["Needle_100%"]}})
        third = self.start("found")
        jobs = {each["instanceId"]: each["id"] for each in self.poll("found")}
        self.complete_job(jobs[second["id"]])
        self.fail_job(jobs[third["id"]], errorMessage="The Printer is on fire")
        ids = [each["id"] for each in (first, second, third)]
        after = urllib.parse.quote(second["startedAt"])
        self.check([
            ("definitionVersion=1", [0]), ("definitionVersion=2", [2, 1]),
            ("definitionVersion=3", []),
            ("status=COMPLETED,FAILED", [2, 1]),
            (f"startedAfter={after}", [2, 1]), (f"startedBefore={after}", [0]),
            ("startedAfter=2999-01-01T00:00:00Z", []),
            ("startedBefore=2999-01-01T00:00:00%2B02:00", [2, 1, 0]),
            ("text=order-7", [0]), ("text=rder", [0]), ("text=printer", [2]), ("text=FIRE", [2]),
            ("text=needle_100%25", [1]), ("text=needle%25100", []), ("text=needleX100", []),
            ("text=Z%C3%BCrich", [0]), ("text=FOUND", [2, 1, 0]), (f"text={ids[1].lower()}", [1]),
            ("text=printer&status=ACTIVE", []), ("text=", [2, 1, 0]),
        ], ids)

    def test_the_suspended_are_found(self):
        self.upload(one_task("found"))
        held, other = self.start("found")["id"], self.start("found")["id"]
        self.post(f"/v1/instances/{held}/suspend")
        path = "/v1/instances?definitionId=found&suspended="
        self.assertIn(held, [each["id"] for each in self.get(path + "true").json()["items"]])
        self.assertNotIn(other, [each["id"] for each in self.get(path + "true").json()["items"]])
        self.assertIn(other, [each["id"] for each in self.get(path + "false").json()["items"]])

    def test_bad_filters_are_refused(self):
        for query, name in [("startedAfter=yesterday", "startedAfter"),
                            ("startedBefore=2026-13-01T00:00:00Z", "startedBefore"),
                            ("startedBefore=2026-11-15", "startedBefore"),
                            ("suspended=maybe", "suspended"),
                            ("definitionVersion=x", "definitionVersion")]:
            with self.subTest(query):
                self.expect_error(400, "bad-request", name, "GET", f"/v1/instances?{query}")


class VersionsTest(ContractTestCase):
    def test_versions_are_listed_newest_first(self):
        uploaded = [self.upload(one_task("many_versions", retryCount=each)) for each in range(3)]
        listed = self.get("/v1/definitions/many_versions/versions").json()
        self.assertEqual((listed["items"], listed["total"]), (uploaded[::-1], 3))
        page = self.get("/v1/definitions/many_versions/versions?pageSize=1&page=2").json()
        self.assertEqual(page["items"], uploaded[:1])
        self.expect_error(404, "not-found", "^definition not found$", "GET",
                          "/v1/definitions/no_versions/versions")


class JobQueriesTest(ContractTestCase):
    def test_open_jobs_are_listed_oldest_first(self):
        self.upload(one_task("listed_jobs", retryCount=1))
        instances = [self.start("listed_jobs")["id"] for _ in range(3)]
        held = self.claim("listed_jobs", worker_id="list worker", maxJobs=1)
        base = "/v1/jobs?jobType=listed_jobs"
        for query, expected in [
                ("", [0, 1, 2]), ("&status=UNLOCKED", [1, 2]), ("&status=LOCKED", [0]),
                ("&workerId=list+worker", [0]), ("&workerId=other", []),
                (f"&instanceId={instances[1]}", [1]), (f"&instanceId={NO_ID}", []),
                ("&instanceId=x", []), ("&pageSize=1&page=1", [1])]:
            with self.subTest(query):
                items = self.get(base + query).json()["items"]
                self.assertEqual([each["instanceId"] for each in items],
                                 [instances[each] for each in expected])
        first, second, _ = self.get(base).json()["items"]
        self.assertEqual(first, {key: held[key] for key in first})
        self.assertEqual((first["status"], first["attempt"], first["workerId"]),
                         ("LOCKED", 1, "list worker"))
        self.assertEqual((second["status"], second["attempt"]), ("UNLOCKED", 0))
        self.assertFalse({"workerId", "lockedAt", "lockExpiresAt", "availableAt"} & set(second))
        self.assertEqual(self.get(f"/v1/jobs/{held['id']}").json(), {**first, "tries": []})

    def test_a_job_that_is_over_is_found_with_its_tries(self):
        self.upload(one_task("found_jobs", retryCount=1))
        instance_id = self.start("found_jobs")["id"]
        job = self.claim("found_jobs", worker_id="one")
        self.assertEqual((job["attempt"], job["idempotencyKey"]), (1, job["id"]))
        self.fail_job(job["id"], leaseToken=1, retryable=True, errorMessage="jam")
        again = self.claim("found_jobs", worker_id="two")
        self.assertEqual((again["attempt"], again["idempotencyKey"]), (2, job["id"]))
        self.complete_job(job["id"], leaseToken=2)
        self.assertEqual(self.get("/v1/jobs?jobType=found_jobs").json()["items"], [])
        over = self.get(f"/v1/jobs/{job['id']}").json()
        self.assertEqual((over["id"], over["instanceId"], over["stepId"], over["status"]),
                         (job["id"], instance_id, "work", "COMPLETED"))
        self.assertEqual([(each["attempt"], each["outcome"], each["workerId"])
                          for each in over["tries"]],
                         [(1, "FAILED", "one"), (2, "COMPLETED", "two")])
        self.assertEqual(over["tries"], self.history(instance_id)[0]["tries"])

    def test_jobs_that_failed_or_were_cancelled_are_found(self):
        self.upload(one_task("ended_jobs"))
        failed, cancelled = [self.start("ended_jobs")["id"] for _ in range(2)]
        jobs = {each["instanceId"]: each["id"] for each in self.poll("ended_jobs")}
        self.fail_job(jobs[failed], errorMessage="no")
        self.post(f"/v1/instances/{cancelled}/cancel")
        for instance_id, status in ((failed, "FAILED"), (cancelled, "CANCELLED")):
            self.assertEqual(self.get(f"/v1/jobs/{jobs[instance_id]}").json()["status"], status)

    def test_unknown_jobs_are_404(self):
        for job_id in (NO_ID, "x", "01ARZ3NDEKTSV4RRFFQ6000004"):
            self.expect_error(404, "not-found", "^job .* not found$", "GET", f"/v1/jobs/{job_id}")
