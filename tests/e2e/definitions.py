"""Small definitions that several tests use."""


def step(step_id, step_type, **fields):
    return {"id": step_id, "name": step_id.replace("_", " "), "type": step_type, **fields}


def task(step_id, job_type, next_step=None, **fields):
    if next_step:
        fields["nextStep"] = next_step
    return step(step_id, "SERVICE_TASK", jobType=job_type, **fields)


def definition(definition_id, *steps, **fields):
    return {"id": definition_id, "name": definition_id.replace("_", " "), "steps": list(steps),
            **fields}


def one_task(definition_id, **fields):
    """One job, of the type that the definition's id names."""
    return definition(definition_id, task("work", definition_id, "done", **fields),
                      step("done", "END"))


def timer(duration, target, interrupting):
    return {"type": "TIMER", "duration": duration, "interrupting": interrupting,
            "targetStepId": target}
