#!/usr/bin/env python3
"""What the tables say of made-up measurements, and that what was left out leaves no trace."""

import copy
import unittest

import report
import report_postgres

MACHINE = {"date": "2026-01-02T03:04:05+00:00", "commit": "abc1234", "extent": "quick", "cores": 2,
           "cpu": "a processor", "memoryGb": 8, "kernel": "6.1", "loadBefore": 0.5}
RATE = {"perSecond": 6000.0, "count": 60_000, "total": 61_000, "series": [6000], "walBytes": 900.0,
        "commits": 0.03, "cpuMicroseconds": {"server": 20.0, "database": 60.0, "driver": 2.0}}
TIMES = {"p50Ms": 1.0, "p99Ms": 2.0, "count": 100}
BURN_DOWN = {"setting": {"clients": 8}, "perSecond": 9000.0, "startsPerSecond": 20_000.0,
             "walBytes": 1500.0, "cpuMicroseconds": {"server": 20.0, "database": 60.0}}
DISPATCH = {"perSecond": 6000.0, "cpuMicroseconds": {"server": 40.0, "database": 90.0},
            "walBytes": 2500.0}
LONG_LOAD = {**RATE, "interval": 30, "deadRows": 10, "sizeBytes": 1500.0,
             "series": [6000, 6000, 6000]}

# Every aim is met, just so.
RESULT = {
    "floors": [{"1": 1000, "500": 10_000}, {"1": 1000, "500": 9_000}],
    "floor": {"1": 1000, "500": 10_000},
    "steps": {f"{replicas} {mode} {clients}": RATE for replicas in (1, 2)
              for mode in ("single", "batch") for clients in (1, 8, 64)},
    "latency": {"same": {"p50Ms": 3.0, "p99Ms": 10.0, "count": 100}, "across": TIMES},
    "sequence": TIMES,
    "claims": {"finishedJobs": 10_000_000, "readyJobs": 1_000_000, "empty": TIMES,
               "finished": {**TIMES, "p50Ms": 1.2}, "other_types": TIMES, "same_type": TIMES},
    "snapshot": {"free": LONG_LOAD,
                 "held": {**LONG_LOAD, "perSecond": 5701.0, "transactionsHeldBack": 1234}},
    "queue": {"jobs": 200_000, "version": "0.0.0", "node": "24.0.0",
              "ours": [{**BURN_DOWN, "perSecond": 100.0}, BURN_DOWN], "theirs": [BURN_DOWN],
              "latency": {"with batches": TIMES}},
    "executions": {
        "count": 100_000, "workspaces": 1_000,
        "enqueue": {f"{mode} {clients}": RATE for mode in ("single", "batch") for clients in (1, 64)},
        "dispatch": {"one": {**DISPATCH, "perSecond": 5_000.0}, "many": DISPATCH,
                     "replicas": DISPATCH},
        "latency": {"idle": {**TIMES, "p50Ms": 5.0},
                    "loaded": {"rate": 1_500, "seen": TIMES, "stored": TIMES}}},
    "fairness": {"workspaces": 4, "each": 500, "flood": 10_500, "shares": [500, 490, 480, 490],
                 "jain": 0.95},
    "blocked": {"few": 1_000, "many": 1_000_000, "holders": 500, "workspaces_few": TIMES,
                "workspaces_many": {**TIMES, "p50Ms": 1.2}, "keys_few": TIMES, "keys_many": TIMES},
    "temporal": {"starts": 10_000, "inFlight": 64, "theirs": [{"perSecond": 1_000.0}],
                 "ours": [{**DISPATCH, "perSecond": 800.0}, {**DISPATCH, "perSecond": 700.0}]},
}


def render(result):
    return report_postgres.render({**MACHINE, "database": {"fsync": "on"}, "result": result})


def missed(result):
    return [aim for aim, _, is_met in report_postgres.aims(result) if not is_met]


class PostgresReportTest(unittest.TestCase):
    def test_every_aim_is_met_at_its_limit(self):
        self.assertEqual(missed(RESULT), [])
        self.assertNotIn("missed", render(RESULT))
        self.assertEqual(len(list(report_postgres.aims(RESULT))), 16)

    def test_every_aim_is_missed_beyond_its_limit(self):
        changes = [
            ("batch calls", ("floor", "500"), 10_100),
            ("burn-down", ("queue", "theirs"), [{**BURN_DOWN, "perSecond": 9001.0}]),
            ("a held snapshot", ("snapshot", "held"), {**LONG_LOAD, "perSecond": 5690.0}),
            ("claims with 10,000,000 finished", ("claims", "finished"), {**TIMES, "p50Ms": 1.21}),
            ("claims with 1,000,000 ready of other", ("claims", "other_types"),
             {**TIMES, "p50Ms": 1.21}),
            ("claims with 1,000,000 ready of the same", ("claims", "same_type"),
             {**TIMES, "p50Ms": 1.21}),
            ("idle p50 on the same", ("latency", "same"), {"p50Ms": 3.1, "p99Ms": 10.0}),
            ("idle p99 on the same", ("latency", "same"), {"p50Ms": 3.0, "p99Ms": 10.1}),
            ("idle p50 across", ("latency", "across"), {"p50Ms": 3.1, "p99Ms": 10.0}),
            ("idle p99 across", ("latency", "across"), {"p50Ms": 3.0, "p99Ms": 10.1}),
            ("dispatches/s", ("executions", "dispatch"), {"one": {**DISPATCH, "perSecond": 4_999.0}}),
            ("enqueue to handler", ("executions", "latency"), {"idle": {**TIMES, "p50Ms": 5.1}}),
            ("Jain's index", ("fairness", "jain"), 0.94),
            ("a round with 1,000,000 of full workspaces", ("blocked", "workspaces_many"),
             {**TIMES, "p50Ms": 1.21}),
            ("a round with 1,000,000 of full concurrency keys", ("blocked", "keys_many"),
             {**TIMES, "p50Ms": 1.21}),
            ("dispatches to Temporal", ("temporal", "ours"), [{**DISPATCH, "perSecond": 799.0}]),
        ]
        for aim, (part, name), value in changes:
            with self.subTest(aim):
                result = copy.deepcopy(RESULT)
                result[part][name] = value
                [found] = missed(result)
                self.assertTrue(found.startswith(aim), found)

    def test_parts_that_were_left_out_leave_no_trace(self):
        for part in ("steps", "latency", "claims", "snapshot", "queue", "executions", "fairness",
                     "blocked", "temporal"):
            with self.subTest(part):
                alone = render({"floors": [], part: RESULT[part]})
                self.assertIn("| measured", alone)
                without = render({name: value for name, value in RESULT.items() if name != part})
                self.assertLess(len(without), len(render(RESULT)))

    def test_a_creeping_loss_shows_although_the_mean_is_fine(self):
        result = copy.deepcopy(RESULT)
        result["snapshot"]["held"] = {**LONG_LOAD, "transactionsHeldBack": 1,
                                      "series": [6600, 6000, 5400]}
        self.assertIn("| loss in the last third | 10.0% |", render(result))
        self.assertIn("6600 6000 5400", render(result))

    def test_a_machine_that_did_nothing_at_all_still_gets_its_tables(self):
        result = copy.deepcopy(RESULT)
        result["snapshot"]["free"] = {**LONG_LOAD, "perSecond": 0.0, "series": [0, 0, 0]}
        self.assertIn("| loss in the last third | nan% |", render(result))

    def test_shares_are_doubted_when_the_floor_moved(self):
        result = {**RESULT, "floors": [{"500": 10_000}, {"500": 7_000}]}
        self.assertIn("do not trust", render(result))
        self.assertNotIn("do not trust", render(RESULT))


class StoresReportTest(unittest.TestCase):
    def test_both_stores_have_a_column(self):
        result = {"floors": RESULT["floors"], "floor": RESULT["floor"],
                  "steps": {f"{mode} {clients}": RATE for mode in ("single", "batch")
                            for clients in (1, 8, 64)}}
        text = report.render({**MACHINE, "stores": {"SQLite": result, "PostgreSQL": result}})
        self.assertIn("| steps/s, calls of 100, 64 clients | 6,000 (60%) | 6,000 (60%) |", text)
        self.assertIn("| batch calls ≥ 60% of the floor's best | PostgreSQL | 60% | met |", text)


if __name__ == "__main__":
    unittest.main()
