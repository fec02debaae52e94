"""Judges what a server did by what it tells: instances and histories, read back from the API.

`check` lists violations of what the engine promises; an empty list is the good news. It knows the
definitions and what was acknowledged, and nothing of the engine's inside.
"""

import collections
from typing import NamedTuple

from causes import INTERRUPTED, Explanation, instant

# Kinds of violations.
LOST = "lost"  # Acknowledged, and gone.
UNFINISHED = "unfinished"  # It stands still, or ended as it should not.
OPEN_AFTER_THE_END = "open after the end"
STEP_TWICE = "step twice"
STEP_LOST = "step lost"  # A token went out and never arrived.
WRONG_ORDER = "wrong order"  # A step ran that nothing before it led to.
TIMER_EARLY = "timer early"
JOIN_EARLY = "join fired early"
TRY_TWICE = "try twice"  # Two workers held one job, or it was completed twice.
STARTED_TWICE = "started twice"  # One idempotency key, several instances.
WRONG_ANSWER = "wrong answer"  # A start was answered with an instance of another one.
COMPLETION_LOST = "completion lost"
COMPLETED_BY_ANOTHER = "completed by another"  # Not by the claim that was told so.
CHAIN_LOST = "chain lost"
CHAINED_TWICE = "chained twice"
WRONG_VARIABLES = "wrong variables"

_ENDED = {"COMPLETED", "FAILED", "CANCELLED"}


class Violation(NamedTuple):
    kind: str
    instance_id: str
    detail: str


class Observed(NamedTuple):
    """What a run saw. Empty fields check nothing."""

    definitions: dict  # (id, version) -> definition
    instances: dict  # id -> instance
    histories: dict  # instance id -> items, in the order of the API
    # (idempotency key, instance id) of every start that was answered. The key is the business key.
    starts: tuple = ()
    completions: tuple = ()  # (job id, lease token) of every completion that was answered.
    deliveries: tuple = ()  # (job id, lease token) of every job that a poll brought.
    variables: dict = {}  # instance id -> what its variables must be
    outcomes: frozenset = frozenset({"COMPLETED"})  # In which instances may end.


def check(observed):
    """All violations."""
    violations = list(_check_starts(observed))
    for instance in observed.instances.values():
        definition = observed.definitions[instance["definitionId"], instance["definitionVersion"]]
        items = observed.histories[instance["id"]]
        explanation = Explanation(definition, instance, items)
        problems = [
            *_check_end(instance, items, observed.outcomes),
            *_check_steps(definition, instance, explanation),
            *_check_joins(definition, explanation),
            *_check_tries(items)]
        violations += [Violation(kind, instance["id"], detail) for kind, detail in problems]
    violations += _check_deliveries(observed)
    violations += _check_completions(observed)
    violations += _check_chains(observed)
    violations += _check_variables(observed)
    return violations


def _check_starts(observed):
    ids_of = collections.defaultdict(set)  # Of instances that a key is known to have started.
    keys = {key for key, _ in observed.starts}
    for key, instance_id in observed.starts:
        ids_of[key].add(instance_id)
        instance = observed.instances.get(instance_id)
        if instance is None:
            yield Violation(LOST, instance_id, "Its start was acknowledged, but it does not exist.")
        elif instance.get("businessKey") != key:
            yield Violation(WRONG_ANSWER, instance_id,
                            f"It answered {key}, but is {instance.get('businessKey')}.")
    for instance in observed.instances.values():
        if instance.get("businessKey") in keys and "parentId" not in instance:
            ids_of[instance["businessKey"]].add(instance["id"])
    for key, ids in ids_of.items():
        if len(ids) > 1:
            yield Violation(STARTED_TWICE, min(ids), f"{key} started {sorted(ids)}.")


def _check_end(instance, items, outcomes):
    status = instance["status"]
    if status not in outcomes:
        yield UNFINISHED, (f"It is {status} at {instance['currentStepIds']}: "
                           f"{instance.get('failureReason')}")
    if status not in _ENDED:
        return
    if status == "COMPLETED" and instance["currentStepIds"]:
        yield OPEN_AFTER_THE_END, f"currentStepIds is {instance['currentStepIds']}."
    if "completedAt" not in instance:
        yield OPEN_AFTER_THE_END, "It has no completedAt."
    for item in items:
        if item["status"] == "RUNNING" or item["endedAt"] is None:
            yield OPEN_AFTER_THE_END, f"{item['stepId']} is {item['status']}."


def _check_steps(definition, instance, explanation):
    for execution in explanation.unexplained:
        yield _unexplained(execution, explanation)
    for execution in explanation.executions:
        if execution.ended_at and execution.ended_at < execution.started_at:
            yield WRONG_ORDER, f"{execution} ended before it started."
    joins = {step["id"] for step in definition["steps"] if step["type"] == "JOIN_GATEWAY"}
    for emission in explanation.unused:
        if emission.is_certain and not _is_excused(emission, instance, explanation, joins):
            source = emission.source or "The start"
            yield STEP_LOST, f"{source} led to {sorted(emission.targets)}, but nothing was entered."


def _unexplained(execution, explanation):
    """Names what is wrong with an execution that nothing seems to have caused."""
    leading = [each for each in explanation.emissions if execution.step_id in each.targets]
    if any(each.may_cause(execution) for each in leading):
        return STEP_TWICE, f"{execution} was entered again by what had led to it already."
    for emission in leading:
        is_timer = emission.source and emission.targets[execution.step_id][0] > execution.started_at
        if is_timer and (not emission.is_certain or emission.source.failure_reason == INTERRUPTED):
            return TIMER_EARLY, f"{execution} was entered before the timer of {emission.source}."
    if len([each for each in explanation.executions if each.step_id == execution.step_id]) > 1:
        return STEP_TWICE, f"{execution} was entered again, and nothing led to it."
    return WRONG_ORDER, f"{execution} was entered, but nothing before it led to it."


def _is_excused(emission, instance, explanation, joins):
    """A token may vanish into a join that waits for it, or when an END ends everything."""
    for step_id, (at, _) in emission.targets.items():
        if step_id not in joins:
            continue
        if any(each.step_id == step_id and each.started_at <= at and
               (each.ended_at is None or at <= each.ended_at) for each in explanation.executions):
            return True
    ended_at = instance.get("completedAt")
    at = min(at for at, _ in emission.targets.values())
    if ended_at is None or instant(ended_at) > at:
        return False
    return instance["status"] != "COMPLETED" or any(
        each.step_type == "END" for each in explanation.executions)


def _check_joins(definition, explanation):
    join_of = {step["id"]: step["joinStep"] for step in definition["steps"]
               if step["type"] == "PARALLEL_GATEWAY"}
    fired = {}
    for execution in explanation.executions:
        if execution.step_type != "JOIN_GATEWAY" or execution.status != "COMPLETED":
            continue
        gateway = next((each for each in explanation.ancestors(execution)
                        if join_of.get(each.step_id) == execution.step_id), None)
        if gateway is None:
            continue  # A join without activation lets everything through.
        if gateway in fired:
            yield STEP_TWICE, f"{execution} fired again for {gateway}, after {fired[gateway]}."
        fired.setdefault(gateway, execution)
        for late in _late_tokens(gateway, execution, explanation):
            yield JOIN_EARLY, f"{execution} fired while {late} was on its way to it."


def _late_tokens(gateway, join, explanation):
    """Executions between a gateway and its join that were open, or to come, when it fired."""
    for execution in explanation.executions:
        if execution.step_id == join.step_id:
            continue
        path = [execution, *explanation.ancestors(execution)]
        if gateway not in path[1:]:
            continue
        inside = path[:path.index(gateway)]
        if any(each.step_id == join.step_id for each in inside):
            continue
        if execution.ended_at is None or execution.ended_at > join.ended_at:
            yield execution


def _check_tries(items):
    for item in items:
        tries = item.get("tries", [])
        ends = [each for each in tries if each["outcome"] == "COMPLETED"]
        if len(ends) > 1 or (ends and ends[0] is not tries[-1]):
            yield TRY_TWICE, f"{item['stepId']} went on after it was completed."
        tokens = [each["leaseToken"] for each in tries if each.get("startedAt")]
        if tokens != sorted(set(tokens)):
            yield TRY_TWICE, f"The lease tokens of {item['stepId']} do not grow: {tokens}."


def _check_deliveries(observed):
    """A lease token names one claim, so no two polls may bring the same one."""
    for (job_id, token), count in collections.Counter(observed.deliveries).items():
        if count > 1:
            yield Violation(TRY_TWICE, "?",
                            f"Claim {token} of {job_id} was delivered {count} times.")


def _check_completions(observed):
    line_of = {item["jobId"]: item for items in observed.histories.values() for item in items
               if "jobId" in item}
    tokens_of = collections.defaultdict(set)
    for job_id, token in observed.completions:
        tokens_of[job_id].add(token)
    for job_id, tokens in sorted(tokens_of.items()):
        line = line_of.get(job_id, {"instanceId": "?"})
        status = line.get("jobStatus", "in no history")
        if len(tokens) > 1:
            yield Violation(TRY_TWICE, line["instanceId"],
                            f"The completion of {job_id} was acknowledged to claims {tokens}.")
        if status not in ("COMPLETED", "CANCELLED"):
            yield Violation(COMPLETION_LOST, line["instanceId"],
                            f"The completion of {job_id} was acknowledged, but it is {status}.")
        winners = {each["leaseToken"] for each in line.get("tries", [])
                   if each["outcome"] == "COMPLETED"}
        if winners and winners.isdisjoint(tokens):
            yield Violation(COMPLETED_BY_ANOTHER, line["instanceId"],
                            f"Claims {tokens} of {job_id} were told that they completed it, "
                            f"but {winners} did.")


def _check_chains(observed):
    children = {}
    for instance in observed.instances.values():
        if "parentId" in instance:
            children.setdefault(instance["parentId"], []).append(instance)
    for parent_id in sorted(children.keys() - observed.instances.keys()):
        yield Violation(LOST, parent_id, "It has children, but it does not exist.")
    for instance in observed.instances.values():
        definition = observed.definitions[instance["definitionId"], instance["definitionVersion"]]
        is_chained = definition.get("autoStartNextWorkflow") and instance["status"] == "COMPLETED"
        count = len(children.get(instance["id"], []))
        if count > (1 if is_chained else 0):
            yield Violation(CHAINED_TWICE, instance["id"], f"It has {count} children.")
        elif is_chained and count == 0 and "chainFailure" not in instance:
            yield Violation(CHAIN_LOST, instance["id"], "It completed without its next workflow.")


def _check_variables(observed):
    for instance_id, expected in observed.variables.items():
        instance = observed.instances.get(instance_id)
        if instance is not None and instance["variables"] != expected:
            yield Violation(WRONG_VARIABLES, instance_id,
                            f"Expected {expected}, but it has {instance['variables']}.")
