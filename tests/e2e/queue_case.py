"""What tests of the execution queue share: executions enqueued by REST, and by SQL, where no server
sees it."""

import json
import subprocess

from client import PATIENCE_SECONDS
from collector import Collector
from definitions import one_task
from server import PostgresStore, ServerTestCase, wait_until

OPEN = ("PENDING", "CLAIMED", "DISPATCHED")


def remote(definition_id, workflow_type, **fields):
    """A definition that runs on the Temporal server of a test."""
    return {"id": definition_id, "name": definition_id,
            "executor": {"kind": "temporal", "workflowType": workflow_type}, **fields}


class QueueTestCase(ServerTestCase):
    store_type = PostgresStore

    def new_collector(self):
        collector = Collector()
        self.addCleanup(collector.close)
        return collector

    def new_queue(self, *options):
        """A server on a new store, whose log tells everything."""
        return self.new_server(self.new_store(self.store_type), "--log-level", "debug", *options)

    def upload(self, server, *documents):
        for document in documents:
            reply = server.client().post("/v1/definitions", document)
            self.assertEqual(reply.status, 201, reply)

    def upload_task(self, server, definition_id):
        self.upload(server, one_task(definition_id))

    def ask(self, store, statement, **values):
        """The one value that a statement brings; `:'name'` stands for a value."""
        given = [part for name, value in values.items() for part in ("-v", f"{name}={value}")]
        done = subprocess.run(
            ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", *given, store.url], input=statement,
            check=True, timeout=PATIENCE_SECONDS, capture_output=True, text=True)
        return done.stdout.strip()

    def request(self, server, definition_id, given=None, headers=None, **fields):
        """The id of an execution that is enqueued by REST."""
        reply = server.client().post(
            "/v1/workspaces/default/executions",
            {"definitionId": definition_id, "input": given or {}, **fields}, headers)
        self.assertEqual(reply.status, 202, reply)
        return reply.json()["id"]

    def metric(self, server, name):
        text = server.metrics_client().get("/metrics").text
        return sum(float(line.split()[-1]) for line in text.splitlines()
                   if line.startswith(name + " "))

    def enqueue(self, store, definition_id, given=None, workspace="default", **options):
        """The id of a new execution."""
        return self.ask(
            store, "SELECT millrace_enqueue(:'workspace', :'definition', :'input', :'options')",
            workspace=workspace, definition=definition_id, input=json.dumps(given or {}),
            options=json.dumps(options))

    def execution(self, store, execution_id):
        """Its row."""
        return json.loads(self.ask(
            store, "SELECT row_to_json(execution) FROM execution WHERE millrace_id_text(id) = :'id'",
            id=execution_id))

    def wait_for_status(self, store, execution_id, *statuses):
        def row():
            found = self.execution(store, execution_id)
            return found if found["queue_status"] in statuses else None

        return wait_until(row, f"{execution_id} {statuses}")

    def events(self, server, message):
        """The lines of the log with this message."""
        return [line for line in self.log_lines(server) if line["message"] == message]

    def wait_for_event(self, server, message, **fields):
        def found():
            return next((line for line in self.events(server, message)
                         if fields.items() <= line.items()), None)

        return wait_until(found, f"the event {message!r} with {fields}")

    @staticmethod
    def log_lines(server):
        return [json.loads(line) for line in list(server.log) if line.startswith("{")]
