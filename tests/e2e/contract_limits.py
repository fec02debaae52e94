"""Limits of size and number, and the walls between workspaces, on every route that has them."""

from contract_case import ContractTestCase
from definitions import definition, one_task, step
from wire_contract import REST, filled, served_operations, wire_documents

NAME_BYTES_MAX = 256
VARIABLES_BYTES_MAX = 4 << 20
TOO_LARGE = {"text": "x" * VARIABLES_BYTES_MAX}


class LimitsTest(ContractTestCase):
    def refuse(self, path, body, reason="."):
        self.expect_error(400, "bad-request", reason, "POST", path, body)

    def test_names_end_at_256_bytes(self):
        self.upload(one_task("long_names"))
        longest, longer = "é" * (NAME_BYTES_MAX // 2), "é" * (NAME_BYTES_MAX // 2) + "x"
        self.assertEqual(self.start("long_names", businessKey=longest)["businessKey"], longest)
        self.refuse("/v1/instances", {"definitionId": "long_names", "businessKey": longer},
                    "businessKey")
        self.poll("long_names_of_others", worker_id=longest)
        self.refuse("/v1/jobs/poll", {"workerId": longer, "jobTypes": ["a"]}, "workerId")
        self.refuse("/v1/jobs/poll", {"workerId": "w", "jobTypes": [longer]}, "jobTypes")

    def test_a_poll_names_at_most_100_types(self):
        types = [f"type {each}" for each in range(101)]
        self.post("/v1/jobs/poll", {"workerId": "w", "jobTypes": types[:100]})
        self.refuse("/v1/jobs/poll", {"workerId": "w", "jobTypes": types}, "jobTypes")

    def test_a_batch_has_at_most_1000_items(self):
        self.expect_error(413, "too-large", "instances", "POST", "/v1/instances:batch",
                          {"instances": [{}] * 1001})

    def test_variables_end_at_4_mib_whoever_brings_them(self):
        self.upload(definition("large", step("wait", "WAIT", nextStep="approve"),
                               step("approve", "USER_TASK", nextStep="work"),
                               *one_task("large")["steps"]))
        self.expect_error(413, "too-large", ".", "POST", "/v1/instances",
                          {"definitionId": "large", "variables": TOO_LARGE})
        instance_id = self.start("large")["id"]
        base = f"/v1/instances/{instance_id}"
        self.expect_error(413, "too-large", ".", "POST", f"{base}/signals/wait", TOO_LARGE)
        self.post(f"{base}/signals/wait", {}, 204)
        self.expect_error(413, "too-large", ".", "POST", f"{base}/user-tasks/approve/complete",
                          {"variables": TOO_LARGE})
        self.post(f"{base}/user-tasks/approve/complete", {}, 204)
        job = self.claim("large")
        self.expect_error(413, "too-large", ".", "POST", f"/v1/jobs/{job['id']}/complete",
                          {"variables": TOO_LARGE})
        self.assertEqual(self.instance(instance_id)["variables"], {})
        self.complete_job(job["id"])
        self.assertEqual(self.instance(instance_id)["status"], "COMPLETED")

    def test_json_is_nested_at_most_128_deep(self):
        self.upload(one_task("nested"))
        body = b'{"definitionId":"nested","variables":{"deep":%s}}'
        self.expect(201, "POST", "/v1/instances", body % (b"[" * 120 + b"]" * 120))
        self.refuse("/v1/instances", body % (b"[" * 130 + b"]" * 130), "^invalid request body: ")

    def test_a_definition_has_at_most_a_mib_and_1000_steps(self):
        self.refuse("/v1/definitions", {**one_task("heavy"), "description": "x" * (1 << 20)},
                    "^validation error: .*\n?.*1048576")
        steps = [step(f"s{each}", "USER_TASK", nextStep=f"s{each + 1}") for each in range(1000)]
        self.refuse("/v1/definitions", definition("many", *steps, step("s1000", "END")),
                    "steps must be")

    def test_long_messages_are_cut_between_characters(self):
        self.upload(one_task("cut"))
        self.start("cut")
        job = self.claim("cut")
        self.fail_job(job["id"], errorMessage="x" + "é" * (16 << 10))
        reason = self.instance(job["instanceId"])["failureReason"]
        self.assertRegex(reason, "^xé+")
        self.assertLessEqual(len(reason.encode()), 16 << 10)


class OddValuesTest(ContractTestCase):
    """The same on every store: a value is kept as it is, or refused with its place."""

    def setUp(self):
        super().setUp()
        self.upload(one_task("odd_values"))

    def body(self, member):
        return b'{"definitionId":"odd_values",%s}' % member

    def test_what_json_can_say_is_kept(self):
        for text, value in [(rb'"\u0000"', "\0"), (rb'"\ud83d\ude00"', "\U0001f600"),
                            (b"123456789012345678901234567890", 1.2345678901234568e+29),
                            (b"-0.5e-3", -0.0005), (b"[]", []), (b"{}", {}), (b"null", None)]:
            with self.subTest(text):
                started = self.expect(201, "POST", "/v1/instances",
                                      self.body(b'"variables":{"":%s}' % text)).json()
                self.assertEqual(started["variables"], {"": value})
                self.assertEqual(self.instance(started["id"]), started)

    def test_what_it_cannot_say_is_refused(self):
        for member, reason in [
                (b'"variables":{"a":1,"a":2}', 'byte .*"a" stands twice'),
                (b'"definitionId":"odd_values"', 'byte .*"definitionId" stands twice'),
                (b'"variables":{"a":"\xff"}', "byte .*UTF-8"),
                (rb'"variables":{"a":"\ud800"}', "byte .*Unicode escape"),
                (b'"variables":{"a":1e999}', "byte .*too large"),
                (b'"variables":{"a":01}', "byte "), (b'"variables":{"a":NaN}', "byte "),
                (b'"variables":{"a":Infinity}', "byte ")]:
            with self.subTest(member):
                self.expect_error(400, "bad-request", f"^invalid request body: JSON at {reason}",
                                  "POST", "/v1/instances", self.body(member))
        self.expect_error(400, "bad-request", r"^businessKey must not contain U\+0000$", "POST",
                          "/v1/instances", self.body(rb'"businessKey":"a\u0000b"'))
        self.expect_error(400, "bad-request", r"^workerId must not contain U\+0000$", "POST",
                          "/v1/jobs/poll", {"workerId": "a\0b", "jobTypes": ["x"]})

    def test_wildcards_of_databases_are_letters(self):
        for keyword in ("%25", "odd%25values", "oddXvalues", "odd%5C_values", "'"):
            listed = self.get(f"/v1/definitions?keyword={keyword}").json()["items"]
            self.assertNotIn("odd_values", [each["id"] for each in listed])
        self.assertEqual(self.get("/v1/definitions?keyword=ODD_v").json()["total"], 1)


class WorkspacesTest(ContractTestCase):
    here = {"Millrace-Workspace": "team-a"}
    there = {"Millrace-Workspace": "team-b"}

    def test_a_bad_workspace_is_refused_on_every_route(self):
        document = wire_documents.openapi(REST)
        count = 0
        for name, path, operation in served_operations(document):
            if not path.startswith("/v1/"):
                continue
            count += 1
            method = name.split(" ")[0]
            target = filled(path)
            for workspace in ("Upper", "-x", "a" * 64, "a_b", "a b"):
                with self.subTest(f"{name} {workspace}"):
                    body = None if method in ("GET", "DELETE") else self.body_of(operation)
                    self.expect_error(400, "bad-request", "Millrace-Workspace", method, target,
                                      body, {"Millrace-Workspace": workspace})
        self.assertGreaterEqual(count, 18)

    def body_of(self, operation):
        """One that is otherwise fine."""
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        schema = content.get("schema", {})
        if "$ref" in schema:
            name = schema["$ref"].split("/")[-1]
            schema = wire_documents.openapi(REST)["components"]["schemas"][name]
        return content.get("example", schema.get("examples", [{}])[0])

    def test_nothing_of_another_workspace_is_seen_or_touched(self):
        one = definition("walled", step("approve", "USER_TASK", nextStep="wait"),
                         step("wait", "WAIT", nextStep="work"), *one_task("walled")["steps"])
        self.expect(201, "POST", "/v1/definitions", one, self.here)
        started = self.expect(201, "POST", "/v1/instances",
                              {"definitionId": "walled", "businessKey": "wall"}, self.here).json()
        base = f"/v1/instances/{started['id']}"
        for headers in (self.there, None):
            for method, path, body in [
                    ("GET", "/v1/definitions/walled", None),
                    ("GET", "/v1/definitions/walled/versions/1", None),
                    ("POST", "/v1/instances", {"definitionId": "walled"}),
                    ("GET", base, None), ("GET", f"{base}/history", None),
                    ("POST", f"{base}/cancel", None), ("POST", f"{base}/signals/wait", None),
                    ("POST", f"{base}/user-tasks/approve/complete", None)]:
                with self.subTest(f"{method} {path} {headers}"):
                    self.expect_error(404, "not-found", ".", method, path, body, headers)
            for path in ("/v1/definitions?keyword=walled", "/v1/instances?businessKey=wall"):
                self.assertEqual(self.expect(200, "GET", path, headers=headers).json()["items"], [])
        self.expect(204, "POST", f"{base}/user-tasks/approve/complete", {}, self.here)
        self.expect(204, "POST", f"{base}/signals/wait", {}, self.here)
        poll = {"workerId": "w", "jobTypes": ["walled"]}
        for headers in (self.there, {"Millrace-Workspace": "default"}):
            reply = self.expect(200, "POST", "/v1/jobs/poll", poll, headers)
            self.assertEqual(reply.json()["jobs"], [])
        [job] = self.expect(200, "POST", "/v1/jobs/poll", poll, self.here).json()["jobs"]
        for call in ("complete", "fail", "extend"):
            self.expect_error(404, "not-found", ".", "POST", f"/v1/jobs/{job['id']}/{call}", {},
                              self.there)
        self.expect(204, "POST", f"/v1/jobs/{job['id']}/complete", {}, self.here)
        self.assertEqual(self.expect(200, "GET", base, headers=self.here).json()["status"],
                         "COMPLETED")

    def test_the_same_name_may_stand_in_every_workspace(self):
        for headers, retries in ((self.here, 1), (self.there, 2)):
            self.expect(201, "POST", "/v1/definitions", one_task("same", retryCount=retries),
                        headers)
        for headers, retries in ((self.here, 1), (self.there, 2)):
            read = self.expect(200, "GET", "/v1/definitions/same", headers=headers).json()
            self.assertEqual((read["version"], read["steps"][0]["retryCount"]), (1, retries))
