"""Turns the numbers of a run into tables: what was measured, and which aims are met."""

import datetime
import json
import os
import pathlib
import subprocess

FLOOR_FOR_SINGLE_AIM = 30_000
STEPS_AT_SUCH_A_FLOOR = 6_000
FLOOR_SPREAD_MAX = 1.25


def describe_machine(root, extent):
    def git(*arguments):
        done = subprocess.run(["git", "-C", root, *arguments], text=True, capture_output=True,
                              check=False)
        return done.stdout.strip()

    cpu = next((line.partition(":")[2].strip()
                for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), "unknown")
    memory = int(pathlib.Path("/proc/meminfo").read_text().split()[1]) / 2**20
    return {
        "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "commit": git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--short") else ""),
        "extent": extent,
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)),
        "memoryGb": round(memory),
        "kernel": os.uname().release,
        "loadBefore": os.getloadavg()[0],
    }


def best_floor(result):
    return max(result["floor"].values()) if "floor" in result else None


def best_batch(result):
    return max(rate["perSecond"] for name, rate in result["steps"].items() if "batch" in name)


def share(result, rate):
    floor = best_floor(result)
    return f" ({rate / floor:.0%})" if floor else ""


def noise(store, result):
    """A sentence when the machine was not ours alone: the floor before and after must agree."""
    tops = [max(each.values()) for each in result["floors"]]
    if len(tops) < 2 or max(tops) <= min(tops) * FLOOR_SPREAD_MAX:
        return []
    return [f"{store}: the floor was {tops[0]:,.0f} steps/s before and {tops[-1]:,.0f} after the"
            " load. Something else used the machine: do not trust the shares of this run.", ""]


def floor_rows(result):
    for size, rate in result.get("floor", {}).items():
        yield f"floor, batches of {size}, steps/s", f"{rate:,.0f}"


def calls_title(mode, clients):
    calls = "single calls" if mode == "single" else "calls of 100"
    return calls + (", 1 client" if clients == "1" else f", {clients} clients")


def cpu_text(rate):
    return ", ".join(f"{who} {cost:.0f}" for who, cost in rate["cpuMicroseconds"].items() if cost)


def rate_rows(result, scenario, title):
    for name, rate in result.get(scenario, {}).items():
        text = f"{rate['perSecond']:,.0f}"
        if scenario == "steps":
            text += share(result, rate["perSecond"])
        yield f"{title}, {calls_title(*name.split())}", text


def cpu_rows(result):
    for name, rate in result.get("steps", {}).items():
        mode, clients = name.split()
        if clients == "64":
            yield f"processor µs per step, {mode}, 64 clients", cpu_text(rate)


def grpc_rows(result):
    for name, rate in result.get("grpc", {}).items():
        protocol, clients = name.rsplit(maxsplit=1)
        yield (f"steps/s by single calls of {protocol}, {clients} clients",
               f"{rate['perSecond']:,.0f}, processor µs per step: {cpu_text(rate)}")


def other_rows(result):
    if "latency" in result:
        for name in ("p50", "p99"):
            yield f"start to handler, idle, {name}, ms", f"{result['latency'][name + 'Ms']:.2f}"
        yield "ten steps in a row, ms per step", f"{result['sequence']['p50Ms']:.2f}"
    if "coldStartMs" in result:
        yield "cold start to /readyz, ms", f"{result['coldStartMs']:.0f}"
        yield "the first one, with migrations, ms", f"{result['firstStartMs']:.0f}"
    if "idleMegabytes" in result:
        yield "resident, idle, MB", f"{result['idleMegabytes']:.1f}"
        yield "resident, 100,000 instances wait, MB", f"{result['waitingMegabytes']:.1f}"
    if "claims" in result:
        for name, title in (("empty", "empty table"), ("million", "1,000,000 others in front")):
            yield f"poll that claims 10, {title}, p50, ms", f"{result['claims'][name]['p50Ms']:.3f}"


def rows(result):
    yield from floor_rows(result)
    yield from rate_rows(result, "steps", "steps/s")
    yield from rate_rows(result, "starts", "starts/s")
    yield from cpu_rows(result)
    yield from grpc_rows(result)
    yield from other_rows(result)


def aims(store, result):
    """(aim, measured, whether it is met) for what was measured."""
    is_postgres = store == "PostgreSQL"
    floor = best_floor(result)
    if floor and "steps" in result:
        least = 0.6 if is_postgres else 0.5
        ratio = best_batch(result) / floor
        yield f"batch calls ≥ {least:.0%} of the floor's best", f"{ratio:.0%}", ratio >= least
        single = result["steps"]["single 64"]["perSecond"]
        ratio = single / floor
        yield "single calls, 64 clients ≥ 20% of it", f"{ratio:.0%}", ratio >= 0.2
        if floor >= FLOOR_FOR_SINGLE_AIM:
            yield (f"and ≥ {STEPS_AT_SUCH_A_FLOOR:,} completes/s", f"{single:,.0f}",
                   single >= STEPS_AT_SUCH_A_FLOOR)
    if "grpc" in result:
        rest, grpc = (result["grpc"][f"{name} 64"]["cpuMicroseconds"]["server"]
                      for name in ("REST", "gRPC"))
        yield ("gRPC costs the server no more than REST, 64 clients", f"{grpc / rest:.2f} ×", grpc <= rest)
    if "latency" in result:
        most = 3 if is_postgres else 2
        value = result["latency"]["p50Ms"]
        yield f"idle p50 ≤ {most} ms", f"{value:.2f}", value <= most
        value = result["sequence"]["p50Ms"]
        yield "≤ 3 ms per sequential step", f"{value:.2f}", value <= 3
    if "coldStartMs" in result:
        value = result["coldStartMs"]
        yield "cold start < 100 ms", f"{value:.0f}", value < 100
    if "idleMegabytes" in result:
        value = result["idleMegabytes"]
        yield "idle < 30 MB", f"{value:.1f}", value < 30
    if "claims" in result:
        ratio = result["claims"]["million"]["p50Ms"] / result["claims"]["empty"]["p50Ms"]
        yield "claims behind 1 million others ≤ 1.2 × an empty table's", f"{ratio:.2f} ×", ratio <= 1.2


def heading(run):
    return (f"{run['date']}, commit {run['commit']}, {run['extent']} run; {run['cores']} cores"
            f" ({run['cpu']}), {run['memoryGb']} GB, Linux {run['kernel']},"
            f" load before: {run['loadBefore']:.1f}")


def verdict(is_met):
    return "met" if is_met else "**missed**"


def render(run):
    titles = list(run["stores"])
    lines = [
        heading(run), "",
        "| measured (share of the floor's best) | " + " | ".join(titles) + " |",
        "|---|" + "---:|" * len(titles),
    ]
    columns = {title: dict(rows(result)) for title, result in run["stores"].items()}
    for name in dict.fromkeys(name for column in columns.values() for name in column):
        lines.append(f"| {name} | " +
                     " | ".join(column.get(name, "") for column in columns.values()) + " |")
    lines.append("")
    for title, result in run["stores"].items():
        lines += noise(title, result)
    lines += ["| aim | store | measured | |", "|---|---|---:|---|"]
    for title, result in run["stores"].items():
        for aim, measured, is_met in aims(title, result):
            lines.append(f"| {aim} | {title} | {measured} | {verdict(is_met)} |")
    return "\n".join(lines)


def save(run, text, directory, suffix=""):
    directory.mkdir(exist_ok=True)
    stem = f"{run['date'][:10]}-{run['commit'].rstrip('+')}{suffix}"
    (directory / f"{stem}.json").write_text(json.dumps(run, indent=2) + "\n", encoding="utf-8")
    (directory / f"{stem}.md").write_text(text + "\n", encoding="utf-8")
