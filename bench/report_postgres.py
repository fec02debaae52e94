"""The tables of a run on one PostgreSQL: what was measured, and which aims are met."""

import math
import statistics

import report
import report_executions

CLAIMS_RATIO_MAX = 1.2
SNAPSHOT_LOSS_MAX = 0.05
BATCH_SHARE_LEAST = 0.6
P50_MS_MAX = 3
P99_MS_MAX = 10
WHERE = {"same": "on the same replica", "across": "across replicas"}
WHAT_A_JOB_IS = """\
What a job is: ours is an instance of a workflow with one step, started durably with variables over
REST and found afterwards with its history (the step, the END step, the try) and its audit entry. Its
worker polls and completes over HTTP. Theirs is a row with a payload, deleted when it is done; its
handler runs inside the worker's process, on connections of its own to the database. Both are timed
with all jobs queued beforehand, and the best of several settings counts."""


def rate_rows(result):
    for name, rate in result.get("steps", {}).items():
        replicas, *calls = name.split()
        servers = "1 replica" if replicas == "1" else f"{replicas} replicas"
        yield (f"steps/s, {servers}, {report.calls_title(*calls)}",
               f"{rate['perSecond']:,.0f}" + report.share(result, rate["perSecond"]))


def cost_rows(result):
    for name, rate in result.get("steps", {}).items():
        replicas, mode, clients = name.split()
        if replicas != "1" or clients == "8":
            continue
        title = report.calls_title(mode, clients)
        yield f"WAL bytes per job, {title}", f"{rate['walBytes']:,.0f}"
        yield f"commits per job, {title}", f"{rate['commits']:.3f}"
        yield f"processor µs per job, {title}", report.cpu_text(rate)


def latency_rows(result):
    for where, answer in result.get("latency", {}).items():
        yield (f"start to handler, idle, {WHERE[where]}, p50 / p99, ms",
               f"{answer['p50Ms']:.2f} / {answer['p99Ms']:.2f}")
    if "sequence" in result:
        yield "ten steps in a row, ms per step", f"{result['sequence']['p50Ms']:.2f}"


def claim_titles(claims):
    ready = f"{claims['readyJobs']:,} ready"
    return {"empty": "nothing else", "finished": f"{claims['finishedJobs']:,} finished behind",
            "other_types": f"{ready} of other types in front",
            "same_type": f"{ready} of the same type in front"}


def claim_rows(result):
    claims = result.get("claims", {})
    for name, title in claim_titles(claims).items() if claims else ():
        yield (f"poll that claims 10, {title}, p50 / p99, ms",
               f"{claims[name]['p50Ms']:.3f} / {claims[name]['p99Ms']:.3f}")


def loss(held, free):
    """NaN when nothing at all was done: a machine too busy to measure on."""
    return 1 - held / free if free else math.nan


def snapshot_loss(result):
    snapshot = result["snapshot"]
    return loss(snapshot["held"]["perSecond"], snapshot["free"]["perSecond"])


def snapshot_creep(result):
    """How much lower the last third of the held series is than that of the other one."""
    def last_third(answer):
        return statistics.mean(answer["series"][-max(len(answer["series"]) // 3, 1):])
    return loss(last_third(result["snapshot"]["held"]), last_third(result["snapshot"]["free"]))


def snapshot_rows(result):
    if "snapshot" not in result:
        return
    for name, title in (("free", "no snapshot held"), ("held", "a snapshot held")):
        answer = result["snapshot"][name]
        yield f"steps/s, {title}, calls of 100, 64 clients", f"{answer['perSecond']:,.0f}"
        yield f"dead rows after it, {title}", f"{answer['deadRows']:,}"
        yield f"bytes on disk per step, {title}", f"{answer['sizeBytes']:,.0f}"
    held = result["snapshot"]["held"]["transactionsHeldBack"]
    yield "transactions that the snapshot held back", f"{held:,}"
    yield "loss in the last third", f"{snapshot_creep(result):.1%}"


def best(burn_downs):
    return max(burn_downs, key=lambda each: each["perSecond"])


def setting_text(setting):
    return ", ".join(f"{name} {value}" for name, value in setting.items())


def queue_rows(result):
    queue = result.get("queue")
    if not queue:
        return
    for side, title in (("ours", "Millrace"), ("theirs", "Graphile Worker")):
        for each in queue[side]:
            yield (f"burn-down of {queue['jobs']:,}, {title}, {setting_text(each['setting'])}, jobs/s",
                   f"{each['perSecond']:,.0f}")
        chosen = best(queue[side])
        yield f"{title}: queued before, jobs/s", f"{chosen['startsPerSecond']:,.0f}"
        yield f"{title}: WAL bytes per job, queued and done", f"{chosen['walBytes']:,.0f}"
        yield f"{title}: processor µs per job, queued and done", report.cpu_text(chosen)
    for name, answer in queue["latency"].items():
        yield (f"Graphile Worker, add_job to handler, idle, {name}, p50 / p99, ms",
               f"{answer['p50Ms']:.2f} / {answer['p99Ms']:.2f}")


def rows(result):
    for some in (report.floor_rows, rate_rows, cost_rows, latency_rows, claim_rows, snapshot_rows,
                 queue_rows, report_executions.rows):
        yield from some(result)


def aims(result):
    """(aim, measured, whether it is met) for what was measured."""
    if "floor" in result and "steps" in result:
        ratio = report.best_batch(result) / report.best_floor(result)
        yield (f"batch calls ≥ {BATCH_SHARE_LEAST:.0%} of the floor's best", f"{ratio:.0%}",
               ratio >= BATCH_SHARE_LEAST)
    if "queue" in result:
        ratio = best(result["queue"]["ours"])["perSecond"] / best(result["queue"]["theirs"])["perSecond"]
        yield "burn-down ≥ Graphile Worker's", f"{ratio:.2f} ×", ratio >= 1
    if "snapshot" in result:
        lost = snapshot_loss(result)
        yield (f"a held snapshot costs ≤ {SNAPSHOT_LOSS_MAX:.0%}", f"{lost:.1%}",
               lost <= SNAPSHOT_LOSS_MAX)
    claims = result.get("claims", {})
    for name, title in claim_titles(claims).items() if claims else ():
        if name != "empty":
            ratio = claims[name]["p50Ms"] / claims["empty"]["p50Ms"]
            yield (f"claims with {title} ≤ {CLAIMS_RATIO_MAX} × those with nothing else",
                   f"{ratio:.2f} ×", ratio <= CLAIMS_RATIO_MAX)
    for where, answer in result.get("latency", {}).items():
        for name, most in (("p50", P50_MS_MAX), ("p99", P99_MS_MAX)):
            value = answer[name + "Ms"]
            yield f"idle {name} {WHERE[where]} ≤ {most} ms", f"{value:.2f}", value <= most
    yield from report_executions.aims(result)


def series_lines(result):
    if "snapshot" not in result:
        return []
    interval = result["snapshot"]["free"]["interval"]
    lines = [f"Steps/s of every {interval:g} s:", ""]
    for name, title in (("free", "no snapshot held"), ("held", "a snapshot held")):
        rates = " ".join(f"{rate:.0f}" for rate in result["snapshot"][name]["series"])
        lines.append(f"- {title}: {rates}")
    return [*lines, ""]


def render(run):
    result = run["result"]
    settings = ", ".join(f"{name} {value}" for name, value in run["database"].items())
    lines = [report.heading(run), "", f"PostgreSQL: {settings}", ""]
    if "queue" in result:
        queue = result["queue"]
        lines += [f"Graphile Worker {queue['version']} on Node {queue['node']}. {WHAT_A_JOB_IS}", ""]
    lines += ["| measured (share of the floor's best) | |", "|---|---:|"]
    lines += [f"| {name} | {value} |" for name, value in rows(result)]
    lines += ["", *series_lines(result), *report.noise("PostgreSQL", result),
              "| aim | measured | |", "|---|---:|---|"]
    lines += [f"| {aim} | {measured} | {report.verdict(is_met)} |"
              for aim, measured, is_met in aims(result)]
    return "\n".join(lines)
