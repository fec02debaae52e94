#!/usr/bin/env python3
"""Makes what is generated from proto/: the reference page of millrace.v1, from the comments there.

Usage: proto_gen.py [--check]

--check writes nothing and fails when the page is not what the protos say, or when something in them
has no comment.
"""

import importlib
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROTOS = ROOT / "proto"
PACKAGE = "millrace/v1"
PAGE = ROOT / "docs/reference/grpc_millrace_v1.md"

# In the order of a reader, not of the alphabet. Files without a service come last.
FILES = ["definitions", "instances", "jobs", "user_tasks", "executions", "dead_letters", "workspaces",
         "administration", "explain", "common", "rest"]

INTRODUCTION = """\
# gRPC: millrace.v1

Made of the comments in `proto/millrace/v1` by `make proto-gen`; a test fails when it is not up to date.

Everything that REST can do, as messages. Each rpc stands for a route, and is served by the handler of that
route: same rules, roles, limits and errors ([the API](api.md)). What goes for all of them:

- A field marked **JSON** is `bytes` with JSON text: one whole value, carried as it is, so that integers of 64 bits
  and the order of members stay exact. Empty is absent. Text that is no JSON is `INVALID_ARGUMENT`, by the name of the field.
- Times have microseconds; what is finer is cut off.
- The value 0 of an enum is absence. A number that the server does not know is `INVALID_ARGUMENT`.
- A field of a request that the server does not know is `INVALID_ARGUMENT`: it might have changed what the call means.
  Calls of workers ignore it, so that a newer library never loses a result on an older server.
- Metadata: `authorization` (`Bearer mr_…`), `millrace-workspace`, `idempotency-key`, `x-request-id`, `traceparent`.
- Clients of gRPC take messages of 4 MiB unless told otherwise. Answers to polls stay below that, unless one job alone is
  larger; lists and histories can have some 16 MiB, as over REST. Tell clients 32 MiB, or ask for smaller pages.
- Paths in errors are the names of JSON: `instances[1].variables`.
"""

TYPES = {value: name.removeprefix("TYPE_").lower()
         for name, value in descriptor_pb2.FieldDescriptorProto.Type.items()}
MESSAGE = descriptor_pb2.FieldDescriptorProto.TYPE_MESSAGE
ENUM = descriptor_pb2.FieldDescriptorProto.TYPE_ENUM
REPEATED = descriptor_pb2.FieldDescriptorProto.LABEL_REPEATED


class Failed(Exception):
    pass


def described(names):
    """The files as descriptors with their comments, and the module of the options."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = pathlib.Path(folder) / "set"
        subprocess.run(
            ["protoc", f"--proto_path={PROTOS}", "--include_source_info", f"--python_out={folder}",
             f"--descriptor_set_out={outcome}", *(f"{PACKAGE}/{name}.proto" for name in names)],
            check=True)
        sys.path.insert(0, folder)
        # Known before the set is read, so that its options are more than unknown fields.
        options = importlib.import_module(f"{PACKAGE.replace('/', '.')}.rest_pb2")
        files = descriptor_pb2.FileDescriptorSet.FromString(outcome.read_bytes())
    return {pathlib.Path(each.name).stem: each for each in files.file}, options


class Comments:
    """The comment above each thing of a file, by its path in the descriptor."""

    def __init__(self, file):
        self.file = file
        self.texts = {tuple(each.path): " ".join(each.leading_comments.split())
                      for each in file.source_code_info.location if each.leading_comments.strip()}

    def of(self, name, *path, needed=True):
        if needed and path not in self.texts:
            raise Failed(f"{self.file.name}: {name} has no comment")
        return self.texts.get(path, "")


def cell(text):
    return text.replace("|", "\\|")


def link(type_name):
    name = type_name.rsplit(".", 1)[-1]
    return name if type_name.startswith(".google.") else f"[{name}](#{name.lower()})"


def type_text(field, options):
    text = link(field.type_name) if field.type in (MESSAGE, ENUM) else TYPES[field.type]
    if field.options.Extensions[options.json]:
        text = "JSON"
    if field.label == REPEATED:
        return f"{text}, several"
    return f"{text}, optional" if field.proto3_optional else text


def service_lines(file, comments, options):
    for index, service in enumerate(file.service):
        yield f"\n## {service.name}\n"
        yield comments.of(service.name, 6, index) + "\n"
        for number, method in enumerate(service.method):
            stream = "a stream of " if method.server_streaming else ""
            yield f"### {method.name}\n"
            yield f"{comments.of(method.name, 6, index, 2, number)}\n"
            yield (f"{link(method.input_type)} → {stream}{link(method.output_type)} · "
                   f"`{method.options.Extensions[options.rest].route}`\n")


def message_lines(file, comments, options):
    for index, message in enumerate(file.message_type):
        yield f"#### {message.name}\n"
        yield comments.of(message.name, 4, index) + "\n"
        if not message.field:
            continue
        yield "| field | number | type | |\n|---|---|---|---|"
        for number, field in enumerate(message.field):
            comment = comments.of(f"{message.name}.{field.name}", 4, index, 2, number)
            yield f"| `{field.name}` | {field.number} | {type_text(field, options)} | {cell(comment)} |"
        yield ""


def enum_lines(file, comments, options):
    for index, enum in enumerate(file.enum_type):
        yield f"#### {enum.name}\n"
        yield comments.of(enum.name, 5, index) + "\n"
        yield "| value | number | |\n|---|---|---|"
        for number, value in enumerate(enum.value):
            comment = comments.of(value.name, 5, index, 2, number, needed=False)
            word = value.options.Extensions[options.word]
            said = f"`{word}` in JSON. " if word else ""
            yield f"| `{value.name}` | {value.number} | {cell(said + comment).strip()} |"
        yield ""


def option_lines(file, comments):
    for index, option in enumerate(file.extension):
        owner = option.extendee.rsplit(".", 1)[-1]
        yield f"- `{option.name}` ({owner}): {comments.of(option.name, 7, index)}"
    if file.extension:
        yield ""


def page():
    files, options = described(FILES)
    lines = [INTRODUCTION]
    for name in FILES:
        file = files[name]
        comments = Comments(file)
        if file.service:
            lines += service_lines(file, comments, options)
            lines.append(f"### Messages of {file.service[0].name}\n")
        else:
            lines.append(f"\n## {name}.proto\n\n{comments.of(name, 12)}\n")
        lines += [*option_lines(file, comments), *message_lines(file, comments, options),
                  *enum_lines(file, comments, options)]
    return "\n".join(lines).rstrip() + "\n"


def main():
    text = page()
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        raise Failed(f"{PAGE.relative_to(ROOT)} is not what the protos say: run `make proto-gen`.")


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(f"proto_gen.py: {failed}")
