"""Explains a history: which step execution caused which.

A definition and a history leave open which token went where, so this is a matching: every way in
which an execution may have caused another one is an emission, and every execution needs one of its
own. Where several assignments are possible, any complete one explains the history.
"""

import datetime
import re

INTERRUPTED = "interrupted by boundary timer"
_DURATION = re.compile(
    r"P(?:(?P<weeks>[\d.]+)W)?(?:(?P<days>[\d.]+)D)?"
    r"(?:T(?:(?P<hours>[\d.]+)H)?(?:(?P<minutes>[\d.]+)M)?(?:(?P<seconds>[\d.]+)S)?)?")


def instant(text):
    return datetime.datetime.fromisoformat(text)


def duration(text):
    parts = _DURATION.fullmatch(text).groupdict()
    return datetime.timedelta(**{unit: float(number) for unit, number in parts.items() if number})


class Execution:
    """One line of a history, in the order of entry."""

    def __init__(self, item, place):
        self.place = place
        self.id = item["id"]
        self.step_id = item["stepId"]
        self.step_type = item["stepType"]
        self.status = item["status"]
        self.failure_reason = item["failureReason"]
        self.started_at = instant(item["startedAt"])
        self.ended_at = instant(item["endedAt"]) if item["endedAt"] else None
        self.item = item
        self.cause = None

    def __repr__(self):
        return f"{self.step_id}#{self.place}"


class Emission:
    """A token that some execution (or the start: None) sent out, to one of several steps.

    `targets` maps each possible step to the time span in which it can have been entered.
    """

    def __init__(self, source, targets, is_certain=True):
        self.source = source
        self.targets = targets
        self.is_certain = is_certain

    def may_cause(self, execution):
        span = self.targets.get(execution.step_id)
        if span is None or (self.source and self.source.place >= execution.place):
            return False
        earliest, latest = span
        is_over = latest is not None and execution.started_at > latest
        return earliest <= execution.started_at and not is_over


def _emissions_at_end(execution, step):
    at = (execution.ended_at, execution.ended_at)
    if step["type"] == "PARALLEL_GATEWAY":
        return [Emission(execution, {each: at}) for each in step["parallelNextSteps"]]
    if step.get("conditionalNextSteps"):
        return [Emission(execution, {each: at for each in step["conditionalNextSteps"].values()})]
    if step.get("nextStep") and step["type"] != "END":
        return [Emission(execution, {step["nextStep"]: at})]
    return []


def _emissions_of_timers(execution, step):
    emissions = []
    interrupts = {}
    for event in step.get("boundaryEvents", []):
        due_at = execution.started_at + duration(event["duration"])
        if not event["interrupting"]:
            span = (due_at, execution.ended_at)
            emissions.append(Emission(execution, {event["targetStepId"]: span}, is_certain=False))
        elif execution.failure_reason == INTERRUPTED:
            span = (max(due_at, execution.ended_at), execution.ended_at)
            interrupts[event["targetStepId"]] = span
    if interrupts:
        emissions.append(Emission(execution, interrupts))
    return emissions


def _emissions(definition, started_at, executions):
    steps = {step["id"]: step for step in definition["steps"]}
    first = definition["steps"][0]["id"]
    emissions = [Emission(None, {first: (started_at, started_at)})]
    for execution in executions:
        step = steps.get(execution.step_id)
        if step is None:
            continue
        if execution.status == "COMPLETED":
            emissions += _emissions_at_end(execution, step)
        emissions += _emissions_of_timers(execution, step)
    return emissions


class Explanation:
    """`executions` with their `cause` (an Emission) where there is one, and what is left over."""

    def __init__(self, definition, instance, items):
        self.executions = [Execution(item, place) for place, item in enumerate(items)]
        self.emissions = _emissions(definition, instant(instance["startedAt"]), self.executions)
        self._taker = {}
        self.unexplained = [each for each in self.executions if not self._find_cause(each, set())]
        self.unused = [each for each in self.emissions if each not in self._taker]

    def _find_cause(self, execution, seen):
        """Finds an emission that is free, or whose taker can take another one."""
        for emission in self.emissions:
            if emission in seen or not emission.may_cause(execution):
                continue
            seen.add(emission)
            taker = self._taker.get(emission)
            if taker is None or self._find_cause(taker, seen):
                self._taker[emission] = execution
                execution.cause = emission
                return True
        return False

    def ancestors(self, execution):
        """From the nearest to the start."""
        while execution.cause and execution.cause.source:
            execution = execution.cause.source
            yield execution
