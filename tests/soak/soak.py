#!/usr/bin/env python3
"""Mixes all faults at random for as long as one likes, and asks for every promise that was made.

Usage: soak.py PROGRAM PRELOAD
PRELOAD is the library of tests/support/full_disk.c.
SOAK_SECONDS: how long (300). SOAK_SEED: repeats the order of faults of an earlier run.

It goes in rounds: a load in a workspace of its own, faults that strike it, and then everything has
to end and is judged by the checker. The exit code is 1 when anything was not as it should be; logs
are kept then.
"""

import os
import pathlib
import random
import sys
import tempfile
import time
import traceback

from tally import Tally
from world import World

from load import Load, judge

SECONDS = float(os.environ.get("SOAK_SECONDS", "300"))
ROUND_SECONDS = 60
ANSWERS_BETWEEN = 60  # At most. Often a fault strikes before the last one is forgotten.
CLIENTS = 3
WORKERS = 6
# How often each of them comes, compared with the others.
WEIGHTS = {
    "replica_killed": 3,
    "replica_restarted": 2,
    "replica_frozen": 1,
    "backend_killed": 2,
    "backends_terminated": 3,
    "database_restarted": 2,
    "commit_cut": 8,
    "snapshot_held": 1,
    "disk_filled": 1,
    "primary_lost": 1,
}


def faults_in_order(seed):
    """Endless. Each of them comes once before the dice decide, so that a short run has them all."""
    dice = random.Random(seed)
    first = list(WEIGHTS)
    dice.shuffle(first)
    yield from first
    while True:
        yield dice.choices(list(WEIGHTS), WEIGHTS.values())[0]


def soak(world, tally, deadline):
    order = faults_in_order(tally.seed)
    number = 0
    while time.monotonic() < deadline:
        number += 1
        world.load = Load(world.cluster, f"{tally.seed} {number}", f"soak-{number}", CLIENTS, WORKERS)
        world.load.start()
        round_end = min(deadline, time.monotonic() + ROUND_SECONDS)
        while time.monotonic() < round_end:
            strike(world, tally, next(order))
        world.load.finish()
        tally.add_round(world.load, judge(world.load))
        print(tally.line(), flush=True)
        if tally.violations:
            return


def strike(world, tally, name):
    dice = random.Random(f"{tally.seed} {sum(tally.strikes.values())}")
    world.load.await_answers(dice.choice([0, dice.randint(1, ANSWERS_BETWEEN)]))
    print(name, flush=True)
    world.fault(name).strike(dice)
    tally.strikes[name] += 1


def keep_logs(world):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="millrace_soak_"))
    world.write_logs(folder)
    print(f"Logs of replicas and databases: {folder}")


def main():
    program, preload = map(os.path.abspath, sys.argv[1:])
    seed = os.environ.get("SOAK_SEED") or str(random.SystemRandom().randrange(10**9))
    print(f"SOAK_SEED={seed} SOAK_SECONDS={SECONDS:g}", flush=True)
    tally = Tally(seed)
    world = World(program, preload)
    try:
        world.start()
        soak(world, tally, time.monotonic() + SECONDS)
    except Exception:  # pylint: disable=broad-except
        tally.failures.append(traceback.format_exc())
    finally:
        if not tally.is_good():
            keep_logs(world)
        world.stop()
    for each in [*tally.failures, *tally.violations[:20]]:
        print(each)
    print(tally.line())
    return 0 if tally.is_good() else 1


if __name__ == "__main__":
    sys.exit(main())
