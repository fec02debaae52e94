#!/usr/bin/env python3
"""The OpenAPI document and the schema of definitions: whole, valid, and those of this server.

Usage: openapi_test.py PROGRAM [unittest arguments]
"""

import email.message
import json
import os
import re
import sys
import unittest

import jsonschema
from server import ServerTestCase
from wire_contract import (REST, ROOT, Violation, WireContract, filled, wire_contract,
                           wire_documents)

DOCUMENT = wire_documents.openapi(REST)
ROLES = {"viewer", "worker", "operator", "admin"}
DEFINITIONS = ROOT / "tests/definitions"

# What a schema cannot say: it sees one value at a time, and knows no expressions.
BEYOND_A_SCHEMA = {
    "06_next_workflow_id_with_u0000", "08_step_id_duplicate", "09_step_name_with_u0000",
    "12_end_next_step_unknown", "12_service_task_next_step_unknown",
    "12_user_task_next_step_unknown", "13_task_conditional_target_unknown",
    "14_transformation_next_step_unknown", "15_wait_next_step_unknown",
    "16_gateway_branch_unknown", "16_gateway_join_of_another_type", "16_gateway_join_unknown",
    "17_join_next_step_unknown", "18_boundary_target_unknown", "19_loop_unreachable",
    "19_step_unreachable", "20_end_unreachable", "20_no_end", "22_condition_syntax",
    "22_stray_characters", "22_transformation_empty_expression", "22_transformation_syntax",
    "25_retry_policy_delay_in_months", "25_retry_policy_delay_too_long",
    "25_retry_policy_max_delay_too_long", "25_retry_policy_max_delay_too_short",
    "25_timeout_too_long", "25_timeout_too_short",
    "28_executor_retry_intervals", "28_executor_retry_maximum_below_initial",
    "28_executor_retry_maximum_below_the_default_initial", "28_executor_timeout_bounds",
    "28_executor_timeout_in_months"}


def operations():
    for path, item in DOCUMENT["paths"].items():
        for method in wire_documents.OPERATIONS:
            if method in item:
                yield f"{method.upper()} {path}", path, item, item[method]


def nodes(value, place="#"):
    """Every object of the document, with its place."""
    if isinstance(value, dict):
        yield place, value
        for key, member in value.items():
            yield from nodes(member, f"{place}/{key}")
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from nodes(member, f"{place}/{index}")


class RoutesTest(unittest.TestCase):
    def test_every_route_is_in_the_document_and_no_other(self):
        table = (REST / "routes.cpp").read_text(encoding="utf-8")
        served = {f"{method} {path}" for method, path in
                  re.findall(r'router\.add\(\s*"(\w+)",\s*"([^"]+)"', table)}
        described = {name for name, *_ in operations()}
        self.assertGreater(len(served), 20)
        self.assertEqual(served - described, set(), "served, but not described")
        self.assertEqual(described - served, set(), "described, but not served")


class DocumentTest(unittest.TestCase):
    def test_references_lead_somewhere_and_every_component_is_used(self):
        used = set()
        for place, node in nodes(DOCUMENT):
            if "$ref" in node:
                kind, name = node["$ref"].removeprefix("#/components/").split("/")
                self.assertIn(name, DOCUMENT["components"][kind], place)
                used.add((kind, name))
        there = {(kind, name) for kind, parts in DOCUMENT["components"].items() for name in parts}
        # The security requirements name it in another way.
        self.assertEqual(there - used, {("securitySchemes", "bearer")})

    def test_schemas_are_schemas(self):
        for name, schema in DOCUMENT["components"]["schemas"].items():
            with self.subTest(name):
                jsonschema.Draft202012Validator.check_schema(schema)
        for place, node in nodes(DOCUMENT["paths"]):
            if isinstance(node.get("schema"), dict):
                with self.subTest(place):
                    jsonschema.Draft202012Validator.check_schema(node["schema"])

    def test_examples_are_true(self):
        contract = WireContract(DOCUMENT)
        count = 0
        for place, node in nodes(DOCUMENT):
            examples = node.get("examples", [])
            if isinstance(examples, list) and "properties" not in place.split("/")[-1:]:
                for example in examples:
                    count += 1
                    contract.check_value(place, node, example)
            if "example" in node and "schema" in node:
                count += 1
                contract.check_value(place, node["schema"], node["example"])
        self.assertGreater(count, 30)

    def test_objects_in_answers_say_whether_more_may_come(self):
        for name, _, _, operation in operations():
            for status, answer in operation["responses"].items():
                schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
                if "$ref" in schema:
                    named = DOCUMENT["components"]["schemas"][schema["$ref"].split("/")[-1]]
                    closed = "additionalProperties" in named or "allOf" in named
                    self.assertTrue(closed, f"{name} {status}")

    def test_operations_are_whole(self):
        tags = {each["name"] for each in DOCUMENT["tags"]}
        ids = [operation["operationId"] for *_, operation in operations()]
        self.assertEqual(len(ids), len(set(ids)))
        for name, path, item, operation in operations():
            with self.subTest(name):
                self.assertLessEqual(set(operation["tags"]), tags)
                self.assertTrue(operation["summary"])
                self.assertLessEqual(set(operation["x-roles"]), ROLES)
                self.assertEqual(operation["x-roles"] == [], operation.get("security") == [])
                parameters = list(map(wire_contract().resolve,
                                      item["parameters"] + operation.get("parameters", [])))
                for each in parameters:
                    self.assertLessEqual({"name", "in", "schema"}, set(each))
                self.assertEqual([each["name"] for each in parameters if each["in"] == "path"],
                                 re.findall(r"\{(\w+)\}", path))
                for status, answer in operation["responses"].items():
                    answer = wire_contract().resolve(answer)
                    self.assertRegex(status, r"^[2-5]\d\d$")
                    self.assertTrue(answer["description"])
                    self.assertIn("X-Request-Id", answer["headers"])

    def test_lenient_operations_are_those_of_the_server(self):
        table = (REST / "route_inputs.cpp").read_text(encoding="utf-8")
        lenient = {f"{method} {path}" for method, path in
                   re.findall(r'\{"(\w+)", "(/[^"]+)",', table)}
        self.assertGreater(len(lenient), 5)
        described = {name for name, *_, operation in operations() if operation.get("x-lenient")}
        self.assertEqual(described, lenient)
        for name, *_, operation in operations():
            if name in lenient:
                headers = [answer.get("headers", {}) for status, answer
                           in operation["responses"].items() if status < "300"]
                self.assertTrue(all("Millrace-Warning" in each for each in headers), name)

    def test_strict_bodies_are_closed(self):
        for name, *_, operation in operations():
            if operation.get("x-lenient") or "requestBody" not in operation:
                continue
            with self.subTest(name):
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                is_variables = schema.get("$ref", "").endswith("/Variables")
                closed = WireContract(DOCUMENT).resolve(schema).get("additionalProperties") is False
                self.assertTrue(closed or is_variables)

    def test_generators_can_use_it(self):
        """What makes the clients of one generator or another wrong, or not compile."""
        for place, node in nodes({"paths": DOCUMENT["paths"],
                                  "components": DOCUMENT["components"]}):
            if "example" in place or place.endswith("/properties"):
                continue
            with self.subTest(place):
                kinds = node.get("type", [])
                kinds = [kinds] if isinstance(kinds, str) else kinds
                if "array" in kinds:
                    self.assertIn("items", node)
                if "object" in kinds:
                    self.assertTrue({"properties", "additionalProperties"} & set(node))
                if isinstance(node.get("enum"), list) and node["enum"] != [None]:
                    self.assertIn("type", node)
                self.assertNotIsInstance(node.get("const"), bool)
                self.assertFalse({"default", "if", "then", "else"} & set(node))
                if node.get("in") in ("query", "path", "header"):
                    self.assertIn("type", node["schema"])

    def test_a_frame_is_there(self):
        self.assertEqual(DOCUMENT["openapi"], "3.1.0")
        self.assertLessEqual({"title", "version", "description", "license"}, set(DOCUMENT["info"]))
        for requirement in DOCUMENT["security"]:
            self.assertLessEqual(set(requirement), set(DOCUMENT["components"]["securitySchemes"]))


class ServedDocumentsTest(ServerTestCase):
    def test_the_server_gives_out_what_was_checked(self):
        client = self.new_server().client()
        for path, document in (("/openapi.json", DOCUMENT),
                               ("/definition.schema.json", wire_documents.definition_schema(REST))):
            reply = client.get(path)
            self.assertEqual(reply.status, 200)
            self.assertEqual(reply.headers["Content-Type"], "application/json")
            self.assertEqual(reply.headers["Cache-Control"], "max-age=60")
            self.assertTrue(reply.body.endswith(b"}\n"))
            self.assertEqual(reply.json(), document)


    def test_queries_are_those_of_the_server(self):
        """Asked for a parameter that nobody has, a route names those that it takes."""
        client = self.new_server().client()
        count = 0
        for name, path, item, operation in operations():
            parameters = map(wire_contract().resolve, item["parameters"] + operation.get("parameters", []))
            described = {each["name"] for each in parameters if each["in"] == "query"}
            if path in ("/healthz", "/readyz"):
                continue  # They take any.
            reply = client.call(name.split()[0], filled(path) + "?qqqqqqqqqqqq=1")
            with self.subTest(name):
                self.assertEqual(reply.status, 400)
                taken = re.findall(r"`(\w+)`", reply.json()["message"])
                self.assertEqual(taken[0], "qqqqqqqqqqqq")
                self.assertEqual(set(taken[1:]), described)
                count += len(described)
        self.assertGreater(count, 60)


class DefinitionSchemaTest(unittest.TestCase):
    def setUp(self):
        schema = wire_documents.definition_schema(REST)
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)

    def test_every_valid_definition_is_accepted(self):
        """Names in any case are brought to their spelling first, as the server does."""
        paths = sorted(DEFINITIONS.glob("valid/*.json"))
        self.assertGreater(len(paths), 15)
        for path in paths:
            with self.subTest(path.stem):
                value = json.loads(path.read_text(encoding="utf-8"))
                if path.stem == "names_in_any_case":
                    value = wire_contract().spelled(
                        {"$ref": "#/components/schemas/Definition"}, value)
                self.validator.validate(value)

    def test_an_invalid_definition_is_refused_unless_no_schema_could(self):
        accepted = set()
        for path in DEFINITIONS.glob("invalid/*.json"):
            if self.validator.is_valid(json.loads(path.read_text(encoding="utf-8"))):
                accepted.add(path.stem)
        self.assertEqual(accepted, BEYOND_A_SCHEMA)

    def test_fields_of_one_type_of_step_are_refused_on_others(self):
        policy = {"initialDelay": "PT1S", "factor": 2, "maxDelay": "PT1M", "jitter": 0.2}
        fields = [("retryPolicy", policy, "SERVICE_TASK"), ("timeout", "PT30S", "SERVICE_TASK"),
                  ("assignee", "ada", "USER_TASK"), ("candidateGroups", ["clerks"], "USER_TASK"),
                  ("form", {"fields": []}, "USER_TASK")]
        for field, value, home in fields:
            for step_type in ("SERVICE_TASK", "USER_TASK", "WAIT", "END"):
                with self.subTest(f"{field} on {step_type}"):
                    step = {"id": "a", "name": "a", "type": step_type, "nextStep": "b",
                            "jobType": "a", field: value}
                    document = {"id": "x", "name": "x", "steps": [step]}
                    self.assertEqual(self.validator.is_valid(document), step_type == home)

    def test_bad_policies_and_durations_are_refused(self):
        for policy in ({"factor": 2}, {"initialDelay": "1s"}, {"initialDelay": "PT0S"},
                       {"initialDelay": "PT1S", "factor": 0.5},
                       {"initialDelay": "PT1S", "factor": 101},
                       {"initialDelay": "PT1S", "jitter": 1.5},
                       {"initialDelay": "PT1S", "colour": "red"}):
            with self.subTest(str(policy)):
                step = {"id": "a", "name": "a", "type": "SERVICE_TASK", "jobType": "a",
                        "retryPolicy": policy}
                document = {"id": "x", "name": "x", "steps": [step]}
                self.assertFalse(self.validator.is_valid(document))


class Answer:
    def __init__(self, status, body, media="application/json"):
        self.status = status
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.headers = email.message.Message()
        self.headers["X-Request-Id"] = "1"
        if body:
            self.headers["Content-Type"] = media


class WireContractTest(unittest.TestCase):
    """Shows the checker what is wrong, and what is not."""

    instance = DOCUMENT["components"]["schemas"]["Instance"]["examples"][0]

    def check(self, method, target, sent, answer):
        wire_contract().check(method, target, sent, answer)

    def test_what_is_right_passes(self):
        path = f"/v1/instances/{self.instance['id']}"
        self.check("GET", path, None, Answer(200, self.instance))
        self.check("POST", "/v1/instances", b'{"DEFINITIONID":"x","Variables":null} }',
                   Answer(201, self.instance))
        self.check("POST", path + "/cancel", b"garbage", Answer(200, self.instance))
        error = DOCUMENT["components"]["schemas"]["Error"]["examples"][0]
        self.check("GET", "/nowhere", None, Answer(404, error))
        self.check("POST", "/v1/jobs/complete", b'{"jobId":"x"}', Answer(204, b""))

    def test_what_is_wrong_fails(self):
        path = f"/v1/instances/{self.instance['id']}"
        error = DOCUMENT["components"]["schemas"]["Error"]["examples"][0]
        rows = [
            ("an unknown field", "GET", path, None, Answer(200, {**self.instance, "new": 1})),
            ("a missing field", "GET", path, None, Answer(200, {"id": self.instance["id"]})),
            ("a time in another form", "GET", path, None,
             Answer(200, {**self.instance, "startedAt": "2026-11-15 06:55:59"})),
            ("an undocumented status", "GET", path, None, Answer(409, error)),
            ("an error without its keys", "GET", path, None, Answer(404, {"error": "not-found"})),
            ("an unknown code", "GET", path, None, Answer(404, {**error, "error": "oops"})),
            ("a body where none is", "GET", "/healthz", None, Answer(200, {"ok": True})),
            ("another type", "GET", path, None, Answer(200, b"<html>", "text/html")),
            ("an unknown path in plain text", "GET", "/nowhere", None,
             Answer(404, {"error": "not-found"})),
            ("a route that is not described", "GET", "/v1/surprise", None, Answer(200, {})),
            ("an undocumented parameter", "GET", "/v1/instances?colour=red", None,
             Answer(200, {"items": [], "total": 0, "totalCapped": False, "page": 0,
                          "pageSize": 20})),
            ("a request that should have been refused", "POST", "/v1/instances",
             b'{"definitionId":5}', Answer(201, self.instance)),
        ]
        for what, *call in rows:
            with self.subTest(what), self.assertRaises(Violation):
                self.check(*call)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
