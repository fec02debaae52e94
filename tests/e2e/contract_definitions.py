"""Definitions: upload, versions, refusals, reading back."""

import json

from contract_case import TIME, ContractTestCase
from definitions import definition, one_task, step, task, timer


class DefinitionsTest(ContractTestCase):
    def expect_refused(self, body, *reasons, headers=None):
        for reason in reasons:
            self.expect_error(400, "bad-request", reason, "POST", "/v1/definitions", body, headers)

    def test_an_upload_is_answered_with_its_version(self):
        uploaded = self.upload(one_task("uploaded"))
        self.assertEqual(set(uploaded), {"id", "version", "name", "uploadedAt"})
        self.assertEqual((uploaded["id"], uploaded["version"], uploaded["name"]),
                         ("uploaded", 1, "uploaded"))
        self.assertRegex(uploaded["uploadedAt"], TIME)

    def test_the_same_content_is_the_same_version(self):
        first = self.upload(one_task("versions"))
        same = {**one_task("versions"), "version": 17}
        self.assertEqual(self.upload(dict(reversed(same.items()))), first)
        self.assertEqual(self.upload(one_task("versions", retryCount=1))["version"], 2)
        self.assertEqual(self.upload(one_task("versions")), first)
        self.assertEqual(self.get("/v1/definitions/versions").json()["version"], 2)

    def test_xml_is_415(self):
        for content_type in ("application/xml", "text/xml; charset=utf-8"):
            self.expect_error(415, "unsupported-format",
                              "^Only JSON workflow definitions are accepted$", "POST",
                              "/v1/definitions", b"<a/>", {"Content-Type": content_type})

    def test_any_other_content_type_is_json(self):
        for content_type in ("text/plain", "application/octet-stream"):
            self.expect(201, "POST", "/v1/definitions", one_task("any_type"),
                        {"Content-Type": content_type})

    def test_what_is_no_json_is_a_parse_error(self):
        for body in (b"", b"{", b"[1,", b"nope"):
            self.expect_refused(body, "^parse error: parse: ")

    def test_unknown_fields_are_refused_at_every_level(self):
        for change in (lambda each: each.update(colour="red"),
                       lambda each: each["steps"][0].update(colour="red"),
                       lambda each: each["steps"][0]["boundaryEvents"][0].update(colour="red")):
            body = one_task("unknown", boundaryEvents=[timer("PT1H", "done", True)])
            change(body)
            self.expect_refused(body, "^parse error: parse: .*colour")

    def test_metadata_and_transformations_hold_anything(self):
        body = definition(
            "anything",
            step("set", "TRANSFORMATION", transformations={"x": {"colour": ["red", None]}},
                 nextStep="done"),
            step("done", "END"), metadata={"colour": {"deep": 1}})
        self.upload(body)
        read = self.get("/v1/definitions/anything").json()
        self.assertEqual(read["metadata"], body["metadata"])
        self.assertEqual(read["steps"][0]["transformations"], body["steps"][0]["transformations"])

    def test_all_mistakes_come_at_once_each_on_a_line(self):
        body = definition(
            "many mistakes", task("a", "", "nowhere"), step("b", "SURPRISE"), step("b", "END"))
        body["name"] = ""
        error = self.expect_error(
            400, "bad-request", "^validation error: validation errors:\n  ", "POST",
            "/v1/definitions", body)
        for reason in ("name is required", "jobType is required", 'duplicate step id: "b"',
                       'unsupported type "SURPRISE"', 'unknown step "nowhere"', "must match"):
            self.assertIn(reason, error["reason"])
        self.assertGreaterEqual(len(error["details"]), 6)
        self.assertEqual(error["reason"].count("\n  "), len(error["details"]))
        self.get("/v1/definitions/many%20mistakes", 404)

    def test_rules_that_others_forget_are_checked(self):
        join = step("join", "JOIN_GATEWAY", nextStep="done")
        for what, steps in {
                "expression": [step("d", "DECISION", conditionalNextSteps={"a >": "done"})],
                "duration": [task("t", "t", "done", boundaryEvents=[timer("P", "done", True)])],
                "retryCount": [task("t", "t", "done", retryCount=-1)],
                "joinStep": [step("g", "PARALLEL_GATEWAY", parallelNextSteps=["t", "u"],
                                  joinStep="t"), task("t", "t", "join"), task("u", "u", "join"),
                             join],
                "unknown step": [task("t", "t", conditionalNextSteps={"true": "nowhere"})],
        }.items():
            with self.subTest(what):
                self.expect_refused(definition("forgotten", *steps, step("done", "END")),
                                    "^validation error: ")

    def test_bad_policies_timeouts_and_people_are_refused(self):
        for fields, path in [
                ({"retryPolicy": {}}, "retryPolicy.initialDelay"),
                ({"retryPolicy": {"initialDelay": "1s"}}, "retryPolicy.initialDelay"),
                ({"retryPolicy": {"initialDelay": "P2D"}}, "retryPolicy.initialDelay"),
                ({"retryPolicy": {"initialDelay": "PT2S", "maxDelay": "PT1S"}},
                 "retryPolicy.maxDelay"),
                ({"retryPolicy": {"initialDelay": "PT1S", "maxDelay": "P8D"}},
                 "retryPolicy.maxDelay"),
                ({"retryPolicy": {"initialDelay": "PT1S", "factor": 0}}, "retryPolicy.factor"),
                ({"retryPolicy": {"initialDelay": "PT1S", "jitter": 2}}, "retryPolicy.jitter"),
                ({"timeout": "PT0.5S"}, "timeout"), ({"timeout": "P31D"}, "timeout"),
                ({"assignee": "ada"}, "assignee"), ({"candidateGroups": ["a"]}, "candidateGroups"),
                ({"form": {"a": 1}}, "form")]:
            with self.subTest(str(fields)):
                error = self.expect_error(400, "bad-request", "^validation error: ", "POST",
                                          "/v1/definitions", one_task("bad_policy", **fields))
                self.assertEqual([each["path"] for each in error["details"]], [f"steps[0].{path}"])

    def test_an_executor_is_kept_and_is_content(self):
        body = {"id": "executor", "name": "Executor", "maxAttempts": 5, "executor": {
            "kind": "temporal", "target": "eu", "namespace": "orders", "taskQueue": "orders",
            "workflowType": "Order", "timeouts": {"execution": "P30D", "task": "PT10S"},
            "retry": {"initialInterval": "PT1S", "backoffCoefficient": 2, "maximumAttempts": 3,
                      "nonRetryableErrorTypes": ["Refused"]}}}
        self.assertEqual(self.upload(body)["version"], 1)
        self.assertEqual(self.get("/v1/definitions/executor").json(), {**body, "version": 1})
        self.assertEqual(self.upload({**body, "maxAttempts": 6})["version"], 2)
        self.assertEqual(self.upload({**body, "steps": []})["version"], 1)

    def test_bad_executors_are_refused_with_their_place(self):
        temporal = {"kind": "temporal"}
        for fields, path in [
                ({"executor": {}}, "executor.kind"),
                ({"executor": {"kind": "airflow"}}, "executor.kind"),
                ({"executor": {"kind": "native", "target": "eu"}}, "executor.target"),
                ({"executor": {**temporal, "target": "no such"}}, "executor.target"),
                ({"executor": {**temporal, "timeouts": {"task": "PT3M"}}},
                 "executor.timeouts.task"),
                ({"executor": {**temporal, "retry": {"maximumAttempts": -1}}},
                 "executor.retry.maximumAttempts"),
                ({"executor": temporal, "autoStartNextWorkflow": True, "nextWorkflowId": "a"},
                 "autoStartNextWorkflow"),
                ({"maxAttempts": 101}, "maxAttempts")]:
            with self.subTest(str(fields)):
                error = self.expect_error(
                    400, "bad-request", "^validation error: ", "POST", "/v1/definitions",
                    {**one_task("bad_executor"), **fields})
                self.assertEqual([each["path"] for each in error["details"]], [path])

    def test_keys_match_whatever_their_case(self):
        body = {"ID": "upper", "Name": "Upper", "STEPS": [{"Id": "e", "name": "e", "TYPE": "END"}]}
        self.assertEqual(self.upload(body)["id"], "upper")

    def test_nothing_may_follow_the_document(self):
        body = json.dumps(one_task("trailing")).encode() + b" trailing } garbage"
        self.expect_error(400, "bad-request", "^parse error: parse: ", "POST", "/v1/definitions",
                          body)

    def test_what_is_read_back_is_what_was_uploaded(self):
        body = definition(
            "read_back",
            step("choose", "DECISION",
                 conditionalNextSteps={"z > 1": "b", "a > 1": "c", "true": "b"}),
            task("b", "b", "c", boundaryEvents=[timer("PT1H", "c", False)]), step("c", "END"))
        body |= {"description": "", "autoStartNextWorkflow": False}
        self.upload(body)
        for path in ("/v1/definitions/read_back", "/v1/definitions/read_back/versions/1"):
            reply = self.get(path)
            read = reply.json()
            self.assertEqual(set(read), {"id", "version", "name", "steps"})
            self.assertEqual(read["steps"], body["steps"])
            branches = reply.json()["steps"][0]["conditionalNextSteps"]
            self.assertEqual(list(branches), ["z > 1", "a > 1", "true"])
            self.assertIs(read["steps"][1]["boundaryEvents"][0]["interrupting"], False)

    def test_an_id_in_a_path_is_percent_decoded(self):
        self.upload(one_task("team:x"))
        for path in ("team:x", "team%3Ax"):
            self.assertEqual(self.get(f"/v1/definitions/{path}").json()["id"], "team:x")

    def test_what_does_not_exist_is_404(self):
        self.upload(one_task("missing_version"))
        for path in ("no_such", "no_such/versions/1", "missing_version/versions/2",
                     "missing_version/versions/0"):
            self.expect_error(404, "not-found", "^definition not found$", "GET",
                              f"/v1/definitions/{path}")
        for version in ("x", "1.5", "99999999999"):
            self.expect_error(400, "bad-request", "^invalid version parameter$", "GET",
                              f"/v1/definitions/missing_version/versions/{version}")

    def test_the_list_has_the_latest_of_each_id_in_order(self):
        for name in ("listed_b", "listed_a", "listed_c"):
            self.upload(one_task(name))
        self.upload(one_task("listed_a", retryCount=2))
        listed = self.get("/v1/definitions?keyword=LISTED_").json()
        self.assertEqual([(each["id"], each["version"]) for each in listed["items"]],
                         [("listed_a", 2), ("listed_b", 1), ("listed_c", 1)])
        self.assertEqual(set(listed["items"][0]), {"id", "version", "name", "uploadedAt"})
        self.assertEqual(listed["total"], 3)
        page = self.get("/v1/definitions?keyword=listed_&page=1&pageSize=2").json()
        self.assertEqual([each["id"] for each in page["items"]], ["listed_c"])
        self.assertEqual(page["total"], 3)
        for odd in ("page=-1", "page=x", "pageSize=0", "pageSize=-3", "pageSize=9999", "page=%31x"):
            items = self.get(f"/v1/definitions?keyword=listed_&{odd}").json()["items"]
            self.assertEqual(len(items), 3, odd)

    def test_an_empty_list_is_a_list(self):
        reply = self.get("/v1/definitions?keyword=nothing_is_called_so")
        self.assertEqual((reply.json()["items"], reply.json()["total"]), ([], 0))
        self.assertIn(b'"items":[]', reply.body)
