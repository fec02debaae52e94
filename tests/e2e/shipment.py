"""The workflow that the server is killed under: something of everything, and what must come of it.

Every completion leaves a mark that names it, and every automatic step counts, so that the variables
at the end tell who did what and how often.
"""

from definitions import definition, step, task, timer

JOB_TYPES = ["reserve", "charge", "book", "pack", "remind", "ship", "bill"]
RETRIES = 1000  # Nobody's budget is to run out here.


def counting(step_id, next_step):
    return step(step_id, "TRANSFORMATION", transformations={"count": "${count + 1}"},
                nextStep=next_step)


SHIPMENT = definition(
    "shipment",
    counting("count_start", "reserve"),
    task("reserve", "reserve", "fan_out", retryCount=RETRIES),
    step("fan_out", "PARALLEL_GATEWAY", parallelNextSteps=["charge", "pack", "pause"],
         joinStep="gathered"),
    task("charge", "charge", "book", retryCount=RETRIES),
    task("book", "book", "gathered", retryCount=RETRIES),
    task("pack", "pack", "gathered", retryCount=RETRIES,
         boundaryEvents=[timer("PT0.2S", "remind", False)]),
    task("remind", "remind", retryCount=RETRIES),
    step("pause", "WAIT", nextStep="gathered", boundaryEvents=[timer("PT0.5S", "resume", True)]),
    counting("resume", "gathered"),
    step("gathered", "JOIN_GATEWAY", nextStep="count_joined"),
    counting("count_joined", "ship"),
    task("ship", "ship", "shipped", retryCount=RETRIES),
    step("shipped", "END"),
    autoStartNextWorkflow=True, nextWorkflowId="invoice")

INVOICE = definition(
    "invoice",
    task("bill", "bill", "count_billed", retryCount=RETRIES),
    counting("count_billed", "billed"),
    step("billed", "END"))

COUNT = {"shipment": 3, "invoice": 4}  # The invoice inherits its shipment's variables.


def start_variables(name):
    return {"count": 0, "name": name}


def mark(job):
    """What a completion of this claim leaves behind."""
    return {"did_" + job["stepId"]: f"{job['id']} {job['leaseToken']}"}


def marks_in(items):
    """The marks that a history tells of: of the tries that completed their jobs."""
    marks = {}
    for item in items:
        if item.get("jobStatus") == "COMPLETED":
            marks["did_" + item["stepId"]] = f"{item['jobId']} {item['tries'][-1]['leaseToken']}"
    return marks


def expected_variables(instance, histories):
    items = list(histories[instance["id"]])
    if "parentId" in instance:
        items += histories[instance["parentId"]]
    name = instance["variables"].get("name")
    return {**start_variables(name), "count": COUNT[instance["definitionId"]], **marks_in(items)}
