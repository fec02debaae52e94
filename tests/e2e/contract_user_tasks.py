"""User tasks: lists, claiming, giving back, assigning, completing."""

from contract_case import ID, NO_ID, TIME, ContractTestCase
from definitions import definition, step, timer

TASK_KEYS = {"id", "instanceId", "definitionId", "definitionVersion", "stepId", "stepExecutionId",
             "name", "status", "candidateGroups", "createdAt"}
FORM = {"fields": [{"name": "approved", "type": "boolean"}], "note": "<b>&</b>"}


class UserTasksTest(ContractTestCase):
    def start_task(self, name, **fields):
        """An instance that waits for a person; returns its task."""
        self.upload(definition(name, step("approve", "USER_TASK", nextStep="done", **fields),
                               step("done", "END")))
        return self.only_task(self.start(name, variables={"amount": 5})["id"])

    def only_task(self, instance_id, status="OPEN"):
        [task] = self.tasks(f"instanceId={instance_id}&status={status}")
        return task

    def tasks(self, query):
        return self.get(f"/v1/user-tasks?{query}").json()["items"]

    def call(self, task, verb, body=None, status=200):
        return self.post(f"/v1/user-tasks/{task['id']}/{verb}", body, status)

    def refuse(self, task, verb, body, status=409, code="conflict", reason="."):
        return self.expect_error(status, code, reason, "POST",
                                 f"/v1/user-tasks/{task['id']}/{verb}", body)

    def test_a_task_tells_what_a_person_must_know(self):
        task = self.start_task("told", candidateGroups=["clerks", "bosses"], form=FORM)
        self.assertEqual(set(task), TASK_KEYS)
        self.assertRegex(task["id"], ID)
        self.assertRegex(task["createdAt"], TIME)
        self.assertEqual((task["definitionId"], task["definitionVersion"], task["stepId"],
                          task["name"], task["status"], task["candidateGroups"]),
                         ("told", 1, "approve", "approve", "OPEN", ["clerks", "bosses"]))
        [line] = self.history(task["instanceId"])
        self.assertEqual((line["id"], line["userTaskId"]), (task["stepExecutionId"], task["id"]))
        whole = self.get(f"/v1/user-tasks/{task['id']}").json()
        self.assertEqual(whole, {**task, "form": FORM, "variables": {"amount": 5}})

    def test_a_task_of_a_bare_step_has_no_form_and_no_groups(self):
        task = self.start_task("bare")
        self.assertEqual(task["candidateGroups"], [])
        self.assertEqual(set(self.get(f"/v1/user-tasks/{task['id']}").json()),
                         TASK_KEYS | {"variables"})

    def test_an_assignee_of_the_definition_has_it_from_the_start(self):
        task = self.start_task("assigned_before", assignee="ada")
        self.assertEqual(task["assignee"], "ada")
        self.refuse(task, "claim", {"userId": "bob"})
        self.call(task, "claim", {"userId": "ada"})
        self.call(task, "complete", {"userId": "ada"}, 204)

    def test_lists_are_filtered_and_newest_first(self):
        first = self.start_task("task_filters", candidateGroups=["red"])
        self.upload(definition("task_filters_2", step("check", "USER_TASK", nextStep="done",
                                                      candidateGroups=["red", "blue"]),
                               step("done", "END")))
        second = self.only_task(self.start("task_filters_2")["id"])
        third = self.only_task(self.start("task_filters_2")["id"])
        self.call(third, "claim", {"userId": "filter ada"})
        done = self.only_task(self.start("task_filters_2")["id"])
        self.call(done, "complete", {"userId": "filter ada"}, 204)
        names = {first["id"]: "first", second["id"]: "second", third["id"]: "third",
                 done["id"]: "done"}
        for query, expected in [
                ("definitionId=task_filters", ["first"]),
                ("definitionId=task_filters_2", ["third", "second"]),
                ("definitionId=task_filters_2&status=OPEN", ["third", "second"]),
                ("definitionId=task_filters_2&status=ALL", ["done", "third", "second"]),
                ("definitionId=task_filters_2&status=COMPLETED", ["done"]),
                ("definitionId=task_filters_2&status=CANCELLED", []),
                ("definitionId=task_filters_2&unassigned=true", ["second"]),
                ("assignee=filter%20ada", ["third"]),
                ("group=red&definitionId=task_filters", ["first"]),
                ("group=blue&definitionId=task_filters_2", ["third", "second"]),
                ("group=blu&definitionId=task_filters_2", []),
                ("stepId=check&definitionId=task_filters_2", ["third", "second"]),
                ("type=check&definitionId=task_filters_2", ["third", "second"]),
                ("stepId=approve&definitionId=task_filters_2", []),
                (f"instanceId={first['instanceId']}", ["first"]),
                (f"instanceId={NO_ID}", []), ("instanceId=nonsense", [])]:
            with self.subTest(query):
                self.assertEqual([names[each["id"]] for each in self.tasks(query)], expected)
        page = self.get("/v1/user-tasks?definitionId=task_filters_2&pageSize=1&page=1").json()
        self.assertEqual(([names[each["id"]] for each in page["items"]], page["total"]),
                         (["second"], 2))

    def test_a_claim_keeps_others_away(self):
        task = self.start_task("claimed")
        claimed = self.call(task, "claim", {"userId": "ada"}).json()
        self.assertEqual(set(claimed), TASK_KEYS | {"assignee", "claimedAt"})
        self.assertEqual((claimed["assignee"], claimed["status"]), ("ada", "OPEN"))
        self.assertEqual(self.call(task, "claim", {"userId": "ada"}).json(), claimed)
        self.refuse(task, "claim", {"userId": "bob"})
        self.refuse(task, "unclaim", {"userId": "bob"})
        self.refuse(task, "complete", {"userId": "bob"})
        self.assertEqual(self.only_task(task["instanceId"]), claimed)
        given_back = self.call(task, "unclaim", {"userId": "ada"}).json()
        self.assertNotIn("assignee", given_back)
        self.assertNotIn("claimedAt", given_back)
        self.assertEqual(self.call(task, "unclaim").json(), given_back)
        self.call(task, "claim", {"userId": "bob"})
        self.call(task, "complete", {"userId": "bob"}, 204)

    def test_a_task_can_be_given_to_somebody(self):
        task = self.start_task("given")
        self.call(task, "claim", {"userId": "ada"})
        self.assertEqual(self.call(task, "assign", {"assignee": "bob"}).json()["assignee"], "bob")
        self.refuse(task, "claim", {"userId": "ada"})
        self.assertNotIn("assignee", self.call(task, "unclaim").json())

    def test_a_completion_moves_the_instance_on(self):
        for name, body in [("completed_plain", {"userId": "ada", "variables": {"ok": True}}),
                           ("completed_synonym_a", {"completedBy": "ada", "result": {"ok": True}}),
                           ("completed_synonym_b", {"workerId": "ada", "variables": {"ok": True}})]:
            with self.subTest(name):
                task = self.start_task(name)
                self.call(task, "claim", {"userId": "ada"})
                self.assertEqual(self.call(task, "complete", body, 204).body, b"")
                ended = self.instance(task["instanceId"])
                self.assertEqual((ended["status"], ended["variables"]),
                                 ("COMPLETED", {"amount": 5, "ok": True}))
                over = self.only_task(task["instanceId"], "COMPLETED")
                self.assertEqual((over["status"], over["completedBy"]), ("COMPLETED", "ada"))
                self.assertRegex(over["completedAt"], TIME)
                self.assertEqual(self.history(task["instanceId"])[0]["completedBy"], "ada")

    def test_nobody_need_be_named_and_nothing_need_be_said(self):
        task = self.start_task("anonymous")
        self.call(task, "claim", {"userId": "ada"})
        self.call(task, "complete", None, 204)
        self.assertNotIn("completedBy", self.history(task["instanceId"])[0])

    def test_the_path_with_the_step_completes_the_same_task(self):
        task = self.start_task("old_path")
        path = f"/v1/instances/{task['instanceId']}/user-tasks/approve/complete"
        self.call(task, "claim", {"userId": "ada"})
        self.expect_error(409, "conflict", ".", "POST", path, {"userId": "bob"})
        self.post(path, {"completedBy": "ada", "result": {"ok": 1}}, 204)
        self.assertEqual(self.only_task(task["instanceId"], "COMPLETED")["completedBy"], "ada")

    def test_what_is_over_stays_so(self):
        done = self.start_task("over_done")
        self.call(done, "complete", None, 204)
        cancelled = self.start_task("over_cancelled")
        self.post(f"/v1/instances/{cancelled['instanceId']}/cancel")
        self.assertEqual(self.only_task(cancelled["instanceId"], "CANCELLED")["status"],
                         "CANCELLED")
        for task in (done, cancelled):
            for verb, body in (("claim", {"userId": "ada"}), ("unclaim", {}),
                               ("assign", {"assignee": "ada"}), ("complete", {})):
                with self.subTest(f"{verb} {task['definitionId']}"):
                    self.refuse(task, verb, body)

    def test_a_timer_that_ends_the_step_cancels_the_task(self):
        self.upload(definition(
            "timed_task", step("approve", "USER_TASK", nextStep="done",
                               boundaryEvents=[timer("PT0.05S", "late", True)]),
            step("late", "WAIT", nextStep="done"), step("done", "END")))
        instance_id = self.start("timed_task")["id"]
        self.wait_for_step(instance_id, "late")
        self.assertEqual(self.tasks(f"instanceId={instance_id}"), [])
        self.assertEqual(self.only_task(instance_id, "ALL")["status"], "CANCELLED")

    def test_bad_bodies_are_refused(self):
        task = self.start_task("bad_task_bodies")
        for verb, body, reason in [
                ("claim", None, "."), ("claim", {}, "userId"), ("claim", {"userId": ""}, "userId"),
                ("claim", {"userId": 5}, "userId"), ("claim", {"userId": "x" * 257}, "userId"),
                ("claim", b"{", "^invalid request body: "), ("unclaim", {"userId": 5}, "userId"),
                ("assign", None, "."), ("assign", {}, "assignee"),
                ("assign", {"assignee": ["a"]}, "assignee"),
                ("assign", {"assignee": "x" * 257}, "assignee"),
                ("complete", {"userId": 5}, "userId"), ("complete", {"variables": 5}, "variables"),
                ("complete", b"[1]", "^invalid request body: ")]:
            with self.subTest(f"{verb} {body}"):
                self.refuse(task, verb, body, 400, "bad-request", reason)
        self.assertEqual(self.only_task(task["instanceId"]), task)

    def test_unknown_tasks_are_404(self):
        for task_id in (NO_ID, "x", "01ARZ3NDEKTSV4RRFFQ6000003"):
            self.expect_error(404, "not-found", "^user task .*not found$", "GET",
                              f"/v1/user-tasks/{task_id}")
            for verb, body in (("claim", {"userId": "a"}), ("unclaim", {}),
                               ("assign", {"assignee": "a"}), ("complete", {})):
                self.expect_error(404, "not-found", "^user task .*not found$", "POST",
                                  f"/v1/user-tasks/{task_id}/{verb}", body)
