"""Holds every answer of a server, and every request that it accepted, to the OpenAPI document."""

import functools
import json
import pathlib
import re
import sys
import urllib.parse

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
REST = ROOT / "src/api/rest"
sys.path.insert(0, str(ROOT / "cmake"))

import wire_documents

NO_ID = "01ARZ3NDEKTSV4RRFFQ8000000"  # Well formed, and nobody's.


class Violation(AssertionError):
    """The server or the document is wrong."""


def served_operations(document):
    """Yields ("GET /path", path, operation) of all of it."""
    for path, item in document["paths"].items():
        for method in wire_documents.OPERATIONS:
            if method in item:
                yield f"{method.upper()} {path}", path, item[method]


def filled(path):
    """A path of the document with something plausible, and nobody's, for its parameters."""
    parameters = {"{id}": NO_ID, "{stepId}": "x", "{version}": "1", "{ws}": "nowhere"}
    for name, value in parameters.items():
        path = path.replace(name, value)
    return path


def without_refused(value, reply):
    """A request with a list, without the items that its answer refuses one by one."""
    if reply.status != 200 or b'"results"' not in reply.body or not isinstance(value, dict):
        return value
    results = json.loads(reply.body).get("results", [])
    accepted = [each["status"] < 300 for each in results]
    return {name: [item for item, is_accepted in zip(member, accepted) if is_accepted]
            if isinstance(member, list) else member for name, member in value.items()}


def pattern_of(path):
    """A path of the document as a regular expression: {id} is one segment."""
    parts = re.split(r"\{\w+\}", path)
    return re.compile("[^/]+".join(re.escape(each) for each in parts) + "$")


class WireContract:
    def __init__(self, document):
        self._components = document["components"]
        self._operations = {}
        paths = {}
        for name, path, operation in served_operations(document):
            self._operations[name] = operation
            paths.setdefault(path, (pattern_of(path), document["paths"][path]["parameters"]))
        # As in the router: of two that match, the one with more fixed segments.
        self._paths = sorted(paths.items(), key=lambda each: each[0].count("{"))

    def resolve(self, node):
        while "$ref" in node:
            kind, name = node["$ref"].split("/")[2:]
            node = self._components[kind][name]
        return node

    def find(self, method, path):
        """(path of the document, operation); each None when there is none."""
        for known, (pattern, _) in self._paths:
            if pattern.match(path):
                return known, self._operations.get(f"{method} {known}")
        return None, None

    def check(self, method, target, sent, reply):
        """`sent` is the body as bytes or None; `reply` has status, headers and body."""
        path, _, query = target.partition("?")
        known, operation = self.find(method, path)
        what = f"{method} {path} → {reply.status}"
        if "X-Request-Id" not in reply.headers:
            raise Violation(f"{what}: no X-Request-Id")
        if operation is None:
            return self._check_unknown(what, method, known, reply)
        answer = operation["responses"].get(str(reply.status))
        if answer is None:
            raise Violation(f"{what}: undocumented status: {reply.body[:500]!r}")
        self._check_body(what, self.resolve(answer), reply)
        if 200 <= reply.status < 300:
            self._check_query(what, known, operation, query)
            self._check_request(what, operation, sent, reply)

    def _check_unknown(self, what, method, known, reply):
        if method == "OPTIONS" and reply.status == 200:
            return  # A preflight.
        if reply.status in (400, 403):
            self._check_json(what, self._components["schemas"]["Error"], reply.body)
        elif known is not None:
            if reply.status != 405 or "Allow" not in reply.headers:
                raise Violation(f"{what}: expected 405 with Allow")
            if method != "HEAD":
                self._check_json(what, self._components["schemas"]["Error"], reply.body)
        elif reply.status != 404:
            raise Violation(f"{what}: not in the document, expected the 404 of unknown paths")
        elif method != "HEAD":
            self._check_json(what, self._components["schemas"]["Error"], reply.body)

    def _check_body(self, what, answer, reply):
        content = answer.get("content")
        if content is None:
            if reply.body:
                raise Violation(f"{what}: expected no body")
            return
        media = reply.headers.get("Content-Type", "").split(";")[0]
        if media not in content:
            raise Violation(f"{what}: {media!r} is not one of {list(content)}")
        if media == "application/json":
            self._check_json(what, content[media]["schema"], reply.body)

    def _check_json(self, what, schema, body):
        self.check_value(what, schema, json.loads(body))

    def _check_query(self, what, known, operation, query):
        parameters = map(self.resolve, operation.get("parameters", []))
        names = {each["name"] for each in parameters if each["in"] == "query"}
        unknown = {name for name, _ in urllib.parse.parse_qsl(query)} - names
        if unknown:
            raise Violation(f"{what}: undocumented parameters {unknown} of {known}")

    def _check_request(self, what, operation, sent, reply):
        described = operation.get("requestBody")
        if not sent or described is None:
            return
        try:
            value, _ = json.JSONDecoder().raw_decode(sent.decode().lstrip())
        except ValueError:
            if described.get("required"):
                raise
            return  # Where a body is optional, one that is no JSON counts as none.
        schema = described["content"]["application/json"]["schema"]
        value = without_refused(value, reply)
        self.check_value(f"{what}, the request", schema, self.spelled(schema, value))

    def check_value(self, what, schema, value):
        error = jsonschema.exceptions.best_match(self._validator(json.dumps(schema))
                                                 .iter_errors(value))
        if error is not None:
            where = "/".join(map(str, error.absolute_path))
            raise Violation(f"{what}: at '{where}': {error.message}")

    @functools.lru_cache(maxsize=None)
    def _validator(self, schema_text):
        schema = {"components": self._components, "allOf": [json.loads(schema_text)]}
        return jsonschema.Draft202012Validator(schema)

    def spelled(self, schema, value):
        """As the server reads a body: names in any case, null for absent."""
        schema = self.resolve(schema)
        if isinstance(value, list) and "items" in schema:
            return [self.spelled(schema["items"], each) for each in value]
        if not isinstance(value, dict) or "properties" not in schema:
            return value
        names = {name.lower(): name for name in schema["properties"]}
        result = {}
        for key, member in value.items():
            name = names.get(key.lower())
            if name is None:
                result[key] = member
            elif member is not None:
                result[name] = self.spelled(schema["properties"][name], member)
        return result


@functools.lru_cache(maxsize=None)
def wire_contract():
    """That of the sources beside this test."""
    return WireContract(wire_documents.openapi(REST, with_conditions=True))
