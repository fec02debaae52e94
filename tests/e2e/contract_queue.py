"""The execution queue: workspaces, executions, their line and their dead letters."""

from contract_case import ID, NO_ID, TIME, ContractTestCase
from definitions import definition, one_task, step
from server import wait_until

EXECUTION_KEYS = {
    "id", "workspaceId", "definitionId", "definitionVersion", "queueStatus", "status", "priority",
    "createdAt", "attemptCount", "deferrals", "recoveries", "executor"}
FAR_FUTURE = "2099-01-01T00:00:00Z"


def far(definition_id):
    """Runs elsewhere, on a cluster that this server does not know: it can never start."""
    return {"id": definition_id, "name": definition_id,
            "executor": {"kind": "temporal", "workflowType": "Far", "target": "nowhere"}}


class QueueTestCase(ContractTestCase):
    """Each test has a workspace of its own, named after it."""

    def new_workspace(self, workspace, *definitions, **settings):
        self.post("/v1/workspaces", {"id": workspace, "plan": "UNLIMITED", **settings}, 201)
        for each in definitions:
            self.post(f"/v1/workspaces/{workspace}/definitions", each, 201)

    def enqueue(self, workspace, definition_id, status=202, **fields):
        return self.post(f"/v1/workspaces/{workspace}/executions",
                         {"definitionId": definition_id, **fields}, status).json()

    def execution(self, execution_id):
        return self.get(f"/v1/executions/{execution_id}").json()

    def wait_for(self, execution_id, status):
        wait_until(lambda: self.execution(execution_id)["queueStatus"] == status, status)
        return self.execution(execution_id)

    def ids(self, path):
        return [each["id"] for each in self.get(path).json()["items"]]

    def queue(self, workspace):
        return self.get(f"/v1/workspaces/{workspace}/queue").json()

    def refuse(self, field, method, path, body):
        error = self.expect_error(400, "bad-request", ".", method, path, body)
        self.assertIn(field, [each["path"] for each in error["details"]], error)

    def pause(self, workspace, is_paused):
        self.expect(200, "PATCH", f"/v1/workspaces/{workspace}", {"paused": is_paused})


class QueueWorkspacesTest(QueueTestCase):
    def test_a_workspace_is_made_read_changed_and_deleted(self):
        reply = self.post("/v1/workspaces", {"id": "w-life", "name": "Life", "plan": "PRO",
                                             "ratePerSecond": 2.5}, 201)
        self.assertEqual(reply.headers["Location"], "/v1/workspaces/w-life")
        made = reply.json()
        self.assertRegex(made["createdAt"], TIME)
        self.assertEqual(made["limits"], {"maxPerKey": 1, "maxActive": 5, "ratePerSecond": 2.5,
                                          "maxAttempts": 3, "weight": 1})
        self.assertEqual(self.get("/v1/workspaces/w-life").json(), made)
        self.assertIn("w-life", self.ids("/v1/workspaces?pageSize=500"))
        changed = self.expect(200, "PATCH", "/v1/workspaces/w-life",
                              {"maxActive": 7, "ratePerSecond": None, "paused": True}).json()
        self.assertEqual((changed["maxActive"], changed["paused"], changed["name"]),
                         (7, True, "Life"))
        self.assertNotIn("ratePerSecond", changed["limits"])
        self.assertGreaterEqual(changed["changedAt"], made["changedAt"])
        self.expect(204, "DELETE", "/v1/workspaces/w-life")
        for method in ("GET", "DELETE"):
            self.expect_error(404, "not-found", "w-life", method, "/v1/workspaces/w-life")

    def test_the_default_workspace_is_there_and_stays(self):
        self.assertEqual(self.get("/v1/workspaces/default").json()["plan"], "UNLIMITED")
        self.expect_error(409, "conflict", "default", "DELETE", "/v1/workspaces/default?force=true")

    def test_bad_settings_are_refused_with_their_names(self):
        for field, value in [("id", "No!"), ("plan", "GOLD"), ("maxActive", -1), ("maxPerKey", 0),
                             ("ratePerSecond", 0), ("maxAttempts", 0), ("weight", 0),
                             ("maxActive", 1 << 40), ("paused", "yes"), ("name", "x" * 257)]:
            with self.subTest(field):
                body = {"id": "w-bad", field: value}
                self.refuse(field, "POST", "/v1/workspaces", body)
                if field != "id":
                    self.refuse(field, "PATCH", "/v1/workspaces/default", {field: value})
        self.expect_error(404, "not-found", ".", "GET", "/v1/workspaces/w-bad")
        self.post("/v1/workspaces", {"id": "w-twice"}, 201)
        self.expect_error(409, "conflict", "w-twice", "POST", "/v1/workspaces", {"id": "w-twice"})

    def test_lists_go_on_by_cursor(self):
        for each in ("w-list-1", "w-list-2", "w-list-3"):
            self.post("/v1/workspaces", {"id": each}, 201)
        seen, cursor = [], ""
        while True:
            page = self.get(f"/v1/workspaces?pageSize=2{cursor}").json()
            seen += [each["id"] for each in page["items"]]
            if "nextCursor" not in page:
                break
            cursor = f"&cursor={page['nextCursor']}"
        self.assertEqual(seen, sorted(seen))
        self.assertLess({"w-list-1", "w-list-2", "w-list-3"}, set(seen))
        self.expect_error(400, "bad-request", "cursor", "GET", "/v1/workspaces?cursor=!")

    def test_definitions_are_there_by_path(self):
        self.new_workspace("w-paths", one_task("by_path"))
        base = "/v1/workspaces/w-paths/definitions"
        self.assertEqual(self.get(base).json()["total"], 1)
        self.assertEqual(self.get(f"{base}/by_path").json()["version"], 1)
        self.assertEqual(self.get(f"{base}/by_path/versions").json()["total"], 1)
        self.assertEqual(self.get(f"{base}/by_path/versions/1").json()["id"], "by_path")
        self.expect_error(404, "not-found", ".", "GET", "/v1/definitions/by_path")
        self.expect_error(404, "not-found", ".", "GET", "/v1/workspaces/Bad!/definitions")
        self.expect_error(400, "bad-request", "w-other", "GET", base, None,
                          {"Millrace-Workspace": "w-other"})

    def test_one_with_open_work_is_deleted_by_force(self):
        self.new_workspace("w-busy", one_task("busy"), maxActive=1)
        running, waiting = (self.enqueue("w-busy", "busy")["id"] for _ in range(2))
        self.wait_for(running, "DISPATCHED")
        error = self.expect_error(409, "conflict", "2 executions and 1 instance", "DELETE",
                                  "/v1/workspaces/w-busy")
        self.assertEqual({each["path"]: each["message"] for each in error["details"]},
                         {"executions": "2", "instances": "1"})
        self.assertFalse(self.get("/v1/workspaces/w-busy").json()["paused"])
        self.expect_error(400, "bad-request", "force", "DELETE",
                          "/v1/workspaces/w-busy?force=perhaps")
        self.expect(204, "DELETE", "/v1/workspaces/w-busy?force=true")
        for each in (running, waiting):
            self.assertEqual(self.execution(each)["queueStatus"], "CANCELLED")
        self.assertEqual(len(self.ids("/v1/workspaces/w-busy/executions")), 2)
        self.enqueue("w-busy", "busy", status=404)

    def test_counts_are_capped_at_10000(self):
        self.new_workspace("w-many", one_task("many"), paused=True)
        items = [{"definitionId": "many"}] * 1000
        for _ in range(10):
            self.post("/v1/workspaces/w-many/executions:batch", {"executions": items})
        queue = self.queue("w-many")
        self.assertEqual((queue["places"]["READY"], queue["countsCapped"]), (10_000, False))
        self.enqueue("w-many", "many")
        queue = self.queue("w-many")
        self.assertEqual((queue["places"]["READY"], queue["countsCapped"]), (10_000, True))
        listed = self.get("/v1/workspaces/w-many/executions?pageSize=1").json()
        self.assertEqual((listed["total"], listed["totalCapped"]), (10_000, True))
        self.expect_error(409, "conflict", "1 execution", "DELETE",
                          "/v1/workspaces/w-many?force=true")
        self.assertTrue(self.get("/v1/workspaces/w-many").json()["paused"])
        self.expect(204, "DELETE", "/v1/workspaces/w-many?force=true")

    def test_a_line_tells_how_it_stands(self):
        self.new_workspace("w-line", one_task("line"), maxActive=1, weight=3, ratePerSecond=100)
        running = self.enqueue("w-line", "line")["id"]
        self.wait_for(running, "DISPATCHED")
        self.enqueue("w-line", "line")
        self.enqueue("w-line", "line", notBefore=FAR_FUTURE)
        queue = self.queue("w-line")
        self.assertEqual(queue["places"], {"READY": 1, "PARKED": 0, "DUE": 1, "ACTIVE": 1})
        self.assertEqual(queue["queueStatuses"], {"PENDING": 2, "CLAIMED": 0, "DISPATCHED": 1})
        self.assertEqual((queue["active"], queue["limits"]["maxActive"], queue["deadLetters"]),
                         (1, 1, 0))
        self.assertEqual((queue["limits"]["weight"], queue["limits"]["ratePerSecond"]), (3, 100))
        self.assertRegex(queue["oldestWaitingSince"], TIME)
        self.assertGreaterEqual(queue["oldestAgeSeconds"], 0)
        self.expect_error(404, "not-found", "w-none", "GET", "/v1/workspaces/w-none/queue")

    def test_recovery_by_hand_counts_what_it_took_over(self):
        self.new_workspace("w-recover")
        path = "/v1/workspaces/w-recover/queue/recover"
        self.assertEqual(self.post(path, {"olderThanSeconds": 300}).json(), {"recovered": 0})
        for body in ({}, {"olderThanSeconds": -1}, {"olderThanSeconds": "long"}):
            self.refuse("olderThanSeconds", "POST", path, body)
        self.refuse("workspace", "POST", path, {"olderThanSeconds": 1, "workspace": "w"})
        self.expect_error(404, "not-found", "w-none", "POST", "/v1/workspaces/w-none/queue/recover",
                          {"olderThanSeconds": 1})


class ExecutionsTest(QueueTestCase):
    def test_one_runs_here_from_the_enqueue_to_its_result(self):
        self.new_workspace("x-happy", one_task("happy"))
        reply = self.post("/v1/workspaces/x-happy/executions",
                          {"definitionId": "happy", "input": {"name": "Ada"}, "priority": 3,
                           "concurrencyKey": "c"}, 202)
        accepted = reply.json()
        execution_id = accepted["id"]
        self.assertRegex(execution_id, ID)
        self.assertEqual(reply.headers["Location"], f"/v1/executions/{execution_id}")
        self.assertEqual(set(accepted), EXECUTION_KEYS | {"input", "concurrencyKey"})
        self.assertEqual((accepted["status"], accepted["input"]), ("PENDING", {"name": "Ada"}))
        running = self.wait_for(execution_id, "DISPATCHED")
        self.assertEqual((running["status"], running["runId"]), ("RUNNING", execution_id))
        headers = {"Millrace-Workspace": "x-happy"}
        jobs = self.expect(200, "POST", "/v1/jobs/poll",
                           {"workerId": "w", "jobTypes": ["happy"], "waitSeconds": 10},
                           headers).json()["jobs"]
        self.assertEqual([each["variables"] for each in jobs], [{"name": "Ada"}])
        self.expect(204, "POST", f"/v1/jobs/{jobs[0]['id']}/complete",
                    {"workerId": "w", "variables": {"said": "hello"}}, headers)
        over = self.execution(execution_id)
        self.assertEqual((over["status"], over["result"]),
                         ("COMPLETED", {"name": "Ada", "said": "hello"}))
        times = [over[name] for name in ("createdAt", "claimedAt", "dispatchedAt", "completedAt")]
        for each in times:
            self.assertRegex(each, TIME)
        [listed] = self.get("/v1/workspaces/x-happy/executions").json()["items"]
        self.assertEqual(listed, {name: value for name, value in over.items()
                                  if name not in ("input", "result")})

    def test_the_version_is_pinned_when_it_is_enqueued(self):
        self.new_workspace("x-pinned", one_task("pinned"), paused=True)
        first = self.enqueue("x-pinned", "pinned")
        self.post("/v1/workspaces/x-pinned/definitions",
                  definition("pinned", step("done", "END")), 201)
        second = self.enqueue("x-pinned", "pinned")
        third = self.enqueue("x-pinned", "pinned", definitionVersion=1)
        self.assertEqual([each["definitionVersion"] for each in (first, second, third)], [1, 2, 1])
        self.pause("x-pinned", False)
        self.wait_for(second["id"], "COMPLETED")
        self.assertEqual(self.wait_for(first["id"], "DISPATCHED")["definitionVersion"], 1)

    def test_what_cannot_be_enqueued_is_refused(self):
        self.new_workspace("x-refused", one_task("refused"))
        path = "/v1/workspaces/x-refused/executions"
        for field, value in [("definitionId", ""), ("priority", 10), ("priority", -1),
                             ("priority", "high"), ("input", [1]), ("notBefore", "soon"),
                             ("deadline", "2001-01-01T00:00:00Z"), ("concurrencyKey", "x" * 257)]:
            with self.subTest(f"{field} {value!r:.20}"):
                self.refuse(field, "POST", path, {"definitionId": "refused", field: value})
        self.refuse("deadline", "POST", path, {
            "definitionId": "refused", "notBefore": FAR_FUTURE, "deadline": "2098-01-01T00:00:00Z"})
        self.expect_error(413, "too-large", "input", "POST", path,
                          {"definitionId": "refused", "input": {"text": "x" * (4 << 20)}})
        self.expect_error(404, "not-found", "none", "POST", path, {"definitionId": "none"})
        self.expect_error(404, "not-found", "refused", "POST", path,
                          {"definitionId": "refused", "definitionVersion": 9})
        self.expect_error(404, "not-found", "x-none", "POST", "/v1/workspaces/x-none/executions",
                          {"definitionId": "refused"})
        self.new_workspace("x-foreign")
        self.expect_error(403, "forbidden", "another", "POST",
                          "/v1/workspaces/x-foreign/executions", {"definitionId": "refused"})
        self.assertEqual(self.ids(path), [])

    def test_one_under_a_key_is_enqueued_once(self):
        self.new_workspace("x-once", one_task("once"), paused=True)
        path, headers = "/v1/workspaces/x-once/executions", {"Idempotency-Key": "k"}
        body = {"definitionId": "once", "input": {"n": 1}}
        first = self.expect(202, "POST", path, body, headers)
        again = self.expect(202, "POST", path, body, headers)
        self.assertEqual(again.json(), first.json())
        self.assertEqual(again.headers["Idempotent-Replayed"], "true")
        self.expect_error(422, "unprocessable", "k", "POST", path, {**body, "priority": 1}, headers)
        self.assertEqual(len(self.ids(path)), 1)

    def test_items_of_a_batch_stand_alone(self):
        self.new_workspace("x-batch", one_task("batch"), paused=True)
        path = "/v1/workspaces/x-batch/executions:batch"
        items = [{"definitionId": "batch", "idempotencyKey": "a"}, {"definitionId": "none"}, 7,
                 {"definitionId": "batch", "priority": 99},
                 {"definitionId": "batch", "idempotencyKey": "a"},
                 {"definitionId": "batch", "priority": 1, "idempotencyKey": "a"}]
        results = self.post(path, {"executions": items}).json()["results"]
        self.assertEqual([each["status"] for each in results], [202, 404, 400, 400, 202, 422])
        self.assertEqual(results[0]["execution"], results[4]["execution"])
        self.assertTrue(results[4]["replayed"])
        self.assertEqual(results[3]["error"]["details"][0]["path"], "executions[3].priority")
        self.expect_error(413, "too-large", "executions", "POST", path, {"executions": [{}] * 1001})
        self.refuse("executions", "POST", path, {})

    def test_lists_are_filtered_and_go_on_by_cursor(self):
        self.new_workspace("x-list", one_task("list"), far("list_far"), paused=True)
        path = "/v1/workspaces/x-list/executions"
        one = self.enqueue("x-list", "list", concurrencyKey="c")["id"]
        two = self.enqueue("x-list", "list_far")
        three = self.enqueue("x-list", "list")["id"]
        self.post(f"/v1/executions/{three}/cancel")
        two, since = two["id"], two["createdAt"]
        for query, expected in [
                ("", [three, two, one]), ("?status=PENDING", [two, one]),
                ("?status=CANCELLED,RUNNING", [three]), ("?queueStatus=PENDING", [two, one]),
                ("?queueStatus=PENDING&status=CANCELLED", []),
                ("?definitionId=list_far", [two]), ("?concurrencyKey=c", [one]),
                ("?requestedBy=nobody", []), ("?reason=WORKFLOW_FAILED", []),
                (f"?createdFrom={since}", [three, two]), (f"?createdBefore={since}", [one])]:
            with self.subTest(query):
                self.assertEqual(self.ids(path + query), expected)
        self.get(path + "?status=LOST", 400)
        first = self.get(f"{path}?pageSize=2").json()
        self.assertEqual(self.ids(f"{path}?pageSize=2&cursor={first['nextCursor']}"), [one])
        for query in ("createdFrom=now", "createdBefore=2027", "cursor=!"):
            self.expect_error(400, "bad-request", query.split("=")[0], "GET", f"{path}?{query}")

    def test_one_is_cancelled_wherever_it_is(self):
        self.new_workspace("x-cancel", one_task("cancel"), maxActive=1)
        running, waiting = (self.enqueue("x-cancel", "cancel")["id"] for _ in range(2))
        self.wait_for(running, "DISPATCHED")
        cancelled = self.post(f"/v1/executions/{waiting}/cancel", {"reason": "twice"}).json()
        self.assertEqual((cancelled["queueStatus"], cancelled["error"]),
                         ("CANCELLED", {"message": "twice"}))
        self.assertEqual(set(cancelled) - EXECUTION_KEYS,
                         {"completedAt", "cancelRequestedAt", "error"})
        self.post(f"/v1/executions/{waiting}/cancel")
        here = self.post(f"/v1/executions/{running}/cancel", {"force": True}).json()
        self.assertEqual(here["queueStatus"], "CANCELLED")
        instance = self.expect(200, "GET", f"/v1/instances/{running}",
                               headers={"Millrace-Workspace": "x-cancel"}).json()
        self.assertEqual(instance["status"], "CANCELLED")
        self.refuse("force", "POST", f"/v1/executions/{running}/cancel", {"force": 1})

    def test_a_worker_reports_the_end_of_a_run_elsewhere(self):
        self.new_workspace("x-report", far("report"), one_task("here"), paused=True)
        done, failed = (self.enqueue("x-report", "report")["id"] for _ in range(2))
        path = f"/v1/executions/{done}/completion"
        report = {"status": "COMPLETED", "result": {"total": 12}, "runId": "r1"}
        self.assertEqual(self.post(path, report).json()["queueStatus"], "COMPLETED")
        self.post(path, report)
        self.expect_error(409, "conflict", "COMPLETED", "POST", path, {"status": "FAILED"})
        over = self.execution(done)
        self.assertEqual((over["result"], over["runId"], over["workflowId"]),
                         ({"total": 12}, "r1", f"execution-{done}"))
        self.expect_error(409, "conflict", "COMPLETED", "POST", f"/v1/executions/{done}/cancel")
        path = f"/v1/executions/{failed}/completion"
        for field, body in [("status", {}), ("status", {"status": "RUNNING"}),
                            ("result", {"status": "FAILED", "result": 1}),
                            ("error", {"status": "COMPLETED", "error": {}}),
                            ("error.reason", {"status": "FAILED", "error": {"reason": "LUCK"}})]:
            self.refuse(field, "POST", path, body)
        error = {"reason": "TIMED_OUT", "message": "no answer"}
        self.assertEqual(self.post(path, {"status": "FAILED", "error": error}).json()["error"], error)
        here = self.enqueue("x-report", "here")["id"]
        self.expect_error(409, "conflict", ".", "POST", f"/v1/executions/{here}/completion",
                          {"status": "COMPLETED"})

    def test_a_failed_one_is_retried_by_a_new_one(self):
        self.new_workspace("x-retry", far("retry"), paused=True)
        failed = self.enqueue("x-retry", "retry", input={"a": 1}, priority=4)["id"]
        path, headers = f"/v1/executions/{failed}/retry", {"Idempotency-Key": "r"}
        self.expect_error(409, "conflict", "PENDING", "POST", path)
        self.post(f"/v1/executions/{failed}/completion", {"status": "FAILED"})
        reply = self.expect(202, "POST", path, None, headers)
        retry = reply.json()
        self.assertEqual(reply.headers["Location"], f"/v1/executions/{retry['id']}")
        self.assertEqual((retry["retryOf"], retry["input"], retry["priority"]),
                         (failed, {"a": 1}, 4))
        self.assertEqual(self.execution(failed)["retriedBy"], retry["id"])
        again = self.expect(202, "POST", path, None, headers)
        self.assertEqual((again.json()["id"], again.headers["Idempotent-Replayed"]),
                         (retry["id"], "true"))
        self.expect_error(409, "conflict", ".", "POST", path)
        self.refuse("resume", "POST", path, {"resume": "yes"})

    def test_a_failed_one_goes_on_where_it_failed(self):
        self.new_workspace("x-resume", one_task("resume"))
        execution_id = self.enqueue("x-resume", "resume")["id"]
        headers = {"Millrace-Workspace": "x-resume"}
        poll = {"workerId": "w", "jobTypes": ["resume"], "waitSeconds": 10}
        [job] = self.expect(200, "POST", "/v1/jobs/poll", poll, headers).json()["jobs"]
        self.expect(204, "POST", f"/v1/jobs/{job['id']}/fail",
                    {"workerId": "w", "errorMessage": "out of ink", "retryable": False}, headers)
        failed = self.wait_for(execution_id, "FAILED")
        self.assertEqual(failed["error"]["reason"], "WORKFLOW_FAILED")
        resumed = self.post(f"/v1/executions/{execution_id}/retry", {"resume": True}, 202).json()
        self.assertEqual(resumed["id"], execution_id)
        [job] = self.expect(200, "POST", "/v1/jobs/poll", poll, headers).json()["jobs"]
        self.expect(204, "POST", f"/v1/jobs/{job['id']}/complete", {"workerId": "w"}, headers)
        self.assertEqual(self.execution(execution_id)["queueStatus"], "COMPLETED")

    def test_unknown_ones_are_not_found(self):
        for each in (NO_ID, "nonsense", NO_ID[:-1] + "1"):
            self.expect_error(404, "not-found", ".", "GET", f"/v1/executions/{each}")
            self.expect_error(404, "not-found", ".", "GET", f"/v1/dead-letters/{each}")
            for call in ("executions/{}/cancel", "executions/{}/retry", "executions/{}/completion",
                         "dead-letters/{}/redrive", "dead-letters/{}/dismiss"):
                body = {"status": "FAILED"} if "completion" in call else None
                self.expect_error(404, "not-found", ".", "POST", "/v1/" + call.format(each), body)

    def test_a_workspace_that_is_named_narrows_what_is_found(self):
        self.new_workspace("x-narrow", one_task("narrow"), paused=True)
        execution_id = self.enqueue("x-narrow", "narrow")["id"]
        self.execution(execution_id)
        for method, path in [("GET", ""), ("POST", "/cancel"), ("POST", "/retry")]:
            self.expect_error(404, "not-found", ".", method, f"/v1/executions/{execution_id}{path}",
                              None, {"Millrace-Workspace": "x-other"})
        self.assertEqual(self.execution(execution_id)["queueStatus"], "PENDING")


class DeadLettersTest(QueueTestCase):
    def new_dead(self, workspace, count):
        """Executions that could never start, oldest first."""
        ids = [self.enqueue(workspace, "lost")["id"] for _ in range(count)]
        for each in ids:
            self.wait_for(each, "FAILED")
        return ids

    def new_failed(self, workspace, message=""):
        """One that ran, and failed."""
        execution_id = self.enqueue(workspace, "lost")["id"]
        self.post(f"/v1/executions/{execution_id}/completion",
                  {"status": "FAILED", "error": {"message": message}})
        return execution_id

    def test_one_that_cannot_start_is_kept_and_redriven_under_its_id(self):
        self.new_workspace("d-start", far("lost"))
        [dead] = self.new_dead("d-start", 1)
        error = self.execution(dead)["error"]
        self.assertEqual(error["reason"], "EXECUTOR_TARGET_NOT_FOUND")
        self.assertEqual(self.ids("/v1/workspaces/d-start/dead-letters"), [dead])
        self.assertEqual(self.queue("d-start")["deadLetters"], 1)
        self.assertEqual(self.get(f"/v1/dead-letters/{dead}").json(), self.execution(dead))
        self.pause("d-start", True)
        reply = self.post(f"/v1/dead-letters/{dead}/redrive", None, 202)
        self.assertEqual((reply.json()["id"], reply.json()["queueStatus"]), (dead, "PENDING"))
        self.assertEqual(reply.headers["Location"], f"/v1/executions/{dead}")
        self.expect_error(404, "not-found", dead, "GET", f"/v1/dead-letters/{dead}")
        self.expect_error(409, "conflict", "PENDING", "POST", f"/v1/dead-letters/{dead}/redrive")
        self.expect_error(409, "conflict", "PENDING", "POST", f"/v1/dead-letters/{dead}/dismiss")
        self.pause("d-start", False)
        self.wait_for(dead, "FAILED")

    def test_one_that_ran_is_redriven_by_a_new_one(self):
        self.new_workspace("d-ran", far("lost"), paused=True)
        failed = self.new_failed("d-ran")
        again = self.post(f"/v1/dead-letters/{failed}/redrive", {}, 202).json()
        self.assertEqual(again["retryOf"], failed)
        self.assertEqual(self.ids("/v1/workspaces/d-ran/dead-letters"), [])

    def test_many_are_tried_redriven_and_spread(self):
        self.new_workspace("d-many", far("lost"))
        dead = self.new_dead("d-many", 3)
        self.pause("d-many", True)
        failed = self.new_failed("d-many")
        base = "/v1/workspaces/d-many/dead-letters"
        trial = self.post(f"{base}/redrive", {"filter": {"definitionId": "lost"}, "trial": 1}).json()
        self.assertEqual(trial, {
            "redriven": 1, "failed": [], "remaining": 3,
            "executions": [{"id": dead[0], "executionId": dead[0], "newExecution": False}]})
        rest = self.post(f"{base}/redrive", {"filter": {}, "ratePerSecond": 0.001}).json()
        self.assertEqual((rest["redriven"], rest["remaining"]), (3, 0))
        self.assertEqual([(each["id"], each["newExecution"]) for each in rest["executions"]],
                         [(dead[1], False), (dead[2], False), (failed, True)])
        self.assertNotIn("notBefore", self.execution(dead[1]))
        self.assertEqual(self.queue("d-many")["places"]["DUE"], 2)
        self.assertRegex(self.execution(dead[2])["notBefore"], TIME)

    def test_they_are_grouped_dismissed_and_purged(self):
        self.new_workspace("d-groups", far("lost"), paused=True)
        one, two = (self.new_failed("d-groups", f"order {n} is gone") for n in (17, 18))
        three = self.new_failed("d-groups", "out of ink")
        base = "/v1/workspaces/d-groups/dead-letters"
        [group, other] = self.get(f"{base}/groups").json()["items"]
        self.assertEqual((group["count"], group["message"], group["latestId"], group["reason"]),
                         (2, "order 18 is gone", two, "WORKFLOW_FAILED"))
        self.assertEqual((other["count"], other["latestId"]), (1, three))
        self.assertEqual(len(self.get(f"{base}/groups?pageSize=1").json()["items"]), 1)
        self.assertEqual(self.ids(f"{base}?reason=TIMED_OUT"), [])
        for _ in range(2):
            self.post(f"/v1/dead-letters/{one}/dismiss")
        self.assertEqual(self.ids(base), [three, two])
        self.assertEqual(self.execution(one)["queueStatus"], "FAILED")
        gone = self.post(f"{base}/purge", {"ids": [one, two, NO_ID]}).json()
        self.assertEqual((gone["purged"], [each["error"] for each in gone["failed"]]),
                         (1, ["conflict", "not-found"]))
        self.expect_error(404, "not-found", two, "GET", f"/v1/executions/{two}")
        self.assertEqual(self.post(f"{base}/dismiss", {"filter": {"reason": "WORKFLOW_FAILED"}}).json(),
                         {"dismissed": 1, "failed": [], "remaining": 0})

    def test_without_a_path_they_are_those_of_the_callers_workspace(self):
        self.new_workspace("d-header", far("lost"), paused=True)
        dead, headers = self.new_failed("d-header"), {"Millrace-Workspace": "d-header"}
        listed = self.expect(200, "GET", "/v1/dead-letters", headers=headers).json()
        self.assertEqual([each["id"] for each in listed["items"]], [dead])
        groups = self.expect(200, "GET", "/v1/dead-letters/groups", headers=headers).json()
        self.assertEqual(len(groups["items"]), 1)
        self.assertNotIn(dead, self.ids("/v1/dead-letters?pageSize=500"))
        for verb in ("redrive", "dismiss", "purge"):
            outcome = self.post(f"/v1/dead-letters/{verb}", {"ids": [dead]}).json()
            self.assertEqual([each["error"] for each in outcome["failed"]], ["not-found"])
        outcome = self.expect(200, "POST", "/v1/dead-letters/redrive", {"ids": [dead]},
                              headers).json()
        self.assertEqual(outcome["redriven"], 1)

    def test_bad_selections_are_refused(self):
        for field, body in [("ids", {}), ("ids", {"ids": [NO_ID], "filter": {}}), ("ids", {"ids": []}),
                            ("ids[0]", {"ids": ["x"]}), ("limit", {"filter": {}, "limit": 0}),
                            ("filter.status", {"filter": {"status": "FAILED"}})]:
            for verb in ("redrive", "dismiss", "purge"):
                self.refuse(field, "POST", f"/v1/dead-letters/{verb}", body)
        for field in ("trial", "ratePerSecond"):
            self.refuse(field, "POST", "/v1/dead-letters/redrive", {"filter": {}, field: 0})
        self.expect_error(413, "too-large", "ids", "POST", "/v1/dead-letters/dismiss",
                          {"ids": [NO_ID] * 1001})
