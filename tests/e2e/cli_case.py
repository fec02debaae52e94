"""What tests of the command line share: commands against a server of `millrace serve`."""

import json
import os
import pathlib
import subprocess
import tempfile

from client import PATIENCE_SECONDS
from server import ServerTestCase


class CliTestCase(ServerTestCase):
    """`server` is the one that commands talk to; `environment` is theirs besides that."""

    server = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="millrace_cli_")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.environment = {}

    def all_variables(self):
        own = {name: value for name, value in os.environ.items()
               if not name.startswith("MILLRACE_")}
        if self.server:
            own["MILLRACE_SERVER"] = f"http://127.0.0.1:{self.server.rest_port}"
        return {**own, **self.environment}

    def millrace(self, *arguments, expect=0, text_in=None):
        result = subprocess.run(
            [self.program, *arguments], input=text_in, capture_output=True, text=True, check=False,
            timeout=PATIENCE_SECONDS, env=self.all_variables(), cwd=self.directory)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def refused(self, code, *arguments, expect=1, text_in=None):
        """What a call says that the server refuses with this code."""
        text = self.millrace(*arguments, expect=expect, text_in=text_in).stderr
        self.assertIn(f"({code}", text)
        return text

    def millrace_json(self, *arguments, **options):
        return json.loads(self.millrace(*arguments, "--output", "json", **options).stdout)

    def items(self, *arguments):
        return self.millrace_json(*arguments)["items"]

    def ids(self, *arguments):
        return [each["id"] for each in self.items(*arguments)]

    def apply(self, definition):
        return self.millrace_json("definitions", "apply", "-", text_in=json.dumps(definition))

    def start(self, definition_id, *options):
        return self.millrace_json("instances", "start", definition_id, *options)["id"]

    def get(self, instance_id):
        return self.millrace_json("instances", "get", instance_id)
