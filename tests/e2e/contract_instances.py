"""Instances: start, read, list, history, cancel, user tasks and signals."""

import json

from contract_case import ID, INSTANCE_KEYS, NO_ID, TIME, ContractTestCase
from definitions import definition, one_task, step, task, timer

HISTORY_KEYS = {"id", "instanceId", "stepId", "stepType", "attemptNumber", "status", "startedAt",
                "endedAt", "failureReason"}


class InstancesTest(ContractTestCase):
    def test_a_start_is_answered_with_the_instance(self):
        self.upload(one_task("started"))
        started = self.start("started", variables={"n": 1}, businessKey="order 7")
        self.assertEqual(set(started), INSTANCE_KEYS | {"businessKey"})
        self.assertRegex(started["id"], ID)
        self.assertRegex(started["startedAt"], TIME)
        self.assertEqual(started["definitionId"], "started")
        self.assertEqual(started["definitionVersion"], 1)
        self.assertEqual(started["status"], "ACTIVE")
        self.assertEqual(started["currentStepIds"], ["work"])
        self.assertEqual(started["variables"], {"n": 1})
        self.assertEqual(started["businessKey"], "order 7")
        self.assertEqual(self.instance(started["id"]), started)

    def test_what_is_absent_or_null_has_its_default(self):
        self.upload(one_task("defaults"))
        for fields in ({}, {"variables": None, "businessKey": None, "definitionVersion": None},
                       {"variables": {}, "businessKey": "", "definitionVersion": 0},
                       {"definitionVersion": 0, "unknown": [1]}):
            started = self.start("defaults", **fields)
            self.assertEqual(set(started), INSTANCE_KEYS)
            self.assertEqual((started["variables"], started["definitionVersion"]), ({}, 1))

    def test_a_version_can_be_chosen(self):
        self.upload(one_task("chosen"))
        self.upload(one_task("chosen", retryCount=1))
        self.assertEqual(self.start("chosen")["definitionVersion"], 2)
        self.assertEqual(self.start("chosen", definitionVersion=1)["definitionVersion"], 1)
        self.expect_error(404, "not-found", ".", "POST", "/v1/instances",
                          {"definitionId": "chosen", "definitionVersion": 3})

    def test_bad_starts_are_refused(self):
        self.upload(one_task("bad_start"))
        for body, reason in [
                ({}, "^definitionId is required$"),
                ({"definitionId": ""}, "^definitionId is required$"),
                (b"", "^invalid request body: "), (b"{", "^invalid request body: "),
                (b"[]", "^invalid request body: "),
                ({"definitionId": 5}, "^invalid request body: "),
                ({"definitionId": "bad_start", "variables": []}, "^invalid request body: "),
                ({"definitionId": "bad_start", "definitionVersion": "1"},
                 "^invalid request body: "),
                ({"definitionId": "bad_start", "businessKey": 1}, "^invalid request body: ")]:
            self.expect_error(400, "bad-request", reason, "POST", "/v1/instances", body)
        self.expect_error(404, "not-found", ".", "POST", "/v1/instances", {"definitionId": "none"})

    def test_what_runs_elsewhere_is_not_started_here(self):
        self.upload({"id": "elsewhere", "name": "Elsewhere", "executor": {"kind": "temporal"}})
        self.expect_error(400, "bad-request", "enqueue", "POST", "/v1/instances",
                          {"definitionId": "elsewhere"})
        batch = {"instances": [{"definitionId": "elsewhere"}]}
        result = self.post("/v1/instances:batch", batch).json()["results"][0]
        self.check_error(result["error"], "bad-request", "enqueue")
        self.upload(definition("to_elsewhere", step("done", "END"), autoStartNextWorkflow=True,
                               nextWorkflowId="elsewhere"))
        started = self.start("to_elsewhere")
        self.assertEqual(started["status"], "COMPLETED")
        self.assertRegex(self.instance(started["id"])["chainFailure"], "^CHAIN_FAILED: .*enqueued")

    def test_keys_have_no_case_and_nothing_may_follow_the_body(self):
        self.upload(one_task("lenient"))
        body = b'{"DEFINITIONID":"lenient","Variables":{"Case":"kept"}}'
        started = self.expect(201, "POST", "/v1/instances", body).json()
        self.assertEqual(started["variables"], {"Case": "kept"})
        for rest in (b" x", b" }} trailing", b"{}"):
            self.expect_error(400, "bad-request", "^invalid request body: ", "POST",
                              "/v1/instances", body + rest)

    def test_a_version_is_0_or_more(self):
        self.upload(one_task("versioned"))
        body = {"definitionId": "versioned", "definitionVersion": 0}
        self.assertEqual(self.post("/v1/instances", body, 201).json()["definitionVersion"], 1)
        self.expect_error(400, "bad-request", "^definitionVersion must not be negative", "POST",
                          "/v1/instances", {**body, "definitionVersion": -1})

    def test_integers_are_exact_to_64_bits(self):
        self.upload(one_task("exact"))
        numbers = {"odd": 9007199254740993, "max": 2**63 - 1, "min": -2**63, "half": 0.5}
        started = self.start("exact", variables=numbers)
        self.assertEqual(started["variables"], numbers)
        job = self.claim("exact")
        self.assertEqual(job["variables"], numbers)
        self.complete_job(job["id"], variables={"after": 9007199254740995})
        self.assertEqual(self.instance(started["id"])["variables"],
                         {**numbers, "after": 9007199254740995})

    def test_text_survives_as_it_is(self):
        self.upload(one_task("unicode"))
        text = {"snow": "☃ \U0001f600 \" \\ \n \u2028 <&>", "ключ": "значение"}
        started = self.start("unicode", variables=text)
        self.assertEqual(self.instance(started["id"])["variables"], text)

    def test_automatic_steps_run_within_the_start(self):
        self.upload(definition(
            "automatic", step("set", "TRANSFORMATION", transformations={"b": "${a * 2}"},
                              nextStep="choose"),
            step("choose", "DECISION", conditionalNextSteps={"b > 5": "done"}),
            step("done", "END")))
        started = self.start("automatic", variables={"a": 3})
        self.assertEqual((started["status"], started["currentStepIds"]), ("COMPLETED", []))
        self.assertEqual(started["variables"], {"a": 3, "b": 6})
        self.assertRegex(self.instance(started["id"])["completedAt"], TIME)
        stuck = self.start("automatic", variables={"a": 1})
        self.assertEqual((stuck["status"], stuck["currentStepIds"]), ("FAILED", ["choose"]))
        self.assertEqual(self.instance(stuck["id"])["failureReason"],
                         "no conditionalNextSteps branch matched (DecisionNoBranchMatched)")

    def test_unknown_and_malformed_ids_are_404(self):
        for instance_id in (NO_ID, "x", "01ARZ3NDEKTSV4RRFFQ6000001", "%20"):
            for path, method in (("", "GET"), ("/history", "GET"), ("/cancel", "POST")):
                with self.subTest(f"{instance_id}{path}"):
                    self.expect_error(404, "not-found", "^instance .* not found$", method,
                                      f"/v1/instances/{instance_id}{path}")

    def test_history_is_in_order_and_in_camel_case(self):
        self.upload(definition(
            "historic", step("set", "TRANSFORMATION", transformations={"x": 1}, nextStep="work"),
            task("work", "historic", "done"), step("done", "END")))
        instance_id = self.start("historic")["id"]
        running = self.history(instance_id)
        self.assertEqual([each["status"] for each in running], ["COMPLETED", "RUNNING"])
        self.assertIsNone(running[1]["endedAt"])
        self.complete_job(self.claim("historic")["id"])
        items = self.history(instance_id)
        self.assertEqual([(each["stepId"], each["stepType"], each["status"]) for each in items],
                         [("set", "TRANSFORMATION", "COMPLETED"),
                          ("work", "SERVICE_TASK", "COMPLETED"), ("done", "END", "COMPLETED")])
        for each in items:
            self.assertLessEqual(HISTORY_KEYS, set(each))
            self.assertRegex(each["id"], ID)
            self.assertRegex(each["startedAt"], TIME)
            self.assertRegex(each["endedAt"], TIME)
            self.assertEqual((each["instanceId"], each["attemptNumber"]), (instance_id, 1))
            self.assertIsNone(each["failureReason"])
        self.assertEqual(sorted(each["id"] for each in items), [each["id"] for each in items])

    def test_lists_are_filtered_and_newest_first(self):
        self.upload(one_task("filtered"))
        ids = [self.start("filtered", businessKey=f"key {n % 2}")["id"] for n in range(3)]
        self.complete_job(self.claim("filtered", maxJobs=1)["id"])
        base = "/v1/instances?definitionId=filtered"
        for query, expected in [("", [2, 1, 0]), ("&status=ACTIVE", [2, 1]),
                                ("&status=COMPLETED", [0]), ("&businessKey=key%201", [1]),
                                ("&businessKey=key+0&status=ACTIVE", [2]),
                                ("&pageSize=2", [2, 1]), ("&pageSize=2&page=1", [0]),
                                ("&page=-1", [2, 1, 0]), ("&page=5", [])]:
            with self.subTest(query):
                reply = self.get(base + query).json()
                self.assertEqual([each["id"] for each in reply["items"]],
                                 [ids[each] for each in expected])
        for query in ("&status=NONSENSE", "&staus=ACTIVE", "&page=0&page=1"):
            self.get(base + query, 400)
        self.assertEqual(self.get(base + "&pageSize=1").json()["total"], 3)
        self.assertIn(b'"items":[]', self.get(base + "&status=FAILED").body)

    def test_cancel_ends_everything_once(self):
        self.upload(one_task("cancelled"))
        instance_id = self.start("cancelled", businessKey="k")["id"]
        job = self.claim("cancelled")
        cancelled = self.post(f"/v1/instances/{instance_id}/cancel", {"reason": "a typo"}).json()
        self.assertEqual((cancelled["status"], cancelled["failureReason"]), ("CANCELLED", "a typo"))
        self.assertEqual(cancelled["currentStepIds"], ["work"])
        self.assertEqual(self.instance(instance_id), cancelled)
        self.assertEqual([each["status"] for each in self.history(instance_id)], ["SKIPPED"])
        self.complete_job(job["id"])
        self.assertEqual(self.instance(instance_id), cancelled)
        self.assertEqual(self.poll("cancelled"), [])
        self.expect_error(409, "conflict", ".", "POST", f"/v1/instances/{instance_id}/cancel", {})

    def test_a_cancel_needs_no_body(self):
        self.upload(one_task("no_reason"))
        for body in (None, b"garbage", {"reason": None}):
            instance_id = self.start("no_reason")["id"]
            cancelled = self.post(f"/v1/instances/{instance_id}/cancel", body).json()
            self.assertEqual((cancelled["status"], cancelled["failureReason"]), ("CANCELLED", ""))

    def test_a_batch_of_starts_is_answered_item_by_item(self):
        self.upload(one_task("batched"))
        results = self.post("/v1/instances:batch", {"instances": [
            {"definitionId": "batched"}, {"definitionId": "none"}, {}, 5]}).json()["results"]
        self.assertEqual([each["status"] for each in results], [201, 404, 400, 400])
        self.assertEqual(self.instance(results[0]["instance"]["id"])["status"], "ACTIVE")
        self.check_error(results[1]["error"], "not-found", ".")
        self.assertEqual(json.loads(self.post("/v1/instances:batch", {"instances": []}).body),
                         {"results": []})


class PeopleAndSignalsTest(ContractTestCase):
    def start_waiting(self, name):
        self.upload(definition(
            name, step("approve", "USER_TASK", nextStep="hold"),
            step("hold", "WAIT", nextStep="work", boundaryEvents=[timer("PT1H", "done", True)]),
            task("work", name, "done"), step("done", "END")))
        started = self.start(name)
        self.assertEqual((started["status"], started["currentStepIds"]), ("WAITING", ["approve"]))
        return started["id"]

    def task_path(self, instance_id, step_id):
        return f"/v1/instances/{instance_id}/user-tasks/{step_id}/complete"

    def signal_path(self, instance_id, step_id):
        return f"/v1/instances/{instance_id}/signals/{step_id}"

    def test_people_and_signals_move_an_instance_on(self):
        instance_id = self.start_waiting("moved")
        body = {"workerId": "ann", "variables": {"approved": True}}
        self.assertEqual(self.post(self.task_path(instance_id, "approve"), body, 204).body, b"")
        self.assertEqual(self.instance(instance_id)["currentStepIds"], ["hold"])
        self.post(self.signal_path(instance_id, "hold"), {"paid": 5}, 204)
        moved = self.instance(instance_id)
        self.assertEqual((moved["status"], moved["currentStepIds"]), ("ACTIVE", ["work"]))
        self.assertEqual(moved["variables"], {"approved": True, "paid": 5})

    def test_bodies_are_optional(self):
        instance_id = self.start_waiting("bodiless")
        self.post(self.task_path(instance_id, "approve"), None, 204)
        self.post(self.signal_path(instance_id, "hold"), None, 204)
        self.assertEqual(self.instance(instance_id)["variables"], {})

    def test_the_checks_have_an_order(self):
        instance_id = self.start_waiting("ordered")
        rows = [("task", NO_ID, "approve", 404, "not-found", "instance"),
                ("task", instance_id, "nowhere", 404, "not-found", "^user task not found$"),
                ("task", instance_id, "hold", 400, "bad-request",
                 "^step type does not match the endpoint$"),
                ("signal", NO_ID, "hold", 404, "not-found", "instance"),
                ("signal", instance_id, "nowhere", 409, "conflict",
                 r'not wait at step "nowhere": it is at "approve" \(USER_TASK\)$'),
                ("signal", instance_id, "approve", 400, "bad-request",
                 "^step type does not match the endpoint$"),
                ("signal", instance_id, "hold", 409, "conflict", ".")]
        self.check_rows(rows)
        self.post(self.task_path(instance_id, "approve"), None, 204)
        self.check_rows([
            ("task", instance_id, "approve", 404, "not-found", "^user task not found$")])
        self.post(f"/v1/instances/{instance_id}/cancel")
        ended = "^instance is in a terminal state"
        self.check_rows([
            ("task", instance_id, "approve", 409, "conflict", ended),
            ("task", instance_id, "nowhere", 404, "not-found", "^user task not found$"),
            ("task", instance_id, "hold", 400, "bad-request", "."),
            ("signal", instance_id, "hold", 409, "conflict", ended),
            ("signal", instance_id, "nowhere", 409, "conflict", "."),
            ("signal", instance_id, "approve", 400, "bad-request", ".")])

    def check_rows(self, rows):
        for kind, instance_id, step_id, status, code, reason in rows:
            with self.subTest(f"{kind} {step_id} {status}"):
                path = self.task_path if kind == "task" else self.signal_path
                self.expect_error(status, code, reason, "POST", path(instance_id, step_id), {})

    def test_bad_bodies_change_nothing(self):
        instance_id = self.start_waiting("bad_bodies")
        self.expect_error(400, "bad-request", "^invalid request body: ", "POST",
                          self.task_path(instance_id, "approve"), {"variables": 5})
        self.expect_error(400, "bad-request", "^invalid request body: ", "POST",
                          self.signal_path(instance_id, "hold"), b"[1]")
        self.assertEqual(self.instance(instance_id)["currentStepIds"], ["approve"])
