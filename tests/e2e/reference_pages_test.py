#!/usr/bin/env python3
"""The examples of the reference pages: documents of the API, and definitions.

Usage: reference_pages_test.py PROGRAM [unittest arguments]
"""

import json
import os
import re
import subprocess
import sys
import unittest

import jsonschema
from wire_contract import REST, ROOT, WireContract, wire_documents

PROGRAM = ""
BLOCK = re.compile(r"^```json *(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """(name behind `json`, document) of each block."""
    text = (ROOT / "docs/reference" / page).read_text(encoding="utf-8")
    return [(name, json.loads(body)) for name, body in BLOCK.findall(text)]


class ApiPageTest(unittest.TestCase):
    def test_every_document_fits_the_schema_that_it_names(self):
        contract = WireContract(wire_documents.openapi(REST))
        examples = blocks("api.md")
        self.assertGreater(len(examples), 25)
        for name, document in examples:
            with self.subTest(name):
                contract.check_value(name, {"$ref": f"#/components/schemas/{name}"}, document)


class DefinitionsPageTest(unittest.TestCase):
    def definitions(self):
        found = [document for _, document in blocks("definitions.md") if "id" in document]
        self.assertGreaterEqual(len(found), 5)
        return found

    def test_every_definition_fits_the_schema(self):
        validator = jsonschema.Draft202012Validator(wire_documents.definition_schema(REST))
        for definition in self.definitions():
            with self.subTest(definition["id"]):
                validator.validate(definition)

    def test_every_definition_is_accepted(self):
        for definition in self.definitions():
            with self.subTest(definition["id"]):
                result = subprocess.run(
                    [PROGRAM, "definitions", "validate", "-"], input=json.dumps(definition),
                    text=True, capture_output=True, timeout=60, check=False)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
