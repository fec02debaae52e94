#!/usr/bin/env python3
"""Shows locking_sql.py statements that lock and read what they do not lock, and such that do not."""

import unittest

import locking_sql

BROKEN = {
    "a join": ("SELECT job.id FROM job JOIN instance ON instance.id = job.instance_id "
               "FOR UPDATE OF job", "instance"),
    "a left join": ("SELECT a.id FROM unnest($1::uuid[]) AS asked (id) JOIN execution AS a "
                    "ON a.id = asked.id LEFT JOIN execution_open AS open ON open.id = a.id "
                    "ORDER BY a.id FOR NO KEY UPDATE OF a SKIP LOCKED", "execution_open"),
    "a table after a comma": ("SELECT job.id FROM job, instance FOR SHARE OF job", "instance"),
    "a question aside": ("SELECT id, EXISTS (SELECT FROM definition WHERE row_id = 1) "
                         "FROM instance FOR UPDATE", "definition"),
    "a condition": ("SELECT id FROM instance WHERE id IN (SELECT instance_id FROM job) "
                    "FOR NO KEY UPDATE", "job"),
    "a part with a name": ("WITH due AS (SELECT id FROM timer) SELECT job.id FROM job "
                           "JOIN due ON due.id = job.id FOR KEY SHARE OF job", "timer"),
    "a lock in a part": ("WITH held AS (SELECT job.id FROM job JOIN timer USING (id) "
                         "FOR UPDATE OF job) SELECT * FROM held", "timer"),
    "an update": ("UPDATE job SET seq = 1 FROM instance WHERE job.id = instance.id", "instance"),
    "a removal": ("DELETE FROM job USING instance WHERE job.id = instance.id", "instance"),
    "an update of what is there": ("INSERT INTO job (id) SELECT id FROM instance "
                                   "ON CONFLICT (id) DO UPDATE SET seq = 1", "instance"),
    "a part that waits": ("WITH held AS (SELECT id FROM job FOR UPDATE) SELECT held.id FROM held "
                          "JOIN instance ON instance.id = held.id", "instance"),
    "a lock of a name": ("SELECT pg_advisory_xact_lock(1) FROM job", "job"),
}
SOUND = {
    "one table": "SELECT id FROM job WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE",
    "values": "SELECT job.id FROM unnest($1::uuid[]) AS asked (id) JOIN job ON job.id = asked.id "
              "FOR UPDATE OF job",
    "both locked": "SELECT a.id FROM job AS a JOIN instance AS b ON a.id = b.id "
                   "FOR UPDATE OF a, b SKIP LOCKED",
    "no lock": "SELECT job.id FROM job JOIN instance ON true",
    "itself": "UPDATE job SET seq = (SELECT min(seq) FROM job AS other)",
    "a text and a comment": "-- FROM instance\nUPDATE job SET status = 'FROM instance, timer'",
    "an update of what was locked": "WITH next AS (SELECT id FROM job FOR UPDATE SKIP LOCKED), "
                                    "slot AS (SELECT id FROM next) UPDATE job SET seq = 1 FROM "
                                    "slot RETURNING (SELECT id FROM instance)",
    "read beside a lock that nobody waits for":
        "WITH held AS MATERIALIZED (SELECT id FROM job FOR UPDATE SKIP LOCKED) "
        "SELECT held.id FROM held JOIN instance ON instance.id = held.id",
    "an addition": "INSERT INTO job (id) SELECT id FROM instance ON CONFLICT (id) DO NOTHING",
}


class LockingSqlTest(unittest.TestCase):
    def test_finds_what_is_read_beside_a_lock(self):
        for name, (statement, table) in BROKEN.items():
            with self.subTest(name):
                problems = list(locking_sql.problems_of("a", statement))
                self.assertEqual(len(problems), 1, problems)
                self.assertIn(f"reads {table} beside it", problems[0])

    def test_is_silent_otherwise(self):
        for name, statement in SOUND.items():
            with self.subTest(name):
                self.assertEqual(list(locking_sql.problems_of("a", statement)), [])


if __name__ == "__main__":
    unittest.main()
