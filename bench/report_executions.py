"""The rows and aims of the parts about the execution queue."""

import report

DISPATCHES_LEAST = 5_000
IDLE_P50_MS_MAX = 5
TEMPORAL_SHARE_LEAST = 0.8
FAIRNESS_LEAST = 0.95
ROUND_RATIO_MAX = 1.2


def times(answer):
    return f"{answer['p50Ms']:.2f} / {answer['p99Ms']:.2f}"


def dispatch_titles(executions):
    many = f"{executions['workspaces']:,} workspaces"
    return {"one": "one workspace", "many": many, "replicas": f"{many}, 2 replicas"}


def rate_rows(executions):
    for name, rate in executions["enqueue"].items():
        yield f"enqueues/s, {report.calls_title(*name.split())}", f"{rate['perSecond']:,.0f}"
    chosen = executions["enqueue"]["batch 64"]
    yield "processor µs per enqueue, calls of 100, 64 clients", report.cpu_text(chosen)
    for name, title in dispatch_titles(executions).items():
        rate = executions["dispatch"][name]
        yield (f"dispatches/s of {executions['count']:,} that end at once, {title}",
               f"{rate['perSecond']:,.0f}")
    rate = executions["dispatch"]["one"]
    yield "processor µs per such dispatch, one workspace", report.cpu_text(rate)
    yield "WAL bytes per such dispatch, one workspace", f"{rate['walBytes']:,.0f}"


def latency_rows(executions):
    latency = executions["latency"]
    yield "enqueue to handler, idle, p50 / p99, ms", times(latency["idle"])
    loaded = latency["loaded"]
    load = f"{loaded['rate']:,}/s into {executions['workspaces']:,} workspaces"
    yield f"enqueue to handler, {load}, p50 / p99, ms", times(loaded["seen"])
    yield "enqueue to start of these, by their records, p50 / p99, ms", times(loaded["stored"])


def fairness_rows(fairness):
    yield (f"Jain's index, {fairness['workspaces']} equal workspaces, one with"
           f" {fairness['flood']:,} in line, the others with {fairness['each']:,}",
           f"{fairness['jain']:.4f}")
    yield "least and most that one of them got", f"{min(fairness['shares'])} / {max(fairness['shares'])}"


def held_back(kind):
    return {"workspaces": "of full workspaces", "keys": "of full concurrency keys"}[kind]


def blocked_rows(blocked):
    for kind in ("workspaces", "keys"):
        for size in ("few", "many"):
            yield (f"round that lets 10 in, {blocked[size]:,} {held_back(kind)} held back,"
                   " p50 / p99, ms", times(blocked[f"{kind}_{size}"]))


def best(runs):
    return max(each["perSecond"] for each in runs)


def temporal_rows(temporal):
    starts = f"{temporal['starts']:,} starts, {temporal['inFlight']} at a time"
    yield f"Temporal alone, {starts}, starts/s", f"{best(temporal['theirs']):,.0f}"
    yield f"from the queue to Temporal, {starts}, dispatches/s", f"{best(temporal['ours']):,.0f}"
    chosen = max(temporal["ours"], key=lambda each: each["perSecond"])
    yield "processor µs per dispatch to Temporal", report.cpu_text(chosen)


def rows(result):
    if "executions" in result:
        yield from rate_rows(result["executions"])
        yield from latency_rows(result["executions"])
    for part, some in (("fairness", fairness_rows), ("blocked", blocked_rows),
                       ("temporal", temporal_rows)):
        if part in result:
            yield from some(result[part])


def aims(result):
    """(aim, measured, whether it is met) for what was measured."""
    if "executions" in result:
        rate = result["executions"]["dispatch"]["one"]["perSecond"]
        yield f"dispatches/s ≥ {DISPATCHES_LEAST:,}", f"{rate:,.0f}", rate >= DISPATCHES_LEAST
        p50 = result["executions"]["latency"]["idle"]["p50Ms"]
        yield (f"enqueue to handler, idle, p50 ≤ {IDLE_P50_MS_MAX} ms", f"{p50:.2f}",
               p50 <= IDLE_P50_MS_MAX)
    if "fairness" in result:
        index = result["fairness"]["jain"]
        yield f"Jain's index ≥ {FAIRNESS_LEAST}", f"{index:.4f}", index >= FAIRNESS_LEAST
    for kind in ("workspaces", "keys") if "blocked" in result else ():
        blocked = result["blocked"]
        ratio = blocked[f"{kind}_many"]["p50Ms"] / blocked[f"{kind}_few"]["p50Ms"]
        yield (f"a round with {blocked['many']:,} {held_back(kind)} held back ≤ {ROUND_RATIO_MAX} ×"
               f" one with {blocked['few']:,}", f"{ratio:.2f} ×", ratio <= ROUND_RATIO_MAX)
    if "temporal" in result:
        share = best(result["temporal"]["ours"]) / best(result["temporal"]["theirs"])
        yield (f"dispatches to Temporal ≥ {TEMPORAL_SHARE_LEAST:.0%} of its own starts",
               f"{share:.0%}", share >= TEMPORAL_SHARE_LEAST)
