"""Idempotency keys: the same request again does nothing twice."""

from contract_case import ContractTestCase
from definitions import definition, one_task, step


class IdempotencyTest(ContractTestCase):
    def post_with(self, key, path, body=None, status=204):
        return self.expect(status, "POST", path, body, {"Idempotency-Key": key})

    def is_replayed(self, reply):
        value = reply.headers["Idempotent-Replayed"]
        self.assertIn(value, (None, "true"))
        return value == "true"

    def test_a_start_is_done_once(self):
        self.upload(one_task("started_once"))
        body = {"definitionId": "started_once", "variables": {"n": 1}}
        first = self.post_with("start-1", "/v1/instances", body, 201)
        self.assertFalse(self.is_replayed(first))
        again = self.post_with("start-1", "/v1/instances", body, 201)
        self.assertTrue(self.is_replayed(again))
        self.assertEqual(again.json(), first.json())
        self.complete_job(self.claim("started_once")["id"])
        later = self.post_with("start-1", "/v1/instances", body, 201)
        self.assertEqual((later.json()["id"], later.json()["status"]),
                         (first.json()["id"], "COMPLETED"))
        other = self.post_with("start-2", "/v1/instances", body, 201)
        self.assertNotEqual(other.json()["id"], first.json()["id"])
        self.assertEqual(self.get("/v1/instances?definitionId=started_once").json()["total"], 2)

    def test_another_request_under_the_same_key_is_refused(self):
        self.upload(one_task("other_request"))
        self.post_with("other-1", "/v1/instances", {"definitionId": "other_request"}, 201)
        self.expect_error(422, "unprocessable", "Idempotency-Key|idempotency key", "POST",
                          "/v1/instances", {"definitionId": "other_request", "businessKey": "x"},
                          {"Idempotency-Key": "other-1"})
        self.assertEqual(self.get("/v1/instances?definitionId=other_request").json()["total"], 1)

    def test_a_refused_start_uses_no_key(self):
        body = {"definitionId": "comes_later"}
        self.expect_error(404, "not-found", ".", "POST", "/v1/instances", body,
                          {"Idempotency-Key": "later-1"})
        self.upload(one_task("comes_later"))
        self.assertFalse(self.is_replayed(self.post_with("later-1", "/v1/instances", body, 201)))

    def test_keys_are_those_of_a_workspace_and_an_operation(self):
        for workspace in ("idem-a", "idem-b"):
            headers = {"Millrace-Workspace": workspace}
            self.expect(201, "POST", "/v1/definitions", one_task("walled_key"), headers)
        ids = {self.expect(201, "POST", "/v1/instances", {"definitionId": "walled_key"},
                           {"Millrace-Workspace": workspace, "Idempotency-Key": "same"}).json()["id"]
               for workspace in ("idem-a", "idem-b")}
        self.assertEqual(len(ids), 2)

    def test_people_and_signals_may_repeat_themselves(self):
        self.upload(definition("repeated_calls", step("approve", "USER_TASK", nextStep="wait"),
                               step("wait", "WAIT", nextStep="again"),
                               step("again", "WAIT", nextStep="done"), step("done", "END")))
        instance_id = self.start("repeated_calls")["id"]
        base = f"/v1/instances/{instance_id}"
        for path, body in ((f"{base}/user-tasks/approve/complete", {"variables": {"n": 1}}),
                           (f"{base}/signals/wait", {"m": 2})):
            with self.subTest(path):
                self.assertFalse(self.is_replayed(self.post_with("call", path, body)))
                self.assertTrue(self.is_replayed(self.post_with("call", path, body)))
                self.expect_error(422, "unprocessable", ".", "POST", path, {"variables": {"z": 9}},
                                  {"Idempotency-Key": "call"})
        moved = self.instance(instance_id)
        self.assertEqual((moved["currentStepIds"], moved["variables"]),
                         (["again"], {"n": 1, "m": 2}))

    def test_items_of_a_batch_have_keys_of_their_own(self):
        self.upload(one_task("batch_keys"))
        items = [{"definitionId": "batch_keys", "idempotencyKey": f"item {each}"}
                 for each in range(2)]
        first = self.post("/v1/instances:batch", {"instances": items}).json()["results"]
        again = self.post("/v1/instances:batch", {"instances": [
            items[1], items[0], {**items[0], "businessKey": "x"}]}).json()["results"]
        self.assertEqual([each["instance"]["id"] for each in again[:2]],
                         [first[1]["instance"]["id"], first[0]["instance"]["id"]])
        self.assertEqual([each["status"] for each in again], [201, 201, 422])
        self.assertEqual(self.get("/v1/instances?definitionId=batch_keys").json()["total"], 2)

    def test_a_key_twice_in_one_batch_starts_one(self):
        self.upload(one_task("twin_keys"))
        item = {"definitionId": "twin_keys", "idempotencyKey": "twin"}
        results = self.post("/v1/instances:batch", {"instances": [item, item]}).json()["results"]
        self.assertEqual([each["status"] for each in results], [201, 201])
        self.assertEqual(results[0]["instance"]["id"], results[1]["instance"]["id"])

    def test_keys_have_1_to_256_bytes(self):
        self.upload(one_task("key_sizes"))
        body = {"definitionId": "key_sizes"}
        self.post_with("k" * 256, "/v1/instances", body, 201)
        self.expect_error(400, "bad-request", "Idempotency-Key", "POST", "/v1/instances", body,
                          {"Idempotency-Key": "k" * 257})
        self.expect_error(400, "bad-request", "Idempotency-Key", "POST", "/v1/instances", body,
                          {"Idempotency-Key": ""})
        results = self.post("/v1/instances:batch", {"instances": [
            {**body, "idempotencyKey": "k" * 257}, {**body, "idempotencyKey": 5}]}).json()
        self.assertEqual([each["status"] for each in results["results"]], [400, 400])


class UserTaskIdempotencyTest(ContractTestCase):
    def test_a_completion_by_id_may_be_repeated(self):
        self.upload(definition("task_key", step("approve", "USER_TASK", nextStep="wait"),
                               step("wait", "WAIT", nextStep="done"), step("done", "END")))
        instance_id = self.start("task_key")["id"]
        [task] = self.get(f"/v1/user-tasks?instanceId={instance_id}").json()["items"]
        path, key = f"/v1/user-tasks/{task['id']}/complete", {"Idempotency-Key": "done-1"}
        self.expect(204, "POST", path, {"userId": "ada"}, key)
        again = self.expect(204, "POST", path, {"userId": "ada"}, key)
        self.assertEqual(again.headers["Idempotent-Replayed"], "true")
        self.expect_error(409, "conflict", ".", "POST", path, {"userId": "ada"})
