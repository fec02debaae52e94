#!/usr/bin/env python3
"""Shows that a soak is good only if it showed something and saw nothing wrong."""

import types
import unittest

from tally import Tally


def tally(starts=("one",), completions=("two",), violations=(), strikes=1):
    made = Tally("7")
    made.strikes["replica_killed"] += strikes
    load = types.SimpleNamespace(starts=starts, completions=completions)
    made.add_round(load, list(violations))
    return made


class TallyTest(unittest.TestCase):
    def test_a_run_without_violations_is_good_and_says_its_seed(self):
        self.assertTrue(tally().is_good())
        self.assertEqual(
            tally().line(), "soak: good seed=7 replica_killed=1 starts=1 completions=1 "
            "violations=0 failures=0")

    def test_a_violation_is_bad(self):
        bad = tally(violations=["lost"])
        self.assertFalse(bad.is_good())
        self.assertIn("soak: BAD", bad.line())
        self.assertIn("violations=1", bad.line())

    def test_a_failure_is_bad(self):
        bad = tally()
        bad.failures.append("no answers")
        self.assertFalse(bad.is_good())

    def test_a_run_that_showed_nothing_is_bad(self):
        self.assertFalse(tally(starts=()).is_good())
        self.assertFalse(tally(completions=()).is_good())
        self.assertFalse(Tally("7").is_good())


if __name__ == "__main__":
    unittest.main()
