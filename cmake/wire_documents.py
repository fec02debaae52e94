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
    parameters = ["Workspace"] if path.startswith("/v1/") else []
    item["parameters"] = [reference("parameters", each)
                          for each in (*parameters, *PARAMETERS_OF_EVERY_ROUTE)]
    answers = ANSWERS_OF_EVERY_ROUTE | (ANSWERS_BELOW_V1 if path.startswith("/v1/") else {})
    for operation in (item[each] for each in OPERATIONS if each in item):
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


def openapi(folder):
    document = read(folder / "openapi/api.json")
    schemas = document["components"]["schemas"]
    for path in sorted((folder / "openapi").glob("*.json")):
        if path.name == "api.json":
            continue
        area = read(path)
        document["tags"].append(area["tag"])
        schemas |= area["schemas"]
        for route, item in area["paths"].items():
            for operation in (item[each] for each in OPERATIONS if each in item):
                operation["tags"] = [area["tag"]["name"]]
            document["paths"][route] = item
            if route in area.get("scoped", []):
                route, item = scoped(route, item)
                document["paths"][route] = item
    definition = json.dumps(definition_schema(folder)["$defs"])
    schemas |= json.loads(definition.replace("#/$defs/", "#/components/schemas/"))
    for route, item in document["paths"].items():
        complete_route(route, item)
    add_request_ids(document)
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
