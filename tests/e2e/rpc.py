"""A client of gRPC whose messages are made from our .proto files when a test runs."""

import atexit
import importlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # Read when it is imported.

import grpc  # pylint: disable=wrong-import-position
from google.protobuf import struct_pb2  # pylint: disable=wrong-import-position

PROTO = pathlib.Path(__file__).resolve().parents[2] / "proto"
FOREIGN = PROTO.parent / "src/api/grpc/foreign"
PATIENCE_SECONDS = 30

_generated = tempfile.mkdtemp(prefix="millrace_proto_")
atexit.register(shutil.rmtree, _generated, ignore_errors=True)
# No __init__.py: folders of one name in several places are one package, so google.protobuf stays.
sys.path.insert(0, _generated)


def generated():
    """Where generated code lies, in the path of imports."""
    return _generated


def messages(name, folder=PROTO):
    """The module of one file: messages("workflow/v1/engine.proto")."""
    subprocess.run(["protoc", f"-I{folder}", f"--python_out={_generated}", name], check=True)
    path = pathlib.Path(_generated) / name.replace(".proto", "_pb2.py")
    # Imported by its path: `grpc` and `google` are packages already.
    spec = importlib.util.spec_from_file_location(name.replace("/", "_")[:-6] + "_pb2", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def millrace(noun):
    """The module of one file of millrace.v1, which imports others of it: millrace("jobs")."""
    names = [str(path.relative_to(PROTO)) for path in PROTO.glob("millrace/v1/*.proto")]
    if not (pathlib.Path(_generated) / "millrace").exists():
        subprocess.run(["protoc", f"-I{PROTO}", f"--python_out={_generated}", *names], check=True)
    return importlib.import_module(f"millrace.v1.{noun}_pb2")


engine = messages("workflow/v1/engine.proto")


def struct(value):
    """A Struct of a dictionary."""
    made = struct_pb2.Struct()
    made.update(value)
    return made


class Engine:
    """workflow.v1.WorkflowEngine: engine.StartInstance(definition_id="order")."""

    def __init__(self, port, credentials=None, **metadata):
        place = f"127.0.0.1:{port}"
        self.channel = (grpc.secure_channel(place, credentials) if credentials
                        else grpc.insecure_channel(place))
        self.metadata = metadata

    def close(self):
        self.channel.close()

    def call(self, rpc, request, timeout=PATIENCE_SECONDS, metadata=None):
        """The future of a call, with its trailing metadata and code."""
        reply = getattr(engine, f"{rpc}Response")
        stub = self.channel.unary_unary(
            f"/workflow.v1.WorkflowEngine/{rpc}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=reply.FromString)
        headers = {**self.metadata, **(metadata or {})}
        return stub.future(request, timeout=timeout,
                           metadata=[(key.replace("_", "-"), value)
                                     for key, value in headers.items()])

    def __getattr__(self, rpc):
        def send(metadata=None, **fields):
            request = getattr(engine, f"{rpc}Request")(**fields)
            return self.call(rpc, request, metadata=metadata).result()
        return send


def code_of(call, *arguments, **fields):
    """The name of the code with which a call fails; "OK" when it does not."""
    try:
        call(*arguments, **fields)
    except grpc.RpcError as error:
        return error.code().name
    return "OK"
