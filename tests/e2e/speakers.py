"""One client for each protocol, behind one interface: what a call means is the same, only the wire differs.

Every call answers with plain values in the names of REST, or raises Refused with a code of gRPC.
"""

import copy
import importlib
import json
import pathlib
import subprocess

import grpc
from google.protobuf import json_format

import rpc

CODES = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
         409: "ABORTED", 413: "RESOURCE_EXHAUSTED", 422: "INVALID_ARGUMENT", 503: "UNAVAILABLE"}
PREFIXES = ("INSTANCE_STATUS_", "STEP_TYPE_", "STEP_STATUS_", "STEP_EXECUTION_STATUS_", "JOB_STATUS_")


class Refused(Exception):
    """What the server says no with."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


def plain(message):
    """A message as REST would show it."""
    return without_prefixes(json_format.MessageToDict(message))


def without_prefixes(value):
    if isinstance(value, dict):
        return {key: without_prefixes(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_prefixes(each) for each in value]
    if isinstance(value, str):
        prefix = next((each for each in PREFIXES if value.startswith(each)), "")
        return value.removeprefix(prefix)
    return value


def answered(call, *arguments, **fields):
    """Of a call over gRPC."""
    try:
        return call(*arguments, **fields)
    except grpc.RpcError as error:
        raise Refused(error.code().name, error.details()) from error


class Rest:
    name = "REST"

    def __init__(self, server, workspace):
        self.client = server.client()
        self.headers = {"Millrace-Workspace": workspace}

    def close(self):
        pass

    def ask(self, method, path, body=None):
        reply = self.client.call(method, path, body, self.headers)
        if reply.status >= 400:
            raise Refused(CODES[reply.status], reply.json()["message"])
        return reply.json() if reply.body else {}

    def upload(self, definition):
        return self.ask("POST", "/v1/definitions", definition)

    def definition(self, name):
        return self.ask("GET", f"/v1/definitions/{name}")

    def start(self, name, variables=None, **more):
        return self.ask("POST", "/v1/instances", {"definitionId": name, "variables": variables or {}, **more})

    def instance(self, name):
        return self.ask("GET", f"/v1/instances/{name}")

    def instances(self, **filters):
        query = "&".join(f"{key}={value}" for key, value in filters.items())
        return self.ask("GET", f"/v1/instances?{query}")["items"]

    def history(self, name):
        return self.ask("GET", f"/v1/instances/{name}/history")["items"]

    def cancel(self, name, reason):
        return self.ask("POST", f"/v1/instances/{name}/cancel", {"reason": reason})

    def poll(self, types, most=10):
        return self.ask("POST", "/v1/jobs/poll", {"workerId": "w", "jobTypes": types, "maxJobs": most})["jobs"]

    def complete(self, job, variables=None, worker="w"):
        self.ask("POST", f"/v1/jobs/{job}/complete", {"workerId": worker, "variables": variables or {}})

    def fail(self, job, message, retryable):
        self.ask("POST", f"/v1/jobs/{job}/fail",
                 {"workerId": "w", "errorMessage": message, "retryable": retryable})

    def complete_task(self, instance, step, variables):
        self.ask("POST", f"/v1/instances/{instance}/user-tasks/{step}/complete", {"variables": variables})

    def signal(self, instance, step, variables):
        self.ask("POST", f"/v1/instances/{instance}/signals/{step}", variables)


class Workflow:
    name = "workflow.v1"

    def __init__(self, server, workspace):
        self.engine = rpc.Engine(server.grpc_port, millrace_workspace=workspace)

    def close(self):
        self.engine.close()

    def ask(self, call, **fields):
        return plain(answered(getattr(self.engine, call), **fields))

    def upload(self, definition):
        typed = copy.deepcopy(definition)
        for step in typed["steps"]:
            step["type"] = "STEP_TYPE_" + step["type"]
            for event in step.get("boundaryEvents", []):
                event["type"] = "BOUNDARY_EVENT_TYPE_" + event["type"]
        return self.ask("UploadDefinition", definition=json_format.ParseDict(
            typed, rpc.engine.WorkflowDefinition()))

    def definition(self, name):
        return self.ask("GetDefinition", id=name)["definition"]

    def start(self, name, variables=None, definitionVersion=0, businessKey=""):
        return self.ask("StartInstance", definition_id=name, variables=rpc.struct(variables or {}),
                        definition_version=definitionVersion, business_key=businessKey)["instance"]

    def instance(self, name):
        return self.ask("GetInstance", id=name)["instance"]

    def instances(self, status="", businessKey=""):
        number = rpc.engine.InstanceStatus.Value("INSTANCE_STATUS_" + (status or "UNSPECIFIED"))
        return self.ask("ListInstances", status=number, business_key=businessKey).get("instances", [])

    def history(self, name):
        return self.ask("GetInstanceHistory", id=name).get("executions", [])

    def cancel(self, name, reason):
        return self.ask("CancelInstance", id=name, reason=reason)["instance"]

    def poll(self, types, most=10):
        return self.ask("PollJobs", worker_id="w", job_types=types, max_jobs=most).get("jobs", [])

    def complete(self, job, variables=None, worker="w"):
        self.ask("CompleteJob", job_id=job, worker_id=worker, variables_to_set=rpc.struct(variables or {}))

    def fail(self, job, message, retryable):
        self.ask("FailJob", job_id=job, worker_id="w", error_message=message, retryable=retryable)

    def complete_task(self, instance, step, variables):
        self.ask("CompleteUserTask", instance_id=instance, user_task_step_id=step, result=rpc.struct(variables))

    def signal(self, instance, step, variables):
        self.ask("SignalWait", instance_id=instance, wait_step_id=step, variables=rpc.struct(variables))


class Millrace:
    name = "millrace.v1"
    _modules = None

    def __init__(self, server, workspace):
        self.channel = grpc.insecure_channel(f"127.0.0.1:{server.grpc_port}")
        self.metadata = [("millrace-workspace", workspace)]

    def close(self):
        self.channel.close()

    @classmethod
    def modules(cls):
        """The generated code of all files, by noun."""
        if cls._modules is None:
            files = sorted(str(path.relative_to(rpc.PROTO)) for path in (rpc.PROTO / "millrace/v1").iterdir())
            subprocess.run(["protoc", f"-I{rpc.PROTO}", f"--python_out={rpc.generated()}", *files], check=True)
            cls._modules = {pathlib.Path(file).stem: importlib.import_module(
                file.replace("/", ".").replace(".proto", "_pb2")) for file in files}
        return cls._modules

    def ask(self, noun, call, reply, /, **fields):
        module = self.modules()[noun]
        service = "".join(part.title() for part in noun.split("_"))
        stub = self.channel.unary_unary(
            f"/millrace.v1.{service}/{call}", lambda message: message.SerializeToString(),
            getattr(module, reply).FromString)
        for name in ("variables", "document"):
            if name in fields:
                fields[name] = json.dumps(fields[name]).encode()
        request = getattr(module, f"{call}Request")(**fields)
        return answered(stub, request, metadata=self.metadata, timeout=rpc.PATIENCE_SECONDS)

    @staticmethod
    def shown(message):
        value = plain(message)
        if message.DESCRIPTOR.fields_by_name.get("variables"):
            value["variables"] = json.loads(message.variables or b"{}")
        return value

    def upload(self, definition):
        return self.shown(self.ask("definitions", "UploadDefinition", "DefinitionSummary", document=definition))

    def definition(self, name):
        return json.loads(self.ask("definitions", "GetDefinition", "Definition", id=name).document)

    def start(self, name, variables=None, definitionVersion=0, businessKey=""):
        return self.shown(self.ask("instances", "StartInstance", "Instance", definition_id=name,
                                   variables=variables or {}, definition_version=definitionVersion,
                                   business_key=businessKey))

    def instance(self, name):
        return self.shown(self.ask("instances", "GetInstance", "Instance", id=name))

    def instances(self, status=None, businessKey=""):
        statuses = [f"INSTANCE_STATUS_{status}"] if status else []
        page = self.ask("instances", "ListInstances", "ListInstancesResponse", status=statuses,
                        business_key=businessKey)
        return [self.shown(each) for each in page.items]

    def history(self, name):
        return [plain(each) for each in self.ask("instances", "GetHistory", "History", id=name).items]

    def cancel(self, name, reason):
        return self.shown(self.ask("instances", "CancelInstance", "Instance", id=name, reason=reason))

    def poll(self, types, most=10):
        page = self.ask("jobs", "PollJobs", "PollJobsResponse", worker_id="w", job_types=types, max_jobs=most)
        return [self.shown(each) for each in page.jobs]

    def complete(self, job, variables=None, worker="w"):
        self.ask("jobs", "CompleteJob", "CompleteJobResponse", id=job, worker_id=worker,
                 variables=variables or {})

    def fail(self, job, message, retryable):
        self.ask("jobs", "FailJob", "FailJobResponse", id=job, worker_id="w", error_message=message,
                 retryable=retryable)

    def complete_task(self, instance, step, variables):
        self.ask("user_tasks", "CompleteUserTaskOfStep", "CompleteUserTaskResponse", id=instance,
                 step_id=step, variables=variables)

    def signal(self, instance, step, variables):
        self.ask("instances", "SignalWait", "SignalWaitResponse", id=instance, step_id=step,
                 variables=variables)


SPEAKERS = (Rest, Workflow, Millrace)
