#!/usr/bin/env python3
"""Assembles the documents that the server gives out about itself, and makes a C++ header of them.

Usage: wire_documents.py FOLDER HEADER

FOLDER is src/api/rest: openapi/api.json is the frame, every other openapi/*.json an area with its
tag, paths and schemas, and definition.schema.json is both a document of its own and the schema
Definition of the API. Paths that an area lists under "scoped" are there a second time, below
/v1/workspaces/{ws}.
"""

import copy
import json
import pathlib
import sys

OPERATIONS = ("get", "put", "post", "delete", "patch")
PARAMETERS_OF_EVERY_ROUTE = ("RequestId", "Traceparent")
# What HTTP itself, the check of the caller and the store may answer on every route.
ANSWERS_OF_EVERY_ROUTE = {
    "400": "BadRequest", "403": "Forbidden", "408": "Timeout", "413": "TooLarge",
    "431": "HeaderTooLarge", "500": "InternalError", "503": "Unavailable"}
ANSWERS_BELOW_V1 = {"401": "Unauthorized", "429": "TooManyRequests"}

HEADER = """\
// Made of the documents of src/api/rest by cmake/wire_documents.py.
#pragma once

#include <string_view>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif

namespace millrace::rest::documents {

inline constexpr std::string_view kOpenApi = R"json(%s
)json";

inline constexpr std::string_view kDefinitionSchema = R"json(%s
)json";

}  // namespace millrace::rest::documents

#ifdef __clang__
#pragma clang diagnostic pop
#endif
"""


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def definition_schema(folder):
    return read(folder / "definition.schema.json")


def reference(kind, name):
    return {"$ref": f"#/components/{kind}/{name}"}


def scoped(path, item):
    """The same route for a workspace that its path names."""
    item = copy.deepcopy(item)
    for operation in (item[each] for each in OPERATIONS if each in item):
        operation["operationId"] += "OfWorkspace"
        operation["summary"] += ", of a workspace"
        operation["parameters"] = [reference("parameters", "WorkspaceId"),
                                   *operation.get("parameters", [])]
        operation["responses"].setdefault("404", reference("responses", "NotFound"))
    return "/v1/workspaces/{ws}" + path.removeprefix("/v1"), item


def complete_route(path, item):
    """Adds what all routes have in common."""
    parameters = ["WorkspaceHeader"] if path.startswith("/v1/") else []
    item["parameters"] = [reference("parameters", each)
                          for each in (*parameters, *PARAMETERS_OF_EVERY_ROUTE)]
    answers = ANSWERS_OF_EVERY_ROUTE | (ANSWERS_BELOW_V1 if path.startswith("/v1/") else {})
    for operation in (item[each] for each in OPERATIONS if each in item):
        add_warnings(operation)
        for status, name in answers.items():
            operation["responses"].setdefault(status, reference("responses", name))
        operation["responses"] = dict(sorted(operation["responses"].items()))


def add_request_ids(document):
    """Every answer carries the id of its request."""
    answers = list(document["components"]["responses"].values())
    for item in document["paths"].values():
        for operation in (item[each] for each in OPERATIONS if each in item):
            answers += [each for each in operation["responses"].values() if "$ref" not in each]
    for answer in answers:
        answer.setdefault("headers", {})["X-Request-Id"] = reference("headers", "RequestId")


def add_warnings(operation):
    """Those that pass over unknown fields tell of them."""
    if operation.get("x-lenient"):
        for answer in operation["responses"].values():
            if "$ref" not in answer:
                answer.setdefault("headers", {})["Millrace-Warning"] = reference("headers", "Warning")


def add_schemas(schemas, more):
    """Two areas with one name for different things would lose one of them."""
    doubled = schemas.keys() & more.keys()
    if doubled:
        raise ValueError(f"schemas of the same name: {sorted(doubled)}")
    schemas |= more


def for_generators(schema):
    """Without what generators of clients cannot use: a default is sent with every request, or makes
    the field required; a condition is no type. The schema of definitions itself has both."""
    if isinstance(schema, list):
        return [for_generators(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: for_generators(each) for key, each in schema.items()
            if key not in ("default", "if", "then", "else")}
    if "allOf" in kept:
        kept["allOf"] = [each for each in kept["allOf"] if each]
        if not kept["allOf"]:
            del kept["allOf"]
    return kept


def without_null(schema):
    """For definitions, where null means absent: a client leaves such a field out."""
    if isinstance(schema, list):
        return [without_null(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: without_null(each) for key, each in schema.items()}
    if isinstance(kept.get("type"), list):
        [kept["type"]] = [each for each in kept["type"] if each != "null"]
    if None in kept.get("enum", []):
        kept["enum"] = [each for each in kept["enum"] if each is not None]
        kept["type"] = "string"
    return kept


class Namer:
    """Gives objects inside of others a name and a place of their own: generators would make one up,
    each another, and openapi-generator then takes the object around it for an open map."""

    def __init__(self, schemas):
        self._schemas = schemas
        for name in list(schemas):
            schemas[name] = self._parts(name, schemas[name])

    def named(self, name, schema):
        schema = self._parts(name, schema)
        is_own = "properties" in schema or schema.get("additionalProperties") is True
        if schema.get("type") != "object" or not is_own:
            return schema
        add_schemas(self._schemas, {name: schema})
        return reference("schemas", name)

    def _parts(self, name, schema):
        schema = dict(schema)
        if "properties" in schema:
            schema["properties"] = {key: self.named(name + capital(key), each)
                                    for key, each in schema["properties"].items()}
        if "items" in schema:
            schema["items"] = self.named(name + "Item", schema["items"])
        return schema


def capital(name):
    return name[:1].upper() + name[1:]


def name_bodies(namer, operation):
    name = capital(operation["operationId"])
    bodies = [(name + "Request", operation.get("requestBody", {}))]
    bodies += [(name + "Answer", answer) for answer in operation["responses"].values()]
    for title, body in bodies:
        for content in body.get("content", {}).values():
            content["schema"] = namer.named(title, content["schema"])


def openapi(folder, with_conditions=False):
    """What the server gives out; with conditions, what tests hold it to."""
    document = read(folder / "openapi/api.json")
    schemas = document["components"]["schemas"]
    for path in sorted((folder / "openapi").glob("*.json")):
        if path.name == "api.json":
            continue
        area = read(path)
        document["tags"].append(area["tag"])
        add_schemas(schemas, area["schemas"])
        for route, item in area["paths"].items():
            for operation in (item[each] for each in OPERATIONS if each in item):
                operation["tags"] = [area["tag"]["name"]]
            document["paths"][route] = item
            if route in area.get("scoped", []):
                route, item = scoped(route, item)
                document["paths"][route] = item
    definition = json.dumps(definition_schema(folder)["$defs"])
    add_schemas(schemas, json.loads(definition.replace("#/$defs/", "#/components/schemas/")))
    for route, item in document["paths"].items():
        complete_route(route, item)
    add_request_ids(document)
    if not with_conditions:
        for name in definition_schema(folder)["$defs"]:
            schemas[name] = without_null(schemas[name])
        document["components"]["schemas"] = schemas = for_generators(schemas)
        namer = Namer(schemas)
        for item in document["paths"].values():
            for operation in (item[each] for each in OPERATIONS if each in item):
                name_bodies(namer, operation)
    return document


def main():
    folder, header = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    texts = [json.dumps(each, ensure_ascii=False, separators=(",", ":"))
             for each in (openapi(folder), definition_schema(folder))]
    text = HEADER % tuple(texts)
    if not header.exists() or header.read_text(encoding="utf-8") != text:  # Else nothing to build.
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
