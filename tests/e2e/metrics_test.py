#!/usr/bin/env python3
"""The page of metrics, the dashboard and the alert rules, held to what a server really exports.

Usage: metrics_test.py PROGRAM [unittest arguments]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import yaml
from definitions import one_task
from exposition import Exposition, groupings_of, metrics_of, selectors_of
from rpc import Engine
from server import PostgresStore, ServerTestCase, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `(\w+)` \| (\w+) \|([^|]*)\|([^|]*)\|([^|]*)\|$", re.MULTILINE)
OF_SCRAPE = {"instance", "job", "le"}  # Labels that Prometheus adds, and that of buckets.


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def page():
    """{name: (type, labels)}"""
    return {name: (kind, set(re.findall(r"`(\w+)`", labels)))
            for name, kind, labels, _, _ in ROW.findall(read("docs/reference/metrics.md"))}


def names_in_source():
    source = read("src/observe/metrics.cpp")
    made = re.findall(r'(?:\.Name|->counter|->gauge|->histogram|\bgauge)\(\s*"(\w+)"', source)
    twins = re.findall(r'->twins\(\s*"(\w+)",\s*"(\w+)"', source)
    return made + [name for pair in twins for name in pair]


def alerts():
    """{name: rule}"""
    groups = yaml.safe_load(read("deploy/prometheus/alerts.yml"))["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def dashboard():
    return json.loads(read("deploy/grafana/dashboard.json"))


def expressions():
    """(where, PromQL)"""
    for name, rule in alerts().items():
        yield name, rule["expr"]
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]


class MetricsPageTest(unittest.TestCase):
    def test_every_metric_stands_on_its_page_and_no_other(self):
        self.assertGreater(len(names_in_source()), 40)
        self.assertCountEqual(page(), names_in_source())

    def test_every_row_says_what_it_means(self):
        for name, _, _, meaning, _ in ROW.findall(read("docs/reference/metrics.md")):
            self.assertTrue(meaning.strip(), name)


class AlertPageTest(unittest.TestCase):
    def test_every_alert_stands_on_its_page_and_no_other(self):
        listed = re.findall(r"^\| `(Millrace\w+)` \|", read("docs/operations.md"), re.MULTILINE)
        self.assertCountEqual(listed, alerts())

    def test_every_alert_has_a_severity_and_a_sentence(self):
        for name, rule in alerts().items():
            self.assertIn(rule["labels"]["severity"], ("page", "ticket"), name)
            self.assertTrue(rule["annotations"]["summary"].endswith("."), name)


class DashboardTest(unittest.TestCase):
    def test_panels_have_ids_of_their_own_and_do_not_overlap(self):
        panels = dashboard()["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        cells = [(x, y) for panel in panels for place in [panel["gridPos"]]
                 for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])]
        self.assertEqual(len(set(cells)), len(cells))
        self.assertLess(max(x for x, _ in cells), 24)

    def test_names_no_data_source_but_the_one_that_is_chosen(self):
        text = read("deploy/grafana/dashboard.json")
        self.assertEqual(set(re.findall(r'"uid": "([^"]*)"', text)), {"${datasource}", "millrace"})


class ExportedTest(ServerTestCase):
    """On PostgreSQL, after some of everything."""

    @classmethod
    def setUpClass(cls):
        cls.scrape = None

    def setUp(self):
        if ExportedTest.scrape is None:
            ExportedTest.scrape = self.scraped()

    def scraped(self):
        server = self.new_server(self.new_store(PostgresStore))
        client = server.client()
        client.post("/v1/definitions", one_task("measured"))
        client.post("/v1/instances", {"definitionId": "measured"})
        job = client.post("/v1/jobs/poll", {"workerId": "w", "jobTypes": ["measured"]}).json()["jobs"][0]
        client.post(f"/v1/jobs/{job['id']}/complete", {"workerId": "w"})
        engine = Engine(server.grpc_port)
        self.addCleanup(engine.close)
        engine.ListInstances()
        # The figures are as old as the last beat: a new server reads them at once.
        subprocess.run(["psql", "-qX", "-c", "VACUUM job", server.store.url], check=True, timeout=60)
        again = self.new_server(server.store).metrics_client()
        wait_until(lambda: "millrace_db_table_vacuum_age_seconds" in again.get("/").text,
                   "the figures of the database")
        return Exposition(server.metrics_client().get("/metrics").text + again.get("/").text)

    def test_every_metric_of_the_page_is_exported_as_it_says(self):
        shown = {name: (self.scrape.types.get(name), set(self.scrape.labels.get(name, {})))
                 for name in page()}
        self.assertEqual(shown, page())

    def test_nothing_else_is_exported(self):
        self.assertEqual(set(self.scrape.types), set(page()))

    def test_dashboard_and_alerts_name_only_what_is_exported(self):
        for where, expression in expressions():
            with self.subTest(where):
                names = metrics_of(expression)
                if "up{" not in expression:
                    self.assertTrue(names, expression)
                self.assertEqual([name for name in names if not self.scrape.has(name)], [])

    def test_conditions_and_groups_name_only_labels_that_are_there(self):
        for where, expression in expressions():
            with self.subTest(where):
                labels = {label for name in metrics_of(expression)
                          for label in self.scrape.labels[self.scrape.family(name)]} | OF_SCRAPE
                asked = {label for _, label, _, _ in selectors_of(expression)}
                self.assertLessEqual(asked | set(groupings_of(expression)), labels)

    def test_a_condition_on_a_fixed_set_of_values_can_be_met(self):
        for where, expression in expressions():
            for name, label, operator, value in selectors_of(expression):
                if label in OF_SCRAPE or label == "status" or operator not in ("=", "=~"):
                    continue
                with self.subTest(where, label=label):
                    known = self.scrape.labels[self.scrape.family(name)][label]
                    self.assertLessEqual(set(value.split("|")), known)


class CheckersTest(unittest.TestCase):
    """Shows the checks expressions with and without mistakes."""

    def test_names_are_found_in_an_expression(self):
        for expression, names in (
                ("sum(rate(a_total[5m])) / sum(b{x=\"c\"}) > 0.5", {"a_total", "b"}),
                ("histogram_quantile(0.99, sum by (le, kind) (rate(a_bucket[$__rate_interval])))",
                 {"a_bucket"}),
                ("max(a) > 9e2 or max by (t) (b) > 1000000", {"a", "b"}),
                ("up{job=\"millrace\"} == 0", set())):
            self.assertEqual(metrics_of(expression), names, expression)

    def test_a_name_that_is_not_exported_is_found(self):
        scrape = Exposition('# TYPE a histogram\na_bucket{le="1",kind="x"} 1\na_sum 1\na_count 1\n')
        self.assertTrue(scrape.has("a_count"))
        self.assertFalse(scrape.has("b_count"))
        self.assertEqual(scrape.labels["a"], {"kind": {"x"}})


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
